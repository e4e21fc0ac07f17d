-f tb/sluice_back_unit/files.f
tb/sluice_back_unit_banks/tb_sluice_back_unit_banks.sv
