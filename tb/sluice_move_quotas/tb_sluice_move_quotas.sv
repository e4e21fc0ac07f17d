// SPDX-License-Identifier: Apache-2.0

/// Test of sluice_move_quotas: modules get and lose entries at random, under quotas that change.
/// Checked in every cycle: a module that has its quota or more is full, one that has an entry has
/// some, at once after an entry; when nothing has changed for NumModules + 3 cycles, all four marks
/// are what the table says.
/// +seed=N, +cycles=N, +break=N (see the file `breaks`).
module tb_sluice_move_quotas;
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;

  localparam int Rows = int'(NumModules), Entries = int'(Relocations), Behind = Rows + 3;

  logic apply = 1'b0;
  `include "bench.svh"
  // ---- DUT; inputs move at a pulse of `apply`
  relocation_t [Relocations-1:0] entries, entries_dut = '0;
  logic [7:0]                    quota, quota_dut = '0;
  logic                          taken, taken_dut = 1'b0;
  row_t                          row, row_dut = '0;
  logic [NumModules-1:0]         full, near, over, some;
  sluice_move_quotas u_dut (
    .clk_i(clk), .rst_ni(rst_n), .quota_i(quota_dut), .table_i(entries_dut), .taken_i(taken_dut),
    .row_i(row_dut), .full_o(full), .near_o(near), .over_o(over), .some_o(some)
  );
  always_ff @(posedge apply) begin
    entries_dut <= entries;
    quota_dut   <= mutant == 1 && quota != '0 ? quota - 1'b1 : quota;
    taken_dut   <= taken && mutant != 2;
    row_dut     <= row;
    if (mutant == 3) entries_dut[0].valid <= 1'b0;
    if (mutant == 4) entries_dut[1].row   <= entries[1].row ^ row_t'(1);
  end

  int  has [Rows], same = 0, modules = 4, rate = 0, compared = 0, near_seen = 0, over_seen = 0,
      taken_seen = 0;
  // an entry was taken in the cycle before; the quota is told
  bit  told = 1'b0, calm = 1'b0;
  row_t told_row;

  initial begin
    read_arguments(60000);
    entries = '0;
    quota   = '0;
    taken   = 1'b0;
    row     = '0;
    for (int r = 0; r < Rows; r++) has[r] = 0;
    release_reset(2);
    if ({full, near, over, some} != '0) fail("marks before the first entry");
    while (now < int'(cycles)) begin
      // what must be right by now
      if (told && (!some[told_row] || full[told_row] != (quota != '0)))
        fail("a module that has just got an entry");
      for (int r = 0; r < Rows; r++) begin
        bit is_full;
        is_full = quota != '0 && has[r] >= int'(quota);
        if (same >= Behind) begin
          if (full[r] != is_full || some[r] != (has[r] != 0)
              || near[r] != (quota != '0 && 4 * has[r] >= 3 * int'(quota))
              || over[r] != (quota != '0 && has[r] > int'(quota)))
            fail($sformatf("module %0d has %0d of %0d entries: full %b near %b over %b some %b", r,
                has[r], quota,
                           full[r], near[r], over[r], some[r]));
          near_seen += int'(near[r] && !full[r]);
          over_seen += int'(over[r]);
          compared++;
        end
        // Never behind what was taken, if the quota has been told.
        if (same >= 0 && is_full && !full[r] && calm)
          fail($sformatf("module %0d may have more than its quota", r));
        if (has[r] != 0 && !some[r] && calm) fail($sformatf("module %0d has entries", r));
      end
      // what changes
      if (now % 300 == 0) begin
        quota   = rnd(4) == 0 ? 8'd0 : 8'(1 + rnd(20));
        modules = 1 + rnd(6);
        rate    = rnd(60);
        calm    = 1'b0;
        same    = -Behind;
      end
      if (now % 300 == Behind) calm = 1'b1;
      taken = 1'b0;
      row   = row_t'(rnd(modules) * 5);
      if (calm && now % 300 < 200 && rnd(100) < rate) begin
        int e;
        e = rnd(Entries);
        if (entries[e].valid) begin
          has[entries[e].row]--;
          entries[e].valid = 1'b0;
          if (same > 0) same = 0;
        end else if (!full[row]) begin
          taken = 1'b1;
          taken_seen++;
        end
      end
      #1 apply = 1'b1;
      #1 apply = 1'b0;
      tick();
      told     = taken;
      told_row = row;
      same++;
      // It is in the table from the next cycle on.
      if (taken) begin
        int e;
        e = rnd(Entries);
        while (entries[e].valid) e = (e + 1) % Entries;
        entries[e] = '{valid: 1'b1, away: 1'b1, row: row, default: '0};
        has[row]++;
        if (same > 0) same = 0;
      end
    end
    if (compared < 1000 || near_seen < 50 || over_seen < 50 || taken_seen < 500)
      fail($sformatf("the traffic was too tame: %0d, %0d, %0d, %0d", compared, near_seen, over_seen,
          taken_seen));
    pass($sformatf("%0d entries taken, %0d marks compared, %0d near, %0d over", taken_seen,
        compared, near_seen, over_seen));
  end
endmodule : tb_sluice_move_quotas
