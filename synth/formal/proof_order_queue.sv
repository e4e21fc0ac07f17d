// SPDX-License-Identifier: Apache-2.0
`include "sluice_tag.svh"

/// Proof: an order queue loses, doubles and reorders nothing. Without moves: proof_order_moves.
///
/// The solver chooses one tag to watch, so what is shown of it holds for all tags. Assumed of the
/// order point (docs/boundary.md): a phantom that comes is younger than all inside and within the
/// window of them, those of one cycle have different tags, and each lane has room. Shown: a phantom
/// is in exactly one place from its push to its pop, keeps its slot and lane, is at the head no
/// later than two cycles after it came if nothing older is inside, and whatever is at the head is
/// older than all others inside. So each comes out once, in the order of tickets.
/// BREAK: 1 pushes into a full FIFO, 2 the youngest head goes first, 3 a push gets lost, 4 a pop is
/// not done.
// B is younger than A, and within the window of it.
`define FOLLOWS(B, A) (tag_t'((B) - (A) - 1'b1) < tag_t'(Window - 1))
`ifndef BREAK
`define BREAK 0
`endif
module proof_order_queue
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
(
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic  [NumPipes-1:0] push_i,
  input tag_t  [NumPipes-1:0] tag_i,
  input slot_t [NumPipes-1:0] slot_i,
  input logic                 pop_i,
  input tag_t                 watched_i,  // the solver's choice, held by an assumption
  input logic                 slip_i      // when a broken twin goes wrong
);
  localparam int unsigned Depth     = 3;       // small, for the sake of the solver
  localparam int unsigned Behind    = Depth - 1;   // words of a FIFO behind its head
  localparam int unsigned CountBits = $clog2(Depth + 1);
  localparam int unsigned Words     = Behind + 1;
  typedef logic [$clog2(Behind)-1:0] ptr_t;
  typedef logic [CountBits-1:0]     count_t;

  logic                                    valid, is_move;
  tag_t                                    tag;
  slot_t                                   slot;
  pipe_t                                   lane;
  logic [NumPipes-1:0]                     push;
  logic                                    pop;
  logic [$clog2(NumPipes * Depth + 1)-1:0] count;
  assign push = `BREAK == 3 && slip_i ? '0 : push_i;
  assign pop  = pop_i && !(`BREAK == 4 && slip_i);

  sluice_order_queue #(.Depth(Depth)) u_dut (
    .clk_i, .rst_ni, .lose_i(1'b0), .swap_i(`BREAK == 2),
    .push_i(push), .tag_i, .slot_i,
    .move_i(1'b0), .move_tag_i('0), .move_id_i('0), .move_slot_i('0),
    .is_move_o(is_move), .move_id_o(), .second_o(), .second_is_move_o(), .second_tag_o(),
    .enter_o(), .enter_tag_o(),
    .valid_o(valid), .tag_o(tag), .slot_o(slot), .lane_o(lane), .pop_i(pop), .count_o(count),
    .overflow_o()
  );

  // ---- the watched tag
  tag_t  watched_q;
  logic  inside_q, waited_q, enters, leaves, here_head;
  slot_t slot_q;
  pipe_t lane_q;
  always_ff @(posedge clk_i) watched_q <= watched_i;
  always_comb assume (watched_i == watched_q);

  always_comb begin
    enters = 1'b0;
    for (int unsigned l = 0; l < NumPipes; l++) enters = enters || (push_i[l]
        && tag_i[l] == watched_i);
  end
  assign here_head = valid && tag == watched_i;
  assign leaves    = pop_i && here_head;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      inside_q <= 1'b0;
      waited_q <= 1'b0;
    end else begin
      inside_q <= enters || (inside_q && !leaves);
      waited_q <= inside_q && !leaves;
    end
  end
  always_ff @(posedge clk_i)
    for (int unsigned l = 0; l < NumPipes; l++)
      if (push_i[l] && tag_i[l] == watched_i) begin
        slot_q <= slot_i[l];
        lane_q <= pipe_t'(l);
      end

  // ---- what is in the queue, read out of it
  typedef struct packed {
    logic   used;
    count_t place;      // from the head of the FIFO
    tag_t   tag;
    slot_t  slot;
  } entry_t;
  entry_t [NumPipes-1:0][Words-1:0] entry;
  logic   [NumPipes-1:0][Words-1:0] here;      // the watched one is in this place
  count_t                           fifo_count [NumPipes];
  count_t                           lane_count [NumPipes];
  // behind the head
  logic  second_valid, here_second;
  tag_t  second_tag;
  slot_t second_slot;
  pipe_t second_lane;
  assign second_valid = u_dut.second_valid_q;
  assign second_tag   = u_dut.second_q.tag;
  assign second_slot  = u_dut.second_q.slot;
  assign second_lane  = u_dut.second_q.lane;
  assign here_second  = second_valid && second_tag == watched_i;
  for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
    ptr_t   first, last;
    count_t lane_count_q;
    count_t behind_count;
    assign first         = u_dut.gen_lane[l].u_fifo.u_behind.gen_few.u_words.head_q;
    assign last          = u_dut.gen_lane[l].u_fifo.u_behind.gen_few.u_words.tail_q;
    assign behind_count  = count_t'(u_dut.gen_lane[l].u_fifo.u_behind.count_o);
    assign fifo_count[l] = behind_count + count_t'(u_dut.fifo_valid[l]);
    assign lane_count[l] = lane_count_q;
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
      else lane_count_q <= lane_count_q + count_t'(push_i[l]) - count_t'(pop_i
          && lane == pipe_t'(l));
    end

    // What comes is younger than all inside, and within the window; there is room.
    always_comb begin
      if (rst_ni) begin
        assume (!push_i[l] || lane_count_q < count_t'(Depth) || `BREAK == 1);
        assume (!push_i[l] || !valid || `FOLLOWS(tag_i[l], tag));
        assume (!push_i[l] || !second_valid || `FOLLOWS(tag_i[l], second_tag));
        for (int unsigned o = 0; o < NumPipes; o++)
          for (int unsigned i = 0; i < Words; i++)
            assume (!push_i[l] || !entry[o][i].used || `FOLLOWS(tag_i[l], entry[o][i].tag));
      end
    end

    // Helpers: counts agree, a FIFO is sorted, the head is older than all, an entry keeps its slot.
    always_comb begin
      if (rst_ni) begin
        assert (fifo_count[l] <= count_t'(Depth));
        assert (behind_count <= count_t'(Behind));
        assert (ptr_t'(last - first) == ptr_t'(behind_count));
        assert (behind_count == '0 || u_dut.fifo_valid[l]);
        assert (32'(lane_count_q) == 32'(fifo_count[l]) + 32'(valid && lane == pipe_t'(l))
                + 32'(second_valid && second_lane == pipe_t'(l)));
        assert (lane_count_q == u_dut.gen_check[l].inside_q);
        for (int unsigned i = 0; i < Words; i++) begin
          assert (!here[l][i] || (entry[l][i].slot == slot_q && pipe_t'(l) == lane_q));
          if (entry[l][i].used) begin
            assert (!valid || `FOLLOWS(entry[l][i].tag, tag));
            assert (!second_valid || `FOLLOWS(entry[l][i].tag, second_tag));
            assert (entry[l][i].place != fifo_count[l] - 1'b1
                || u_dut.gen_check[l].last_q == entry[l][i].tag);
            for (int unsigned j = 0; j < Words; j++)
              assert (!entry[l][j].used || entry[l][i].place >= entry[l][j].place
                      || `FOLLOWS(entry[l][j].tag, entry[l][i].tag));
          end
        end
      end
    end
  end

  // Two FIFOs agree on the order: what is older than an entry of the other is older than all behind
  // it there, too.
  always_comb begin
    if (rst_ni) begin
      for (int unsigned i = 0; i < Words; i++)
        for (int unsigned j = 0; j < Words; j++)
          if (entry[0][i].used && entry[1][j].used) begin
            assert (`FOLLOWS(entry[0][i].tag, entry[1][j].tag)
                || `FOLLOWS(entry[1][j].tag, entry[0][i].tag));
            for (int unsigned n = 0; n < Words; n++) begin
              if (entry[1][n].used && entry[1][n].place > entry[1][j].place)
                assert (!`FOLLOWS(entry[1][j].tag, entry[0][i].tag)
                        || `FOLLOWS(entry[1][n].tag, entry[0][i].tag));
              if (entry[0][n].used && entry[0][n].place > entry[0][i].place)
                assert (!`FOLLOWS(entry[0][i].tag, entry[1][j].tag)
                        || `FOLLOWS(entry[0][n].tag, entry[1][j].tag));
            end
          end
      // The order of the heads is known.
      assert (u_dut.fifo_valid != '1 || u_dut.u_oldest.older_q[0][1]
              == `SLUICE_OLDER(u_dut.fifo_tag[0], u_dut.fifo_tag[1]));
      assert ($onehot0(u_dut.oldest_lane) && (u_dut.oldest_lane & ~u_dut.fifo_valid) == '0
              && (u_dut.oldest_lane != '0) == (u_dut.fifo_valid != '0));
      assert (u_dut.fifo_valid != '1
              || u_dut.oldest_lane[0] == u_dut.u_oldest.older_q[0][1]);
      // The second comes after the head.
      assert (!second_valid || (valid && `FOLLOWS(second_tag, tag)));
      assert (!second_valid || !u_dut.second_q.is_move);
      assert (!here_second || (second_slot == slot_q && second_lane == lane_q));
    end
  end

  // ---- what is shown
  logic [31:0] phantoms;
  assign phantoms = 32'(fifo_count[0]) + 32'(fifo_count[1]) + 32'(valid) + 32'(second_valid);
  always_comb begin
    if (rst_ni) begin
      assume (!pop_i || valid);
      assume (push_i != '1 || tag_t'(tag_i[1] - tag_i[0]) == tag_t'(1)
              || tag_t'(tag_i[0] - tag_i[1]) == tag_t'(1));
      OnePlace_A   : assert ($onehot0({here, here_second, here_head}));
      Inside_A     : assert ((here != '0 || here_second || here_head) == inside_q);
      HeadKept_A   : assert (!here_head || (slot == slot_q && lane == lane_q));
      HeadOldest_A : assert (!(valid && inside_q) || here_head || `SLUICE_OLDER(tag, watched_i));
      Prompt_A     : assert (!waited_q || valid);
      assert (u_dut.gen_moves.u_moves.count_q == '0 && !(valid && is_move));
      Count_A      : assert (32'(count) + 32'(u_dut.pushed_q) == phantoms + 32'(u_dut.popped_q));
    end
  end

  // ---- reset comes once, at the start
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);

  // ---- reached: both lanes had no room, and the watched phantom leaves as the last
  logic full_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) full_q <= 1'b0;
    else full_q <= full_q || (lane_count[0] == count_t'(Depth) && lane_count[1] == count_t'(Depth));
  end
  always_ff @(posedge clk_i) if (rst_ni) Drained_C : cover (full_q && leaves && phantoms == 1);
endmodule : proof_order_queue
