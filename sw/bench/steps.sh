#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Mode MP5 of the chip beside the published throughput, OUT/steps-table.csv, and what lies between: each column but the
# published ones has one thing more of the chip; all less constant latency (the published ones: 16 cycles, which a lone packet takes there).
# Published: `set` is that of the trace which is played, `mean` that of ten such traces. usage: steps.sh OUT TRACES
set -eu
out=$1 published=$2/published-results.csv
[ -e "$out/steps.csv" ] && [ -e "$published" ] || exit 0
arrival() {  # cycles until the last packet has arrived
  jq -r 'select(.figure == "steps" and .engine == "study") | [.pattern, .parameter, .result.last_in] | @csv' "$out"/runs/steps-1-*.json | tr -d '"'
}
arrival >"$out/steps.arrival"
awk -F, -v OFS=, '
  FILENAME ~ /arrival$/ { last[$1, $2] = $3; next }
  FILENAME ~ /published/ { if ($1 == "pipelines" && ($2 == 0 || $2 == "avg")) shown[$2, $3, $4] = $5; next }
  FNR == 1 { next }
  { value[$3, $4, $2] = sprintf("%.4f", $7) (($8 == "EQUIVALENT" || $8 == "STUDY") ? "" : " " $8)
    if ($2 ~ /^[0-9]-/) { steps[$2] = 1; rows[$3, $4] = 1 } }
  function net(throughput, k, p) { return throughput == "" ? "" : sprintf("%.4f", last[p, k] / (last[p, k] / throughput - 16)) }
  END {
    num = 0; for (s in steps) name[++num] = s
    for (i = 1; i <= num; i++) for (j = i + 1; j <= num; j++) if (name[j] < name[i]) { t = name[i]; name[i] = name[j]; name[j] = t }
    printf "figure,pipelines,pattern,published mean,published set"
    for (i = 1; i <= num; i++) printf ",study: %s", substr(name[i], 3)
    print ",chip,chip with banks of 64"
    for (k = 1; k <= 16; k *= 2) for (n = 2; n > 0; n--) {
      p = n == 2 ? "uniform" : "heavytail"
      if (!((p, k) in rows)) continue
      printf "steps,%s,%s,%s,%s", k, p, net(shown["avg", p, k], k, p), net(shown[0, p, k], k, p)
      for (i = 1; i <= num; i++) printf ",%s", value[p, k, name[i]]
      print "," value[p, k, "mp5"] "," value[p, k "-banks-of-64", "mp5"]
    }
  }' "$out/steps.arrival" "$published" "$out/steps.csv" >"$out/steps-table.csv"
rm "$out/steps.arrival"
