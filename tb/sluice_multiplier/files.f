rtl/cells/sluice_table.sv
rtl/table/sluice_table_answer.sv
rtl/table/sluice_config_table.sv
rtl/order/sluice_operand_wide.sv
rtl/stage/sluice_multiplier.sv
tb/sluice_multiplier/tb_sluice_multiplier.sv
