#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# One table of all results: OUT/results.csv, and one a figure: OUT/FIGURE.csv. usage: collect.sh OUT
set -eu
out=$1
{
  echo "figure,series,pattern,parameter,passes,throughput,less_constant_latency,verdict,deepest_queue,c1_violating_share,drops,moves,packets,cycles,packets_per_second,slots_used,nothing_there,waiting_for_order,waiting_for_credit,held_paced,held_braked"
  find "$out/runs" -name '*.json' | sort | xargs cat | jq -r '
    . as $run | .result as $r |
    if .engine != "study" then
      [$r.as_published.throughput // $r.throughput, $r.as_published.less_constant_latency // $r.share_of_line_rate, $r.verdict, $r.deepest_order_queue,
       ($r.recirculation.c1_late_share // $r.c1_violating_share // 0), ([$r.drops[]?] | add // 0), ($r.moves.decided // 0), $r.packets, $r.cycles, $r.simulated_packets_per_second,
       $r.slots.issued, $r.slots.nothing_there, $r.slots.waiting_for_order, $r.slots.waiting_for_credit,
       ([$r.order[].paced] | add), ([$r.order[].braked] | add)]
    else
      [$r.throughput, $r.throughput_net, (if $r.stuck then "STUCK" else "STUDY" end), $r.deepest_queue,
       (if $r.packets > 0 then ($r.c1_packets // 0) / $r.packets else 0 end), ($r.dropped // 0), ($r.moves // 0), $r.packets, $r.cycles, 0,
       ([$r.stages[].used] | add), ([$r.stages[].nothing] | add), ([$r.stages[].order] | add), ([$r.stages[].credit] | add),
       ($r.held.pace // 0), ($r.held.brake // 0)]
    end | [$run.figure, $run.series, $run.pattern, $run.parameter, $run.passes] + . | @csv' | tr -d '"' | sort -t, -k1,1 -k2,2 -k3,3 -k4,4V -k5,5n
} >"$out/results.csv"
for figure in $(awk -F, 'NR > 1 {print $1}' "$out/results.csv" | sort -u); do
  { head -n 1 "$out/results.csv"; awk -F, -v f="$figure" 'NR > 1 && $1 == f' "$out/results.csv"; } >"$out/$figure.csv"
done
