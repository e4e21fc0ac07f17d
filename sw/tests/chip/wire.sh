#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The output wires: full for every size of packet when each lane sends to one other; nearly full when every packet goes
# to a port at random, and nothing is lost when the lanes offer a little less.
# usage: wire.sh
# Needs: tiny
. "$(dirname "$0")/lib"
need_chip tiny
programs=sw/tests/chip/programs

try() {  # try NAME PROGRAM OPTION...
  run_name=$1 program=$2; shift 2
  run_chip "$run_name" "$programs/$program.dom" "$@"
  it "$program, $*: EQUIVALENT" equivalent
  note "$program $*: wire share min $(value wire_share.min), mean $(value wire_share.mean), max $(value wire_share.max);" \
    "$(count drops.OUTPUT_FULL) drops at full outputs"
}

for size in 64 129 192 256 1472; do
  # The first packets find empty banks and shift by some cycles: short ones must be many.
  try "turn-$size" turn --size $size --packets $((size == 64 ? 12000 : 3000))
  it "$size bytes, lane to lane: each wire at 0.99 at least, nothing dropped" '
    is "$(value wire_share.min) >= 0.99 && $(value wire_share.max) <= 1 && $(count drops.OUTPUT_FULL) == 0"'
done
try scatter-1 scatter --size bimodal --mix single --packets 12000
it 'random ports, all that the wires can carry: 0.95 at least' 'is "$(value wire_share.mean) >= 0.95"'
# At 0.95 it is luck: of the seeds 1 to 4, two lose nothing, one 1 packet and one 7.
try scatter-92 scatter --size bimodal --mix single --packets 12000 --load 0.92
it 'random ports, load 0.92: nothing dropped' 'is "$(count drops.OUTPUT_FULL) == 0"'
it 'load 0.92: the wires carry that' 'is "$(value wire_share.mean) >= 0.9 && $(value wire_share.mean) <= 0.94"'
# The measure itself: outputs that rest every second cycle on average.
try turn-stalled turn --size 256 --packets 3000 --stall 0.5
it 'outputs that rest half the time: half the share' 'is "$(value wire_share.max) < 0.55 && $(value wire_share.min) > 0.45"'
finish
