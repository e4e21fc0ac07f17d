rtl/cells/sluice_fifo.sv
rtl/cells/sluice_ram.sv
rtl/cells/sluice_table.sv
rtl/stage/sluice_operand_values.sv
rtl/stage/sluice_pairs.sv
rtl/stage/sluice_state_ctl.sv
rtl/stage/sluice_state_unit.sv
tb/sluice_state_unit/tb_sluice_state_unit.sv
