-f tb/sluice_front_stage/files.f
tb/sluice_front_stage_match4/tb_sluice_front_stage_match4.sv
