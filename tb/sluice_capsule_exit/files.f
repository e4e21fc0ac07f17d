rtl/exit/sluice_header_move.sv
rtl/exit/sluice_capsule_exit.sv
tb/sluice_capsule_exit/tb_sluice_capsule_exit.sv
