rtl/cells/sluice_ram.sv
rtl/order/sluice_count_bank.sv
rtl/order/sluice_access_counts.sv
rtl/order/sluice_relocations.sv
rtl/order/sluice_remap.sv
rtl/order/sluice_stage_moves.sv
tb/sluice_remap/tb_sluice_remap.sv
