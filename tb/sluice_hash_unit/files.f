rtl/cells/sluice_table.sv
rtl/table/sluice_table_answer.sv
rtl/table/sluice_config_table.sv
rtl/stage/sluice_operand_values.sv
rtl/stage/sluice_hash_unit.sv
tb/sluice_hash_unit/tb_sluice_hash_unit.sv
