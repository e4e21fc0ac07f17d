#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# From a clone to the first packet's story: gives the commands of docs/first-hour.md, in order, up to the one that tells a story, compares what they print,
# and takes the time. As TAP. FIRST_STORY_SECONDS (600): the most that it may take. On a bare system this includes all that must be installed. In a tree
# in which something has been built already it makes a clone of the last commit beside it, and begins there.
# usage: first_story.sh, from the root of the tree
set -u
limit=${FIRST_STORY_SECONDS:-600}
begin=$(date +%s)
if [ -e build/sluice ]; then
  clone=$PWD/build/first-story
  rm -rf "$clone"
  git clone -q . "$clone" && cd "$clone" || exit 3
fi
unset MAKEFLAGS MFLAGS MAKELEVEL
mkdir -p build
page=build/first-story.md
# The sections up to the one that has the story.
awk '/^## / && told { exit } /^[$] sluice trace / { told = 1 } { print } END { exit !told }' docs/first-hour.md > "$page" || { echo "not ok 1 - docs/first-hour.md tells a story"; exit 1; }
sh sw/tests/cli/blocks.sh "$page" > build/first-story.log 2>&1; code=$?
grep -v '^1\.\.' build/first-story.log
n=$(grep -c -e '^ok ' -e '^not ok ' build/first-story.log)
seconds=$(($(date +%s) - begin))
verdict="not ok"
[ "$seconds" -gt "$limit" ] || verdict=ok
echo "$verdict $((n + 1)) - from the clone to the first packet's story: $seconds s, at most $limit"
echo "1..$((n + 1))"
[ $code -eq 0 ] && [ "$verdict" = ok ]
