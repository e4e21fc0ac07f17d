-f tb/sluice_tm/files.f
tb/sluice_tm_capsules/tb_sluice_tm_capsules.sv
