# SPDX-License-Identifier: Apache-2.0
# Yosys scripts that elaborate every block of a configuration by itself, the blocks below it left as black boxes: DIR/elaborate-N.ys.
# Each has 16 blocks, since Yosys keeps memory of those before, and WebAssembly has 4 GB of it: those of s2 together are too many.
#   awk -v dir=DIR -v sources="FILE..." -f elaborate.awk synth/mechanisms.tsv DIR/kinds.tsv
FNR == NR {
  if ($0 !~ /^#/ && NF && $1 !~ /\//) block[$1] = 1
  next
}
{
  split($0, field, "\t")
  kind = field[1]; module = field[2]
  options = ""
  n = split(field[4], parameter, " ")
  for (i = 1; i <= n; i++) options = options " -G " parameter[i]
  for (b in block) if (b != module) options = options " --blackboxed-module " b
  file = dir "/elaborate-" int(blocks / 16) ".ys"
  # Made-up names are numbered: with as many digits in every block, so that their order does not depend on what was read before.
  printf "read_rtlil <<EOT\nautoidx %d\nEOT\n", 1000000000 + 10000000 * blocks++ > file
  print "read_slang --threads 1 -I rtl " sources " --top " module options > file
  print "proc " module > file
  print "opt_clean " module > file
  print "select -assert-none t:$dlatch t:$adlatch t:$dlatchsr t:$sr" > file
  print "setattr -unset src *" > file
  print "setattr -unset src t:*" > file
  print "setattr -unset src w:*" > file
  print "setattr -mod -unset src *" > file
  if (kind != module) print "rename " module " " kind > file
  print "select " kind > file
  print "write_rtlil -selected " dir "/" kind ".il" > file
  print "design -reset" > file
}
