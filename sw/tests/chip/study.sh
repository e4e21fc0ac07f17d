#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Does the chip go as fast as the cycle-level study of its order and steering said? The accesses of a run are played to
# `sluice bench study`, with the chip's numbers; both throughputs, constant latency taken off, must agree to 0.01.
# usage: study.sh [PACKETS [RUN]]     RUN: that one alone, as conga-100; else all
# Needs: k4
. "$(dirname "$0")/lib"
packets=${1:-100000} only=${2:-}
need_chip k4

# Both without moves. What the lanes dropped is not in the trace, and its indices are those of the chip.
numbers='--chip k4 period=0 lane-limit=0 base=0'

# The share of the chip counts what was dropped before admission as lost; the study sees only what was admitted.
agrees() {
  kept=$(awk "BEGIN { a = $(value admitted); print a / (a + $(count drops.OVERLOAD) + $(count drops.LANE_FULL)) }")
  said=$(sed -n 's/.*less the constant latency \([0-9.]*\).*/\1/p' "$run.study")
  note "chip $(value share_of_line_rate), of what was admitted $(awk "BEGIN { print $(value share_of_line_rate) / $kept }"); study $said;" \
    "$(count drops.OVERLOAD) dropped before admission; deepest order queue $(value deepest_order_queue)," \
    "study $(sed -n 's/.*order queue \([0-9]*\).*/\1/p' "$run.study")"
  is "($(value share_of_line_rate) / $kept - $said) ^ 2 <= 0.01 ^ 2"
}
compare() {  # compare NAME PROGRAM OPTION...
  label=$1 program=$2; shift 2
  [ "${only:-$label}" = "$label" ] || return 0
  mkdir -p "$out/$label"
  run_chip "$label" "sw/programs/$program.dom" --packets "$packets" --accesses "$out/$label" --move-period 0 "$@"
  it "$label: EQUIVALENT" equivalent
  # shellcheck disable=SC2086  # $numbers are several options
  "$SLUICE" bench study "$out/$label"/flows_*.csv "$out/$label"/packets_*.csv $numbers > "$run.study"
  it "$label: chip and study agree" 'has "$run.study" "^C1 broken   0 accesses" && agrees'
}

small='--size 64 --mix uniform --flows 100000'
# shellcheck disable=SC2086  # $small is several options
{
compare flowlet-95 flowlet $small --load 0.95
compare flowlet-100 flowlet $small --load 1
compare conga-100 conga $small --load 1
compare wfq-100 wfq $small --load 1
compare flowlet-bimodal flowlet --load 1
compare sequencer-25 sequencer $small --load 0.25
}
finish
