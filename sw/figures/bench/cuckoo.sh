#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cuckoo.sh BENCH OUT SEEDS JOBS: fills a cuckoo engine of 65,536 entries with random keys of the
# seeds 1 to SEEDS, ten seeds a block, JOBS blocks at a time. Blocks that stand in OUT are not made
# again. Prints how many seeds there are, and the load at which the first key found no place: least,
# mean, and of how many seeds it is below 0.9; fails if there is one.
set -eu
bench=$1 out=$2 seeds=$3 jobs=$4
mkdir -p "$out"
for from in $(seq 1 10 "$seeds"); do
  [ -e "$out/$from" ] || echo "$from"
done | xargs -P "$jobs" -I FROM sh -c '
  to=$((FROM + 9)); [ "$to" -le "$3" ] || to=$3
  nice -n 19 "$1" large FROM "$to" >"$2/FROM.part" && mv "$2/FROM.part" "$2/FROM"' sh "$bench" "$out" "$seeds"
cat "$out"/*[0-9] | awk -v seeds="$seeds" '
  $1 <= seeds { num++; sum += $2; if (num == 1 || $2 < least) least = $2; below += $2 < 0.9 }
  END {
    printf "%d of %d seeds: least %.4f, mean %.4f, below 0.9: %d\n", num, seeds, least, sum / num, below
    exit below > 0 || num != seeds
  }'
