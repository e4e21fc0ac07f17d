rtl/cells/sluice_ram.sv
rtl/cells/sluice_fifo.sv
rtl/cells/sluice_slice.sv
rtl/cells/sluice_ram_fifo.sv
rtl/tm/sluice_body_ahead.sv
tb/sluice_body_ahead/tb_sluice_body_ahead.sv
