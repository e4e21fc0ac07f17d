// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Round robin among the body readers of a lane: the first request behind the one served last, or
/// the same one again as long as it may stay.
/// Latency 0, one grant a cycle. Nobody waits for more than NumReaders - 1 others, each with what
/// it does in one stay: a whole body, so that all of it is there soon and can go on its wire
/// without a gap.
module sluice_body_pick
  import sluice_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [NumReaders-1:0] want_i,
  input  logic [NumReaders-1:0] stay_i,       // if it is served now, it is the first next time
  output logic [NumReaders-1:0] grant_o       // at most one bit
);
  logic [NumReaders-1:0] behind_q, behind;      // readers to be served first
  logic [NumReaders-1:0] upper, lowest_upper, lowest;

  assign upper        = want_i & behind_q;
  assign lowest_upper = upper & (~upper + 1'b1);
  assign lowest       = want_i & (~want_i + 1'b1);
  assign grant_o      = upper != '0 ? lowest_upper : lowest;

  // All bits above the granted one, and itself if it stays.
  always_comb
    for (int unsigned n = 0; n < NumReaders; n++)
      behind[n] = (grant_o >> n) == '0 || (grant_o[n] && stay_i[n]);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)           behind_q <= '0;
    else if (want_i != '0) behind_q <= behind;
  end

  `SLUICE_ASSERT(GrantsOne_A, $onehot0(grant_o) && (grant_o != '0) == (want_i != '0))
endmodule : sluice_body_pick
