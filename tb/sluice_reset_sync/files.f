rtl/cells/sluice_reset_sync.sv
tb/sluice_reset_sync/tb_sluice_reset_sync.sv
