# SPDX-License-Identifier: Apache-2.0
# One netlist of the mapped blocks, for OpenSTA.
#   awk -v dir=DIR -v buffer=BUFX4 -f netlist.awk synth/timing/keep.tsv DIR/cells.tsv DIR/kinds.tsv DIR/instances.tsv >chip.v
# - a register is named after the net that it drives, so that paths can be read;
# - a memory macro becomes a cell ram_WORDSxBITS_RrWw of DIR/memories.lib;
# - a wire that goes to three blocks or more gets a buffer before each of them: no block can do it for
#   the others when it is mapped by itself;
# - of the copies that keep.tsv names only some stay, the others become black boxes without timing.
BEGIN { FS = "\t" }
FILENAME ~ /keep\.tsv$/  { if ($0 !~ /^#/) { first[$1] = $2; last[$1] = $3 } next }
FILENAME ~ /cells\.tsv$/ { register[$1] = $3; holds[$1] = $4; next }
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
# The bits of a connection line, first the highest: bits[1..n]; sets `port`. 0: not an input that wants buffers.
function connected(c, line, bits,    text, part, num, i, n, net, h, l) {
  if (line !~ /^ *\.[a-z0-9_]+\(.*\),?$/) return 0
  port = line; sub(/^ *\./, "", port); sub(/\(.*/, "", port)
  if (!((c, port) in width) || port == "clk_i" || port == "rst_ni") return 0
  text = line; sub(/^ *\.[a-z0-9_]+\(/, "", text); sub(/\),?$/, "", text)
  if (text ~ /^\{/) { sub(/^\{ */, "", text); sub(/ *\}$/, "", text) }
  num = split(text, part, /, /)
  n = 0
  for (i = 1; i <= num; i++) {
    net = part[i]
    if (net ~ /^[0-9]+'b[01x]+$/) {
      for (h = index(net, "b") + 1; h <= length(net); h++) bits[++n] = "1'b" (substr(net, h, 1) == "1")
      continue
    }
    h = l = ""
    if (match(net, /^\\[^ ]+ /)) { part[i] = substr(net, RLENGTH + 1); net = substr(net, 1, RLENGTH) }
    else if (match(net, /^[A-Za-z_][A-Za-z_0-9$]*/)) { part[i] = substr(net, RLENGTH + 1); net = substr(net, 1, RLENGTH) }
    if (!(net in low)) return 0
    if (match(part[i], /^\[[0-9]+(:[0-9]+)?\] *$/)) {
      h = substr(part[i], 2) + 0
      l = part[i] ~ /:/ ? substr(part[i], index(part[i], ":") + 1) + 0 : h
    } else if (part[i] ~ /^ *$/) { h = high[net]; l = low[net] }
    else return 0
    for (; h >= l; h--) bits[++n] = net (high[net] == "" ? "" : "[" h "]")
  }
  return n == width[c, port] ? n : 0
}
# How many blocks each bit of a net of a parent goes to, and where its bits start and end.
function count_loads(k, file,    line, word, c, net, n, i, bits) {
  split("", loads); split("", low); split("", high)
  while ((getline line <file) > 0) {
    if (line ~ /^  wire /) {
      net = line; sub(/;$/, "", net); sub(/^  wire (\[[0-9]+:[0-9]+\] )?/, "", net)
      low[net] = 0; high[net] = ""
      if (match(line, /^  wire \[[0-9]+:[0-9]+\]/)) {
        split(substr(line, 9, RLENGTH - 9), word, ":")
        high[net] = word[1] + 0; low[net] = word[2] + 0
      }
    }
    if (line ~ /^  sluice/) {
      split(line, word, " ")
      c = word[1]
      if (c == "sluice_macro") continue
      c = cut(k, word[2] ~ /^\\/ ? substr(word[2], 2) : word[2]) ? "" : c
      continue
    }
    if (line ~ /^  \);/) c = ""
    if (c != "" && (n = connected(c, line, bits)))
      for (i = 1; i <= n; i++) if (bits[i] !~ /^1'b/) loads[bits[i]]++
  }
  close(file)
}
# A connection with buffers before those of its bits that go to three blocks or more; they are added to `extra`.
function buffered(line, n, bits,    i, many, text) {
  for (i = 1; i <= n; i++) many += loads[bits[i]] >= 3
  if (!many) return line
  buffers++
  extra = extra sprintf("  wire [%d:0] buffered_%d_;\n", n - 1, buffers)
  for (i = 1; i <= n; i++) {
    if (loads[bits[i]] < 3) { text = text ", " bits[i]; continue }
    extra = extra sprintf("  %s buffer_%d_%d_ (.%s(%s), .%s(buffered_%d_[%d]));\n", buffer, buffers, n - i, in_pin, bits[i], out_pin, buffers, n - i)
    text = text sprintf(", buffered_%d_[%d]", buffers, n - i)
  }
  return "    ." port "({" substr(text, 2) " })" (line ~ /,$/ ? "," : "")
}

function block(k,    place_file, file, line, word, path, head, body, macro, value, part, net, c, n, bits) {
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
        if (line ~ "^ *\\." holds[head] "\\(") {
          net = line; sub(/^ *\.[^(]*\(/, "", net); sub(/\),?$/, "", net)
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
    if (c != "" && (n = connected(c, line, bits))) line = buffered(line, n, bits)
    if (line ~ /^endmodule/) { printf "%s", extra; extra = "" }
    print line
  }
  close(file)
}
END { read_stubs(); for (i = 1; i <= kinds; i++) block(kind[i]) }
