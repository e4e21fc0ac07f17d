rtl/cells/sluice_slice.sv
rtl/cells/sluice_fifo.sv
rtl/cells/sluice_ram.sv
rtl/cells/sluice_table.sv
tb/sluice_cells/cell_random.sv
tb/sluice_cells/cell_queue.sv
tb/sluice_cells/cell_memory.sv
tb/sluice_cells/tb_sluice_cells.sv
