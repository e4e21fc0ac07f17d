#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# MP5 section 4.4 on the chip: its four programs, bimodal packet sizes of the web search flows, every lane at line rate.
# usage: programs.sh [CHIP] [PACKETS]
# Needs: k4
CHIP_RUN=${1:-k4}
. "$(dirname "$0")/lib"
need_chip "${1:-k4}"
packets=${2:-5000}

for program in flowlet conga wfq sequencer; do
  run_chip $program sw/programs/$program.dom --packets "$packets" --seed 4
  it "$program on $chip: every packet and all state as the reference says" equivalent
  it "$program on $chip: nothing is dropped after admission" '
    is "$(value admitted) == $(value left) && $(count drops.DISCARD_FRONT) == 0 && $(count drops.DISCARD_BACK) == 0 && $(count drops.NO_DEST) == 0"'
  it "$program on $chip: line rate" 'is "$(value packets) == $packets && $(value share_of_line_rate) >= 0.999"'
  note "$program: $(value packets_per_cycle) packets a cycle, share of line rate $(value share_of_line_rate)," \
    "$(($(value packets) - $(value admitted))) dropped before admission, $(count drops.OUTPUT_FULL) at full outputs," \
    "bytes sent $(awk "BEGIN { print $(value copy_bytes) / $(value bytes) }") of those that came;" \
    "deepest order queue $(value deepest_order_queue); latency to the deparser median $(value latency_to_deparser.median)," \
    "p99 $(value latency_to_deparser.p99); state entries compared $(value state_entries_compared);" \
    "$(value simulated_packets_per_second) packets a second"
done
finish
