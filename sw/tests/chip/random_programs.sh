#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Random programs three ways: those of test_random, which compares text and reference, are run on chips, which are compared with the
# reference. What does not compile for a chip is passed over. usage: random_programs.sh [CHIPS] [PROGRAMS] [SEED] [RECORD]
#
# CHIPS: as tiny,k4. To start a simulator takes longer than 200 packets, so 25 programs are modules of one chip and run at once; if they do
# not find room together, half of them. In turns they run at line rate, where packets wait for each other, and so slowly that all of them
# leave by one port and are compared.
#
# RECORD: a folder that keeps what was found equal, 25 programs a file, so that a run that was ended goes on where it was. It holds for the
# compiler, the simulators and the test that found it: with others (another checksum) it starts anew. Without it text and reference are not
# compared here: of seeds 1 to 200 test_random does that, in the same tests.
# Needs: tiny k4 build/san/test_random
CHIP_RUN=${1:-tiny}${4:+-${3:-1}}
. "$(dirname "$0")/lib"
chips=$(echo "${1:-tiny}" | tr ',' ' ')
num=${2:-200} seed=${3:-1} record=$4 block=25 packets=200
[ -n "$record" ] || packets=60
texts=$out/texts
for chip in $chips; do need_chip "$chip"; sims="$sims build/$chip/sim"; done
made=$(cat "$SLUICE" build/san/test_random $sims "$0" | cksum | cut -d ' ' -f 1)
[ -z "$record" ] || { record=$record/$(echo "$chips" | tr ' ' '-')-$made; mkdir -p "$record"; }
compiled=0 equal=0 before=0 runs=0 wrong=

# Images $@ as modules of one chip. A mismatch is looked for in the halves, and counts if they have none.
together() {
  [ $# -gt 0 ] || return 0
  runs=$((runs + 1))
  run_chip "$chip-$runs" "$@" --packets $((packets * $#)) --size 200 --load "$load" --mix "$mix"
  if [ "$code" -eq 0 ] && [ "$(value verdict)" = EQUIVALENT ]; then good=$((good + $#)); rm -rf "$run".*; return; fi
  grep -q "^sluice: module '.*' (VLAN" "$errors" || wrong="$wrong $chip:$(basename "$1" .json)+$(($# - 1))"
  [ $# -gt 1 ] || return 0
  together $(echo "$*" | cut -d ' ' -f "-$(($# / 2))")
  shift $(($# / 2))
  together "$@"
}

# Programs $1.. of $2; what came of them on each chip goes to the record.
one_block() {
  rm -rf "$texts"; mkdir -p "$texts"
  SLUICE_PROGRAMS=$2 SLUICE_SEED=$1 SLUICE_WRITE=$texts SLUICE_ONLY_WRITE=$([ -n "$record" ] || echo 1) build/san/test_random > "$out/random.log" 2>&1 ||
    { wrong="$wrong text:$1"; sed 's/^/# /' "$out/random.log"; return; }
  line= wrong_before=$wrong
  for chip in $chips; do
    some=0 good=0 images=
    constants "$chip"
    if [ $(($1 / block % 2)) -eq 0 ]; then load=1 mix=websearch; else load=$(awk "BEGIN { print 1 / $NumPipes }") mix=uniform; fi
    for program in "$texts"/*.dom; do
      image=$out/$(basename "$program" .dom).json
      "$SLUICE" compile "$program" --chip "$chip" --trusted -o "$image" > "$out/compile.log" 2>&1
      case $? in
        0) some=$((some + 1)) images="$images $image";;
        1) ;;
        *) wrong="$wrong $chip:compile:$(basename "$program" .dom)";;
      esac
    done
    together $images
    rm -f "$out"/random-*.json
    line="$line $some $good"
  done
  count_line $line
  [ -z "$record" ] || [ "$wrong" != "$wrong_before" ] || echo "$line" > "$record/$1-$2"
}

# Compiled and equal, of each chip.
count_line() {
  while [ $# -gt 1 ]; do compiled=$((compiled + $1)) equal=$((equal + $2)); shift 2; done
}

first=$seed
while [ "$first" -lt $((seed + num)) ]; do
  size=$((seed + num - first)); [ $size -le $block ] || size=$block
  if [ -n "$record" ] && [ -s "$record/$first-$size" ]; then
    before=$((before + size)); count_line $(cat "$record/$first-$size")
  else one_block "$first" "$size"; fi
  first=$((first + size))
done
it "$num random programs: on $chips the chip does what the reference does${record:+, and text and reference agree}" '
  [ $compiled -gt 0 ] && [ $equal -eq $compiled ] && [ -z "$wrong" ] ||
    { echo "# $compiled compiled, $equal equal; not so:$wrong (build/san/test_random: SLUICE_SEED is the number, SLUICE_PROGRAMS=1)"; false; }'
note "$num programs, $compiled compiled for $chips, $equal equivalent, in $runs runs; seed $seed$([ $before -eq 0 ] || echo "; $before of an earlier run")"
finish
