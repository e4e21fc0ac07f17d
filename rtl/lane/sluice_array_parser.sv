// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Takes the words of an array out of a packet's header (docs/machine.md, Arrays), as table ARRAY
/// says of its module. Stands beside sluice_parser, in its timing.
///
/// Latency 3 cycles, 1 packet a cycle:
///   cycle 0  ARRAY is read with the overlay row
///   cycle 1  `header_i` and `len_i` come; of each place in turn one half word, and how many words
///            there are
///   cycle 2  turned, so that word 0 is first; words that are not there become 0
///   cycle 3  array_o
/// The header is 64 halves of 16 bits. Of 8 words, which are 16 halves, half j stands somewhere in
/// the halves whose number is (half + j) modulo 16: so for each of 16 places one of four is chosen,
/// and the 16 are turned. Example: OFFSET 62 is half 31. Place 15 takes half 31, place 0 half 32,
/// place 14 half 46; turned by 15 they are in order.
/// Invariant: words that are not wholly within packet and header, or behind COUNT, are 0.
/// Reset: array_o has no reset; it means something behind a packet alone.
/// In a chip without arrays it is not there: array_o is 0.
module sluice_array_parser
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  init_i,
  input  logic [15:0]           init_index_i,
  // cycle 0: packet
  input  logic                  valid_i,
  input  overlay_t              row_i,
  // cycle 1
  input  logic [HeaderBits-1:0] header_i,      // as of cycle 0; byte n is bits 8n+7:8n
  input  len_t                  len_i,
  // cycle 3
  output array_bits_t           array_o,       // a carried_array_t
  // control
  input  pipe_t                 copy_i,        // lane
  input  table_write_t          write_i,
  input  table_read_t           read_i,
  output word_answer_t          answer_o
);
  if (ArrayWords == 0) begin : gen_none
    assign array_o  = '0;
    assign answer_o = '0;
  end else begin : gen_array
    localparam int unsigned Halves   = HeaderBytes / 2;
    localparam int unsigned Places   = 2 * ArrayWords;      // halves of an array: a power of two
    localparam int unsigned TurnBits = $clog2(Places);
    localparam int unsigned Choices  = Halves / Places;

    // ---- cycle 0: table
    array_t entry;                               // in cycle 1
    sluice_config_table #(.Which(TableArray)) u_table (
      .clk_i, .rst_ni, .init_i, .init_index_i, .copy_i,
      .re_i(valid_i), .row_i, .entry_o(entry),
      .write_i, .read_i, .answer_o
    );

    logic valid_q, valid_q2;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        valid_q  <= 1'b0;
        valid_q2 <= 1'b0;
      end else begin
        valid_q  <= valid_i;
        valid_q2 <= valid_q;
      end
    end

    // ---- cycle 1: one half for each place; which words are there
    logic [5:0]                half;             // number of the first half
    logic [7:0]                limit;            // bytes that packet and header have
    logic [Halves-1:0][15:0]   halves;           // first byte most significant
    logic [Places-1:0][15:0]   placed;
    logic [ArrayWords-1:0]     there;
    assign half  = entry.offset[6:1];
    assign limit = len_i < len_t'(HeaderBytes) ? {1'b0, len_i[6:0]} : 8'(HeaderBytes);
    for (genvar h = 0; h < Halves; h++) begin : gen_half
      assign halves[h] = {header_i[16*h +: 8], header_i[16*h+8 +: 8]};
    end
    for (genvar p = 0; p < Places; p++) begin : gen_place
      logic [Choices-1:0][15:0] choice;
      logic [5-TurnBits:0]      block;           // of Places halves
      for (genvar c = 0; c < Choices; c++) begin : gen_choice
        assign choice[c] = halves[c*Places+p];
      end
      // Behind the last block there is nothing: those words are not there.
      assign block     = half[5:TurnBits] + (6-TurnBits)'(7'(p) < 7'(half[TurnBits-1:0]));
      assign placed[p] = choice[block];
    end
    for (genvar w = 0; w < ArrayWords; w++) begin : gen_there
      assign there[w] = entry.valid && entry.count > 5'(w)
          && 9'({half, 1'b0}) + 9'(4 * (w + 1)) <= 9'(limit);
    end

    logic [Places-1:0][15:0] placed_q;
    logic [ArrayWords-1:0]   there_q;
    logic [5:0]              half_q;
    always_ff @(posedge clk_i) if (valid_q) begin
      placed_q <= placed;
      there_q  <= there;
      half_q   <= half;
    end

    // ---- cycle 2: turned
    logic [2*Places-1:0][15:0] twice;
    logic [Places-1:0][15:0]   turned;
    carried_array_t            array, array_q;
    assign twice  = {placed_q, placed_q};
    assign turned = twice[{1'b0, half_q[TurnBits-1:0]} +: Places];
    always_comb begin
      array.half  = half_q;
      array.count = '0;
      for (int unsigned w = 0; w < ArrayWords; w++) begin
        if (there_q[w]) array.count = $bits(array.count)'(w + 1);
        array.words[w] = there_q[w] ? {turned[2*w], turned[2*w+1]} : '0;
      end
    end
    always_ff @(posedge clk_i) if (valid_q2) array_q <= array;
    assign array_o = array_bits_t'(array_q);

    `SLUICE_ASSERT(ThereFromTheFirst_A, !valid_q2 || ((there_q + 1'b1) & there_q) == '0)
  end
endmodule : sluice_array_parser
