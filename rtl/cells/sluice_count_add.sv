// SPDX-License-Identifier: Apache-2.0

/// Adds at most 16 bits to a count of 32. Combinational.
/// The upper half is worked out beside the lower one, with and without its carry: a carry goes
/// through 16 bits, not through 32.
/// Example: 0x0001_ffff and 3: the lower half is 0x0002, with a carry, so the upper one is 2.
module sluice_count_add (
  input  logic [31:0] count_i,
  input  logic [15:0] more_i,
  output logic [31:0] sum_o
);
  logic carry;
  assign {carry, sum_o[15:0]} = 17'(count_i[15:0]) + 17'(more_i);
  assign sum_o[31:16]         = carry ? count_i[31:16] + 16'd1 : count_i[31:16];
endmodule : sluice_count_add
