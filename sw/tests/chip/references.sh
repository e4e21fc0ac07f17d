#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The model against the machine of docs/machine.md (sw/spec): random cases of all shapes with names, and of random shapes, a hundred
# packets each. A line of RECORD says what was played, so a run goes on where the last one ended; another SEED plays other cases.
# Needs: build/sluice
# usage: references.sh [CASES [SEED [RECORD]]]    CASES of each named shape (200); of each of 60 random shapes an eighth
CHIP_RUN=${1:+-$1}${2:+-$2}
. "$(dirname "$0")/lib"
[ -x "$SLUICE" ] || { echo "Bail out! no $SLUICE: make sluice"; exit 3; }
cases=${1:-200} seed=${2:-1} record=${3:-build/references}
: >> "$record" || exit 3
# play SHAPE CASES. A line: seed, shape, cases, packets, admitted, further passes.
play() {
  grep -q "^$seed $1 $2 " "$record" && return 0
  timeout -k 10 900 "$SLUICE" fuzz --references --chip "$1" --seed "$seed" --runs "$2" > "$out/$1.txt" 2>&1 || { grep -v '^ok' "$out/$1.txt" | head -n 12 | sed 's/^/# /'; return 1; }
  awk -v head="$seed $1 $2" '/^ok/ {p += $6; a += $8} /recirculated/ {r += $3} END {print head, p + 0, a + 0, r + 0}' "$out/$1.txt" >> "$record"
}
shapes=$(sed -n 's/^SLUICE_CONFIG(\([a-z0-9]*\),.*/\1/p' sw/configs.def sw/tests/shapes.def)
for s in $shapes; do it "$s: $cases cases, seed $seed" "play $s $cases"; done
few=$(((cases + 7) / 8)) i=0
while [ $i -lt 60 ]; do
  n=$(((seed * 60 + i) % 1000))
  it "random.$n: $few cases" "play random.$n $few"
  i=$((i + 1))
done
awk '{c += $3; p += $4; a += $5; r += $6} END {printf "# played so far: %d cases, %d packets, of these %d admitted, and %d further passes: no difference\n", c, p, a, r}' "$record"
finish
