rtl/port/sluice_deal_turn.sv
tb/sluice_deal_turn/tb_sluice_deal_turn.sv
