rtl/cells/sluice_table.sv
rtl/cells/sluice_many_fifo.sv
rtl/table/sluice_table_answer.sv
rtl/table/sluice_config_table.sv
rtl/lane/sluice_array_bank.sv
tb/sluice_array_bank/tb_sluice_array_bank.sv
