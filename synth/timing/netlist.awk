# SPDX-License-Identifier: Apache-2.0
# One netlist of the mapped blocks, for OpenSTA.
#   awk -v dir=DIR -v buffer=BUFX4 -f netlist.awk synth/timing/keep.tsv DIR/cells.tsv DIR/kinds.tsv DIR/instances.tsv >chip.v
# - a register is named after the net that it drives, so that paths can be read;
# - a memory macro becomes a cell ram_WORDSxBITS_RrWw of DIR/memories.lib;
# - a net that goes to three blocks or more gets a buffer before each of them: no block can do it for
#   the others when it is mapped by itself;
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
# Directions and widths of the ports of all kinds.
function read_stubs(    file, line, word, m, w) {
  file = dir "/stubs.il"
  while ((getline line <file) > 0) {
    split(line, word, " ")
    if (word[1] == "module") m = substr(word[2], 2)
    if (word[1] == "wire" && line ~ / input [0-9]+ /) {
      w = word[2] == "width" ? word[3] : 1
      line = substr(line, index(line, "\\") + 1)
      width[m, line] = w
    }
  }
  close(file)
}
# The net of a connection line, if it is a whole net and the port an input; sets `port`.
function whole_net(c, line,    net) {
  if (line !~ /^ *\.[a-z0-9_]+\(\\?[A-Za-z_][^(){} ]* ?\),?$/) return ""
  port = line; sub(/^ *\./, "", port); sub(/\(.*/, "", port)
  if (!((c, port) in width) || port == "clk_i" || port == "rst_ni") return ""
  net = line; sub(/^ *\.[a-z0-9_]+\(/, "", net); sub(/\),?$/, "", net)
  return net
}
# How many blocks each net of a parent goes to, and where its bits start.
function count_loads(k, file,    line, word, c, net) {
  split("", loads); split("", low)
  while ((getline line <file) > 0) {
    if (line ~ /^  wire /) {
      net = line; sub(/;$/, "", net); sub(/^  wire (\[[0-9]+:[0-9]+\] )?/, "", net)
      low[net] = 0
      if (match(line, /:[0-9]+\]/)) low[net] = substr(line, RSTART + 1, RLENGTH - 2)
    }
    if (line ~ /^  sluice/) {
      split(line, word, " ")
      c = word[1]
      if (c == "sluice_macro") continue
      c = cut(k, word[2] ~ /^\\/ ? substr(word[2], 2) : word[2]) ? "" : c
      continue
    }
    if (line ~ /^  \);/) c = ""
    if (c != "" && (net = whole_net(c, line)) in low) loads[net]++
  }
  close(file)
}

function block(k,    place_file, file, line, word, path, head, body, macro, value, part, net, c, n, i, extra) {
  place_file = dir "/" k ".place"
  getline file <place_file
  close(place_file)
  file = file "/map.v"
  count_loads(k, file)
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
      c = word[1]
      if (cut(k, path)) { sub(word[1], word[1] "__cut", line); c = "" }
    }
    if (line ~ /^  \);/) c = ""
    if (c != "" && (net = whole_net(c, line)) in low && loads[net] >= 3) {
      n = width[c, port]
      buffers++
      extra = extra sprintf("  wire %sbuffered_%d_;\n", n > 1 ? "[" n - 1 ":0] " : "", buffers)
      for (i = 0; i < n; i++)
        extra = extra sprintf("  %s buffer_%d_%d_ (.A(%s%s), .Y(buffered_%d_%s));\n", buffer, buffers, i, net,
                              n > 1 ? "[" i + low[net] "]" : "", buffers, n > 1 ? "[" i "]" : "")
      sub(/\(.*\)/, "(buffered_" buffers "_" ")", line)
    }
    if (line ~ /^endmodule/) { printf "%s", extra; extra = "" }
    print line
  }
  close(file)
}
END { read_stubs(); for (i = 1; i <= kinds; i++) block(kind[i]) }
