#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Random programs three ways: those of test_random, which compares text and reference, are run on the chip, which is compared with the
# reference. What does not compile for the chip is passed over. usage: random_programs.sh [CHIP] [PROGRAMS] [SEED] [RECORD]
#
# RECORD: a folder that keeps what was found equal, 25 programs a file, so that a run that was ended goes on where it was. It holds for the
# compiler, the simulator and the test that found it: with others (another checksum) it starts anew.
CHIP_RUN=${1:-tiny}${4:+-${3:-1}}
. "$(dirname "$0")/lib"
need_chip "${1:-tiny}"
num=${2:-40} seed=${3:-1} record=${4:-$out/record} block=25
texts=$out/texts
made=$(cat "$SLUICE" build/san/test_random "build/$chip/sim" | cksum | cut -d ' ' -f 1)
record=$record/$chip-$made; mkdir -p "$record"
compiled=0 equal=0 before=0 wrong=

# Programs $1.. of $2; what came of them goes to the record: compiled, equal.
one_block() {
  rm -rf "$texts"; mkdir -p "$texts"
  SLUICE_PROGRAMS=$2 SLUICE_SEED=$1 SLUICE_WRITE=$texts build/san/test_random > "$out/random.log" 2>&1 ||
    { wrong="$wrong text:$1"; sed 's/^/# /' "$out/random.log"; return; }
  some=0 good=0
  for program in "$texts"/*.dom; do
    "$SLUICE" compile "$program" --chip "$chip" --trusted -o "$out/image.json" > "$out/compile.log" 2>&1 || continue
    some=$((some + 1))
    run_chip "$(basename "$program" .dom)" "$out/image.json" --packets 200 --size 200
    if [ "$code" -eq 0 ] && [ "$(value verdict)" = EQUIVALENT ]; then good=$((good + 1)); rm -rf "$run".*
    else wrong="$wrong $(basename "$program" .dom)"; fi
  done
  compiled=$((compiled + some)) equal=$((equal + good))
  [ $some -ne $good ] || echo "$some" > "$record/$1-$2"
}

first=$seed
while [ "$first" -lt $((seed + num)) ]; do
  size=$((seed + num - first)); [ $size -le $block ] || size=$block
  if [ -s "$record/$first-$size" ]; then
    before=$((before + size)) some=$(cat "$record/$first-$size")
    compiled=$((compiled + some)) equal=$((equal + some))
  else one_block "$first" "$size"; fi
  first=$((first + size))
done
it "$num random programs: text and reference agree, and on $chip the chip does what the reference does" '
  [ $compiled -gt 0 ] && [ $equal -eq $compiled ] && [ -z "$wrong" ] || { echo "# not so:$wrong (build/san/test_random: SLUICE_SEED is the number, SLUICE_PROGRAMS=1)"; false; }'
note "$compiled of $num compiled for $chip, $equal equivalent; seed $seed$([ $before -eq 0 ] || echo "; $before of an earlier run")"
finish
