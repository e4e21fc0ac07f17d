// SPDX-License-Identifier: Apache-2.0

/// Test of the drop counters: random drops of all sources (lanes, their buses, order point, exits; at the exits also up to 100 copies
/// at once), in bursts that hit the same row again and again, with reads at any time, rows that must not answer, and clears under traffic. A read
/// must give a count that was right at some moment between request and answer; at rest it must be
/// exact.
/// Plusargs: +seed=N, +break=N (see the file breaks).
module tb_sluice_drop_counters
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
;

  `include "bench.svh"

  logic          clear, dut_clear;
  lane_drop_t [NumPipes-1:0] lane, dut_lane;
  drop_t [NumPipes-1:0]      order, dut_order;
  exit_drop_t [NumPipes-1:0] out, dut_out;
  csr_req_t      csr_req;
  csr_rsp_t      csr_rsp;

  sluice_drop_counters dut (
    .clk_i(clk), .rst_ni(rst_n),
    .clear_i(dut_clear), .lane_i(dut_lane), .order_i(dut_order), .exit_i(dut_out), .egress_i('0),
    .csr_req_i(csr_req), .csr_rsp_o(csr_rsp)
  );

  always_comb begin
    dut_lane     = lane;
    dut_order    = order;
    dut_out      = out;
    dut_clear = clear;
    case (mutant)
      1: if (order[NumPipes-1].row == row_t'(3)) dut_order[NumPipes-1].valid = 1'b0;
      2: for (int n = 0; n < int'(NumPipes); n++) dut_lane[n].filter.known = 1'b1;
      3: dut_clear = 1'b0;
      4: dut_lane[0].filter.reason = DropBitmap;
      5: dut_out[0].reason = DropNone;
      6: dut_out[1].full[6] = 1'b0;
      7: if (now[3]) dut_lane[0].gave_way.valid = 1'b0;
      default: ;
    endcase
  end

  logic [63:0] lfsr;
  function automatic logic [63:0] next(logic [63:0] x);
    logic [63:0] y;
    y = x ^ (x << 13);
    y = y ^ (y >> 7);
    return y ^ (y << 17);
  endfunction

  // The reasons of a lane whose module is known, and those of an exit.
  localparam drop_e lane_reasons [7] = '{DropLaneFull, DropBufferFull, DropNoVlan, DropUnknownModule, DropReconfig, DropBitmap,
                                         DropProtocol};
  localparam drop_e exit_reasons [5] = '{DropNone, DropDiscardBack, DropNoDest, DropForbidden, DropSomeForbidden};

  function automatic drop_t some_drop(bit quiet, drop_e why);
    lfsr = next(lfsr);
    return '{valid: !quiet && lfsr[3:0] != '0, known: lfsr[6:4] != '0, row: row_t'(lfsr[10] ? lfsr[15:11] : 5'(lfsr[11])),
             reason: why};
  endfunction

  // Counts so far, and those at the request of the read under way.
  int         count [32][32], recent [32][32], old [32][32];   // now, 8 to 15 cycles ago
  int         low, wait_cycles, reads;
  logic       reading, legal;
  row_t       row;
  drop_e      reason;

  task automatic check_answer();
    if (csr_rsp.valid) begin
      if (!reading || !legal) fail("an answer that nobody asked for");
      // A clear on the way lets the count be anything up to now.
      if (int'(csr_rsp.rdata) < low || int'(csr_rsp.rdata) > count[row][reason])
        fail($sformatf("row %0d reason %0d: %0d, between %0d and %0d", row, reason, csr_rsp.rdata,
                       low, count[row][reason]));
      reads++;
    end
    if (reading && (csr_rsp.valid || (!legal && wait_cycles == 40))) reading = 1'b0;
    else if (reading) wait_cycles++;
    if (reading && legal && wait_cycles > 32) fail("no answer");
  endtask

  initial begin
    logic quiet;
    read_arguments(20000);
    lfsr = {32'(seed), 32'h12345678};
    clear = 1'b0;
    lane     = '0;
    order    = '0;
    out      = '0;
    csr_req  = '0;
    reading  = 1'b0;
    legal    = 1'b0;
    {low, wait_cycles, reads} = '0;
    row    = '0;
    reason = DropNone;
    for (int r = 0; r < 32; r++) for (int c = 0; c < 32; c++) {count[r][c], recent[r][c], old[r][c]} = '0;
    release_reset(3);
    for (now = 0; now < int'(cycles); now++) begin
      @(negedge clk);
      check_answer();
      // Traffic stops now and then, so that reads can be exact, and at the end.
      quiet = (now % 1000) >= 400 || now + 600 > int'(cycles);
      clear = !quiet && now % 1000 == 200 && now > 3000;
      if (clear) begin
        for (int r = 0; r < 32; r++) for (int c = 0; c < 32; c++) {count[r][c], recent[r][c], old[r][c]} = '0;
        low = 0;
        reading = 1'b0;
      end
      if (now % 8 == 0) begin
        old    = recent;
        recent = count;
      end
      csr_req = '0;
      // A read that a clear overtakes is let go by: no request while one is near.
      if (!reading && !(now % 1000 inside {[150:210]})) begin
        lfsr = next(lfsr);
        legal   = lfsr[9:0] != '0;
        row     = row_t'(lfsr[21] ? lfsr[15:11] : 5'(lfsr[12:11]));
        reason  = drop_e'(lfsr[20:16]);
        csr_req = '{valid: 1'b1, write: 1'b0, addr: 20'({row, reason, 2'b00}) + BlockModuleBase, wdata: '0};
        if (!legal) csr_req.addr = BlockModuleBase - 20'd4;
        reading     = 1'b1;
        wait_cycles = 0;
        // Drops of the last cycles may be on their way.
        low = old[row][reason];
      end
      for (int n = 0; n < int'(NumPipes); n++) begin
        lane[n].filter   = some_drop(quiet, lane_reasons[32'(lfsr[20:16]) % 7]);
        lane[n].gave_way = some_drop(quiet || Recirculation == 0, DropGaveWay);
        order[n] = some_drop(quiet, lfsr[16] ? DropOverload : DropDiscardFront);
        out[n].valid  = !quiet && lfsr[22:20] != '0;
        lfsr = next(lfsr);
        out[n].row    = row_t'(lfsr[10] ? lfsr[15:11] : 5'(lfsr[11]));
        out[n].reason = exit_reasons[32'(lfsr[20:16]) % 5];
        out[n].full   = lfsr[25] ? 7'(32'(lfsr[32:26]) % 101) : '0;
        // Drops around a clear count before or after it: none then.
        if (now % 1000 inside {[195:205]})
          {lane[n].filter.valid, lane[n].gave_way.valid, order[n].valid, out[n].valid} = '0;
        if (lane[n].filter.valid && lane[n].filter.known) count[lane[n].filter.row][lane[n].filter.reason]++;
        if (lane[n].gave_way.valid && lane[n].gave_way.known) count[lane[n].gave_way.row][DropGaveWay]++;
        if (order[n].valid && order[n].known) count[order[n].row][order[n].reason]++;
        if (out[n].valid && out[n].reason != DropNone) count[out[n].row][out[n].reason]++;
        out[n].unpaid = Recirculation != 0 && lfsr[40:38] == '0;
        if (out[n].valid && out[n].unpaid) count[out[n].row][DropBudget]++;
        if (out[n].valid) count[out[n].row][DropOutputFull] += int'(out[n].full);
      end
    end
    if (reads < 500) $fatal(1, "only %0d reads", reads);
    pass($sformatf("%0d reads in %0d cycles", reads, cycles));
  end

  logic unused_bits;
  assign unused_bits = ^{lfsr, csr_rsp.refused};
endmodule : tb_sluice_drop_counters
