-f tb/sluice_array_match/files.f
tb/sluice_array_match_wide/tb_sluice_array_match_wide.sv
