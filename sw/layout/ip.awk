# SPDX-License-Identifier: Apache-2.0
# Rewrites files of the chip for sw/layout/ip: names get the prefix of the product, imports become those of its one package.
#   awk -v name=acme -v mode=package|module|wrapper -v made="what this is" -f ip.awk FILE...
# mode package: the bodies of several packages as one. module: one file. wrapper: from rtl/sluice.sv, the top of the product, which is the chip
# without its probes.
BEGIN {
  upper = toupper(name)
  # What Verilator is told outside of packages (rtl/sluice_pkg.sv) stands above the one package.
  for (i = 1; mode == "package" && i < ARGC; i++)
    while (ARGV[i] !~ /=/ && (getline line < ARGV[i]) > 0) {
      if (line ~ /^`ifdef VERILATOR/) told = 1
      if (told) waivers = waivers renamed(line) "\n"
      if (told && line ~ /^`if/) told_deep++
      if (told && line ~ /^`endif/ && --told_deep == 0) told = 0
    }
}

# Names of modules, packages, include files and macros; the chip itself is NAME_chip, since NAME is the wrapper.
function renamed(line) {
  gsub(/SLUICE_/, upper "_", line)
  gsub(/sluice_([a-z0-9]+_)?pkg/, name "_pkg", line)
  gsub(/sluice_/, name "_", line)
  if (line ~ /^(end)?module/) sub(/sluice/, name "_chip", line)
  sub(/"sluice: /, "\"" name ": ", line)
  return line
}
FNR == 1 && /SPDX/ && mode != "wrapper" {
  if (NR == 1) print $0 "\n// " made
  else print ""
  next
}

mode == "package" && /^`ifdef VERILATOR/ { telling = 1; deep = 0 }
mode == "package" && telling {
  if (/^`if/) deep++
  if (/^`endif/ && --deep == 0) telling = 0
  next
}
mode == "package" && /^\/\/ (What a signal is for|signal is used is asked)/ { next }
mode == "package" {
  if ($0 ~ /^package / && !begun++)
    print "// A signal that this shape alone does not use is no mistake.\n" waivers "\n// A package offers more constants than any one block reads.\n/* verilator lint_off UNUSEDPARAM */\npackage " name "_pkg;"
  if ($0 ~ /^(end)?package / || $0 ~ /^ *import / || $0 ~ /^\/\/ Printed by / || $0 ~ /^\/\* verilator lint_o/) next
  if ($0 ~ /^\/\/ A package offers/) next
  # Comments above the first package are those of the file, the others belong to a section.
  print renamed($0)
}

mode == "module" {
  line = renamed($0)
  # One package: the second import of the same is left out.
  if (line ~ /^ *import /) { if (line in seen) next; seen[line] = 1 }
  print line
}

mode == "wrapper" && /^module / { inside = 1; print "module " name; next }
mode == "wrapper" && inside {
  if ($0 ~ /^\);/) { inside = 0; next }
  line = renamed($0)
  if (line ~ /^ *import /) { if (line in seen || line !~ /\*;/) next; seen[line] = 1 }
  if (line ~ /probe_o/ || line ~ /test harness/) next
  if (line ~ /^ *(input|output) /) {
    port = line; sub(/ *\/\/.*/, "", port); sub(/, *$/, "", port); n = split(port, word, " "); ports[++num] = word[n]
    if (held != "") print held
    held = line; next
  }
  if (held != "" && line !~ /^\(/) { print held; held = "" }
  print line
}
END {
  if (mode == "package") print "endpackage : " name "_pkg\n/* verilator lint_on UNUSEDPARAM */"
  if (mode == "wrapper") {
    last = held; sub(/,/, "", last); print last
    print ");\n  " name "_pkg::probe_t unused_probe;  // for test harnesses: nothing depends on it, synthesis removes it\n\n  " name "_chip u_chip ("
    for (i = 1; i <= num; i++) printf "    .%s,\n", ports[i]
    print "    .probe_o(unused_probe)\n  );\nendmodule : " name
  }
}
