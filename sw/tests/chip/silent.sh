#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A module with a few hot indices beside a neighbour that has a share of the order queues, and does not send: it loses what it loses alone.
# A neighbour that sends is protected all the same (overload.sh, isolate.sh).
# The lane whose accesses are counted is drawn in each cycle, so how many a run loses differs by a packet or two with the cycle in which the
# traffic begins, which is a later one if there is a module more to load.
# usage: silent.sh
# Needs: tiny
. "$(dirname "$0")/lib"
need_chip tiny
cat > "$out/hot.dom" <<'E'
struct Packet { int s @ udp.sport; int in @ meta.port_in; int port @ meta.port_out; };
int count[64];
void hot(struct Packet p) { count[p.s & 15] = count[p.s & 15] + 1; p.port = p.in; }
E
sed 's/hot/still/' "$out/hot.dom" > "$out/still.dom"
packets() { "$SLUICE" gen -o "$out/$1.pcap" --packets "$2" --size 64 --vid "$3" --mix zipf --zipf 0.8 --flows 6 > "$out/gen.txt"; }
# Both in one file, one behind the other: a capture's header has 24 bytes.
it 'packets of both are made' 'packets hot 12000 5 && packets still 60 6 && { cat "$out/still.pcap"; tail -c +25 "$out/hot.pcap"; } > "$out/both.pcap"'
# At 0.7 of the line rate alone nothing is lost; at 0.95 the hot indices cannot take it all.
for load in 0.7 0.95; do
  it "$load, alone" 'run_chip alone-$load -m "$out/hot.dom:5" --pcap "$out/hot.pcap" --load $load && [ "$(value verdict)" = EQUIVALENT ]'
  lost=$(count drops.OVERLOAD)
  it "$load: it loses what it can" 'if [ $load = 0.7 ]; then [ "$lost" = 0 ]; else [ "$lost" -gt 50 ]; fi'
  it "$load, beside a module that never sends: no more, but for two packets" \
    'run_chip never-$load -m "$out/hot.dom:5" -m "$out/still.dom:6" --pcap "$out/hot.pcap" --load $load && is "$(count drops.OVERLOAD) <= $lost + 2" && [ "$(value verdict)" = EQUIVALENT ]'
  it "$load, beside one that falls silent, without shares" \
    'run_chip free-$load -m "$out/hot.dom:5" -m "$out/still.dom:6" --pcap "$out/both.pcap" --load $load --no-shares'
  lost=$(count drops.OVERLOAD)
  it "$load, with them: for two lanes of cycles more" \
    'run_chip fell-$load -m "$out/hot.dom:5" -m "$out/still.dom:6" --pcap "$out/both.pcap" --load $load && is "$(count drops.OVERLOAD) <= $lost + 10" && [ "$(value verdict)" = EQUIVALENT ]'
done
finish
