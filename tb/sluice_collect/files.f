rtl/cells/sluice_ram.sv
rtl/order/sluice_prefetch_fifo.sv
rtl/port/sluice_banked_fifo.sv
rtl/port/sluice_collect.sv
tb/sluice_collect/tb_sluice_collect.sv
