# SPDX-License-Identifier: Apache-2.0
# Seven inverters in a row, each driving four: the next and three more. For sta.tcl.
#   awk -v cell=INVX1 -v in_pin=A -v out_pin=Y -f fo4.awk </dev/null
END {
  print "module fo4 (a);\n  input a;"
  for (i = 1; i <= 7; i++) {
    print "  wire n" i ";"
    printf "  %s u%d (.%s(%s), .%s(n%d));\n", cell, i, in_pin, i == 1 ? "a" : "n" i - 1, out_pin, i
    for (j = 1; j <= 3; j++) printf "  wire d%d_%d;\n  %s v%d_%d (.%s(n%d), .%s(d%d_%d));\n", i, j, cell, i, j, in_pin, i, out_pin, i, j
  }
  print "endmodule"
}
