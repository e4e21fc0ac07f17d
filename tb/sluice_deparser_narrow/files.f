-f tb/sluice_deparser/files.f
tb/sluice_deparser_narrow/tb_sluice_deparser_narrow.sv
