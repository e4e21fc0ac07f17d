rtl/order/sluice_move_bus.sv
tb/sluice_move_bus/tb_sluice_move_bus.sv
