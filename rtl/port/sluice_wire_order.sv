// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Gives the packets of one fast port their place in the order: that of the wire, whichever lane
/// each went through.
///
/// The lanes of the packets stand in a queue, in the order in which the packets began. Each lane
/// tells when a packet has ended in it, and whether it is stored. In each cycle the oldest packets
/// arrive, as many as have ended and have lanes in ascending order, so at most one of each lane: in
/// the same cycle the order point takes lanes by their numbers. A packet that was dropped only
/// leaves the queue.
/// Example, lanes of the queue 1, 2, 3, 0, and lane 3 has not ended its packet: lanes 1 and 2
/// arrive now. When lane 3 has, it arrives, and a cycle later lane 0, which may have ended long
/// before.
/// Latency 2 cycles from done_i to arrive_o; up to Lanes packets a cycle.
/// Invariant: what has arrived are all packets of the wire up to one, without those dropped.
module sluice_wire_order #(
  parameter int unsigned Lanes = 4,      // a power of two, at least 2
  // packets that have begun and not arrived: of 2,048 a model of the rule had 1,230 at most
  parameter int unsigned Depth = 512 * Lanes,
  localparam int unsigned LaneBits = $clog2(Lanes),
  localparam int unsigned MoveBits = $clog2(Lanes + 1)
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  // packets that begin, in the order of the wire, and their lanes
  input  logic [MoveBits-1:0]            begun_i,
  input  logic [Lanes-1:0][LaneBits-1:0] begun_lane_i,
  // a lane has ended a packet; stored, or dropped
  input  logic [Lanes-1:0]               done_i,
  input  logic [Lanes-1:0]               stored_i,
  output logic [Lanes-1:0]               arrive_o
);
  localparam int unsigned CountBits = $clog2(Depth + 1);
  typedef logic [LaneBits-1:0] lane_t;
  typedef logic [MoveBits-1:0] move_t;

  // ---- packets in the order of the wire
  lane_t [Lanes-1:0]    lane;
  logic [CountBits-1:0] count;
  move_t                leaving;
  sluice_banked_fifo #(.Depth(Depth), .Width(LaneBits), .Banks(Lanes)) u_wire (
    .clk_i, .rst_ni,
    .push_i(begun_i), .data_i(begun_lane_i),
    .count_o(count), .data_o(lane), .pop_i(leaving)
  );

  // ---- what became of those that have ended, lane by lane
  logic [Lanes-1:0] ended, stored, take;
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    sluice_prefetch_fifo #(.Depth(Depth / Lanes), .Width(1)) u_ended (
      .clk_i, .rst_ni,
      .push_i (done_i[l]), .data_i(stored_i[l]),
      .valid_o(ended[l]),  .data_o(stored[l]), .pop_i(take[l])
    );
  end

  // ---- who arrives
  logic [Lanes-1:0] may;
  always_comb begin
    may     = '0;
    take    = '0;
    leaving = '0;
    for (int unsigned n = 0; n < Lanes; n++) begin
      may[n] = count > CountBits'(n) && ended[lane[n]];
      if (n > 0) may[n] = may[n] && may[(n+Lanes-1)%Lanes] && lane[n] > lane[(n+Lanes-1)%Lanes];
      if (may[n]) begin
        take[lane[n]] = 1'b1;
        leaving       = move_t'(n + 1);
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) arrive_o <= '0;
    else         arrive_o <= take & stored;
  end

  `SLUICE_ASSERT(TakesTheFirst_A, 32'($countones(take)) == 32'(leaving))
endmodule : sluice_wire_order
