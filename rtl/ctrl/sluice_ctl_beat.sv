// SPDX-License-Identifier: Apache-2.0

/// The beat of the control port that waits to be served, and what it is.
/// Latency 2 cycles: it is taken into a register as it comes, and looked at there. So one beat in
/// three cycles, which the control port can afford.
/// A reconfiguration packet is told by its first beat, as Menshen's formats have it (docs/tables.md, RECONFIG): a
/// VLAN tag, IPv4, UDP to port 0xf1f2, and a full beat.
module sluice_ctl_beat
  import sluice_pkg::*;
  import sluice_layout_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                ready_i,         // the chip is ready: before that the port waits
  input  logic                rx_valid_i,
  input  logic [BeatBits-1:0] rx_data_i,
  input  logic [63:0]         rx_keep_i,
  input  logic                rx_last_i,
  output logic                rx_ready_o,
  output logic                valid_o,
  output logic [BeatBits-1:0] data_o,
  output logic                last_o,
  output logic                is_reconfig_o,   // if it is a packet's first beat
  output logic [6:0]          bytes_o,         // that it has
  input  logic                take_i           // only with valid_o
);
  logic        full_q, looked_q;
  logic [63:0] keep_q;
  assign rx_ready_o = ready_i && !full_q;
  assign valid_o    = full_q && looked_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      full_q   <= 1'b0;
      looked_q <= 1'b0;
    end else begin
      full_q   <= (rx_valid_i && rx_ready_o) || (full_q && !take_i);
      looked_q <= full_q && !take_i;
    end
  end

  // Bytes 12..13 and 16..17: types behind the addresses and behind the tag; 27: IP's protocol; 40..41: UDP's port.
  always_ff @(posedge clk_i) begin
    if (rx_ready_o) begin
      last_o <= rx_last_i;
      data_o <= rx_data_i;
      keep_q <= rx_keep_i;
    end
    is_reconfig_o <= data_o[8*12 +: 16] == 16'h0081 && data_o[8*16 +: 16] == 16'h0008
                  && data_o[8*27 +: 8] == 8'h11 && data_o[8*40 +: 16] == 16'hf2f1 && keep_q == '1;
    bytes_o       <= 7'($countones(keep_q));
  end
endmodule : sluice_ctl_beat
