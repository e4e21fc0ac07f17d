rtl/boundary/sluice_meeting.sv
tb/sluice_meeting/tb_sluice_meeting.sv
