// SPDX-License-Identifier: Apache-2.0

/// Random bits for a check: 48 new ones each cycle, and two rates (0 never to 3 always) that stay for 64 cycles.
module cell_random (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [31:0] seed_i,
  output logic [47:0] bits_o,
  output logic [1:0]  flip_o                     // events that happen at those rates
);
  logic [63:0] state_q, a, b, c;
  logic [5:0]  since_q;
  logic [3:0]  rates_q;
  assign a = state_q ^ (state_q << 13);
  assign b = a ^ (a >> 7);
  assign c = b ^ (b << 17);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= {seed_i, 32'h9e3779b9};
      since_q <= '0;
      rates_q <= '0;
    end else begin
      state_q <= c;
      since_q <= since_q + 6'd1;
      if (since_q == '0) rates_q <= c[63:60];
    end
  end
  assign bits_o    = state_q[47:0];
  assign flip_o[0] = state_q[49:48] < rates_q[1:0] || rates_q[1:0] == '1;
  assign flip_o[1] = state_q[51:50] < rates_q[3:2] || rates_q[3:2] == '1;
endmodule : cell_random
