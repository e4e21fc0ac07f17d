# SPDX-License-Identifier: Apache-2.0
# roles.awk: the inverter, the buffer and the two-input NAND of a Liberty library, with their pins. They are found by what
# they compute; of several the smallest is taken, unless one is named.
#   roles -v inverter= -v buffer= -v nand2= LIBRARY        (by synth/area/with_library; each statement on a line of its own)
# Prints "ROLE CELL OUTPUT INPUT..." for each role; exit code 1, and a sentence, if one is missing.
function plain(f) { gsub(/["() \t]/, "", f); return f }
# What a function of these inputs is. Parentheses do not matter here: there is one operator, or a NAND is one of two forms.
function role_of(f, num,    negated) {
  negated = f ~ /^[ "(]*!\(/ || f ~ /\)'[ ")]*$/     # !(A B), (A B)'
  gsub(/"/, "", f)
  if (num == 1) {
    f = plain(f)
    if (f == input[1]) return "buffer"
    if (f == "!" input[1] || f == input[1] "'") return "inverter"
  }
  if (num == 2 && negated) {
    f = f " "; gsub(/[!'()]/, " ", f); gsub(/[&*]/, " ", f); sub(/^ +/, "", f); sub(/ +$/, "", f); gsub(/ +/, " ", f)
    if (f == input[1] " " input[2] || f == input[2] " " input[1]) return "nand2"
  }
  if (num == 2 && !negated) {
    f = plain(f); sub(/\|/, "+", f)
    if (f == "!" input[1] "+!" input[2] || f == "!" input[2] "+!" input[1]) return "nand2"
  }
  return ""
}
function end_cell(    role, i, text) {
  if (outputs != 1 || state) return
  role = role_of(does, inputs)
  if (role == "" || (name[role] != "" && name[role] != cell) || (role in area && area[role] <= cell_area)) return
  area[role] = cell_area
  text = role " " cell " " output
  for (i = 1; i <= inputs; i++) text = text " " input[i]
  line[role] = text
}
function argument(s) { sub(/^[^(]*\(/, "", s); sub(/\).*/, "", s); gsub(/[" \t]/, "", s); return s }
function value(s) { sub(/^[^:]*:/, "", s); return s }
BEGIN {
  name["inverter"] = inverter; name["buffer"] = buffer; name["nand2"] = nand2
  says["inverter"] = "INVERTER"; says["buffer"] = "DRIVER"; says["nand2"] = "NAND2"
}
{ sub(/^[ \t]+/, "") }
/^\{/ { depth++; next }
/^\}/ {
  if (depth == pin_depth) pin_depth = 0
  if (depth == cell_depth) { end_cell(); cell_depth = 0 }
  depth--
  next
}
/^cell[ \t]*\(/ { cell = argument($0); cell_depth = depth + 1; inputs = outputs = state = cell_area = 0; does = "" }
cell_depth && depth == cell_depth && /^(ff|latch|statetable)[ \t]*\(/ { state = 1 }
cell_depth && depth == cell_depth && /^area[ \t]*:/ { cell_area = value($0) + 0 }
cell_depth && depth == cell_depth && /^pin[ \t]*\(/ { pin = argument($0); pin_depth = depth + 1 }
pin_depth && depth == pin_depth && /^direction[ \t]*:/ {
  if ($0 ~ /input/) input[++inputs] = pin
  if ($0 ~ /output/) { outputs++; output = pin }
}
pin_depth && depth == pin_depth && /^function[ \t]*:/ { does = value($0) }
END {
  for (role in name) {
    if (role in line) { print line[role]; continue }
    if (name[role] != "") printf "%s=%s: the library has no such cell, or it is no %s\n", says[role], name[role], role >"/dev/stderr"
    else printf "the library has no %s that could be found: say %s=CELL\n", role, says[role] >"/dev/stderr"
    missing = 1
  }
  exit missing
}
