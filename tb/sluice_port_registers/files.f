rtl/cells/sluice_counters.sv
rtl/cells/sluice_total.sv
rtl/ctrl/sluice_register_block.sv
rtl/tm/sluice_port_registers.sv
tb/sluice_port_registers/tb_sluice_port_registers.sv
