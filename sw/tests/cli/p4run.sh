#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sluice p4 run: exit codes, messages, traces, captures, entries of the P4 tutorials, as TAP. Usage: p4run.sh SLUICE
set -u
sluice=$(realpath "$1")
cd "$(dirname "$0")/../../.." || exit 3
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
n=0 failed=0
say() { n=$((n + 1)); if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; failed=$((failed + 1)); sed 's/^/# /' "$dir/out" "$dir/err" | head -20; fi; }
run() { timeout 60 "$sluice" p4 run "$@" > "$dir/out" 2> "$dir/err"; }
basic=sw/programs/p4/basic.p4
stf=sw/tests/p4/programs/basic.stf

run $basic --stf $stf; [ $? -eq 0 ] && grep -q '^sw/tests/p4/programs/basic.stf: 4 packets, 3 expected, all as expected$' "$dir/out"; say $? 'a test that is met'
sed 's/64d7 0a000101/64d8 0a000101/' $stf > "$dir/wrong.stf"
run $basic --stf "$dir/wrong.stf"; [ $? -eq 1 ] && grep -q 'wrong.stf:5: packet 1 at port 2: byte 25 is d7, expected d8$' "$dir/err" && grep -q '^  expected 08000000' "$dir/err" && grep -q '^  received 08000000' "$dir/err"; say $? 'a wrong byte is told by line, place and hexadecimal difference'
run -q $basic --stf $stf --stf "$dir/wrong.stf" --stf $stf; [ $? -eq 1 ] && [ ! -s "$dir/out" ]; say $? 'one of three tests is not met'
run; [ $? -eq 2 ]; say $? 'no program'
run $basic; [ $? -eq 2 ]; say $? 'nothing to run it with'
run $basic --stf "$dir/none.stf"; [ $? -eq 3 ]; say $? 'a test that is not there'
run "$dir/none.p4" --stf $stf; [ $? -eq 3 ]; say $? 'a program that is not there'
echo 'control C() { apply { x = 1; } }' > "$dir/bad.p4"; run "$dir/bad.p4" --stf $stf; [ $? -eq 1 ] && grep -q 'bad.p4:1:23: error: ' "$dir/err"; say $? 'a program that is wrong'
echo '#include <core.p4>' > "$dir/lib.p4"; run "$dir/lib.p4" --stf $stf; [ $? -eq 1 ] && grep -q 'no V1Switch named main' "$dir/err"; say $? 'a program without a switch'

# the trace tells states, statements, tables with keys and entries, by line
run $basic --stf $stf --trace; [ $? -eq 0 ] && grep -q '^  sw/programs/p4/basic.p4:[0-9]*: state parse_ipv4$' "$dir/out" && grep -q 'statement hdr.ipv4.ttl = hdr.ipv4.ttl - 1;$' "$dir/out" && grep -q 'table MyIngress.ipv4_lpm hdr.ipv4.dstAddr=0xa000202: hit of entry 1, action ipv4_forward$' "$dir/out" && grep -q 'table MyIngress.ipv4_lpm hdr.ipv4.dstAddr=0xb000202: miss, action drop$' "$dir/out"; say $? 'the trace'
run $basic --stf $stf --json; [ $? -eq 0 ] && jq -s . "$dir/out" > "$dir/json" 2>> "$dir/err" && [ "$(jq '[.[] | select(.event == "table")] | length' "$dir/json")" = 3 ] && [ "$(jq -r '[.[] | select(.event == "state")][0].text' "$dir/json")" = start ] && [ "$(jq '[.[] | select(.event == "statement" and .line > 0)] | length' "$dir/json")" -gt 10 ]; say $? 'the trace as JSON'

# a runtime.json of the tutorials, and captures
cat > "$dir/runtime.json" <<'END'
{"target": "bmv2", "p4info": "x", "bmv2_json": "y",
 "table_entries": [
  {"table": "MyIngress.ipv4_lpm", "default_action": true, "action_name": "MyIngress.drop", "action_params": {}},
  {"table": "MyIngress.ipv4_lpm", "match": {"hdr.ipv4.dstAddr": ["10.0.2.2", 32]}, "action_name": "MyIngress.ipv4_forward", "action_params": {"dstAddr": "08:00:00:00:02:22", "port": 2}},
  {"table": "MyIngress.ipv4_lpm", "match": {"hdr.ipv4.dstAddr": ["10.0.0.0", 8]}, "action_name": "MyIngress.ipv4_forward", "action_params": {"dstAddr": "08:00:00:00:09:99", "port": 3}}]}
END
grep -v '^add' $stf > "$dir/noadd.stf"
run $basic --stf "$dir/noadd.stf" --entries "$dir/runtime.json"; say $? 'entries from runtime.json'
for f in sw/tests/p4/programs/*.json sw/tests/p4/programs/menshen/*.json; do
  name=${f#sw/tests/p4/programs/} name=${name%.json}
  grep -v '^add\|^setdefault\|^mc_\|^mirroring' "${f%.json}.stf" > "$dir/noentries.stf"
  run "sw/programs/p4/$name.p4" --stf "$dir/noentries.stf" --entries "$f"; say $? "$name with its runtime.json"
done
sed 's/10.0.2.2", 32/10.0.2.2", 33/' "$dir/runtime.json" > "$dir/bad.json"
run $basic --stf "$dir/noadd.stf" --entries "$dir/bad.json"; [ $? -eq 1 ] && grep -q "entry 2 of table_entries: key 'hdr.ipv4.dstAddr' has 32 bits, a prefix cannot have 33" "$dir/err"; say $? 'a prefix that is too long'
sed 's/"port": 2/"prt": 2/' "$dir/runtime.json" > "$dir/bad.json"
run $basic --stf "$dir/noadd.stf" --entries "$dir/bad.json"; [ $? -eq 1 ] && grep -q "entry 2 of table_entries: action ipv4_forward needs its parameter 'port'" "$dir/err"; say $? 'a parameter that is not there'
echo '{' > "$dir/bad.json"; run $basic --stf "$dir/noadd.stf" --entries "$dir/bad.json"; [ $? -eq 1 ] && grep -q 'bad.json: line ' "$dir/err"; say $? 'no JSON'
cat > "$dir/mc.json" <<'END'
{"multicast_group_entries": [{"multicast_group_id": 1, "replicas": [{"egress_port": 1, "instance": 1}, {"egress_port": 2, "instance": 1}, {"egress_port": 3, "instance": 1}]}],
 "table_entries": [{"table": "MyIngress.mac_lookup", "match": {"hdr.ethernet.dstAddr": "08:00:00:00:03:03"}, "action_name": "MyIngress.mac_forward", "action_params": {"port": 3}},
  {"table": "MyIngress.mac_lookup", "match": {"hdr.ethernet.dstAddr": ["08:00:00:00:04:04"]}, "action_name": "MyIngress.drop", "action_params": {}}]}
END
grep -v '^add\|^mc_' sw/tests/p4/programs/multicast.stf > "$dir/mc.stf"
run sw/programs/p4/multicast.p4 --stf "$dir/mc.stf" --entries "$dir/mc.json"; say $? 'groups from runtime.json'
cat > "$dir/clone.json" <<'END'
{"clone_session_entries": [{"clone_session_id": 5, "replicas": [{"egress_port": 7, "instance": 1}]}]}
END
grep -v '^mirroring' sw/tests/p4/stf/v1_clone_i2e.stf > "$dir/clone.stf"
run sw/tests/p4/stf/v1_clone_i2e.p4 --stf "$dir/clone.stf" --entries "$dir/clone.json"; say $? 'clone sessions from runtime.json'

# the same entries on the chip
chip() { timeout 60 "$sluice" run "$@" --chip model:react --packets 20 > "$dir/out" 2> "$dir/err"; }
chip $basic --entries "$dir/runtime.json" && grep -q '^MODEL' "$dir/out"; say $? 'runtime.json on the chip'
chip --module $basic:3 --entries "3:$dir/runtime.json" && grep -q '^MODEL' "$dir/out"; say $? 'for one module'
chip $basic --entries "4:$dir/runtime.json"; [ $? -eq 2 ] && grep -q 'no module with this VLAN id is a P4 program' "$dir/err"; say $? 'for no module'
chip $basic --entries "$dir/mc.none"; [ $? -eq 3 ]; say $? 'entries that are not there'
sed 's/ipv4_lpm/ipv4/' "$dir/runtime.json" > "$dir/bad.json"; chip $basic --entries "$dir/bad.json"; [ $? -eq 1 ] && grep -q "entry 1 of table_entries: the program has no table 'MyIngress.ipv4'" "$dir/err"; say $? 'a table that the program has not'
sed 's/10.0.2.2", 32/10.0.2.2", 33/' "$dir/runtime.json" > "$dir/bad.json"; chip $basic --entries "$dir/bad.json"; [ $? -eq 1 ] && grep -q "entry 2 of table_entries: table 'ipv4_lpm', key .* a prefix has up to 32 bits" "$dir/err"; say $? 'a prefix that is too long for it'
sed 's/"port": 2/"prt": 2/' "$dir/runtime.json" > "$dir/bad.json"; chip $basic --entries "$dir/bad.json"; [ $? -eq 1 ] && grep -q "entry 2 of table_entries: .*'prt=2' is none of its arguments" "$dir/err"; say $? 'a parameter that the action has not'
chip $basic --entries "$dir/mc.json"; [ $? -eq 1 ] && grep -q 'the program has no table' "$dir/err"; say $? 'entries of another program'
sed 's/"table_entries": .*/"x": [/' "$dir/mc.json" > "$dir/groups.json"; chip $basic --entries "$dir/groups.json"; [ $? -eq 1 ] && grep -q 'multicast_group_entries: a P4 program makes no copies on the chip' "$dir/err"; say $? 'groups'
timeout 60 "$sluice" compile sw/programs/p4/mri.p4 --chip s4 > "$dir/out" 2> "$dir/err"; [ $? -eq 1 ] && grep -q 'mri.p4:94:11: error: a loop of states: the machine has no parse graph' "$dir/err" && tail -1 "$dir/err" | grep -q 'mri.p4: note: the fit so far: 4 headers at fixed places, '; say $? 'what the machine lacks, and the fit so far'

# pcap: magic, version, snap length, Ethernet; one frame of 38 bytes
{ printf '\324\303\262\241\002\000\004\000\000\000\000\000\000\000\000\000\377\377\000\000\001\000\000\000'
  printf '\001\000\000\000\000\000\000\000\046\000\000\000\046\000\000\000'
  printf '\010\000\000\000\001\000\010\000\000\000\001\001\010\000\105\000\000\024\000\000\000\000\100\021\143\327\012\000\001\001\012\000\002\002\252\273\314\335'; } > "$dir/in.pcap"
run $basic --pcap "$dir/in.pcap" -o "$dir/out.pcap" --entries "$dir/runtime.json"; [ $? -eq 0 ] && grep -q '^1 packets in, 1 out$' "$dir/out" && [ "$(tail -c 38 "$dir/out.pcap" | od -An -tx1 | tr -d ' \n')" = 080000000222080000000100080045000014000000003f1164d70a0001010a000202aabbccdd ]; say $? 'a capture in, a capture out'
run $basic --pcap "$dir/in.pcap" -o - --entries "$dir/runtime.json"; [ $? -eq 0 ] && cmp -s "$dir/out" "$dir/out.pcap"; say $? 'to standard output'
run $basic --stf $stf -o "$dir/x.pcap"; [ $? -eq 2 ]; say $? 'an output without a capture'

# loops end with a sentence
cat > "$dir/loop.p4" <<'END'
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    if (h.d.a == 1) { resubmit_preserving_field_list(1); }
    if (h.d.a == 2) { for (bit<64> i = 0; i < 64w0xffffffffffffffff; i = i + 1) { h.d.a = 3; } }
    assert(h.d.a != 4);
    log_msg("a is {}", {h.d.a});
  }
}
#include "end.inc"
END
for c in '01:goes through the switch more than 1000 times' '02:loop.p4:9: more than 2000000 statements for one packet' '04:loop.p4:10: assert is false'; do
  printf 'packet 0 %s\n' "${c%%:*}" > "$dir/loop.stf"
  run -I sw/tests/p4/stf "$dir/loop.p4" --stf "$dir/loop.stf"; [ $? -eq 1 ] && grep -q "${c#*:}" "$dir/err"; say $? "a program that cannot go on: ${c#*:}"
done
printf 'packet 0 05\nexpect 0 05 $\n' > "$dir/loop.stf"
run -I sw/tests/p4/stf "$dir/loop.p4" --stf "$dir/loop.stf" --trace; [ $? -eq 0 ] && grep -q 'log a is 0x5$' "$dir/out"; say $? 'log_msg in the trace'
echo "1..$n"
[ $failed -eq 0 ]
