# SPDX-License-Identifier: Apache-2.0
# Delay of an inverter that drives four of itself, in the middle of a row of such, so that its input
# has the slope of that row; a rise and a fall.
read_liberty $::env(STA_LIBERTY)
read_verilog $::env(STA_DIR)/fo4.v
link_design fo4
create_clock -name clock -period 100
set_input_transition 0.1 [get_ports a]
set_input_delay 0 -clock clock [get_ports a]
report_dcalc -from [get_pins u5/$::env(INVERTER_IN)] -to [get_pins u5/$::env(INVERTER_OUT)] -digits 6
exit
