# SPDX-License-Identifier: Apache-2.0
# One Yosys script that elaborates every block of a configuration by itself, the blocks below it left
# as black boxes.
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
  # Made-up names are numbered: with as many digits in every block, so that their order does not depend on what was read before,
  # and below 2^31 for 229 blocks (s2 has 133).
  printf "read_rtlil <<EOT\nautoidx %d\nEOT\n", 1000000000 + 5000000 * blocks++
  print "read_slang --threads 1 -I rtl " sources " --top " module options
  print "proc " module
  print "opt_clean " module
  print "select -assert-none t:$dlatch t:$adlatch t:$dlatchsr t:$sr"
  print "setattr -unset src *"
  print "setattr -unset src t:*"
  print "setattr -unset src w:*"
  print "setattr -mod -unset src *"
  if (kind != module) print "rename " module " " kind
  print "select " kind
  print "write_rtlil -selected " dir "/" kind ".il"
  print "design -reset"
}
