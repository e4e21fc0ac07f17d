-f tb/sluice_boundary/files.f
tb/sluice_boundary_small/tb_sluice_boundary_small.sv
