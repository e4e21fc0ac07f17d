# SPDX-License-Identifier: Apache-2.0
# The worst path that ends in each block.
#   awk -v fo4=NS -v period=1000 -f worst.awk DIR/kinds.tsv DIR/instances.tsv DIR/ends.txt
# prints: kind, length in ns, in FO4, end point; worst first after `sort -k 2 -rn`.
FILENAME ~ /kinds\.tsv$/     { module[$1] = $2; next }
FILENAME ~ /instances\.tsv$/ { child[$1, $2] = $3; next }
# Lines of the report: end point, (cell), required, actual, slack, (MET) or (VIOLATED).
/ \((MET|VIOLATED)\)$/ {
  pin = $0
  sub(/^ */, "", pin)
  n = split(pin, column, /  +| \(/)
  pin = column[1]
  kind = "sluice"
  rest = pin
  while ((slash = index(rest, "/")) > 0) {
    head = substr(rest, 1, slash - 1)
    gsub(/\\/, "", head)
    if (!((kind, head) in child)) break
    kind = child[kind, head]
    rest = substr(rest, slash + 1)
  }
  length_ns = period - $(NF-1)
  if (!(kind in worst) || length_ns > worst[kind]) { worst[kind] = length_ns; end[kind] = pin }
  count[kind]++
}
END {
  OFS = "\t"
  for (kind in worst) print kind, sprintf("%.3f", worst[kind]), sprintf("%.1f", worst[kind] / fo4), end[kind]
}
