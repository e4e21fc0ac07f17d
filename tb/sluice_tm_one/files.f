-f tb/sluice_tm/files.f
tb/sluice_tm_one/tb_sluice_tm_one.sv
