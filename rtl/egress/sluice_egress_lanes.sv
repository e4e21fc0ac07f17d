// SPDX-License-Identifier: Apache-2.0

/// All output lanes' egress (sluice_egress), and their nodes of the daisy chain: one for the tables
/// of the egress, then one for each stage. All lanes hold the same tables: a write goes to all of
/// them, a read is answered by the lane that it names. So it is with state, too, of which each lane
/// has its own: a write gives the entry of every lane this value.
module sluice_egress_lanes
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_exit_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_probe_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_table_pkg::*;
(
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  stage_settings_t                    settings_i,
  input  logic [31:0]                        cycle_i,
  // from the traffic manager
  output logic [NumPipes-1:0]                room_o,
  input  start_t [NumPipes-1:0]              start_i,
  input  sent_t [NumPipes-1:0]               left_i,
  input  logic [NumPorts-1:0][15:0]          waiting_i,
  input  tx_beat_t                           line_i [NumPipes],
  // wires
  output tx_beat_t                           tx_o [NumPipes],
  input  logic [NumPipes-1:0]                tx_ready_i,
  output sent_t [NumPipes-1:0]               sent_o,
  // events
  output drop_t [NumPipes-1:0]               drop_o,
  output bank_event_t [NumPipes-1:0]         past_o,       // copies of which all tables were read
  output logic [NumPorts-1:0]                discarded_o,
  output probe_egress_t [NumPipes-1:0]       probe_o,
  // control
  input  chain_t                             chain_i,
  output logic                               chain_ready_o,
  output chain_t                             chain_o,
  input  logic                               chain_ready_i,
  output logic                               fill_busy_o
);
  localparam int unsigned Stages = EgressStages > 0 ? EgressStages : 1;
  localparam table_ready_t Ready = '{ready: 1'b1, refused: 1'b0};

  // ---- nodes: chain[0] goes into that of the tables, chain[s+1] into that of stage s
  chain_t [Stages+1:0]         chain;
  logic   [Stages+1:0]         chain_ready;
  table_write_t                write;
  table_read_t                 read;
  word_answer_t                answer;
  table_write_t [Stages-1:0]   stage_write;
  table_read_t  [Stages-1:0]   stage_read;
  // of the lanes
  word_answer_t [NumPipes-1:0]             lane_answer;
  word_answer_t [NumPipes-1:0][Stages-1:0] stage_answer;
  table_ready_t [NumPipes-1:0][Stages-1:0] stage_ready;
  logic         [NumPipes-1:0][Stages-1:0] read_busy, fill_busy;
  logic         [Stages-1:0]               any_busy;
  assign chain[0]               = chain_i;
  assign chain_ready_o          = chain_ready[0];
  assign chain_o                = chain[Stages+1];
  assign chain_ready[Stages+1]  = chain_ready_i;
  assign fill_busy_o            = fill_busy != '0;

  sluice_table_node #(.Owned(tables_of(ScopeEgress))) u_node (
    .clk_i, .rst_ni, .stage_i('0), .chain_i(chain[0]), .chain_ready_o(chain_ready[0]),
    .chain_o(chain[1]), .chain_ready_i(chain_ready[1]), .refuse_i(1'b0),
    .write_o(write), .write_ready_i(Ready), .read_o(read), .answer_i(answer)
  );
  always_comb begin
    answer = '0;
    for (int unsigned l = 0; l < NumPipes; l++) answer |= lane_answer[l];
  end

  for (genvar s = 0; s < Stages; s++) begin : gen_stage
    localparam int unsigned Number = BackStages + FrontStages + s;
    localparam table_set_t  Tables = tables_of(ScopeStage) | egress_state_tables();
    table_ready_t ready;
    word_answer_t one_answer;
    always_comb begin
      ready       = Ready;
      one_answer  = '0;
      any_busy[s] = 1'b0;
      for (int unsigned l = 0; l < NumPipes; l++) begin
        ready.ready   = ready.ready && stage_ready[l][s].ready;
        ready.refused = ready.refused || stage_ready[l][s].refused;
        one_answer    = one_answer | stage_answer[l][s];
        any_busy[s]   = any_busy[s] || read_busy[l][s];
      end
    end
    sluice_table_node #(.Owned(Tables), .Copies(1'b1)) u_node (
      .clk_i, .rst_ni, .stage_i(stage_t'(Number)),
      .chain_i(chain[s+1]), .chain_ready_o(chain_ready[s+1]),
      .chain_o(chain[s+2]), .chain_ready_i(chain_ready[s+2]), .refuse_i(1'b0),
      .write_o(stage_write[s]), .write_ready_i(ready), .read_o(stage_read[s]),
      .answer_i(one_answer)
    );
  end

  // ---- lanes
  lane_set_t [NumPipes-1:0] discarded;
  always_comb
    for (int unsigned p = 0; p < NumPorts; p++)
      discarded_o[p] = discarded[lane_of_port(p)][index_of_port(p)];
  for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
    logic [PortsPerLane-1:0][15:0] waiting;
    always_comb begin
      waiting = '0;
      for (int unsigned p = 0; p < NumPorts; p++)
        if (lane_of_port(p) == l) waiting[index_of_port(p)] = waiting_i[p];
    end
    sluice_egress u_egress (
      .clk_i, .rst_ni, .lane_i(pipe_t'(l)), .settings_i, .cycle_i,
      .room_o(room_o[l]), .start_i(start_i[l]), .left_i(left_i[l]),
      .waiting_i(waiting),
      .line_i(line_i[l]), .tx_o(tx_o[l]), .tx_ready_i(tx_ready_i[l]), .sent_o(sent_o[l]),
      .drop_o(drop_o[l]), .past_o(past_o[l]),
      .discarded_o(discarded[l]),
      .probe_o(probe_o[l]),
      .write_i(write), .read_i(read), .answer_o(lane_answer[l]),
      .stage_write_i(stage_write), .stage_ready_o(stage_ready[l]), .stage_read_i(stage_read),
      .stage_answer_o(stage_answer[l]), .read_busy_o(read_busy[l]), .read_busy_i(any_busy),
      .fill_busy_o(fill_busy[l])
    );
  end
endmodule : sluice_egress_lanes
