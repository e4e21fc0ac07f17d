# SPDX-License-Identifier: Apache-2.0
# Compares the tables of docs/limits.md with the parameters of the shapes, the legal values in docs/shapes.md, and the bounds of the compiler.
# Prints what differs; exit code 1 if something does, or if too few rows were read. usage: awk -v root=DIR -f limits.awk PAGE
function trim(s) { gsub(/^[ `]+|[ `]+$/, "", s); return s }
function wrong(what) { print FILENAME ":" FNR ": " what; bad = 1 }
BEGIN {
  FS = "|"
  while ((getline line < (root "/docs/shapes.md")) > 0) {
    split(line, cell, "|")
    if (line ~ /^\| `[A-Z]/ && !(trim(cell[2]) in legal)) legal[trim(cell[2])] = trim(cell[3])
  }
  files = "cat " root "/sw/driver/image/image.h " root "/sw/reaction/source.h " root "/sw/active/*.h " root "/sw/ir/*.h " root "/sw/compiler/*.h " root "/sw/compiler/*.c"
  while ((files | getline line) > 0)
    while (match(line, /(SLUICE_|REACTION_|ACTIVE_)?MAX_[A-Z_]+ = [0-9]+/)) {
      split(substr(line, RSTART, RLENGTH), part, " = ")
      bound[part[1]] = part[2]
      line = substr(line, RSTART + RLENGTH)
    }
}
/^\| \| parameter/ {
  for (i = 5; i < NF; i++) {
    shape[i] = trim($i)
    package = root "/build/sluice layout config " shape[i]
    while ((package | getline line) > 0)
      if (line ~ /localparam/ && line ~ /=/) {
        name = line; sub(/ *=.*/, "", name); sub(/.* /, "", name)
        number = line; sub(/[^=]*= */, "", number); sub(/[^0-9].*/, "", number)
        value[shape[i], name] = number
      }
  }
}
/^\| .*`[A-Z][A-Za-z0-9]+` \|/ && NF > 7 {
  name = trim($3)
  rows++
  if (trim($4) != legal[name]) wrong(name " is legal: " legal[name])
  for (i = 5; i < NF; i++) if (trim($i) != value[shape[i], name]) wrong(name " of " shape[i] " is " value[shape[i], name])
}
/^\| .*MAX_/ {
  rows++
  if (trim($4) != bound[trim($3)]) wrong(trim($3) " is " bound[trim($3)])
}
END { exit bad || rows < 35 }
