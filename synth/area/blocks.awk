# SPDX-License-Identifier: Apache-2.0
# Area of every block: from the cells that it is mapped to, and how often the chip has it.
#   awk -v dir=DIR -v gate=NAND2X1 -v bit=0.5 -f blocks.awk mechanisms.tsv cells.tsv DIR/kinds.tsv
# prints one line for each kind, and one for each of its memory macros:
#   block  kind  mechanism  group  copies  logic um2  registers  register um2  macro bits  macro um2
# (areas and counts of one copy); group: mp5, plain, ends.
BEGIN { FS = OFS = "\t" }
FILENAME ~ /mechanisms\.tsv$/ {
  if ($1 == "#!") group[$2] = $3
  else if ($0 !~ /^#/ && NF) mechanism[$1] = $2
  next
}
FILENAME ~ /cells\.tsv$/ { area[$1] = $2; register[$1] = $3; next }

# Mechanism of the memories of `module` under `path`: the first line that fits.
function of_memory(module, path,    key) {
  for (key in mechanism)
    if (index(key, module "/") == 1 && index(path, substr(key, length(module) + 2)) == 1) return mechanism[key]
  return mechanism[module]
}
{
  kind = $1; module = $2; copies = $3
  getline place <(dir "/" kind ".place")
  logic = registers = register_area = 0
  while ((getline line <(place "/stat.txt")) > 0) {
    n = split(line, word, " +")
    if (n >= 4 && word[1] == "" && word[4] in area && word[2] ~ /^[0-9]+$/) {
      if (register[word[4]]) { registers += word[2]; register_area += word[2] * area[word[4]] }
      else logic += word[2] * area[word[4]]
    }
  }
  m = mechanism[module]
  print module, kind, m, group[m], copies, logic, registers, register_area, 0, 0
  while ((getline line <(place "/macros.tsv")) > 0) {
    split(line, word, "\t")
    m = of_memory(module, word[1])
    bits = word[2] * word[3]
    print module "/" word[1], kind, m, group[m], copies, 0, 0, 0, bits, bits * bit * area[gate]
  }
}
