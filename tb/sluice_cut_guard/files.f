rtl/order/sluice_cut_guard.sv
tb/sluice_cut_guard/tb_sluice_cut_guard.sv
