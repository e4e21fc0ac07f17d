rtl/cells/sluice_fifo.sv
rtl/boundary/sluice_least.sv
rtl/boundary/sluice_order_queue.sv
tb/sluice_order_queue/tb_sluice_order_queue.sv
