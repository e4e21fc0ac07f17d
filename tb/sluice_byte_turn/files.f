rtl/tm/sluice_byte_turn.sv
tb/sluice_byte_turn/tb_sluice_byte_turn.sv
