-f tb/sluice_ingress/files.f
tb/sluice_ingress_narrow/tb_sluice_ingress_narrow.sv
