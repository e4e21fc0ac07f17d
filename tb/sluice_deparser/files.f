rtl/exit/sluice_deparser.sv
tb/sluice_deparser/tb_sluice_deparser.sv
