# SPDX-License-Identifier: Apache-2.0
# Of a block test's files `breaks` and `shapes`, in this order: every mutant is run in some shape, and every number of a shape is a mutant.
# usage: awk -f tb/lint/shapes.awk tb/NAME/breaks tb/NAME/shapes
FILENAME ~ /breaks$/ && NF { mutant[$1] = 1; next }
/^[a-z]/ {
  rows++
  if ($2 == "all") { for (n in mutant) run[n] = 1; next }
  if ($2 == "-") next
  parts = split($2, part, ",")
  for (i = 1; i <= parts; i++) {
    ends = split(part[i], range, "-")
    for (n = range[1] + 0; n <= range[ends] + 0; n++) {
      run[n] = 1
      if (!(n in mutant)) { print "    " FILENAME ": " $1 ": there is no mutant " n; bad = 1 }
    }
  }
}
END {
  if (!rows) { print "    " FILENAME ": no shape"; bad = 1 }
  for (n in mutant) if (!(n in run)) { print "    " FILENAME ": mutant " n " is run in no shape"; bad = 1 }
  exit bad
}
