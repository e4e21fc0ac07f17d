-f tb/sluice_tm/files.f
tb/sluice_tm_narrow/tb_sluice_tm_narrow.sv
