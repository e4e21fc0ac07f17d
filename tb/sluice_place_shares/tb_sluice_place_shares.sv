// SPDX-License-Identifier: Apache-2.0

/// Test of the shares of a lane's places against counts by module: packets come and go, for a while of few modules and for a while of
/// all; who may take a place is what the counts of two cycles before say, exactly. A module alone gets half of the lane, a second
/// one half of the rest.
/// Plusargs: +seed=N, +cycles=N, +break=N (see the file breaks).
module tb_sluice_place_shares
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
;
  localparam int M = int'(NumModules), Places = int'(LaneDepth);
  `include "bench.svh"

  typedef struct packed {
    logic taken, freed;
    row_t taken_row, freed_row;
  } event_t;
  event_t e, earlier, dut_e;
  logic [NumModules-1:0] full, dut_full, now_full;
  always_comb begin
    dut_e = mutant == 5 ? earlier : e;
    case (mutant)
      1: dut_e.taken_row = '0;
      2: dut_e.freed_row = e.freed_row ^ row_t'(1);
      3: if (e.freed_row == row_t'(3)) dut_e.freed = 1'b0;
      default: ;
    endcase
    // Module 0 may always take one.
    dut_full = mutant == 4 ? full & ~NumModules'(1) : full;
  end
  sluice_place_shares #(.Modules(NumModules), .Places(LaneDepth)) dut (
    .clk_i(clk), .rst_ni(rst_n), .taken_i(dut_e.taken), .taken_row_i(dut_e.taken_row),
    .freed_i(dut_e.freed), .freed_row_i(dut_e.freed_row), .full_o(full)
  );

  // ---- counts, with the events of the cycle before last: what the DUT knows now
  int held [M], used = 0;
  task automatic cycle();
    tick();
    if (dut_full != now_full) fail($sformatf("full %x, should be %x", dut_full, now_full));
    if (e.taken) begin held[int'(e.taken_row)]++; used++; end
    if (e.freed) begin held[int'(e.freed_row)]--; used--; end
    for (int r = 0; r < M; r++) now_full[r] = held[r] >= Places - used;
    earlier = e;
    e = '0;
  endtask

  initial begin
    int high = 0;
    read_arguments(60000);
    {e, earlier, now_full} = '0;
    for (int r = 0; r < M; r++) held[r] = 0;
    release_reset(3);
    for (int n = 0; n < int'(cycles); n++) begin
      automatic int modules = (n / 3000) % 3 == 0 ? 1 : (n / 3000) % 3 == 1 ? 3 : M;
      automatic int row = (n / 3000) % M, busy = (n / 1500) % 2 == 0 ? 6 : 2;
      e.taken_row = row_t'(row + rnd(modules));
      e.freed_row = row_t'(rnd(3) == 0 ? rnd(M) : row + rnd(modules));
      e.taken = rnd(8) < busy && !dut_full[e.taken_row] && used < Places;
      e.freed = rnd(8) < (busy == 6 ? 2 : 7) && held[int'(e.freed_row)] > 0;
      cycle();
      if (held[row] > high) high = held[row];
    end
    if (high < Places / 2) fail($sformatf("a module never had more than %0d places", high));
    while (used != 0) begin
      for (int r = 0; r < M; r++) if (held[r] > 0) begin e.freed = 1'b1; e.freed_row = row_t'(r); end
      cycle();
    end
    repeat (3) cycle();
    for (int r = 5; r < 7; r++) begin
      for (int n = 0; n < 3 * Places; n++) begin
        e.taken_row = row_t'(r);
        e.taken     = !dut_full[r];
        cycle();
      end
      // two cycles late: up to two more
      if (held[r] < (Places >> (r - 4)) - 1 || held[r] > (Places >> (r - 4)) + 2) fail($sformatf("module %0d holds %0d places", r, held[r]));
    end
    pass($sformatf("%0d cycles", now));
  end
endmodule : tb_sluice_place_shares
