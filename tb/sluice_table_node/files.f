rtl/cells/sluice_slice.sv
rtl/cells/sluice_table.sv
rtl/table/sluice_table_answer.sv
rtl/table/sluice_config_table.sv
rtl/table/sluice_chain_node.sv
rtl/table/sluice_table_node.sv
tb/sluice_table_node/tb_sluice_table_node.sv
