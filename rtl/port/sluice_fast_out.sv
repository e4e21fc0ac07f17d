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
  input  tx_beat_t                            line_i [NumPipes],
  output logic [NumPipes-1:0]                 line_ready_o,
  // streams
  output tx_beat_t                            tx_o [NumPipes],
  input  logic [NumPipes-1:0]                 tx_ready_i
);
  if (FastLanes == 0) begin : gen_lines
    assign tx_o         = line_i;
    assign line_ready_o = tx_ready_i;
  end else begin : gen_ports
    for (genvar p = 0; p < NumPorts; p++) begin : gen_port
      localparam int unsigned First = p * FastLanes;
      logic [NumPipes-1:0][FastLanes-1:0] accepted;
      for (genvar s = 0; s < NumPipes; s++) begin : gen_source
        assign accepted[s] = accepted_i[s][First +: FastLanes];
      end
      sluice_collect #(.Lanes(FastLanes)) u_collect (
        .clk_i, .rst_ni, .port_i(8'(p)), .swap_i, .accepted_i(accepted), .before_i,
        .line_i(line_i[First +: FastLanes]), .line_ready_o(line_ready_o[First +: FastLanes]),
        .tx_o(tx_o[First +: FastLanes]), .tx_ready_i(&tx_ready_i[First +: FastLanes])
      );
    end
  end
endmodule : sluice_fast_out
