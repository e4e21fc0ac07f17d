// SPDX-License-Identifier: Apache-2.0
`include "sluice_tag.svh"

/// Proof: an order queue of one lane loses, doubles and reorders nothing, neither phantoms nor moves.
/// (That lanes agree among themselves: proof_order_queue.)
///
/// The solver chooses one tag and one id of a move to watch, so what is shown of them holds for
/// all. Assumed of the order point (docs/boundary.md, docs/moves.md): all tags inside and coming
/// are in a window, which only moves on; a phantom that comes is younger than all inside, those of
/// one cycle have different tags; a move comes with the tag after the youngest, or a later one; no
/// id is inside twice; there is room. Shown: a phantom or move is in exactly one place from its
/// push to its pop, keeps its slot, lane and tag, is at the head no later than two cycles after it
/// came if nothing older is inside; whatever is at the head comes before all others inside, a move
/// before the phantom of its tag. So each comes out once, in the order of tickets.
/// BREAK: 1 a pop is not done, 2 a move gets lost, 3 a move has the next tag.
`ifndef BREAK
`define BREAK 0
`endif
module proof_order_moves
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
(
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic  [0:0]          push_i,
  input tag_t  [0:0]          tag_i,
  input slot_t [0:0]          slot_i,
  input logic                 move_i,
  input tag_t                 move_tag_i,
  input move_id_t             move_id_i,
  input slot_t                move_slot_i,
  input logic                 pop_i,
  input tag_t                 base_i,     // where the window begins from the next cycle on
  input tag_t                 watched_i,  // the solver's choices, held by an assumption
  input move_id_t             watched_id_i,
  input logic                 slip_i      // when a broken twin goes wrong
);
  localparam int unsigned Depth     = 3;       // small, for the sake of the solver
  localparam int unsigned Behind    = Depth - 1;   // words of a FIFO behind its head
  localparam int unsigned Moves     = 2;
  localparam int unsigned Lanes     = 1;
  localparam int unsigned CountBits = $clog2(Depth + 1);
  localparam int unsigned Words     = Behind + 1;
  typedef logic [$clog2(Behind)-1:0] ptr_t;
  typedef logic [CountBits-1:0]     count_t;

  logic                                    valid, is_move;
  tag_t                                    tag;
  slot_t                                   slot;
  pipe_t                                   lane;
  move_id_t                                id;
  logic [Lanes-1:0]                     push;
  logic                                    pop, move;
  tag_t                                    move_tag;
  logic [$clog2(Lanes * Depth + 1)-1:0] count;
  assign push     = push_i;
  assign pop      = pop_i && !(`BREAK == 1 && slip_i);
  assign move     = move_i && !(`BREAK == 2 && slip_i);
  assign move_tag = `BREAK == 3 ? move_tag_i + 1'b1 : move_tag_i;

  sluice_order_queue #(.Depth(Depth), .Moves(Moves), .Lanes(Lanes)) u_dut (
    .clk_i, .rst_ni, .lose_i(1'b0), .swap_i(1'b0),
    .push_i(push), .tag_i, .slot_i,
    .move_i(move), .move_tag_i(move_tag), .move_id_i, .move_slot_i,
    .valid_o(valid), .is_move_o(is_move), .move_id_o(id),
    .tag_o(tag), .slot_o(slot), .lane_o(lane), .pop_i(pop), .count_o(count), .overflow_o(),
    .second_o(), .second_is_move_o(), .second_tag_o(), .enter_o(), .enter_tag_o()
  );

  // ---- behind the head
  logic     second_valid, second_is_move;
  tag_t     second_tag;
  slot_t    second_slot;
  pipe_t    second_lane;
  move_id_t second_id;
  assign second_valid   = u_dut.second_valid_q;
  assign second_is_move = u_dut.second_q.is_move;
  assign second_tag     = u_dut.second_q.tag;
  assign second_slot    = u_dut.second_q.slot;
  assign second_lane    = u_dut.second_q.lane;
  assign second_id      = u_dut.second_q.id;

  // ---- order: the age in the window, and a move before the phantom of its tag
  tag_t base_q;
  always_ff @(posedge clk_i) base_q <= base_i;
`define PHANTOM(Tag) {tag_t'((Tag) - base_q), 1'b1}
`define MOVE(Tag)    {tag_t'((Tag) - base_q), 1'b0}
`define IN_WINDOW(Tag, Base) (tag_t'((Tag) - (Base)) < tag_t'(Window))
  typedef logic [TagBits:0] key_t;
  key_t head_key, second_key, move_key;
  assign head_key   = is_move ? `MOVE(tag) : `PHANTOM(tag);
  assign second_key = second_is_move ? `MOVE(second_tag) : `PHANTOM(second_tag);
  assign move_key = `MOVE(move_tag_i);

  // ---- what is watched: a tag of a phantom, an id of a move
  tag_t     watched_q;
  move_id_t watched_id_q;
  logic     inside_q, waited_q, enters, leaves, here_head, here_second;
  logic     move_inside_q, move_waited_q, move_enters, move_leaves, move_head, move_second;
  slot_t    slot_q, move_slot_q;
  pipe_t    lane_q;
  tag_t     move_tag_q;
  always_ff @(posedge clk_i) watched_q <= watched_i;
  always_ff @(posedge clk_i) watched_id_q <= watched_id_i;
  always_comb assume (watched_i == watched_q && watched_id_i == watched_id_q);

  always_comb begin
    enters = 1'b0;
    for (int unsigned l = 0; l < Lanes; l++)
      enters = enters || (push_i[l] && tag_i[l] == watched_i);
  end
  assign here_head   = valid && !is_move && tag == watched_i;
  assign leaves      = pop_i && here_head;
  assign move_enters = move_i && move_id_i == watched_id_i;
  assign move_head   = valid && is_move && id == watched_id_i;
  assign move_leaves = pop_i && move_head;
  assign here_second = second_valid && !second_is_move && second_tag == watched_i;
  assign move_second = second_valid && second_is_move && second_id == watched_id_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {inside_q, waited_q}           <= '0;
      {move_inside_q, move_waited_q} <= '0;
    end else begin
      inside_q      <= enters || (inside_q && !leaves);
      waited_q      <= inside_q && !leaves;
      move_inside_q <= move_enters || (move_inside_q && !move_leaves);
      move_waited_q <= move_inside_q && !move_leaves;
    end
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned l = 0; l < Lanes; l++)
      if (push_i[l] && tag_i[l] == watched_i) begin
        slot_q <= slot_i[l];
        lane_q <= pipe_t'(l);
      end
    if (move_enters) begin
      move_slot_q <= move_slot_i;
      move_tag_q  <= move_tag_i;
    end
  end

  // ---- what is in the queue, read out of it
  typedef struct packed {
    logic   used;
    count_t place;      // from the head of the FIFO
    tag_t   tag;
    slot_t  slot;
  } entry_t;
  entry_t [Lanes-1:0][Words-1:0] entry;
  logic   [Lanes-1:0][Words-1:0] here;      // the watched one is in this place
  count_t                           fifo_count [Lanes];

  // ---- the window moves on, never past what is inside
  always_comb begin
    if (rst_ni) begin
      assume (`IN_WINDOW(base_i, base_q));
      assume (!valid || tag_t'(tag - base_q) >= tag_t'(base_i - base_q));
    end
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    ptr_t   first, last;
    count_t lane_count_q;
    count_t behind_count;
    assign first         = u_dut.gen_lane[l].u_fifo.u_behind.gen_few.u_words.head_q;
    assign last          = u_dut.gen_lane[l].u_fifo.u_behind.gen_few.u_words.tail_q;
    assign behind_count  = count_t'(u_dut.gen_lane[l].u_fifo.u_behind.count_o);
    assign fifo_count[l] = behind_count + count_t'(u_dut.fifo_valid[l]);
    for (genvar i = 0; i < Behind; i++) begin : gen_entry
      assign entry[l][i].place = count_t'(ptr_t'(ptr_t'(i) - first)) + count_t'(1);
      assign {entry[l][i].tag, entry[l][i].slot} = u_dut.gen_lane[l].u_fifo.u_behind.gen_few.u_words.mem_q[i];
    end
    assign entry[l][Behind].place = '0;
    assign {entry[l][Behind].tag, entry[l][Behind].slot} = u_dut.gen_lane[l].u_fifo.data_o;
    for (genvar i = 0; i < Words; i++) begin : gen_used
      assign entry[l][i].used  = entry[l][i].place < fifo_count[l];
      assign here[l][i]        = entry[l][i].used && entry[l][i].tag == watched_i;
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) lane_count_q <= '0;
      else lane_count_q <= lane_count_q + count_t'(push_i[l])
                           - count_t'(pop_i && !is_move && lane == pipe_t'(l));
    end

    // What comes is younger than all inside, and in the window; there is room.
    always_comb begin
      if (rst_ni) begin
        assume (!push_i[l] || lane_count_q < count_t'(Depth));
        assume (!push_i[l] || (`IN_WINDOW(tag_i[l], base_q) && `IN_WINDOW(tag_i[l], base_i)));
        assume (!push_i[l] || !valid || `PHANTOM(tag_i[l]) > head_key);
        assume (!push_i[l] || !second_valid || `PHANTOM(tag_i[l]) > second_key);
        assume (!(push_i[l] && move_i) || `PHANTOM(tag_i[l]) < move_key);
        for (int unsigned o = 0; o < Lanes; o++)
          for (int unsigned i = 0; i < Words; i++)
            assume (!push_i[l] || !entry[o][i].used
                    || `PHANTOM(tag_i[l]) > `PHANTOM(entry[o][i].tag));
        for (int unsigned i = 0; i < Words; i++)
          if (entry[l][i].used) begin
            assume (tag_t'(entry[l][i].tag - base_q) >= tag_t'(base_i - base_q));
            assume (!move_i || move_key > `PHANTOM(entry[l][i].tag));
          end
      end
    end

    // Helpers: counts agree, a FIFO is sorted, the head is older than all, an entry keeps its slot.
    always_comb begin
      if (rst_ni) begin
        assert (fifo_count[l] <= count_t'(Depth));
        assert (behind_count <= count_t'(Behind));
        assert (ptr_t'(last - first) == ptr_t'(behind_count));
        assert (behind_count == '0 || u_dut.fifo_valid[l]);
        assert (u_dut.oldest_lane[l] == u_dut.fifo_valid[l]);
        assert (32'(lane_count_q) == 32'(fifo_count[l])
                + 32'(valid && !is_move && lane == pipe_t'(l))
                + 32'(second_valid && !second_is_move && second_lane == pipe_t'(l)));
        assert (lane_count_q == u_dut.gen_check[l].inside_q);
        for (int unsigned i = 0; i < Words; i++) begin
          assert (!here[l][i] || (entry[l][i].slot == slot_q && pipe_t'(l) == lane_q));
          if (entry[l][i].used) begin
            assert (`IN_WINDOW(entry[l][i].tag, base_q));
            assert (!valid || `PHANTOM(entry[l][i].tag) > head_key);
            assert (!second_valid || `PHANTOM(entry[l][i].tag) > second_key);
            assert (entry[l][i].place != fifo_count[l] - 1'b1
                || u_dut.gen_check[l].last_q == entry[l][i].tag);
            for (int unsigned j = 0; j < Words; j++)
              assert (!entry[l][j].used || entry[l][i].place >= entry[l][j].place
                      || `PHANTOM(entry[l][i].tag) < `PHANTOM(entry[l][j].tag));
          end
        end
      end
    end
  end
  always_comb begin
    if (rst_ni) begin
      assert (!valid || `IN_WINDOW(tag, base_q));
      // The second is in the window, too, and comes after the head; a move of the same tag may.
      assume (!second_valid || tag_t'(second_tag - base_q) >= tag_t'(base_i - base_q));
      assert (!second_valid || (valid && `IN_WINDOW(second_tag, base_q)));
      assert (!second_valid || second_key > head_key || (second_is_move && second_key == head_key));
      assert (!here_second || (second_slot == slot_q && second_lane == lane_q));
      assert (!move_second || (second_slot == move_slot_q && second_tag == move_tag_q));
    end
  end

  // ---- the moves, likewise
  localparam int unsigned MoveCountBits = $clog2(Moves + 1);
  typedef logic [$clog2(Moves)-1:0] move_ptr_t;
  typedef struct packed {
    logic      used;
    move_ptr_t place;
    tag_t     tag;
    slot_t    slot;
    move_id_t id;
  } move_entry_t;
  move_entry_t [Moves-1:0]               moves;
  logic        [Moves-1:0]               move_here;
  logic        [MoveCountBits-1:0]       move_count;
  move_ptr_t                             move_first, move_last;
  assign move_first = u_dut.gen_moves.u_moves.head_q;
  assign move_last  = u_dut.gen_moves.u_moves.tail_q;
  assign move_count = u_dut.gen_moves.u_moves.count_q;
  for (genvar i = 0; i < Moves; i++) begin : gen_move
    assign moves[i].place = move_ptr_t'(i) - move_first;
    assign moves[i].used  = MoveCountBits'(moves[i].place) < move_count;
    assign {moves[i].tag, moves[i].slot, moves[i].id} = u_dut.gen_moves.u_moves.mem_q[i];
    assign move_here[i]   = moves[i].used && moves[i].id == watched_id_i;

    always_comb begin
      if (rst_ni) begin
        assert (!move_here[i] || (moves[i].slot == move_slot_q && moves[i].tag == move_tag_q));
        if (moves[i].used) begin
          assume (tag_t'(moves[i].tag - base_q) >= tag_t'(base_i - base_q));
          assume (!move_i || (moves[i].id != move_id_i && move_key >= `MOVE(moves[i].tag)));
          for (int unsigned l = 0; l < Lanes; l++)
            assume (!push_i[l] || `PHANTOM(tag_i[l]) > `MOVE(moves[i].tag));
          assert (`IN_WINDOW(moves[i].tag, base_q));
          assert (!valid || `MOVE(moves[i].tag) >= head_key);
          assert (!second_valid || `MOVE(moves[i].tag) >= second_key);
          for (int unsigned j = 0; j < Moves; j++)
            assert (!moves[j].used || moves[i].place >= moves[j].place
                    || `MOVE(moves[i].tag) <= `MOVE(moves[j].tag));
        end
      end
    end
  end
  always_comb begin
    if (rst_ni) begin
      assume (!move_i || 32'(move_count) + 32'(valid && is_move)
              + 32'(second_valid && second_is_move) < Moves);
      assume (!move_i || !(valid && is_move) || id != move_id_i);
      assume (!move_i || !(second_valid && second_is_move) || second_id != move_id_i);
      assume (!move_i || !valid || move_key >= head_key);
      assume (!move_i || !second_valid || move_key >= second_key);
      assume (!move_i || (`IN_WINDOW(move_tag_i, base_q) && `IN_WINDOW(move_tag_i, base_i)));
      assert (move_count <= MoveCountBits'(Moves));
      assert (move_ptr_t'(move_last - move_first) == move_ptr_t'(move_count));
    end
  end

  // ---- what is shown
  logic [31:0] phantoms;
  assign phantoms = 32'(fifo_count[0]) + 32'(valid && !is_move) + 32'(second_valid && !second_is_move);
  always_comb begin
    if (rst_ni) begin
      assume (!pop_i || valid);
      OnePlace_A   : assert ($onehot0({here, here_second, here_head}));
      Inside_A     : assert ((here != '0 || here_second || here_head) == inside_q);
      HeadKept_A   : assert (!here_head || (slot == slot_q && lane == lane_q));
      HeadOldest_A : assert (!(valid && inside_q) || here_head || head_key < `PHANTOM(watched_i));
      Prompt_A     : assert (!(waited_q || move_waited_q) || valid);
      assert ((!valid || lane == '0) && (!second_valid || second_lane == '0));
      Count_A      : assert (32'(count) + 32'(u_dut.pushed_q) == phantoms + 32'(u_dut.popped_q));
      MoveOnePlace_A : assert ($onehot0({move_here, move_second, move_head}));
      MoveInside_A   : assert ((move_here != '0 || move_second || move_head)
                               == move_inside_q);
      MoveKept_A     : assert (!move_head || (slot == move_slot_q && tag == move_tag_q));
      MoveInOrder_A  : assert (!(valid && move_inside_q) || move_head
                               || head_key <= `MOVE(move_tag_q));
    end
  end

  // ---- reset comes once, at the start
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);

  // ---- reached: the FIFO was full, and the watched phantom leaves as the last; and the watched
  // move leaves before the phantom of its tag
  logic full_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) full_q <= 1'b0;
    else full_q <= full_q || (gen_lane[0].lane_count_q == count_t'(Depth));
  end
  always_ff @(posedge clk_i) if (rst_ni) begin
    Drained_C : cover (full_q && leaves && phantoms == 1);
    Moved_C   : cover (move_leaves && inside_q && move_tag_q == watched_i && move_count == 1);
  end
endmodule : proof_order_moves
