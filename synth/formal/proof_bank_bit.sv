// SPDX-License-Identifier: Apache-2.0

/// Proof: a packet's bank is one. Every table of a stage that has a row for each module and bank is
/// read at {bank, row} as the packet was stamped, and entries that are not for a bank are asked for
/// that bank; and with that stamp the packet leaves.
///
/// A front stage, and behind it the core and the state unit of a back stage: what is between them in
/// the chip waits and sorts, and changes no stamp (sluice_order_send does in a guarded flip, which is
/// not proven here). Free: packets, a cycle each or none, with any stamps; CHIP.BANK in every cycle;
/// all tables, since none is looked into. The harness keeps stamps by the cycle in which a packet
/// came: stamp_q[n] is that of the packet that came n cycles ago. Shown is at each table's port that
/// its row is the stamp of the packet whose turn it is, however CHIP.BANK changes meanwhile.
/// Assertions inside the modules are not part of it.
/// BREAK: 1 KEY_MASK is read in the bank of the packet before (FaultBankLate), 2 SEGMENT and ACCESS
/// are read in the bank that CHIP.BANK names, 3 between the stages packets take that bank, 4 the
/// engines of the back stage are asked for it.
`ifndef BREAK
`define BREAK 0
`endif
module proof_bank_bit
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_stage_pkg::*;
(
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic [NumModules-1:0] bank_i,          // CHIP.BANK
  input logic                  valid_i,
  input logic                  active_i,
  input phv_t                  phv_i
);
  localparam int unsigned Begin = FrontLead;    // the front core begins
  localparam int unsigned Back  = FrontCycles;  // the back core does
  localparam int unsigned Out   = FrontCycles + CoreCycles;

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);

  // ---- stamps
  logic     come     [0:Out];
  overlay_t stamp    [0:Out];
  logic     come_q   [1:Out];
  overlay_t stamp_q  [1:Out];
  always_comb begin
    come[0]  = valid_i;
    stamp[0] = phv_i.meta.overlay;
    for (int unsigned n = 1; n <= Out; n++) begin
      come[n]  = come_q[n];
      stamp[n] = stamp_q[n];
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) for (int unsigned n = 1; n <= Out; n++) come_q[n] <= 1'b0;
    else         for (int unsigned n = 1; n <= Out; n++) come_q[n] <= come[n-1];
  end
  always_ff @(posedge clk_i) for (int unsigned n = 1; n <= Out; n++) stamp_q[n] <= stamp[n-1];

  // ---- front, back
  stage_settings_t settings;
  logic         front_valid, back_valid, unused_along, unused_back_along;
  phv_t         front_phv, back_phv, left_phv;
  side_t        unused_side, side, side_back;
  result_t      result;
  word_answer_t unused_front, unused_back;
  always_comb begin
    settings                      = '0;
    settings.fault[FaultBankLate] = `BREAK == 1;
  end
  sluice_match_action #(.Lead(FrontLead)) u_front (
    .clk_i, .rst_ni, .pipe_i('0), .settings_i(settings),
    .valid_i, .active_i, .phv_i, .along_i(1'b0),
    .valid_o(front_valid), .phv_o(front_phv), .along_o(unused_along),
    .side_o(unused_side), .result_i('0), .write_i('0), .read_i('0), .answer_o(unused_front)
  );
  function automatic overlay_t now(overlay_t stamped);  // the row in the bank that CHIP.BANK names
    return overlay_t'({bank_i[row_t'(stamped)], row_t'(stamped)});
  endfunction
  always_comb begin
    back_phv = front_phv;
    if (`BREAK == 3) back_phv.meta.overlay = now(front_phv.meta.overlay);
  end
  sluice_match_action u_back (
    .clk_i, .rst_ni, .pipe_i('0), .settings_i(settings),
    .valid_i(front_valid), .active_i(1'b1), .phv_i(back_phv), .along_i(1'b0),
    .valid_o(back_valid), .phv_o(left_phv), .along_o(unused_back_along),
    .side_o(side), .result_i(result), .write_i('0), .read_i('0), .answer_o(unused_back)
  );
  always_comb begin
    side_back = side;
    if (`BREAK == 2) side_back.ahead_row = now(side.ahead_row);
  end
  word_answer_t  unused_state;
  table_ready_t  unused_ready;
  moved_t        unused_moved;
  mark_request_t unused_ask;
  row_access_t   unused_access;
  row_read_t     unused_read;
  slot_t         unused_slot;
  logic [31:0]   unused_old, unused_new;
  logic [3:0]    unused_pred;
  logic          unused_walks, unused_op, unused_refused, unused_busy, unused_hold, unused_fill;
  sluice_state_unit u_state (
    .clk_i, .rst_ni, .pipe_i('0), .settings_i(settings),
    .grant_i('0), .value_i('0), .side_i(side_back), .result_o(result),
    .capsule_i('0), .old_word_o(unused_old), .new_word_o(unused_new),
    .moved_o(unused_moved), .tag_i('0), .cut_i('0),
    .walks_o(unused_walks), .row_access_o(unused_access), .row_i('0), .pred_o(unused_pred),
    .row_read_o(unused_read), .op_o(unused_op), .op_refused_o(unused_refused),
    .op_slot_o(unused_slot), .write_i('0), .write_ready_o(unused_ready), .read_i('0),
    .ask_o(unused_ask), .marked_i(1'b0), .answer_o(unused_state), .read_busy_o(unused_busy),
    .read_busy_i(1'b0), .hold_o(unused_hold), .fill_busy_o(unused_fill)
  );

  // ---- each table, in its cycle: a read is of the packet whose turn it is, in its bank
  lookup_t asked_front, asked_back;
  assign asked_front = u_front.lookup;
  always_comb begin
    asked_back = u_back.lookup;
    if (`BREAK == 4) asked_back.bank = bank_i[row_t'(asked_back.vid)];
  end
  always_comb if (rst_ni) begin
    FrontKeyExtract_A : assert (!u_front.u_extract.re_i
        || (come[Begin] && u_front.u_extract.row_i == stamp[Begin]));
    FrontKeyCompare_A : assert (!u_front.u_wide.gen_compare.u_entry.re_i
        || (come[Begin] && u_front.u_wide.gen_compare.u_entry.row_i == stamp[Begin]));
    FrontKeyMask_A    : assert (!u_front.u_mask.re_i
        || (come[Begin] && u_front.u_mask.row_i == stamp[Begin]));
    FrontLookup_A     : assert (!asked_front.valid || (come[Begin+LookupCycle]
        && overlay_t'({asked_front.bank, row_t'(asked_front.vid)}) == stamp[Begin+LookupCycle]));
    FrontDefault_A    : assert (!u_front.u_engines.u_default.re_i || (come[Begin+HitCycle-1]
        && u_front.u_engines.u_default.row_i == stamp[Begin+HitCycle-1]));
    FrontOut_A        : assert (!front_valid
        || (come[Back] && front_phv.meta.overlay == stamp[Back]));
    BackKeyExtract_A  : assert (!u_back.u_extract.re_i
        || (come[Back] && u_back.u_extract.row_i == stamp[Back]));
    BackKeyCompare_A  : assert (!u_back.u_wide.gen_compare.u_entry.re_i
        || (come[Back] && u_back.u_wide.gen_compare.u_entry.row_i == stamp[Back]));
    BackKeyMask_A     : assert (!u_back.u_mask.re_i
        || (come[Back] && u_back.u_mask.row_i == stamp[Back]));
    BackLookup_A      : assert (!asked_back.valid || (come[Back+LookupCycle]
        && overlay_t'({asked_back.bank, row_t'(asked_back.vid)}) == stamp[Back+LookupCycle]));
    BackDefault_A     : assert (!u_back.u_engines.u_default.re_i || (come[Back+HitCycle-1]
        && u_back.u_engines.u_default.row_i == stamp[Back+HitCycle-1]));
    Segment_A         : assert (!u_state.u_operation.u_tables.u_segment.re_i || (come[Back+StateLookupCycle]
        && u_state.u_operation.u_tables.u_segment.row_i == stamp[Back+StateLookupCycle]));
    Access_A          : assert (!u_state.u_operation.u_tables.u_access.re_i || (come[Back+StateLookupCycle]
        && u_state.u_operation.u_tables.u_access.row_i == stamp[Back+StateLookupCycle]));
    BackOut_A         : assert (!back_valid
        || (come[Out] && left_phv.meta.overlay == stamp[Out]));
  end

  // ---- helpers: what the cores keep of a packet
  for (genvar n = 1; n <= MergeCycle; n++) begin : gen_core
    always_comb if (rst_ni) begin
      assert (u_front.valid_q[n] == come[Begin+n]);
      assert (!come[Begin+n] || u_front.gen_phv[n].phv_q.meta.overlay == stamp[Begin+n]);
      assert (u_back.valid_q[n] == come[Back+n]);
      assert (!come[Back+n] || u_back.gen_phv[n].phv_q.meta.overlay == stamp[Back+n]);
    end
  end
  for (genvar n = 1; n <= FrontLead; n++) begin : gen_lead
    always_comb if (rst_ni) begin
      assert (u_front.u_lead.gen_wait.valid_q[n] == come[n]);
      assert (!come[n]
          || u_front.u_lead.gen_wait.gen_cycle[n].phv_q.meta.overlay == stamp[n]);
    end
  end
  always_comb if (rst_ni) begin
    assert (u_front.valid_q[CoreCycles] == come[Back] && u_back.valid_q[CoreCycles] == come[Out]);
    assert (!come[Back] || u_front.meta_q.overlay == stamp[Back]);
    assert (!come[Out] || u_back.meta_q.overlay == stamp[Out]);
  end

  // ---- reached: two packets of a module in both banks, one behind the other, are in the back stage
  // while CHIP.BANK says the older one's again
  always_comb begin
    Both_C : cover (rst_ni && come[Back+1] && come[Back+2] && stamp[Back+1] != stamp[Back+2]
                    && row_t'(stamp[Back+1]) == row_t'(stamp[Back+2])
                    && now(stamp[Back+1]) == stamp[Back+2] && u_state.u_operation.u_tables.u_access.re_i);
  end
endmodule : proof_bank_bit
