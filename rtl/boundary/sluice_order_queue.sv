// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"
`include "sluice_tag.svh"

/// Order queue of one pipeline of a back stage: the phantoms of the packets that must pass here, in
/// the order of tickets, and among them the moves of indices that leave this pipeline and the marks
/// of indices that live here: in this module a mark is a move. One FIFO a lane, in a memory, one
/// for moves, and registers for the two oldest of all: the second is there so that the FIFOs need
/// not know of a pop in its own cycle, in which it comes late. A move comes after the phantoms with
/// an older tag and before those with its own or a younger one.
/// Timing: heads of the FIFOs, and their order, are in registers too: so what enters the two is
/// known early in its cycle, and its packet is searched in the same one (sluice_meeting).
/// Latency: a phantom or move shows at the head two cycles after it came, if nothing older is
/// there; the same for all lanes. Throughput: takes one phantom a lane and cycle, and one move;
/// gives one a cycle, also from one lane.
/// Invariant: phantoms of one cycle come together, and are younger than those of all cycles before,
/// a move comes with the youngest phantoms that are older; so a FIFO is sorted, the oldest of the
/// FIFOs' heads is the oldest of all, and nothing that comes later is older than what was taken
/// from them. The second register is used only while the head is.
/// (MP5, section 3.3: phantom packets; section 3.4: moves of indices, here in order.)
module sluice_order_queue
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
#(
  parameter int unsigned Depth = PhantomDepth,   // phantoms of one lane
  parameter int unsigned Lanes = NumPipes,       // a power of two
  parameter int unsigned Moves = QueueMoves,     // moves inside, at most; 0: none come
  localparam int unsigned LaneBits  = index_bits(Lanes),
  localparam int unsigned CountBits = $clog2(Lanes * Depth + 1)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 lose_i,        // fault: one phantom in 64 is not stored
  input  logic                 swap_i,        // fault: the youngest head first
  // phantoms; the order point counts them, so there is always room
  input  logic [Lanes-1:0]     push_i,
  input  tag_t [Lanes-1:0]     tag_i,
  input  slot_t [Lanes-1:0]    slot_i,
  // a move; the order point knows that there is room
  input  logic                 move_i,
  input  tag_t                 move_tag_i,    // of the oldest packet that comes after it
  input  move_name_t           move_id_i,
  input  slot_t                move_slot_i,   // where its value is
  // head
  output logic                 valid_o,
  output logic                 is_move_o,
  output move_name_t           move_id_o,     // of a move
  output tag_t                 tag_o,
  output slot_t                slot_o,
  output logic [LaneBits-1:0]  lane_o,        // of a phantom
  input  logic                 pop_i,
  // behind it: the second, and a phantom that enters the first of the two that is free after a pop
  output logic                 second_o,
  output logic                 second_is_move_o,
  output tag_t                 second_tag_o,
  output logic                 enter_o,
  output tag_t                 enter_tag_o,
  output logic [CountBits-1:0] count_o,       // phantoms inside in the cycle before
  output logic                 overflow_o     // one came in the last cycle to a full FIFO
);
  // ---- fault: forgets what comes in every 64th cycle in which anything comes
  logic [5:0]       pushes_q;
  logic             lost;
  logic [Lanes-1:0] push;
  assign lost = lose_i && pushes_q == '1;
  assign push = lost ? '0 : push_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)            pushes_q <= '0;
    else if (push_i != '0)  pushes_q <= pushes_q + 1'b1;
  end

  // ---- one FIFO a lane
  logic  [Lanes-1:0] fifo_valid, fifo_pop, fifo_full, behind_valid;
  tag_t  [Lanes-1:0] fifo_tag, behind_tag;
  slot_t             fifo_slot [Lanes];
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    slot_t unused_slot;
    sluice_head_fifo #(.Depth(Depth - 1), .Width(TagBits + SlotBits)) u_fifo (
      .clk_i, .rst_ni,
      .push_i (push[l]), .data_i({tag_i[l], slot_i[l]}), .full_o(fifo_full[l]),
      .valid_o(fifo_valid[l]), .data_o({fifo_tag[l], fifo_slot[l]}), .pop_i(fifo_pop[l]),
      .behind_valid_o(behind_valid[l]), .behind_o({behind_tag[l], unused_slot})
    );
  end

  // ---- moves
  logic                         move_valid, move_pop, move_full, move_first;
  tag_t                         move_tag;
  slot_t                        move_slot;
  move_name_t                   move_id;
  if (Moves > 0) begin : gen_moves
    sluice_fifo #(.Depth(Moves), .Width(TagBits + SlotBits + $bits(move_name_t))) u_moves (
      .clk_i, .rst_ni,
      .push_i (move_i), .data_i({move_tag_i, move_slot_i, move_id_i}), .full_o(move_full),
      .valid_o(move_valid), .data_o({move_tag, move_slot, move_id}), .pop_i(move_pop),
      .count_o()
    );
  end else begin : gen_no_moves
    assign {move_valid, move_full, move_tag, move_slot, move_id} = '0;
  end

  // Beside the search for the oldest phantom: is there one that comes before the move?
  always_comb begin
    move_first = move_valid;
    for (int unsigned l = 0; l < Lanes; l++)
      if (fifo_valid[l] && `SLUICE_OLDER(fifo_tag[l], move_tag)) move_first = 1'b0;
  end

  // ---- the oldest in the FIFOs
  typedef struct packed {
    logic                is_move;
    move_name_t          id;
    logic [LaneBits-1:0] lane;
    tag_t                tag;
    slot_t               slot;
  } entry_t;
  logic             oldest_valid, load, valid_q, second_valid_q;
  logic [Lanes-1:0] oldest_lane;
  tag_t             oldest_tag;
  entry_t           oldest, head_q, second_q;
  assign oldest_valid = fifo_valid != '0;
  sluice_oldest_head #(.N(Lanes)) u_oldest (
    .clk_i, .rst_ni, .greatest_i(swap_i), .valid_i(fifo_valid), .tag_i(fifo_tag),
    .behind_valid_i(behind_valid), .behind_tag_i(behind_tag), .push_i(push), .push_tag_i(tag_i),
    .pop_i(load && !move_first), .pick_o(oldest_lane), .tag_o(oldest_tag)
  );
  always_comb begin
    oldest = '{is_move: move_first, id: move_id, lane: '0,
               tag: move_first ? move_tag : oldest_tag, slot: move_first ? move_slot : '0};
    for (int unsigned l = 0; l < Lanes; l++) begin
      if (oldest_lane[l])                oldest.lane |= LaneBits'(l);
      if (oldest_lane[l] && !move_first) oldest.slot |= fifo_slot[l];
    end
  end

  assign load     = (oldest_valid || move_valid) && !second_valid_q;
  assign move_pop = load && move_first;
  assign fifo_pop = load && !move_first ? oldest_lane : '0;

  // ---- the head, refilled in the cycle in which it goes; the second
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q        <= 1'b0;
      second_valid_q <= 1'b0;
    end else begin
      valid_q        <= load || second_valid_q || (valid_q && !pop_i);
      second_valid_q <= (load || second_valid_q) && valid_q && !pop_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (pop_i || !valid_q) head_q   <= second_valid_q ? second_q : oldest;
    if (!second_valid_q)   second_q <= oldest;
  end

  assign valid_o   = valid_q;
  assign is_move_o = head_q.is_move;
  assign move_id_o = head_q.id;
  assign tag_o     = head_q.tag;
  assign slot_o    = head_q.slot;
  assign lane_o    = head_q.lane;

  assign second_o         = second_valid_q;
  assign second_is_move_o = second_q.is_move;
  assign second_tag_o     = second_q.tag;
  assign enter_o          = load && !move_first;
  assign enter_tag_o      = oldest_tag;

  // ---- count, a cycle late, as a pop is
  localparam int unsigned PushBits = $clog2(Lanes + 1);
  logic [PushBits-1:0] pushed_q;
  logic                popped_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pushed_q <= '0;
      popped_q <= 1'b0;
      count_o  <= '0;
    end else begin
      pushed_q <= PushBits'($countones(push));
      popped_q <= pop_i && !head_q.is_move;
      count_o  <= count_o + CountBits'(pushed_q) - CountBits'(popped_q);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) overflow_o <= 1'b0;
    else         overflow_o <= (push & fifo_full) != '0 || (move_i && move_full);
  end

  // ---- assertions
`ifdef SLUICE_SIM
  // A phantom with that tag comes after the entry.
`define NOT_BEFORE(Tag, Entry) \
  ((Entry).is_move ? !`SLUICE_OLDER(Tag, (Entry).tag) : `SLUICE_OLDER((Entry).tag, Tag))
  for (genvar l = 0; l < Lanes; l++) begin : gen_check
    // The head still has its entry: the order point gives it back only when it hears of the issue.
    localparam int unsigned HeldBits = $clog2(Depth + 2);
    logic [HeldBits-1:0] inside_q;
    tag_t                  last_q;      // tag pushed last
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) inside_q <= '0;
      else inside_q <= inside_q + HeldBits'(push[l])
                       - HeldBits'(pop_i && !head_q.is_move && head_q.lane == LaneBits'(l));
    end
    always_ff @(posedge clk_i) if (push[l]) last_q <= tag_i[l];
    `SLUICE_ASSERT(PhantomHasRoom_A, !push[l] || inside_q < HeldBits'(Depth))
    `SLUICE_ASSERT(FifoSorted_A, !push[l] || !fifo_valid[l] || `SLUICE_OLDER(last_q, tag_i[l]))
    `SLUICE_ASSERT(NoneOlderComes_A, !push[l] || !valid_q || `NOT_BEFORE(tag_i[l], head_q))
    `SLUICE_ASSERT(NoneOlderComesLater_A,
      !push[l] || !second_valid_q || `NOT_BEFORE(tag_i[l], second_q))
    `SLUICE_ASSERT(HeadIsLeast_A,
      !(valid_q && fifo_valid[l]) || `NOT_BEFORE(fifo_tag[l], head_q))
    `SLUICE_ASSERT(SecondIsLeast_A,
      !(second_valid_q && fifo_valid[l]) || `NOT_BEFORE(fifo_tag[l], second_q))
    // A move comes with or after all phantoms that are older, and before the others.
    `SLUICE_ASSERT(MoveAfterOlder_A,
      !(push[l] && move_i) || `SLUICE_OLDER(tag_i[l], move_tag_i))
    `SLUICE_ASSERT(MoveBeforeYounger_A,
      !(push[l] && move_valid) || !`SLUICE_OLDER(tag_i[l], move_tag))
    `SLUICE_ASSERT(MoveInTurn_A,
      !(move_i && fifo_valid[l]) || `SLUICE_OLDER(last_q, move_tag_i))
  end
  `SLUICE_ASSERT(MoveHasRoom_A, !(move_i && move_full))
  `SLUICE_ASSERT(MoveIsLeast_A, !(valid_q && move_valid)
    || (head_q.is_move ? !`SLUICE_OLDER(move_tag, head_q.tag)
        : `SLUICE_OLDER(head_q.tag, move_tag)))
  `SLUICE_ASSERT(SecondBehindHead_A, !second_valid_q || valid_q)
  `SLUICE_ASSERT(HeadBeforeSecond_A, !second_valid_q || second_q.is_move
    || `NOT_BEFORE(second_q.tag, head_q))
  `SLUICE_ASSERT(PopNeedsHead_A, !pop_i || valid_q)
`undef NOT_BEFORE
`endif
endmodule : sluice_order_queue
