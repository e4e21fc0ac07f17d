// SPDX-License-Identifier: Apache-2.0

/// Test of what a back stage decides on moves: relocation table, access counts and remap together,
/// fed with accesses of known shares. What must come of it is written per phase: loads even out
/// where they can, nothing moves where that gains nothing, everything comes home. Every move
/// must start where the index is, name an index that was accessed and is not under way, and go
/// from a pipeline with more accesses to one with fewer. Indices are of four modules, and whether one
/// that is asked for has indices away must be known. At last with two sets of pipelines: loads
/// even out within each, and nothing leaves its set.
/// Plusargs: +seed=N, +break=N (see the file breaks).
module tb_sluice_remap
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
;
  localparam int K     = int'(NumPipes);
  localparam int Homes = 512;            // indices 0 .. Homes - 1; home is index mod K
  localparam int Near  = 256;            // those that are accessed in most phases
  typedef logic [8:0] index_t;

  `include "bench.svh"

  move_settings_t      settings;
  place_t      [K-1:0] home, place;
  logic        [K-1:0] admitted, pinned;
  admitted_access_t [K-1:0] access_dut;
  resolution_t [K-1:0] access;
  pipe_t               lane;
  logic                take, scan;
  logic [MoveIdBits-1:0] id;
  place_t              from, to;
  move_offer_t         offer;
  assign id   = offer.id[MoveIdBits-1:0];
  assign from = offer.from;
  assign to   = offer.to;
  landed_t             landed, landed_dut;
  logic [$clog2(Relocations):0] used;
  row_t        [K-1:0] row;
  row_t                away_row;
  logic                row_away;
  logic [NumModules-1:0] away_rows, away_rows_dut, away_rows_q;

  logic   unused_want, unused_moving, unused_cut;
  place_t unused_place;
  sluice_stage_moves dut (
    .clk_i(clk), .rst_ni(rst_n), .settings_i(settings), .home_i(home), .place_o(place),
    .access_i(access_dut), .lane_i(lane),
    .turn_i(1'b1), .want_o(unused_want), .mark_home_i('0), .mark_place_o(unused_place), .mark_moving_o(unused_moving), .take_o(take), .offer_o(offer), .landed_i(landed_dut),
    .hold_rows_i(hold_q), .cut_rows_i('0), .cut_moving_o(unused_cut), .forget_i(segment_q), .away_row_i(away_row), .away_o(row_away),
    .away_rows_o(away_rows_dut),
    .used_o(used), .scan_o(scan)
  );

  // ---- mutants
  landed_t at_once;
  always_ff @(posedge clk) at_once <= '{valid: take, id: id};
  always_ff @(posedge clk) away_rows_q <= away_rows_dut;
  assign away_rows = mutant == 13 ? away_rows_dut & away_rows_q : away_rows_dut;
  always_comb begin
    for (int l = 0; l < K; l++)
      access_dut[l] = '{valid: admitted[l], row: row[l], access: access[l], pinned: pinned[l]};
    landed_dut   = landed;
    settings     = '0;
    settings.move_period = period;
    settings.move_least  = 8'd2;
    settings.move_quota  = mutant == 8 ? '0 : quota;
    settings.bitmap      = mutant == 9 ? '0 : bitmap_q;
    settings.recall      = mutant == 12 ? '0 : recall_q;
    settings.set_mask    = mutant == 6 ? '0 : pipe_t'(K - K / sets);
    case (mutant)
      1: for (int l = 0; l < K; l++) access_dut[l].pinned = 1'b0;
      2: for (int l = 0; l < K; l++) if (access[l].pipe == '0) access_dut[l].valid = 1'b0;
      3: landed_dut = at_once;
      4: settings.move_least = '0;
      7: for (int l = 0; l < K; l++) access_dut[l].row[1] = 1'b0;
      5: if (period == '0) settings.move_period = 16'hffff;
      default: ;
    endcase
  end

  always @(negedge clk) if (mutant == 10) force dut.window = 1'b0;
  always @(negedge clk) if (mutant == 11) force dut.over = '0;

  // ---- model
  logic [15:0] period;
  logic [7:0]  quota = '0;
  logic        segment = 1'b0;
  logic [NumModules-1:0] hold = '0, hold_q, bitmap_q, recall_q;
  logic        segment_q;
  // A move that was seen in the middle of a cycle is not withdrawn before its end.
  always_ff @(posedge clk) begin
    hold_q    <= hold;
    bitmap_q  <= bitmap;
    recall_q  <= called;
    segment_q <= segment;
  end
  logic [NumModules-1:0] bitmap = '0, called = '0;
  int          sets = 1;
  int          moves = 0, most_under_way = 0, under_way = 0, scans = 0;
  place_t      lives [Homes];
  bit          moving [Homes], known [Homes];
  int          timer [MoveIds];
  index_t      mover [MoveIds];
  bit          busy [MoveIds];
  int          load [K];                 // since the last look

  function automatic int below(int n);
    return int'($urandom_range(n - 1));
  endfunction
  function automatic place_t home_of(int i);
    return '{pipe: pipe_t'(i % K), slot: slot_t'(i / K)};
  endfunction

  // The module of an index; asked for in every cycle: what was true of it in the cycle before.
  localparam int Rows = 4;
  bit expect_away = 1'b0;
  int with_entries [Rows];               // cycles with an index away; below 0: without one
  function automatic int row_of(int i);
    return i * Rows / Homes;
  endfunction
  task automatic check_row();
    if (row_away != expect_away) fail($sformatf("module %0d: away", away_row));
    for (int m = 0; m < Rows; m++) begin
      if (entries_of(m) != 0) with_entries[m] = with_entries[m] < 0 ? 1 : with_entries[m] + 1;
      else                    with_entries[m] = with_entries[m] > 0 ? -1 : with_entries[m] - 1;
      // From the cycle behind the decision on; and for so many cycles behind the last one that landed.
      if (with_entries[m] > 0 && !away_rows[m]) fail($sformatf("module %0d has indices away, which is not said", m));
      if (with_entries[m] < -int'(NumModules) - 3 && away_rows[m])
        fail($sformatf("module %0d has no index away, but it is said", m));
    end
    away_row    = row_t'(below(Rows));
    expect_away = 1'b0;
    for (int i = 0; i < Homes; i++)
      if (row_of(i) == int'(away_row) && (lives[i] != home_of(i) || moving[i])) expect_away = 1'b1;
  endtask

  int moves_of [Rows], homed = 0, stood = 0, barred = 0;
  function automatic int entries_of(int module_row);
    int n;
    n = 0;
    for (int i = 0; i < Homes; i++)
      n += int'(row_of(i) == module_row && (lives[i] != home_of(i) || moving[i]));
    return n;
  endfunction

  // Phases: what an access names, and how often there is one.
  typedef enum int {Even, Hot, Heavy, Pinned, Wide, Halves, Two, Past, Late, Restless, None} traffic_e;
  int shift = 0;
  traffic_e traffic;
  task automatic draw(output bit valid, output bit pin, output int index);
    valid = below(100) < 90; pin = 1'b0;
    index = below(Near);
    case (traffic)
      Hot:    if (below(100) < 60) index = K * below(12);   // a dozen, all of pipeline 0
      Heavy:  begin valid = below(100) < 95 && below(K) == 0; index = 0; end  // one alone
      Pinned: if (below(100) < 70) begin pin = 1'b1; index = 1; end
      Halves: if (below(100) < 60) index = K * below(12) + (below(3) == 0 ? K / 2 : 0);
      // Two that are too much for one pipeline and live alone there, with more than half of what it has
      // above the others.
      Two: begin
        index = K * below(Near / K) + 1 + below(K - 1);
        if (below(100) < 55) index = below(100) < 53 ? 0 : K;
      end
      Wide:   if (below(100) < 30) index = K * below(Near / K) + 1;
      Past:   begin valid = below(100) < 40; index = K * below(Homes / K); end  // in pipeline 0
      Late:   begin valid = below(100) < 40; index = K * below(12) + 3; end     // in pipeline 3
      // Module 0 has other hot indices every 500 cycles, at home in pipeline 1; module 3 always the same, half as busy.
      Restless: begin
        valid = below(100) < 50;
        index = below(3) == 0 ? K * (96 + below(12)) + 1 : K * ((shift * 7 + below(7)) % 32) + 1;
      end
      None: valid = 1'b0;
      default: ;
    endcase
  endtask

  function automatic bit stays_home(row_t module_row);
    return bitmap[module_row] || called[module_row];
  endfunction

  task automatic check_move();
    int found;
    if (!take) return;
    moves++;
    found = -1;
    for (int i = 0; i < Homes; i++) if (lives[i] == from) found = i;
    if (found < 0) begin fail("a move from where nobody lives"); return; end
    if (!known[found] && to != home_of(found)) fail($sformatf("index %0d moves, which nobody accessed", found));
    if (moving[found]) fail("it moves already");
    if (from.pipe == to.pipe) fail("it stays");
    if (stays_home(row_t'(row_of(found))) && barred > 3 && to != home_of(found)) fail("its module has to stay at home");
    if (hold_q[row_of(found)]) fail("its module is held");
    moves_of[row_of(found)] += int'(to != home_of(found));
    homed += int'(to == home_of(found));
    if (int'(from.pipe) * sets / K != int'(to.pipe) * sets / K) fail("it leaves its set");
    if (busy[id]) fail("its number is in use");
    for (int i = 0; i < Homes; i++) if (lives[i] == to) fail("two in one place");
    if (int'(to.slot) < int'(SlotsPerPipe) && to != home_of(found)) fail("in another's home");
    lives[found]  = to;
    moving[found] = 1'b1;
    busy[id]      = 1'b1;
    mover[id]     = index_t'(found);
    timer[id]     = 10 + below(60);
    // A quota that has stood for a while holds.
    if (quota != '0 && stood > int'(NumModules) + 8 && from == home_of(found)
        && entries_of(row_of(found)) > int'(quota)) fail("more than its quota");
    under_way++;
    if (under_way > most_under_way) most_under_way = under_way;
  endtask

  task automatic cycle();
    bit valid, pin;
    int index;
    check_row();
    check_move();
    stood++;
    barred++;
    scans += int'(scan);
    landed = '0;
    for (int i = 0; i < int'(MoveIds); i++) begin
      if (timer[i] > 0) timer[i]--;
      if (busy[i] && timer[i] == 0 && !landed.valid && i != int'(id)) begin
        landed           = '{valid: 1'b1, id: MoveIdBits'(i)};
        busy[i]          = 1'b0;
        moving[mover[i]] = 1'b0;
        under_way--;
      end
    end
    lane = pipe_t'(below(K));
    admitted = '0;
    pinned   = '0;
    for (int l = 0; l < K; l++) begin
      draw(valid, pin, index);
      if (period == '0) valid = 1'b0;
      admitted[l] = valid;
      pinned[l]   = pin;
      row[l]      = row_t'(pin ? Rows : row_of(index));
      access[l]   = '{valid: 1'b1, pipe: pin ? pipe_t'(1) : lives[index].pipe,
                      slot: pin ? '0 : lives[index].slot};
      if (valid && !pin) begin
        known[index] = 1'b1;
        load[lives[index].pipe]++;
      end
    end
    for (int l = 0; l < K; l++) begin
      index   = below(Homes);
      home[l] = home_of(index);
      looked[l] = index;
    end
    #1 for (int l = 0; l < K; l++)       // a move that is taken now shows in the table in the next cycle
      if (!take && place[l] != lives[looked[l]]) fail("looked up elsewhere");
  endtask
  int looked [K];

  // Cycles are run here and nowhere else: Verilator writes the body of a task that takes time once for each call.
  int todo = 0;
  bit until_home = 1'b0;
  initial forever begin
    @(negedge clk);
    now++;
    if (todo > 0) begin
      cycle();
      todo--;
      if (until_home && todo < 20000 - 10 && used == '0) todo = 0;
    end
  end
  task automatic run(traffic_e what, int count);
    traffic = what;
    todo = count;
    wait (todo == 0);
  endtask

  // The most loaded pipeline against the mean, in percent, over so many cycles.
  task automatic imbalance(traffic_e what, int count, output int percent);
    int sum, most;
    for (int d = 0; d < K; d++) load[d] = 0;
    run(what, count);
    sum = 0; most = 0;
    for (int d = 0; d < K; d++) begin
      sum += load[d];
      if (load[d] > most) most = load[d];
    end
    percent = 100 * most * K / (sum > 0 ? sum : 1);
  endtask

  task automatic recall();
    period = '0;
    until_home = 1'b1;
    run(traffic, 20000);
    until_home = 1'b0;
    if (used != '0) fail("not all came home");
    for (int i = 0; i < Homes; i++) if (lives[i] != home_of(i)) fail($sformatf("index %0d is away", i));
    for (int i = 0; i < Homes; i++) known[i] = 1'b0;
    period = 16'd256;
  endtask

  initial begin
    int first, after, at, hot_moves, two, past, silent, late, early;
    read_arguments();
    for (int i = 0; i < Homes; i++) lives[i] = home_of(i);
    period = '0;
    {admitted, pinned, access, lane, landed, home, row, away_row} = '0;
    traffic = Even;
    release_reset(3);
    recall();

    run(Even, 12000);
    if (moves > 30) fail($sformatf("%0d moves of even loads", moves));
    recall();

    imbalance(Hot, 2000, first);
    run(Hot, 8000);
    imbalance(Hot, 6000, after);
    hot_moves = moves;
    if (first < 130 || after > 112) fail($sformatf("hot: %0d %% before, %0d %% after", first, after));
    at = moves; homed = 0;
    run(Hot, 12000);
    if (moves - at - homed > 40) fail($sformatf("%0d moves of what is even by now", moves - at - homed));
    if (homed > 40) fail($sformatf("%0d came home meanwhile", homed));
    recall();

    at = moves;
    run(Heavy, 12000);
    if (moves != at) fail("one index alone moves to and fro");
    recall();

    at = moves;
    run(Pinned, 12000);
    if (moves - at > 30) fail($sformatf("%0d moves for pinned accesses", moves - at));
    recall();

    run(Wide, 12000);
    imbalance(Wide, 6000, after);
    if (after > 125) fail($sformatf("wide: %0d %%", after));
    recall();

    run(Two, 20000);
    imbalance(Two, 6000, two);
    if (two > 135) fail($sformatf("two: %0d %%", two));
    recall();

    sets = 2;
    for (int d = 0; d < K; d++) load[d] = 0;
    run(Halves, 30000);
    for (int d = 0; d < K; d++) load[d] = 0;
    run(Halves, 8000);
    for (int q = 0; q < K; q += K / 2)
      if (100 * load[q] > 125 * load[q + 1] || 100 * load[q + 1] > 125 * load[q])
        fail($sformatf("set of pipeline %0d: loads %0d and %0d", q, load[q], load[q + 1]));
    recall();
    sets = 1;

    // ---- busy indices of the past, then silence, then others: entries that nobody needs come home
    run(Past, 16000);
    past = int'(used);
    if (past < 3 * int'(Relocations) / 4) fail($sformatf("only %0d entries away", past));
    homed = 0;
    run(None, 2048 + 2 * int'(Relocations) * 2 + 600);
    silent = int'(used);
    // About a quarter comes home in this time; how many exactly follows from the seed.
    if (silent > past - int'(Relocations) / 8) fail($sformatf("silence: %0d of %0d entries still away", silent, past));
    run(Past, 16000);
    run(Late, 8000);
    imbalance(Late, 6000, late);
    if (late > 115) fail($sformatf("late: %0d %%", late));
    recall();

    // ---- a quota, which gets less
    quota = 8'd6;
    stood = 0;
    run(Past, 16000);
    for (int m = 0; m < Rows; m++) if (entries_of(m) < 4) fail($sformatf("module %0d: only %0d entries", m, entries_of(m)));
    quota = 8'd2;
    stood = 0;
    run(Past, 2000);
    for (int m = 0; m < Rows; m++) if (entries_of(m) > 2) fail($sformatf("module %0d has %0d entries", m, entries_of(m)));
    quota = '0;
    recall();

    // ---- one module is reconfigured: it comes home, and stays
    run(Past, 8000);
    bitmap[2] = 1'b1;
    barred = 0;
    run(Past, 2000);
    if (entries_of(2) != 0) fail("a module that is reconfigured has entries");
    if (entries_of(1) == 0) fail("so do others come home");
    bitmap = '0;
    recall();

    // ---- one module is called home while its packets go on
    run(Past, 8000);
    called[1] = 1'b1;
    barred = 0;
    run(Past, 2000);
    if (entries_of(1) != 0) fail("a module that is called home has entries");
    if (entries_of(2) == 0) fail("others come home with it");
    run(Past, 8000);
    called = '0;
    recall();

    // ---- one module is held: none of its indices begins a move
    run(Past, 4000);
    for (int r = 0; r < 40; r++) begin
      hold[r % Rows] = 1'b1;
      run(Past, 100);
      hold = '0;
      run(Past, 100);
    end
    recall();

    // ---- a module that is never at rest does not take all turns
    for (int m = 0; m < Rows; m++) moves_of[m] = 0;
    for (int r = 0; r < 24; r++) begin
      shift++;
      run(Restless, 500);
      if (r == 4) early = moves_of[3];
    end
    if (early == 0) fail($sformatf("module 3 never moved, beside %0d of module 0", moves_of[0]));
    // New segments at any time.
    for (int r = 0; r < 20; r++) begin
      segment = 1'b1;
      run(Hot, 1);
      segment = 1'b0;
      run(Hot, 1 + below(600));
    end
    recall();

    if (scans < 200) fail($sformatf("only %0d scans", scans));
    pass({$sformatf("%0d scans, %0d moves, hot ones %0d: load of the busiest %0d %% before; at ",
                    scans, moves, hot_moves, first),
          $sformatf("most %0d under way; wide %0d %%, two %0d %%; %0d entries of the past, %0d ",
                    most_under_way, after, two, past, silent),
          $sformatf("after silence, then %0d %%; module 3 first moved %0d times", late, early)});
  end

  logic unused_bits;
  assign unused_bits = ^settings;
endmodule : tb_sluice_remap
