# SPDX-License-Identifier: Apache-2.0
# The answers as the baseline has them. usage: solution.sh FOLDER
awk -F'\t' '$1 == "gates" && $3 > gates { gates = $3; largest = $2 } $1 == "FO4" && $3 > worst { worst = $3; slowest = $2 }
  END { printf "largest = %s\ngates = %d\nslowest = %s\nghz = %.2f\npackets = %.2f\n", largest, gates, slowest, 40 / worst, 2 * 40 / worst }' synth/baseline.tsv > "$1/answers"
