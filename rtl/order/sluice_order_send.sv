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
  input  decision_t                    decision_i,
  input  logic                         crowded_i,      // is marked if it is admitted
  input  head_t                        head_i,         // the lane's oldest packet
  output logic                         claim_fixed_o,  // its pipeline of back stage 0 is not open
  output pipe_t                        claim_pipe_o,
  // the cycle after the decision
  input  logic        [NumPipes-1:0]   admitted_i,     // of every lane: admitted_o.valid
  input  tag_t        [NumPipes-1:0]   next_tag_i,     // [n]: with n admitted packets ahead
  output admitted_t                    admitted_o,
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
  assign claim_fixed_o = head_i.access[0].valid || stay;
  assign claim_pipe_o  = head_i.access[0].valid ? head_i.access[0].pipe : head_i.open;

  // ---- the decision, and the packet
  decision_t decision_q;
  logic      mark_q, chooses_q, fixed_q;
  head_t     head_q;
  pipe_t     pipe_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      decision_q <= '0;
      mark_q     <= 1'b0;
      chooses_q  <= 1'b0;
    end else begin
      decision_q <= decision_i;
      mark_q     <= decision_i.admit && crowded_i;
      chooses_q  <= decision_i.admit && !claim_fixed_o;
    end
  end

  always_ff @(posedge clk_i) begin
    if (head_i.valid) begin
      head_q  <= head_i;
      pipe_q  <= claim_pipe_o;
      fixed_q <= claim_fixed_o;
      if (decision_i.drop) head_q.reason <= DropOverload;
    end
  end
  row_t row;
  assign row        = row_t'(head_q.phv.meta.overlay);
  assign admitted_o = '{valid: decision_q.admit, row: row, access: head_q.access,
      pinned: head_q.pinned};

  // The bank behind the order point: that with which it came, unless there is a guarded flip.
  overlay_t overlay;
  if (FlipGuard != 0) begin : gen_turn
    logic turns;
    assign turns    = turn_i[row] && !(settings_i.fault[FaultFlipStay] && lane_i == '0);
    assign overlay  = turns ? overlay_t'({settings_i.bank[row], row}) : head_q.phv.meta.overlay;
    assign turned_o = '{valid: decision_q.admit && overlay != head_q.phv.meta.overlay,
                        overlay: head_q.phv.meta.overlay};
  end else begin : gen_same
    assign overlay     = head_q.phv.meta.overlay;
    assign turned_o    = '0;
  end

  // ---- the tag, chosen by the number of admitted packets ahead, not added to it
  logic [NumPipes-1:0] more_ahead;             // [n]: more than n are
  tag_t                tag;
  sluice_ones_unary #(.Width(NumPipes)) u_ahead (.bits_i(decision_q.ahead & admitted_i),
      .more_o(more_ahead));
  always_comb begin
    tag = more_ahead[0] ? '0 : next_tag_i[0];
    for (int unsigned n = 1; n < NumPipes; n++)
      tag |= more_ahead[n-1] && !more_ahead[n] ? next_tag_i[n] : '0;
  end
  assign phantom_o = '{valid: decision_q.admit && !settings_i.mode.no_phantoms, tag: tag,
      access: head_q.access};

  // ---- the packet, which waits for a cycle while it is steered
  route_t [BackStages:0] route;
  phv_t                  phv;
  packet_t               packet_d, packet_q;
  logic                  valid_q;
  for (genvar s = 0; s < BackStages; s++) begin : gen_route
    if (s < StateStages) begin : gen_state
      assign route[s] = '{fixed: head_q.access[s].valid,
          pipe: head_q.access[s].valid ? head_q.access[s].pipe : head_q.open};
    end else begin : gen_none
      assign route[s] = '{fixed: 1'b0, pipe: head_q.open};
    end
  end
  assign route[BackStages] = '{fixed: 1'b1, pipe: lane_i};

  always_comb begin
    phv              = `SLUICE_KEPT_PHV(head_q.phv);
    phv.meta.mark    = mark_q;
    phv.meta.overlay = overlay;
  end
  assign packet_d = '{tag: tag, route: route, phv: phv};
  assign leave_o  = '{valid: chooses_q, fixed: 1'b0,    escape: 1'b0, pipe: pipe_q};
  assign known_o  = '{valid: decision_q.admit,   fixed: fixed_q, escape: 1'b0, pipe: pipe_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 1'b0;
    else         valid_q <= decision_q.admit;
  end
  always_ff @(posedge clk_i) packet_q <= packet_d;
  assign transit_o = '{valid: valid_q, escape: 1'b0, pipe: to_i, packet: packet_q};

  // ---- what the lookups of its words gave, for the test harness
  logic [ShownBits-1:0] shown;
  if (ArrayEntries != 0) begin : gen_shown
    carried_array_t array;
    assign array = carried_array_t'(head_q.phv.array);
    assign shown = shown_t'{words: array.words, b2: head_q.phv.cont.b2};
  end else begin : gen_not_shown
    assign shown = '0;
  end

  // ---- the lane, and who counts
  assign pop_o           = decision_q.take;
  assign discard_valid_o = decision_q.take && !decision_q.admit;
  assign discard_slot_o  = head_q.phv.meta.hdr;
  assign probe_o         = '{done: decision_q.take, reason: head_q.reason, mark: mark_q, tag: tag,
                              held: decision_q.waits, shown: shown};
  // What the lane dropped it has counted itself.
  assign drop_o = '{known: 1'b1, row: row, reason: head_q.reason,
      valid: decision_q.take && (decision_q.drop || head_q.reason == DropDiscardFront)};
  assign lost_o = '{valid: drop_o.valid, overlay: head_q.phv.meta.overlay};

  sluice_order_counters u_counters (
    .clk_i, .rst_ni, .clear_i(settings_i.clear), .lane_i,
    .admitted_i     (decision_q.admit),
    .marked_i       (mark_q),
    .out_of_bounds_i(head_q.out_of_bounds),
    .wait_i         (decision_q.waits),
    .drop_i         (drop_o),
    .drop_above_i   (decision_q.drop_above),
    .csr_req_i, .csr_rsp_o
  );
endmodule : sluice_order_send
