// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// What the order queues of one back stage can still take: pacing, brake and exact depth.
///
/// Pacing is a leaky counter a pipeline: plus one for each access admitted, minus one a cycle; it
/// predicts the queue without waiting to hear of it. The brake looks at the packets that wait
/// there. `half_o` judges by half of both thresholds. The depth of every phantom FIFO (one a lane
/// and pipeline) is counted exactly: plus one in the cycle of admission, minus one when the issue
/// is reported.
/// Latency: `full_o` knows all admissions up to the cycle before; the flags of pacing those up to 3
/// cycles before, those of the brake are 1 cycle behind `waiting_i`. Up to k admissions and k
/// reports a cycle.
/// Invariant: no FIFO is given more than PhantomDepth phantoms.
module sluice_queue_guard
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
(
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  order_settings_t                     settings_i,
  // lane, pipeline: admitted, with an access
  input  logic [NumPipes-1:0][NumPipes-1:0]   enter_i,
  input  report_t [NumPipes-1:0]              report_i,    // pipeline: issued from its order queue
  input  logic    [NumPipes-1:0][15:0]        waiting_i,   // pipeline: packets that wait there
  output logic    [NumPipes-1:0]              paced_o,     // pipeline: an access waits
  // pipeline: paced or braked at half of that
  output logic    [NumPipes-1:0]              half_o,
  output logic    [NumPipes-1:0]              braked_o,    // pipeline: an access waits
  output logic [NumPipes-1:0][NumPipes-1:0]   full_o,      // lane, pipeline: an access waits
  // pipeline: packets that need it are marked
  output logic    [NumPipes-1:0]              deep_o,
  output logic    [NumPipes-1:0][15:0]        depth_o      // pipeline: phantoms in its order queue
);
  localparam int unsigned DepthBits = $clog2(PhantomDepth + 2);
  // Above the highest V there are at most three cycles of k admissions.
  localparam int unsigned LeakyBits = 10;

  logic [DepthBits-1:0] limit;
  assign limit = DepthBits'(PhantomDepth) + DepthBits'(settings_i.fault[FaultQueueDeep]);

  // What comes late goes into registers, and is added from there.
  logic [NumPipes-1:0]               report_q;
  logic [NumPipes-1:0][NumPipes-1:0] enter_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      enter_q  <= '0;
      report_q <= '0;
    end else begin
      enter_q <= enter_i;
      for (int unsigned d = 0; d < NumPipes; d++) report_q[d] <= report_i[d].valid;
    end
  end

  // ---- exact depth: of a FIFO it is count_q, and one more that entered in the cycle before
  for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
    for (genvar d = 0; d < NumPipes; d++) begin : gen_pipe
      logic [DepthBits-1:0] count_q, depth;
      logic                 full_q, leave, last;

      // All that may become of them is there before `enter_i`, which is late.
      assign depth = count_q + DepthBits'(enter_q[l][d]);
      assign leave = report_i[d].valid && report_i[d].lane == pipe_t'(l);
      assign last  = !leave && depth + 1'b1 >= limit;

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          count_q <= '0;
          full_q  <= 1'b0;
        end else begin
          count_q <= depth - DepthBits'(leave);
          // Full stays off when one enters as another leaves: then it was not full before.
          full_q  <= enter_i[l][d] ? last : full_q && !leave;
        end
      end
      assign full_o[l][d] = full_q;

      `SLUICE_ASSERT(DepthExact_A, settings_i.fault != '0 || depth <= DepthBits'(PhantomDepth))
      `SLUICE_ASSERT(ReportedWasThere_A, !leave || depth != '0)
      `SLUICE_ASSERT(FullIsFull_A, full_q == (depth >= limit))
    end
  end

  // ---- pacing and brake
  for (genvar d = 0; d < NumPipes; d++) begin : gen_pipe
    logic [PipeBits:0]    entered;
    logic [LeakyBits-1:0] leaky_q;
    logic [15:0]          depth_q;
    logic                 paced_q, half_q, braked_q, deep_q;

    always_comb begin
      entered = '0;
      for (int unsigned l = 0; l < NumPipes; l++)
        if (enter_q[l][d]) entered = entered + 1'b1;
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        leaky_q  <= '0;
        depth_q  <= '0;
        paced_q  <= 1'b0;
        half_q   <= 1'b0;
        braked_q <= 1'b0;
        deep_q   <= 1'b0;
      end else begin
        // With pacing off nothing bounds the counter: it rests.
        if (settings_i.pace == '0) leaky_q <= '0;
        else leaky_q <= leaky_q + LeakyBits'(entered) - LeakyBits'(leaky_q != '0);
        depth_q  <= depth_q + 16'(entered) - 16'(report_q[d]);
        paced_q  <= settings_i.pace != '0 && leaky_q >= LeakyBits'(settings_i.pace);
        deep_q   <= settings_i.ecn_queue != '0 && depth_q >= settings_i.ecn_queue;
        half_q   <= settings_i.pace != '0 && leaky_q >= LeakyBits'(settings_i.pace[7:1])
                 || settings_i.brake != '0 && waiting_i[d] >= 16'(settings_i.brake[15:1]);
        braked_q <= settings_i.brake != '0 && waiting_i[d] >= settings_i.brake;
      end
    end
    assign paced_o[d]  = paced_q;
    assign half_o[d]   = half_q;
    assign braked_o[d] = braked_q;
    assign deep_o[d]   = deep_q;
    assign depth_o[d]  = depth_q;

    `SLUICE_ASSERT(LeakyFits_A, leaky_q <= LeakyBits'(255 + 4 * NumPipes))
  end
endmodule : sluice_queue_guard
