// SPDX-License-Identifier: Apache-2.0

/// How many bits are one, in unary: bit n of `more_o` says that there are more than n.
/// Sorted halves are merged, an AND and an OR a level, so it is faster than a sum where only the
/// order of two counts matters. Combinational.
module sluice_ones_unary #(
  parameter int unsigned Width = 8     // bits
) (
  input  logic [Width-1:0] bits_i,
  output logic [Width-1:0] more_o
);
  localparam int unsigned Levels = $clog2(Width);
  localparam int unsigned Padded = 1 << Levels;

  for (genvar l = 0; l <= Levels; l++) begin : gen_level
    logic [Padded-1:0] sorted;         // in groups of 2^l
    if (l == 0) begin : gen_first
      assign sorted = Padded'(bits_i);
    end else begin : gen_next
      localparam int unsigned Half = 1 << (l - 1);
      for (genvar g = 0; g < Padded; g += 2 * Half) begin : gen_group
        logic [Half:0] low, high;      // [n]: at least n
        assign low  = {gen_level[l-1].sorted[g +: Half], 1'b1};
        assign high = {gen_level[l-1].sorted[g + Half +: Half], 1'b1};
        always_comb begin
          for (int unsigned n = 0; n < 2 * Half; n++) begin
            sorted[g+n] = 1'b0;
            for (int unsigned i = 0; i <= Half; i++)
              if (i <= n + 1 && n + 1 - i <= Half) sorted[g+n] |= low[i] && high[n+1-i];
          end
        end
      end
    end
  end
  assign more_o = gen_level[Levels].sorted[Width-1:0];
endmodule : sluice_ones_unary
