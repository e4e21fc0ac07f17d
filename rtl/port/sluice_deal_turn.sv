// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// The rule of dealing: which lane of a fast port the next packets go to. The next lane in turn,
/// but lanes that have Slack beats more to do than the one that has least are passed over.
/// Example, four lanes with 3, 40, 0 and 7 beats, and turn at lane 1: the next packets go to lanes
/// 2, 3, 0, 2.
/// Latency: a change of waiting_i counts 2 cycles later (what the least is, 3); up to Dealt packets
/// a cycle. Packet n of a cycle goes to list_o[n modulo Lanes].
/// While all have about as much to do, lanes follow each other by their numbers: then packets of
/// Lanes lanes can be given their place in the order in one cycle (sluice_wire_order). The distance
/// to the least decides, not what waits: that stays at a full load as it was, and a fixed limit
/// would divide the lanes for ever.
module sluice_deal_turn #(
  parameter int unsigned Lanes     = 4,    // a power of two, at least 2
  parameter int unsigned Dealt     = 4,    // packets of a cycle, at most; at least Lanes
  parameter int unsigned CountBits = 9,
  parameter int unsigned Slack     = 8,
  localparam int unsigned LaneBits = $clog2(Lanes),
  localparam int unsigned DealBits = $clog2(Dealt + 1)
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic [Lanes-1:0][CountBits-1:0] waiting_i,   // beats in front of each lane
  output logic [Lanes-1:0][LaneBits-1:0]  list_o,
  input  logic [DealBits-1:0]             dealt_i      // so many packets were dealt
);
  typedef logic [LaneBits-1:0]  lane_t;
  typedef logic [CountBits-1:0] count_t;

  // ---- the lanes that have about as little to do as any
  count_t           least_d, least_q;
  logic [Lanes-1:0] light_d, light_q;
  always_comb begin
    least_d = waiting_i[0];
    for (int unsigned l = 1; l < Lanes; l++)
      if (waiting_i[l] < least_d) least_d = waiting_i[l];
    for (int unsigned l = 0; l < Lanes; l++)
      light_d[l] = {1'b0, waiting_i[l]} < {1'b0, least_q} + (CountBits + 1)'(Slack);
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      least_q <= '0;
      light_q <= '1;
    end else begin
      least_q <= least_d;
      light_q <= light_d == '0 ? '1 : light_d;
    end
  end

  // ---- those in turn, and around again when there are not enough
  lane_t                   turn_q;
  logic [Lanes-1:0]        around;              // light_q from the turn on
  logic [LaneBits:0]       number;              // of light lanes
  lane_t [Lanes-1:0]       place;               // of each in the list
  always_comb begin
    for (int unsigned d = 0; d < Lanes; d++) around[d] = light_q[turn_q + lane_t'(d)];
    number = '0;
    for (int unsigned d = 0; d < Lanes; d++) begin
      place[d] = lane_t'(number);
      number   = number + (LaneBits + 1)'(around[d]);
    end
    list_o = '0;
    for (int unsigned n = 0; n < Lanes; n++)
      for (int unsigned d = 0; d < Lanes; d++)
        for (int unsigned many = 1; many <= Lanes; many++)
          if (number == (LaneBits + 1)'(many) && around[d] && 32'(place[d]) == n % many)
            list_o[n] = list_o[n] | (turn_q + lane_t'(d));
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)             turn_q <= '0;
    else if (dealt_i != '0)  turn_q <= list_o[lane_t'(dealt_i - 1'b1)] + 1'b1;
  end

  `SLUICE_ASSERT(SomeLaneIsLight_A, light_q != '0)
endmodule : sluice_deal_turn
