-f tb/sluice_ingress/files.f
tb/sluice_ingress_banks/tb_sluice_ingress_banks.sv
