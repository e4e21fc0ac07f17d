#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# ActiveRMT's experiments with the chip: results.json, plots, and a report with the published figures beside ours.
# usage: active.sh PROGRAM SIMULATOR OUT [--quick]; the simulator may be model:capsules, without latency and throughput then
set -eu
program=$1 sim=$2 out=$3
shift 3
mkdir -p "$out"
"$program" "$out" "$sim" "$@"

# draw NAME SIZE: a plot as SVG and PNG; gnuplot's commands come from standard input.
draw() {
  cat >"$out/$1.gnuplot"
  for type in svg png; do
    {
      echo "set terminal $type size $2 font 'sans,11' background '#ffffff'"
      echo "set output '$out/$1.$type'"
      echo "set grid lc '#dddddd'; set key noenhanced outside bottom center horizontal"
      cat "$out/$1.gnuplot"
    } | gnuplot
  done
  rm "$out/$1.gnuplot"
}
colours="colours = '#4477aa #cc6677 #228833 #ccbb44 #aa3377'; colour(i) = word(colours, i)"
jq -r '.provisioning[] | select(.chip == "active" and (.translate | not)) | [.arrival, .cycles / 1000] | @tsv' "$out/results.json" >"$out/provisioning.tsv"
jq -r '.provisioning[] | select(.chip == "active" and .translate) | [.arrival, .cycles / 1000] | @tsv' "$out/results.json" >"$out/provisioning-translate.tsv"
jq -r '.provisioning[] | select(.chip == "capsules") | [.arrival, .cycles / 1000] | @tsv' "$out/results.json" >"$out/provisioning-capsules.tsv"

draw caches 900,420 <<EOF
$colours
set xlabel 'thousand cycles'; set ylabel 'share of the answers from the switch'; set yrange [0:1]
plot 0.85 with lines lc '#888888' dt 2 title 'published: about 0.85 each', \\
  for [i=1:5] '$out/caches.tsv' using (\$1/1000):(column(i+1)) with linespoints pt 7 ps 0.3 lc rgb colour(i) title sprintf('cache %d', i)
EOF
draw provisioning 900,420 <<EOF
$colours
set xlabel 'arrival'; set ylabel 'microseconds at 1 GHz'; set logscale y; set yrange [10:3e6]
plot 1e6 with lines lc '#888888' dt 2 lw 2 title 'published: slightly over 1 s', 1e3 with lines lc '#000000' dt 3 title 'goal: 1 ms', \\
  '$out/provisioning.tsv' with linespoints lc rgb colour(1) title 'active', \\
  '$out/provisioning-translate.tsv' with linespoints lc rgb colour(2) title 'active, with ADDRESS', \\
  '$out/provisioning-capsules.tsv' with linespoints lc rgb colour(3) title 'capsules'
EOF
[ ! -s "$out/throughput.tsv" ] || draw throughput 700,400 <<EOF
$colours
set xlabel 'bytes of a capsule'; set ylabel 'share of line rate, K = 2'; set yrange [0:1.05]; set xtics 64
plot for [i=1:4] '$out/throughput.tsv' using 1:i+1 with linespoints lc rgb colour(i) title word("one-tenant,-computed two,-in-turn two,-at-random one-tenant,-argument", i)
EOF

{
  cat <<EOF
# Programs in packets, measured

\`make bench-active\`. Cycles are those of the simulated chip \`capsules\` (two pipelines, eight stages, 128 words a stage and pipeline) with a bus of 900 cycles
a read and 4 a transfer of 16 bytes; provisioning of \`active\` is the time of the same bus alone, on the reference model. 1,000 cycles are 1 microsecond at 1 GHz.

## Caches
EOF
  jq -r '.caches | "Hit rates before cache 5 arrives: \(.hit_rates_before | map(. * 1000 | round / 10 | tostring) | join(", ")) %; afterwards: \(.hit_rates_after | map(. * 1000 | round / 10 | tostring) | join(", ")) %.",
    "Cache 5 shares memory with others. The first cache, in cycles from the request: it knew its new version after \(.disruption.told_after); \(.disruption.faults) of its programs were faults, from \(.disruption.faults_from) to \(.disruption.faults_to); what it had kept was in its new places after \(.disruption.full_again_after).",
    "", "| cache | request until programs run | of that the change | reads over the bus | transfers |", "|---|---|---|---|---|", (.arrivals[] | "| \(.cache) | \(.ready_after) | \(.change) | \(.reads) | \(.transfers) |")' "$out/results.json"
  cat <<'EOF'

Published: about 85 % each for the first three, the fourth shares with the first, which is disturbed for about 150 ms.

## Provisioning
| chip | ADDRESS written | arrival | cycles | reads | transfers |
|---|---|---|---|---|---|
EOF
  jq -r '.provisioning[] | "| \(.chip) | \(.translate) | \(.arrival) | \(.cycles) | \(.reads) | \(.transfers) |"' "$out/results.json"
  cat <<'EOF'

Published: slightly over 1 s. Goal: 1,000,000 cycles.

## Latency
From the packet into the chip until it has left, packets of 128 bytes. n: NOP, i: MEM_INCREMENT, s: MBR_STORE, r: RTS.

| program | cycles | most |
|---|---|---|
EOF
  jq -r '(.latency // [])[] | "| \(if .program == "" then "EOF alone" else .program end) | \(.cycles) | \(.most) |"' "$out/results.json"
  cat <<'EOF'

Published: 0.5 microseconds a pass.

## Throughput
Share of line rate.

| bytes | tenants | |
|---|---|---|
EOF
  jq -r '(.throughput // [])[] | "| \(.bytes) | \(.tenants) | \(.share_of_line_rate * 1000 | round / 1000) |"' "$out/results.json"
} >"$out/report.md"
cat "$out/report.md"
echo
echo "$out: results.json, report.md; caches, provisioning, throughput (.svg, .png)"
