// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Moves the first CapsuleHead (44) bytes of a header behind what is taken out of a packet, so that
/// what is to be left away stands in front of it, and sluice_cutout can take it off the stream.
/// Combinational; depth: six levels of choices and one more.
///
/// Example: of a header with 18 bytes to be taken out, bytes 0 to 43 come to 18 to 61, bytes 62 to
/// 127 stay, bytes 0 to 17 are 0 and mean nothing. The stream without its first 18 bytes is the
/// old bytes 0 to 43, and behind them those from 62 on. With 84 bytes 44 + 84 = 128: it fits.
/// Invariant: with nothing to be taken out the header stays as it is. So it does in a chip without
/// capsules, and with Here 0: there the module is wires.
module sluice_header_move
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
#(
  // The head moves once: at the exit, or with egress stages at what is behind the queues.
  parameter bit          Here = 1'b1,
  parameter int unsigned Bits = HeaderBits     // of a header, or in a chip without capsules a step
) (
  input  logic [Bits-1:0] header_i,            // byte n is bits 8n+7:8n
  input  cutout_t         cutout_i,            // even, 0..84
  output logic [Bits-1:0] header_o
);
  if (Active != 0 && Here) begin : gen_move
    localparam int unsigned HeadHalves = CapsuleHead / 2;

    // ---- the head, moved by 2, 4, 8, .. bytes, as the bits of cutout_i say; the others stay.
    // Nothing taken out: the head is where it was.
    logic [CutoutBits-2:0] halves;
    logic [Bits-1:0]       moved;
    assign halves = cutout_i[CutoutBits-1:1];
    always_comb begin
      moved    = '0;
      header_o = header_i;
      if (`SLUICE_WHEN(halves != '0)) begin
        moved = Bits'(header_i[8*CapsuleHead-1:0]);
        for (int unsigned v = 1; v < CutoutBits; v++)
          if (cutout_i[v]) moved = moved << (8 << v);
        for (int unsigned h = 0; h < Bits / 16; h++)
          if (h < HeadHalves || 32'(halves) > h - HeadHalves)
            header_o[16*h +: 16] = moved[16*h +: 16];
      end
    end

    logic unused_odd;
    assign unused_odd = cutout_i[0];
  end else begin : gen_stay
    logic unused_cutout;
    assign header_o      = header_i;
    assign unused_cutout = ^cutout_i;
  end
endmodule : sluice_header_move
