-f tb/sluice_relocations/files.f
tb/sluice_relocations_marks/tb_sluice_relocations_marks.sv
