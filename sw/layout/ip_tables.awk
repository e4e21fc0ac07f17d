# SPDX-License-Identifier: Apache-2.0
# Tables of a product's README, and of docs/ip.md, from the RTL.
#   awk -v mode=ports [-v numbers="NumPipes=2 BeatBytes=64"] -f ip_tables.awk sw/layout/ports.txt rtl/sluice.sv
#       a row for each port but the probes: name, direction, bits, what it is; without numbers, bits by the names of parameters
#   awk -v mode=parameters -f ip_tables.awk PACKAGE
#       a row for each parameter of a package as `sluice layout config` prints it
# A port that ports.txt does not have, or one that the RTL does not have, is an error.
BEGIN {
  num = split(numbers, part, " ")
  for (i = 1; i <= num; i++) { split(part[i], pair, "="); value[pair[1]] = pair[2] }
  if ("BeatBytes" in value) value["BeatBits"] = 8 * value["BeatBytes"]
}
# "[NumPipes-1:0][BeatBits-1:0]" is "2 x 512", or "NumPipes x BeatBits".
function bits(type, text, size, times) {
  while (match(type, /\[[^]]*:0\]/)) {
    size = substr(type, RSTART + 1, RLENGTH - 4)
    type = substr(type, RSTART + RLENGTH)
    if (sub(/-1$/, "", size)) { if (size in value) size = value[size] } else size++
    text = text (times++ ? " x " : "") (size ~ /^[0-9]/ ? size : "`" size "`")
  }
  return text == "" ? 1 : text
}
mode == "ports" && FILENAME ~ /ports[.]txt$/ { name = $1; sub(/^[^ ]* /, ""); what[name] = $0; next }
mode == "ports" && /^ *(input|output) +logic/ {
  line = $0
  sub(/ *\/\/.*/, "", line); sub(/,? *$/, "", line)
  name = line; sub(/.* /, "", name)
  type = line; sub(/ [^ ]*$/, "", type)
  if (!(name in what)) { print FILENAME ": no words for port " name > "/dev/stderr"; bad = 1 }
  printf "| `%s` | %s | %s | %s |\n", name, (line ~ /^ *input/ ? "in" : "out"), bits(type), what[name]
  delete what[name]
}
mode == "ports" && /^\);/ { exit }
# The words stand behind the value, or in the lines before it.
mode == "parameters" && /^ *\/\/ [0-9]+[.][.][0-9]+: / { words = $0; sub(/^ *\/\/ /, "", words); next }
mode == "parameters" && words != "" && /^ *\/\/ / { more = $0; sub(/^ *\/\/ /, "", more); words = words " " more; next }
mode == "parameters" && /^ *localparam int unsigned/ {
  if (match($0, /\/\/ [0-9]+[.][.][0-9]+: /)) words = substr($0, RSTART + 3)
  if (words == "") next
  range = words; sub(/: .*/, "", range); sub(/[.][.]/, " to ", range)
  sub(/^[^:]*: /, "", words)
  sub(/;.*/, "", $6)
  printf "| `%s` | %s | %s | %s |\n", $4, $6, range, words
  words = ""
}
END {
  for (name in what) { print "ports.txt: no port " name > "/dev/stderr"; bad = 1 }
  exit bad
}
