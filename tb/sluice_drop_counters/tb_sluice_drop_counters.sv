// SPDX-License-Identifier: Apache-2.0

/// Test of the drop counters: random drops of all sources, in bursts that hit the same row again
/// and again, with reads at any time, rows that must not answer, and clears under traffic. A read
/// must give a count that was right at some moment between request and answer; at rest it must be
/// exact.
/// Plusargs: +seed=N, +break=N (see the file breaks).
module tb_sluice_drop_counters
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
;
  localparam int unsigned N = 2 * NumPipes;
  localparam int unsigned Cycles = 20000;

  logic clk_i = 1'b0, rst_ni = 1'b0;
  initial forever #5 clk_i = !clk_i;

  settings_t     settings, dut_settings;
  drop_t [N-1:0] drop, dut_drop;
  csr_req_t      csr_req;
  csr_rsp_t      csr_rsp;

  sluice_drop_counters dut (
    .clk_i, .rst_ni,
    .settings_i(dut_settings), .drop_i(dut_drop), .csr_req_i(csr_req), .csr_rsp_o(csr_rsp)
  );

  int breaker = 0, seed = 1;
  always_comb begin
    dut_drop     = drop;
    dut_settings = settings;
    case (breaker)
      1: if (drop[N-1].row == row_t'(3)) dut_drop[N-1].valid = 1'b0;
      2: for (int n = 0; n < int'(N); n++) dut_drop[n].known = 1'b1;
      3: dut_settings.clear = 1'b0;
      4: dut_drop[0].reason = DropBitmap;
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

  // Counts so far, and those at the request of the read under way.
  int         count [32][16], recent [32][16], old [32][16];   // now, 8 to 15 cycles ago
  int         low, wait_cycles, reads;
  logic       reading, legal;
  row_t       row;
  logic [3:0] reason;

  task automatic check_answer(int cycle);
    if (csr_rsp.valid) begin
      if (!reading || !legal) begin
        $display("FAIL cycle %0d: an answer that nobody asked for", cycle);
        $fatal(1, "sluice_drop_counters");
      end
      // A clear on the way lets the count be anything up to now.
      if (int'(csr_rsp.rdata) < low || int'(csr_rsp.rdata) > count[row][reason]) begin
        $display("FAIL cycle %0d: row %0d reason %0d: %0d, between %0d and %0d", cycle, row, reason,
                 csr_rsp.rdata, low, count[row][reason]);
        $fatal(1, "sluice_drop_counters");
      end
      reads++;
    end
    if (reading && (csr_rsp.valid || (!legal && wait_cycles == 40))) reading = 1'b0;
    else if (reading) wait_cycles++;
    if (reading && legal && wait_cycles > 32) begin
      $display("FAIL cycle %0d: no answer", cycle);
      $fatal(1, "sluice_drop_counters");
    end
  endtask

  initial begin
    logic quiet;
    void'($value$plusargs("seed=%d", seed));
    void'($value$plusargs("break=%d", breaker));
    $display("seed %0d", seed);
    lfsr = {32'(seed), 32'h12345678};
    settings = '0;
    drop     = '0;
    csr_req  = '0;
    reading  = 1'b0;
    legal    = 1'b0;
    {low, wait_cycles, reads} = '0;
    {row, reason} = '0;
    for (int r = 0; r < 32; r++) for (int c = 0; c < 16; c++) {count[r][c], recent[r][c], old[r][c]} = '0;
    repeat (3) @(negedge clk_i);
    rst_ni = 1'b1;
    for (int cycle = 0; cycle < int'(Cycles); cycle++) begin
      @(negedge clk_i);
      check_answer(cycle);
      // Traffic stops now and then, so that reads can be exact, and at the end.
      quiet = (cycle % 1000) >= 400 || cycle + 600 > int'(Cycles);
      settings.clear = !quiet && cycle % 1000 == 200 && cycle > 3000;
      if (settings.clear) begin
        for (int r = 0; r < 32; r++) for (int c = 0; c < 16; c++) {count[r][c], recent[r][c], old[r][c]} = '0;
        low = 0;
        reading = 1'b0;
      end
      if (cycle % 8 == 0) begin
        old    = recent;
        recent = count;
      end
      csr_req = '0;
      // A read that a clear overtakes is let go by: no request while one is near.
      if (!reading && !(cycle % 1000 inside {[150:210]})) begin
        lfsr = next(lfsr);
        legal   = lfsr[9:0] != '0;
        row     = row_t'(lfsr[20] ? lfsr[15:11] : 5'(lfsr[12:11]));
        reason  = lfsr[19:16];
        csr_req = '{valid: 1'b1, write: 1'b0, addr: 20'({row, reason, 2'b00}) + BlockModuleBase, wdata: '0};
        if (!legal) csr_req.addr = BlockModuleBase - 20'd4;
        reading     = 1'b1;
        wait_cycles = 0;
        // Drops of the last cycles may be on their way.
        low = old[row][reason];
      end
      for (int n = 0; n < int'(N); n++) begin
        lfsr = next(lfsr);
        drop[n] = '{valid: !quiet && lfsr[3:0] != '0, known: lfsr[6:4] != '0,
                    row: row_t'(lfsr[10] ? lfsr[15:11] : 5'(lfsr[11])), reason: drop_e'(lfsr[19:16])};
        // Drops around a clear count before or after it: none then.
        if (cycle % 1000 inside {[195:205]}) drop[n].valid = 1'b0;
        if (drop[n].valid && drop[n].known) count[drop[n].row][drop[n].reason]++;
      end
    end
    if (reads < 500) $fatal(1, "only %0d reads", reads);
    $display("PASS sluice_drop_counters: %0d reads in %0d cycles", reads, Cycles);
    $finish;
  end

  logic unused_bits;
  assign unused_bits = ^{drop, settings, lfsr};
endmodule : tb_sluice_drop_counters
