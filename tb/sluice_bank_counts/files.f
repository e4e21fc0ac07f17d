rtl/ctrl/sluice_bank_counts.sv
tb/sluice_bank_counts/tb_sluice_bank_counts.sv
