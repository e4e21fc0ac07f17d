rtl/cells/sluice_ram.sv
rtl/order/sluice_prefetch_fifo.sv
rtl/order/sluice_operand_wide.sv
rtl/order/sluice_merge_queue.sv
rtl/order/sluice_merge_pick.sv
rtl/order/sluice_key_merge.sv
tb/sluice_key_merge/tb_sluice_key_merge.sv
