rtl/cells/sluice_table.sv
rtl/table/sluice_table_answer.sv
rtl/table/sluice_config_table.sv
rtl/lane/sluice_rate_limits.sv
tb/sluice_rate_limits/tb_sluice_rate_limits.sv
