rtl/tm/sluice_cutout.sv
tb/sluice_cutout/tb_sluice_cutout.sv
