rtl/stage/sluice_operand_values.sv
rtl/stage/sluice_operands.sv
tb/sluice_operands/tb_sluice_operands.sv
