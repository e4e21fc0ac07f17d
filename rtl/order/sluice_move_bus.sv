// SPDX-License-Identifier: Apache-2.0
`include "sluice_tag.svh"
`include "sluice_assert.svh"

/// The one bus on which moves and marks of all back stages go out with the phantoms (docs/moves.md,
/// docs/marks.md).
/// Stages take turns, one cycle each. What is taken in cycle t corrects lookups in t + 1
/// (`patch_o`; a mark changes none), and is on `move_o` in t + 2, with the tag of the next packet
/// to be admitted. A mark shows in `event_o` in t + 3, with its ticket: then all packets in front
/// of it have been admitted in the cycles before. A mark that reads a cut is not shown: its moment
/// is the cut's.
/// Throughput: one a cycle. Reset: nothing is under way; the first turn is that of stage 0.
/// Not there in a chip without moves and marks.
module sluice_move_bus
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_probe_pkg::*;
(
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  move_settings_t                settings_i,
  output logic        [StateStages-1:0] turn_o,
  // taken in the turn of its stage: a move, or a mark
  input  logic        [StateStages-1:0] move_i,
  input  logic        [StateStages-1:0] mark_i,
  input  move_offer_t [StateStages-1:0] offer_i,
  input  place_t      [StateStages-1:0] mark_home_i,   // of the mark that was taken last
  // order point
  input  tag_t                          tag_i,         // behind those admitted
  input  logic        [31:0]            next_ticket_i, // in the cycle after that: its ticket
  output patch_t                        patch_o,
  output move_t                         move_o,
  output logic                          decided_o,     // a move is on move_o
  output mark_event_t                   event_o
);
  if (!HasMoves && Marks == 0) begin : gen_none
    assign turn_o    = '0;
    assign patch_o   = '0;
    assign move_o    = '0;
    assign decided_o = 1'b0;
    assign event_o   = '0;
  end else begin : gen_bus
    // ---- turns
    stage_t stage_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) stage_q <= '0;
      else         stage_q <= stage_q == stage_t'(StateStages - 1) ? '0 : stage_q + 1'b1;
    end
    for (genvar s = 0; s < StateStages; s++) begin : gen_turn
      assign turn_o[s] = stage_q == stage_t'(s);
    end

    // ---- taken, patch, out
    logic        [StateStages-1:0] taken, moved_q;
    logic                          taken_q, out_q;
    move_offer_t                   offer, offer_q, move_q;
    stage_t                        taken_stage_q, move_stage_q;
    logic                          mark;
    assign taken = move_i | mark_i;
    always_comb begin
      offer = '0;
      for (int unsigned s = 0; s < StateStages; s++) offer = offer | (taken[s] ? offer_i[s] : '0);
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        moved_q <= '0;
        taken_q <= 1'b0;
        out_q   <= 1'b0;
      end else begin
        moved_q <= move_i;
        taken_q <= taken != '0;
        out_q   <= taken_q;
      end
    end
    always_ff @(posedge clk_i) begin
      offer_q       <= offer;
      taken_stage_q <= stage_q;
      move_q        <= offer_q;
      move_stage_q  <= taken_stage_q;
    end
    assign patch_o = '{stage: settings_i.fault[FaultNoPatch] ? '0 : moved_q, from: offer_q.from,
        to: offer_q.to};

    tag_t tag;
    assign mark   = out_q && `SLUICE_IS_MARK(move_q.id);
    assign tag    = tag_i - tag_t'(Marks != 0 && mark && settings_i.fault[FaultMarkEarly]);
    assign move_o = '{valid: out_q, stage: move_stage_q, id: move_q.id, tag: tag,
                      from: move_q.from.pipe, from_slot: move_q.from.slot,
                      to: move_q.to.pipe, to_slot: move_q.to.slot};
    assign decided_o = out_q && !mark;

    // ---- what a harness sees of a mark
    if (Marks != 0) begin : gen_event
      logic   valid_q, writes_q;
      stage_t shown_q;
      place_t home;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) valid_q <= 1'b0;
        else         valid_q <= mark && !`SLUICE_MARK_OF_CUT(move_q.id);
      end
      always_ff @(posedge clk_i) begin
        writes_q <= `SLUICE_MARK_WRITES(move_q.id);
        shown_q  <= move_stage_q;
      end
      always_comb begin
        home = '0;
        for (int unsigned s = 0; s < StateStages; s++)
          home = home | (shown_q == stage_t'(s) ? mark_home_i[s] : '0);
      end
      assign event_o = '{valid: valid_q, stage: shown_q, write: writes_q, pipe: home.pipe,
          slot: home.slot, ticket: next_ticket_i};
    end else begin : gen_no_event
      assign event_o = '0;
    end

    `SLUICE_ASSERT(InItsTurn_A, (taken & ~turn_o) == '0)
    `SLUICE_ASSERT(MoveOrMark_A, (move_i & mark_i) == '0)
  end
endmodule : sluice_move_bus
