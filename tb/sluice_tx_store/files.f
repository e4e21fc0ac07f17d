rtl/cells/sluice_fifo.sv
rtl/cells/sluice_ram.sv
rtl/cells/sluice_ram_fifo.sv
rtl/tm/sluice_tx_store.sv
tb/sluice_tx_store/tb_sluice_tx_store.sv
