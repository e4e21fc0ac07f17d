// SPDX-License-Identifier: Apache-2.0
`include "sluice_tag.svh"

/// Proof: an order queue loses, doubles and reorders nothing.
///
/// The solver chooses one tag to watch, so what is shown of it holds for all tags. Assumed of the order point
/// (docs/boundary.md): a phantom that comes is younger than all inside and within the window of them, those of one
/// cycle have different tags, and each lane has room. Shown: a phantom is in exactly one place from its push to its
/// pop, keeps its slot and lane, is at the head no later than two cycles after it came if nothing older is inside, and
/// whatever is at the head is older than all others inside. So each comes out once, in the order of tickets.
/// BREAK: 1 pushes into a full FIFO, 2 the youngest head goes first, 3 a push gets lost, 4 a pop is not done.
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
  localparam int unsigned Depth     = PhantomDepth;
  localparam int unsigned CountBits = $clog2(Depth + 1);
  typedef logic [$clog2(Depth)-1:0] ptr_t;
  typedef logic [CountBits-1:0]     count_t;

  logic                                    valid;
  tag_t                                    tag;
  slot_t                                   slot;
  pipe_t                                   lane;
  logic [NumPipes-1:0]                     push;
  logic                                    pop;
  logic [$clog2(NumPipes * Depth + 1)-1:0] count;
  assign push = `BREAK == 3 && slip_i ? '0 : push_i;
  assign pop  = pop_i && !(`BREAK == 4 && slip_i);

  sluice_order_queue u_dut (
    .clk_i, .rst_ni, .lose_i(1'b0), .swap_i(`BREAK == 2),
    .push_i(push), .tag_i, .slot_i,
    .valid_o(valid), .tag_o(tag), .slot_o(slot), .lane_o(lane), .pop_i(pop), .count_o(count)
  );

  // ---- what is in the queue, read out of it: entry i of FIFO l
  logic  [NumPipes-1:0][Depth-1:0] used;
  tag_t  [NumPipes-1:0][Depth-1:0] entry_tag;
  slot_t [NumPipes-1:0][Depth-1:0] entry_slot;
  count_t                          fifo_count [NumPipes];
  tag_t                            last_tag [NumPipes];
  for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
    assign fifo_count[l] = u_dut.gen_lane[l].u_fifo.count_q;
    assign last_tag[l]   = u_dut.gen_check[l].last_q;
    for (genvar i = 0; i < Depth; i++) begin : gen_entry
      ptr_t place;
      assign place      = u_dut.gen_lane[l].u_fifo.head_q + ptr_t'(i);
      assign used[l][i] = count_t'(i) < fifo_count[l];
      assign {entry_tag[l][i], entry_slot[l][i]} = u_dut.gen_lane[l].u_fifo.mem_q[place];
    end

    // pointers and counts agree
    count_t lane_count_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) lane_count_q <= '0;
      else lane_count_q <= lane_count_q + count_t'(push_i[l]) - count_t'(pop_i && lane == pipe_t'(l));
    end
    always_comb if (rst_ni) assume (!push_i[l] || lane_count_q < count_t'(Depth) || `BREAK == 1);
    always_ff @(posedge clk_i) begin
      if (rst_ni) begin
        assert (fifo_count[l] <= count_t'(Depth));
        assert (ptr_t'(u_dut.gen_lane[l].u_fifo.tail_q - u_dut.gen_lane[l].u_fifo.head_q)
                == ptr_t'(fifo_count[l]));
        assert (lane_count_q == fifo_count[l] + count_t'(valid && lane == pipe_t'(l)));
        assert (lane_count_q == u_dut.gen_check[l].inside_q);
      end
    end
  end
  always_ff @(posedge clk_i)
    if (rst_ni) Count_A : assert (32'(count) == 32'(fifo_count[0]) + 32'(fifo_count[1]) + 32'(valid));

  // ---- what the order point does
`define FOLLOWS(B, A) (tag_t'((B) - (A) - 1'b1) < tag_t'(Window - 1))  // B is younger, within the window
  always_comb begin
    if (rst_ni) begin
      assume (!pop_i || valid);
      assume (push_i != '1 || `FOLLOWS(tag_i[1], tag_i[0]) || `FOLLOWS(tag_i[0], tag_i[1]));
      for (int unsigned p = 0; p < NumPipes; p++) begin
        assume (!push_i[p] || !valid || `FOLLOWS(tag_i[p], tag));
        for (int unsigned l = 0; l < NumPipes; l++)
          for (int unsigned i = 0; i < Depth; i++)
            assume (!push_i[p] || !used[l][i] || `FOLLOWS(tag_i[p], entry_tag[l][i]));
      end
    end
  end

  // ---- the watched tag
  tag_t watched_q;
  always_ff @(posedge clk_i) watched_q <= watched_i;
  always_comb assume (watched_i == watched_q);

  logic  inside_q, waited_q, enters, leaves;
  slot_t slot_q;
  pipe_t lane_q;
  always_comb begin
    enters = 1'b0;
    for (int unsigned l = 0; l < NumPipes; l++) enters = enters || (push_i[l] && tag_i[l] == watched_i);
  end
  assign leaves = pop_i && tag == watched_i;
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

  logic [NumPipes-1:0][Depth-1:0] here;      // the watched one is in this place
  tag_t oldest;
  always_comb begin
    for (int unsigned l = 0; l < NumPipes; l++)
      for (int unsigned i = 0; i < Depth; i++) here[l][i] = used[l][i] && entry_tag[l][i] == watched_i;
    if (valid)            oldest = tag;
    else if (!used[1][0]) oldest = entry_tag[0][0];
    else if (!used[0][0]) oldest = entry_tag[1][0];
    else oldest = `SLUICE_OLDER(entry_tag[1][0], entry_tag[0][0]) ? entry_tag[1][0] : entry_tag[0][0];
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      OnePlace_A   : assert ($onehot0({here, valid && tag == watched_i}));
      Inside_A     : assert ((here != '0 || (valid && tag == watched_i)) == inside_q);
      HeadKept_A   : assert (!(valid && tag == watched_i) || (slot == slot_q && lane == lane_q));
      HeadOldest_A : assert (!(valid && inside_q) || tag == watched_i || `SLUICE_OLDER(tag, watched_i));
      Prompt_A     : assert (!waited_q || valid);
      // helpers: entries keep their slot, FIFOs are sorted, all is within the window of the oldest
      for (int unsigned l = 0; l < NumPipes; l++) begin
        for (int unsigned i = 0; i < Depth; i++) begin
          assert (!here[l][i] || (entry_slot[l][i] == slot_q && pipe_t'(l) == lane_q));
          assert (!used[l][i] || tag_t'(entry_tag[l][i] - oldest) < tag_t'(Window));
          assert (!used[l][i] || !valid || entry_tag[l][i] != tag);
          if (i > 0)
            assert (!used[l][i] || tag_t'(entry_tag[l][i-1] - oldest) < tag_t'(entry_tag[l][i] - oldest));
          for (int unsigned o = 0; o < Depth; o++)
            assert (!(used[0][i] && used[1][o]) || entry_tag[0][i] != entry_tag[1][o]);
        end
        assert (fifo_count[l] == '0 || last_tag[l] == entry_tag[l][ptr_t'(fifo_count[l] - count_t'(1))]);
      end
    end
  end

  // ---- reset comes once, at the start
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);

  // ---- reached: both FIFOs were full, and the watched phantom leaves as the last
  logic full_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) full_q <= 1'b0;
    else full_q <= full_q || (fifo_count[0] == count_t'(Depth - 1) && fifo_count[1] == count_t'(Depth) && valid);
  end
  always_ff @(posedge clk_i) if (rst_ni) Drained_C : cover (full_q && leaves && 32'(count) == 1);
endmodule : proof_order_queue
