#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A reaction that reads what the entries of a table have counted, on the simulated chip of shape
# `react`: of 40 sources that are let through, the one that has sent far more than the others is
# blocked by its entry, and no other. Its counters are read while packets go on.
# usage: reaction_counters.sh
# Needs: react
. "$(dirname "$0")/lib"
need_chip react
"$SLUICE" gen -o "$out/many.pcap" -n 4000 --size 64 --flows 40 --mix uniform --seed 7 > /dev/null &&
  "$SLUICE" gen -o "$out/one.pcap" -n 4000 --size 64 --flows 1 --seed 1007 > /dev/null || exit 3
# Bytes 30 to 33 of each packet of 64 bytes, behind the 16 bytes of its record.
sources() { tail -c +25 "$1" | od -An -v -tx1 -w80 | awk '{ print $47 $48 $49 $50 }' | sort -u; }
bad=$(sources "$out/one.pcap")
entries=$({ sources "$out/many.pcap"; echo "$bad"; } | sort -u | sed "s/.*/0x&: allow(1);/" | tr "\n" " ")
cat > "$out/watch.dom" <<EOT2
struct Packet { int src @ ipv4.src; int out @ meta.port_out; int drop @ meta.discard; };
void allow(struct Packet p, int to : 8) { p.out = to; }
void deny(struct Packet p) { p.drop = 1; }
malleable table rules { key: p.src: exact; actions: allow, deny; size: 60; default: deny(); entries: { $entries } }
reaction watch(counters(rules)) {
  int64_t sum = 0;
  int most = 0;
  for (int i = 0; i < rules_count; i++) {
    sum += rules[i].all_packets;
    if (rules[i].packets > rules[most].packets) most = i;
  }
  if (rules_count && rules[most].packets > 100 && rules[most].action == rules_action_allow) {
    fprintf(stderr, "%08x: blocked after %d of %d packets, %d bytes\n", (unsigned)rules[most].src, (int)rules[most].all_packets, (int)sum, (int)rules[most].all_bytes);
    rules_set_deny(rules[most].src);
  }
}
void f(struct Packet p) { apply(rules); }
EOT2
it 'the source with most packets is blocked, and nobody else' '
  run_chip watch "$out/watch.dom" --pcap "0:$out/many.pcap" --pcap "1:$out/one.pcap" && [ "$code" -eq 0 ] && [ "$(value verdict)" = EQUIVALENT ] &&
  grep -q "$bad: blocked" "$errors" && is "$(grep -c "blocked" "$errors") == 1" && is "$(count drops.DISCARD_FRONT) >= 1000"'
note "$(grep -h blocked "$errors"), $(count drops.DISCARD_FRONT) dropped"
finish
