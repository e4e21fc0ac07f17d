# SPDX-License-Identifier: Apache-2.0
# Area per block against a baseline: what has changed by more than 5 %. Nothing here is a failure.
#   awk -f baseline.awk synth/baseline.tsv area.csv            compares
#   awk -v write=1 -f baseline.awk area.csv >synth/baseline.tsv   makes a new baseline
FILENAME ~ /baseline\.tsv$/ {
  if ($0 !~ /^#/) { split($0, field, "\t"); gates[field[1]] = field[2]; bits[field[1]] = field[3] }
  next
}
{ split($0, field, ",") }
field[1] == "block" { now[field[2]] = field[9]; now_bits[field[2]] = field[10]; name[++n] = field[2] }
function change(what, b, before, after) {
  if (before == 0 && after == 0) return
  if (before == 0 || after > 1.05 * before || after < 0.95 * before) {
    changes++
    printf "%-40s %-8s %10.0f -> %10.0f %s\n", b, what, before, after, before ? sprintf("%+.1f %%", 100 * (after / before - 1)) : "new"
  }
}
END {
  if (write) {
    print "# SPDX-License-Identifier: Apache-2.0"
    print "# Configuration tiny, block by block: gates (two-input NANDs, registers included), bits of memory macros."
    for (i = 1; i <= n; i++) print name[i] "\t" now[name[i]] "\t" now_bits[name[i]]
    exit
  }
  for (i = 1; i <= n; i++) {
    change("gates", name[i], gates[name[i]], now[name[i]])
    change("bits", name[i], bits[name[i]], now_bits[name[i]])
    total += now[name[i]]
  }
  for (b in gates) { before += gates[b]; if (!(b in now)) printf "%-40s gone\n", b }
  printf "%d blocks, %d changed by more than 5 %%; %.0f gates in all, before %.0f\n", n, changes, total, before
}
