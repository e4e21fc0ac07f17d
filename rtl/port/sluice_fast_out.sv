// SPDX-License-Identifier: Apache-2.0

/// The fast ports, on the way out: each collects what its output lanes bring (sluice_collect), and
/// has FastLanes streams of the wire. Wires only. The streams of a port are one bus: its beats of a
/// cycle are taken together, when tx_ready_i of all its streams is 1. So whoever stalls one stream
/// stalls the port, and nothing is lost.
/// Example, streams 2 and 3 of port 1: both are valid, tx_ready_i is 0b0100. Neither beat is taken.
/// In a chip without fast ports each line is a stream.
module sluice_fast_out
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
(
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  logic                                swap_i,      // test fault
  // copies that the traffic manager takes: see sluice_exit_order
  input  logic [NumPipes-1:0][LinePorts-1:0]  accepted_i,
  input  logic [NumPipes-1:0][NumPipes-1:0]   before_i,
  // output lanes
  input  logic [NumPipes-1:0]                 line_valid_i,
  input  logic [NumPipes-1:0]                 line_last_i,
  input  logic [NumPipes-1:0][BeatBits-1:0]   line_data_i,
  input  logic [NumPipes-1:0][BeatBytes-1:0]  line_keep_i,
  input  logic [NumPipes-1:0][7:0]            line_port_i,   // counts only without fast ports
  input  logic [NumPipes-1:0][31:0]           line_ticket_i,
  output logic [NumPipes-1:0]                 line_ready_o,
  // streams
  output logic [NumPipes-1:0]                 tx_valid_o,
  output logic [NumPipes-1:0]                 tx_last_o,
  output logic [NumPipes-1:0][BeatBits-1:0]   tx_data_o,
  output logic [NumPipes-1:0][BeatBytes-1:0]  tx_keep_o,
  output logic [NumPipes-1:0][7:0]            tx_port_o,
  output logic [NumPipes-1:0][31:0]           tx_ticket_o,
  input  logic [NumPipes-1:0]                 tx_ready_i
);
  if (FastLanes == 0) begin : gen_lines
    assign tx_valid_o   = line_valid_i;
    assign tx_last_o    = line_last_i;
    assign tx_data_o    = line_data_i;
    assign tx_keep_o    = line_keep_i;
    assign tx_port_o    = line_port_i;
    assign tx_ticket_o  = line_ticket_i;
    assign line_ready_o = tx_ready_i;
  end else begin : gen_ports
    for (genvar p = 0; p < NumPorts; p++) begin : gen_port
      localparam int unsigned First = p * FastLanes;
      logic [NumPipes-1:0][FastLanes-1:0] accepted;
      for (genvar s = 0; s < NumPipes; s++) begin : gen_source
        assign accepted[s] = accepted_i[s][First +: FastLanes];
      end
      sluice_collect #(.Lanes(FastLanes)) u_collect (
        .clk_i, .rst_ni, .swap_i, .accepted_i(accepted), .before_i,
        .line_valid_i (line_valid_i[First +: FastLanes]),
        .line_last_i  (line_last_i[First +: FastLanes]),
        .line_data_i  (line_data_i[First +: FastLanes]),
        .line_keep_i  (line_keep_i[First +: FastLanes]),
        .line_ticket_i(line_ticket_i[First +: FastLanes]),
        .line_ready_o (line_ready_o[First +: FastLanes]),
        .tx_valid_o   (tx_valid_o[First +: FastLanes]),
        .tx_last_o    (tx_last_o[First +: FastLanes]),
        .tx_data_o    (tx_data_o[First +: FastLanes]),
        .tx_keep_o    (tx_keep_o[First +: FastLanes]),
        .tx_ticket_o  (tx_ticket_o[First +: FastLanes]),
        .tx_ready_i   (&tx_ready_i[First +: FastLanes])
      );
      assign tx_port_o[First +: FastLanes] = {FastLanes{8'(p)}};
    end
  end
endmodule : sluice_fast_out
