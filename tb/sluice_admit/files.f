rtl/order/sluice_admit.sv
tb/sluice_admit/tb_sluice_admit.sv
