// SPDX-License-Identifier: Apache-2.0

/// sluice_budget against buckets kept here: packets of few modules and of all, in up to every
/// cycle, with entries of every size, written all the time. Each answer must be that of the
/// buckets here. A bucket is filled when it has its turn (entry 0 in the third cycle behind the
/// sweep, an entry a cycle), with the packet of that cycle taken first.
/// +seed=N +cycles=N +break=N (see file breaks).
// Entries and numbers have bits that nobody here looks at.
/* verilator lint_off UNUSEDSIGNAL */
module tb_sluice_budget
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
;
  localparam int Entries = 1 << $bits(overlay_t);

  `include "bench.svh"
  `include "tables.svh"

  exit_settings_t settings, dut_settings;
  `include "sweep.svh"
  logic           want, dut_want, paid;
  overlay_t       row, dut_row;
  table_write_t   dut_write;
  assign answer = '0;

  always_comb begin
    dut_settings = settings;
    dut_want     = want;
    dut_row      = row;
    dut_write    = write;
    case (mutant)
      1: dut_settings.fault[FaultTokenFree] = 1'b1;
      2: if (row == 2) dut_row = 3;
      3: dut_write.data[EntryBits-9 -: 8] = write.data[EntryBits-9 -: 8] + 8'd1;
      4: dut_write.data[EntryBits-17 -: 16] = write.data[EntryBits-17 -: 16] + 16'd1;
      5: dut_want = 1'b1;
      default: ;
    endcase
  end

  sluice_budget u_dut (
    .clk_i(clk), .rst_ni(rst_n), .lane_i(pipe_t'(1)), .settings_i(dut_settings),
    .want_i(dut_want), .row_i(dut_row), .paid_o(paid), .write_i(dut_write), .read_i('0)
  );

  // ---- buckets, in 1/256 tokens
  recirculate_t entry [Entries], filling;        // filling: as it was read for this turn
  int           level [Entries];
  int           turn, taken = 0, refused = 0, beside = 0, full = 0;

  task automatic fill(int e);
    level[e] = level[e] + int'(filling.rate);
    if (level[e] > 256 * int'(filling.burst)) begin
      level[e] = 256 * int'(filling.burst);
      full++;
    end
  endtask

  task automatic check_packet();
    if (mutant == 6) fill(turn);
    if (paid != (level[row] >= 256))
      fail($sformatf("entry %0d: paid %b, it has %0d/256", row, paid, level[row]));
    if (want) begin
      if (paid) taken++;
      else      refused++;
      if (int'(row) == turn) beside++;
      if (paid) level[row] -= 256;
    end
    if (mutant != 6) fill(turn);
    turn    = (turn + 1) % Entries;
    filling = entry[turn];
  endtask

  // ---- writes: not near the turn of the entry, for it takes effect between two reads
  int   write_left = 0;
  task automatic next_write();
    recirculate_t r;
    int           e;
    if (write_left > 0) begin
      write_left--;
      entry[int'(write.header.index)] = write.data[EntryBits-1 -: RecirculateWidth];
      return;
    end
    write.valid = 1'b0;
    e = rnd(3) != 0 ? rnd(6) : rnd(Entries);
    if (rnd(100) != 0 || (e - turn + Entries + 1) % Entries < 8) return;
    // Few tokens, and levels that are whole ones or a little less: the edges of a bucket.
    r = '{rounds: 8'(rnd(256)), burst: 8'(rnd(4) == 0 ? rnd(256) : rnd(4)),
          rate: 16'(rnd(3) == 0 ? rnd(65536) : rnd(2) == 0 ? 255 - rnd(3) : rnd(2048))};
    put_write(TableRecirculate, e, {r, (EntryBits-RecirculateWidth)'(0)});
    write_left = 1;
  endtask

  initial begin
    int       busy;
    overlay_t burst_row;
    read_arguments(200_000);
    settings = '0;
    {want, row} = '0;
    foreach (entry[e]) begin
      entry[e] = '0;
      level[e] = 0;
    end
    release_reset(3);
    sweep(Entries);
    settings.ready = 1'b1;
    tick();                                      // entry 0 is read
    tick();                                      // it goes into its register
    turn      = 0;
    filling   = '0;
    busy      = 4;
    burst_row = '0;
    while (now < int'(cycles)) begin
      if (rnd(200) == 0) busy = rnd(9);
      if (rnd(20) == 0) burst_row = overlay_t'(rnd(6));
      row  = rnd(4) != 0 ? burst_row : overlay_t'(rnd(Entries));
      want = rnd(8) < busy;
      next_write();
      #1 check_packet();
      tick();
    end
    if (cycles >= 100_000 && (taken < 1000 || refused < 1000 || beside < 100 || full < 1000))
      fail($sformatf("little tested: %0d taken, %0d refused, %0d beside, %0d full", taken, refused,
                     beside, full));
    pass($sformatf("%0d tokens taken (%0d while they come), %0d packets without one", taken, beside,
                   refused));
  end
endmodule : tb_sluice_budget
/* verilator lint_on UNUSEDSIGNAL */
