#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# P4 programs on the simulated chip: each program of sw/tests/p4/chip for one of the chips named, and those of
# sw/programs/p4 that docs/p4-16.md gives to it, with their entries, whose packets and state `sluice run` compares with
# the reference model, as TAP. That the model does what the interpreter of P4 does, test_p4c tells. The story of a
# packet tells lines of P4. Usage: p4.sh [CHIP...]
# Needs: react k4
set -u
cd "$(dirname "$0")/../../.." || exit 3
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
[ $# -gt 0 ] || set -- react k4
n=0 failed=0
build/sluice gen -o "$dir/in.pcap" --packets 300 --seed 7 --load 0.1 --untagged > "$dir/out" 2>&1 || exit 3
build/sluice gen -o "$dir/few.pcap" --packets 60 --seed 8 --load 0.1 --untagged > "$dir/out" 2>&1 || exit 3
say() {
  n=$((n + 1))
  if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; failed=$((failed + 1)); sed 's/^/# /' "$dir/out" | tail -12; fi
}
# same PROGRAM CHIP CAPTURE LEAST [OPTION...]: the simulated chip and the model do the same with LEAST packets or more.
same() {
  program=$1 chip=$2 capture=$3 least=$4
  shift 4
  timeout 120 build/sluice run "$program" --chip "$chip" --pcap "$dir/$capture.pcap" "$@" > "$dir/out" 2>&1 &&
    grep -q "^EQUIVALENT" "$dir/out" && [ "$(sed -n 's/^compared  *\([0-9]*\) packets.*/\1/p' "$dir/out")" -ge "$least" ]
  say $? "$program on $chip"
}
for chip in "$@"; do
  for program in $(grep -l "^// CHIP $chip:" sw/tests/p4/chip/*.p4); do same "$program" "$chip" in 100 --trust 1; done
  for name in $(sed -n "s/^| \`\([a-z0-9_/]*\)\` | \(.*, \)*$chip[, |].*/\1/p" docs/p4-16.md); do
    entries=sw/tests/p4/programs/$name.json
    if [ -e $entries ]; then same sw/programs/p4/$name.p4 "$chip" few 20 --entries $entries; else same sw/programs/p4/$name.p4 "$chip" few 20; fi
  done
done
case " $* " in
*" react "*)
  build/sluice trace sw/programs/p4/basic.p4 1-40 --chip react --entries sw/tests/p4/programs/basic.json --pcap "$dir/in.pcap" > "$dir/out" 2>&1
  grep -q 'line [0-9]*: hdr.ethernet.srcAddr = hdr.ethernet.dstAddr;   -> ' "$dir/out" && grep -q 'line [0-9]*: standard_metadata.egress_spec = port;   -> port 3' "$dir/out" && grep -q 'ternary entry' "$dir/out"
  say $? 'the story of a packet tells lines of P4'
  build/sluice trace sw/tests/p4/chip/counters.p4 2 --chip react --pcap "$dir/in.pcap" > "$dir/out" 2>&1
  grep -q 'line 11: if (hdr.ip.isValid()) ports.count((bit<32>)sm.ingress_port);' "$dir/out" && grep -q 'state ports\[[0-9]\]: 0 -> 1' "$dir/out"
  say $? 'and names of its counters'
  build/sluice explain sw/programs/p4/basic.p4 --chip react > "$dir/out" 2>&1
  grep -q 'hdr_ipv4_dstAddr, read to .*named in lines .*65' "$dir/out" && grep -q 'line 60 .*hdr.ethernet.dstAddr = dstAddr;' "$dir/out" && grep -q '^table ipv4_lpm: front stage 0, ternary' "$dir/out"
  say $? 'explain tells lines, fields and tables of P4'
  build/sluice explain sw/programs/p4/qos.p4 --chip react --dot "$dir/chain.dot" > "$dir/out" 2>&1
  [ $? -eq 1 ] && grep -q '^the longest chain' "$dir/out" && grep -q 'line 70 .*hdr.ipv4.diffserv = 46;' "$dir/out" && grep -q 'diffserv' "$dir/chain.dot"
  say $? 'and the chain of a program that does not fit'
  ;;
esac
case " $* " in
*" s2 "*)
  # All to one port, whose lane is slow: packets wait there, and are marked behind ten others.
  echo '{"table_entries": [{"table": "MyIngress.ipv4_lpm", "match": {"hdr.ipv4.dstAddr": ["10.0.0.0", 8]}, "action_name": "MyIngress.ipv4_forward", "action_params": {"dstAddr": "08:00:00:00:02:22", "port": 2}}]}' > "$dir/ecn.json"
  timeout 300 build/sluice run sw/programs/p4/ecn.p4 --chip s2 --entries "$dir/ecn.json" --packets 150 --size 64 --ect --ready-every 0:6 --ready-every 1:6 --report "$dir/report" -o "$dir/ecn.pcap" > "$dir/out" 2>&1 &&
    grep -q '^EQUIVALENT' "$dir/out" && jq -e ".egress.changed > 50 and .egress.changed < .egress.copies" "$dir/report" > "$dir/jq"
  say $? 'ecn marks what waits in the queues of s2'
  ;;
esac
echo "1..$n"
exit $((failed > 0))
