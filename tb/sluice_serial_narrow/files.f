-f tb/sluice_serial/files.f
tb/sluice_serial_narrow/tb_sluice_serial_narrow.sv
