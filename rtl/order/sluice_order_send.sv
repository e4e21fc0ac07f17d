// SPDX-License-Identifier: Apache-2.0
`include "sluice_tag.svh"

/// What becomes of a lane's oldest packet once the order point has decided: its tag, phantoms and
/// route if it was admitted, its slot and a count of the drop if not.
///
/// What follows the decision is captured whether or not the packet is taken, since that comes late.
/// Latency: all about a packet comes in the cycle after the decision, `transit_o` one later, as it
/// is steered meanwhile. One packet a cycle.
/// Invariant: the tag is that of the next ticket and of the admitted packets ahead, so what is not
/// admitted leaves no hole in the order.
module sluice_order_send
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_probe_pkg::*;
(
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  order_settings_t              settings_i,
  input  pipe_t                        lane_i,
  // decision
  input  logic                         take_i,         // admitted, dropped or void
  input  logic                         admit_i,
  input  logic                         drop_i,         // for overload
  input  logic                         drop_above_i,   // of these: its module is above its share
  input  logic        [NumPipes-1:0]   ahead_i,        // lanes whose packets are before this one
  input  logic        [4:0]            wait_i,         // of sluice_admit
  input  logic                         crowded_i,      // is marked if it is admitted
  // the lane's oldest packet
  input  logic                         valid_i,
  input  drop_e                        reason_i,
  input  phv_t                         phv_i,
  input  resolution_t [StateStages-1:0] access_i,
  input  logic        [StateStages-1:0] pinned_i,
  input  logic        [StageBits-1:0]  out_of_bounds_i,
  input  pipe_t                        open_i,         // where it may go without an access
  output logic                         claim_fixed_o,  // its pipeline of back stage 0 is not open
  output pipe_t                        claim_pipe_o,
  // the cycle after the decision
  input  logic        [NumPipes-1:0]   admitted_i,     // of every lane: `admitted_o`
  input  tag_t        [NumPipes-1:0]   next_tag_i,     // [n]: with n admitted packets ahead
  output logic                         admitted_o,
  output resolution_t [StateStages-1:0] access_o,
  output logic        [StateStages-1:0] pinned_o,
  output row_t                         row_o,          // of its module
  output course_t                      leave_o,        // it chooses where it goes to, or
  output course_t                      known_o,        // is admitted, in any case
  input  pipe_t                        to_i,           // chosen: a cycle later
  output transit_t                     transit_o,
  output phantom_t                     phantom_o,
  output logic                         pop_o,
  output logic                         discard_valid_o,
  output hdr_t                         discard_slot_o,
  output drop_t                        drop_o,
  // a packet that had passed the filter is lost here
  output bank_event_t                  lost_o,
  input  logic [NumModules-1:0]        turn_i,         // these take the bank of CHIP.BANK here
  output bank_event_t                  turned_o,       // ... which is not that of this packet
  output probe_order_t                 probe_o,
  input  csr_req_t                     csr_req_i,
  output csr_rsp_t                     csr_rsp_o
);
  logic stay;                  // packets stay in the pipeline of their lane
  assign stay          = settings_i.mode.steer == SteerStay;
  assign claim_fixed_o = access_i[0].valid || stay;
  assign claim_pipe_o  = access_i[0].valid ? access_i[0].pipe : open_i;

  // ---- the decision, and the packet
  logic                         take_q, admit_q, drop_q, above_q, mark_q, chooses_q, fixed_q;
  logic        [NumPipes-1:0]   ahead_q;
  logic        [4:0]            wait_q;
  drop_e                        reason_q;
  phv_t                         phv_q;
  resolution_t [StateStages-1:0] access_q;
  logic        [StateStages-1:0] pinned_q;
  logic        [StageBits-1:0]  out_q;
  pipe_t                        open_q, pipe_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      take_q    <= 1'b0;
      admit_q   <= 1'b0;
      drop_q    <= 1'b0;
      above_q   <= 1'b0;
      mark_q    <= 1'b0;
      chooses_q <= 1'b0;
      wait_q    <= '0;
    end else begin
      take_q    <= take_i;
      admit_q   <= admit_i;
      drop_q    <= drop_i;
      above_q   <= drop_above_i;
      mark_q    <= admit_i && crowded_i;
      chooses_q <= admit_i && !claim_fixed_o;
      wait_q    <= wait_i;
    end
  end

  always_ff @(posedge clk_i) begin
    ahead_q <= ahead_i;
    if (valid_i) begin
      reason_q <= drop_i ? DropOverload : reason_i;
      phv_q    <= phv_i;
      access_q <= access_i;
      pinned_q <= pinned_i;
      out_q    <= out_of_bounds_i;
      open_q   <= open_i;
      pipe_q   <= claim_pipe_o;
      fixed_q  <= claim_fixed_o;
    end
  end
  assign admitted_o = admit_q;
  assign access_o   = access_q;
  assign pinned_o   = pinned_q;
  assign row_o      = row_t'(phv_q.meta.overlay);

  // The bank behind the order point: that with which it came, unless there is a guarded flip.
  overlay_t overlay;
  if (FlipGuard != 0) begin : gen_turn
    logic turns;
    assign turns    = turn_i[row_o] && !(settings_i.fault[FaultFlipStay] && lane_i == '0);
    assign overlay  = turns ? overlay_t'({settings_i.bank[row_o], row_o}) : phv_q.meta.overlay;
    assign turned_o = '{valid: admit_q && overlay != phv_q.meta.overlay,
                        overlay: phv_q.meta.overlay};
  end else begin : gen_same
    assign overlay     = phv_q.meta.overlay;
    assign turned_o    = '0;
  end

  // ---- the tag, chosen by the number of admitted packets ahead, not added to it
  logic [NumPipes-1:0] more_ahead;             // [n]: more than n are
  tag_t                tag;
  sluice_ones_unary #(.Width(NumPipes)) u_ahead (.bits_i(ahead_q & admitted_i),
      .more_o(more_ahead));
  always_comb begin
    tag = more_ahead[0] ? '0 : next_tag_i[0];
    for (int unsigned n = 1; n < NumPipes; n++)
      tag |= more_ahead[n-1] && !more_ahead[n] ? next_tag_i[n] : '0;
  end
  assign phantom_o = '{valid: admit_q && !settings_i.mode.no_phantoms, tag: tag, access: access_q};

  // ---- the packet, which waits for a cycle while it is steered
  route_t [BackStages:0] route;
  phv_t                  phv;
  packet_t               packet_d, packet_q;
  logic                  valid_q;
  for (genvar s = 0; s < BackStages; s++) begin : gen_route
    if (s < StateStages) begin : gen_state
      assign route[s] = '{fixed: access_q[s].valid,
          pipe: access_q[s].valid ? access_q[s].pipe : open_q};
    end else begin : gen_none
      assign route[s] = '{fixed: 1'b0, pipe: open_q};
    end
  end
  assign route[BackStages] = '{fixed: 1'b1, pipe: lane_i};

  always_comb begin
    phv              = `SLUICE_KEPT_PHV(phv_q);
    phv.meta.mark    = mark_q;
    phv.meta.overlay = overlay;
  end
  assign packet_d = '{tag: tag, route: route, phv: phv};
  assign leave_o  = '{valid: chooses_q, fixed: 1'b0,    escape: 1'b0, pipe: pipe_q};
  assign known_o  = '{valid: admit_q,   fixed: fixed_q, escape: 1'b0, pipe: pipe_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 1'b0;
    else         valid_q <= admit_q;
  end
  always_ff @(posedge clk_i) packet_q <= packet_d;
  assign transit_o = '{valid: valid_q, escape: 1'b0, pipe: to_i, packet: packet_q};

  // ---- what the lookups of its words gave, for the test harness
  logic [ShownBits-1:0] shown;
  if (ArrayEntries != 0) begin : gen_shown
    carried_array_t array;
    assign array = carried_array_t'(phv_q.array);
    assign shown = shown_t'{words: array.words, b2: phv_q.cont.b2};
  end else begin : gen_not_shown
    assign shown = '0;
  end

  // ---- the lane, and who counts
  assign pop_o           = take_q;
  assign discard_valid_o = take_q && !admit_q;
  assign discard_slot_o  = phv_q.meta.hdr;
  assign probe_o         = '{done: take_q, reason: reason_q, mark: mark_q, tag: tag,
                              held: wait_q, shown: shown};
  // What the lane dropped it has counted itself.
  assign drop_o = '{valid:  take_q && (drop_q || reason_q == DropDiscardFront),
                    known:  1'b1,
                    row:    row_o,
                    reason: reason_q};
  assign lost_o = '{valid: drop_o.valid, overlay: phv_q.meta.overlay};

  sluice_order_counters u_counters (
    .clk_i, .rst_ni, .clear_i(settings_i.clear), .lane_i,
    .admitted_i     (admit_q),
    .marked_i       (mark_q),
    .out_of_bounds_i(out_q),
    .wait_i         (wait_q),
    .drop_i         (drop_o),
    .drop_above_i   (above_q),
    .csr_req_i, .csr_rsp_o
  );
endmodule : sluice_order_send
