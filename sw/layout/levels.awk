# SPDX-License-Identifier: Apache-2.0
# Prints rtl/sluice.f: the files of the chip in levels. A module of level n instantiates modules of lower levels only, at least one of
# level n - 1.
#   awk -f sw/layout/levels.awk rtl/sluice.sv rtl/sluice_cfg_check.sv rtl/*/*.sv
/^module / {
  module = $2; sub(/[^a-z0-9_].*/, "", module)
  if (module in file) { print "levels.awk: two modules " module > "/dev/stderr"; exit bad = 1 }
  names[++num] = module; file[module] = FILENAME; inside = 1; next
}
/^endmodule/ { inside = 0 }
inside {
  line = $0; gsub(/"[^"]*"/, "", line); sub(/\/\/.*/, "", line)
  while (match(line, /(^|[^a-zA-Z0-9_.`])sluice_[a-z0-9_]+/)) {
    word = substr(line, RSTART, RLENGTH); sub(/^[^s]*/, "", word)
    uses[module] = uses[module] " " word
    line = substr(line, RSTART + RLENGTH)
  }
}
function level(name, deep, word, n, i, most, below) {
  if (name in known) return known[name]
  if (deep > 100) { print "levels.awk: " name " contains itself" > "/dev/stderr"; exit bad = 1 }
  n = split(uses[name], word, " ")
  for (i = 1; i <= n; i++)
    if (word[i] in file) { below = level(word[i], deep + 1) + 1; if (below > most) most = below }
  return known[name] = most + 0
}
END {
  if (bad) exit 1
  print "// SPDX-License-Identifier: Apache-2.0"
  print "// Printed by `make layout` from the instances in rtl/. The files of the chip in levels: a module instantiates modules of the levels before"
  print "// its own, and no others. Before them comes the package of a shape; from the root of the tree, for example:"
  print "//   verilator --lint-only -Wall --top-module sluice rtl/configs/k4/sluice_cfg_pkg.sv -f rtl/sluice.f"
  print "+incdir+rtl\nrtl/sluice_layout_pkg.sv\nrtl/sluice_pkg.sv\nrtl/sluice_table_pkg.sv\nrtl/stage/sluice_stage_pkg.sv"
  for (i = 1; i <= num; i++) { l = level(names[i], 0); if (l > top) top = l; list[l] = list[l] file[names[i]] "\n" }
  for (l = 0; l <= top; l++) printf "// level %d\n%s", l, list[l]
}
