# SPDX-License-Identifier: Apache-2.0
# What 32 modules take beside one, by mechanism, in two-input NANDs, a bit of memory as half of one.
#   awk -v nand2=AREA -v name=NAME -f isolation.awk mechanisms.tsv CONFIG-one/blocks.tsv CONFIG/blocks.tsv
# The pipelines: group plain, parser and deparser; not packet buffers, output queues, control, and what MP5 adds.
BEGIN { FS = "\t"; VID_BITS = 12; MATCH_BITS = 205 }
FILENAME ~ /mechanisms/ { if ($1 == "#!") { order[++n] = $2; group[$2] = $3 } next }
{
  one  = FILENAME ~ /-one\/blocks/
  area = $5 * ($6 + $8 + $10) / nand2
  m = $3
  of[one, m] += area
  if (one) next
  if ($1 == "sluice_match") rows += area
  # Tables that a configuration fills: their memories, and the rows of match and filter in flip-flops.
  if ($9 && m != "memory" && (group[m] == "plain" || m == "parse" || m == "exit")) tables += $5 * $10 / nand2
  if ($1 == "sluice_match" || $1 == "sluice_filter") flops += $5 * ($6 + $8) / nand2
}
END {
  printf "%s, kilogates with memory\n  %-12s %12s %12s %10s\n", name, "mechanism", "32 modules", "one", "difference"
  for (i = 1; i <= n; i++) {
    m = order[i]
    here = group[m] == "plain" || m == "parse" || m == "exit"
    if (!here && group[m] != "mp5") continue
    d = of[0, m] - of[1, m]
    printf "  %-12s %12.1f %12.1f %10.1f%s\n", m, of[0, m] / 1000, of[1, m] / 1000, d / 1000, here ? "" : "   (MP5's)"
    if (here) { all += of[0, m]; more += d } else { mp5 += of[0, m]; mp5_more += d }
  }
  printf "pipelines: %.0f kilogates, of them %.0f for 32 modules instead of one: %.1f %% (on top of one module: %.1f %%; Menshen's paper: 11.4 %%)\n",
         all / 1000, more / 1000, 100 * more / all, 100 * more / (all - more)
  vid = rows * VID_BITS / MATCH_BITS
  printf "with the %d bits of a match row that name the module: %.1f %% on top\n", VID_BITS, 100 * (more + vid) / (all - more - vid)
  printf "in what MP5 adds: %.0f of %.0f kilogates\n", mp5_more / 1000, mp5 / 1000
  printf "two banks of configuration: tables in memory %.0f, match rows and filter %.0f kilogates once more: %.1f %% of the pipelines\n",
         tables / 1000, flops / 1000, 100 * (tables + flops) / all
}
