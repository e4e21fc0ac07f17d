rtl/boundary/sluice_issue.sv
tb/sluice_issue/tb_sluice_issue.sv
