# SPDX-License-Identifier: Apache-2.0
# Constraints of the chip alone, out of context: no pins, those are the shell's. UNTESTED: no Vivado has read them.
# The period is a starting point, not a promise: `make timing` says how long the paths are.
create_clock -name clk -period 10.000 [get_ports clk]
# The shell's reset comes at any time; its release is made synchronous in sluice_u250.
set_false_path -from [get_ports aresetn]
# Ports go to registers of the shell's.
set_input_delay  -clock clk 2.000 [filter [all_inputs] {NAME != clk && NAME != aresetn}]
set_output_delay -clock clk 2.000 [all_outputs]
