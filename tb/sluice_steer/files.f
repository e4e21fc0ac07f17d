rtl/cells/sluice_ones_unary.sv
rtl/boundary/sluice_steer_order.sv
rtl/boundary/sluice_steer.sv
tb/sluice_steer/tb_sluice_steer.sv
