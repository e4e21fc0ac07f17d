// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"
`include "sluice_tag.svh"

/// Order queue of one pipeline of a back stage: the phantoms of the packets that must pass here, in
/// the order of tickets, and among them the moves of indices that leave this pipeline. One FIFO a
/// lane, one for moves, and a register for the oldest of their heads. A move comes after the
/// phantoms with an older tag and before those with its own or a younger one.
/// Latency: a phantom or move shows at the head two cycles after it came, if nothing older is
/// there; the same for all lanes. Throughput: takes one phantom a lane and cycle, and one move;
/// gives one a cycle, also from one lane.
/// Invariant: phantoms of one cycle come together, and are younger than those of all cycles before,
/// a move comes with the youngest phantoms that are older; so a FIFO is sorted, the oldest of the
/// FIFOs' heads is the oldest of all, and nothing that comes later is older than the head register.
/// (MP5, section 3.3: phantom packets; section 3.4: moves of indices, here in order.)
module sluice_order_queue
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
#(
  parameter int unsigned Depth = PhantomDepth,   // phantoms of one lane
  parameter int unsigned Lanes = NumPipes,       // a power of two
  parameter int unsigned Moves = MoveIds,        // moves inside, at most
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
  input  move_id_t             move_id_i,
  input  slot_t                move_slot_i,   // where its value is
  // head
  output logic                 valid_o,
  output logic                 is_move_o,
  output move_id_t             move_id_o,     // of a move
  output tag_t                 tag_o,
  output slot_t                slot_o,
  output logic [LaneBits-1:0]  lane_o,        // of a phantom
  input  logic                 pop_i,
  output logic [CountBits-1:0] count_o,       // phantoms inside
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
  logic [Lanes-1:0]  fifo_valid, fifo_pop, fifo_full;
  tag_t  [Lanes-1:0] fifo_tag;
  slot_t             fifo_slot [Lanes];
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [$clog2(Depth+1)-1:0] unused_count;
    sluice_fifo #(.Depth(Depth), .Width(TagBits + SlotBits)) u_fifo (
      .clk_i, .rst_ni,
      .push_i (push[l]), .data_i({tag_i[l], slot_i[l]}), .full_o(fifo_full[l]),
      .valid_o(fifo_valid[l]), .data_o({fifo_tag[l], fifo_slot[l]}), .pop_i(fifo_pop[l]),
      .count_o(unused_count)
    );
  end

  // ---- moves
  logic                         move_valid, move_pop, move_full, move_first;
  tag_t                         move_tag;
  slot_t                        move_slot;
  move_id_t                     move_id;
  logic [$clog2(Moves+1)-1:0]   unused_moves;
  sluice_fifo #(.Depth(Moves), .Width(TagBits + SlotBits + MoveIdBits)) u_moves (
    .clk_i, .rst_ni,
    .push_i (move_i), .data_i({move_tag_i, move_slot_i, move_id_i}), .full_o(move_full),
    .valid_o(move_valid), .data_o({move_tag, move_slot, move_id}), .pop_i(move_pop),
    .count_o(unused_moves)
  );

  // Beside the search for the oldest phantom: is there one that comes before the move?
  always_comb begin
    move_first = move_valid;
    for (int unsigned l = 0; l < Lanes; l++)
      if (fifo_valid[l] && `SLUICE_OLDER(fifo_tag[l], move_tag)) move_first = 1'b0;
  end

  // ---- the head: refilled in the cycle in which it goes
  logic                oldest_valid, load, valid_q, is_move_q;
  move_id_t            move_id_q;
  logic [LaneBits-1:0] oldest_lane, lane_q;
  tag_t                tag_q;
  slot_t               slot_q;
  sluice_least #(.N(Lanes)) u_oldest (
    .greatest_i(swap_i), .valid_i(fifo_valid), .tag_i(fifo_tag),
    .valid_o(oldest_valid), .index_o(oldest_lane)
  );

  assign load     = (oldest_valid || move_valid) && (pop_i || !valid_q);
  assign move_pop = load && move_first;
  for (genvar l = 0; l < Lanes; l++) begin : gen_pop
    assign fifo_pop[l] = load && !move_first && oldest_lane == LaneBits'(l);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 1'b0;
    else         valid_q <= load || (valid_q && !pop_i);
  end

  always_ff @(posedge clk_i) begin
    if (load) begin
      is_move_q <= move_first;
      move_id_q <= move_id;
      lane_q    <= oldest_lane;
      tag_q     <= move_first ? move_tag : fifo_tag[oldest_lane];
      slot_q    <= move_first ? move_slot : fifo_slot[oldest_lane];
    end
  end

  assign valid_o   = valid_q;
  assign is_move_o = is_move_q;
  assign move_id_o = move_id_q;
  assign tag_o     = tag_q;
  assign slot_o    = slot_q;
  assign lane_o    = lane_q;

  // ---- count
  logic [CountBits-1:0] pushed;
  always_comb begin
    pushed = '0;
    for (int unsigned l = 0; l < Lanes; l++) pushed += CountBits'(push[l]);
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) count_o <= '0;
    else         count_o <= count_o + pushed - CountBits'(pop_i && !is_move_q);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) overflow_o <= 1'b0;
    else         overflow_o <= (push & fifo_full) != '0 || (move_i && move_full);
  end

  // ---- assertions
`ifndef SYNTHESIS
  for (genvar l = 0; l < Lanes; l++) begin : gen_check
    // The head still has its entry: the order point gives it back only when it hears of the issue.
    localparam int unsigned InsideBits = $clog2(Depth + 2);
    logic [InsideBits-1:0] inside_q;
    tag_t                  last_q;      // tag pushed last
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) inside_q <= '0;
      else inside_q <= inside_q + InsideBits'(push[l])
                       - InsideBits'(pop_i && !is_move_q && lane_q == LaneBits'(l));
    end
    always_ff @(posedge clk_i) if (push[l]) last_q <= tag_i[l];
    `SLUICE_ASSERT(PhantomHasRoom_A, !push[l] || inside_q < InsideBits'(Depth))
    `SLUICE_ASSERT(FifoSorted_A, !push[l] || !fifo_valid[l] || `SLUICE_OLDER(last_q, tag_i[l]))
    `SLUICE_ASSERT(NoneOlderComes_A, !push[l] || !valid_q
      || (is_move_q ? !`SLUICE_OLDER(tag_i[l], tag_q) : `SLUICE_OLDER(tag_q, tag_i[l])))
    `SLUICE_ASSERT(HeadIsLeast_A, !(valid_q && fifo_valid[l])
      || (is_move_q ? !`SLUICE_OLDER(fifo_tag[l], tag_q) : `SLUICE_OLDER(tag_q, fifo_tag[l])))
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
    || (is_move_q ? !`SLUICE_OLDER(move_tag, tag_q) : `SLUICE_OLDER(tag_q, move_tag)))
  `SLUICE_ASSERT(PopNeedsHead_A, !pop_i || valid_q)
`endif
endmodule : sluice_order_queue
