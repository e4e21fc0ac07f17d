rtl/cells/sluice_ram.sv
rtl/cells/sluice_table.sv
rtl/table/sluice_table_answer.sv
rtl/table/sluice_config_table.sv
rtl/lane/sluice_capsule_list.sv
rtl/cells/sluice_id_counts.sv
rtl/lane/sluice_capsule_parser.sv
tb/sluice_capsule_parser/tb_sluice_capsule_parser.sv
