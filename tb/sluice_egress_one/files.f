-f tb/sluice_egress/files.f
tb/sluice_egress_one/tb_sluice_egress_one.sv
