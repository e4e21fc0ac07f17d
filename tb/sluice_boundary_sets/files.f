-f tb/sluice_boundary/files.f
tb/sluice_boundary_sets/tb_sluice_boundary_sets.sv
