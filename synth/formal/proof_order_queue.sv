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
  input logic [1:0]           admitted_i, // tickets given out in this cycle
  input tag_t                 retired_i,  // packets that are out of flight from now on
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

  // ---- what the order point does: tickets are given out in turn, those from oldest_q on are in flight
  tag_t next_q, oldest_q, span, admitted, retired;
  assign span     = next_q - oldest_q;
  assign admitted = tag_t'(admitted_i);
  assign retired  = retired_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      next_q   <= '0;
      oldest_q <= '0;
    end else begin
      next_q   <= next_q + admitted;
      oldest_q <= oldest_q + retired;
    end
  end
  always_comb begin
    if (rst_ni) begin
      assume (span + admitted <= tag_t'(Window));
      assume (retired <= span);
      assume (!pop_i || valid);
      assume (push_i != '1 || tag_i[0] != tag_i[1]);
      for (int unsigned l = 0; l < NumPipes; l++)
        assume (!push_i[l] || tag_t'(tag_i[l] - next_q) < admitted);
    end
    In_Window_A : assert (span <= tag_t'(Window));
  end

  // ---- the watched tag
  tag_t  watched_q;
  logic  inside_q, waited_q, enters, leaves, here_head;
  slot_t slot_q;
  pipe_t lane_q;
  always_ff @(posedge clk_i) watched_q <= watched_i;
  always_comb assume (watched_i == watched_q);

  always_comb begin
    enters = 1'b0;
    for (int unsigned l = 0; l < NumPipes; l++) enters = enters || (push_i[l] && tag_i[l] == watched_i);
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
    logic  used;
    ptr_t  place;       // from the head of the FIFO
    tag_t  tag;
    slot_t slot;
    tag_t  age;         // from the oldest in flight
  } entry_t;
  entry_t [NumPipes-1:0][Depth-1:0] entry;
  logic   [NumPipes-1:0][Depth-1:0] here;      // the watched one is in this place
  count_t                           fifo_count [NumPipes];
  tag_t                             head_age;
  assign head_age = tag - oldest_q;
  for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
    ptr_t   first, last;
    count_t lane_count_q;
    assign first         = u_dut.gen_lane[l].u_fifo.head_q;
    assign last          = u_dut.gen_lane[l].u_fifo.tail_q;
    assign fifo_count[l] = u_dut.gen_lane[l].u_fifo.count_q;
    for (genvar i = 0; i < Depth; i++) begin : gen_entry
      assign entry[l][i].place = ptr_t'(i) - first;
      assign entry[l][i].used  = count_t'(entry[l][i].place) < fifo_count[l];
      assign {entry[l][i].tag, entry[l][i].slot} = u_dut.gen_lane[l].u_fifo.mem_q[i];
      assign entry[l][i].age   = entry[l][i].tag - oldest_q;
      assign here[l][i]        = entry[l][i].used && entry[l][i].tag == watched_i;
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) lane_count_q <= '0;
      else lane_count_q <= lane_count_q + count_t'(push_i[l]) - count_t'(pop_i && lane == pipe_t'(l));
    end
    always_comb begin
      if (rst_ni) begin
        assume (!push_i[l] || lane_count_q < count_t'(Depth) || `BREAK == 1);
        assert (fifo_count[l] <= count_t'(Depth));
        assert (ptr_t'(last - first) == ptr_t'(fifo_count[l]));
        assert (lane_count_q == fifo_count[l] + count_t'(valid && lane == pipe_t'(l)));
        assert (lane_count_q == u_dut.gen_check[l].inside_q);
        for (int unsigned i = 0; i < Depth; i++) begin
          // helpers: a FIFO is sorted, the head is older than all, all are in flight, each keeps its slot
          if (entry[l][i].used) begin
            assume (retired <= entry[l][i].age);
            assert (entry[l][i].age < span);
            assert (!valid || head_age < entry[l][i].age);
            for (int unsigned o = 0; o < Depth; o++)
              if (l != 0 && entry[0][o].used) assert (entry[0][o].tag != entry[l][i].tag);
            if (entry[l][i].place != '0)
              assert (entry[l][(i+Depth-1)%Depth].age < entry[l][i].age);
            if (ptr_t'(i) == ptr_t'(last - 1'b1))
              assert (u_dut.gen_check[l].last_q == entry[l][i].tag);
          end
          assert (!here[l][i] || (entry[l][i].slot == slot_q && pipe_t'(l) == lane_q));
        end
      end
    end
  end

  // ---- what is shown
  always_comb begin
    if (rst_ni) begin
      assume (!valid || retired <= head_age);
      assert (!valid || head_age < span);
      OnePlace_A   : assert ($onehot0({here, here_head}));
      Inside_A     : assert ((here != '0 || here_head) == inside_q);
      HeadKept_A   : assert (!here_head || (slot == slot_q && lane == lane_q));
      HeadOldest_A : assert (!(valid && inside_q) || tag == watched_i || `SLUICE_OLDER(tag, watched_i));
      Prompt_A     : assert (!waited_q || valid);
      Count_A      : assert (32'(count) == 32'(fifo_count[0]) + 32'(fifo_count[1]) + 32'(valid));
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
