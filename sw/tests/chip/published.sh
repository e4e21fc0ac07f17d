#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The published table of algorithms (sw/programs) on the chip: on k4.k1 and on k4, so with one pipeline and with four, each packet and all
# state equal those of the reference. Those that take a chip with multipliers (sw/programs/multiply): on `multiply`, with its four
# pipelines, and with one, as a logical switch of its own. What is refused (sw/programs/refused) is refused at the place that its text names.
# usage: published.sh [CHIP] [PACKETS]
# Needs: k4
CHIP_RUN=${1:-k4}
. "$(dirname "$0")/lib"
need_chip "${1:-k4}"
packets=${2:-2000}

constants "$chip"

# algorithm WORDS OPTION...: runs the program; words for the sentence.
algorithm() {
  algorithm=$(basename "$program" .dom) words=$1; shift
  run_chip "$algorithm$(echo "$*" | tr -d ' ')" "$program" --packets "$packets" --size 64 --seed 7 "$@"
  it "$algorithm on $chip$words: every packet and all state as the reference says" equivalent
  note "$algorithm on $chip$words: $(value admitted) of $(value packets) packets admitted, $(value state_entries_compared) state entries compared"
}

if [ "$Multipliers" = 1 ]; then
  for program in sw/programs/multiply/*.dom; do
    algorithm ""
    algorithm ", one pipeline" --sets "$NumPipes"
  done
  finish
fi
for program in sw/programs/*.dom; do algorithm ""; done
for program in sw/programs/multiply/*.dom; do
  it "$(basename "$program" .dom) is refused, and the message names a chip that takes it" '
    ! "$SLUICE" compile "$program" --chip "$chip" -o "$out/image.json" > "$out/refused.log" 2>&1 &&
    has "$out/refused.log" "has no multipliers; .*multiply"'
done
for program in sw/programs/refused/*.dom; do
  place=$(sed -n 's,^// error: \([0-9:]*\): \(.*\),\1 \2,p' "$program")
  it "$(basename "$program" .dom) is refused at ${place% *} for ${place#* }" '
    ! "$SLUICE" compile "$program" --chip "$chip" -o "$out/image.json" > "$out/refused.log" 2>&1 &&
    has "$out/refused.log" "${place% *}: error: .*\[${place#* }\]"'
done
finish
