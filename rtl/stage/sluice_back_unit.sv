// SPDX-License-Identifier: Apache-2.0

/// Match-action unit of one pipeline of a back stage: the core and, in stages with state, the state
/// unit beside it. A packet leaves exactly 6 cycles after it came; one a cycle, nothing ever stalls.
/// State operations happen in the order in which packets come; without a state unit they do nothing,
/// and their results are 0.
module sluice_back_unit
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_layout_pkg::*;
#(
  parameter bit State = 1'b1             // there is a state unit
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  pipe_t         pipe_i,
  input  settings_t     settings_i,
  // packets
  input  logic          valid_i,
  input  packet_t       packet_i,
  input  logic          granted_i,       // issued from the order queue: it has a resolved access
  input  slot_t         slot_i,          // its resolution, or the slot of a move
  input  logic          move_read_i,     // the read of a move
  input  move_id_t      move_id_i,
  output moved_t        moved_o,         // 6 cycles later
  input  logic          land_i,          // the write of a move
  input  state_entry_t  land_value_i,    // 5 cycles later
  output logic          valid_o,
  output packet_t       packet_o,
  output logic          hold_o,          // issue nothing in this cycle
  // control: all units of a column see all messages
  input  table_write_t  write_i,
  output table_ready_t  write_ready_o,   // the column ANDs `ready` and ORs `refused`
  input  table_read_t   read_i,
  output word_answer_t  answer_o,        // the column ORs them
  output logic          read_busy_o,     // the column ORs them ...
  input  logic          read_busy_i,     // ... and tells all
  // events: one pulse each
  output logic          hit_o,
  output logic          state_op_o,
  output logic          refused_o,
  output logic          fill_busy_o,
  output probe_state_t  probe_o
);
  localparam int unsigned MatchBits = index_bits(MatchEntries);

  logic                 c1_valid, c2_hit, c3_hit, slot16_write, op, op_refused;
  logic [MatchBits-1:0] c2_match_row;
  overlay_t             c1_row;
  containers_t          c2_cont, c3_cont;
  instr_t               c3_slot16;
  logic [7:0][31:0]     ext;
  logic [31:0]          slot16;
  slot_t                op_slot;
  word_answer_t         core_answer, state_answer;

  sluice_match_action #(.SideBits(TagBits + $bits(packet_i.route))) u_core (
    .clk_i, .rst_ni, .pipe_i, .settings_i,
    .valid_i, .active_i(1'b1), .phv_i(packet_i.phv), .side_i({packet_i.tag, packet_i.route}),
    .valid_o, .phv_o(packet_o.phv), .side_o({packet_o.tag, packet_o.route}),
    .c1_valid_o(c1_valid), .c1_row_o(c1_row), .c2_cont_o(c2_cont),
    .c2_hit_o(c2_hit), .c2_match_row_o(c2_match_row),
    .c3_hit_o(c3_hit), .c3_cont_o(c3_cont), .c3_slot16_o(c3_slot16),
    .c6_ext_i(ext), .c6_slot16_write_i(slot16_write), .c6_slot16_i(slot16),
    .write_i, .read_i, .answer_o(core_answer)
  );

  if (State) begin : gen_state
    sluice_state_unit u_state (
      .clk_i, .rst_ni, .pipe_i, .settings_i,
      .c0_granted_i(granted_i), .c0_slot_i(slot_i),
      .c0_read_i(move_read_i), .c0_read_id_i(move_id_i), .c6_moved_o(moved_o),
      .c0_land_i(land_i), .c5_land_value_i(land_value_i),
      .c1_valid_i(c1_valid), .c1_row_i(c1_row), .c2_cont_i(c2_cont),
      .c2_hit_i(c2_hit), .c2_match_row_i(c2_match_row),
      .c3_hit_i(c3_hit), .c3_cont_i(c3_cont), .c3_slot16_i(c3_slot16),
      .c6_ext_o(ext), .c6_slot16_write_o(slot16_write), .c6_slot16_o(slot16),
      .op_o(op), .op_refused_o(op_refused), .op_slot_o(op_slot),
      .write_i, .write_ready_o, .read_i, .answer_o(state_answer),
      .read_busy_o, .read_busy_i, .hold_o, .fill_busy_o
    );
  end else begin : gen_no_state
    assign moved_o         = '0;
    assign ext             = '0;
    assign slot16_write    = 1'b0;
    assign slot16          = '0;
    assign op              = 1'b0;
    assign op_refused      = 1'b0;
    assign op_slot         = '0;
    assign write_ready_o   = '{ready: 1'b1, refused: 1'b0};
    assign state_answer    = '0;
    assign read_busy_o     = 1'b0;
    assign hold_o          = 1'b0;
    assign fill_busy_o     = 1'b0;
    logic unused_inputs;
    assign unused_inputs = ^{granted_i, slot_i, move_read_i, move_id_i, land_i, land_value_i, read_busy_i,
                             c1_valid, c1_row, c2_cont, c2_hit, c2_match_row, c3_cont, c3_slot16};
  end

  assign answer_o   = core_answer | state_answer;
  assign hit_o      = c3_hit;
  assign state_op_o = op && !op_refused;
  assign refused_o  = op && op_refused;
  // An operation is reported in the cycle in which its packet leaves.
  assign probe_o    = '{valid: op, refused: op_refused, tag: packet_o.tag, slot: op_slot};
endmodule : sluice_back_unit
