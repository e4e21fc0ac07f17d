// SPDX-License-Identifier: Apache-2.0

/// Match-action unit of one pipeline of a back stage: the core and, in stages with state, the state
/// unit beside it; a unit of rows of words where the stage has them, and a capsule unit in a chip
/// with capsules. A packet leaves CoreCycles after it came; one a cycle, nothing ever stalls.
/// State operations happen in the order in which packets come; without a state unit they do
/// nothing, and their results are 0.
module sluice_back_unit
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_probe_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_stage_pkg::*;
#(
  parameter bit State = 1'b1             // there is a state unit
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  stage_t          stage_i,
  input  pipe_t           pipe_i,
  input  stage_settings_t settings_i,
  // packets
  input  logic            valid_i,
  input  packet_t         packet_i,
  input  grant_t          grant_i,
  input  grant_value_t    value_i,         // StateUpdateCycle later
  output moved_t          moved_o,         // StateResultCycle later, of a read
  input  cut_t            cut_i,
  output logic            walks_o,         // through its slots, behind a cut
  output logic            valid_o,
  output packet_t         packet_o,
  output logic            hold_o,          // issue nothing in this cycle
  // control: all units of a column see all messages
  input  table_write_t    write_i,
  output table_ready_t    write_ready_o,   // the column ANDs `ready` and ORs `refused`
  input  table_read_t     read_i,
  output mark_request_t   ask_o,           // a mark of an entry whose home is here
  input  logic            marked_i,        // the mark of the column is done
  output word_answer_t    answer_o,        // the column ORs them
  output row_read_t       row_read_o,      // see sluice_stage_rows
  output logic            read_busy_o,     // the column ORs them ...
  input  logic            read_busy_i,     // ... and tells all
  output unit_event_t     event_o,
  output logic            fill_busy_o,
  output probe_state_t    probe_o
);
  localparam bit Cut   = State && CutStages != 0;   // there is a shadow memory
  localparam bit Array = State && ArrayWords != 0;  // there are rows of words
  side_t         side;
  result_t       result;
  logic          op, op_refused;
  slot_t         op_slot;
  word_answer_t  core_answer, state_answer, row_answer, capsule_answer;
  capsule_access_t capsule_access;
  logic [31:0]   old_word, new_word;
  phv_t          left_phv;
  row_access_t   row_access;
  words_t        row;
  logic [3:0]    pred;
  array_bits_t   left_array;

  sluice_match_action #(
    .AlongBits(TagBits + $bits(packet_i.route)), .Capsule(1'b0), .Array(!Array)
  ) u_core (
    .clk_i, .rst_ni, .pipe_i, .settings_i,
    .valid_i, .active_i(1'b1), .phv_i(packet_i.phv), .along_i({packet_i.tag, packet_i.route}),
    .valid_o, .phv_o(left_phv), .along_o({packet_o.tag, packet_o.route}),
    .side_o(side), .result_i(result),
    .write_i, .read_i, .answer_o(core_answer)
  );

  if (State) begin : gen_state
    sluice_state_unit #(.Cut(Cut), .Array(Array)) u_state (
      .clk_i, .rst_ni, .pipe_i, .settings_i,
      .grant_i, .value_i, .side_i(side), .result_o(result),
      .capsule_i(capsule_access), .old_word_o(old_word), .new_word_o(new_word),
      .moved_o, .tag_i(packet_i.tag), .cut_i, .walks_o,
      .row_access_o(row_access), .row_i(row), .pred_o(pred), .row_read_o,
      .op_o(op), .op_refused_o(op_refused), .op_slot_o(op_slot),
      .write_i, .write_ready_o, .read_i, .ask_o, .marked_i, .answer_o(state_answer),
      .read_busy_o, .read_busy_i, .hold_o, .fill_busy_o
    );
  end else begin : gen_no_state
    assign write_ready_o = '{ready: 1'b1, refused: 1'b0};
    assign {moved_o, ask_o, state_answer, row_read_o, read_busy_o, hold_o, fill_busy_o} = '0;
    assign {result, op, op_refused, op_slot, walks_o, row_access, pred, old_word, new_word} = '0;
  end

  // ---- rows of words, and the words of packets, which then go beside the core
  if (Array) begin : gen_array
    sluice_array_unit u_array (
      .clk_i, .rst_ni, .pipe_i, .settings_i,
      .valid_i, .array_i(packet_i.phv.array), .hit_i(side.hit), .array_o(left_array),
      .access_i(row_access), .pred_i(pred), .row_o(row),
      .write_i, .read_i, .answer_o(row_answer)
    );
  end else begin : gen_no_array
    assign left_array = left_phv.array;
    assign {row, row_answer} = '0;
  end

  // ---- a capsule goes beside the core, which knows nothing of it
  if (Active != 0) begin : gen_capsule
    carried_t   capsule;
    logic       dest_write, discard;
    logic [7:0] dest;
    sluice_capsule_unit #(.State(State)) u_capsule (
      .clk_i, .rst_ni, .stage_i, .pipe_i, .settings_i,
      .valid_i, .phv_i(packet_i.phv), .granted_i(grant_i.access),
      .pinned_i(grant_i.slot == slot_t'(PinnedSlot)),
      .capsule_o(capsule), .dest_write_o(dest_write), .dest_o(dest), .discard_o(discard),
      .access_o(capsule_access), .old_word_i(old_word), .new_word_i(new_word),
      .write_i, .read_i, .answer_o(capsule_answer)
    );
    always_comb begin
      packet_o.phv         = left_phv;
      packet_o.phv.array   = left_array;
      packet_o.phv.capsule = capsule;
      if (dest_write) packet_o.phv.meta.dest    = dest;
      if (discard)    packet_o.phv.meta.discard = 1'b1;
    end
  end else begin : gen_no_capsule
    always_comb begin
      packet_o.phv       = left_phv;
      packet_o.phv.array = left_array;
    end
    assign {capsule_access, capsule_answer} = '0;
  end

  assign answer_o = core_answer | state_answer | row_answer | capsule_answer;
  // An operation is reported in the cycle in which its packet leaves.
  assign event_o  = '{hit: side.found, state_op: op && !op_refused, refused: op && op_refused};
  assign probe_o  = '{valid: op, refused: op_refused, tag: packet_o.tag, slot: op_slot};
endmodule : sluice_back_unit
