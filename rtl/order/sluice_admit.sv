// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// The decision of the order point: which lanes' oldest packets are disposed of in this cycle.
///
/// A packet may go when nothing blocks it; void ones always go. What may not go holds all behind it
/// in the order, mask then lane; but while a lane is past its threshold, it is dropped instead. A
/// packet whose module is above its share in a queue that it needs (docs/isolation.md) is refused
/// there at half of V and brake already, and always dropped instead of held, so that no such module
/// holds another. In mode DROP_FULL one that needs a full phantom FIFO is dropped as well. All
/// conditions are per lane, since a lane gives one packet a cycle and has its own phantom FIFOs and
/// credits; so lanes are judged apart, and the order only cuts off what is behind the first that
/// stays.
/// Combinational, from registers; up to k packets a cycle.
/// Invariant: what is taken is a prefix of the order.
module sluice_admit
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
#(
  localparam int unsigned NumShown = NumPipes < 4 ? NumPipes : 4
) (
  input  logic                                             clk_i,
  input  logic                                             rst_ni,
  input  order_settings_t                                  settings_i,
  input  logic        [NumShown-1:0][NumPipes-1:0]         mask_i,       // of sluice_arrival_masks
  // a lane is past its threshold
  input  logic                                             overload_i,
  // oldest packets of the lanes
  input  logic        [NumPipes-1:0]                       valid_i,
  input  logic        [NumPipes-1:0]                       void_i,
  // lane, stage, pipeline: an access
  input  logic [NumPipes-1:0][StateStages-1:0][NumPipes-1:0] need_i,
  input  blocks_t                                          blocks_i,
  // lane, pipeline of back stage 0
  input  logic        [NumPipes-1:0][NumPipes-1:0]         room_fixed_i,
  // lane, any pipeline of the set
  input  logic        [NumPipes-1:0][NumPipes-1:0]         room_any_i,
  input  logic        [NumPipes-1:0][NumPipes-1:0]         fixed_i,      // lane: must go there, or
  // lane: may go to the set of that one
  input  logic        [NumPipes-1:0][NumPipes-1:0]         open_i,
  input  logic                                             room_window_i,
  output decision_t   [NumPipes-1:0]                       decision_o,
  output logic        [NumPipes-1:0]                       stop_o        // shown, and may not go
);
  // ---- each lane for itself
  logic [NumPipes-1:0]      may_go, above, ok;
  logic [NumPipes-1:0][4:0] cause;            // bit 0 first

  for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
    logic [StateStages-1:0] paced, braked, full, too_much;
    for (genvar s = 0; s < StateStages; s++) begin : gen_stage
      assign too_much[s] = (need_i[l][s] & blocks_i.above[s][l]) != '0;
      assign paced[s]    = (need_i[l][s] & (blocks_i.paced[s]
                            | (blocks_i.above[s][l] & blocks_i.half[s]))) != '0;
      assign braked[s]   = (need_i[l][s] & blocks_i.braked[s]) != '0;
      assign full[s]     = (need_i[l][s] & blocks_i.full[s][l]) != '0;
    end
    assign cause[l][0] = |paced;
    assign cause[l][1] = |braked;
    assign cause[l][2] = |full;
    assign cause[l][3] = ((fixed_i[l] & room_fixed_i[l]) | (open_i[l] & room_any_i[l])) == '0;
    assign cause[l][4] = !room_window_i;
    assign may_go[l]   = cause[l] == '0;
    assign above[l]    = too_much != '0;
    assign ok[l]       = valid_i[l] && (void_i[l] || may_go[l] || overload_i || above[l]
                                       || (settings_i.mode.drop_full && cause[l][2]));
  end

  // ---- order: from the masks alone, so it is ready before the lanes are
  logic                              swap;
  logic [NumPipes-1:0]               shown;
  logic [NumPipes-1:0][NumPipes-1:0] ahead;
  assign swap = settings_i.fault[FaultLaneSwap];

  function automatic logic [NumPipes-1:0] lanes_before(int unsigned lane, logic swapped);
    logic [NumPipes-1:0] lanes;
    lanes = NumPipes'((1 << lane) - 1);
    if (swapped && NumPipes > 1 && lane == 0) lanes = NumPipes'(2);
    if (swapped && NumPipes > 1 && lane == 1) lanes = '0;
    return lanes;
  endfunction

  always_comb begin
    logic [NumPipes-1:0] older;
    older  = '0;
    ahead = '0;
    for (int unsigned w = 0; w < NumShown; w++) begin
      for (int unsigned l = 0; l < NumPipes; l++)
        if (mask_i[w][l]) ahead[l] = older | (mask_i[w] & lanes_before(l, swap));
      older = older | mask_i[w];
    end
    shown = older;
  end

  // ---- the first that stays cuts off all behind it
  logic [NumPipes-1:0] stop, take;
  assign stop   = shown & ~ok;
  assign stop_o = stop;

  for (genvar l = 0; l < NumPipes; l++) begin : gen_decide
    logic first, drop;
    assign first   = shown[l] && (ahead[l] & stop) == '0;
    assign take[l] = first && ok[l];
    assign drop    = take[l] && !void_i[l] && !may_go[l];
    // Counted by its first cause; a packet that is not there yet waits for nobody but itself.
    assign decision_o[l] = '{take: take[l], admit: take[l] && !void_i[l] && may_go[l], drop: drop,
        drop_above: drop && above[l], ahead: ahead[l],
        waits: first && !ok[l] && valid_i[l] ? cause[l] & (~cause[l] + 5'd1) : '0};

    `SLUICE_ASSERT(InOrder_A, !take[l] || (ahead[l] & ~take) == '0)
  end
endmodule : sluice_admit
