// SPDX-License-Identifier: Apache-2.0
// A 32-bit product in two cycles, modulo 2^32: what a stage would need for `a * b` of two values.
// Latency 2, one a cycle; no reset: data only. Measured alone (docs/mapping.md).
module multiplier (
  input  logic        clk_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  output logic [31:0] p_o
);
  logic [31:0] a_q, b_q, low_q, high_q, p_q;
  always_ff @(posedge clk_i) begin
    a_q <= a_i;
    b_q <= b_i;
    // Two halves of b, which are added one cycle later.
    low_q  <= 32'(a_q * {16'b0, b_q[15:0]});
    high_q <= 32'(a_q[15:0] * b_q[31:16]);
    p_q    <= low_q + {high_q[15:0], 16'b0};
  end
  assign p_o = p_q;
endmodule
