// SPDX-License-Identifier: Apache-2.0

/// Which key a bank of the array match keeps, against a vote that is counted here: few keys and
/// many, now this one and now that one the most frequent, words that are served, writes of
/// ARRAY_MATCH and of other tables. What is kept and its result are compared in every cycle.
/// (What the bank finds is compared in tb_sluice_array_match.)
/// +seed=N +cycles=N +break=N (see file breaks).
// Entries and numbers have bits that nobody here looks at.
/* verilator lint_off UNUSEDSIGNAL */
module tb_sluice_array_bank
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_array_pkg::*;
;
  `include "bench.svh"
  `include "tables.svh"

  lane_settings_t settings;
  `include "sweep.svh"
  key_count_t                 push, pop;
  array_key_t  [KeyPorts-1:0] key, dut_key;
  logic [KeyFreeBits-1:0]     free;
  logic [DoneBits-1:0]        done;
  key_result_t [KeyPorts-1:0] results;
  logic                       kept, served;
  array_key_t                 kept_key, kept_key_q, seen_key;
  key_result_t                kept_result;
  table_write_t               dut_write;
  always_comb begin
    dut_key   = key;
    dut_write = write;
    if (mutant == 3) dut_write.which = TableArrayMatch;
    if (mutant == 4) dut_key[1].word[0] = 1'b0;
    seen_key = mutant == 5 ? kept_key_q : kept_key;
  end
  always_ff @(posedge clk) kept_key_q <= kept_key;
  sluice_array_bank u_dut (
    .clk_i(clk), .rst_ni(rst_n), .init_i(settings.init), .init_index_i(settings.init_index),
    .copy_i('0), .bank_i('0), .stale_i(mutant == 1),
    .push_i(push), .key_i(dut_key), .free_o(free), .done_o(done), .result_o(results), .pop_i(pop),
    .kept_o(kept), .kept_key_o(kept_key), .kept_result_o(kept_result),
    .served_i(served && mutant != 2), .write_i(dut_write), .read_i('0), .answer_o(answer)
  );

  // ---- the vote. A lookup ends in the cycle before its result is there.
  array_key_t  keys [$], hers;                   // of the lookups that have not ended, in order
  logic        holds = 1'b0;
  array_key_t  held;
  int          votes = 0, quiet = 0;             // quiet: cycles since a write, up to 2
  bit          held_before = 0;                  // a key was kept in the cycle before
  int          lookups = 0, counted = 0, changes = 0, kept_for = 0, most = 0;
  logic [DoneBits-1:0] done_before = '0;

  task automatic vote();
    logic looked, writes;
    held_before = holds;
    looked = done != done_before - DoneBits'(pop);
    writes = write.valid && write.which == TableArrayMatch;
    if (looked) begin
      if (keys.size() == 0) fail("a result without a key");
      hers = keys.pop_front();
      lookups++;
    end
    if (writes) begin
      holds = 1'b0;
      votes = 0;
    end else if ((served && holds) || (looked && holds && hers == held)) begin
      if (votes < 15) votes++;
    end else if (looked && votes > 0) begin
      votes--;
    end else if (looked && quiet == 2) begin
      holds = 1'b1;
      held  = hers;
      votes = 1;
      changes++;
    end
    quiet = writes ? 0 : quiet < 2 ? quiet + 1 : 2;
    if (served) counted++;
    if (votes > most) most = votes;
  endtask

  initial begin
    int hot, share, write_left;
    read_arguments(100_000);
    settings = '0;
    {push, pop, key, served, held, hers} = '0;
    release_reset(3);
    sweep(int'(ArrayEntries));
    hot = 0;
    share = 4;
    write_left = 0;
    while (now < int'(cycles)) begin
      // What comes in this cycle.
      if (rnd(300) == 0) {hot, share} = {rnd(4), rnd(9)};
      push = key_count_t'(rnd(3) == 0 ? rnd(KeyPorts + 1) : 0);
      if (32'(push) > 32'(free)) push = key_count_t'(free);
      for (int i = 0; i < int'(KeyPorts); i++) begin
        key[i] = '{vid: 8'd7, bank: 1'b0, word: 32'(rnd(8) < share ? hot : rnd(6))};
        if (rnd(16) == 0) key[i].vid  = 8'd8;
        if (rnd(16) == 0) key[i].bank = 1'b1;
      end
      for (int i = 0; i < int'(push); i++) keys.push_back(key[i]);
      pop    = key_count_t'(int'(done) < int'(KeyPorts) ? rnd(int'(done) + 1) : rnd(KeyPorts + 1));
      served = held_before && rnd(6) == 0;
      if (write_left > 0) write_left--;
      else begin
        // A table that is not written may be named all the same.
        write = '0;
        write.which = rnd(2) != 0 ? TableArrayMatch : TableArrayKeys;
        if (rnd(100) == 0) begin
          put_write(rnd(2) != 0 ? TableArrayMatch : TableArrayKeys, rnd(int'(ArrayEntries)),
                    EntryBits'($urandom));
          write_left = 1;
        end
      end
      done_before = done;
      tick();
      vote();
      if (kept != holds) fail($sformatf("kept %b, %0d votes", kept, votes));
      if (holds && seen_key != held) fail($sformatf("%h is kept, not %h", seen_key, held));
      if (kept) kept_for++;
      if (holds && kept_result != '0) fail("of a key that has no entry something is found");
    end
    if (cycles >= 50_000 && (lookups < 10_000 || counted < 1000 || changes < 500 || most < 15))
      fail($sformatf("little tested: %0d lookups, %0d served, %0d changes, %0d votes", lookups,
                     counted, changes, most));
    pass($sformatf("%0d lookups, %0d words served, another key is kept %0d times", lookups, counted,
                   changes));
  end
endmodule : tb_sluice_array_bank
/* verilator lint_on UNUSEDSIGNAL */
