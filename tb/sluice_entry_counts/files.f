rtl/cells/sluice_ram.sv
rtl/stage/sluice_entry_counts.sv
tb/sluice_entry_counts/tb_sluice_entry_counts.sv
