rtl/ctrl/sluice_bank_guard.sv
tb/sluice_bank_guard/tb_sluice_bank_guard.sv
