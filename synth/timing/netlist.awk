# SPDX-License-Identifier: Apache-2.0
# One netlist of the mapped blocks, for OpenSTA.
#   awk -v dir=DIR -f netlist.awk synth/timing/keep.tsv DIR/cells.tsv DIR/kinds.tsv DIR/instances.tsv >chip.v
# - a register is named after the net that it drives, so that paths can be read;
# - a memory macro becomes a cell ram_WORDSxBITS_RrWw of DIR/memories.lib;
# - of the copies that keep.tsv names only some stay, the others become black boxes without timing.
BEGIN { FS = "\t" }
FILENAME ~ /keep\.tsv$/  { if ($0 !~ /^#/) { first[$1] = $2; last[$1] = $3 } next }
FILENAME ~ /cells\.tsv$/ { register[$1] = $3; next }
FILENAME ~ /kinds\.tsv$/ { kind[++kinds] = $1; module[$1] = $2; next }
{ n = ++number[$1, $3]; place[$1, $2] = n; total[$1, $3] = n; child[$1, $2] = $3 }

function constant(text,    n, i) {
  text = substr(text, index(text, "b") + 1)
  n = 0
  for (i = 1; i <= length(text) && substr(text, i, 1) ~ /[01]/; i++) n = 2 * n + substr(text, i, 1)
  return n
}
function cut(k, path,    c, m, n) {
  c = child[k, path]; m = module[c]
  if (!(m in first)) return 0
  n = place[k, path]
  return n > first[m] && n <= total[k, c] - last[m]
}
function block(k,    place_file, file, line, word, path, head, body, macro, value, part, net) {
  place_file = dir "/" k ".place"
  getline file <place_file
  close(place_file)
  file = file "/map.v"
  while ((getline line <file) > 0) {
    if (line ~ /^ *\(\*/ || line ~ /^\/\*/) continue
    split(line, word, " ")
    if (word[1] == "sluice_macro") { macro = 1; continue }
    if (macro) {
      if (word[1] ~ /^\.[A-Za-z]+\(/) {
        split(word[1], part, /[.(]/)
        value[part[2]] = constant(word[1])
      }
      if (word[1] == ")") {
        macro = 0
        print "  ram_" value["Words"] "x" value["Bits"] "_" value["Reads"] "r" value["Writes"] "w " word[2] " ("
      }
      continue
    }
    if (word[1] in register && register[word[1]] && word[3] == "(") {
      head = word[1]; body = ""; net = word[2]
      while ((getline line <file) > 0) {
        if (line ~ /^ *\.Q\(/) {
          net = line; sub(/^ *\.Q\(/, "", net); sub(/\),?$/, "", net)
          gsub(/ /, "", net); sub(/^\\/, "", net)
        }
        body = body line "\n"
        if (line ~ /\);$/) break
      }
      printf "  %s \\%s$reg  (\n%s", head, net, body
      continue
    }
    if (word[1] ~ /^sluice/ && word[3] == "(") {
      path = word[2]; sub(/^\\/, "", path)
      if (cut(k, path)) sub(word[1], word[1] "__cut", line)
    }
    print line
  }
  close(file)
}
END { for (i = 1; i <= kinds; i++) block(kind[i]) }
