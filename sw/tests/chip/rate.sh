#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The worst case for order and steering: 64-byte packets of many flows, one packet a cycle in every lane. Flowlets must
# come close to line rate; a sequencer cannot pass more than one packet a cycle, and must reach that.
# usage: rate.sh [CHIP] [PACKETS], CHIP one of k4.k1, k4.k2, k4, ...
# Needs: k4
CHIP_RUN=${1:-k4}
. "$(dirname "$0")/lib"
need_chip "${1:-k4}"
packets=${2:-100000}
pipes=${chip#k}

try() {  # try NAME PROGRAM LOAD
  run_chip "$1" "sw/programs/$2.dom" --packets "$packets" --size 64 --mix uniform --flows 100000 --load "$3"
  it "$2, 64 bytes, load $3, on $chip: EQUIVALENT" equivalent
  note "$2 at load $3: $(value packets_per_cycle) packets a cycle, share of line rate $(value share_of_line_rate)," \
    "throughput with all latency $(value throughput); $(count drops.OVERLOAD) overload drops, $(count drops.LANE_FULL) at full lanes;" \
    "deepest order queue $(value deepest_order_queue); head of a lane waited: paced $(total paced), braked $(total braked)," \
    "full $(total full), credit $(total credit), window $(total window) cycles"
}

try flowlet-1 flowlet 1
it "flowlet on $chip: at load 1 at least 0.93 of line rate" 'is "$(value share_of_line_rate) >= 0.93"'
try flowlet-95 flowlet 0.95
it "flowlet on $chip: at load 0.95 at least 0.99 of what is offered" 'is "$(value share_of_line_rate) >= 0.99"'
try sequencer sequencer 1
it "sequencer on $chip: one packet a cycle, whatever the pipelines" '
  is "$(value share_of_line_rate) <= 1 / $pipes + 0.0001 && $(value share_of_line_rate) >= 1 / $pipes - 0.01"'
finish
