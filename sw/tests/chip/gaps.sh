#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Gaps between the beats of a packet that leaves (docs/ip.md): tiny has some, with packets that are longer than what is read ahead, and the
# report counts them; leave has a store before the pins, and none, whatever the load and the outputs do. What the store adds to
# a packet alone.
# usage: gaps.sh
# Needs: tiny leave
. "$(dirname "$0")/lib"

# Each packet to ports 0 and 3, of two output lanes, which then want the bodies of one lane at the same time; and each to one port, by its address.
echo 'struct Packet { int ports @ meta.ports_out; }; void both(struct Packet p) { p.ports = 9; }' > "$out/both.dom"
echo 'struct Packet { int src @ ipv4.src; int out @ meta.port_out; }; void any(struct Packet p) { p.out = p.src & 3; }' > "$out/any.dom"

need_chip tiny
run_chip tiny-9216 -n 200 --size 9216 --mix uniform --load 0.3 "$out/both.dom"
it 'tiny: two copies of packets of 9,216 bytes leave with gaps, which are counted' 'equivalent && is "$(value gaps.packets) > 10 && $(value gaps.cycles) > 20 * $(value gaps.packets) && $(value gaps.longest) > 50"'
jq --arg report "$out/found.json" '.no_gaps = true | .report = $report' "$run.work"/*-job.json > "$out/found-job.json"
timeout 600 build/tiny/sim "+job=$out/found-job.json" > "$out/found.log" 2>&1
it '  and are found as a difference where there must be none' 'same "$(value verdict "$out/found.json")" DIFFERENT && same "$(value first_difference.field "$out/found.json" | cut -c1-20)" "beats of output lane"'
run_chip tiny-1500 -n 500 --size 1500 --mix uniform "$out/both.dom"
it 'tiny: those of 1,500 bytes without' 'equivalent && is "$(value copies) > 400 && $(value gaps.cycles) == 0 && $(value gaps.packets) == 0"'
for size in 64 1500; do
  run_chip tiny-alone-$size -n 40 --size $size --mix uniform --load 0.01 "$out/any.dom"
  eval "tiny_$size=$(value latency.min)"
done

need_chip leave
none() { equivalent && is "$(value copies) >= $1 && $(value gaps.cycles) == 0 && $(value gaps.packets) == 0 && $(value gaps.longest) == 0"; }
run_chip leave-9216 -n 100 --size 9216 --mix uniform --load 0.3 "$out/both.dom"
it 'leave: the same packets of 9,216 bytes leave without a gap' 'none 200'
for size in 64 1500 9216 imix bimodal; do
  case $size in 64) packets=2000 ;; 9216) packets=60 ;; *) packets=300 ;; esac
  for rest in 0 0.3; do
    run_chip "leave-$size-$rest" -n $packets --size $size --mix uniform --stall $rest "$out/any.dom"
    it "leave: $size bytes at full rate, outputs that rest in $rest of the cycles: no gap" 'none 40'
  done
done
run_chip leave-rough -n 1000 --malformed 0.1 --idle 0.2 --stall 0.5 "$out/both.dom"
it 'leave: damaged packets, beats that come late, outputs that rest: no gap' 'none 300'
for size in 64 1500; do
  run_chip leave-alone-$size -n 40 --size $size --mix uniform --load 0.01 "$out/any.dom"
  eval "leave_$size=$(value latency.min)"
done
# 24 beats, and 1. Both chips ask for the body of the long one at the same moment of its way.
it "what 1,500 bytes take longer than 64 to the first beat out: 23 cycles more with the store (tiny $tiny_64 and $tiny_1500, leave $leave_64 and $leave_1500)" \
  'same $((leave_1500 - leave_64)) $((tiny_1500 - tiny_64 + 23))'
finish
