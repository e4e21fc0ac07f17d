#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What can be left out of the whole chip (sw/figures/bench/whole.sh): each shape is one that a chip can have, and each has something less.
# As TAP. usage: features.sh [SLUICE]
cd "$(dirname "$0")/../../.." || exit 3
SLUICE=$(realpath "${1:-build/sluice}")
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
n=0 failed=0
it() {
  n=$((n + 1)); name=$1; shift
  if eval "$*"; then echo "ok $n - $name"; else echo "not ok $n - $name"; failed=$((failed + 1)); fi
}
legal() { "$SLUICE" compile sw/programs/sequencer.dom --chip "$1" > "$dir/out" 2>&1 || { sed 's/^/# /' "$dir/out"; return 1; }; }
# Values of a shape, without its name.
values() { "$SLUICE" layout config "$1" | grep 'localparam int unsigned' | sort; }
whole=sw/figures/bench/whole.sh
for shape in s2 s4; do
  sh "$whole" without $shape > "$dir/shapes"
  it "$shape, and at least ten shapes with less" '[ "$(head -n 1 "$dir/shapes")" = $shape ] && [ "$(wc -l < "$dir/shapes")" -gt 10 ]'
  values $shape > "$dir/whole"
  for less in $(sed 1d "$dir/shapes"); do
    it "$less is a shape" 'legal $less'
    it "$less is another one" 'values $less > "$dir/less" && ! cmp -s "$dir/whole" "$dir/less"'
  done
done
it 'a shape with a value that it has already is the same one' 'values s2 > "$dir/whole" && values s2.Banks2 > "$dir/less" && cmp -s "$dir/whole" "$dir/less"'
it 'a shape that no chip can have is refused' '! legal s2.ArrayWords0 > "$dir/why" && grep -q ArrayEntries "$dir/why"'
echo "1..$n"
exit $((failed > 0))
