rtl/cells/sluice_ram.sv
rtl/tm/sluice_byte_turn.sv
rtl/tm/sluice_class_lists.sv
tb/sluice_class_lists/tb_sluice_class_lists.sv
