// SPDX-License-Identifier: Apache-2.0

/// One front stage: a column of match-action units, one a lane, and their node of the daisy chain.
/// Items leave exactly 8 cycles after they came, whatever they carry; nothing ever stalls. All
/// units hold the same tables: a write goes to all of them, a read is answered by the copy named.
module sluice_front_stage
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_layout_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  stage_t               stage_i,        // back stages + own place, as the chain numbers it
  input  settings_t            settings_i,
  input  item_t [NumPipes-1:0] item_i,
  output item_t [NumPipes-1:0] item_o,
  input  chain_t               chain_i,
  output logic                 chain_ready_o,
  output chain_t               chain_o,
  input  logic                 chain_ready_i
);
  chain_header_t header;
  logic          claim;
  logic [3:0]    words;
  logic [16:0]   entries;
  table_write_t  write;
  table_read_t   read;
  word_answer_t  answer;
  table_answer_t answers [NumPipes];
  logic [3:0]    word;                       // of an answer, that the node wants

  sluice_stage_tables #(.State(1'b0), .Hash(1'b1)) u_tables (
    .clk_i, .rst_ni, .stage_i, .header_i(header), .write_i(write),
    .claim_o(claim), .words_o(words), .entries_o(entries)
  );

  sluice_chain_node #(.Kept(column_kept(1'b0) | entry_start(TableHashInstrWidth))) u_node (
    .clk_i, .rst_ni, .chain_i, .chain_ready_o, .chain_o, .chain_ready_i,
    .header_o(header), .claim_i(claim), .snoop_i(1'b0), .words_i(words), .entries_i(entries),
    .write_o(write), .write_ready_i('{ready: 1'b1, refused: 1'b0}), .read_o(read), .word_o(word),
    .answer_i(answer)
  );

  for (genvar p = 0; p < NumPipes; p++) begin : gen_unit
    sluice_front_unit u_unit (
      .clk_i, .rst_ni, .pipe_i(pipe_t'(p)), .settings_i,
      .item_i(item_i[p]), .item_o(item_o[p]),
      .write_i(write), .read_i(read), .answer_o(answers[p])
    );
  end

  always_comb begin
    answer = '0;
    for (int unsigned p = 0; p < NumPipes; p++) answer |= answer_word(answers[p], word);
  end
endmodule : sluice_front_stage
