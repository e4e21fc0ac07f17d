#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Moves serve who is busy now (docs/moves.md). Indices that were busy in the past give their entries back; a module that is
# busy with many indices leaves others their part of the entries; what is counted does not depend on the rhythm of a sender.
# On tiny: two pipelines, 8 entries a stage. All indices live in pipeline 0 at first.
# usage: moves.sh
# Needs: tiny
. "$(dirname "$0")/lib"
need_chip tiny

# trace NAME SEED PART...: a part is FIRST:FLOWS:PACKETS:GAP:RATE, packets for flows FIRST.. at RATE a cycle, GAP cycles after
# the part before. Flow f accesses entry 2 f + 2 of back stage 0.
trace() {
  input=$out/$1.in; mkdir -p "$input"
  seed=$2; shift 2
  flows=$input/flows_2_2_2_1_200_64.csv packets=$input/moves_2_2_2_1_200_64.csv
  awk 'BEGIN { print "flowid,stage,index"; for (f = 0; f < 96; f++) print f ",0," 2 * f + 1 }' > "$flows"
  for part; do echo "$part"; done | awk -F: -v seed="$seed" '
    BEGIN { srand(seed); print "port,pkt_size,flowid,time" }
    { t += $4; for (i = 0; i < $3; i++) { t += 1 / $5; print i % 2 ",64," $1 + int(rand() * $2) "," int(t) } }' > "$packets"
}
play() { label=$1; shift; VERB="bench replay"; run_chip "$label" "$flows" "$packets" "$@"; VERB=run; }

# ---- 40 indices of the past, silence, then 6 others that one pipeline cannot serve
trace alone 1 80:6:4000:4000:1.5
play alone
it "6 busy indices alone: EQUIVALENT" equivalent
alone=$(count drops.OVERLOAD)
trace past 1 0:40:2000:0:0.9 80:6:4000:4000:1.5
play past
past=$(count drops.OVERLOAD)
note "6 busy indices: $alone packets dropped alone, $past after 40 others; moves $(value moves.decided)"
it "after 40 others that are silent: EQUIVALENT" equivalent
it "they lose little more than alone" 'is "$past <= $alone + 200"'
play still --move-period 0
it "without moves they lose five times as much" 'is "$(count drops.OVERLOAD) > 5 * $past && $(count drops.OVERLOAD) > 500"'

# ---- a rhythm: all packets come in every second cycle, in even cycles or in odd ones. Which is which is seen by neither.
for phase in 0 1; do
  input=$out/rhythm$phase.in; mkdir -p "$input"
  packets=$input/moves_2_2_2_1_200_64.csv
  awk -v phase="$phase" 'BEGIN { srand(5); print "port,pkt_size,flowid,time"
    for (i = 0; i < 2000; i++) print "0,64," 80 + int(rand() * 6) "," 2 * i + phase }' > "$packets"
  # Half of the packets are not enough for overload; so each pipeline would do. What counts is that loads are seen.
  play rhythm$phase --move-least 1
  note "rhythm, phase $phase: moves $(value moves.decided)"
  it "packets in every second cycle, phase $phase: their indices move" 'equivalent && is "$(value moves.decided) >= 3"'
done

# ---- two modules: one is busy with 32 indices, the other with 8, and needs about four of the entries
cat > "$out/many.dom" <<'P'
struct Packet { int sport @ udp.sport; int port_out @ meta.port_out; int n @ bytes(46,2); int i; };
int t[64];
void many(struct Packet p) { p.i = p.sport & 62; t[p.i] += 1; p.n = t[p.i]; p.port_out = p.sport & 3; }
P
sed 's/t\[64\]/t[16]/; s/& 62/\& 14/; s/many/few/' "$out/many.dom" > "$out/few.dom"
"$SLUICE" gen -o "$out/two.pcap" --size 64 --mix uniform --flows 3200 --packets 12000 --vid 5 --vid 6 || exit 3
two="-m $out/many.dom:6 -m $out/few.dom:5 --pcap $out/two.pcap --load 0.9"
# shellcheck disable=SC2086  # several options
run_chip parts $two
it "two modules, equal parts: EQUIVALENT" equivalent
note "equal parts: dropped $(count modules.vid5.dropped) and $(count modules.vid6.dropped), away $(value moves.away)"
# shellcheck disable=SC2086
run_chip free $two --move-quota 0
note "no limit: dropped $(count modules.vid5.dropped) and $(count modules.vid6.dropped), away $(value moves.away)"
it "and without a limit" equivalent
# shellcheck disable=SC2086
run_chip least $two --move-quota 1
note "one each: dropped $(count modules.vid5.dropped) and $(count modules.vid6.dropped), away $(value moves.away)"
it "a quota of one: at most one index of each is away" 'equivalent && is "$(value moves.away) <= 2"'
finish
