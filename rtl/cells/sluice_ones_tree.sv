// SPDX-License-Identifier: Apache-2.0

/// Ones' complement sum of N words, left as a few words with the same sum: a tree of carry-save
/// adders, each of which makes two words of three. A carry out of the highest bit comes in again at
/// the lowest. Combinational, one full adder a level.
/// The words that are left are all 0 only if all N were.
module sluice_ones_tree #(
  parameter int unsigned Width  = 16,
  parameter int unsigned N      = 9,   // words
  parameter int unsigned Levels = 2,   // of the tree
  // Words that are left: a third of them goes in each level.
  localparam int unsigned Left  = words_at(N, Levels)
) (
  input  logic [N-1:0][Width-1:0]    words_i,
  output logic [Left-1:0][Width-1:0] words_o
);
  function automatic int unsigned words_at(int unsigned n, int unsigned level);
    int unsigned left;
    left = n;
    for (int unsigned l = 0; l < level; l++) left = left - left / 3;
    return left;
  endfunction

  for (genvar l = 0; l <= Levels; l++) begin : gen_level
    localparam int unsigned Size = words_at(N, l);
    logic [Size-1:0][Width-1:0] words;
    if (l == 0) begin : gen_first
      assign words = words_i;
    end else begin : gen_next
      localparam int unsigned Before = words_at(N, l - 1);
      localparam int unsigned Adders = Before / 3;
      for (genvar a = 0; a < Adders; a++) begin : gen_adder
        logic [Width-1:0] x, y, z, carry;
        assign x = gen_level[l-1].words[3*a];
        assign y = gen_level[l-1].words[3*a+1];
        assign z = gen_level[l-1].words[3*a+2];
        assign carry          = (x & y) | (x & z) | (y & z);
        assign words[2*a]     = x ^ y ^ z;
        assign words[2*a + 1] = {carry[Width-2:0], carry[Width-1]};
      end
      for (genvar r = 3 * Adders; r < Before; r++) begin : gen_rest
        assign words[r-Adders] = gen_level[l-1].words[r];
      end
    end
  end
  assign words_o = gen_level[Levels].words;
endmodule : sluice_ones_tree
