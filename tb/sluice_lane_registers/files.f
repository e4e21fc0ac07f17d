rtl/cells/sluice_counters.sv
rtl/ctrl/sluice_register_block.sv
rtl/lane/sluice_lane_registers.sv
tb/sluice_lane_registers/tb_sluice_lane_registers.sv
