#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The reference model as a switch and the simulated chip: the same traffic, the same packets and the same state.
# usage: model.sh
# Needs: tiny
. "$(dirname "$0")/lib"
need_chip tiny

# The bytes of 64-byte packets in a pcap file, one a line. Packets for several ports leave a chip at once, so the order of the file
# is not compared; both programs number their packets, which shows the order in which they were served.
packets() { tail -c +25 "$1" | od -An -v -tx1 -w80 | cut -c 49- | sort; }
same_packets() { packets "$out/$1-chip.pcap" > "$out/chip.txt"; packets "$out/$1-model.pcap" > "$out/model.txt"; [ -s "$out/chip.txt" ] && cmp "$out/chip.txt" "$out/model.txt"; }
fates() { jq -cS '[.packets, .delivered, .discarded, .refused, .drops, .copies, .copy_bytes, .state]' "$1"; }

cat > "$out/spread.dom" <<'EOF'
struct Packet { int o @ meta.port_out; int drop @ meta.discard; int s @ udp.dport; int seen @ udp.sport; int id; };
int count[16] = {3};
void spread(struct Packet p) {
  p.id = p.s & 15;
  count[p.id] = count[p.id] + 1;
  p.seen = count[p.id];
  p.o = p.s & 3;
  p.drop = p.s & 32;
}
EOF
# At one packet every 7 cycles they arrive one after the other, as in the capture.
for program in sw/programs/sequencer.dom "$out/spread.dom"; do
  name=$(basename "$program" .dom)
  set -- "$program" -n 2000 --size 64 --state
  run_chip "$name-chip" "$@" --pace-by time -o "$out/$name-chip.pcap"
  it "$name: EQUIVALENT" equivalent
  "$SLUICE" run --chip model:tiny "$@" --report "$out/$name-model.json" -o "$out/$name-model.pcap" -q > "$out/$name-model.out"
  it "$name: the model says MODEL" 'grep -q "^MODEL: " "$out/$name-model.out"'
  it "$name: fates and state are the chip's" '[ -s "$report" ] && same "$(fates "$out/$name-model.json")" "$(fates "$report")"'
  it "$name: packets are the chip's" 'same_packets $name'
done
it "some packets were discarded" '[ "$(count discarded)" -gt 0 ]'

finish
