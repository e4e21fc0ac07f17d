-f tb/sluice_capsule_unit/files.f
tb/sluice_capsule_unit_active/tb_sluice_capsule_unit_active.sv
