rtl/lane/sluice_lane_shares.sv
tb/sluice_lane_shares/tb_sluice_lane_shares.sv
