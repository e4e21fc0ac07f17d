// SPDX-License-Identifier: Apache-2.0

/// Stand-in for the match-action unit in the test of the boundary: a delay line of its latency,
/// that asks for a pause now and then. It reports the order in which state would be accessed.
module sluice_back_unit
  import sluice_pkg::*;
(
  input  logic          clk_i,
  input  logic          rst_ni,
  input  pipe_t         pipe_i,
  input  settings_t     settings_i,
  input  logic          valid_i,
  input  packet_t       packet_i,
  input  logic          granted_i,
  input  slot_t         slot_i,
  output logic          valid_o,
  output packet_t       packet_o,
  output logic          hold_o,
  input  table_write_t  write_i,
  output table_ready_t  write_ready_o,
  input  table_read_t   read_i,
  output table_answer_t answer_o,
  output logic          read_busy_o,
  input  logic          read_busy_i,
  output logic          hit_o,
  output logic          state_op_o,
  output logic          refused_o,
  output logic          fill_busy_o,
  output probe_state_t  probe_o
);
  packet_t               packet_q [CoreCycles];
  logic [CoreCycles-1:0] valid_q;
  logic [9:0]            pause_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      pause_q <= 10'(pipe_i) << 5;
    end else begin
      valid_q <= {valid_q[CoreCycles-2:0], valid_i};
      pause_q <= pause_q + 10'd1;
    end
  end
  always_ff @(posedge clk_i) begin
    packet_q[0] <= packet_i;
    for (int unsigned c = 1; c < CoreCycles; c++) packet_q[c] <= packet_q[c-1];
  end

  assign valid_o       = valid_q[CoreCycles-1];
  assign packet_o      = packet_q[CoreCycles-1];
  assign hold_o        = pause_q == '1;
  assign write_ready_o = '{ready: 1'b1, refused: 1'b0};
  assign answer_o      = '0;
  assign read_busy_o   = 1'b0;
  assign hit_o         = valid_i;
  assign state_op_o    = valid_i && granted_i;
  assign refused_o     = 1'b0;
  assign fill_busy_o   = 1'b0;
  assign probe_o       = '{valid: valid_i && granted_i, refused: 1'b0, tag: packet_i.tag,
                           slot: slot_i};

  logic unused_inputs;
  assign unused_inputs = ^{settings_i, write_i, read_i, read_busy_i};
endmodule : sluice_back_unit
