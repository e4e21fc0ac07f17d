// SPDX-License-Identifier: Apache-2.0

/// Chooses one of several requests in turn: the first at or after the one behind the last that was
/// taken.
/// Combinational choice; the turn moves at the end of a cycle with take_i.
module sluice_round_robin #(
  parameter int unsigned Count = 4,   // requests, 1 or more
  localparam int unsigned IndexBits = Count > 1 ? $clog2(Count) : 1
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [Count-1:0]     request_i,
  input  logic                 take_i,
  output logic [IndexBits-1:0] index_o      // of the choice; 0 when there is none
);
  logic [IndexBits-1:0] next_q;
  logic [Count-1:0]     behind, candidates;

  assign behind     = request_i & ({Count{1'b1}} << next_q);
  assign candidates = behind != '0 ? behind : request_i;

  always_comb begin
    index_o = '0;
    for (int i = int'(Count) - 1; i >= 0; i--) if (candidates[i]) index_o = IndexBits'(i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) next_q <= '0;
    else if (take_i) next_q <= index_o == IndexBits'(Count - 1) ? '0 : index_o + 1'b1;
  end
endmodule : sluice_round_robin
