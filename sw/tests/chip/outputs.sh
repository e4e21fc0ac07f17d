#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a module loses at an output beside one that offers more than the output carries: as the cycles of the trial have it.
# usage: outputs.sh
# Needs: tiny
. "$(dirname "$0")/lib"
need_chip tiny

# to NAME PORT: a program that sends all its packets to one port.
to() { echo "struct Packet { int o @ meta.port_out; }; void $1(struct Packet p) { p.o = $2; }" > "$out/$1.dom"; }
# traffic NAME SEED VID PACKETS BYTES RATE: one flow; its lane follows from the seed (6 and 7 are in different ones on tiny).
traffic() { "$SLUICE" gen -o "$out/$1.pcap" --flows 1 --seed "$2" --vid "$3" -n "$4" --size "$5" --rate "$6" > "$out/gen.log" || exit 3; }
# lost VID [REASON]: packets of a module, or copies, that the report says were dropped for the reason.
lost() {
  jq ".drops_by_module.vid$1.${2:-OUTPUT_FULL} // 0" "$report"
}
# Two captures as one, by their time stamps.
both() {
  name=$1 mine=$2 other=$3; shift 3
  run_chip "$name" --pcap "$out/$mine.pcap" --pcap "$out/$other.pcap" --pace-by time --lanes hash "$@"
  it "$name: EQUIVALENT" equivalent
}

to mine 1; to other 1
traffic eighth 6 5 400 64 88
traffic full 7 6 3200 64 704

# A packet every eighth cycle always met the same turn.
both period eighth full --output-limit 8 -m "$out/mine.dom:5" -m "$out/other.dom:6"
it "period: the module with a packet every eighth cycle loses none" 'same "$(lost 5)" 0'
it "period: the one that offers a whole wire loses what is too much" 'is "$(lost 6) > 300"'

# Long packets to another port of the same output lane: by packets in turn, three of ours came for each one that left.
to neighbour 3
traffic long 7 6 140 1500 508
both bytes eighth long --output-limit 16 -m "$out/mine.dom:5" -m "$out/neighbour.dom:6"
it "bytes: the module with 64-byte packets loses none beside one with 1,500 bytes" 'same "$(lost 5)" 0'

# A module may send to ports 0 and 3: what it sends to 1 and 2 is dropped, nothing of another module with the same program.
echo 'struct Packet { int sport @ udp.sport; int o @ meta.port_out; }; void spread(struct Packet p) { p.o = p.sport & 3; }' > "$out/spread.dom"
run_chip ports -m "$out/spread.dom:5" -m "$out/spread.dom:6" --ports 5=0,3 -n 2000 --size 64 --flows 256 --load 0.4 -o "$out/left.pcap"
it "ports: EQUIVALENT" equivalent
it "ports: about half of the packets of the module with two of four ports are dropped" 'is "$(lost 5 FORBIDDEN) > 300 && $(lost 5 FORBIDDEN) < 700"'
it "ports: every packet is delivered, lost, discarded or refused" \
  'is "$(count delivered) + $(count lost) + $(count discarded) + $(count refused) == 2000"'
it "ports: none of the module with all ports" 'same "$(lost 6 FORBIDDEN)" 0'
run_chip nobody -m "$out/spread.dom:5" --ports 6=1 -n 10
it "ports: of a module that is not there are refused" 'same $code 2 && has "$errors" "no module has the VLAN id"'
run_chip none -m "$out/spread.dom:5" --ports 5=1,4 -n 10
it "ports: that the chip does not have are refused" 'same $code 2 && has "$errors" "ports 0 to 3"'

finish
