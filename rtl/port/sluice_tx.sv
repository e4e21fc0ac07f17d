// SPDX-License-Identifier: Apache-2.0

/// From the lines of the traffic manager to the pins, all output lanes: egress stages
/// (sluice_egress_lanes), or fast ports (sluice_fast_out), or neither; behind them a store of whole
/// packets a lane (sluice_tx_store), in chips with TransmitStore. Wires only.
module sluice_tx
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_exit_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_probe_pkg::*;
  import sluice_layout_pkg::*;
(
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  stage_settings_t                    settings_i,
  input  logic [31:0]                        cycle_i,
  // from the traffic manager
  output logic [NumPipes-1:0]                room_o,       // a beat may leave the queues
  input  start_t [NumPipes-1:0]              start_i,
  input  sent_t [NumPipes-1:0]               left_i,
  input  logic [LinePorts-1:0][15:0]         waiting_i,
  input  tx_beat_t                           line_i [NumPipes],
  output logic [NumPipes-1:0]                line_ready_o,
  // fast ports: see sluice_exit_order; a test fault
  input  logic [NumPipes-1:0][LinePorts-1:0] accepted_i,
  input  logic [NumPipes-1:0][NumPipes-1:0]  before_i,
  input  logic                               swap_i,
  // pins
  output tx_beat_t                           tx_o [NumPipes],
  input  logic [NumPipes-1:0]                tx_ready_i,
  // egress stages: a copy is sent, or discarded; copies of which all tables were read
  output sent_t [NumPipes-1:0]               sent_o,
  output drop_t [NumPipes-1:0]               drop_o,
  output bank_event_t [NumPipes-1:0]         past_o,
  output logic [LinePorts-1:0]               discarded_o,
  output probe_egress_t [NumPipes-1:0]       probe_o,
  // control
  input  chain_t                             chain_i,
  output logic                               chain_ready_o,
  output chain_t                             chain_o,
  input  logic                               chain_ready_i,
  output logic                               fill_busy_o
);
  tx_beat_t                stored [NumPipes];         // what comes to the stores
  logic     [NumPipes-1:0] stored_ready;

  if (EgressStages != 0) begin : gen_egress
    sluice_egress_lanes u_egress (
      .clk_i, .rst_ni, .settings_i, .cycle_i,
      .room_o, .start_i, .left_i, .waiting_i, .line_i,
      .tx_o(stored), .tx_ready_i(stored_ready), .sent_o, .drop_o, .past_o, .discarded_o,
      .chain_i, .chain_ready_o, .chain_o, .chain_ready_i, .fill_busy_o, .probe_o
    );
    assign line_ready_o = '1;
  end else begin : gen_lines
    sluice_fast_out u_fast_out (
      .clk_i, .rst_ni, .swap_i, .accepted_i, .before_i, .line_i, .line_ready_o,
      .tx_o(stored), .tx_ready_i(stored_ready)
    );
    assign room_o        = '1;
    assign sent_o        = '0;
    assign drop_o        = '0;
    assign past_o        = '0;
    assign discarded_o   = '0;
    assign probe_o       = '0;
    assign chain_o       = chain_i;
    assign chain_ready_o = chain_ready_i;
    assign fill_busy_o   = 1'b0;
  end

  for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
    sluice_tx_store u_store (
      .clk_i, .rst_ni, .in_i(stored[l]), .in_ready_o(stored_ready[l]),
      .out_o(tx_o[l]), .out_ready_i(tx_ready_i[l])
    );
  end
endmodule : sluice_tx
