# SPDX-License-Identifier: Apache-2.0
# The memory macros of a mapped block: path, words, bits, read ports, write ports, address bits.
function number(text,    n, i) {
  text = substr(text, index(text, "b") + 1)
  n = 0
  for (i = 1; i <= length(text) && substr(text, i, 1) ~ /[01]/; i++) n = 2 * n + substr(text, i, 1)
  return n
}
$1 == "sluice_macro" { inside = 1; next }
!inside { next }
$1 ~ /^\.(Words|Bits|Reads|Writes|AddrBits)\(/ {
  split($1, part, /[.(]/)
  value[part[2]] = number(substr($1, index($1, "(") + 1))
}
$1 == ")" {
  path = $2
  sub(/^\\/, "", path)
  sub(/\.u_macro$/, "", path)
  sub(/\.mem_q$/, "", path)
  print path, value["Words"], value["Bits"], value["Reads"], value["Writes"], value["AddrBits"]
  inside = 0
}
BEGIN { OFS = "\t" }
