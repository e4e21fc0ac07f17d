#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints report.html: one page that needs nothing else, with every plot and table. usage: report.sh OUT TRACES
set -eu
out=$1
cat <<'EOF'
<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sluice: evaluation</title><style>
body{font:15px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}
table{border-collapse:collapse;font-size:13px}td,th{padding:2px 8px;border-bottom:1px solid #ddd;text-align:right}
td:nth-child(-n+3),th:nth-child(-n+3){text-align:left}.missed{background:#fdd}details{margin:.5em 0}svg{max-width:100%;height:auto}
</style></head><body><h1>Sluice: evaluation</h1>
<p>Throughput is the paper's: cycles until the last packet has arrived over cycles until the last has departed. "Less constant
latency" subtracts from the latter the latency of a lone 64-byte packet through the idle switch of the same build, because a stage
takes eight cycles here and one in the paper's simulator. "Once": each trace once; "ten times": ten times in a row (steady state).
All chip runs are cycle-accurate RTL; EQUIVALENT means that every packet and the whole final state equal the reference's.</p>
EOF
echo "<h2>What was to be reached</h2><pre>"
sh sw/bench/reach.sh "$out" || true
sh sw/bench/verdicts.sh "$out" || true
echo "</pre>"
title() {
  case $1 in
  fig7a) echo "Figure 7a: pipelines" ;; fig7b) echo "Figure 7b: stateful stages" ;; fig7c) echo "Figure 7c: register size" ;;
  fig7d) echo "Figure 7d: packet size" ;; fig8-programs) echo "Figure 8 with the programs themselves, compiled" ;; fig8-*) echo "Figure 8: ${1#fig8-}" ;; stress) echo "Stress: every packet accesses four states" ;;
  banks) echo "Stress: size of the payload banks, and the memory that it costs" ;;
  steps-table) echo "Mode MP5, step by step from the published simulator to the chip" ;;
  steps) echo "The same: all runs" ;;
  principles) echo "Section 4.3.2: what each principle brings" ;; mechanisms) echo "Each mechanism switched off" ;;
  speed) echo "Simulator speed" ;; *) echo "$1" ;;
  esac
}
for figure in fig7a fig7b fig7c fig7d fig8-flowlet fig8-conga fig8-wfq fig8-sequencer fig8-programs steps-table steps principles stress banks mechanisms speed; do
  [ -e "$out/$figure.csv" ] || continue
  echo "<h2>$(title $figure)</h2>"
  [ ! -e "$out/$figure.svg" ] || sed '/<?xml/d; /<!DOCTYPE/,/>/d' "$out/$figure.svg"
  echo "<details><summary>$figure.csv</summary><table>"
  awk -F, '{ tag = NR == 1 ? "th" : "td"; printf "<tr>"; for (i = 2; i <= NF; i++) printf "<%s>%s</%s>", tag, $i, tag; print "</tr>" }' "$out/$figure.csv"
  echo "</table></details>"
done
echo "</body></html>"
