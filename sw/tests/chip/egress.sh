#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Egress functions on the simulated chip `egress`: group communication with receivers of two speeds, what each of them gets checked by a
# program that knows the stream alone (group_packets.c); the other programs in sw/programs/egress under load, against the reference; random
# egress functions as modules of one chip. usage: egress.sh [PROGRAMS]
# Needs: egress build/helpers/group_packets
. "$(dirname "$0")/lib"
need_chip egress
need_helper group_packets
group=$helper programs=${1:-24} seed=${SLUICE_SEED:-1}
note "SLUICE_SEED=$seed"
for p in thin mark number telemetry; do
  "$SLUICE" compile "sw/programs/egress/$p.dom" --chip egress -o "$out/$p.json" > "$out/$p.txt" 2>&1
done
"$group" send "$out/stream.pcapng" 400

# stream NAME EVERY RECEIVER...: a packet of 16 beats in 160 cycles to seven receivers; those of lane 1 (1, 3, 5 and 7) are ready in one of EVERY cycles. The
# receivers named must get everything.
stream() {
  run_chip "$1" -m "$out/$image.json:1" --pcap "0:$out/stream.pcapng" --pace-by time --ready-every "1:$2" -o "$out/$1.pcapng"
  shift 2
  equivalent && "$group" check "${run}.pcapng" 400 "$@" > "$run.txt" || { sed 's/^/# /' "$run.txt"; return 1; }
}
image=thin
it 'all receivers are fast: each gets everything' 'stream fast 1 1 2 3 4 5 6 7'
it 'four receivers of a lane that takes a beat in 4 cycles: the others get everything, they get what fits, and all of layer 0' 'stream fourth 4 2 4 6'
sed 's/^/# /' "$out/fourth.txt"
it 'of a lane that takes a beat in 6 cycles' 'stream sixth 6 2 4 6'
sed 's/^/# /' "$out/sixth.txt"
it 'the slower, the fewer packets' 'is "$(value egress.discarded "$out/fourth.json") > 100 && $(value egress.discarded) > $(value egress.discarded "$out/fourth.json")"'
it 'nothing is lost in the queues' 'is "$(count drops.OUTPUT_FULL "$out/fourth.json") == 0 && $(count drops.OUTPUT_FULL) == 0"'
# The same stream without the egress function: the queues lose of all layers alike, which the check must notice.
sed '/^egress/,$d' sw/programs/egress/thin.dom > "$out/plain.dom"
"$SLUICE" compile "$out/plain.dom" --chip egress -o "$out/plain.json" > "$out/plain.txt" 2>&1
image=plain
it 'without thinning layer 0 is not complete, and the check says so' '! stream lost 8 1 2 3 > "$out/lost.said" 2>&1 && grep -q "layer 0 is not complete" "$out/lost.txt"'

for p in mark number telemetry; do
  it "$p under load: EQUIVALENT" 'run_chip "$p-load" -m "$out/$p.json:1" --packets 3000 --size 64 --ready-every 0:6 --ready-every 1:6 --seed "$seed" && equivalent'
  note "copies $(value egress.copies), changed $(value egress.changed), deepest queue $(value egress.depth_in_max), longest wait $(value egress.delay_max)"
done

it 'a copy that leaves though its function drops it is noticed' 'image=thin; run_chip keep -m "$out/thin.json:1" --pcap "0:$out/stream.pcapng" --pace-by time --ready-every 1:4 --fault EGRESS_KEEP && false; ends 1 DIFFERENT'

# Random egress functions that fit, eight modules at a time, with slow and fast lanes.
texts=$out/texts; mkdir -p "$texts"
SLUICE_PROGRAMS=$programs SLUICE_SEED=$seed SLUICE_WRITE=$texts build/san/test_egress > "$out/random.log" 2>&1
some=0 good=0 images= vid=0
together() {
  [ -n "$images" ] || return 0
  run_chip "random-$some" $images --packets $((vid * 150)) --size 200 --stall 0.3 --ready-every "$((some % 2)):$((1 + some % 3))" --seed "$some"
  if equivalent; then good=$((good + vid)); fi
  images= vid=0
}
for text in "$texts"/*.dom; do
  "$SLUICE" compile "$text" --chip egress --trusted -o "${text%.dom}.json" > "$out/compile.log" 2>&1 || continue
  some=$((some + 1)) vid=$((vid + 1)) images="$images -m ${text%.dom}.json:$vid --trust $vid"
  [ $vid -lt 8 ] || together
done
together
it 'random egress functions: on the chip as in the reference' '[ $some -gt 0 ] && same $good $some'
note "$some of $programs fit"
