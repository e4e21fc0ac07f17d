rtl/cells/sluice_count_add.sv
rtl/cells/sluice_ram.sv
rtl/order/sluice_drop_source.sv
rtl/order/sluice_drop_counters.sv
tb/sluice_drop_counters/tb_sluice_drop_counters.sv
