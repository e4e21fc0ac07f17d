// SPDX-License-Identifier: Apache-2.0

/// Match-action unit of one lane of a front stage: the core and the hash unit beside it. A hash takes
/// two cycles longer than the core gives it, so the core takes the item two cycles later, also
/// where there is no hash unit (HashUnits = 0: entries of HASH_INSTR keep nothing, a hash is 0).
/// An item leaves exactly 8 cycles after it came (FrontCycles); one a cycle, nothing ever stalls.
/// Items that were dropped pass unchanged, so that the order of arrivals stays complete.
module sluice_front_unit
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_layout_pkg::*;
(
  input  logic          clk_i,
  input  logic          rst_ni,
  input  pipe_t         pipe_i,        // lane
  input  settings_t     settings_i,
  input  item_t         item_i,
  output item_t         item_o,
  input  table_write_t  write_i,       // taken at once
  input  table_read_t   read_i,
  output word_answer_t  answer_o       // after 1 cycle; all zero when not asked
);
  localparam int unsigned MatchBits = index_bits(MatchEntries);

  // ---- from the hash unit's first cycle (0) to the core's (2)
  logic [2:0] valid;
  drop_e      reason [3];
  phv_t       phv    [3];
  assign valid[0]  = item_i.valid;
  assign reason[0] = item_i.reason;
  assign phv[0]    = item_i.phv;
  for (genvar n = 0; n < 2; n++) begin : gen_wait
    logic  valid_q;
    drop_e reason_q;
    phv_t  phv_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= 1'b0;
      else         valid_q <= valid[n];
    end
    always_ff @(posedge clk_i) begin
      if (valid[n]) begin
        reason_q <= reason[n];
        phv_q    <= phv[n];
      end
    end
    assign valid[n+1]  = valid_q;
    assign reason[n+1] = reason_q;
    assign phv[n+1]    = phv_q;
  end

  logic [31:0]   hash;
  word_answer_t  core_answer, hash_answer;
  logic [ReasonBits-1:0] side;

  // A front stage holds no state: nothing to tell a state unit.
  logic                 unused_c1_valid, unused_c2_hit, unused_c3_hit;
  logic [MatchBits-1:0] unused_match_row;
  overlay_t             unused_row;
  containers_t          unused_c2_cont, unused_c3_cont;
  instr_t               unused_slot16;

  sluice_match_action #(.SideBits($bits(side))) u_core (
    .clk_i, .rst_ni, .pipe_i, .settings_i,
    .valid_i(valid[2]), .active_i(reason[2] == DropNone), .phv_i(phv[2]), .side_i(reason[2]),
    .valid_o(item_o.valid), .phv_o(item_o.phv), .side_o(side),
    .c1_valid_o(unused_c1_valid), .c1_row_o(unused_row), .c2_cont_o(unused_c2_cont),
    .c2_hit_o(unused_c2_hit), .c2_match_row_o(unused_match_row),
    .c3_hit_o(unused_c3_hit), .c3_cont_o(unused_c3_cont), .c3_slot16_o(unused_slot16),
    .c6_ext_i({224'd0, hash}), .c6_slot16_write_i(1'b0), .c6_slot16_i('0),
    .write_i, .read_i, .answer_o(core_answer)
  );
  assign item_o.reason = drop_e'(side);

  if (HashUnits != 0) begin : gen_hash
    sluice_hash_unit u_hash (
      .clk_i, .rst_ni, .pipe_i, .settings_i,
      .c0_valid_i(valid[0] && reason[0] == DropNone), .c0_row_i(phv[0].meta.overlay),
      .c1_cont_i(phv[1].cont), .c8_result_o(hash),
      .write_i, .read_i, .answer_o(hash_answer)
    );
  end else begin : gen_no_hash
    hash_instr_t unused_instr;           // the table keeps nothing: there is none
    sluice_config_table #(.Which(TableHashInstr)) u_instr (
      .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index), .copy_i(pipe_i),
      .re_i(1'b0), .row_i('0), .entry_o(unused_instr), .write_i, .read_i, .answer_o(hash_answer)
    );
    assign hash = '0;
  end

  assign answer_o = core_answer | hash_answer;
endmodule : sluice_front_unit
