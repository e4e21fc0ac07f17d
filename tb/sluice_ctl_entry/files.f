rtl/ctrl/sluice_ctl_entry.sv
tb/sluice_ctl_entry/tb_sluice_ctl_entry.sv
