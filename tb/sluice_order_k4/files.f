-f tb/sluice_order/files.f
tb/sluice_order_k4/tb_sluice_order_k4.sv
