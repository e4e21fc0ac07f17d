// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// The match engines of one unit: exact rows always, a ternary and a cuckoo engine in chips with
/// such entries, and the module's default action. All look for the same key; the
/// first of them that matches, in this order, says which row of ACTION is done, and brings the data
/// words (docs/machine.md, Match engines).
///   LookupCycle   the key
///   HitCycle - 1  DEFAULT_ACTION is read, at the overlay row of the packet that comes (ahead_i)
///   HitCycle      hit_o: each engine answers here; MATCH_DATA is read at the exact row; the
///                 counters of the entry that has won count (sluice_entry_counts), if there are any
///   ActionCycle   data_o, of the one that has won
/// One packet a cycle, the same time for all of them. What the chip does not have is not there:
/// with exact rows alone hit_o is what that engine says. Tables without memory of their own read 0.
/// Reset: no lookup is under way.
module sluice_match_engines
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_stage_pkg::*;
(
  input  logic            clk_i,
  input  logic            rst_ni,
  input  pipe_t           pipe_i,
  input  stage_settings_t settings_i,
  // packets
  input  lookup_t         lookup_i,
  input  logic            ahead_i,        // a packet is in HitCycle - 1 ...
  input  overlay_t        ahead_row_i,    // ... and this is its overlay row
  input  len_t            len_i,          // HitCycle: length of the packet, for the counters
  output hit_t            hit_o,          // all zero without an action
  output logic            by_default_o,   // it is the default action
  output data_t           data_o,
  // control: see sluice_config_table
  input  table_write_t    write_i,
  input  table_read_t     read_i,
  output word_answer_t    answer_o
);
  hit_t         exact_hit, ternary_hit, cuckoo_hit;
  logic [index_bits(TernaryEntries)-1:0] ternary_entry;
  logic [index_bits(CuckooEntries)-1:0]  cuckoo_entry;
  data_t        ternary_data, cuckoo_data;
  word_answer_t match_answer, ternary_answer, cuckoo_answer, default_answer, data_answer,
                count_answer;
  assign answer_o = match_answer | ternary_answer | cuckoo_answer | default_answer | data_answer
                  | count_answer;

  // ---- exact rows; the entries of MATCH are the engine's
  logic       match_write, match_read;
  match_t     match_readback;
  match_row_t match_row;
  assign match_write = write_i.valid && write_i.which == TableMatch;
  assign match_row   = match_row_t'(match_write ? write_i.header.index : read_i.header.index);
  sluice_match u_match (
    .clk_i, .rst_ni, .lookup_i, .hit_o(exact_hit),
    .write_i(match_write && write_i.header.op == ChainWrite),
    .erase_i(match_write && write_i.header.op == ChainErase),
    .read_i(match_read), .index_i(match_row),
    .wdata_i(write_i.data[EntryBits-1 -: MatchWidth] & {{(MatchWidth-KeyWidth){1'b1}}, KeyKept}),
    .rdata_o(match_readback)
  );
  sluice_table_answer #(.Which(TableMatch)) u_match_answer (
    .clk_i, .rst_ni, .copy_i(pipe_i), .read_i, .asked_o(match_read), .entry_i(match_readback),
    .answer_o(match_answer)
  );

  match_data_t exact_data;
  sluice_config_table #(.Which(TableMatchData)) u_match_data (
    .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .copy_i(pipe_i),
    .re_i(exact_hit.valid), .row_i(match_row_t'(exact_hit.row)), .entry_o(exact_data),
    .write_i, .read_i, .answer_o(data_answer)
  );

  // ---- ternary and cuckoo engine
  sluice_match_ternary u_ternary (
    .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .copy_i(pipe_i), .lookup_i, .hit_o(ternary_hit), .entry_o(ternary_entry),
    .data_o(ternary_data),
    .write_i, .read_i, .answer_o(ternary_answer)
  );
  sluice_match_cuckoo u_cuckoo (
    .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .copy_i(pipe_i), .lookup_i, .hit_o(cuckoo_hit), .entry_o(cuckoo_entry),
    .data_o(cuckoo_data),
    .write_i, .read_i, .answer_o(cuckoo_answer)
  );

  // ---- default action: of packets that were looked up
  logic            looked;             // the packet in HitCycle was
  default_action_t default_action;
  if (MatchCycles == 1) begin : gen_looks
    assign looked = lookup_i.valid;
  end else begin : gen_looked
    logic [MatchCycles-1:1] looked_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) looked_q <= '0;
      else         looked_q <= (MatchCycles-1)'({looked_q, lookup_i.valid});
    end
    assign looked = looked_q[MatchCycles-1];
  end
  sluice_config_table #(.Which(TableDefaultAction)) u_default (
    .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .copy_i(pipe_i),
    .re_i(ahead_i), .row_i(ahead_row_i), .entry_o(default_action),
    .write_i, .read_i, .answer_o(default_answer)
  );

  // ---- the first that matches
  logic by_exact, by_ternary, by_cuckoo;
  assign by_exact     = exact_hit.valid;
  assign by_ternary   = ternary_hit.valid && !by_exact;
  assign by_cuckoo    = cuckoo_hit.valid && !by_exact && !ternary_hit.valid;
  assign by_default_o = looked && default_action.valid && !by_exact && !ternary_hit.valid
                     && !cuckoo_hit.valid;
  always_comb begin
    hit_o = exact_hit;
    if (by_ternary)   hit_o = ternary_hit;
    if (by_cuckoo)    hit_o = cuckoo_hit;
    if (by_default_o) hit_o = '{valid: 1'b1, row: action_row_t'(default_action.action)};
  end

  // ---- its data words
  logic  exact_q, ternary_q, cuckoo_q;
  data_t default_q;
  always_ff @(posedge clk_i) begin
    {exact_q, ternary_q, cuckoo_q} <= {by_exact, by_ternary, by_cuckoo};
    if (by_default_o) default_q <= default_action.data;
  end
  always_comb begin
    data_o = default_q;
    if (exact_q)         data_o = exact_data.data;
    if (ternary_q)       data_o = ternary_data;
    if (cuckoo_q)        data_o = cuckoo_data;
    if (ActionData == 0) data_o = '0;
  end

  // ---- counters of the entry that has won
  word_answer_t exact_count, ternary_count, cuckoo_count;
  logic         lose;
  assign lose         = settings_i.fault[FaultCountLost];
  assign count_answer = exact_count | ternary_count | cuckoo_count;
  sluice_entry_counts #(.Which(32'(TableMatchCount))) u_exact_count (
    .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .copy_i(pipe_i), .lose_i(lose),
    .hit_i(by_exact), .entry_i(match_row_t'(exact_hit.row)), .len_i,
    .write_i, .read_i, .answer_o(exact_count)
  );
  sluice_entry_counts #(.Which(32'(TableTernaryCount))) u_ternary_count (
    .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .copy_i(pipe_i), .lose_i(lose),
    .hit_i(by_ternary), .entry_i(ternary_entry), .len_i,
    .write_i, .read_i, .answer_o(ternary_count)
  );
  sluice_entry_counts #(.Which(32'(TableCuckooCount))) u_cuckoo_count (
    .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .copy_i(pipe_i), .lose_i(lose),
    .hit_i(by_cuckoo), .entry_i(cuckoo_entry), .len_i,
    .write_i, .read_i, .answer_o(cuckoo_count)
  );

  `SLUICE_ASSERT(HitInTime_A, looked || !(exact_hit.valid || ternary_hit.valid || cuckoo_hit.valid))
  `SLUICE_ASSERT(OneWins_A, $onehot0({by_exact, by_ternary, by_cuckoo, by_default_o}))
`ifdef SLUICE_SIM
  // Not $past: its values have the instance's full name (tb/sluice/shared_modules).
  logic was_ahead_q;
  always_ff @(posedge clk_i) was_ahead_q <= ahead_i;
  `SLUICE_ASSERT(SaidBefore_A, !looked || was_ahead_q)
`endif
endmodule : sluice_match_engines
