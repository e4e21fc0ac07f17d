// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Parser and PARSER table (at the egress EGRESS_PARSER): the actions of a module copy 2, 4 or 6
/// bytes each of the header, or of the metadata word, into containers. Actions behind the last of
/// ParseActions are not kept, and read 0.
///
/// Latency 3 cycles, 1 packet a cycle:
///   cycle 0  table read with the overlay row; the header is kept
///   cycle 1  `metadata_i` comes; each action selects its window of 6 bytes
///   cycle 2  each container takes the window of the last action that names it
///   cycle 3  containers
/// Example: offset 14 in "81 00 0f ff 08 00 45" (bytes 12..18) selects the window 0f ff 08 00 45
/// ..; a 2-byte container takes 16'h0fff, a 4-byte container 32'h0fff0800.
/// Invariant: windows are padded with zeros on the right, so bytes behind the header read 0; bytes
/// behind the end of a packet are already 0 in the header. Paper: Menshen, programmable parser.
module sluice_parser
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
#(
  parameter bit Egress = 1'b0         // the table is EGRESS_PARSER
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  init_i,
  input  logic [15:0]           init_index_i,
  input  logic                  stale_i,       // fault: containers keep their old values
  // packet
  input  logic                  valid_i,
  input  overlay_t              row_i,
  input  logic [HeaderBits-1:0] header_i,      // byte n is bits 8n+7:8n
  input  logic [MetadataWidth-1:0] metadata_i, // one cycle later; byte 0 is the most significant
  output containers_t           containers_o,
  output logic [HeaderBits-1:0] header_o,      // the header, in cycle 1
  // control
  input  pipe_t                 copy_i,        // lane
  input  table_write_t          write_i,
  input  table_read_t           read_i,
  output word_answer_t          answer_o
);
  localparam table_e      Which      = Egress ? TableEgressParser : TableParser;
  localparam int unsigned NumActions = ParseActions;
  localparam int unsigned EntryWidth = NumActions * ParseActionWidth;
  localparam int unsigned WindowBits = 48;
  localparam int unsigned PairBits   = 64 + 40;   // the last byte of a word and the five behind it

  // ---- cycle 0: table and header
  logic [TableParserWidth-1:0] entry;            // in cycle 1
  logic [EntryWidth-1:0]       actions;
  logic [HeaderBits-1:0]       header_q;
  logic                        valid_q, valid_q2;

  sluice_config_table #(.Which(Which)) u_table (
    .clk_i, .rst_ni, .init_i, .init_index_i, .copy_i,
    .re_i(valid_i), .row_i, .entry_o(entry),
    .write_i, .read_i, .answer_o
  );
  assign actions = entry[TableParserWidth-1 -: EntryWidth];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q  <= 1'b0;
      valid_q2 <= 1'b0;
    end else begin
      valid_q  <= valid_i;
      valid_q2 <= valid_q;
    end
  end
  always_ff @(posedge clk_i) if (valid_i) header_q <= header_i;
  assign header_o = header_q;

  // ---- cycle 1: windows, first byte most significant. Both sources stand in one row of words of
  // eight bytes, a word of zeros behind each. Header bytes count from the least significant end,
  // those of the metadata word from the other.
  localparam int unsigned HeaderWords   = HeaderBits / 64;
  localparam int unsigned WordBits      = $clog2(HeaderWords);
  localparam int unsigned MetadataWords = MetadataWidth / 64;
  // The even words are apart from the odd ones, so that two neighbours are one of each: each is
  // chosen among half of them.
  localparam int unsigned Pairs = (HeaderWords + MetadataWords + 2) / 2;
  logic [2*Pairs-1:0][63:0]   words;
  logic [Pairs-1:0][63:0]     even, odd;
  logic [MetadataWidth-1:0]   metadata;
  // A word at a time: the bytes of more than one a simulator turns round bit by bit.
  for (genvar w = 0; w < MetadataWords; w++) begin : gen_metadata
    assign metadata[64*w +: 64] = {<<8{metadata_i[64*(MetadataWords-1-w) +: 64]}};
  end
  assign words = `SLUICE_WHEN(valid_q) ? {64'd0, metadata, 64'd0, header_q} : '0;
  for (genvar w = 0; w < Pairs; w++) begin : gen_pair
    assign even[w] = words[2*w];
    assign odd[w]  = words[2*w+1];
  end

  for (genvar a = 0; a < NumActions; a++) begin : gen_window
    parse_action_t         action;
    logic [WindowBits-1:0] window_q;
    logic [1:0]            kind_q;
    logic [2:0]            idx_q;
    logic                  behind;

    // First the two words that hold the window, then its place in them: far fewer gates than one
    // choice among all bytes.
    logic [4:0]            word;
    logic [3:0]            even_pair;
    logic [63:0]           even_word, odd_word;
    logic [PairBits-1:0]   pair;
    logic [WindowBits-1:0] window;
    always_comb begin
      {word, even_pair, even_word, odd_word, pair, window} = '0;
      if (`SLUICE_WHEN(valid_q)) begin
        word      = action.metadata ? 5'(HeaderWords + 1) + 5'(action.offset[4:3])
                                    : 5'(action.offset[3 +: WordBits]);
        even_pair = word[4:1] + 4'(word[0]);
        even_word = even[even_pair];
        odd_word  = odd[word[4:1]];
        pair      = word[0] ? {even_word[PairBits-65:0], odd_word}
            : {odd_word[PairBits-65:0], even_word};
        window    = {<<8{pair[{1'b0, action.offset[2:0], 3'd0} +: WindowBits]}};
      end
    end
    assign action = actions[EntryWidth-1 - ParseActionWidth*a -: ParseActionWidth];
    assign behind = action.metadata ? action.offset[6:5] != '0
        : 8'(action.offset) >= 8'(HeaderBytes);

    always_ff @(posedge clk_i) if (valid_q) begin
      kind_q <= action.valid ? action.kind : TypeConst;
      idx_q  <= action.idx;
      // Behind byte 31 of the metadata word, and behind the header, there is nothing.
      window_q <= behind ? '0 : window;
    end
  end

  // ---- cycles 2 and 3: containers
  logic [NumActions-1:0][WindowBits-1:0] window;
  logic [NumActions-1:0][1:0]            kind;
  logic [NumActions-1:0][2:0]            idx;
  for (genvar a = 0; a < NumActions; a++) begin : gen_flat
    assign window[a] = gen_window[a].window_q;
    assign kind[a]   = gen_window[a].kind_q;
    assign idx[a]    = gen_window[a].idx_q;
  end

  sluice_parser_containers u_containers (
    .clk_i, .stale_i, .valid_i(valid_q2), .window_i(window), .kind_i(kind), .idx_i(idx),
    .containers_o
  );
endmodule : sluice_parser
