#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sluice p4 info: exit codes, messages, formats, where the output goes, as TAP. Usage: p4info.sh SLUICE
set -u
sluice=$(realpath "$1")
cd "$(dirname "$0")/../../.." || exit 3
dir=$(mktemp -d) || exit 3
trap 'rm -rf "$dir"' EXIT
n=0 failed=0
say() { n=$((n + 1)); if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; failed=$((failed + 1)); sed 's/^/# /' "$dir/out" "$dir/err" | head -20; fi; }
run() { timeout 60 "$sluice" p4 info "$@" > "$dir/out" 2> "$dir/err"; }
basic=sw/programs/p4/basic.p4

run $basic; [ $? -eq 0 ] && [ ! -s "$dir/err" ] && head -1 "$dir/out" | grep -qx '# proto-file: p4/config/v1/p4info.proto' && grep -qx '    id: 37375156' "$dir/out"; say $? 'text, with the id that the specification gives to MyIngress.ipv4_lpm'
run $basic -o "$dir/a.txtpb"; [ $? -eq 0 ] && [ ! -s "$dir/out" ] && "$sluice" p4 info $basic | cmp -s - "$dir/a.txtpb"; say $? 'text into a file'
run $basic -o "$dir/a.json"; [ $? -eq 0 ] && [ "$(jq -r '.tables[0].preamble.name, .tables[0].size, (.actions | length)' "$dir/a.json" | tr '\n' ' ')" = 'MyIngress.ipv4_lpm 1024 3 ' ]; say $? 'JSON by the name of the file'
run $basic -o "$dir/a.bin" && run $basic --format binary && cmp -s "$dir/out" "$dir/a.bin" && [ "$(head -c 11 "$dir/a.bin" | od -An -tx1 | tr -d ' ')" = 0a092a0776316d6f64656c ]; say $? 'binary by the name of the file, or asked for'
run $basic --format json -o "$dir/b.bin"; [ $? -eq 0 ] && cmp -s "$dir/b.bin" "$dir/a.json"; say $? '--format goes before the name of the file'
"$sluice" p4 info - < $basic > "$dir/out" 2> "$dir/err" && "$sluice" p4 info $basic | cmp -s - "$dir/out"; say $? 'a program from standard input'
run -DV1MODEL_VERSION=20180101 -I sw/tests/p4/info sw/tests/p4/info/keys.p4; [ $? -eq 0 ]; say $? '-D and -I'
run; [ $? -eq 2 ] && grep -q 'p4 info takes a program' "$dir/err"; say $? 'no program'
run $basic $basic; [ $? -eq 2 ]; say $? 'two programs'
run $basic --format xml; [ $? -eq 2 ] && grep -q "'xml' is none; there are text, binary and json" "$dir/err"; say $? 'a format that is none'
run "$dir/none.p4"; [ $? -eq 3 ]; say $? 'a program that is not there'
run $basic -o "$dir/none/x"; [ $? -eq 3 ]; say $? 'an output that cannot be written'
cp $basic "$dir/c.p4"; run "$dir/c.p4" -o "$dir/c.p4"; [ $? -eq 2 ] && cmp -s $basic "$dir/c.p4"; say $? 'the program is not the output'
echo 'control C() { apply { x = 1; } }' > "$dir/bad.p4"; run "$dir/bad.p4" -o "$dir/bad.txt"; [ $? -eq 1 ] && grep -q 'bad.p4:1:23: error: ' "$dir/err" && [ ! -e "$dir/bad.txt" ]; say $? 'a program that is wrong'
run sw/tests/p4/accept/psa.p4; [ $? -eq 1 ] && grep -q 'error: P4Info is made of programs of v1model' "$dir/err"; say $? 'a program of another architecture'
run --help; [ $? -eq 0 ] && grep -q -- '--format FORMAT' "$dir/out"; say $? 'help'
if [ -c /dev/full ]; then run $basic -o /dev/full; [ $? -eq 3 ]; say $? 'a full device'; fi

echo "1..$n"
exit $((failed > 0))
