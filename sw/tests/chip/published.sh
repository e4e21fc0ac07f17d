#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The published table of algorithms (sw/programs) on the chip: on k1 and on k4, so with one pipeline and with four, each packet and all
# state equal those of the reference. What is refused (sw/programs/refused) is refused at the place that its text names.
# usage: published.sh [CHIP] [PACKETS]
CHIP_RUN=${1:-k4}
. "$(dirname "$0")/lib"
need_chip "${1:-k4}"
packets=${2:-2000}

for program in sw/programs/*.dom; do
  algorithm=$(basename "$program" .dom)
  run_chip "$algorithm" "$program" --packets "$packets" --size 64 --seed 7
  it "$algorithm on $chip: every packet and all state as the reference says" equivalent
  note "$algorithm on $chip: $(value admitted) of $(value packets) packets admitted, $(value state_entries_compared) state entries compared"
done
for program in sw/programs/refused/*.dom; do
  place=$(sed -n 's,^// error: \([0-9:]*\): \(.*\),\1 \2,p' "$program")
  it "$(basename "$program" .dom) is refused at ${place% *} for ${place#* }" '
    ! "$SLUICE" compile "$program" --chip "$chip" -o "$out/image.json" > "$out/refused.log" 2>&1 &&
    has "$out/refused.log" "${place% *}: error: .*\[${place#* }\]"'
done
finish
