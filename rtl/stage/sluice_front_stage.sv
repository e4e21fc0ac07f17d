// SPDX-License-Identifier: Apache-2.0

/// One front stage: a column of match-action units, one a lane, and their node of the daisy chain.
/// Items leave exactly FrontCycles after they came, whatever they carry; nothing ever stalls. All
/// units hold the same tables: a write goes to all of them, a read is answered by the copy named.
module sluice_front_stage
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_table_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  stage_t               stage_i,        // back stages + own place, as the chain numbers it
  input  stage_settings_t      settings_i,
  input  item_t [NumPipes-1:0] item_i,
  output item_t [NumPipes-1:0] item_o,
  input  chain_t               chain_i,
  output logic                 chain_ready_o,
  output chain_t               chain_o,
  input  logic                 chain_ready_i
);
  table_write_t write;
  table_read_t  read;
  word_answer_t answer;
  word_answer_t [NumPipes-1:0] answers;
  sluice_table_node #(.Owned(tables_of(ScopeStage) | tables_of(ScopeFront))) u_node (
    .clk_i, .rst_ni, .stage_i, .chain_i, .chain_ready_o, .chain_o, .chain_ready_i, .refuse_i(1'b0),
    .write_o(write), .write_ready_i('{ready: 1'b1, refused: 1'b0}), .read_o(read), .answer_i(answer)
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
    for (int unsigned p = 0; p < NumPipes; p++) answer |= answers[p];
  end
endmodule : sluice_front_stage
