rtl/cells/sluice_ones_add.sv
rtl/cells/sluice_ones_tree.sv
rtl/exit/sluice_checksum.sv
tb/sluice_checksum/tb_sluice_checksum.sv
