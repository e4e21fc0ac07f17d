rtl/order/sluice_flip_watch.sv
rtl/order/sluice_flip_guard.sv
tb/sluice_flip_guard/tb_sluice_flip_guard.sv
