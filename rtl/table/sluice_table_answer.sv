// SPDX-License-Identifier: Apache-2.0

/// Answers the reads of one copy of a table: the word of the entry that the node asked for, a cycle
/// after the request. All zero when not asked, so that the answers of all tables and copies can be
/// ORed.
/// Reset: nothing is asked.
module sluice_table_answer
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_table_pkg::*;
#(
  parameter table_e Which = TableShare,
  localparam int unsigned Width    = table_width(Which),
  localparam int unsigned Words    = table_words(Which),
  localparam int unsigned WordBits = index_bits(Words)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  pipe_t            copy_i,     // number of this copy
  input  table_read_t      read_i,
  output logic             asked_o,    // this copy is read ...
  input  logic [Width-1:0] entry_i,    // ... and this is its entry, in the cycle after
  output word_answer_t     answer_o    // in that cycle, too
);
  logic                valid_q;
  logic [WordBits-1:0] word_q;
  assign asked_o = read_i.valid && read_i.which == Which && read_i.header.copy == 8'(copy_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 1'b0;
    else         valid_q <= asked_o;
  end
  always_ff @(posedge clk_i) if (asked_o) word_q <= read_i.word[WordBits-1:0];

  logic [Words-1:0][63:0] words;       // the last one of an entry is the lowest
  always_comb begin
    words    = '0;
    answer_o = '{valid: valid_q, data: '0};
    if (valid_q) begin
      words = {entry_i, {(64*Words-Width){1'b0}}};
      for (int unsigned w = 0; w < Words; w++)
        if (Words == 1 || word_q == WordBits'(w)) answer_o.data = words[Words-1-w];
    end
  end
endmodule : sluice_table_answer
