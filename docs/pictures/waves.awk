# SPDX-License-Identifier: Apache-2.0
# Draws waves of a simulation (VCD) as SVG. The picture is described by NAME.wave, one statement a line, # begins a comment:
#   title "TEXT"
#   clock SIGNAL              each column is a rising edge of it, and shows what a register takes in at that edge
#   begin SIGNAL BITS N       the first column is N edges before the first edge at which the signal has this value
#   after SIGNAL              edges at which this signal is 0 are not looked at for the beginning: before reset, registers hold anything
#   columns N
#   show LABEL SIGNAL bit[N] [while SIGNAL[N]]     bit N of the signal as a line, high or low
#   show LABEL SIGNAL hex|decimal|ones|data [while ...]  its value in a box; ones: how many of its bits are 1; data: the word "data" for whatever it is
# Where the bit behind `while` is 0 the value does not matter, and is shown as a grey box. A signal is named by its whole path, as in the VCD.
# Signals that are not there, or a beginning that never comes, are errors: exit code 1.
# usage: LC_ALL=C awk -f waves.awk NAME.wave RUN.vcd
function complain(why) { print FILENAME ":" FNR ": " why > "/dev/stderr"; failed = 1; exit 1 }
function bit_of(value, num) { return num >= length(value) ? 0 : substr(value, length(value) - num, 1) }
function ones(value) { gsub(/0/, "", value); return length(value) }
function hex(value, out, i, n) {
  while (length(value) % 4) value = "0" value
  for (i = 1; i <= length(value); i += 4) {
    n = substr(value, i, 1) * 8 + substr(value, i + 1, 1) * 4 + substr(value, i + 2, 1) * 2 + substr(value, i + 3, 1)
    out = out substr("0123456789abcdef", n + 1, 1)
  }
  sub(/^0+/, "", out)
  return "0x" (out == "" ? "0" : out)
}
function decimal(value, out, i) { for (i = 1; i <= length(value); i++) out = out * 2 + substr(value, i, 1); return out + 0 }
function want(signal) { if (!(signal in wanted)) { wanted[signal] = 1; left_to_find++ } }
# One column: what is there before the edge.
function take(s) {
  edge++
  for (s in wanted) seen[edge, s] = now[s]
  if (!start && (after == "" || now[after] == 1) && decimal(now[begin]) == decimal(begin_value)) { start = edge - before; if (start < 1) start = 1 }
  if (start && edge >= start + columns - 1) exit
}
function finish_time(s) {
  if (clock in next_value && next_value[clock] == 1 && now[clock] == 0) take()
  for (s in next_value) now[s] = next_value[s]
  split("", next_value)
}
FNR == 1 { files++ }
files == 1 && /^ *(#|$)/ { next }
files == 1 && $1 == "title" { title = $0; sub(/^title "/, "", title); sub(/" *$/, "", title); next }
files == 1 && $1 == "clock" { clock = $2; want(clock); next }
files == 1 && $1 == "begin" { begin = $2; begin_value = $3; before = $4; want(begin); next }
files == 1 && $1 == "after" { after = $2; want(after); next }
files == 1 && $1 == "columns" { columns = $2; next }
files == 1 && $1 == "show" {
  label[++rows] = $2; signal[rows] = $3; how[rows] = $4
  want($3)
  if ($5 == "while") {
    match($6, /\[[0-9]+\]$/)
    valid[rows] = substr($6, 1, RSTART - 1); valid_bit[rows] = substr($6, RSTART + 1) + 0
    want(valid[rows])
  }
  next
}
files == 1 { complain("not understood") }
$1 == "$scope" { scope[++depth] = $3; next }
$1 == "$upscope" { depth--; next }
$1 == "$var" {
  name = ""
  for (i = 1; i <= depth; i++) name = name scope[i] "."
  name = name $5
  if (name in wanted && wanted[name]) { wanted[name] = 0; left_to_find--; names[$4] = names[$4] " " name }
  next
}
$1 == "$enddefinitions" {
  if (left_to_find) { for (s in wanted) if (wanted[s]) print "no signal " s > "/dev/stderr"; failed = 1; exit 1 }
  next
}
/^#/ { finish_time(); next }
/^[01xz]/ { code = substr($1, 2); value = substr($1, 1, 1) }
/^b/ { code = $2; value = substr($1, 2) }
/^[01xzb]/ && code in names {
  gsub(/[xz]/, "0", value)
  num = split(names[code], each, " ")
  for (i = 1; i <= num; i++) next_value[each[i]] = value
}
function text_of(row, col, v) {
  v = seen[col, signal[row]]
  if (valid[row] != "" && bit_of(seen[col, valid[row]], valid_bit[row]) == 0) return "-"
  return how[row] == "hex" ? hex(v) : how[row] == "decimal" ? decimal(v) : how[row] == "ones" ? ones(v) : how[row] == "data" ? "data" : bit_of(v, substr(how[row], 5) + 0)
}
END {
  if (failed) exit 1
  if (!start || edge < start + columns - 1) { print "the beginning does not come, or the trace ends too early" > "/dev/stderr"; exit 1 }
  lead = 130; step = 66; line = 30
  width = lead + columns * step + 12; height = 34 + rows * line + 8
  print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " width " " height "\" width=\"" width "\" height=\"" height "\" role=\"img\">"
  print "<title>" title "</title>"
  print "<style>text{font:12px 'DejaVu Sans',Verdana,sans-serif}.in{fill:#1f2328}.free{fill:#76808c}path{fill:none;stroke:#76808c;stroke-width:1.5}"
  print ".bit{stroke:#2f81f7;stroke-width:2}.grid{stroke-width:.5;stroke-dasharray:2 4}.value{fill:#dbe9fb;stroke:#76808c}.any{fill:#76808c;opacity:.35}</style>"
  for (c = 0; c <= columns; c++) print "<path class=\"grid\" d=\"M" lead + c * step " 26V" height - 6 "\"/>"
  for (c = 0; c < columns; c++) print "<text class=\"free\" x=\"" lead + c * step + step / 2 "\" y=\"18\" text-anchor=\"middle\">" c "</text>"
  print "<text class=\"free\" x=\"4\" y=\"18\">edge of the clock</text>"
  for (r = 1; r <= rows; r++) {
    y = 34 + (r - 1) * line
    print "<text class=\"free\" x=\"4\" y=\"" y + 16 "\">" label[r] "</text>"
    d = ""
    for (c = 0; c < columns; c = e) {
      shown = text_of(r, start + c)
      for (e = c + 1; e < columns && text_of(r, start + e) == shown; e++) continue
      x = lead + c * step; w = (e - c) * step
      if (shown == "-") print "<rect class=\"any\" x=\"" x + 2 "\" y=\"" y + 8 "\" width=\"" w - 4 "\" height=\"8\"/>"
      else if (how[r] ~ /^bit/) d = d (d == "" || broken ? "M" : "L") x " " (shown == 1 ? y + 2 : y + 22) "H" x + w
      else {
        print "<rect class=\"value\" x=\"" x + 1 "\" y=\"" y + 1 "\" width=\"" w - 2 "\" height=\"22\" rx=\"4\"/>"
        print "<text class=\"in\" x=\"" x + w / 2 "\" y=\"" y + 16 "\" text-anchor=\"middle\">" shown "</text>"
      }
      broken = shown == "-"
    }
    if (d != "") print "<path class=\"bit\" d=\"" d "\"/>"
  }
  print "</svg>"
}
