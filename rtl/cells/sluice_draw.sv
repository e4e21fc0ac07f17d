// SPDX-License-Identifier: Apache-2.0

/// Draws a number in every cycle, by chance as far as any sender can tell: turns that go by the
/// clock would meet a sender with a period of as many cycles always or never.
///
/// 23 bits shift, their feedback is x^23 + x^18 + 1: all values but zero come, each once in
/// 8,388,607 cycles. That number is 47 * 178,481, so that even every second, third or thousandth
/// draw alone sees all numbers equally often. Example: of 1,000 draws of 2 bits about 250 are 3,
/// and so are about 25 of those in every tenth cycle.
/// Throughput: one a cycle; from reset on always the same numbers.
module sluice_draw #(
  parameter int unsigned Width = 2      // up to 6
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  output logic [Width-1:0] value_o
);
  logic [22:0] bits_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) bits_q <= '1;
    else         bits_q <= {bits_q[21:0], bits_q[22] ^ bits_q[17]};
  end
  for (genvar b = 0; b < Width; b++) begin : gen_bit
    assign value_o[b] = bits_q[4*b];
  end
endmodule : sluice_draw
