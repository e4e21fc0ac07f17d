// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Value of an operand in the full width of its container, as a number of 48 bits. Combinational.
/// A container that the chip does not have reads 0; type CONST gives the index field. For a few
/// operands; sluice_operand_values gives all values at once.
module sluice_operand_wide
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_phv_pkg::*;
(
  input  logic        en_i,          // somebody looks at it
  input  containers_t cont_i,
  input  operand_t    operand_i,
  output logic [47:0] value_o
);
  always_comb begin
    value_o = '0;
    if (`SLUICE_WHEN(en_i)) begin
      case (operand_i.kind)
        TypeB2: for (int unsigned i = 0; i < Num2B; i++)
          if (operand_i.idx == 3'(i)) value_o = 48'(cont_i.b2[i]);
        TypeB4: for (int unsigned i = 0; i < Num4B; i++)
          if (operand_i.idx == 3'(i)) value_o = 48'(cont_i.b4[i]);
        TypeB6: for (int unsigned i = 0; i < Array6B; i++)
          if (operand_i.idx == 3'(i)) value_o = 48'(cont_i.b6[i]);
        default: value_o = 48'(operand_i.idx);
      endcase
    end
  end
endmodule : sluice_operand_wide
