#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `make bench-active-alloc` in small: it runs, draws, finds the published numbers, and finds the same again. TAP.
# usage: bench_active_alloc.sh PROGRAM
set -u
root=$(cd "$(dirname "$0")/../../.." && pwd)
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
n=0 failed=0
say() { n=$((n + 1)); if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; failed=$((failed + 1)); fi; }
has() { jq -e "$1" "$dir/a/results.json" >"$dir/log"; say $? "$2"; }

sh "$root/sw/figures/bench/active_alloc.sh" "$1" "$dir/a" --quick >"$dir/out" 2>"$dir/err"
code=$?
sed 's/^/# /' "$dir/err"
[ $code -eq 0 ] && [ ! -s "$dir/err" ]; say $? 'it ends without a word of complaint'
drawn=0
for f in time utilization epochs fits blocks; do
  [ -s "$dir/a/$f.png" ] && grep -q '</svg>' "$dir/a/$f.svg" || drawn=1
done
say $drawn 'every plot is drawn'
at='.arrivals[] | select(.rules == "published" and .workload'
has "($at == \"heavy hitter\" and .policy == \"most\")).placed == 23" '23 heavy hitters fit, most constrained'
has "($at == \"heavy hitter\" and .policy == \"least\")).placed == 57" '57 heavy hitters fit, least constrained'
has "($at == \"cache\" and .policy == \"most\")).used == 0.65" 'caches use 65 % of the memory, most constrained'
has "($at == \"cache\" and .policy == \"least\")).used == 1" 'caches use all of it, least constrained'
has '[.epochs[].fairness] | min > 0.9' 'fairness of all rules is above 0.9'

# All but times.
"$1" "$dir" --quick >"$dir/log" 2>"$dir/err" || failed=$((failed + 1))
still='walk(if type == "object" then del(.placed_us, .worst_us, .refused_us, .us) else . end)'
jq -S "$still" "$dir/a/results.json" >"$dir/x" && jq -S "$still" "$dir/results.json" >"$dir/y" && cmp -s "$dir/x" "$dir/y"
say $? 'a second run has the same results'
"$1" "$dir" --quick --seed 2 >"$dir/log" 2>"$dir/err" && jq -S "$still" "$dir/results.json" >"$dir/y" && ! cmp -s "$dir/x" "$dir/y"
say $? 'another seed has others'
"$1" >"$dir/log" 2>"$dir/err"; [ $? -eq 2 ] && grep -q '^usage:' "$dir/err"; say $? 'without a folder it says how it is called'
echo "1..$n"
[ $failed -eq 0 ]
