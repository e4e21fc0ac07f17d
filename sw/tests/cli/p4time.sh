#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What reading P4 costs, as TAP: less than 20 ms of processor for each program of the tutorials, less than a second for
# a text of 6,000 lines, and less than 200 MB. Usage: p4time.sh SLUICE, which is built as users have it
set -u
sluice=$(realpath "$1")
cd "$(dirname "$0")/../../.." || exit 3
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
n=0 failed=0
say() { n=$((n + 1)); if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; failed=$((failed + 1)); sed 's/^/# /' "$dir/err" | head -20; fi; }
# now: processor time of what this shell has waited for, in milliseconds; cost: since the last time.
now=0
clock() {
  before=$now
  times > "$dir/times"
  now=$(awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); all += 60000 * t[1] + 1000 * t[2] } printf "%d\n", all }' "$dir/times")
  cost=$((now - before))
}

clock
for p in sw/programs/p4/*.p4; do
  for i in 1 2 3 4 5; do "$sluice" p4 check "$p" > "$dir/out" 2> "$dir/err" || say 1 "$p is right"; done
  clock
  [ $cost -lt 100 ]; say $? "$p takes $((cost / 5)) ms"
done

# Four lines of headers, then blocks of 40 lines: a control with an action, a table and expressions.
awk 'BEGIN {
  print "#include <v1model.p4>\nheader h_t { bit<8> a; bit<16> b; bit<32> c; bit<48> d; }"
  print "struct headers { h_t h; }\nstruct metadata { bit<32> x; }"
  for (c = 0; c < 150; c++) {
    printf "control C%d(inout headers hdr, inout metadata meta, inout standard_metadata_t sm) {\n", c
    print "    action set(bit<32> v, bit<16> w) {\n        hdr.h.c = v;\n        hdr.h.b = w;\n    }"
    print "    table t {\n        key = {\n            hdr.h.c : exact;\n            hdr.h.b : ternary;\n        }"
    print "        actions = { set; NoAction; }\n        const entries = {"
    for (e = 0; e < 6; e++) printf "            (%d, %d &&& 0xff) : set(%d, %d);\n", c * 10 + e, e, e, e
    print "        }\n        default_action = NoAction();\n    }\n    apply {"
    for (s = 0; s < 16; s++) printf "        hdr.h.c = (hdr.h.c ^ %d) + (bit<32>)(hdr.h.b << %d) * (hdr.h.h%s == 3 ? 1 : meta.x);\n", s, s % 8, "" 
    print "        t.apply();\n    }\n}"
  }
}' | sed 's/hdr\.h\.h == 3/hdr.h.a == 3/' > "$dir/big.p4"
lines=$(grep -c '' "$dir/big.p4")
[ "$lines" -ge 6000 ]; say $? "a text of $lines lines"
clock
"$sluice" p4 check --no-warnings "$dir/big.p4" > "$dir/out" 2> "$dir/err"; code=$?
clock
[ $code -eq 0 ]; say $? 'it is right'
[ $cost -gt 0 ] && [ $cost -lt 1000 ]; say $? "it takes $cost ms"
(ulimit -v 204800 && "$sluice" p4 check --no-warnings "$dir/big.p4") > "$dir/out" 2> "$dir/err"; say $? 'it takes less than 200 MB'
(ulimit -v 20480 && "$sluice" p4 check --no-warnings "$dir/big.p4") > "$dir/out" 2> "$dir/err"; [ $? -ne 0 ]; say $? 'where there is no memory it is not right'
echo "1..$n"
[ $failed -eq 0 ]
