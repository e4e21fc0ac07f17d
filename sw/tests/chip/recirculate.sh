#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Recirculation as switches of independent pipelines do it (MP5, sections 2.3.1, 4.3.2): packets come in again until they have
# been where their indices live. Every pass is EQUIVALENT; against one pipeline C1 is violated, and throughput is lost, as much as
# the cycle-level study says. Where no packet needs another pipeline nothing of this happens.
# usage: recirculate.sh
# Needs: tight tiny
. "$(dirname "$0")/lib"
need_chip tight; need_chip tiny
need_chip tiny
constants tiny
loop() { value "recirculation.$1"; }
play() { label=$1; shift; VERB="bench replay"; run_chip "$label" "$flows" "$packets" "$@"; VERB=run; }
again() { label=$1; shift; VERB="bench recirculate"; run_chip "$label" "$flows" "$packets" "$@"; VERB=run; }
shape=4_2_2_2_64_64  # ports, pipelines, stages, of them with state, entries, bytes

# Payload banks of 8 let a lane that stays in its pipeline send 8 packets in 11 cycles: the load is far below.
mkdir -p "$out/stress.in"
"$SLUICE" gen --stress "$out/stress.in" --pipelines 2 --ports 4 --stages 2 --stateful 0,1 --entries 64 --cycles 6000 --load 0.3 \
  --zipf 0.9 --seed 1 > "$out/gen.out"
flows=$out/stress.in/flows_$shape.csv packets=$out/stress.in/stress_$shape.csv
number=$(($(wc -l < "$packets") - 1))

play one
it 'without: EQUIVALENT, nothing of recirculation in the report' 'equivalent && same "$(loop packets)" ""'

# The study's pass takes (stages - 1) x hop + 1 + loop cycles, the chip's one more than its least latency: with two stages a
# hop less of it is the loop.
compare() {  # compare NAME PLACE-OF-STUDY DIFFERENCE-OF-PASSES OPTION...
  label=$1 place=$2 off=$3; shift 3
  again "$label" "$@"
  it "$label: every pass EQUIVALENT, no packet lost" 'equivalent &&
    is "$(loop packets) == $number && $(loop done) == $number && $(loop lost) == 0 && $(value left) == $(loop passes)"'
  it "$label: each packet accesses both stages once" 'is "$(loop accesses) == 2 * $number && $(value state_ops) - $(value refused_ops) == 2 * $number"'
  "$SLUICE" bench study "$flows" "$packets" --mode recirculation place="$place" hop=$HopCycles loop=$(($(value latency.min) - HopCycles)) > "$run.study"
  turns=$(sed -n 's/.*recirculations \([0-9]*\)$/\1/p' "$run.study")
  late=$(sed -n 's/^C1 broken .* by \([0-9]*\) packets.*/\1/p' "$run.study")
  rate=$(sed -n 's/^throughput  \([0-9.]*\),.*/\1/p' "$run.study")
  it "$label: as many passes as the study makes" 'is "(($(loop passes) - $number) / $turns - 1) ^ 2 <= $off ^ 2 && $turns > $number / 2"'
  it "$label: C1 is violated as often as there" 'is "$late > 0 && ($(loop c1_late_packets) / $late - 1) ^ 2 <= 0.05 ^ 2"'
  it "$label: throughput as there" 'is "($(value as_published.throughput) - $rate) ^ 2 <= 0.01 ^ 2"'
  note "$label: $(loop passes_per_packet) passes a packet, $(loop most_passes) at most; late $(loop c1_late_packets) of $number, study $late;" \
    "throughput $(value as_published.throughput), study $rate; early $(loop c1_early_packets)"
}
compare random 2 0
compare modulo 0 0.05 --place modulo  # index modulo pipelines there, index + 1 here
# Seeds choose places.
again other-places --seed 2
it 'another seed, other places' 'equivalent && is "$(loop done) == $number && $(loop lost) == 0"'

chip=tight
again swapped --fault lane_swap
it 'lanes that change places are noticed' 'same "$code" 1 && same "$(value verdict)" DIFFERENT'
chip=tiny

# The harness that forgets the index of the second stage: it stays in the header, and some pass needs another pipeline.
again forgets
jq '.recirculate = 1' "$run.work"/*-job.json > "$out/forgets.job"
report=$(jq -r .report "$out/forgets.job")
rm -f "$report"
timeout 120 "build/$chip/sim" "+job=$out/forgets.job" > "$out/forgets.log" 2>&1 < /dev/null
it 'a pass that needs state of another pipeline is noticed' 'same "$(value verdict)" ERROR && has "$report" "no pass may"'

# Packets of up to 20 beats: a pass waits for the end of the packet before it.
awk -F, -v OFS=, 'NR > 1 { $2 = 64 + NR * 37 % 1200 } NR == 1 || NR % 12 == 0' "$packets" > "$out/stress.in/long_$shape.csv"
packets=$out/stress.in/long_$shape.csv
again long
it 'packets of many beats: EQUIVALENT, none lost' 'equivalent && is "$(loop done) == $(wc -l < "$packets") - 1 && $(loop lost) == 0"'

# Every index that a lane's packets need lives in its pipeline: (index + 1) modulo 2 is the lane.
mkdir -p "$out/own.in"
flows=$out/own.in/flows_$shape.csv packets=$out/own.in/made_$shape.csv
awk -v flows="$flows" -v packets="$packets" 'BEGIN {
  print "flowid,stage_num_1,state_in_stage_1,..." > flows; print "port,pkt_size,flowid,time" > packets
  for (f = 0; f < 64; f++) print f ",0," 2 * int(f * 7 % 31) + 1 - f % 2 ",1," 2 * int(f * 5 % 29) + 1 - f % 2 > flows
  for (t = 0; t < 3000; t += 2) for (l = 0; l < 2; l++) print 2 * l ",64," (t * 3 + l) % 64 "," t > packets }'
number=$(($(wc -l < "$packets") - 1))
play own-plain --steer stay --move-period 0
it 'all state in the own pipeline, plain: EQUIVALENT' equivalent
cycles=$(value cycles) rate=$(value as_published.throughput) longest=$(value latency.max)
again own --place modulo
it 'with recirculation: one pass each, C1 holds' 'equivalent && is "$(loop passes) == $number && $(loop most_passes) == 1 &&
  $(loop c1_late_packets) + $(loop c1_early_packets) + $(loop lost) == 0"'
it 'and the same figures' 'same "$(value cycles) $(value as_published.throughput) $(value latency.max)" "$cycles $rate $longest"'
again own-random
it 'at random places packets have to come in again' 'equivalent && is "$(loop passes) > 1.5 * $number && $(loop c1_late_packets) > 0"'

for refused in '--steer rank' --no-phantoms '--pin 0' '--flow-order 8' '--move-period 99'; do
  # shellcheck disable=SC2086  # an option with its value
  again refused $refused
  it "refused with $refused" '[ $code -eq 2 ] && has "$errors" "unknown or wrong option"'
done
finish
