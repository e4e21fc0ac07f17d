// SPDX-License-Identifier: Apache-2.0

/// Test of sluice_flip_guard. Packets of a few rows arrive in all lanes, take the bank of their row, wait, and are admitted with random
/// accesses; cuts, marks, control packets and register accesses come at any time. The model keeps what is watched and whether it was
/// accessed since the cut, decides each write of FLIP.BANK in its cycle, and knows of each packet which bank it must have behind the
/// order point: that of its arrival, or, if its row was flipped since, that of CHIP.BANK.
/// +seed=N, +cycles=N, +break=N (see the file `breaks`).
module tb_sluice_flip_guard
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_probe_pkg::*;
;
  localparam int K = int'(NumPipes), S = int'(StateStages), Rows = 4, Late = 4;

  localparam int unsigned Cycles = 200000;
  `include "bench.svh"

  typedef struct {
    row_t row;
    logic bank;
    int   flips;                                 // guarded ones of its row, when it arrived
  } item_t;

  order_settings_t                settings;
  logic                           busy;
  logic [(1<<$bits(overlay_t))-1:0] inside_bank;
  cut_event_t                     cut, cut_before;
  mark_event_t                    mark;
  logic [31:0]                    cut_ticket, cut_ticket_before, next_ticket;
  logic [K-1:0]                   admitted;
  resolution_t [K-1:0][S-1:0]     access;
  logic [K-1:0][S-1:0]            pinned;
  row_t [K-1:0]                   row;
  flip_t                          flip;
  logic [NumModules-1:0]          turn;
  probe_flip_t                    shown;
  csr_req_t                       req;
  csr_rsp_t                       rsp;

  // ---- what the DUT is told
  admitted_t [K-1:0]          admitted_dut;
  csr_req_t                   req_dut;
  cut_event_t                 cut_dut;
  mark_event_t                mark_dut;
  order_settings_t            settings_dut;
  always_comb begin
    for (int l = 0; l < K; l++)
      admitted_dut[l] = '{valid: admitted[l], row: row[l], access: access[l], pinned: mutant == 2 ? '0 : pinned[l]};
    req_dut      = req;
    cut_dut      = mutant == 12 ? cut_before : cut;
    mark_dut     = mark;
    settings_dut = settings;
    if (mutant == 1) cut_dut.rows = '0;
    if (mutant == 3) mark_dut.valid = 1'b0;
    if (mutant == 7 && now % 4 == 0) admitted_dut[0].valid = 1'b0;
    if (mutant == 8 && req.addr[11:0] == RegFlipWatch + 12'd4) req_dut.addr[2] = 1'b0;
    if (mutant == 10) settings_dut.fault[FaultFlipBlind] = 1'b1;
    if (mutant == 11)
      for (int l = 0; l < K; l++)
        for (int s = 0; s < S; s++) admitted_dut[l].access[s].slot = slot_t'(32'(access[l][s].slot) % SlotsPerPipe);
  end
  sluice_flip_guard u_dut (
    .clk_i(clk), .rst_ni(rst_n), .settings_i(settings_dut), .ctl_busy_i(busy && mutant != 4),
    .inside_bank_i(mutant == 6 ? '0 : inside_bank), .cut_i(cut_dut), .mark_i(mark_dut),
    .cut_ticket_i(mutant == 5 ? cut_ticket_before : cut_ticket), .next_ticket_i(mutant == 9 ? next_ticket + 32'd1 : next_ticket),
    .admitted_i(admitted_dut),
    .flip_o(flip), .turn_o(turn), .probe_o(shown), .csr_req_i(req_dut), .csr_rsp_o(rsp)
  );

  // ---- model
  item_t waiting [K][$];
  int    flips [Rows], people [2][Rows], history [Late][2][Rows];
  logic [15:0] first [S], last [S];
  logic [NumModules-1:0] watched_rows;
  logic  watching, touched, flip_before, asks_before, refused_before, read_before;
  logic [31:0] since, ticket, value_before;
  int    quiet, seen_flips = 0, seen_touched = 0, seen_turned = 0, seen_plain = 0;

  // The accesses of this cycle, to what is watched.
  function automatic logic hits();
    hits = 1'b0;
    for (int s = 0; s < S; s++) begin
      if (first[s] > last[s]) continue;
      for (int l = 0; l < K; l++)
        if (admitted[l] && access[l][s].valid && watched_rows[row[l]]
            && (pinned[l][s] || int'(access[l][s].slot) >= int'(SlotsPerPipe)
                || (16'(access[l][s].slot) >= first[s] && 16'(access[l][s].slot) <= last[s]))) hits = 1'b1;
      if (mark.valid && mark.write && int'(mark.stage) == s && 16'(mark.slot) >= first[s] && 16'(mark.slot) <= last[s])
        hits = 1'b1;
    end
  endfunction

  task automatic draw();
    int what;
    busy = rnd(20) == 0;
    admitted = '0;
    for (int l = 0; l < K; l++) begin
      if (rnd(3) == 0) begin
        automatic row_t r = row_t'(rnd(Rows));
        automatic item_t comes;
        comes.row   = r;
        comes.bank  = settings.bank[r];
        comes.flips = flips[r[1:0]];
        waiting[l].push_back(comes);
        people[settings.bank[r]][r[1:0]]++;
      end
      // Who waits is admitted some time later, never in its first cycles.
      if (waiting[l].size() > 2 + rnd(3)) begin
        admitted[l] = 1'b1;
        row[l] = waiting[l][0].row;
      end
      for (int s = 0; s < S; s++) begin
        access[l][s] = '{valid: rnd(6) == 0, pipe: pipe_t'(rnd(K)), slot: slot_t'(rnd(60) == 0 ? int'(SlotsPerPipe) + rnd(2) : rnd(60))};
        pinned[l][s] = rnd(60) == 0;
      end
    end
    mark = '{valid: rnd(40) == 0, stage: stage_t'(rnd(S)), write: rnd(2) == 0, pipe: '0, slot: slot_t'(rnd(60)), ticket: next_ticket};
    cut = '{valid: rnd(45) == 0, rows: NumModules'(1 + rnd((1 << Rows) - 1)), ticket: next_ticket};
    req = '0;
    what = rnd(16);
    if (what < 4) begin
      req = '{valid: 1'b1, write: 1'b1, addr: BlockFlipBase + 20'(RegFlipSince), wdata: rnd(8) == 0 ? 32'(rnd(1000)) : cut_ticket};
      if (what == 0) begin
        req.addr  = BlockFlipBase + 20'(RegFlipWatch) + 20'(4 * rnd(S));
        req.wdata = rnd(3) == 0 ? 32'd1 : {16'(rnd(4)) + 16'd10, 16'(rnd(4)) + 16'd10};
      end
    end else if (what < 10) begin
      req = '{valid: 1'b1, write: 1'b1, addr: BlockFlipBase + 20'(RegFlipBank), wdata: 32'(settings.bank) ^ 32'(rnd(1 << Rows))};
    end else if (what == 10) begin
      req = '{valid: 1'b1, write: 1'b0, addr: BlockFlipBase + (rnd(2) == 0 ? 20'(RegFlipStatus) : 20'(RegFlipTicket)), wdata: '0};
    end
  endtask

  // Before the clock edge: what the DUT says of this cycle. Then the model takes it.
  task automatic judge();
    automatic logic hit, asks, goes, is_bank, is_watch;
    if (cut.valid) begin
      watched_rows = cut.rows;
      touched = 1'b0;
    end
    hit      = hits();
    is_bank  = req.addr[11:0] == RegFlipBank;
    is_watch = req.addr[11:7] == RegFlipWatch[11:7];
    asks     = req.valid && req.write && is_bank;
    goes     = asks && !busy && turn == '0 && watching && !touched_before && !hit && since == cut_ticket;
    if (flip.valid != goes) fail($sformatf("flip is %0d, not %0d", flip.valid, goes));
    if (goes && flip.bank != NumModules'(req.wdata)) fail("another bank");
    // Packets behind the order point.
    for (int l = 0; l < K; l++)
      if (admitted[l]) begin
        automatic item_t p = waiting[l].pop_front();
        automatic logic  bank = turn[p.row] ? settings.bank[p.row] : p.bank,
                         wanted = p.flips != flips[p.row[1:0]] ? settings.bank[p.row] : p.bank;
        if (bank != wanted) fail($sformatf("lane %0d: a packet of row %0d has bank %0d, not %0d", l, p.row, bank, wanted));
        if (bank != p.bank) seen_turned++;
        people[p.bank][p.row[1:0]]--;           // it leaves at once
        next_count++;
      end
    // The cycle before.
    if (rsp.valid != (asks_before || read_before)) fail("a register does not answer, or nobody asked");
    if (asks_before && rsp.refused != refused_before) fail("the answer to a write is wrong");
    if (read_before && rsp.rdata != value_before) fail($sformatf("a register is %0x, not %0x", rsp.rdata, value_before));
    if (shown.valid != flip_before || (shown.valid && (shown.ticket != next_ticket || NumModules'(shown.rows) != rows_before)))
      fail("the flip is shown wrong");
    if (flip_before) ticket_next = next_ticket;
    // Nobody of an old bank is there, and has not been for long: the flip is over.
    quiet = turn != '0 && !others() ? quiet + 1 : 0;
    if (quiet > 32) fail("a flip that is not over");
    seen_touched += int'(asks && watching && (touched_before || hit));
    // Registers, as they are read in this cycle.
    value_before   = req.addr[11:0] == RegFlipStatus ? 32'({turn != '0, touched_before, watching}) : ticket;
    ticket         = ticket_next;
    read_before    = req.valid && !req.write;
    asks_before    = req.valid && req.write;
    refused_before = asks && !goes;
    flip_before    = goes;
    rows_before    = NumModules'(req.wdata) ^ settings.bank;
    // What it leaves.
    touched = touched || hit;
    touched_before = touched;
    if (cut.valid) watching = 1'b1;
    else if (goes || (req.valid && req.write && is_watch)) watching = 1'b0;
    if (req.valid && req.write && req.addr[11:0] == RegFlipSince) since = req.wdata;
    if (req.valid && req.write && is_watch) {last[req.addr[2]], first[req.addr[2]]} = req.wdata;
    seen_flips += int'(goes);
    bank_next = settings.bank;
    if (goes) begin
      for (int r = 0; r < Rows; r++) if (rows_before[r]) flips[r]++;
      bank_next = flip.bank;
    end else if (turn == '0 && rnd(100) == 0) begin
      bank_next = settings.bank ^ NumModules'(rnd(1 << Rows));     // a plain one
      seen_plain++;
    end
  endtask

  function automatic logic others();
    others = 1'b0;
    for (int r = 0; r < Rows; r++) if (people[!settings.bank[r]][r] != 0) others = 1'b1;
  endfunction

  logic                  touched_before;
  logic [NumModules-1:0] rows_before, bank_next;
  logic [31:0]           ticket_next;
  int                    next_count;
  initial begin
    read_arguments(Cycles);
    settings = '0;
    {cut, mark, req, admitted, access, pinned, row, busy, inside_bank, cut_before} = '0;
    {watching, touched, touched_before, flip_before, asks_before, refused_before, read_before} = '0;
    {since, ticket, ticket_next, cut_ticket, cut_ticket_before, next_ticket} = '0;
    watched_rows = '0;
    quiet = 0;
    for (int s = 0; s < S; s++) {last[s], first[s]} = 32'd1;
    for (int r = 0; r < Rows; r++) begin
      flips[r] = 0;
      for (int b = 0; b < 2; b++) begin
        people[b][r] = 0;
        for (int n = 0; n < Late; n++) history[n][b][r] = 0;
      end
    end
    release_reset(3);
    while (now < int'(cycles)) begin
      draw();
      next_count = 0;
      #4 judge();
      tick();
      settings.bank = bank_next;
      next_ticket += 32'(next_count);
      cut_before = cut;
      if (cut.valid) begin
        cut_ticket_before = cut_ticket;
        cut_ticket = cut.ticket;
      end
      // Who comes and goes counts some cycles later.
      for (int b = 0; b < 2; b++)
        for (int r = 0; r < Rows; r++) begin
          inside_bank[overlay_t'(b * int'(NumModules) + r)] = history[Late-1][b][r] != 0;
          for (int n = Late - 1; n > 0; n--) history[n][b][r] = history[n-1][b][r];
          history[0][b][r] = people[b][r];
        end
    end
    if (cycles >= Cycles && (seen_flips < 500 || seen_touched < 200 || seen_turned < 500 || seen_plain < 200))
      fail($sformatf("too tame: %0d %0d %0d %0d", seen_flips, seen_touched, seen_turned, seen_plain));
    pass({$sformatf("%0d guarded flips, %0d writes refused for an access, %0d packets turned, %0d ",
                    seen_flips, seen_touched, seen_turned, seen_plain),
          "plain flips"});
  end
endmodule : tb_sluice_flip_guard
