#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Random P4 programs three ways: test_p4c_random, which compares interpreter and reference model, writes those that a
# chip takes, and the simulated chip is compared with the reference. 5 programs are modules of one chip and run at
# once, each on packets of its own; if they do not find room together, half of them.
# usage: p4_random.sh [CHIP] [PROGRAMS] [SEED]
# Needs: react build/san/test_p4c_random
CHIP_RUN=${1:-react}-${2:-60}
. "$(dirname "$0")/lib"
num=${2:-60} seed=${3:-1} block=5
need_chip "${1:-react}"
taken=0 equal=0 runs=0 compared=0 wrong=

# Images $@ as modules of one chip. A mismatch is looked for in the halves, and counts if they have none.
together() {
  [ $# -gt 0 ] || return 0
  runs=$((runs + 1))
  trust=; for v in $(seq $#); do trust="$trust --trust $v"; done
  run_chip "$chip-$runs" "$@" --pcap "$texts/packets.pcap" --load 0.5 $trust
  if [ "$code" -eq 0 ] && [ "$(value verdict)" = EQUIVALENT ]; then
    equal=$((equal + $#)) compared=$((compared + $(value compared.packets)))
    rm -rf "$run".*
    return
  fi
  grep -qE "^sluice: (module|table) '.*' \(VLAN" "$errors" || wrong="$wrong $(basename "$1" .json)+$(($# - 1))"
  [ $# -gt 1 ] || return 0
  together $(echo "$*" | cut -d ' ' -f "-$(($# / 2))")
  shift $(($# / 2))
  together "$@"
}

first=0
while [ "$first" -lt "$num" ]; do
  size=$((num - first)); [ $size -le $block ] || size=$block
  texts=$out/texts
  rm -rf "$texts"; mkdir -p "$texts"
  # A block of its own seeds: programs that the chip does not take are passed over.
  SLUICE_CHIP=$chip SLUICE_PROGRAMS=$size SLUICE_SEED=$((seed + 40 * first)) SLUICE_WRITE=$texts build/san/test_p4c_random > "$out/random.log" 2>&1 ||
    { wrong="$wrong interpreter:$((seed + 40 * first))"; sed 's/^/# /' "$out/random.log"; }
  images=
  for program in "$texts"/*.p4; do
    image=$out/$(basename "$program" .p4).json
    "$SLUICE" compile "$program" -I sw/tests/p4/chip --chip "$chip" --trusted -o "$image" > "$out/compile.log" 2>&1 ||
      { wrong="$wrong compile:$(basename "$program")"; continue; }
    taken=$((taken + 1)) images="$images $image"
  done
  together $images
  rm -f "$out"/random-*.json
  first=$((first + size))
done
it "$num random P4 programs: interpreter, reference and the simulated $chip do the same" '
  [ $taken -eq $num ] && [ $equal -eq $taken ] && [ -z "$wrong" ] ||
    { echo "# $taken taken, $equal equal; not so:$wrong (SLUICE_CHIP=$chip SLUICE_PROGRAMS=1 SLUICE_SEED=NUMBER build/san/test_p4c_random)"; false; }'
note "$taken programs, $equal equivalent, $compared packets, in $runs runs; seed $seed"
finish
