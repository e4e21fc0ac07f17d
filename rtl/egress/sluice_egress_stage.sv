// SPDX-License-Identifier: Apache-2.0

/// One egress stage of one output lane: the match-action core, and a state unit beside it. A copy
/// leaves CoreCycles after it came; one a cycle, nothing ever stalls.
/// Its entries are the lane's own, and its operations come in the order of the copies. There are no
/// phantoms here: the state unit finds in ACCESS whether there is an access, and the index at the
/// stage, as that of a pinned one (sluice_state_unit, Egress).
module sluice_egress_stage
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_stage_pkg::*;
(
  input  logic            clk_i,
  input  logic            rst_ni,
  input  pipe_t           lane_i,
  input  stage_settings_t settings_i,
  // copies
  input  logic            valid_i,
  input  phv_t            phv_i,
  output logic            valid_o,
  output phv_t            phv_o,
  output logic            hold_o,          // no copy may leave the queues
  // control: the units of all lanes see all messages
  input  table_write_t    write_i,
  output table_ready_t    write_ready_o,   // the stage ANDs `ready` and ORs `refused`
  input  table_read_t     read_i,
  output word_answer_t    answer_o,        // the stage ORs them
  output logic            read_busy_o,     // the stage ORs them ...
  input  logic            read_busy_i,     // ... and tells all
  output logic            fill_busy_o
);
  side_t        side;
  result_t      result;
  word_answer_t core_answer, state_answer;

  sluice_match_action #(.Capsule(1'b0), .Array(1'b0)) u_core (
    .clk_i, .rst_ni, .pipe_i(lane_i), .settings_i,
    .valid_i, .active_i(1'b1), .phv_i, .along_i(1'b0),
    .valid_o, .phv_o, .along_o(),
    .side_o(side), .result_i(result),
    .write_i, .read_i, .answer_o(core_answer)
  );

  sluice_state_unit #(.Egress(1'b1)) u_state (
    .clk_i, .rst_ni, .pipe_i(lane_i), .settings_i,
    .grant_i('0), .value_i('0), .side_i(side), .result_o(result),
    .capsule_i('0), .old_word_o(), .new_word_o(),
    .moved_o(), .tag_i('0), .cut_i('0), .walks_o(),
    .row_access_o(), .row_i('0), .pred_o(), .row_read_o(),
    .op_o(), .op_refused_o(), .op_slot_o(),
    .write_i, .write_ready_o, .read_i, .ask_o(), .marked_i(1'b0),
    .answer_o(state_answer), .read_busy_o, .read_busy_i, .hold_o, .fill_busy_o
  );
  assign answer_o = core_answer | state_answer;
endmodule : sluice_egress_stage
