-f tb/sluice_tm/files.f
tb/sluice_tm_classes/tb_sluice_tm_classes.sv
