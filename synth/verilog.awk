# SPDX-License-Identifier: Apache-2.0
# One Yosys script that writes each elaborated block as plain Verilog at word level: registers,
# operators, memories as arrays that tools can infer. Nothing is mapped.
#   awk -v dir=DIR -f verilog.awk DIR/kinds.tsv
BEGIN { FS = "\t" }
{
  kind = $1
  print "read_rtlil " dir "/stubs.il"
  print "read_rtlil " dir "/" kind ".block.il"
  print "hierarchy -check -top " kind
  print "opt_expr\nopt_clean\nmemory_dff\nmemory_collect\nopt\nwreduce\npeepopt\nopt -full\nopt_clean"
  # Verilog has no operator for these.
  print "bmuxmap\ndemuxmap\nbwmuxmap\nopt_expr\nopt_clean"
  print "check -assert"
  print "select " kind
  print "write_verilog -selected -noattr " dir "/" kind ".v"
  print "design -reset"
}
