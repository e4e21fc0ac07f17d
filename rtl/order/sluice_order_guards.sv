// SPDX-License-Identifier: Apache-2.0

/// What stands in the way of the packets at the heads of the lanes, back stage by back stage: the
/// guard of the stage's order queues, the shares of the modules, and whether a packet that passes
/// is to be marked as one that met congestion.
/// Example: the head of lane 1 needs pipeline 2 of stage 3, where 40 phantoms wait and pacing
/// begins at 24: blocks_o.paced[3][2] is 1 (sluice_admit holds the packet back). If marking begins
/// at 32, crowded_o[1] is 1 too.
/// Latency: what is admitted in a cycle (admit_i) counts in the next one; lengths of queues as in
/// sluice_queue_guard, lane_deep_i a cycle late. Every cycle; nothing stalls.
/// Reset: nothing waits.
/// Invariant: blocks_o.full is exact: a packet that is admitted finds room in every order queue it
/// needs.
module sluice_order_guards
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
(
  input  logic                                        clk_i,
  input  logic                                        rst_ni,
  input  order_settings_t                             settings_i,
  // packets that come, lane by lane
  input  logic         [NumPipes-1:0]                 came_i,       // to be admitted
  input  row_t         [NumPipes-1:0]                 came_row_i,
  input  logic         [NumPipes-1:0]                 lane_deep_i,  // CHIP.ECN_LANE wait
  // the heads of the lanes: accesses of their packets, and pipelines that these need
  input  resolution_t  [NumPipes-1:0][StateStages-1:0] access_i,
  input  logic         [NumPipes-1:0][StateStages-1:0][NumPipes-1:0] need_i,
  input  row_t         [NumPipes-1:0]                 row_i,
  input  logic         [NumPipes-1:0]                 admit_i,
  // rows of the next cycle's heads, by whether this one is taken
  input  logic         [NumPipes-1:0]                 take_i,
  input  row_t         [NumPipes-1:0]                 stay_row_i,
  input  row_t         [NumPipes-1:0]                 next_row_i,
  // back stages
  input  report_t      [StateStages-1:0][NumPipes-1:0]       report_i,
  input  logic         [StateStages-1:0][NumPipes-1:0][15:0] waiting_i,
  // table SHARE
  input  share_t       [NumModules-1:0]               share_i,
  input  logic         [NumModules-1:0]               tick_i,
  output blocks_t                                            blocks_o,
  output logic [NumPipes-1:0]                                crowded_o, // mark the head
  output logic [StateStages-1:0][NumPipes-1:0][15:0]         depth_o
);
  // In the mode without phantoms nothing is sent ahead, so no order queue gets longer.
  logic phantoms;
  assign phantoms = !settings_i.mode.no_phantoms;

  // ---- shares bound a module only while another one comes
  logic rivals;
  sluice_rivals u_rivals (
    .clk_i, .rst_ni, .came_i, .row_i(came_row_i), .rivals_o(rivals)
  );

  logic [StateStages-1:0][NumPipes-1:0] deep;
  for (genvar s = 0; s < StateStages; s++) begin : gen_guard
    logic  [NumPipes-1:0]               enter;
    logic  [NumPipes-1:0][NumPipes-1:0] need;
    pipe_t [NumPipes-1:0]               pipe;
    for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
      assign enter[l] = admit_i[l] && access_i[l][s].valid && phantoms;
      assign need[l]  = admit_i[l] && phantoms ? need_i[l][s] : '0;
      assign pipe[l]  = access_i[l][s].pipe;
    end
    sluice_queue_guard u_guard (
      .clk_i, .rst_ni, .settings_i,
      .enter_i  (need),
      .report_i (report_i[s]),
      .waiting_i(waiting_i[s]),
      .paced_o  (blocks_o.paced[s]),
      .half_o   (blocks_o.half[s]),
      .braked_o (blocks_o.braked[s]),
      .full_o   (blocks_o.full[s]),
      .deep_o   (deep[s]),
      .depth_o  (depth_o[s])
    );
    sluice_module_shares u_shares (
      .clk_i, .rst_ni, .share_i, .tick_i,
      .rivals_i(rivals),
      .admit_i (enter),
      .pipe_i  (pipe),
      .row_i,
      .pop_i   (take_i),
      .stay_row_i, .next_row_i,
      .above_o (blocks_o.above[s])
    );
  end

  // ---- congestion: an order queue that the packet needs, or its lane, is long
  logic [NumPipes-1:0] lane_deep_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) lane_deep_q <= '0;
    else         lane_deep_q <= lane_deep_i;
  end
  for (genvar l = 0; l < NumPipes; l++) begin : gen_mark
    logic [StateStages-1:0] needs_deep;
    for (genvar s = 0; s < StateStages; s++) begin : gen_stage
      assign needs_deep[s] = (need_i[l][s] & deep[s]) != '0;
    end
    assign crowded_o[l] = lane_deep_q[l] || needs_deep != '0;
  end
endmodule : sluice_order_guards
