rtl/stage/sluice_alu.sv
tb/sluice_alu/tb_sluice_alu.sv
