# SPDX-License-Identifier: Apache-2.0
# Signals that no shape uses. Verilator says of one shape which signals nobody reads in it; many of them are there for another shape. Here
# the answers of some shapes meet: a signal is named if each shape that has it says so. Of a struct a room takes what it needs, so of what
# only in part is read vectors alone are named, and arrays of them.
# Verilator names a signal once for all modules that one text makes: an input that one of them reads is read.
# usage: awk -f unused.awk SHAPE.log SHAPE.xml ... : what --xml-only of that shape said and wrote; exit code 1 if a signal is named
function value(name,   text) {
  if (!match($0, " " name "=\"[^\"]*\"")) return ""
  text = substr($0, RSTART, RLENGTH); sub(/^[^"]*"/, "", text); sub(/"$/, "", text); return text
}
FNR == 1 && FILENAME ~ /\.xml$/ { split("", file); split("", has); split("", under); split("", read); split("", input) }
FNR == 1 && FILENAME ~ /\.log$/ { split("", said); shapes++ }
FILENAME ~ /\.log$/ {
  if (!match($0, /^%Warning-UNUSEDSIGNAL: /)) next
  split(substr($0, RLENGTH + 1), part, ":")
  name = $0; sub(/^[^']*'/, "", name); sub(/'.*/, "", name)
  said[part[1] ":" part[2] ":" name] = /Bits of/ ? "part" : "all"
  next
}
/<file / { file[value("id")] = value("filename") }
/<module / { split(value("loc"), loc, ","); here = file[loc[1]] }
/<varref / { read[here, value("name")] }
/<var / {
  split(value("loc"), loc, ","); name = value("origName"); sub(/.*__DOT__/, "", name)
  key = file[loc[1]] ":" loc[2] ":" name
  if (value("dir") == "input") input[key] = file[loc[1]] SUBSEP name
  if (key in has) next
  has[key] = value("dtype_id")
}
/<(structdtype|uniondtype) / { under[value("id")] = "struct" }
/<(refdtype|packarraydtype|unpackarraydtype) / { under[value("id")] = value("sub_dtype_id") }
/<\/verilator_xml>/ {
  for (key in has) {
    seen[key]++
    for (type = has[key]; type in under; type = under[type]) {}
    if (!(key in said)) continue
    if (said[key] == "all" && (key in input) && (input[key] in read)) continue
    if (said[key] == "all") unread[key]++
    else if (type != "struct") unread[key]++
  }
}
END {
  for (key in seen) {
    signals++
    if (unread[key] == seen[key]) { print "    nobody reads it, in " seen[key] " of " shapes " shapes: " key; bad++ }
  }
  if (shapes < 2 || signals < 1000) { print "    only " signals " signals of " shapes " shapes"; exit 1 }
  print (bad ? "not ok" : "ok") " unused: " bad + 0 " of " signals " signals are read in no shape of " shapes
  exit bad != 0
}
