// SPDX-License-Identifier: Apache-2.0

/// Checks sluice_ones_unary of one width: every value if there are few, else random ones.
module cell_ones #(
  parameter int unsigned Width = 8
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [31:0] seed_i,
  input  int          break_i,
  output int          full_o                     // times that all bits were ones
);
  logic [47:0]      random;
  logic [1:0]       unused_flip;
  logic [31:0]      now_q;
  logic [Width-1:0] bits, more;
  cell_random u_random (.clk_i, .rst_ni, .seed_i, .bits_o(random), .flip_o(unused_flip));
  assign bits = Width <= 10 ? Width'(now_q) : Width'(random) | Width'(random >> 20);
  sluice_ones_unary #(.Width(Width)) u_ones (
    .bits_i(break_i == 10 && random[7:0] == '0 ? bits & (bits - 1'b1) : bits), .more_o(more)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      now_q  <= '0;
      full_o <= 0;
    end else begin
      now_q <= now_q + 1;
      if (bits == '1) full_o <= full_o + 1;
      for (int n = 0; n < int'(Width); n++)
        if (more[n] != ($countones(bits) > n)) begin
          $display("FAIL ones of %b: more than %0d is %b", bits, n, more[n]);
          $fatal(1);
        end
    end
  end
endmodule : cell_ones
