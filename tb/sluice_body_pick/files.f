rtl/buffer/sluice_body_pick.sv
tb/sluice_body_pick/tb_sluice_body_pick.sv
