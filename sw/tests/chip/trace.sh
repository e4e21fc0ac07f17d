#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Traces in the format of MP5's authors, played on the tiny chip (two pipelines, two back stages): every packet arrives in
# the trace's cycle, accesses what the trace says, and takes home what it read; throughput is what the shape allows.
# usage: trace.sh
# Needs: tight tiny
. "$(dirname "$0")/lib"
need_chip tight; need_chip tiny
shape=4_2_2_2_32_64  # ports, pipelines, stages, of them with state, entries, bytes

# trace NAME PATTERN: writes both files; PATTERN is awk that prints "flow: accesses" and "packet: port,bytes,flow,cycle".
trace() {
  mkdir -p "$out/$1.in"
  flows=$out/$1.in/flows_$shape.csv packets=$out/$1.in/made_$shape.csv
  awk -v flows="$flows" -v packets="$packets" '
    function flow(line) { print line > flows }
    function packet(port, bytes, id, time) { print port "," bytes "," id "," time > packets }
    function random(n) { seed = (seed * 16807) % 2147483647; return int(seed / 2147483647 * n) }
    BEGIN { seed = 1; print "flowid,stage_num_1,state_in_stage_1,..." > flows; print "port,pkt_size,flowid,time" > packets
      '"$2"' }'
}
play() { label=$1; shift; VERB="bench replay"; run_chip "$label" "$flows" "$packets" "$@"; VERB=run; }
share() { value as_published.less_constant_latency; }
all_out() { is "$(value left) == $1 && $(value packets) == $1"; }

trace uniform 'for (f = 0; f < 60; f++) flow(f (f % 3 ? ",0," random(32) : "") (f % 4 ? ",1," random(32) : ""))
  for (t = 0; t < 3000; t++) for (l = 0; l < 2; l++) if (random(100) < 85) packet(2 * l + random(2), 64, random(60), t)'
number=$(($(wc -l < "$packets") - 1))
play uniform --write-program "$out/trace.dom" --output "$out/uniform.pcap"
it 'uniform: EQUIVALENT' equivalent
it 'uniform: every packet leaves' 'all_out $number && is "$(value copies) == $number"'
it 'uniform: at least 0.99 of what is offered, as published' 'is "$(share) >= 0.99 && $(share) <= 1"'
it 'the program is an ordinary one' 'has "$out/trace.dom" "int state1\[33\] @ stage(1)" &&
  "$SLUICE" compile "$out/trace.dom" --chip tiny -o "$out/trace.json" > "$out/compile.out" 2>&1'
it 'what leaves can be kept' '[ "$(wc -c < "$out/uniform.pcap")" -eq $((24 + 80 * number)) ]'
it 'every entry that a packet has taken is compared' 'is "$(value state_entries_compared) == 66 && $(value out_of_bounds) == 0"'
note "uniform: $(share), order queues $(value deepest_order_queue) deep, reordered $(value reordered_in_flows)"

play twice --repeat 2
it 'twice: EQUIVALENT, twice the packets in twice the time' 'equivalent && all_out $((2 * number)) &&
  is "$(value as_published.last_offered) == 5999"'
chip=tight
play fault --fault lane_swap
it 'lanes that change places are noticed' 'same "$code" 1 && same "$(value verdict)" DIFFERENT'
chip=tiny

trace one 'flow("1,0,5"); for (t = 0; t < 20; t++) for (l = 0; l < 2; l++) packet(2 * l, 64, 1, t)'
play one
it 'one entry for all packets: one packet a cycle, not two' 'equivalent && all_out 40 && is "$(share) > 0.45 && $(share) <= 0.5"'

trace none 'for (t = 0; t < 1000; t++) for (l = 0; l < 2; l++) packet(2 * l + t % 2, 64, 7, t)'
play none
it 'no state at all: line rate, but for what banks of 8 take at the start' 'equivalent && all_out 2000 && is "$(share) >= 0.98"'

# Last beats in cycles 0, 40 and 100 of one lane; the first packet has ten beats.
trace times 'flow("1,0,5"); packet(1, 640, 1, 0); packet(0, 65, 1, 40); packet(1, 1500, 1, 100)'
play times
it 'packets arrive with their last beat in the cycle of the trace' 'equivalent &&
  is "$(value as_published.last_arrival) == 100 && $(value as_published.last_offered) == 100"'

# A burst to one lane: one packet a cycle.
trace burst 'flow("1"); for (n = 0; n < 16; n++) packet(n % 2, 64, 1, 3)'
play burst
it 'what is offered to a lane at once arrives one after the other' \
  'equivalent && is "$(value as_published.last_arrival) == 15 && $(value as_published.last_offered) == 0"'

# Flow 1 has no state, so its packets may overtake each other while others wait; the flow order forbids it.
trace flows 'flow(1); for (f = 2; f < 40; f++) flow(f ",0," 2 * random(16))
  for (t = 0; t < 3000; t++) for (l = 0; l < 2; l++) packet(2 * l, 64, random(2) ? 1 : 2 + random(38), t)'
play flows-free
it 'without flow order packets of a flow overtake each other' 'equivalent && is "$(value reordered_in_flows_of_a_lane) > 0"'
note "$(value reordered_in_flows) of 6000 packets reordered, $(value reordered_in_flows_of_a_lane) in their lane"
play flows-kept --flow-order 64
it 'with flow order none does' 'equivalent && is "$(value reordered_in_flows_of_a_lane) == 0"'
play pinned-free --lanes flow
it 'flows that come in at one lane each, without flow order: still' 'equivalent &&
  is "$(value reordered_in_flows) > 0 && $(value reordered_in_flows) == $(value reordered_in_flows_of_a_lane)"'
note "$(value reordered_in_flows) reordered, $(share)"
play pinned-kept --lanes flow --flow-order 64
it 'with flow order: none at all' 'equivalent && is "$(value reordered_in_flows) == 0"'
note "$(share)"
finish
