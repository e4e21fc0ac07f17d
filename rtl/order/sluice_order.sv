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
/// Invariant: tickets are given in the order of arrival, and nothing is sent ahead that has no
/// room.
module sluice_order
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
(
  input  logic                                      clk_i,
  input  logic                                      rst_ni,
  input  settings_t                                 settings_i,
  // lanes, through the front stages
  input  logic         [NumPipes-1:0]               arrive_i,
  input  item_t        [NumPipes-1:0]               item_i,
  input  logic         [NumPipes-1:0]               over_limit_i,
  input  logic         [NumPipes-1:0]               lane_deep_i,   // at least CHIP.ECN_LANE wait
  output logic         [NumPipes-1:0]               pop_o,
  output logic         [NumPipes-1:0]               discard_valid_o,
  output hdr_t         [NumPipes-1:0]               discard_slot_o,
  // boundary before back stage 0
  output transit_t     [NumPipes-1:0]               transit_o,
  input  logic         [NumPipes-1:0][NumPipes-1:0] freed_i,
  input  logic         [NumPipes-1:0]               departed_i,
  output phantom_t     [NumPipes-1:0]               phantom_o,
  output move_t                                     move_o,
  input  landed_t      [BackStages-1:0]             landed_i,
  output logic         [BackStages-1:0]             away_o,       // indices of the stage are away
  // all back stages: [stage][pipeline]
  input  report_t      [BackStages-1:0][NumPipes-1:0]       report_i,
  input  logic         [BackStages-1:0][NumPipes-1:0][15:0] waiting_i,
  // last back stage
  input  logic         [NumPipes-1:0]               done_valid_i,
  input  tag_t         [NumPipes-1:0]               done_tag_i,
  output tag_t                                      oldest_o,
  output logic         [31:0]                       next_ticket_o,
  output logic         [15:0]                       in_flight_o,
  // control
  input  chain_t                                    chain_i,
  output logic                                      chain_ready_o,
  output chain_t                                    chain_o,
  input  logic                                      chain_ready_i,
  input  csr_req_t                                  csr_req_i,
  output csr_rsp_t                                  csr_rsp_o,
  // events and test harness
  output drop_t        [NumPipes-1:0]               drop_o,
  output probe_order_t [NumPipes-1:0]               probe_o,
  output logic         [BackStages-1:0][NumPipes-1:0][15:0] depth_o
);
  localparam int unsigned NumShown = NumPipes < 4 ? NumPipes : 4;

  // ---- modes (docs/modes.md)
  logic stay;                  // packets stay in the pipeline of their lane
  logic phantoms;
  assign stay     = settings_i.mode.steer == SteerStay;
  assign phantoms = !settings_i.mode.no_phantoms;

  // ---- tables
  logic [BackStages-1:0] access_write, segment_write, segment_write_seen;
  row_t                  write_row;
  access_t               write_access;
  segment_t              write_segment;
  share_t [NumModules-1:0] share;
  logic   [NumModules-1:0] tick;
  sluice_order_tables u_tables (
    .clk_i, .rst_ni, .settings_i, .chain_i, .chain_ready_o, .chain_o, .chain_ready_i,
    .access_write_o (access_write),
    .segment_write_o(segment_write_seen),
    .write_row_o    (write_row),
    .write_access_o (write_access),
    .write_segment_o(write_segment),
    .share_o        (share),
    .tick_o         (tick)
  );
  // The stages refuse a new segment while indices are away from their homes; so it counts here as little.
  assign segment_write = segment_write_seen & ~away_o;

  // ---- waiting packets, and the order in which they arrived
  logic        [NumPipes-1:0]                 head_valid, head_void;
  drop_e                                      head_reason [NumPipes];
  phv_t                                       head_phv    [NumPipes];
  resolution_t [NumPipes-1:0][BackStages-1:0] head_access;
  logic        [NumPipes-1:0][StageBits-1:0]  head_out;
  logic        [NumPipes-1:0][BackStages-1:0] head_pinned;
  logic        [NumPipes-1:0][BackStages-1:0][NumPipes-1:0] head_need;
  logic        [NumPipes-1:0][NumPipes-1:0]   head_free, head_fixed, head_open;
  logic        [NumPipes-1:0]                 take, stop;
  row_t        [NumPipes-1:0]                 head_row, stay_row, next_row;
  pipe_t       [NumPipes-1:0]                 open_pipe;
  place_t      [NumPipes-1:0][BackStages-1:0] home, place;
  patch_t                                     patch;

  for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
    sluice_order_lane u_lane (
      .clk_i, .rst_ni, .settings_i,
      .lane_i         (pipe_t'(l)),
      .item_i         (item_i[l]),
      .valid_o        (head_valid[l]),
      .void_o         (head_void[l]),
      .reason_o       (head_reason[l]),
      .phv_o          (head_phv[l]),
      .access_o       (head_access[l]),
      .need_o         (head_need[l]),
      .pinned_o       (head_pinned[l]),
      .open_o         (open_pipe[l]),
      .free_o         (head_free[l]),
      .out_of_bounds_o(head_out[l]),
      .pop_i          (take[l]),
      .stay_row_o     (stay_row[l]),
      .next_row_o     (next_row[l]),
      .home_o         (home[l]),
      .place_i        (place[l]),
      .patch_i        (patch),
      .access_write_i (access_write),
      .segment_write_i(segment_write),
      .write_row_i    (write_row),
      .write_access_i (write_access),
      .write_segment_i(write_segment)
    );
    assign head_row[l]  = head_phv[l].meta.vid[RowBits-1:0];
    assign head_fixed[l] = head_need[l][0] | (stay ? head_free[l] : '0);
    assign head_open[l]  = stay ? '0 : head_free[l];
  end

  logic [NumShown-1:0][NumPipes-1:0] mask;
  sluice_arrival_masks u_masks (
    .clk_i, .rst_ni, .arrive_i, .mask_o(mask), .take_i(take), .stop_i(stop)
  );

  // ---- what blocks
  logic [NumPipes-1:0]                               admit, drop, drop_above;
  logic [BackStages-1:0][NumPipes-1:0]               paced, half, braked, deep;
  logic [BackStages-1:0][NumPipes-1:0][NumPipes-1:0] full, above;
  for (genvar s = 0; s < BackStages; s++) begin : gen_guard
    logic  [NumPipes-1:0]               enter;
    logic  [NumPipes-1:0][NumPipes-1:0] need;
    pipe_t [NumPipes-1:0]               pipe;
    for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
      assign enter[l] = admit[l] && head_access[l][s].valid && phantoms;
      assign need[l]   = admit[l] && phantoms ? head_need[l][s] : '0;
      assign pipe[l]   = head_access[l][s].pipe;
    end
    sluice_queue_guard u_guard (
      .clk_i, .rst_ni, .settings_i,
      .enter_i  (need),
      .report_i (report_i[s]),
      .waiting_i(waiting_i[s]),
      .paced_o  (paced[s]),
      .half_o   (half[s]),
      .braked_o (braked[s]),
      .full_o   (full[s]),
      .deep_o   (deep[s]),
      .depth_o  (depth_o[s])
    );
    sluice_module_shares u_shares (
      .clk_i, .rst_ni,
      .share_i   (share),
      .tick_i    (tick),
      .admit_i   (enter),
      .pipe_i    (pipe),
      .row_i     (head_row),
      .pop_i     (take),
      .stay_row_i(stay_row),
      .next_row_i(next_row),
      .above_o   (above[s])
    );
  end

  // ---- decision
  logic                              overload_q, room_window;
  logic [NumPipes-1:0][NumPipes-1:0] room_fixed, room_any, ahead;
  logic [NumPipes-1:0][4:0]          waits;
  logic [NumPipes-1:0]               lane_deep_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      overload_q  <= 1'b0;
      lane_deep_q <= '0;
    end else begin
      overload_q  <= over_limit_i != '0;
      lane_deep_q <= lane_deep_i;
    end
  end

  sluice_admit u_admit (
    .clk_i, .rst_ni, .settings_i,
    .mask_i       (mask),
    .overload_i   (overload_q),
    .valid_i      (head_valid),
    .void_i       (head_void),
    .need_i       (head_need),
    .paced_i      (paced),
    .half_i       (half),
    .braked_i     (braked),
    .full_i       (full),
    .above_i      (above),
    .room_fixed_i (room_fixed),
    .room_any_i   (room_any),
    .fixed_i      (head_fixed),
    .open_i       (head_open),
    .room_window_i(room_window),
    .take_o       (take),
    .stop_o       (stop),
    .admit_o      (admit),
    .drop_o       (drop),
    .drop_above_o (drop_above),
    .ahead_o      (ahead),
    .wait_o       (waits)
  );

  // ---- congestion: an order queue that the packet needs, or its lane, is long
  logic [NumPipes-1:0] crowded, mark_q;
  for (genvar l = 0; l < NumPipes; l++) begin : gen_mark
    logic [BackStages-1:0] needs_deep;
    for (genvar s = 0; s < BackStages; s++) begin : gen_stage
      assign needs_deep[s] = (head_need[l][s] & deep[s]) != '0;
    end
    assign crowded[l] = lane_deep_q[l] || needs_deep != '0;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) mark_q <= '0;
    else         mark_q <= admit & crowded;
  end

  // ---- the cycle after the decision: tickets
  logic        [NumPipes-1:0]                 take_q, admit_q, drop_q, above_q;
  logic        [NumPipes-1:0][NumPipes-1:0]   ahead_q;
  logic        [NumPipes-1:0][4:0]            waits_q;
  drop_e                                      reason_q [NumPipes];
  phv_t                                       phv_q    [NumPipes];
  resolution_t [NumPipes-1:0][BackStages-1:0] access_q;
  logic        [NumPipes-1:0][BackStages-1:0] pinned_q;
  logic        [NumPipes-1:0][StageBits-1:0]  out_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      take_q  <= '0;
      admit_q <= '0;
      drop_q  <= '0;
      above_q <= '0;
      waits_q <= '0;
    end else begin
      take_q  <= take;
      admit_q <= admit;
      drop_q  <= drop;
      above_q <= drop_above;
      waits_q <= waits;
    end
  end

  sluice_window u_window (
    .clk_i, .rst_ni,
    .admitted_i(admit_q),
    .next_ticket_o,
    .room_o    (room_window),
    .done_valid_i, .done_tag_i, .oldest_o, .in_flight_o
  );

  // ---- moves
  csr_rsp_t moves_rsp;
  sluice_moves u_moves (
    .clk_i, .rst_ni, .settings_i,
    .home_i    (home),
    .place_o   (place),
    .patch_o   (patch),
    .admitted_i(admit_q),
    .access_i  (access_q),
    .pinned_i  (pinned_q),
    .tag_i     (next_ticket_o[TagBits-1:0] + tag_t'($countones(admit_q))),
    .move_o, .landed_i, .away_o, .csr_req_i,
    .csr_rsp_o (moves_rsp)
  );

  // ---- out
  course_t  [NumPipes-1:0] leave, known;
  logic     [NumPipes-1:0] claim_fixed;
  pipe_t    [NumPipes-1:0] claim_pipe, to;
  csr_rsp_t [NumPipes-1:0] csr_rsp;

  // Tags for every number of admitted packets ahead: a packet's own is chosen by that, not added.
  tag_t [NumPipes-1:0] next_tag;
  for (genvar n = 0; n < NumPipes; n++) begin : gen_tag
    assign next_tag[n] = next_ticket_o[TagBits-1:0] + tag_t'(n);
  end

  for (genvar l = 0; l < NumPipes; l++) begin : gen_out
    always_ff @(posedge clk_i) begin
      ahead_q[l] <= ahead[l];
      // Whether it is taken comes late, and is known in the next cycle.
      if (head_valid[l]) begin
        reason_q[l] <= drop[l] ? DropOverload : head_reason[l];
        phv_q[l]    <= head_phv[l];
        access_q[l] <= head_access[l];
        pinned_q[l] <= head_pinned[l];
        out_q[l]    <= head_out[l];
      end
    end

    // Places in the order count only packets that were admitted. Where it leaves to, or may choose
    // from, is kept as steering wants it.
    tag_t                tag;
    logic [NumPipes-1:0] more_ahead;             // [n]: more than n admitted packets are
    logic  chooses_q, fixed_q;
    pipe_t open_pipe_q, leave_pipe_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) chooses_q <= 1'b0;
      else         chooses_q <= admit[l] && !claim_fixed[l];
    end
    always_ff @(posedge clk_i) if (head_valid[l]) begin
      open_pipe_q  <= open_pipe[l];
      leave_pipe_q <= claim_pipe[l];
      fixed_q      <= claim_fixed[l];
    end
    sluice_ones_unary #(.Width(NumPipes)) u_ahead (
      .bits_i(ahead_q[l] & admit_q), .more_o(more_ahead)
    );
    always_comb begin
      tag = more_ahead[0] ? '0 : next_tag[0];
      for (int unsigned n = 1; n < NumPipes; n++)
        tag |= more_ahead[n-1] && !more_ahead[n] ? next_tag[n] : '0;
    end

    route_t [BackStages:0] route;
    for (genvar s = 0; s < BackStages; s++) begin : gen_route
      assign route[s] = '{fixed: access_q[l][s].valid,
                          pipe:  access_q[l][s].valid ? access_q[l][s].pipe : open_pipe_q};
    end
    assign route[BackStages] = '{fixed: 1'b1, pipe: pipe_t'(l)};

    phv_t  leave_phv;
    always_comb begin
      leave_phv           = phv_q[l];
      leave_phv.meta.mark = mark_q[l];
    end
    assign leave[l] = '{valid: chooses_q,  fixed: 1'b0,    escape: 1'b0, pipe: leave_pipe_q};
    assign known[l] = '{valid: admit_q[l], fixed: fixed_q, escape: 1'b0, pipe: leave_pipe_q};

    // While it is steered the packet waits for a cycle.
    logic    valid_q;
    packet_t packet_d, packet_q;
    assign packet_d = '{tag: tag, route: route, phv: leave_phv};
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= 1'b0;
      else         valid_q <= admit_q[l];
    end
    always_ff @(posedge clk_i) packet_q <= packet_d;
    assign transit_o[l] = '{valid: valid_q, escape: 1'b0, pipe: to[l], packet: packet_q};
    assign claim_fixed[l] = head_access[l][0].valid || stay;
    assign claim_pipe[l]  = head_access[l][0].valid ? head_access[l][0].pipe : open_pipe[l];
    assign phantom_o[l]   = '{valid: admit_q[l] && phantoms, tag: tag, access: access_q[l]};

    assign pop_o[l]           = take_q[l];
    assign discard_valid_o[l] = take_q[l] && !admit_q[l];
    assign discard_slot_o[l]  = phv_q[l].meta.hdr;
    assign probe_o[l]         = '{done: take_q[l], reason: reason_q[l], mark: mark_q[l], tag: tag};
    // What the lane dropped it has counted itself.
    assign drop_o[l] = '{valid:  take_q[l] && (drop_q[l] || reason_q[l] == DropDiscardFront),
                         known:  1'b1,
                         row:    phv_q[l].meta.vid[RowBits-1:0],
                         reason: reason_q[l]};

    sluice_order_counters u_counters (
      .clk_i, .rst_ni, .settings_i,
      .lane_i         (pipe_t'(l)),
      .admitted_i     (admit_q[l]),
      .marked_i       (mark_q[l]),
      .out_of_bounds_i(out_q[l]),
      .wait_i         (waits_q[l]),
      .drop_i         (drop_o[l]),
      .drop_above_i   (above_q[l]),
      .csr_req_i,
      .csr_rsp_o      (csr_rsp[l])
    );
  end

  always_comb begin
    csr_rsp_o = moves_rsp;
    for (int unsigned l = 0; l < NumPipes; l++) csr_rsp_o = csr_rsp_o | csr_rsp[l];
  end

  sluice_steer #(.AtOnce(1'b1)) u_steer (
    .clk_i, .rst_ni, .settings_i,
    .room_fixed_o  (room_fixed),
    .room_any_o    (room_any),
    .claim_valid_i (admit),
    .claim_fixed_i (claim_fixed),
    .claim_escape_i('0),
    .claim_pipe_i  (claim_pipe),
    .known_i       (known),
    .leave_i       (leave),
    .to_o          (to),
    .freed_i, .departed_i
  );
endmodule : sluice_order
