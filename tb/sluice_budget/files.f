rtl/cells/sluice_table.sv
rtl/table/sluice_table_answer.sv
rtl/table/sluice_config_table.sv
rtl/exit/sluice_budget.sv
tb/sluice_budget/tb_sluice_budget.sv
