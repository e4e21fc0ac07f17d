// SPDX-License-Identifier: Apache-2.0

/// Sum of two words in ones' complement: the carry out of the highest bit is added at the lowest.
/// Combinational.
/// Carries by parallel prefix (Kogge and Stone, 1973); the one that comes in again is not waited
/// for, but added to them in one step more, for every bit knows whether it would go through.
module sluice_ones_add #(
  parameter int unsigned Width = 16   // bits
) (
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  output logic [Width-1:0] sum_o
);
  localparam int unsigned Levels = $clog2(Width);

  // Of the 2**l bits up to each: do they make a carry, would they pass one on?
  for (genvar l = 0; l <= Levels; l++) begin : gen_level
    logic [Width-1:0] makes, passes;
    if (l == 0) begin : gen_first
      assign makes  = a_i & b_i;
      assign passes = a_i ^ b_i;
    end else begin : gen_next
      localparam int unsigned Below = 2**(l-1);
      assign makes  = gen_level[l-1].makes
          | (gen_level[l-1].passes & (gen_level[l-1].makes << Below));
      assign passes = gen_level[l-1].passes & ~(~gen_level[l-1].passes << Below);
    end
  end

  logic [Width-1:0] makes, passes, carry;
  assign makes  = gen_level[Levels].makes;
  assign passes = gen_level[Levels].passes;
  assign carry  = {makes[Width-2:0] | (passes[Width-2:0] & {Width-1{makes[Width-1]}}),
      makes[Width-1]};
  assign sum_o  = gen_level[0].passes ^ carry;

  logic unused_pass;
  assign unused_pass = passes[Width-1];
endmodule : sluice_ones_add
