# SPDX-License-Identifier: Apache-2.0
# Prints C that holds the texts of the built-in files, by name. A text is a list of bytes, since C
# promises no longer strings than 4,095.
# usage: awk -f embed.awk core.p4 v1model.p4 ...
function bytes(line, i) {
  for (i = 1; i <= length(line); i++) printf "%d,", code[substr(line, i, 1)]
  print "10,"
}
function base(path) {
  sub(/^.*\//, "", path)
  return path
}
BEGIN {
  for (i = 1; i < 128; i++) code[sprintf("%c", i)] = i
  print "// Printed by sw/p4/include/embed.awk.\n#include \"p4/texts.h\""
}
FNR == 1 {
  if (NR > 1) print "0};"
  printf "static const char text%d[] = {\n", files
  names[files++] = base(FILENAME)
}
{ bytes($0) }
END {
  print "0};\nconst struct p4_built_in_file p4_built_in_files[] = {"
  for (i = 0; i < files; i++) printf "    {\"%s\", text%d},\n", names[i], i
  print "    {0, 0},\n};"
}
