// SPDX-License-Identifier: Apache-2.0

/// The fast ports, on the way in: each deals its packets to its lanes, and gives them the order of
/// its wire. Wires only: see sluice_deal and sluice_wire_order. Streams and lanes FastLanes p to
/// FastLanes p + FastLanes - 1 are those of port p. In a chip without fast ports streams are lanes.
module sluice_fast_in
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
#(
  parameter int unsigned Depth = 256   // beats in front of each lane
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  // streams
  input  rx_beat_t                           rx_i [NumPipes],  // port: only without fast ports
  // lanes
  output rx_beat_t                           lane_o [NumPipes],
  // a packet has ended in the lane, and is stored; it arrives
  input  logic [NumPipes-1:0]                done_i,
  input  logic [NumPipes-1:0]                stored_i,
  output logic [NumPipes-1:0]                arrive_o,
  // test harness, by stream
  output logic [NumPipes-1:0]                dealt_o,
  output pipe_t [NumPipes-1:0]               dealt_lane_o
);
  if (FastLanes == 0) begin : gen_streams
    assign lane_o       = rx_i;
    assign arrive_o     = stored_i;
    assign dealt_o      = '0;
    assign dealt_lane_o = '0;
  end else begin : gen_ports
    localparam int unsigned LaneBits = $clog2(FastLanes);

    for (genvar p = 0; p < NumPorts; p++) begin : gen_port
      localparam int unsigned First = p * FastLanes;
      logic [$clog2(FastLanes+1)-1:0]      begun;
      logic [FastLanes-1:0][LaneBits-1:0] begun_lane, dealt_lane;
      sluice_deal #(.Lanes(FastLanes), .Depth(Depth)) u_deal (
        .clk_i, .rst_ni, .port_i(8'(p)), .rx_i(rx_i[First +: FastLanes]),
        .lane_o(lane_o[First +: FastLanes]), .begun_o(begun), .begun_lane_o(begun_lane),
        .dealt_o(dealt_o[First +: FastLanes]), .dealt_lane_o(dealt_lane)
      );
      for (genvar s = 0; s < FastLanes; s++) begin : gen_stream
        assign dealt_lane_o[First+s] = pipe_t'(First) + pipe_t'(dealt_lane[s]);
      end
      sluice_wire_order #(.Lanes(FastLanes)) u_order (
        .clk_i, .rst_ni, .begun_i(begun), .begun_lane_i(begun_lane),
        .done_i(done_i[First +: FastLanes]), .stored_i(stored_i[First +: FastLanes]),
        .arrive_o(arrive_o[First +: FastLanes])
      );
    end
  end
endmodule : sluice_fast_in
