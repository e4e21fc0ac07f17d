#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Random programs on the chip: those of test_random, which compares text and reference, here reference and RTL.
# What does not compile for the chip is passed over. usage: random_programs.sh [CHIP] [PROGRAMS] [SEED]
CHIP_RUN=${1:-tiny}
. "$(dirname "$0")/lib"
need_chip "${1:-tiny}"
num=${2:-40} seed=${3:-1}
texts=$out/texts; mkdir -p "$texts"

it "$num random programs: text and reference agree" '
  SLUICE_PROGRAMS=$num SLUICE_SEED=$seed SLUICE_WRITE=$texts build/san/test_random > "$out/random.log" 2>&1 || { sed "s/^/# /" "$out/random.log"; false; }'
compiled=0 equal=0 wrong=
for program in "$texts"/*.dom; do
  [ -e "$program" ] || break
  "$SLUICE" compile "$program" --chip "$chip" --trusted -o "$out/image.json" > "$out/compile.log" 2>&1 || continue
  compiled=$((compiled + 1))
  run_chip "$(basename "$program" .dom)" "$out/image.json" --packets 200 --size 200
  if [ "$code" -eq 0 ] && [ "$(value verdict)" = EQUIVALENT ]; then equal=$((equal + 1)); rm -rf "$run".*
  else wrong="$wrong $program"; fi
done
it "on $chip the chip does what the reference does" '
  [ $compiled -gt 0 ] && [ $equal -eq $compiled ] || { echo "# not equal:$wrong (build/san/test_random: SLUICE_SEED is the number, SLUICE_PROGRAMS=1)"; false; }'
note "$compiled of $num compiled for $chip, $equal equivalent; seed $seed"
finish
