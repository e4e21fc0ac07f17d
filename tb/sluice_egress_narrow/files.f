-f tb/sluice_egress/files.f
tb/sluice_egress_narrow/tb_sluice_egress_narrow.sv
