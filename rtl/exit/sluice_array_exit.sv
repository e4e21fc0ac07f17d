// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Puts the words of a packet's array back to their places (docs/machine.md, Arrays): what the
/// deparser writes over its own (sluice_deparser, over_i), so that an array wins over a container,
/// and checksums see it as any other change.
/// Latency 1 cycle, a packet a cycle.
/// In a chip without arrays it is not there, and nothing is written.
///
/// An array of 8 words is 16 halves; turned by its place each stands where its number modulo 16 is,
/// in each 32 bytes of the header, and a bit for each half says where it counts. Example: two words
/// at byte 62 are the halves 31 to 34: bits 31 to 34 of over_o are set, half 31 is in place 15 of
/// over_halves_o, half 32 in place 0.
/// Invariant: nothing is written behind the packet's end or behind the header, since the parser has
/// counted only words that lie within (carried_array_t).
module sluice_array_exit
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
(
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       valid_i,
  input  array_bits_t                array_i,       // a carried_array_t
  // a cycle later
  output logic [HeaderBytes/2-1:0]   over_o,        // bit h: bytes 2h and 2h + 1 are written
  output logic [HeaderBits-1:0]      over_header_o  // byte n is bits 8n+7:8n
);
  if (ArrayWords == 0) begin : gen_none
    assign over_o        = '0;
    assign over_header_o = '0;
  end else begin : gen_array
    localparam int unsigned Halves   = HeaderBytes / 2;
    localparam int unsigned Places   = 2 * ArrayWords;
    localparam int unsigned TurnBits = $clog2(Places);

    carried_array_t            array;
    logic [Places-1:0][15:0]   halves, turned, turned_q;
    logic [2*Places-1:0][15:0] twice;
    logic [TurnBits-1:0]       turn;
    logic [Halves-1:0]         over, over_q;
    logic [6:0]                first, last;           // last: the half behind the last one
    assign array = carried_array_t'(array_i);
    assign first = 7'(array.half);
    assign last  = first + 7'({array.count, 1'b0});
    for (genvar w = 0; w < ArrayWords; w++) begin : gen_word
      assign halves[2*w]   = {array.words[w][23:16], array.words[w][31:24]};
      assign halves[2*w+1] = {array.words[w][7:0], array.words[w][15:8]};
    end
    assign twice  = {halves, halves};
    assign turn   = '0 - array.half[TurnBits-1:0];
    assign turned = twice[{1'b0, turn} +: Places];
    for (genvar h = 0; h < Halves; h++) begin : gen_over
      assign over[h] = 7'(h) >= first && 7'(h) < last;
    end

    always_ff @(posedge clk_i) if (valid_i) begin
      turned_q <= turned;
      over_q   <= over;
    end
    assign over_o        = over_q;
    assign over_header_o = {(Halves/Places){turned_q}};

    `SLUICE_ASSERT(WithinHeader_A, !valid_i || 32'(last) <= Halves || array.count == '0)
  end
endmodule : sluice_array_exit
