rtl/exit/sluice_depth_mark.sv
tb/sluice_depth_mark/tb_sluice_depth_mark.sv
