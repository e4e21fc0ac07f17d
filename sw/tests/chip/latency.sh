#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A 64-byte packet that meets no other takes what docs/silicon.md says, block by block, and not a cycle more or less.
# usage: latency.sh [CHIP]
# Needs: tiny
CHIP_RUN=${1:-tiny}
. "$(dirname "$0")/lib"
need_chip "${1:-tiny}"
constants "$chip"

lane=5                # receiver 2, filter and parser 3
order=7               # queue, resolution, head 5, ticket 1, steering 1
fate=$((5 + Active))  # exit queue 1, deparser and checksum 4; what a capsule's program has left 1
wire=$((3 + Active))  # output queue, choice, line; cutout 1
[ "$EgressStages" -eq 0 ] || wire=$((wire + EgressCycles))  # parser 3, egress stages, deparser and queue 4
exit=$((lane + FrontCycles * FrontStages + order + HopCycles * BackStages + fate))

run_chip alone sw/programs/sequencer.dom --packets 200 --size 64 --mix single --load 0.005
it "$chip, packets far apart: EQUIVALENT" equivalent
it "to its fate: $exit cycles" 'same "$(value latency.idle)" $exit'
it "to the line: $((exit + wire)) cycles" 'same "$(value latency.min)" $((exit + wire))'
finish
