# SPDX-License-Identifier: Apache-2.0
# Liberty of the memory macros: only what timing needs. Access times: docs/silicon.md.
#   sort -u macros | awk -v fo4=NS -f memories.awk   (lines of macros.awk without the path)
function bus(width) {
  if (width in typed) return
  typed[width] = 1
  printf "  type (bus%d) { base_type : array; data_type : bit; bit_width : %d; bit_from : %d; bit_to : 0; downto : true; }\n",
         width, width, width - 1
}
function input(name, width) {
  return sprintf("    bus (%s) { bus_type : bus%d; direction : input; capacitance : %.4f;\n      timing () { related_pin : \"clk\"; timing_type : setup_rising;\n        rise_constraint (scalar) { values (\"%.4f\"); } fall_constraint (scalar) { values (\"%.4f\"); } } }\n",
                 name, width, load, setup, setup)
}
BEGIN {
  FS = "\t"
  load = 0.02; setup = 2 * fo4
  print "library (memories) {\n  delay_model : table_lookup;\n  time_unit : \"1ns\"; voltage_unit : \"1V\"; current_unit : \"1uA\";"
  print "  pulling_resistance_unit : \"1kohm\"; leakage_power_unit : \"1nW\"; capacitive_load_unit (1,pf);"
}
{
  words = $1; bits = $2; reads = $3; writes = $4; address = $5
  # 8 FO4 up to a kilobit, one more for each doubling.
  access = 8
  for (size = 1024; size < words * bits; size *= 2) access++
  delay = access * fo4
  bus(reads); bus(writes); bus(reads * address); bus(writes * address); bus(reads * bits); bus(writes * bits)
  cell = cell sprintf("  cell (ram_%dx%d_%dr%dw) {\n    area : 0;\n    pin (clk) { direction : input; clock : true; capacitance : %.4f; }\n", words, bits, reads, writes, load)
  cell = cell input("re", reads) input("ra", reads * address) input("we", writes) input("wa", writes * address) input("wd", writes * bits)
  cell = cell sprintf("    bus (rd) { bus_type : bus%d; direction : output; max_capacitance : 1.0;\n      timing () { related_pin : \"clk\"; timing_type : rising_edge;\n        cell_rise (scalar) { values (\"%.4f\"); } cell_fall (scalar) { values (\"%.4f\"); }\n        rise_transition (scalar) { values (\"%.4f\"); } fall_transition (scalar) { values (\"%.4f\"); } } }\n  }\n",
                      reads * bits, delay, delay, fo4, fo4)
}
END { printf "%s}\n", cell }
