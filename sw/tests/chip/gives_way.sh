#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Buses that never rest beside packets that are to go through the chip again (docs/tm.md, Recirculation): these enter all the same,
# for packets of the bus that give way. At most one beat in eight of a bus does; each is counted, for its module; and where there is
# room for all nobody loses anything.
# usage: gives_way.sh
# Needs: tight
. "$(dirname "$0")/lib"
need_chip tight
programs=sw/tests/chip/programs

# One of eight packets is of module 5, whose packets all come again.
file=$out/busy.pcap
"$SLUICE" gen -o "$file" --size 64 --mix single --packets 24000 --vid 5 $(printf -- '--vid 6 %.0s' 1 2 3 4 5 6 7) || exit 3
play() {
  label=$1; shift
  run_chip "$label" -m $programs/twice.dom:5 -m $programs/plain.dom:6 --pcap "$file" --passes 5=1:65535:255 "$@"
}
gave() { count drops.GAVE_WAY; }

play full --load 1
it 'buses without a gap: EQUIVALENT' equivalent
it 'packets go through the chip again all the same' 'is "$(count recirculated) > 500"'
it 'for packets that give way, at most one in eight' 'is "$(gave) > 200 && $(gave) <= 24000 / 8"'
it 'each is counted for its module' 'is "$(count modules.vid5.drops.GAVE_WAY) + $(count modules.vid6.drops.GAVE_WAY) == $(gave)"'
note "$(count recirculated) came again, $(gave) gave way, $(count drops.LANE_FULL) found the lane full, $(count drops.OUTPUT_FULL) copies no place"

play rests --load 0.15
it 'buses that rest: all come again, none gives way, nothing is lost' \
  'equivalent && is "$(gave) == 0 && $(count recirculated) == $(count modules.vid5.delivered) && $(value delivered) == 24000"'
finish
