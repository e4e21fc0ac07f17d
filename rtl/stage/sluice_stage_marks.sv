// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"
`include "sluice_tag.svh"

/// Marks of one column of back stages (docs/marks.md): tells the order point what a state unit asks
/// for, tells all units when the mark is done, holds LEAVE, and has ready what a mark writes.
///
/// Example: READ of TAKE, index 40, whose home is pipeline 0, slot 10; it lives in pipeline 3. In
/// cycle 0 unit 0 asks ({writes, 10}); in 1 `request_o` = {writes, pipeline 0, slot 10}. Some 15
/// cycles later the mark is issued in pipeline 3, `value_o` is LEAVE all the time, and when unit 3
/// shows in `moved_i` what was read, `marked_o` is up: unit 3 answers the node, unit 0 asks for the
/// next entry.
/// Latency: 1 cycle for a request and a read of LEAVE; 0 for marked_o. Reset: LEAVE is 0, no mark
/// is under way. Not there in a stage without state, or a chip without marks.
/// Invariant: at most one mark is under way, and while it is, value_o stays as it is.
module sluice_stage_marks
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_table_pkg::*;
#(
  parameter bit State = 1'b1                           // the stage holds state
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  // the column's node
  input  table_write_t                 write_i,
  input  table_read_t                  read_i,
  output word_answer_t                 answer_o,       // LEAVE
  // state units
  input  mark_request_t [NumPipes-1:0] ask_i,
  input  moved_t        [NumPipes-1:0] moved_i,
  output logic                         marked_o,       // the mark is done, in that unit's moved_i
  output state_entry_t                 value_o,        // what it writes
  output logic                         row_o,          // ... it writes the row instead (STATE_ROW)
  // order point
  output mark_request_t                request_o
);
  if (!State || Marks == 0) begin : gen_none
    assign {answer_o, marked_o, value_o, row_o, request_o} = '0;
  end else begin : gen_marks
    localparam logic [EntryBits-1:0]       Kept      = table_kept(TableLeave);
    localparam logic [StateEntryWidth-1:0] LeaveKept = Kept[EntryBits-1 -: StateEntryWidth];

    // ---- LEAVE
    state_entry_t leave_q;
    logic         read_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        leave_q <= '0;
        read_q  <= 1'b0;
      end else begin
        if (write_i.valid && write_i.which == TableLeave)
          leave_q <= write_i.data[EntryBits-1 -: StateEntryWidth] & LeaveKept;
        read_q <= read_i.valid && read_i.which == TableLeave;
      end
    end
    assign answer_o = '{valid: read_q, data: read_q ? leave_q : '0};

    // ---- request
    mark_request_t ask;
    always_comb begin
      ask = '0;
      for (int unsigned d = 0; d < NumPipes; d++) ask |= ask_i[d].valid ? ask_i[d] : '0;
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) request_o <= '0;
      else         request_o <= ask;
    end

    // ---- the mark that is under way
    logic under_way_q, message_q;                  // message: it writes the value of a WRITE
    always_comb begin
      marked_o = 1'b0;
      for (int unsigned d = 0; d < NumPipes; d++)
        marked_o |= moved_i[d].valid && `SLUICE_IS_MARK(moved_i[d].id);
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) under_way_q <= 1'b0;
      else         under_way_q <= ask.valid || (under_way_q && !marked_o);
    end
    always_ff @(posedge clk_i) if (ask.valid) message_q <= write_i.valid;
    assign row_o   = ArrayWords != 0 && message_q && write_i.which == TableStateRow;
    assign value_o = message_q ? write_i.data[EntryBits-1 -: StateEntryWidth] : leave_q;

`ifdef SLUICE_SIM
    logic [NumPipes-1:0] asks;
    for (genvar d = 0; d < NumPipes; d++) begin : gen_check
      assign asks[d] = ask_i[d].valid;
    end
    `SLUICE_ASSERT(AskedByHome_A, $onehot0(asks))
`endif
    `SLUICE_ASSERT(OneMark_A, !ask.valid || !under_way_q)
    `SLUICE_ASSERT(MarkWasAsked_A, !marked_o || under_way_q)
    `SLUICE_ASSERT(MessageStays_A, !(under_way_q && message_q) || write_i.valid)
    `SLUICE_ASSERT(LeaveStays_A, !(under_way_q && !message_q) || !write_i.valid)
  end
endmodule : sluice_stage_marks
