// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// The order point: every packet that passes gets its place in the one order, and all its state
/// accesses are resolved; what follows depends on nothing else (MP5's preemptive ordering).
///
/// Packets are disposed of strictly by arrival, then lane, up to k a cycle: admitted (a ticket,
/// phantoms ahead to its order queues, itself to back stage 0), dropped for overload, or void
/// (already dropped, or discarded by a front stage). All loss on overload is here, before any
/// state.
/// Latency 7 cycles from item to transit when nothing waits; k packets a cycle. All outputs about a
/// packet come in the cycle after the decision, `phantom_o` and `transit_o` together.
/// Invariant: tickets follow the order of arrival; nothing is sent ahead that has no room.
module sluice_order
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_probe_pkg::*;
(
  input  logic                                      clk_i,
  input  logic                                      rst_ni,
  input  order_settings_t                           settings_i,
  input  move_settings_t                            moves_i,
  // lanes, through the front stages
  input  logic         [NumPipes-1:0]               arrive_i,
  input  item_t        [NumPipes-1:0]               item_i,
  input  lane_words_t                               matched_i,
  output logic         [NumPipes-1:0]               matched_pop_o,
  input  lane_fill_t                                fill_i,
  output popped_t                                   popped_o,
  // boundary before back stage 0
  output transit_t     [NumPipes-1:0]               transit_o,
  input  logic         [NumPipes-1:0][NumPipes-1:0] freed_i,
  input  logic         [NumPipes-1:0]               departed_i,
  output phantom_t     [NumPipes-1:0]               phantom_o,
  output move_t                                     move_o,
  input  landed_t      [StateStages-1:0]             landed_i,
  input  mark_request_t [StateStages-1:0]            mark_i,
  output cut_t                                      cut_o,         // to stages with a shadow memory
  // all back stages: [stage][pipeline]
  input  report_t      [StateStages-1:0][NumPipes-1:0]       report_i,
  input  logic         [StateStages-1:0][NumPipes-1:0][15:0] waiting_i,
  input  ended_t                                    ended_i,
  // control
  input  chain_t                                    chain_i,
  output logic                                      chain_ready_o,
  output chain_t                                    chain_o,
  input  logic                                      chain_ready_i,
  input  chip_busy_t                                busy_i,
  output order_status_t                             status_o,
  input  csr_req_t                                  csr_req_i,
  output csr_rsp_t                                  csr_rsp_o,
  // events and test harness
  output order_events_t                             event_o,
  output probe_point_t                              probe_o
);
  localparam int unsigned NumShown = NumPipes < 4 ? NumPipes : 4;

  // ---- modes (docs/study.md)
  logic stay;                  // packets stay in the pipeline of their lane
  assign stay = settings_i.mode.steer == SteerStay;

  // ---- tables
  logic [StateStages-1:0] away;
  copy_valid_t           write_valid;
  copy_write_t           write;
  logic [StateStages-1:0][NumModules-1:0] hold_rows;
  row_t                  away_row;
  logic [NumModules-1:0] cut_rows;
  share_t [NumModules-1:0] share;
  logic   [NumModules-1:0] tick;
  sluice_order_tables u_tables (
    .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .chain_i, .chain_ready_o, .chain_o, .chain_ready_i,
    .chain_busy_i   (busy_i.chain),
    .hold_rows_o    (hold_rows),
    .away_row_o     (away_row),
    .away_i         (away),
    .cut_rows_i     (cut_rows),
    .cut_ready_i    (status_o.cut.ready),
    .write_valid_o  (write_valid),
    .write_o        (write),
    .share_o        (share),
    .tick_o         (tick)
  );

  // ---- waiting packets, and the order in which they arrived
  head_t                                      head [NumPipes];
  logic        [NumPipes-1:0]                 head_valid, head_void;
  resolution_t [NumPipes-1:0][StateStages-1:0] head_access;
  logic        [NumPipes-1:0][StateStages-1:0][NumPipes-1:0] head_need;
  logic        [NumPipes-1:0][NumPipes-1:0]   head_free, head_fixed, head_open;
  logic        [NumPipes-1:0]                 take, stop;
  row_t        [NumPipes-1:0]                 head_row, stay_row, next_row;
  place_t      [NumPipes-1:0][StateStages-1:0] home, place;
  patch_t                                     patch;

  for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
    sluice_order_lane u_lane (
      .clk_i, .rst_ni, .settings_i,
      .lane_i         (pipe_t'(l)),
      .item_i         (item_i[l]),
      .matched_valid_i(matched_i.valid[l]),
      .matched_i      (matched_i.bits[l]),
      .matched_pop_o  (matched_pop_o[l]),
      .head_o         (head[l]),
      .void_o         (head_void[l]),
      .need_o         (head_need[l]),
      .free_o         (head_free[l]),
      .pop_i          (take[l]),
      .stay_row_o     (stay_row[l]),
      .next_row_o     (next_row[l]),
      .home_o         (home[l]),
      .place_i        (place[l]),
      .patch_i        (patch),
      .write_valid_i  (write_valid),
      .write_i        (write)
    );
    assign head_valid[l]  = head[l].valid;
    assign head_access[l] = head[l].access;
    assign head_row[l]    = row_t'(head[l].phv.meta.overlay);
    assign head_fixed[l]  = head_need[l][0] | (stay ? head_free[l] : '0);
    assign head_open[l]   = stay ? '0 : head_free[l];
  end

  // ---- places: by arrival, or of merged lanes by a number in their packets
  logic [NumPipes-1:0] placed;
  csr_rsp_t            merge_rsp;
  sluice_key_merge u_merge (
    .clk_i, .rst_ni, .clear_i(settings_i.clear), .occupied_i(settings_i.occupied),
    .arrive_i, .item_i, .place_o(placed),
    .csr_req_i, .csr_rsp_o(merge_rsp)
  );

  logic [NumShown-1:0][NumPipes-1:0] mask;
  sluice_arrival_masks u_masks (
    .clk_i, .rst_ni, .arrive_i(placed), .mask_o(mask), .take_i(take), .stop_i(stop)
  );

  // ---- what blocks
  logic [NumPipes-1:0] came;
  row_t [NumPipes-1:0] came_row;
  for (genvar l = 0; l < NumPipes; l++) begin : gen_came
    assign came[l]     = item_i[l].valid && item_i[l].reason == DropNone
                      && !item_i[l].phv.meta.discard;
    assign came_row[l] = row_t'(item_i[l].phv.meta.overlay);
  end
  logic [NumPipes-1:0] admit, crowded;
  blocks_t             blocks;
  sluice_order_guards u_guards (
    .clk_i, .rst_ni, .settings_i,
    .came_i     (came),
    .came_row_i (came_row),
    .lane_deep_i(fill_i.deep),
    .access_i   (head_access),
    .need_i     (head_need),
    .row_i      (head_row),
    .admit_i    (admit),
    .take_i     (take),
    .stay_row_i (stay_row),
    .next_row_i (next_row),
    .report_i, .waiting_i,
    .share_i    (share),
    .tick_i     (tick),
    .blocks_o   (blocks),
    .crowded_o  (crowded),
    .depth_o    (probe_o.depth)
  );

  // ---- decision
  logic                              overload_q, room_window;
  logic [NumPipes-1:0][NumPipes-1:0] room_fixed, room_any;
  decision_t [NumPipes-1:0]          decision;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) overload_q <= 1'b0;
    else         overload_q <= fill_i.over != '0;
  end

  sluice_admit u_admit (
    .clk_i, .rst_ni, .settings_i,
    .mask_i       (mask),
    .overload_i   (overload_q),
    .valid_i      (head_valid),
    .void_i       (head_void),
    .need_i       (head_need),
    .blocks_i     (blocks),
    .room_fixed_i (room_fixed),
    .room_any_i   (room_any),
    .fixed_i      (head_fixed),
    .open_i       (head_open),
    .room_window_i(room_window),
    .decision_o   (decision),
    .stop_o       (stop)
  );
  for (genvar l = 0; l < NumPipes; l++) begin : gen_decision
    assign take[l]  = decision[l].take;
    assign admit[l] = decision[l].admit;
  end

  // ---- the cycle after the decision: tickets
  admitted_t   [NumPipes-1:0]                 admitted;
  logic        [NumPipes-1:0]                 admitted_valid;
  tag_t        [NumPipes-1:0]                 next_tag;    // [n]: n admitted packets ahead
  tag_t                                       after_tag;
  sluice_window u_window (
    .clk_i, .rst_ni,
    .admitted_i   (admitted_valid),
    .next_ticket_o(status_o.next_ticket),
    .next_tag_o   (next_tag),
    .after_tag_o  (after_tag),
    .room_o       (room_window),
    .done_valid_i (ended_i.valid),
    .done_tag_i   (ended_i.tag),
    .oldest_o     (status_o.oldest),
    .in_flight_o  (status_o.in_flight)
  );

  // ---- what changes between packets
  logic [NumModules-1:0] turn;
  csr_rsp_t              changes_rsp;
  sluice_order_changes u_changes (
    .clk_i, .rst_ni, .settings_i, .moves_i,
    .home_i       (home),
    .place_o      (place),
    .patch_o      (patch),
    .admitted_i   (admitted),
    .after_tag_i  (after_tag),
    .next_ticket_i(status_o.next_ticket),
    .oldest_i     (status_o.oldest),
    .move_o, .landed_i, .mark_i,
    .mark_event_o (probe_o.mark),
    .relocated_o  (status_o.relocated),
    .hold_rows_i  (hold_rows),
    .forget_i     (write_valid.access | write_valid.segment | write_valid.region),
    .away_row_i   (away_row),
    .away_o       (away),
    .busy_i, .cut_o,
    .cut_rows_o   (cut_rows),
    .cut_status_o (status_o.cut),
    .cut_event_o  (probe_o.cut),
    .flip_o       (status_o.flip),
    .turn_o       (turn),
    .probe_flip_o (probe_o.flip),
    .csr_req_i,
    .csr_rsp_o    (changes_rsp)
  );
  assign status_o.turning = turn != '0;

  // ---- out
  course_t  [NumPipes-1:0] leave, known;
  logic     [NumPipes-1:0] claim_fixed;
  pipe_t    [NumPipes-1:0] claim_pipe, to;
  csr_rsp_t [NumPipes-1:0] csr_rsp;

  for (genvar l = 0; l < NumPipes; l++) begin : gen_send
    sluice_order_send u_send (
      .clk_i, .rst_ni, .settings_i,
      .lane_i         (pipe_t'(l)),
      .decision_i     (decision[l]),
      .crowded_i      (crowded[l]),
      .head_i         (head[l]),
      .claim_fixed_o  (claim_fixed[l]),
      .claim_pipe_o   (claim_pipe[l]),
      .admitted_i     (admitted_valid),
      .next_tag_i     (next_tag),
      .admitted_o     (admitted[l]),
      .leave_o        (leave[l]),
      .known_o        (known[l]),
      .to_i           (to[l]),
      .transit_o      (transit_o[l]),
      .phantom_o      (phantom_o[l]),
      .pop_o          (popped_o.pop[l]),
      .discard_valid_o(popped_o.discard[l]),
      .discard_slot_o (popped_o.slot[l]),
      .drop_o         (event_o.drop[l]),
      .lost_o         (event_o.lost[l]),
      .turn_i         (turn),
      .turned_o       (event_o.turned[l]),
      .probe_o        (probe_o.lane[l]),
      .csr_req_i,
      .csr_rsp_o      (csr_rsp[l])
    );
    assign admitted_valid[l] = admitted[l].valid;
    assign popped_o.row[l]     = admitted[l].row;
  end

  always_comb begin
    csr_rsp_o = changes_rsp | merge_rsp;
    for (int unsigned l = 0; l < NumPipes; l++) csr_rsp_o = csr_rsp_o | csr_rsp[l];
  end

  course_t [NumPipes-1:0] claim;
  for (genvar l = 0; l < NumPipes; l++) begin : gen_claim
    assign claim[l] = '{valid: admit[l], fixed: claim_fixed[l], escape: 1'b0, pipe: claim_pipe[l]};
  end
  sluice_steer #(.AtOnce(1'b1)) u_steer (
    .clk_i, .rst_ni, .each_i(settings_i.mode.steer == SteerEach),
    .set_mask_i(settings_i.set_mask), .ignore_credits_i(settings_i.fault[FaultSteerFull]),
    .room_fixed_o  (room_fixed),
    .room_any_o    (room_any),
    .claim_i       (claim),
    .known_i       (known),
    .leave_i       (leave),
    .to_o          (to),
    .freed_i, .departed_i
  );

  // What a packet was resolved by holds until it has left: sluice_chip_regs refuses writes.
`ifdef SLUICE_SIM
  pipe_t set_mask_q;
  mode_t mode_q;
  always_ff @(posedge clk_i) begin
    set_mask_q <= settings_i.set_mask;
    mode_q     <= settings_i.mode;
  end
  `SLUICE_ASSERT(SettledBeforeItCame_A, (settings_i.set_mask == set_mask_q
      && settings_i.mode == mode_q) || (status_o.in_flight == '0 && head_valid == '0))
`endif
endmodule : sluice_order
