rtl/order/sluice_homecoming.sv
tb/sluice_homecoming/tb_sluice_homecoming.sv
