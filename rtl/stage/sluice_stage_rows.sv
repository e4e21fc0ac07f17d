// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"
`include "sluice_tag.svh"

/// Answers reads of STATE_ROW for one column of back stages: keeps the row that was read, whole,
/// and gives its words of 64 bits to the node when they are due. So a row is what it was in one
/// moment though its answer takes many cycles.
///
/// Example: READ of STATE_ROW of an entry whose home is pipeline 0, and which lives in pipeline 3.
/// Unit 3 reads it with a mark: read_i[3].come, the row is in moved_i[3]. From the next cycle on
/// it is kept, and read_i[0] = {due, word 0}: the answer is words 0 and 1 of the row; in the next
/// cycle {due, word 1}, words 2 and 3.
/// Latency: 1 cycle from `come` to the row; 0 from `due` to the answer. Reset: nothing is due.
/// Invariant: nothing comes between the words of one row, because a node asks for entries one after
/// the other, and the home (sluice_state_ctl) reads a row only with its first word.
module sluice_stage_rows
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
#(
  parameter bit Array = 1'b1               // the stage has rows; else it is not there
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  row_read_t [NumPipes-1:0]  read_i,
  input  moved_t    [NumPipes-1:0]  moved_i,
  output word_answer_t              answer_o
);
  if (!Array) begin : gen_none
    assign answer_o = '0;
  end else begin : gen_rows
    localparam int unsigned AnswerWords = StateRowWidth / 64;

    words_t    row, row_q;
    row_read_t due;
    logic      come;
    always_comb begin
      row  = '0;
      due  = '0;
      come = 1'b0;
      for (int unsigned d = 0; d < NumPipes; d++) begin
        come |= read_i[d].come;
        row  |= read_i[d].come ? `SLUICE_VALUE_ROW(moved_i[d].value) : '0;
        due  |= read_i[d].due ? read_i[d] : '0;
      end
    end
    always_ff @(posedge clk_i) if (come) row_q <= row;

    // Words of 64 bits, the first word of the row on the left; behind the row zeros.
    logic [AnswerWords-1:0][63:0] words;
    for (genvar n = 0; n < AnswerWords; n++) begin : gen_word
      if (2 * n < ArrayWords) begin : gen_kept
        assign words[n] = {row_q[2*n], row_q[2*n+1]};
      end else begin : gen_zero
        assign words[n] = '0;
      end
    end
    assign answer_o = '{valid: due.due, data: due.due && !due.none ? words[due.word] : '0};

`ifdef SLUICE_SIM
    logic [NumPipes-1:0] comes, dues;
    for (genvar d = 0; d < NumPipes; d++) begin : gen_check
      assign comes[d] = read_i[d].come;
      assign dues[d]  = read_i[d].due;
    end
    `SLUICE_ASSERT(OneComes_A, $onehot0(comes))
    `SLUICE_ASSERT(OneIsDue_A, $onehot0(dues))
    // The invariant: from the first word of a row until its last one no other row comes.
    logic open, open_q;
    assign open = due.due ? 32'(due.word) != AnswerWords - 1 : open_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) open_q <= 1'b0;
      else         open_q <= open;
    end
    `SLUICE_ASSERT(RowIsWhole_A, !come || !open)
`endif
  end
endmodule : sluice_stage_rows
