#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The README's own `build/sluice run` commands, as they stand there but for the number of packets.
# usage: readme.sh, from the root of the tree
# Needs: s4
bad=0 n=0
while read -r command; do
  n=$((n + 1))
  if timeout 300 sh -c "$command --packets 500 --quiet" >/dev/null 2>build/readme.err </dev/null; then echo "ok $n - $command"
  else echo "not ok $n - $command"; cat build/readme.err; bad=1; fi
done <<LIST
$(grep '^build/sluice run ' README.md)
LIST
[ $n -gt 0 ] || { echo "not ok - the README shows no command"; bad=1; }
exit $bad
