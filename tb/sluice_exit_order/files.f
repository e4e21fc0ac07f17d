rtl/cells/sluice_ram.sv
rtl/port/sluice_deal_turn.sv
rtl/port/sluice_deal_copies.sv
rtl/port/sluice_exit_order.sv
tb/sluice_exit_order/tb_sluice_exit_order.sv
