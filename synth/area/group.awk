# SPDX-License-Identifier: Apache-2.0
# The kinds that are wanted: awk -v group=NAME -v only="MODULE..." -f group.awk synth/mechanisms.tsv kinds.tsv; empty: all.
BEGIN { FS = "\t" }
FNR == NR {
  if ($1 == "#!") of_mechanism[$2] = $3
  else if ($0 !~ /^#/ && NF) of_module[$1] = $2
  next
}
(group == "" || of_mechanism[of_module[$2]] == group) && (only == "" || index(" " only " ", " " $2 " "))
