// SPDX-License-Identifier: Apache-2.0

/// Adds at most 16 bits to a count of 32. Combinational.
/// The upper half changes only with a carry of the lower one, which is known late. So each four
/// bits of it are worked out with and without that carry, and whether a carry would reach them is
/// known before it: if all bits below them in the upper half are 1.
/// Example: 0x00ff_ffff and 1: the lower half becomes 0, with a carry. It reaches bits 16 to 27,
/// since bits 16 to 23 are 1: 0x0100_0000.
module sluice_count_add (
  input  logic [31:0] count_i,
  input  logic [15:0] more_i,
  output logic [31:0] sum_o
);
  logic carry;
  assign {carry, sum_o[15:0]} = 17'(count_i[15:0]) + 17'(more_i);
  for (genvar g = 16; g < 32; g += 4) begin : gen_four
    logic reached;
    assign reached = (~count_i & 32'((64'd1 << g) - 64'h1_0000)) == '0;
    assign sum_o[g +: 4] = reached && carry ? count_i[g +: 4] + 4'd1 : count_i[g +: 4];
  end
endmodule : sluice_count_add
