// SPDX-License-Identifier: Apache-2.0

/// Adds a number of 1 or 16 bits to a count of 32. Combinational.
/// Bits of count_i above more_i change only if the sum below them has a carry, and that is known
/// late. So four bits at a time are worked out both with the carry and without it. Whether it
/// reaches them is known before: all bits of count_i between it and them must be 1.
/// Example, 16 bits: 0x00ff_ffff and 1: the lower half becomes 0, with a carry. It reaches bits 16
/// to 27, since bits 16 to 23 are 1: 0x0100_0000.
module sluice_count_add #(
  parameter int unsigned MoreBits = 16   // 1 or 16: bits of the number
) (
  input  logic [31:0]         count_i,
  input  logic [MoreBits-1:0] more_i,
  output logic [31:0]         sum_o
);
  localparam int unsigned First = MoreBits == 1 ? 0 : 16;   // bit that the carry comes to
  logic carry;
  if (MoreBits == 1) begin : gen_one
    assign carry = more_i[0];
  end else begin : gen_half
    assign {carry, sum_o[15:0]} = 17'(count_i[15:0]) + 17'(more_i);
  end
  for (genvar g = First; g < 32; g += 4) begin : gen_four
    localparam logic [31:0] Below = 32'((64'd1 << g) - (64'd1 << First));
    logic reached;
    assign reached = (~count_i & Below) == '0;
    assign sum_o[g +: 4] = reached && carry ? count_i[g +: 4] + 4'd1 : count_i[g +: 4];
  end
endmodule : sluice_count_add
