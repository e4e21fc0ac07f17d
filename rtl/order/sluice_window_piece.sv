// SPDX-License-Identifier: Apache-2.0

/// A piece of the window's bitmap (sluice_window): the lap of the last packet that finished in each
/// of its places.
/// A place belongs to one packet a lap, so a packet that finishes flips its bit. All bits are 1
/// after reset: the laps before the first, which is 0, are over. Latency 1 cycle; up to k packets a
/// cycle.
module sluice_window_piece
  import sluice_cfg_pkg::*;
#(
  parameter int unsigned Places = 8                   // a power of two
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // the packet that finishes has its place in this piece
  input  logic [NumPipes-1:0]             done_i,
  input  logic [NumPipes-1:0][Places-1:0] place_i,    // which, one-hot
  output logic [Places-1:0]               lap_o
);
  logic [Places-1:0] flip;
  always_comb begin
    flip = '0;
    for (int unsigned d = 0; d < NumPipes; d++) flip |= done_i[d] ? place_i[d] : '0;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) lap_o <= '1;
    else         lap_o <= lap_o ^ flip;
  end
endmodule : sluice_window_piece
