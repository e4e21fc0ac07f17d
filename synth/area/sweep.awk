# SPDX-License-Identifier: Apache-2.0
# Growth with K and S beside table 1 of the MP5 paper, each relative to its own K = 2, S = 4.
#   awk -f sweep.awk synth/mp5_table1.csv sweep.csv
BEGIN { FS = "," }
/^#/ || /^k,/ { next }
FILENAME ~ /mp5_table1/ { paper[$1, $2] = $3; next }
{
  if (!($1 in seen_k)) { seen_k[$1] = 1; ks[++nk] = $1 }
  if (!($2 in seen_s)) { seen_s[$2] = 1; ss[++ns] = $2 }
  gates[$1, $2] = $3; area[$1, $2] = $4 + $7; bits[$1, $2] = $6
}
END {
  for (i = 1; i < ns; i++) for (j = i + 1; j <= ns; j++) if (ss[j] + 0 < ss[i] + 0) { t = ss[i]; ss[i] = ss[j]; ss[j] = t }
  print "What the one order takes (group mp5), K pipelines, S back stages: kilogates (registers included), kilobits"
  print "of memory macros, area of both in mm2 of the library; and relative to K = 2, S = 4, with the paper's beside it."
  printf "\n%4s %4s %12s %10s %10s %10s %10s\n", "K", "S", "kilogates", "kilobits", "mm2", "relative", "MP5 paper"
  for (i = 1; i <= nk; i++)
    for (j = 1; j <= ns; j++) {
      k = ks[i]; s = ss[j]
      if (!((k, s) in gates)) continue
      printf "%4d %4d %12.0f %10.0f %10.2f %10s %10s\n", k, s, gates[k, s] / 1000, bits[k, s] / 1000, area[k, s] / 1e6,
             (2, 4) in area ? sprintf("%.2f", area[k, s] / area[2, 4]) : "-", (k, s) in paper ? sprintf("%.2f", paper[k, s] / paper[2, 4]) : "-"
    }
}
