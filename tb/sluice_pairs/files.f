rtl/stage/sluice_pairs.sv
rtl/stage/sluice_pairs_shared.sv
tb/sluice_pairs/tb_sluice_pairs.sv
