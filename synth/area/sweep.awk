# SPDX-License-Identifier: Apache-2.0
# Growth with K and S beside table 1 of the MP5 paper, each relative to its own K = 2, S = 4.
#   awk -f sweep.awk synth/mp5_table1.csv sweep.csv
BEGIN { FS = "," }
/^#/ { next }
FILENAME ~ /mp5_table1/ { paper[$1, $2] = $3; next }
/^k,/ {
  for (i = 8; i <= NF; i++) { name[i] = $i; sub(/_um2$/, "", name[i]) }
  columns = NF
  next
}
{
  if (!($1 in seen_k)) { seen_k[$1] = 1; ks[++nk] = $1 }
  if (!($2 in seen_s)) { seen_s[$2] = 1; ss[++ns] = $2 }
  gates[$1, $2] = $3; area[$1, $2] = $4 + $7; bits[$1, $2] = $6
  for (i = 8; i <= columns; i++) {
    of[$1, $2, i] = $i
    # what the paper's table has: crossbars with their FIFOs
    if (name[i] ~ /^(crossbar|banks|queues|steering)$/) same[$1, $2] += $i
  }
}
function relative(value, base) { return base > 0 ? sprintf("%.2f", value / base) : "-" }
END {
  for (i = 1; i < ns; i++) for (j = i + 1; j <= ns; j++) if (ss[j] + 0 < ss[i] + 0) { t = ss[i]; ss[i] = ss[j]; ss[j] = t }
  print "What the one order takes (group mp5), K pipelines, S back stages: kilogates (registers included), kilobits"
  print "of memory macros, area of both in mm2 of the library; relative to K = 2, S = 4: all of it, what the paper's table"
  print "1 has of it (crossbars and their FIFOs: mechanisms crossbar, banks, queues, steering), and that table."
  printf "\n%4s %4s %12s %10s %10s %10s %12s %10s\n", "K", "S", "kilogates", "kilobits", "mm2", "relative", "as in table", "MP5 paper"
  for (i = 1; i <= nk; i++)
    for (j = 1; j <= ns; j++) {
      k = ks[i]; s = ss[j]
      if (!((k, s) in gates)) continue
      printf "%4d %4d %12.0f %10.0f %10.2f %10s %12s %10s\n", k, s, gates[k, s] / 1000, bits[k, s] / 1000, area[k, s] / 1e6,
             relative(area[k, s], area[2, 4]), relative(same[k, s], same[2, 4]), (k, s) in paper ? sprintf("%.2f", paper[k, s] / paper[2, 4]) : "-"
    }
  printf "\nShare of each mechanism, logic and memory, in %%\n%4s %4s", "K", "S"
  for (c = 8; c <= columns; c++) printf " %10s", name[c]
  print ""
  for (i = 1; i <= nk; i++)
    for (j = 1; j <= ns; j++) {
      k = ks[i]; s = ss[j]
      if (!((k, s) in gates)) continue
      printf "%4d %4d", k, s
      for (c = 8; c <= columns; c++) printf " %10.1f", 100 * of[k, s, c] / area[k, s]
      print ""
    }
}
