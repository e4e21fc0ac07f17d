// SPDX-License-Identifier: Apache-2.0

/// Who may use the line next: an answer first, then control port and lanes in turn, packet by packet.
module sluice_serial_answers
  import sluice_pkg::BeatBits;
  import sluice_cfg_pkg::*;
  import sluice_serial_pkg::*;
(
  input  logic                               clk_i,
  input  logic                               rst_ni,
  // answer
  input  logic                               answer_i,
  input  logic [23:0]                        answer_head_i,
  input  logic                               answer_extra_i,
  input  logic [31:0]                        answer_data_i,
  output logic                               answer_taken_o,
  // chip
  input  logic                               chip_rst_ni,
  input  logic [NumPipes-1:0]                tx_valid_i,
  input  logic [NumPipes-1:0][BeatBits-1:0]  tx_data_i,
  input  logic [NumPipes-1:0][BeatBytes-1:0] tx_keep_i,
  input  logic [NumPipes-1:0]                tx_last_i,
  input  logic [NumPipes-1:0][7:0]           tx_port_i,
  input  logic [NumPipes-1:0][31:0]          tx_ticket_i,
  output logic [NumPipes-1:0]                tx_ready_o,
  input  logic                               ctl_valid_i,
  input  logic [BeatBits-1:0]                ctl_data_i,
  input  logic [BeatBytes-1:0]               ctl_keep_i,
  input  logic                               ctl_last_i,
  output logic                               ctl_ready_o,
  // line
  output logic                               byte_valid_o,
  output logic [7:0]                         byte_o,
  input  logic                               byte_ready_i
);
  // Source n < NumPipes is lane n, source NumPipes the control port.
  localparam int unsigned NumSources = NumPipes + 1;

  logic [NumSources-1:0]                valid, last;
  logic [NumSources-1:0][BeatBits-1:0]  data;
  logic [NumSources-1:0][BeatBytes-1:0] keep;
  logic [NumSources-1:0]                turn, source_q;     // one-hot
  logic                                 start, started, body, beat_ready;
  logic [7:0]                           count_q;       // frames of the chip's own
  logic [23:0]                          head;
  logic [31:0]                          ticket;
  logic [7:0]                           port;

  assign valid = {ctl_valid_i, tx_valid_i};
  assign last  = {ctl_last_i, tx_last_i};
  assign data  = {ctl_data_i, tx_data_i};
  assign keep  = {ctl_keep_i, tx_keep_i};

  assign body  = !answer_i;
  assign start = answer_i || valid != '0;
  sluice_round_robin #(.Count(NumSources)) u_turn (
    .clk_i, .rst_ni, .request_i(valid), .take_i(started && body), .grant_o(turn)
  );

  always_comb begin
    port   = '0;
    ticket = '0;
    for (int unsigned l = 0; l < NumPipes; l++)
      if (turn[l]) begin
        port   = tx_port_i[l];
        ticket = tx_ticket_i[l];
      end
  end
  assign head = answer_i ? answer_head_i
              : turn[NumPipes] ? {KindControlOut, count_q, 8'd0} : {KindPacketOut, count_q, port};
  assign answer_taken_o = started && answer_i;

  logic                  beat_valid, beat_last;
  logic [BeatBits-1:0]   beat_data;
  logic [BeatBytes-1:0]  beat_keep;
  logic [NumSources-1:0] ready;
  always_comb begin
    {beat_valid, beat_last, beat_data, beat_keep} = '0;
    ready = '0;
    for (int unsigned n = 0; n < NumSources; n++)
      if (source_q[n]) begin
        beat_valid = valid[n];
        beat_last  = last[n];
        beat_data  = data[n];
        beat_keep  = keep[n];
        ready[n]   = beat_ready;
      end
  end
  assign {ctl_ready_o, tx_ready_o} = ready;

  sluice_serial_out u_out (
    .clk_i, .rst_ni,
    .valid_i(start), .head_i(head),
    .extra_i(answer_i ? answer_extra_i : !turn[NumPipes]),
    .extra_data_i(answer_i ? answer_data_i : ticket),
    .body_i(body), .ready_o(started),
    .beat_valid_i(beat_valid), .beat_data_i(beat_data), .beat_keep_i(beat_keep), .beat_last_i(beat_last),
    .beat_ready_o(beat_ready), .abort_i(!chip_rst_ni),
    .valid_o(byte_valid_o), .data_o(byte_o), .ready_i(byte_ready_i)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      source_q <= '0;
      count_q  <= '0;
    end else if (started && body) begin
      source_q <= turn;
      count_q  <= count_q + 8'd1;
    end
  end
endmodule : sluice_serial_answers
