// SPDX-License-Identifier: Apache-2.0

/// The block of the control port's packet that waits to be served, and what it is: 64 bytes, or
/// what is left of the packet.
/// Latency 2 cycles from its last beat: beats are taken into a register as they come, and the block
/// is looked at there. So one block in three cycles (in narrow chips, where it has more beats than
/// one, in six), which the control port can afford.
/// A reconfiguration packet is told by its first block, as Menshen's formats have it
/// (docs/tables.md, RECONFIG): a VLAN tag, IPv4, UDP to port 0xf1f2, and a full block.
module sluice_ctl_block
  import sluice_cfg_pkg::BeatBytes;
  import sluice_pkg::*;
  import sluice_ctrl_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 ready_i,         // the chip is ready: before that the port waits
  input  ctl_beat_t            rx_i,
  output logic                 rx_ready_o,
  output logic                 valid_o,
  output logic [CtlBits-1:0]   data_o,
  output logic                 last_o,
  output logic                 is_reconfig_o,   // if it is a packet's first block
  output logic [6:0]           bytes_o,         // that it has
  input  logic                 take_i           // only with valid_o
);
  localparam int unsigned Beats = CtlBytes / BeatBytes;

  logic                         full_q, looked_q, comes, complete;
  logic [CtlBytes-1:0]          keep_q;
  logic [index_bits(Beats)-1:0] beat_q;         // of the block, that comes next
  assign rx_ready_o = ready_i && !full_q;
  assign valid_o    = full_q && looked_q;
  assign comes      = rx_i.valid && rx_ready_o;
  assign complete   = comes && (rx_i.last || 32'(beat_q) == Beats - 1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      full_q   <= 1'b0;
      looked_q <= 1'b0;
      beat_q   <= '0;
    end else begin
      full_q   <= complete || (full_q && !take_i);
      looked_q <= full_q && !take_i;
      if (comes) beat_q <= complete ? '0 : beat_q + 1'b1;
    end
  end

  // Bytes 12..13 and 16..17: types behind the addresses and behind the tag; 27: IP's protocol;
  // 40..41: UDP's port.
  always_ff @(posedge clk_i) begin
    if (comes) begin
      last_o <= rx_i.last;
      for (int unsigned b = 0; b < Beats; b++)
        if (32'(beat_q) == b) begin
          data_o[BeatBits*b +: BeatBits]   <= rx_i.data;
          keep_q[BeatBytes*b +: BeatBytes] <= rx_i.keep;
        end else if (beat_q == '0) begin
          keep_q[BeatBytes*b +: BeatBytes] <= '0;
        end
    end
    is_reconfig_o <= data_o[8*12 +: 16] == 16'h0081 && data_o[8*16 +: 16] == 16'h0008
                  && data_o[8*27 +: 8] == 8'h11 && data_o[8*40 +: 16] == 16'hf2f1 && keep_q == '1;
    bytes_o       <= 7'($countones(keep_q));
  end
endmodule : sluice_ctl_block
