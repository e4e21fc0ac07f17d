rtl/cells/sluice_late_choice.sv
rtl/cells/sluice_ram.sv
rtl/boundary/sluice_payload_bank.sv
tb/sluice_payload_bank/tb_sluice_payload_bank.sv
