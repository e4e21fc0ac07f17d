#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Ports where packets come in, as the user says, and where they leave, as pcapng says.
# usage: ports.sh
# Needs: tiny
. "$(dirname "$0")/lib"
need_chip tiny
LIMIT=120
# Every packet goes back to where it came from.
cat > "$out/back.dom" <<'P'
struct Packet { int i @ meta.port_in; int o @ meta.port_out; };
void back(struct Packet p) { p.o = p.i; }
P
"$SLUICE" gen -o "$out/a.pcap" -n 40 --size 100 --rate 10 --seed 1
"$SLUICE" gen -o "$out/b.pcap" -n 30 --size 100 --rate 10 --seed 2

# ports FILE: "PACKETS@PORT ..." of a pcapng file.
ports() {
  od -An -v -tu4 -w4 "$1" | awk '{ w[n++] = $1 } END { for (i = 0; i < n && w[i + 1]; i += w[i + 1] / 4) if (w[i] == 6) c[w[i + 2]]++
    for (p = 0; p < 64; p++) if (c[p]) printf "%d@%d ", c[p], p }'
}
comments() { tr -c '[:print:]' '\n' < "$1" | grep -o 'packet [0-9]*, ticket .*' | sort -t' ' -k2n; }

run_chip at-port "$out/back.dom" --pcap "3:$out/a.pcap" -o "$out/at-port.pcapng"
it 'a capture comes in at the port that is named' 'equivalent && same "$(ports "$out/at-port.pcapng")" "40@3 "'
it 'each packet that leaves says which one it was, when, and whose' 'same "$(comments "$out/at-port.pcapng" | wc -l)" 40 &&
  comments "$out/at-port.pcapng" > "$out/comments" && has "$out/comments" "^packet 1, ticket 0, latency [0-9]* cycles, module back (VLAN 1)$" && has "$out/comments" "^packet 40, ticket 39, latency"'
if command -v tshark > "$out/tools"; then
  tshark -r "$out/at-port.pcapng" -T fields -e frame.interface_id -e frame.interface_name -e frame.comment > "$out/shark" 2> "$out/shark.err"
  it 'Wireshark shows port and comment' 'same "$(wc -l < "$out/shark")" 40 && has "$out/shark" "^3.*packet 17, ticket 16, latency"'
else
  note 'tshark is not installed: what Wireshark shows is not tested'
fi
run_chip two "$out/back.dom" --pcap "1:$out/a.pcap" --pcap "2:$out/b.pcap" -o "$out/two.pcapng"
it 'two captures at two ports' 'equivalent && is "$(value packets) == 70" && same "$(ports "$out/two.pcapng")" "40@1 30@2 "'
run_chip interfaces "$out/back.dom" --pcap "$out/two.pcapng" -o "$out/again.pcapng"
it 'interface n of a pcapng file is port n' 'equivalent && same "$(ports "$out/again.pcapng")" "40@1 30@2 "'
"$SLUICE" run "$out/back.dom" --chip $chip -q --pcap - -o "$out/stdin.pcapng" < "$out/two.pcapng" > "$out/stdin.out" 2>&1
it 'from standard input as well' 'same "$(ports "$out/stdin.pcapng")" "40@1 30@2 "'
run_chip mixed "$out/back.dom" --pcap "1:$out/a.pcap" --pcap "$out/b.pcap" -o "$out/mixed.pcapng"
it 'beside it, packets of no port are dealt to the other lane, whose ports are 0 and 2' 'equivalent && is "$(value packets) == 70" && same "$(ports "$out/mixed.pcapng")" "15@0 40@1 15@2 "'
run_chip plain "$out/back.dom" --pcap "$out/a.pcap" -o "$out/plain.pcap"
it 'without any, they are dealt out, and other names make pcap files' 'equivalent && same "$(head -c 4 "$out/plain.pcap" | od -An -tx4 | tr -d " ")" a1b23c4d'
run_chip timed "$out/back.dom" --pcap "1:$out/a.pcap" --pcap "2:$out/b.pcap" --pace-by time
it 'several captures by their time stamps' 'equivalent && is "$(value arrival_cycles) > 3000"'
run_chip no-port "$out/back.dom" --pcap "4:$out/a.pcap"
it 'a port that the chip does not have is refused' 'same "$code" 3 && has "$errors" "a packet at port 4, chip .tiny. has ports 0 to 3"'
"$SLUICE" run "$out/back.dom" --chip small -q --pcap "$out/two.pcapng" > "$out/small.out" 2> "$out/small.err"
it 'and an interface' '[ $? -eq 3 ]; grep -q "interface 2, chip .small. has ports 0 to 1\|cannot find build" "$out/small.err"'
finish
