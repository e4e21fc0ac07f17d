// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Deals the copies for one fast port to its output lanes, by the rule of dealing (see
/// sluice_deal_turn): in the order of their tickets, up to one copy of each source lane a cycle.
/// to_o is of the cycle of wants_i. What waits for an output lane is counted in beats: those of the
/// copies that the traffic manager has taken, two cycles later, less those that have left the lane.
/// Example: the packets of source lanes 3 and 0 want the port, that of lane 3 is before. With the
/// turn at output lane 1, the copy of lane 3 goes through lane 1, that of lane 0 through lane 2.
module sluice_deal_copies
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_exit_pkg::*;
(
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  logic [NumPipes-1:0]                 wants_i,     // the packet of a source lane has a copy
  input  logic [NumPipes-1:0][NumPipes-1:0]   before_i,    // [l][k]: lane k's packet is before l's
  output logic [NumPipes-1:0][FastLanes-1:0]  to_o,        // one-hot, where there is a copy
  // taken, and the length of the packet
  input  logic [NumPipes-1:0][FastLanes-1:0]  accepted_i,
  input  fate_t [NumPipes-1:0]                fate_i,
  input  logic [FastLanes-1:0]                beat_i       // a beat leaves the output lane
);
  localparam int unsigned LaneBits  = $clog2(FastLanes);
  localparam int unsigned DealBits  = $clog2(NumPipes + 1);
  // Of each source lane OutputDepth copies, and one that is on its way out.
  localparam int unsigned CountBits = $clog2((NumPipes * OutputDepth + 1) * MaxBeats + 1);
  typedef logic [LaneBits-1:0]  lane_t;
  typedef logic [DealBits-1:0]  deal_t;
  typedef logic [CountBits-1:0] count_t;
  // A length may have more bits than a count, or less.
  function automatic count_t beats_of(len_t len);
    len_t beats;
    beats = (len + len_t'(BeatBytes - 1)) >> BeatIdxBits;
    return count_t'(beats);
  endfunction

  // ---- which copy of the port it is, and its lane
  lane_t [FastLanes-1:0] list;
  deal_t                 dealt;
  assign dealt = deal_t'($countones(wants_i));
  always_comb begin
    to_o = '0;
    for (int unsigned l = 0; l < NumPipes; l++)
      if (wants_i[l]) to_o[l][list[lane_t'($countones(before_i[l] & wants_i))]] = 1'b1;
  end

  // ---- what waits; the sum stands in a register on its way
  count_t [FastLanes-1:0] waiting_q;
  for (genvar o = 0; o < FastLanes; o++) begin : gen_lane
    count_t sum, sum_q;
    always_comb begin
      sum = '0;
      for (int unsigned l = 0; l < NumPipes; l++)
        if (accepted_i[l][o])
          sum = sum + beats_of(fate_i[l].len);
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        sum_q        <= '0;
        waiting_q[o] <= '0;
      end else begin
        sum_q        <= sum;
        waiting_q[o] <= waiting_q[o] + sum_q - count_t'(beat_i[o]);
      end
    end
    `SLUICE_ASSERT(BeatWasWaiting_A, !beat_i[o] || waiting_q[o] + sum_q != '0)
  end

  sluice_deal_turn #(.Lanes(FastLanes), .Dealt(NumPipes), .CountBits(CountBits)) u_turn (
    .clk_i, .rst_ni, .waiting_i(waiting_q), .list_o(list), .dealt_i(dealt)
  );
endmodule : sluice_deal_copies
