#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Egress functions at the command line, as TAP: compiled, explained, run on the reference model of `egress`, their arrays read lane by lane
# while a switch serves. usage: egress.sh [SLUICE]
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../await"
root=$here/../../..
SLUICE=$(realpath "${1:-$root/build/sluice}")
dir=$(mktemp -d) || exit 3
switch=
trap 'if [ -n "$switch" ]; then kill "$switch" 2> "$dir/kill"; fi; rm -rf "$dir"' EXIT
n=0 failed=0
say() { n=$((n + 1)); if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; failed=$((failed + 1)); sed 's/^/# /' "$dir/log"; fi; }
cd "$dir" || exit 3
programs=$root/sw/programs/egress

"$SLUICE" compile "$programs/number.dom" --chip egress -o number.json > log 2>&1 &&
  grep -q '^  egress number: egress stages 1 of 2, 1 operations; parser actions 1, deparser 1$' log
say $? 'a program with an egress function says what it takes'
"$SLUICE" compile "$programs/number.dom" --chip k4 > log 2>&1
[ $? -eq 1 ] && grep -q "chip 'k4' has no egress stages; see --chip: 's2' takes the whole program \[no-egress\]" log
say $? 'a chip without egress stages is refused, with one that has them'
"$SLUICE" compile "$programs/number.dom" --chip egress --emit ir -o number.ir > log 2>&1 &&
  "$SLUICE" compile number.ir --chip egress -o again.json > log 2>&1 && cmp number.json again.json > log 2>&1
say $? 'the text in the IR has both functions, and becomes the same image'
"$SLUICE" compile "$programs/number.dom" --chip egress --dot number.dot > log 2>&1 && [ "$(grep -c '^digraph' number.dot)" -eq 2 ] && grep -q 'egress stage 0' number.dot
say $? 'the picture has a graph for each function'
"$SLUICE" explain "$programs/number.dom" --chip egress > log 2>&1 &&
  grep -q '^  sent (8, egress stage 0): index 2B\[0\]: each output lane has its own$' log
say $? 'explain knows where the array of an egress function is'
"$SLUICE" gen -o in.pcap --packets 50 --size 64 > log 2>&1
"$SLUICE" run number.json --chip model:egress --pcap in.pcap --state > log 2>&1 &&
  grep -q '^  sent@lane 0\[4\] = 50$' log && grep -q '^  sent@lane 1\[7\] = 50$' log && ! grep -q '^  sent@lane 0\[7\]' log
say $? 'the state of each lane'

"$SLUICE" serve --chip model:egress -m number.json:1 --port 0=pcap:in.pcap,trunk --control control --quiet > served 2>&1 &
switch=$!
await 10 [ -S control ]
ctl() { "$SLUICE" ctl "$@" --control control > log 2>&1; }
all_sent() { ctl state 1 'sent@port 3[3]' && grep -q '= 50$' log; }
await 5 all_sent
grep -q '^sent@port 3\[3\] = 50$' log; say $? 'an array by a port of its lane'
ctl state 1 sent; [ $? -eq 1 ] && grep -q "which one? 'sent@lane 0'" log; say $? 'without a lane it is asked for'
ctl state 1 'sent@lane 2'; [ $? -eq 1 ] && grep -q "'sent@lane 0' to '@lane 1'" log; say $? 'a lane that is not there'
ctl set 1 'sent[3]' 7; ctl state 1 'sent@lane 0[3]' && grep -q '= 7$' log && ctl state 1 'sent@lane 1[3]' && grep -q '= 7$' log
say $? 'a write is for all lanes'
ctl list && grep -q 'state sent\[8\] in each output lane' log; say $? 'the list says so'
kill "$switch"; wait "$switch"; switch=
echo "1..$n"
exit $((failed > 0))
