#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Menshen's configuration files (sluice image) and system-level modules (--system), on the reference model. TAP. usage: system.sh [SLUICE]
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../await"
SLUICE=$(realpath "${1:-$here/../../../build/sluice}")
programs=$(realpath "$here/../../programs")
dir=$(mktemp -d) || exit 3
trap 'kill $serving 2>/dev/null; rm -rf "$dir"' EXIT
serving=
cd "$dir" || exit 3
n=0 failed=0
say() { n=$((n + 1)); if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; sed 's/^/# /' log; failed=$((failed + 1)); fi; }
# fails CODE WORDS COMMAND...
fails() { want=$1 words=$2; shift 2; "$@" >log 2>&1; [ $? -eq "$want" ] && grep -q -- "$words" log; }

# ---- images from and to Menshen's files ----------------------------------------------------------

"$SLUICE" image "$programs/menshen/format/calc.dom" --to-menshen --vid 3 -o calc.txt >log 2>&1; say $? 'a program is written'
"$SLUICE" image calc.txt --from-menshen -o calc.json >log 2>&1 && "$SLUICE" image calc.json --to-menshen --chip menshen --vid 3 -o - >again.txt 2>log && cmp calc.txt again.txt
say $? 'read into an image it is the same file'
printf 'lkupconf 1 3 4 8\nstatefulmem 0\n' >allocate.txt
"$SLUICE" image calc.txt --from-menshen -o - 2>log | "$SLUICE" image - --to-menshen --chip menshen --vid 3 --allocation allocate.txt -o at4.txt >log 2>&1 &&
  grep -q '^CAMConf 000000100000000000000100$' at4.txt; say $? 'an allocation gives its rows'
printf 'hello\n' >bad.txt
fails 1 "'bad.txt', line 1: a tag with a header" "$SLUICE" image bad.txt --from-menshen -o x.json; say $? 'a text that is none is refused with its line'
fails 1 'has no form in Menshen.s file: front stage 0, row 0: 2B.0. = 4B.0. & 31' "$SLUICE" image "$programs/menshen/multicast.dom" --to-menshen --chip menshen -o x.txt
say $? 'a program that does more is refused with the place'
fails 2 'image needs one file' "$SLUICE" image calc.txt -o x.json; say $? 'one of the two directions must be said'
"$SLUICE" gen -n 50 -o in.pcap >log 2>&1 && "$SLUICE" run --chip model:menshen -m calc.json:3 --pcap in.pcap -o out.pcap >log 2>&1; say $? 'the image runs'

# ---- a system-level module -----------------------------------------------------------------------

cat >sends.dom <<'END'
struct Packet { int port_out @ meta.port_out; };
void sends(struct Packet q) { q.port_out = 1; }
END
cp "$programs/system/virtual.dom" system.dom
printf 'system.to,action,number\n1,system.port,2\n' >five.csv
printf 'system.to,action,number\n1,system.port,3\n' >six.csv
"$SLUICE" run --chip model:tables -m sends.dom:5 -m sends.dom:6 --system system.dom --entries 5:system.destinations=five.csv --entries 6:system.destinations=six.csv \
  --pcap in.pcap --replace-vlan -o out.pcapng --state --json >log 2>&1; say $? 'two programs run under one'
[ "$(jq '[.state[]["system.received"].values[0]] | add' log)" = 50 ]; say $? 'all packets were counted'
"$SLUICE" compile sends.dom --chip tables --system system.dom -o linked.json >log 2>&1 && "$SLUICE" packets linked.json --chip tables --system system.dom -o x.pcap >log 2>&1
say $? 'an image that was compiled under it is taken'
"$SLUICE" compile sends.dom --chip tables -o plain.json >log 2>&1
fails 1 'was not compiled under the system-level module' "$SLUICE" packets plain.json --chip tables --system system.dom -o x.pcap; say $? 'one that was not is refused'
echo '// changed' >>system.dom
fails 1 'but under .system.dom' "$SLUICE" packets linked.json --chip tables --system system.dom -o x.pcap; say $? 'so is one under another text'

# ---- a switch that serves ------------------------------------------------------------------------

"$SLUICE" serve --chip model:tables -m sends.dom:1 --system system.dom --port 0=pcap:in.pcap,trunk --control "$dir/switch" -q >serve.log 2>&1 &
serving=$!
ctl() { "$SLUICE" ctl --control "$dir/switch" "$@" >log 2>&1; }
counts() { ctl counters && grep -q -- "$1" log; }
await 5 ctl list
ctl table 1 system.destinations add 1 system.port number=2; say $? 'the operator names a port'
ctl table 1 system.destinations mod 1 system.first && ctl table 1 system.destinations && grep -q 'system.first' log; say $? 'and a group in its place'
await 5 counts '^VLAN 1: sends; system: received 50, sent 50'
grep -q '^VLAN 1: sends; system: received 50, sent 50' log; say $? 'statistics stand with the counters'
fails 1 'sets of ports, not rows' "$SLUICE" ctl --control "$dir/switch" group 20 1 2; say $? 'groups by row are for chips with more ports'
kill $serving; wait $serving 2>/dev/null
"$SLUICE" serve --chip model:tables -m sends.dom:5 --control "$dir/switch" -q >serve.log 2>&1 &
serving=$!
await 5 ctl list
rates() { for vid in "$@"; do ctl show "$vid" SHARE && sed -n 's/.*RATE \(0x[0-9a-f]*\).*/\1/p' log; done | tr '\n' ' '; }
[ -z "$(rates 5)" ]; say $? 'one program alone has no limit'
ctl load sends.dom:6; [ "$(rates 5 6)" = '0x7f 0x7f ' ]; say $? 'two have equal shares'
ctl load sends.dom:7; [ "$(rates 5 6 7)" = '0x55 0x55 0x55 ' ]; say $? 'three have'
ctl remove 6; [ "$(rates 5 7)" = '0x7f 0x7f ' ]; say $? 'and two again'
ctl remove 7; [ "$(rates 5)" = '0x100 ' ]; say $? 'one alone then may take all'
kill $serving; wait $serving 2>/dev/null
"$SLUICE" serve --chip model:tables -m sends.dom:5 -m sends.dom:6 --share 5=200 --control "$dir/switch" -q >serve.log 2>&1 &
serving=$!
await 5 ctl list
fails 1 'the shares of the others are 255 of 255 accesses per 256 cycles, and leave nothing' "$SLUICE" ctl --control "$dir/switch" load sends.dom:7
say $? 'shares that the operator chose stay, and leave nothing'
kill $serving; wait $serving 2>/dev/null
"$SLUICE" serve --chip model:k4 -m sends.dom:5 --system "$programs/system/rows.dom" --port 0=pcap:in.pcap --control "$dir/switch" -q >serve.log 2>&1 &
serving=$!
await 5 ctl list
ctl group 20 1 5 15 && [ "$(cat log)" = 'ports 1, 5, 15' ]; say $? 'there a group gets ports'
ctl group 20 && [ "$(cat log)" = 'ports 1, 5, 15' ]; say $? 'and has them'
fails 1 'those of chip .k4. are 16 to 255' "$SLUICE" ctl --control "$dir/switch" group 3 1; say $? 'a port is no group'
kill $serving; wait $serving 2>/dev/null

# Sets of ports of a program, on a chip with more than 8: each has a row of PORT_MASK.
cat >spreads.dom <<'END'
struct Packet { int in @ meta.port_in; int out @ meta.port_out; int all @ meta.ports_out; };
void spreads(struct Packet q) { q.out = q.in; if (q.in == 0) q.all = 0xc006; }
END
"$SLUICE" run --chip model:s4 -m spreads.dom:5 --pcap 0:in.pcap --replace-vlan --json -o spread.pcapng >log 2>&1; [ "$(jq .copies log)" = 200 ]; say $? 'fifty packets go to four ports each'
"$SLUICE" serve --chip model:s4 -m spreads.dom:5 --control "$dir/switch" -q >serve.log 2>&1 &
serving=$!
await 5 ctl list
ctl group 255 && [ "$(cat log)" = 'ports 1, 2, 14, 15' ]; say $? 'the set is in the highest row'
ctl show 5 PORT_MASK && grep -q 'PORTS 0xc006' log; say $? 'which is an entry of the module'
fails 1 "group 255: the row holds a set of ports of program 'spreads' (VLAN 5)" "$SLUICE" ctl --control "$dir/switch" group 255 3; say $? 'and no group'
ctl group 254 1 3 && ctl load spreads.dom:6 && ctl group 253 && [ "$(cat log)" = 'ports 1, 2, 14, 15' ] && ctl group 254 && [ "$(cat log)" = 'ports 1, 3' ]
say $? 'another program gets a row that is no group'
ctl remove 5 && ctl group 255 4; say $? 'a row is free when its program has left'

# The operator's egress function: what it counts in each output lane stands with the counters, added up.
kill $serving 2>/dev/null; wait $serving 2>/dev/null
cat >leaves.dom <<'END'
struct Packet { int to @ module.port_out; int port_out @ meta.port_out; };
int left = 0;
void after(struct Packet p) { p.port_out = p.to; }
egress void leaves(struct Packet p) { left += 1; }
END
"$SLUICE" serve --chip model:egress -m sends.dom:1 --system leaves.dom --port 0=pcap:in.pcap,trunk --control "$dir/switch" -q >serve.log 2>&1 &
serving=$!
await 5 counts '^VLAN 1: sends; system: left 50'
grep -q '^VLAN 1: sends; system: left 50' log; say $? 'statistics of an egress function stand there, too'
echo "1..$n"
[ $failed -eq 0 ]
