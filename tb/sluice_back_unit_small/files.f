-f tb/sluice_back_unit/files.f
tb/sluice_back_unit_small/tb_sluice_back_unit_small.sv
