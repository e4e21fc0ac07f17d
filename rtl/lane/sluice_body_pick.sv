// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Round robin among the body readers of a lane: the first request behind the one served last.
/// Latency 0, one grant a cycle. Nobody waits for more than NumPipes - 1 others.
module sluice_body_pick
  import sluice_cfg_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [NumPipes-1:0] want_i,
  output logic [NumPipes-1:0] grant_o         // at most one bit
);
  logic [NumPipes-1:0] behind_q, behind;      // readers after the last one served
  logic [NumPipes-1:0] upper, lowest_upper, lowest;

  assign upper        = want_i & behind_q;
  assign lowest_upper = upper & (~upper + 1'b1);
  assign lowest       = want_i & (~want_i + 1'b1);
  assign grant_o      = upper != '0 ? lowest_upper : lowest;

  // All bits above the granted one.
  always_comb
    for (int unsigned n = 0; n < NumPipes; n++) behind[n] = (grant_o >> n) == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)           behind_q <= '0;
    else if (want_i != '0) behind_q <= behind;
  end

  `SLUICE_ASSERT(GrantsOne_A, $onehot0(grant_o) && (grant_o != '0) == (want_i != '0))
endmodule : sluice_body_pick
