// SPDX-License-Identifier: Apache-2.0

/// Tables of a state unit: SEGMENT and ACCESS, a row a module, and STATE_INSTR, a row for each row
/// of ACTION. Packets read SEGMENT and ACCESS in c1, STATE_INSTR in c2; what they read stands a
/// cycle later, and until the next read. Control: sluice_config_table. Control accesses to state
/// look up (lookup_i) the segment and access of the row in their header: on `_readback_o` a cycle
/// later.
/// Of state instructions what the state unit has no use for is not kept (StatePairs = 0,
/// docs/machine.md).
/// Every write takes effect: whether a segment may change was decided at the order point
/// (sluice_commit).
module sluice_state_tables
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_stage_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  pipe_t                pipe_i,
  input  logic                 init_i,
  input  logic [15:0]          init_index_i,
  // packets
  input  logic                 c1_valid_i,
  input  overlay_t             c1_row_i,
  output segment_t             segment_o,
  output access_t              access_o,
  input  logic                 c2_hit_i,
  input  action_row_t          c2_action_row_i,
  output state_instr_t         instr_o,
  // control
  input  table_write_t         write_i,
  input  table_read_t          read_i,
  output word_answer_t         answer_o,
  input  logic                 lookup_i,
  output segment_t             segment_readback_o,
  output access_t              access_readback_o
);
  // ---- SEGMENT and ACCESS. A lookup is a read of both, of which nobody but the caller hears.
  table_read_t  segment_read, access_read;
  word_answer_t segment_answer, access_answer, instr_answer;
  logic [7:0]   row;
  logic         lookup_q;
  assign row = write_i.valid ? write_i.header.row : read_i.header.row;
  always_comb begin
    segment_read = read_i;
    if (lookup_i) begin
      segment_read.valid        = 1'b1;
      segment_read.which        = TableSegment;
      segment_read.header.index = 16'(row);
      segment_read.header.copy  = 8'(pipe_i);
    end
    access_read = segment_read;
    if (lookup_i) access_read.which = TableAccess;
  end

  sluice_config_table #(.Which(TableSegment)) u_segment (
    .clk_i, .rst_ni, .init_i, .init_index_i,
    .copy_i(pipe_i),
    .re_i(c1_valid_i), .row_i(c1_row_i), .entry_o(segment_o),
    .write_i, .read_i(segment_read), .answer_o(segment_answer)
  );
  sluice_config_table #(.Which(TableAccess)) u_access (
    .clk_i, .rst_ni, .init_i, .init_index_i,
    .copy_i(pipe_i),
    .re_i(c1_valid_i), .row_i(c1_row_i), .entry_o(access_o),
    .write_i, .read_i(access_read), .answer_o(access_answer)
  );
  assign segment_readback_o = segment_answer.data[63 -: SegmentWidth];
  assign access_readback_o  = access_answer.data[63 -: AccessWidth];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) lookup_q <= 1'b0;
    else         lookup_q <= lookup_i;
  end
  assign answer_o = lookup_q ? '0 : segment_answer | access_answer | instr_answer;

  // ---- STATE_INSTR. Of predicates 2 to 4, a chip with one state word keeps whether they hold or
  // not.
  table_write_t     instr_write;
  state_instr_t     instr_wdata;
  predicate_t [2:0] constant;
  always_comb begin
    instr_write = write_i;
    instr_wdata = write_i.data[EntryBits-1 -: StateInstrWidth];
    constant    = {instr_wdata.pred_4, instr_wdata.pred_3, instr_wdata.pred_2};
    for (int unsigned p = 0; p < 3; p++)
      constant[p] = '{rel: constant[p].rel == RelTrue ? RelTrue : RelFalse, default: '0};
    if (StatePairs == 0) {instr_wdata.pred_4, instr_wdata.pred_3, instr_wdata.pred_2} = constant;
    instr_write.data[EntryBits-1 -: StateInstrWidth] = instr_wdata;
  end
  sluice_config_table #(.Which(TableStateInstr)) u_instr (
    .clk_i, .rst_ni, .init_i, .init_index_i,
    .copy_i(pipe_i),
    .re_i(c2_hit_i), .row_i(c2_action_row_i), .entry_o(instr_o),
    .write_i(instr_write), .read_i, .answer_o(instr_answer)
  );
endmodule : sluice_state_tables
