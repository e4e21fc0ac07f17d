// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// What each of the 32 spellings of an operand (layout OPERAND) reads as a 32-bit value.
/// Combinational. A container that this configuration does not have reads 0; type CONST reads its
/// index field. Nobody may look at the values while en_i is low: then they are not worked out.
module sluice_operand_values
  import sluice_cfg_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_layout_pkg::*;
(
  input  logic        en_i,
  input  containers_t cont_i,
  output logic [31:0] value_o [32]
);
  always_comb begin
    value_o = '{default: '0};
    if (`SLUICE_WHEN(en_i)) begin
      for (int unsigned i = 0; i < 8; i++) value_o[8 * 32'(TypeConst) + i] = 32'(i);
      for (int unsigned i = 0; i < Num2B; i++) value_o[8 * 32'(TypeB2) + i] = 32'(cont_i.b2[i]);
      for (int unsigned i = 0; i < Num4B; i++) value_o[8 * 32'(TypeB4) + i] = cont_i.b4[i];
      for (int unsigned i = 0; i < Array6B; i++) value_o[8 * 32'(TypeB6) + i] = cont_i.b6[i][31:0];
    end
  end
endmodule : sluice_operand_values
