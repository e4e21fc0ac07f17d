rtl/cells/sluice_ram.sv
rtl/order/sluice_prefetch_fifo.sv
rtl/port/sluice_banked_fifo.sv
rtl/port/sluice_deal_turn.sv
rtl/port/sluice_deal.sv
rtl/port/sluice_wire_order.sv
rtl/port/sluice_fast_in.sv
tb/sluice_deal/tb_sluice_deal.sv
