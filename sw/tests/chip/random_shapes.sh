#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Random legal shapes (sw/base/random_shape.c): all elaborate without a warning; two small ones are built, and run random cases.
# Needs: build/sluice
# usage: random_shapes.sh [SHAPES [FIRST [FUZZED...]]]    numbers of the shapes; FUZZED: those that are built
CHIP_RUN=${1:+-$1}${2:+-$2}
. "$(dirname "$0")/lib"
[ -x "$SLUICE" ] || { echo "Bail out! no $SLUICE: make sluice"; exit 3; }
shapes=${1:-20} first=${2:-0}
[ $# -lt 3 ] || shift 2
[ $# -gt 2 ] || [ "${1:-$shapes}" != "$shapes" ] || set -- 9 12
lints() { timeout -k 10 600 make -s "lint-random.$1" > "$out/lint-$1.txt" 2>&1 || { sed 's/^/# /' "$out/lint-$1.txt" | head -n 8; return 1; }; }
i=$first
while [ "$i" -lt $((first + shapes)) ]; do
  it "random shape $i elaborates" "lints $i"
  i=$((i + 1))
done
runs() {
  nice make -s JOBS=1 "build/random.$1/sim" > "$out/build-$1.txt" 2>&1 || { tail -n 5 "$out/build-$1.txt" | sed 's/^/# /'; return 1; }
  timeout -k 10 900 "$SLUICE" fuzz --chip "random.$1" --seed 1 --runs 6 > "$out/fuzz-$1.txt" 2>&1 && return 0
  tail -n 5 "$out/fuzz-$1.txt" | sed 's/^/# /'; return 1
}
for i do it "random shape $i runs six random cases" "runs $i"; done
finish
