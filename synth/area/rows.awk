# SPDX-License-Identifier: Apache-2.0
# The cells of a block with ROWS rows, on the straight line through those with FEW and with MANY.
#   awk -v few=64 -v many=128 -v rows=1024 -f rows.awk FEW/stat.txt MANY/stat.txt
FNR == 1 { file++ }
# a cell of the library: count, area, name
NF == 3 && $1 ~ /^[0-9]+$/ && $3 ~ /^[A-Z][A-Z0-9_]*$/ { count[file, $3] = $1; name[$3] = 1 }
END {
  for (c in name) {
    n = count[1, c] + (count[2, c] - count[1, c]) * (rows - few) / (many - few)
    if (n > 0) printf " %d 0 %s\n", n + 0.5, c
  }
}
