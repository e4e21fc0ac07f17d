// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// One module's leaky counters of the order queues of one back stage, one for each pipeline: see
/// sluice_module_shares.
/// Latency 2 cycles from `lane_i` to `above_o`. Up to k admissions a cycle.
/// Invariant: a module without a limit counts nothing and is never above its share.
module sluice_module_share
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
(
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  share_t                            share_i,
  input  logic                              tick_i,
  input  logic [NumPipes-1:0]               lane_i,      // admitted a packet of the module
  input  logic [NumPipes-1:0][NumPipes-1:0] to_pipe_i,   // pipeline, lane: where its packet goes
  output logic [NumPipes-1:0]               above_o      // pipeline
);
  localparam int unsigned CountBits = 7;                 // twice the largest BURST
  localparam int unsigned SumBits   = CountBits + 1;

  typedef logic [CountBits-1:0] count_t;
  typedef logic [SumBits-1:0]   sum_t;

  count_t [NumPipes-1:0] count_q;
  count_t                most;
  assign most = {share_i.burst, 1'b0};

  for (genvar d = 0; d < NumPipes; d++) begin : gen_pipe
    // Added up behind an `if`: most modules admit nothing in most cycles, and simulation need not
    // add then.
    logic add;
    sum_t sum;
    assign add = lane_i != '0 || tick_i;
    always_comb begin
      sum = '0;
      if (add) begin
        sum = sum_t'(count_q[d]) + sum_t'($countones(lane_i & to_pipe_i[d])) - sum_t'(tick_i
            && count_q[d] != '0);
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        count_q[d] <= '0;
        above_o[d] <= 1'b0;
      end else begin
        if (!share_i.limit) begin
          count_q[d] <= '0;
        end else if (add) begin
          count_q[d] <= sum > sum_t'(most) ? most : count_t'(sum);
        end
        above_o[d] <= share_i.limit && count_q[d] >= {1'b0, share_i.burst};
      end
    end
  end

  logic unlimited_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) unlimited_q <= 1'b0;
    else         unlimited_q <= !share_i.limit;
  end
  `SLUICE_ASSERT(NoLimitNoCount_A, !unlimited_q || (count_q == '0 && above_o == '0))
endmodule : sluice_module_share
