#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Does the cycle-level study say what the chip does? Traces of which every packet needs state at all or half of the stages
# are played to both, with moves on and off: throughput, constant latency taken off, must agree to 0.01, without moves to 0.001, also when the
# lanes overflow. A study that has one number of the chip wrong must not agree.
# usage: study_trace.sh [CYCLES]
# Needs: tiny k4
. "$(dirname "$0")/lib"
cycles=${1:-4000}

# make_trace NAME OPTION...: of `sluice gen`, for the chip
make_trace() {
  input=$out/$1.in; shift
  mkdir -p "$input"
  # shellcheck disable=SC2086  # $shape is several options
  "$SLUICE" gen --stress "$input" $shape --cycles "$cycles" "$@" > "$input/paths"
  flows=$(echo "$input"/flows_*.csv) packets=$(echo "$input"/stress_*.csv)
}
# study OPTION...: what the study says of the trace, JSON in $run.study
study() { "$SLUICE" bench study --chip "$chip" "$flows" "$packets" --json period="$period" \
  start="$(value as_published.first_arrival)" "$@" > "$run.study"; }
throughput() { value throughput_net "$run.study"; }

# The share of the chip's packets that left, by its cycles: both from the first to the last packet.
chip_throughput() {
  awk "BEGIN { left = $(value left); print left / (left + $(count drops.OVERLOAD) + $(count drops.LANE_FULL)) \
    * $(value as_published.last_offered) / ($(value as_published.last_departure) - $(value latency.idle)) }"
}
difference() { awk "BEGIN { d = $1 - $2; print d < 0 ? -d : d }"; }

# agree NAME PERIOD OPTION...: of both, --lane-limit and --pace
agree() {
  label=$1-$2 period=$2; shift 2
  within=0.01; [ "$period" -ne 0 ] || within=0.001
  VERB="bench replay"; run_chip "$label" "$flows" "$packets" --move-period "$period" "$@"; VERB=run
  it "$label: EQUIVALENT" 'equivalent'
  study "$@"
  seen=$(chip_throughput)
  note "$label: chip $seen, study $(throughput); moves $(value moves.decided), $(value moves "$run.study");" \
    "dropped $(count drops.OVERLOAD), $(value overload "$run.study");" \
    "deepest order queue $(value deepest_order_queue), $(value deepest_queue "$run.study")"
  it "$label: chip and study agree" 'is "$(difference $seen $(throughput)) <= $within"'
}
# differ NAME=VALUE...: with this the study does not agree with the last run
differ() {
  study "$@"
  note "$label, study with $*: $(throughput)"
  it "$label: a study with $* does not" 'is "$(difference $seen $(throughput)) > $within"'
}

# Where indices move, the lane that is sampled is drawn, and the chip's draw begins elsewhere than the study's. So the study is
# run with 16 beginnings: the chip must be within their range, and a wrong setting must move their mean.
drawn() {  # drawn OPTION...: throughput of each, a line each
  for draw in 0 1000 2000 3000 4000 5000 6000 7000 8000 9000 10000 11000 12000 13000 14000 15000; do
    study draw=$draw "$@"
    throughput
  done
}
mean() { awk '{ sum += $1 } END { print sum / NR }'; }
agree_drawn() {
  label=$1-$2 period=$2; shift 2
  VERB="bench replay"; run_chip "$label" "$flows" "$packets" --move-period "$period" "$@"; VERB=run
  it "$label: EQUIVALENT" 'equivalent'
  drawn "$@" > "$run.drawn"
  seen=$(chip_throughput) least=$(sort -g "$run.drawn" | head -n 1) most=$(sort -g "$run.drawn" | tail -n 1)
  note "$label: chip $seen, study $least to $most, mean $(mean < "$run.drawn")"
  it "$label: the chip is within the range of the study" 'is "$seen >= $least - 0.01 && $seen <= $most + 0.01 && $most - $least < 0.06"'
}
differ_drawn() {
  drawn "$@" > "$run.other"
  note "$label, study with $*: mean $(mean < "$run.other")"
  it "$label: a study with $* has another mean" 'is "$(difference $(mean < "$run.drawn") $(mean < "$run.other")) > 0.01"'
}

need_chip tiny
shape='--pipelines 2 --stages 2 --stateful 0,1 --ports 4 --entries 100'
make_trace tiny-uniform --load 1
agree_drawn tiny-uniform 256
make_trace tiny-zipf --zipf 0.9 --load 0.9
agree tiny-zipf 0
agree_drawn tiny-zipf 256

need_chip k4
shape='--pipelines 4 --stages 8 --stateful 1,3,5,7'
make_trace k4-uniform --load 1
agree k4-uniform 0
differ bank=8
make_trace k4-zipf --zipf 0.9 --load 0.9
agree_drawn k4-zipf 256
differ_drawn transfer=40
differ_drawn banks=1
agree k4-zipf 0
differ pace=0
finish
