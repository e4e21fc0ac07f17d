rtl/cells/sluice_table.sv
rtl/table/sluice_table_answer.sv
rtl/table/sluice_config_table.sv
rtl/lane/sluice_array_parser.sv
rtl/exit/sluice_array_exit.sv
rtl/exit/sluice_deparser.sv
tb/sluice_array_parser/tb_sluice_array_parser.sv
