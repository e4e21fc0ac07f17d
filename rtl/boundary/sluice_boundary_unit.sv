// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"
`include "sluice_tag.svh"

/// The boundary before one pipeline of a back stage: k payload banks, one for each source, the
/// escape slot, the order queue, and the decision which packet goes to the match-action unit.
/// Latency: a packet that comes in t may be issued in t+1; a packet issued in t is on `packet_o` in
/// t+1. Room is claimed in t; freed slots, departures, reports and `done` show in t+1.
/// A move at the head of the order queue goes beside such a packet or alone, the landing of one
/// beside a packet without an access here or alone. A mark (docs/marks.md) goes as the read of a
/// move does, and as the landing of one too if it writes.
/// Throughput: takes a packet from each source, and issues one, a cycle; and a move or a landing.
/// Invariant (C1 within a stage): packets with a state access here go in the order of their
/// tickets, because only the order queue lets them go, and its tags only grow. At a stage without
/// state (State = 0) no packet has an access, and there is no order queue.
module sluice_boundary_unit
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_stage_pkg::*;
#(
  parameter int unsigned Depth = BankDepth,      // slots of a bank
  // the stage holds state; else nothing waits for an order
  parameter bit          State = 1'b1
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  stage_settings_t          settings_i,
  input  stage_t                   stage_i,
  input  pipe_t                    pipe_i,
  // from the sources, and from the order point; phantoms: resolution at this stage
  input  transit_t  [NumPipes-1:0] transit_i,
  input  logic      [NumPipes-1:0] phantom_i,    // of the lane, for this pipeline
  input  tag_t      [NumPipes-1:0] phantom_tag_i,
  input  slot_t     [NumPipes-1:0] phantom_slot_i,
  input  tag_t                     oldest_i,
  // moves (docs/moves.md): one that leaves this pipeline; what the head must wait for; landings
  input  move_t                    move_i,
  output tag_t                     head_tag_o,
  output slot_t                    head_slot_o,
  input  logic                     pending_i,    // that slot waits for its value
  input  logic                     land_i,       // taken unless hold_i
  input  slot_t                    land_slot_i,
  // room at the next boundary, and claims of it
  input  logic      [NumPipes-1:0] room_fixed_i,
  input  logic      [NumPipes-1:0] room_any_i,   // of the set of that pipeline
  output course_t                  claim_o,
  // match-action unit
  input  logic                     hold_i,
  output logic                     valid_o,
  output packet_t                  packet_o,
  output grant_t                   grant_o,
  // to the boundary before, and to the order point
  output logic      [NumPipes-1:0] freed_o,
  output report_t                  report_o,
  output logic      [15:0]         waiting_o,
  output tag_t                     done_tag_o,   // of the packet on packet_o
  // events of the match-action unit, and the registers
  input  unit_event_t              event_i,
  input  logic      [3:0]          reg_i,
  output logic      [31:0]         rdata_o,
  output error_e                   error_o       // what must never happen, two cycles later
);
  `SLUICE_TAKES(IssueCycles, 1)
  `SLUICE_TAKES(StoreCycles, 1)

  localparam int unsigned RouteBits = $clog2(BackStages + 1);
  localparam int unsigned CountBits = $clog2(Depth + 1);
  localparam int unsigned SlotIndexBits = $clog2(Depth);

  logic [RouteBits-1:0] here, after;             // place in packet.route
  logic                 exit_next;
  assign here            = RouteBits'(stage_i);
  assign after           = RouteBits'(stage_i) + 1'b1;
  assign exit_next       = stage_i == stage_t'(BackStages - 1);

  // ---- modes (docs/study.md), in registers of this unit
  mode_t mode;
  pipe_t set_mask;
  tag_t  oldest;                                 // without escapes: a tag that no packet has
  always_ff @(posedge clk_i) begin
    mode     <= settings_i.mode;
    set_mask <= settings_i.set_mask;
    oldest   <= mode.no_escape ? oldest_i - tag_t'(Window / 2) : oldest_i;
  end

  // ---- order queue
  localparam int unsigned QueueBits = $clog2(NumPipes * PhantomDepth + 1);
  logic                 head_valid, head_move, head_packet, issue_a, read, land;
  move_name_t           head_id;
  tag_t                 head_tag;
  slot_t                head_slot;
  pipe_t                head_lane;
  logic [QueueBits-1:0] queue_count;
  logic                 queue_overflow, second, second_move, enter;
  tag_t                 second_tag, enter_tag;
  if (State) begin : gen_queue
    sluice_order_queue u_order_queue (
      .clk_i, .rst_ni,
      .lose_i (settings_i.fault[FaultPhantomLost]), .swap_i(settings_i.fault[FaultPhantomSwap]),
      .push_i (phantom_i), .tag_i(phantom_tag_i), .slot_i(phantom_slot_i),
      .move_i (move_i.valid), .move_tag_i(move_i.tag), .move_id_i(move_i.id),
      .move_slot_i(move_i.from_slot),
      .valid_o(head_valid), .is_move_o(head_move), .move_id_o(head_id),
      .tag_o  (head_tag), .slot_o(head_slot), .lane_o(head_lane),
      .second_o(second), .second_is_move_o(second_move), .second_tag_o(second_tag),
      .enter_o(enter), .enter_tag_o(enter_tag),
      .pop_i  (issue_a || read), .count_o(queue_count), .overflow_o(queue_overflow)
    );
  end else begin : gen_no_queue
    assign {head_valid, head_move, second, second_move, enter, queue_overflow} = '0;
    assign {head_id, head_tag, head_slot, head_lane, second_tag, enter_tag, queue_count} = '0;
  end
  logic busy;                                    // the state unit is taken by a write
  assign head_packet = head_valid && !head_move;
  assign head_tag_o  = head_tag;
  assign head_slot_o = head_slot;
  assign read        = head_valid && head_move && !busy && !hold_i;
  assign land        = land_i && !hold_i;

  // ---- what marks need beyond moves. Without phantoms packets with an access do not come from the
  // order queue, and one may not go beside a mark.
  logic  mark_write, alone;
  slot_t write_slot;
  assign alone = Marks != 0 && mode.no_phantoms && head_valid && head_move;
  sluice_mark_write #(.State(State)) u_mark_write (
    .clk_i, .rst_ni, .late_i(settings_i.fault[FaultTakeOpen]),
    .land_i, .land_slot_i, .hold_i, .read_i(read), .id_i(head_id), .slot_i(head_slot),
    .busy_o(busy), .write_o(mark_write), .slot_o(write_slot)
  );

  // ---- what comes, with its route to the next boundary: of what is not fixed there, this
  // pipeline's place in its set
  logic   [NumPipes-1:0] mine, ordered;          // for this pipeline; has a phantom
  logic   [NumPipes-1:0] bank_store, escape_from;
  tag_t   [NumPipes-1:0] come_tag;
  route_t [NumPipes-1:0] next;
  for (genvar s = 0; s < NumPipes; s++) begin : gen_come
    route_t route_here;
    assign route_here     = transit_i[s].packet.route[here];
    assign mine[s]        = transit_i[s].valid && transit_i[s].pipe == pipe_i;
    assign ordered[s]     = State && route_here.fixed && !mode.no_phantoms;
    assign bank_store[s]  = mine[s] && !transit_i[s].escape;
    assign escape_from[s] = mine[s] && transit_i[s].escape;
    assign come_tag[s]    = transit_i[s].packet.tag;
    always_comb begin
      next[s] = transit_i[s].packet.route[after];
      if (!next[s].fixed) next[s].pipe = (next[s].pipe & set_mask) | (pipe_i & ~set_mask);
    end

    `SLUICE_ASSERT(OpenIsInItsSet_A, !(mine[s] && !route_here.fixed)
                   || ((route_here.pipe ^ pipe_i) & set_mask) == '0)
    `SLUICE_ASSERT(FixedIsAtHome_A, !(mine[s] && route_here.fixed) || route_here.pipe == pipe_i)
  end

  // ---- escape slot: for a packet that was the oldest in flight when it was issued, so it is still
  logic    escape_valid_q, escape_fixed_q, escape_store, escape_take;
  route_t  escape_next_q;
  packet_t escape_q;
  logic    escape_match;                         // the packet of the phantom that enters
  assign escape_match = escape_valid_q && escape_fixed_q && escape_q.tag == enter_tag;

  packet_t escape_packet;
  route_t  escape_next;
  assign escape_store = escape_from != '0;
  always_comb begin
    escape_packet = '0;
    escape_next   = '0;
    if (`SLUICE_WHEN(escape_store)) begin
      escape_packet = transit_i[0].packet;
      escape_next   = next[0];
      for (int unsigned s = 1; s < NumPipes; s++)
        if (escape_from[s]) begin
          escape_packet = transit_i[s].packet;
          escape_next   = next[s];
        end
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) escape_valid_q <= 1'b0;
    else         escape_valid_q <= escape_store || (escape_valid_q && !escape_take);
  end
  always_ff @(posedge clk_i) begin
    if (escape_store) begin
      escape_q       <= escape_packet;
      escape_fixed_q <= (escape_from & ordered) != '0;
      escape_next_q  <= escape_next;
    end
  end

  // ---- banks
  logic   [NumPipes-1:0] take_fixed, take_offer, bank_overflow;
  logic   [NumPipes-1:0][SlotIndexBits-1:0] store_slot, match_slot;
  logic   [NumPipes:0]   match;                  // banks, escape slot; where the head's packet is
  route_t [NumPipes:0]   match_next;
  logic   [NumPipes:0]   a_where;
  logic   [SlotIndexBits-1:0] a_slot;
  route_t                a_next;
  // offers: of the banks, and behind them that of the escape slot
  logic   [NumPipes:0]   offer, pick, go;
  tag_t   [NumPipes:0]   offer_tag;
  route_t [NumPipes:0]   offer_next;
  packet_t               bank_packet [NumPipes];
  logic [CountBits-1:0]  bank_count [NumPipes];
  for (genvar s = 0; s < NumPipes; s++) begin : gen_bank
    sluice_payload_bank #(.Depth(Depth)) u_bank (
      .clk_i, .rst_ni,
      .store_i     (bank_store[s]), .store_fixed_i(ordered[s]), .store_next_i(next[s]),
      .store_packet_i(transit_i[s].packet), .store_slot_o(store_slot[s]),
      .search_tag_i(enter_tag), .match_o(match[s]), .match_slot_o(match_slot[s]),
      .match_next_o(match_next[s]),
      .oldest_i    (oldest),
      .offer_o     (offer[s]), .offer_tag_o(offer_tag[s]), .offer_next_o(offer_next[s]),
      .take_fixed_i(take_fixed[s]), .take_slot_i(a_slot), .take_offer_i(take_offer[s]),
      .packet_o    (bank_packet[s]), .count_o(bank_count[s]),
      .overflow_o  (bank_overflow[s])
    );
  end

  // ---- candidates: a is known a cycle ahead
  assign match[NumPipes]      = escape_match;
  assign match_next[NumPipes] = escape_match ? escape_next_q : '0;
  if (State) begin : gen_meeting
    sluice_meeting #(.Depth(Depth)) u_meeting (
      .clk_i, .rst_ni,
      .head_i  (head_packet), .head_tag_i(head_tag), .stay_i(head_valid), .pop_i(issue_a || read),
      .second_valid_i(second), .second_i(second && !second_move), .second_tag_i(second_tag),
      .enter_i (enter), .enter_tag_i(enter_tag),
      .found_i (match), .found_slot_i(match_slot), .found_next_i(match_next),
      .come_i  (mine & ordered), .come_escape_i(escape_from), .come_tag_i(come_tag),
      .come_slot_i(store_slot), .come_next_i(next),
      .where_o (a_where), .slot_o(a_slot), .next_o(a_next)
    );
  end else begin : gen_no_meeting
    assign {a_where, a_slot, a_next} = '0;
  end

  logic a_valid;
  tag_t b_tag;
  assign offer[NumPipes]      = escape_valid_q && !escape_fixed_q;
  assign offer_tag[NumPipes]  = escape_q.tag;
  assign offer_next[NumPipes] = escape_next_q;
  assign a_valid = a_where != '0;
  always_comb begin
    b_tag = '0;
    for (int unsigned s = 0; s < NumPipes + 1; s++) b_tag |= pick[s] ? offer_tag[s] : '0;
  end

  // ---- decision
  logic blocked;
  sluice_issue u_issue (
    .mode_i(mode), .exit_i(exit_next), .hold_i(hold_i || alone), .oldest_i(oldest), .room_fixed_i,
    .room_any_i,
    .a_valid_i(a_valid), .a_tag_i(head_tag), .a_next_i(a_next), .a_wait_i(pending_i || busy),
    .b_valid_i(offer), .b_tag_i(offer_tag), .b_next_i(offer_next), .b_pick_o(pick), .b_go_o(go),
    .issue_a_o(issue_a), .blocked_o(blocked), .claim_o
  );
  assign take_fixed    = {NumPipes{issue_a}} & a_where[NumPipes-1:0];
  assign take_offer    = go[NumPipes-1:0];
  assign escape_take   = (issue_a && a_where[NumPipes]) || go[NumPipes];

  // ---- t+1: the packet
  logic [NumPipes:0] from_q;                     // of the banks and the escape slot
  logic              from_queue_q, read_q, land_q, mark_write_q;
  move_name_t        id_q;
  slot_t             slot_q;
  always_comb begin
    packet_o = '0;
    if (from_q[NumPipes]) packet_o = escape_q;
    for (int unsigned s = 0; s < NumPipes; s++) if (from_q[s]) packet_o |= bank_packet[s];
  end
  assign grant_o = '{
    access: from_queue_q || (mode.no_phantoms && valid_o && packet_o.route[here].fixed),
    read: read_q, land: land_q, mark_write: mark_write_q, id: id_q, slot: slot_q
  };

  always_ff @(posedge clk_i) begin
    from_q     <= issue_a ? a_where : pick;
    done_tag_o <= issue_a ? head_tag : b_tag;
    id_q       <= head_id;
    if (issue_a || read || land || mark_write) slot_q <= write_slot;
  end

  // ---- t+1: what others hear of it
  localparam int unsigned WaitBits = $clog2(NumPipes * Depth + 1);
  typedef logic [WaitBits-1:0] wait_t;
  wait_t waiting_q, waiting_stay;                // without an issue
  assign waiting_stay = waiting_q + wait_t'($countones(bank_store));
  assign waiting_o    = 16'(waiting_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_o   <= 1'b0;
      from_queue_q <= 1'b0;
      {read_q, land_q, mark_write_q} <= '0;
      freed_o   <= '0;
      report_o  <= '0;
      waiting_q <= '0;
    end else begin
      valid_o   <= claim_o.valid;
      from_queue_q <= issue_a;
      {read_q, land_q, mark_write_q} <= {read, land, mark_write};
      freed_o   <= take_fixed | take_offer;
      report_o  <= '{valid: issue_a, lane: head_lane};
      waiting_q <= claim_o.valid && !escape_take ? waiting_stay - 1'b1 : waiting_stay;
    end
  end

  // ---- counters
  logic        idle, wait_data;
  logic [CountBits-1:0] most [NumPipes], most_q; // packets in the fullest bank
  assign wait_data = head_packet && !a_valid && offer == '0 && !hold_i;
  assign idle      = !head_valid && !a_valid && offer == '0 && !hold_i;
  always_comb begin
    for (int unsigned s = 0; s < NumPipes; s++) most[s] = bank_count[s];
    for (int unsigned n = NumPipes / 2; n > 0; n = n / 2)     // a tree
      for (int unsigned s = 0; s < n; s++)
        most[s] = most[2*s] > most[2*s+1] ? most[2*s] : most[2*s+1];
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) most_q <= '0;
    else         most_q <= most[0];
  end
  sluice_boundary_counters u_counters (
    .clk_i, .rst_ni, .clear_i(settings_i.clear),
    .issued_i  (claim_o.valid), .idle_i(idle), .wait_data_i(wait_data), .wait_credit_i(blocked),
    .stateful_i(issue_a), .escape_i(escape_take), .unit_i(event_i),
    .move_i    (read && !`SLUICE_IS_MARK(head_id)),
    .move_wait_i(a_valid && (pending_i || land_i) && !hold_i),
    .queue_i   (16'(queue_count)), .bank_i(16'(most_q)), .waiting_i(waiting_o),
    .reg_i, .rdata_o
  );

  // ---- errors: asserted in simulation, told to the host by hardware
  logic escape_free, escape_taken_q;
  assign escape_free = !escape_store || (!escape_valid_q && $onehot0(escape_from));
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      escape_taken_q <= 1'b0;
      error_o        <= ErrorNone;
    end else begin
      escape_taken_q <= !escape_free;
      error_o        <= bank_overflow != '0 ? ErrorBankFull : queue_overflow ? ErrorPhantomFull
                        : escape_taken_q ? ErrorEscapeTaken : ErrorNone;
    end
  end

  // ---- assertions
  `SLUICE_ASSERT(EscapeSlotEmpty_A, escape_free)
  `SLUICE_ASSERT(FoundOnce_A, $onehot0(match))
  `SLUICE_ASSERT(FreedOnce_A, $onehot0(freed_o))
  `SLUICE_ASSERT(IssuedIsThatPacket_A, !valid_o || packet_o.tag == done_tag_o)
  `SLUICE_ASSERT(FixedGoInTurn_A,
    !valid_o || mode.no_phantoms || packet_o.route[here].fixed == from_queue_q)
  `SLUICE_ASSERT(NoPhantomsCome_A, !mode.no_phantoms || phantom_i == '0)
  `SLUICE_ASSERT(OneStateAccess_A, $onehot0({from_queue_q, read_q, land_q}))
  `SLUICE_ASSERT(MarkWritesAlone_A, $onehot0({from_queue_q, mark_write_q, land_q}))
`ifdef SLUICE_SIM
  // Tags that go from the order queue only grow. A tag says nothing once all up to it have left.
  logic granted_before_q;
  tag_t granted_tag_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                                    granted_before_q <= 1'b0;
    else if (issue_a)                               granted_before_q <= 1'b1;
    else if (`SLUICE_OLDER(granted_tag_q, oldest_i))    granted_before_q <= 1'b0;
  end
  always_ff @(posedge clk_i) if (issue_a) granted_tag_q <= head_tag;
  `SLUICE_ASSERT(QueueOrderGrows_A,
    !(issue_a && granted_before_q) || `SLUICE_OLDER(granted_tag_q, head_tag))
`endif
endmodule : sluice_boundary_unit
