-f tb/sluice_back_unit/files.f
tb/sluice_back_unit_match4/tb_sluice_back_unit_match4.sv
