# SPDX-License-Identifier: Apache-2.0
# Prints rtl/sluice.f: packages in the order of their imports, then modules in levels. A module of level n instantiates modules of lower
# levels only, at least one of level n - 1.
#   awk -f sw/layout/levels.awk rtl/*.sv rtl/*/*.sv
/^(module|package) / {
  name = $2; sub(/[^a-z0-9_].*/, "", name)
  if (name in file) { print "levels.awk: two files have " name > "/dev/stderr"; exit bad = 1 }
  names[++num] = name; file[name] = FILENAME; kind[name] = $1; inside = 1; next
}
/^end(module|package)/ { inside = 0 }
inside {
  line = $0; gsub(/"[^"]*"/, "", line); sub(/\/\/.*/, "", line)
  while (match(line, /(^|[^a-zA-Z0-9_.`])sluice_[a-z0-9_]+/)) {
    word = substr(line, RSTART, RLENGTH); sub(/^[^s]*/, "", word)
    uses[name] = uses[name] " " word
    line = substr(line, RSTART + RLENGTH)
  }
}
# Packages count among packages, modules among modules.
function level(name, deep, word, n, i, most, below) {
  if (name in known) return known[name]
  if (deep > 100) { print "levels.awk: " name " needs itself" > "/dev/stderr"; exit bad = 1 }
  n = split(uses[name], word, " ")
  for (i = 1; i <= n; i++)
    if (word[i] in file && word[i] != name && kind[word[i]] == kind[name]) {
      below = level(word[i], deep + 1) + 1; if (below > most) most = below
    }
  return known[name] = most + 0
}
END {
  if (bad) exit 1
  print "// SPDX-License-Identifier: Apache-2.0"
  print "// Printed by `make layout` from imports and instances in rtl/. Packages first. Then the modules in levels: a module instantiates"
  print "// modules of the levels before its own, and no others. Before all comes the package of a shape; from the root of the tree, for example:"
  print "//   verilator --lint-only -Wall --top-module sluice rtl/configs/k4/sluice_cfg_pkg.sv -f rtl/sluice.f"
  print "+incdir+rtl\n// packages"
  for (i = 1; i <= num; i++) { l = level(names[i], 0); if (l > top) top = l; list[kind[names[i]], l] = list[kind[names[i]], l] file[names[i]] "\n" }
  for (l = 0; l <= top; l++) printf "%s", list["package", l]
  for (l = 0; l <= top; l++) printf "// level %d\n%s", l, list["module", l]
}
