rtl/cells/sluice_counters.sv
rtl/ctrl/sluice_register_block.sv
tb/sluice_register_block/registers.sv
tb/sluice_register_block/tb_sluice_register_block.sv
