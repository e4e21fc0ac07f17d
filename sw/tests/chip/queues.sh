#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Modules of one source lane at the outputs (docs/tm.md), on apart: classes in the output queues, and shares of the packet buffers. Module 5
# sends small packets; module 6, on the same lane and on the other one, as much as the wires bring. Module 5 loses nothing,
# whatever module 6 does; on tiny, which has neither, the same traffic costs it packets.
# usage: queues.sh
# Needs: apart tiny
. "$(dirname "$0")/lib"
need_chip apart
need_chip tiny

# to NAME PORT: a program that sends all its packets to one port.
to() { echo "struct Packet { int o @ meta.port_out; }; void $1(struct Packet p) { p.o = $2; }" > "$out/$1.dom"; }
# traffic NAME SEED VID PACKETS BYTES RATE: one flow; its lane follows from the seed (6 and 7 are in different ones of two).
traffic() { "$SLUICE" gen -o "$out/$1.pcap" --flows 1 --seed "$2" --vid "$3" -n "$4" --size "$5" --rate "$6" > "$out/gen.log" || exit 3; }
lost() { jq ".modules.vid$1.lost" "$report"; }
reason() { jq ".drops_by_module.vid$1.$2 // 0" "$report"; }
# play CHIP NAME OPTION...: a and b, and b at the other lane.
play() {
  chip=$1 name=$2; shift 2
  run_chip "$name-$chip" --pcap "$out/a.pcap" --pcap "$out/b.pcap" --pcap "$out/b2.pcap" --pace-by time --lanes hash -m "$out/a.dom:5" -m "$out/b.dom:6" "$@"
  it "$name, $chip: EQUIVALENT" equivalent
}

# A packet of 64 bytes in 8 cycles, one of 1,500 in 28 beside it, and one of 1,500 in 24 at the other lane.
to a 2
traffic a 6 5 1600 64 88
traffic b 6 6 457 1500 435
traffic b2 7 6 533 1500 508

# To two ports of one output lane: it is offered twice what it carries.
to b 0
play tiny queue
it 'queue: without classes module 5 loses packets' 'is "$(lost 5) > 100"'
note "queue: without classes module 5 loses $(lost 5) of 1,600 packets, module 6 $(lost 6) of 990"
play apart queue
it 'queue: with classes it loses none' 'same "$(lost 5)" 0 && is "$(lost 6) > 300"'
note "queue: with classes module 5 loses none, module 6 $(lost 6) of 990"
play apart one --class 5=2
it 'queue: in one class with module 6 it loses packets again' 'is "$(lost 5) > 100"'
marked() { jq ".queue_marked[$1]" "$report"; }
it 'one: without thresholds nothing is marked' 'same "$(jq -c .queue_marked "$report")" "[0,0,0,0]"'
play apart marks --class-ecn 0,0,8
it 'marks: packets of the class with a threshold alone' 'is "$(marked 2) > 100 && $(marked 1) == 0 && $(value queue_marked_ce) == 0"'
most=$(marked 2)
play apart marks --class-ecn 1,2,12,1
it 'marks: a higher threshold marks fewer, a lower one others' 'is "$(marked 2) < $most && $(marked 2) > 0 && $(marked 1) > 0"'
run_chip ect -n 2000 --size 400 --ect -m "$out/b.dom:6" --class-ecn 0,0,8
it 'ect: all that are marked leave with CE' 'equivalent && is "$(marked 2) > 100 && $(value queue_marked_ce) == $(marked 2)"'
run_chip fault -n 2000 -m "$out/b.dom:6" --fault CLASS_OTHER
it 'packets in the queue of another class are noticed: their order' \
  'ends 1 DIFFERENT && same "$(value first_difference.field | cut -c1-13)" "order at port"'

# Module 6 to an output lane that is hardly ever ready; packets of module 5 have bodies: one of 1,500 bytes in 64 cycles beside one of
# 3,000 in 80.
to b 1
traffic a 6 5 200 1500 190
traffic b 6 6 160 3000 302
traffic b2 7 6 272 3000 515
play tiny stuck --ready-every 1:400
it 'stuck: without shares module 5 loses packets' 'is "$(reason 5 BUFFER_FULL) > 50"'
note "stuck: without shares module 5 loses $(lost 5) of 200 packets"
play apart stuck --ready-every 1:400
it 'stuck: with shares it loses none' 'same "$(lost 5)" 0'
note "stuck: module 6 loses $(reason 6 OUTPUT_FULL) copies for OUTPUT_FULL, $(reason 6 BUFFER_FULL) packets for BUFFER_FULL"
finish
