// SPDX-License-Identifier: Apache-2.0

/// Chooses one of several requests in turn: the first behind the last that was taken.
/// Combinational choice; the turn moves at the end of a cycle with take_i.
module sluice_round_robin #(
  parameter int unsigned Count = 4    // requests, 1 or more
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Count-1:0] request_i,
  input  logic             take_i,
  output logic [Count-1:0] grant_o    // at most one bit; none when there is no request
);
  logic [Count-1:0] behind_q;         // requests behind the last that was taken
  logic [Count-1:0] upper, first_upper, first, upto;

  assign upper = request_i & behind_q;
  for (genvar n = 0; n < Count; n++) begin : gen_request
    if (n == 0) begin : gen_first
      assign first_upper[n] = upper[n];
      assign first[n]       = request_i[n];
    end else begin : gen_other
      assign first_upper[n] = upper[n] && upper[n-1:0] == '0;
      assign first[n]       = request_i[n] && request_i[n-1:0] == '0;
    end
    assign upto[n] = (grant_o >> n) != '0;
  end
  assign grant_o = upper != '0 ? first_upper : first;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)     behind_q <= '0;
    else if (take_i) behind_q <= ~upto;
  end
endmodule : sluice_round_robin
