# SPDX-License-Identifier: Apache-2.0
# Area of each block, and the worst path into it, against a baseline: what has changed by more than 5 %. Nothing here is a failure.
#   awk -f baseline.awk baseline.tsv area.csv timing.txt              compares
#   awk -v write=1 -f baseline.awk area.csv timing.txt >baseline.tsv   makes a new baseline
# baseline.tsv: what<TAB>block<TAB>value; what: gates (two-input NANDs, registers included), bits (of memory macros), FO4.
function see(what, block, value) {
  if ((what, block) in now || value == 0) return
  now[what, block] = value
  kind[++n] = what; name[n] = block
}
FILENAME ~ /baseline\.tsv$/ {
  if ($0 !~ /^#/) { split($0, field, "\t"); before[field[1], field[2]] = field[3] }
  next
}
FILENAME ~ /area\.csv$/ {
  split($0, field, ",")
  if (field[1] == "block") { see("gates", field[2], field[9]); see("bits", field[2], field[10]) }
  next
}
# Worst first: the first line of a block counts.
$1 ~ /^[0-9.]+$/ && $2 ~ /^[0-9.]+$/ && $3 ~ /^[0-9]+$/ { see("FO4", $4, $1) }
END {
  if (write) {
    print "# SPDX-License-Identifier: Apache-2.0"
    print "# Configuration tiny: see baseline.awk."
    for (i = 1; i <= n; i++) print kind[i] "\t" name[i] "\t" now[kind[i], name[i]]
    exit
  }
  for (i = 1; i <= n; i++) {
    a = now[kind[i], name[i]]; b = before[kind[i], name[i]] + 0
    total += kind[i] == "gates" ? a : 0
    if (b && a <= 1.05 * b && a >= 0.95 * b) continue
    changes++
    printf "changed %-40s %-5s %10.1f -> %10.1f %s\n", name[i], kind[i], b, a, b ? sprintf("%+.1f %%", 100 * (a / b - 1)) : "new"
  }
  for (k in before) {
    split(k, field, SUBSEP)
    total_before += field[1] == "gates" ? before[k] : 0
    if (!(k in now)) { changes++; printf "changed %-40s %-5s gone\n", field[2], field[1] }
  }
  printf "changed by more than 5 %%: %d of %d; gates in all %.0f -> %.0f\n", changes, n, total_before, total
}
