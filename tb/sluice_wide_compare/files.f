rtl/cells/sluice_table.sv
rtl/table/sluice_table_answer.sv
rtl/table/sluice_config_table.sv
rtl/order/sluice_operand_wide.sv
rtl/stage/sluice_wide_compare.sv
tb/sluice_wide_compare/tb_sluice_wide_compare.sv
