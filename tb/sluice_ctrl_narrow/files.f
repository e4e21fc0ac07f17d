-f tb/sluice_ctrl/files.f
tb/sluice_ctrl_narrow/tb_sluice_ctrl_narrow.sv
