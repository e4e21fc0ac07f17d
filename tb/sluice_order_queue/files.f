rtl/cells/sluice_fifo.sv
rtl/cells/sluice_ram.sv
rtl/cells/sluice_ram_fifo.sv
rtl/cells/sluice_head_fifo.sv
rtl/boundary/sluice_oldest_head.sv
rtl/boundary/sluice_order_queue.sv
tb/sluice_order_queue/tb_sluice_order_queue.sv
