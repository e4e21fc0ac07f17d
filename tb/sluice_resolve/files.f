rtl/cells/sluice_table.sv
rtl/order/sluice_operand_wide.sv
rtl/order/sluice_capsule_ahead.sv
rtl/order/sluice_resolve_capsule.sv
rtl/order/sluice_resolve_access.sv
rtl/order/sluice_resolve.sv
tb/sluice_resolve/tb_sluice_resolve.sv
