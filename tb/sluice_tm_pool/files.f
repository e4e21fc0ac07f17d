rtl/cells/sluice_fifo.sv
rtl/cells/sluice_ram.sv
rtl/cells/sluice_ram_fifo.sv
rtl/cells/sluice_round_robin.sv
rtl/tm/sluice_tm_pool.sv
tb/sluice_tm_pool/tb_sluice_tm_pool.sv
