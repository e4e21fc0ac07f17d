#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Menshen's figures 8 and 11 (NSDI'22) here, beside what its text says: how long a module with N entries takes to compile, and what packets of
# each size get of a lane, with their latency. usage: menshen.sh CHIP [PACKETS]; CHIP: a shape whose simulator is built
set -eu
LC_ALL=C; export LC_ALL
chip=$1 packets=${2:-2000}
sluice=${SLUICE:-build/sluice}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

now() { date +%s.%N; }
echo '| entries of the module | compiled in milliseconds |'
echo '|---|---|'
for entries in 16 64 256 1024 4096 16384; do
  awk -v n=$entries 'BEGIN {
    print "struct Packet { int op @ bytes(46, 2); int a @ bytes(48, 4); int b @ bytes(52, 4); int r @ bytes(56, 4); int port_out @ meta.port_out; };"
    print "void add(struct Packet p) { p.r = p.a + p.b; p.port_out = 1; }\nvoid sub(struct Packet p) { p.r = p.a - p.b; p.port_out = 1; }"
    print "table calc { key: p.op: exact; actions: add, sub; size: " n "; entries: {"
    for (i = 0; i < n; i++) print i ": " (i % 2 ? "add" : "sub") "();"
    print "} }\nvoid calc(struct Packet p) { apply(calc); }" }' > "$work/calc.dom"
  best=
  for again in 1 2 3; do
    before=$(now)
    "$sluice" compile "$work/calc.dom" --chip routes -o "$work/calc.json" > "$work/log"
    took=$(echo "$before $(now)" | awk '{ printf "%.1f", 1000 * ($2 - $1) }')
    best=$(echo "$took $best" | awk '{ print (NF == 1 || $1 < $2) ? $1 : $2 }')
  done
  echo "| $entries | $best |"
done
echo
echo '| bytes | share of the wire of the busiest output lane | packets lost | latency in cycles: least | median | longest |'
echo '|---|---|---|---|---|---|'
for size in 64 96 128 256 512 1024 1500; do
  "$sluice" run sw/programs/menshen/qos.dom -c "$chip" -n "$packets" --size $size --mix single --report "$work/all.json" -q > "$work/log" 2>&1 \
    || { cat "$work/log" >&2; exit 1; }
  jq -r --arg size $size '[$size, .wire_share.max, .lost, .latency.min, .latency.median, .latency.max] | "| " + (map(tostring) | join(" | ")) + " |"' "$work/all.json"
done
