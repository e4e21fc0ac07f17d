// SPDX-License-Identifier: Apache-2.0

/// Match-action unit of one lane of a front stage: the core and the hash unit beside it, which
/// begins with the item. A hash takes HashCycles: the core begins FrontLead cycles later when it is
/// faster than that, else the hash waits HashWait cycles (sluice_stage_pkg). So it is also where
/// hashes are 0 (HashUnits = 0).
/// An item leaves exactly FrontCycles after it came; one a cycle, nothing ever stalls.
/// Items that were dropped pass unchanged, so that the order of arrivals stays complete.
module sluice_front_unit
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_stage_pkg::*;
(
  input  logic            clk_i,
  input  logic            rst_ni,
  input  pipe_t           pipe_i,        // lane
  input  stage_settings_t settings_i,
  input  item_t           item_i,
  output item_t           item_o,
  input  table_write_t    write_i,       // taken at once
  input  table_read_t     read_i,
  output word_answer_t    answer_o       // after 1 cycle; all zero when not asked
);
  side_t                 side;
  result_t               result;
  word_answer_t          core_answer, hash_answer;
  logic [ReasonBits-1:0] reason;

  sluice_match_action #(.Lead(FrontLead), .AlongBits(ReasonBits)) u_core (
    .clk_i, .rst_ni, .pipe_i, .settings_i,
    .valid_i(item_i.valid), .active_i(item_i.reason == DropNone), .phv_i(item_i.phv),
    .along_i(item_i.reason),
    .valid_o(item_o.valid), .phv_o(item_o.phv), .along_o(reason),
    .side_o(side), .result_i(result),
    .write_i, .read_i, .answer_o(core_answer)
  );
  assign item_o.reason = drop_e'(reason);

  sluice_hash_unit u_hash (
    .clk_i, .rst_ni, .pipe_i, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .side_i(side), .result_o(result),
    .write_i, .read_i, .answer_o(hash_answer)
  );

  assign answer_o = core_answer | hash_answer;
endmodule : sluice_front_unit
