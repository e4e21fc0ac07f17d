# SPDX-License-Identifier: Apache-2.0
# The mapped chip, every path from register (or memory) to register: the worst into each block.
# Ports of the chip count as registers. Clock and wires are ideal. A slow clock: what is left of its
# period tells the length of a path, setup included.
set dir $::env(STA_DIR)
set period 1000
read_liberty $::env(STA_LIBERTY)
read_liberty $dir/memories.lib
read_verilog $dir/chip.v
link_design sluice
create_clock -name clock -period $period [get_ports clk_i]
set inputs {}
foreach port [all_inputs] {
  if {[get_property $port full_name] ne "clk_i"} { lappend inputs $port }
}
set_input_delay 0 -clock clock $inputs
set_output_delay 0 -clock clock [all_outputs]
set_false_path -from [get_ports rst_ni]
# Settings of the chip change only between runs (settings_t), so no path begins there: at the registers that drive
# settings_o, but for its lowest bits, which do change in a run (ready, clear, init; 16 of init_index; 32 of bitmap; 32 of
# bank); and at the sets. A register that drives several bits has the name of the lowest.
set live [expr {3 + 16 + 32 + 32}]
set quiet [get_cells -quiet u_ctrl/u_chip_regs.sets_q*]
foreach cell [get_cells u_ctrl/*] {
  if {[regexp {settings_o\\?\[([0-9]+)\\?\]} [get_property $cell full_name] all bit] && $bit >= $live} {
    lappend quiet $cell
  }
}
puts "settings: [llength $quiet] registers"
if {[llength $quiet]} { set_false_path -from $quiet }

# The worst path into each register; of these the worst in each block.
report_checks -path_delay max -format end -group_count 10000000 -endpoint_count 1 -digits 4 >$dir/ends.txt
exec awk -v fo4=$::env(STA_FO4) -v period=$period -f synth/timing/worst.awk $dir/kinds.tsv $dir/instances.tsv \
  $dir/ends.txt | sort -t \t -k 2 -rn >$dir/worst.tsv

set worst [open $dir/worst.tsv]
while {[gets $worst line] >= 0} {
  lassign [split $line \t] kind length fo4 pin
  puts "BLOCK $kind $length $fo4"
  # Of a memory, the cell: the worst path to any of its pins.
  set pattern [string map {\[ \\\[ \] \\\]} $pin]
  if {[regexp {^(.*u_macro)/} $pattern all cell]} { set to [get_cells $cell] } else { set to [get_pins $pattern] }
  report_checks -path_delay max -format full -digits 4 -fields {input_pin} -to $to
}
exit
