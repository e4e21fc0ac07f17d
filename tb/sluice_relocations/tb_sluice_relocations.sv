// SPDX-License-Identifier: Apache-2.0

/// Test of the relocation table against a model: a few homes, of which some are away, or on their
/// way, of a few modules. In every cycle all lookups are compared, in chips with marks also theirs, and whether a module that is asked for has entries; moves away, on and home, and landings in any
/// order, come at random, with what the table says is free.
/// Plusargs: +seed=N, +cycles=N, +break=N (see the file breaks).
module tb_sluice_relocations
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
;
  localparam int K     = int'(NumPipes);
  localparam int R     = int'(Relocations);
  localparam int Homes = 3 * R;
  localparam int Rows  = 24;             // modules: a few homes each
  localparam int EntryIdxBits = $clog2(Relocations);

  `include "bench.svh"

  place_t      [K-1:0]           home, place;
  place_t      [1:0]             scan_home;
  logic        [1:0]             scan_found, scan_moving;
  logic        [1:0][EntryIdxBits-1:0] scan_entry;
  pipe_t       [1:0]             scan_pipe;
  place_t                        mark_home, mark_place;
  logic                          mark_moving;
  relocation_t [Relocations-1:0] entries;
  logic        [EntryIdxBits:0]  used;
  row_t                          away_row, change_row, change_row_dut;
  logic                          row_away, cut_moving;
  logic        [NumModules-1:0]  cut_rows, cut_rows_dut;
  logic                          change, change_dut, entry_free, id_free, id_spare;
  logic        [EntryIdxBits-1:0] change_entry, change_entry_dut, free_entry;
  place_t                        change_home, change_home_dut;
  pipe_t                         change_to, change_to_dut;
  logic        [MoveIdBits-1:0]  id;
  landed_t                       landed, landed_dut;

  sluice_relocations dut (
    .clk_i(clk), .rst_ni(rst_n), .home_i(home), .place_o(place),
    .scan_home_i(scan_home), .scan_found_o(scan_found), .scan_entry_o(scan_entry),
    .scan_moving_o(scan_moving), .scan_pipe_o(scan_pipe),
    .mark_home_i(mark_home), .mark_place_o(mark_place), .mark_moving_o(mark_moving),
    .table_o(entries), .used_o(used),
    .cut_rows_i(cut_rows_dut), .cut_moving_o(cut_moving),
    .away_row_i(away_row), .away_o(row_away), .change_row_i(change_row_dut),
    .change_i(change_dut), .change_entry_i(change_entry_dut), .change_home_i(change_home_dut),
    .change_to_i(change_to_dut),
    .entry_free_o(entry_free), .entry_o(free_entry), .id_free_o(id_free), .id_spare_o(id_spare), .id_o(id),
    .landed_i(landed_dut)
  );

  // ---- mutants
  logic                    late;
  logic [EntryIdxBits-1:0] late_entry;
  place_t                  late_home;
  pipe_t                   late_to;
  always_ff @(posedge clk) begin
    late       <= change;
    late_entry <= change_entry;
    late_home  <= change_home;
    late_to    <= change_to;
  end
  always_comb begin
    change_dut       = change;
    change_entry_dut = change_entry;
    change_home_dut  = change_home;
    change_to_dut    = change_to;
    change_row_dut   = change_row;
    landed_dut       = landed;
    cut_rows_dut     = mutant == 8 ? cut_rows & ~NumModules'(2) : cut_rows;
    case (mutant)
      1: begin
        change_dut       = late;
        change_entry_dut = late_entry;
        change_home_dut  = late_home;
        change_to_dut    = late_to;
      end
      2: change_entry_dut = '0;
      3: landed_dut.id[0] = 1'b0;
      4: change_home_dut.slot[1] = 1'b0;
      5: change_to_dut = '0;
      6: landed_dut.valid = landed.valid || late;
      7: change_row_dut[1] = 1'b0;
      default: ;
    endcase
  end

  typedef logic [$clog2(Homes)-1:0] home_t;

  // ---- model: the homes, where they live, and the moves under way
  place_t home_of [Homes];
  bit     away [Homes], moving [Homes];
  int     entry_of [Homes];              // -1: none
  pipe_t  lives [Homes];
  int     mover [MoveIds];               // home that moves with this id, -1: none
  int     moves = 0, on = 0, returned = 0, full = 0, ids = 0, since = 0;

  function automatic int below(int n);
    return int'($urandom_range(n - 1));
  endfunction

  function automatic place_t where(home_t h);
    return away[h] ? '{pipe: lives[h], slot: slot_t'(int'(SlotsPerPipe) + entry_of[h])} : home_of[h];
  endfunction

  function automatic row_t row_of(home_t h);
    return row_t'(int'(h) % Rows);
  endfunction

  home_t looked [K], scanned [2], marked;
  int    marks_away = 0, marks_wait = 0;
  bit    expect_away = 1'b0;             // of the row asked for in the cycle before
  int    asked_away = 0;
  bit    expect_cut = 1'b0;              // of the modules of the cut
  int    asked_cut = 0;
  task automatic check();
    int count;
    for (int l = 0; l < K; l++)
      if (place[l] != where(looked[l])) fail($sformatf("lane %0d: place of home %0d", l, looked[l]));
    for (int b = 0; b < 2; b++) begin
      home_t h;
      h = scanned[b];
      if (scan_found[b] != (entry_of[h] >= 0) || scan_moving[b] != moving[h]
          || scan_pipe[b] != (away[h] ? lives[h] : home_of[h].pipe)) fail("scan");
      if (entry_of[h] >= 0 && int'(scan_entry[b]) != entry_of[h]) fail("entry in scan");
    end
    if (Marks != 0) begin                // a mark that waits goes nowhere
      if (mark_moving != moving[marked]) fail("a mark waits for the wrong index");
      if (!moving[marked] && mark_place != where(marked)) fail("place of a mark");
      marks_away += int'(!moving[marked] && away[marked]);
      marks_wait += int'(moving[marked]);
    end
    if (row_away != expect_away) fail("a module's entries");
    expect_away = 1'b0;
    for (int h = 0; h < Homes; h++)
      expect_away = expect_away || (entry_of[h] >= 0 && row_of(home_t'(h)) == away_row);
    asked_away += int'(expect_away);
    if (CutStages != 0 && cut_moving != expect_cut) fail("moves of a cut");
    expect_cut = 1'b0;
    for (int i = 0; i < int'(MoveIds); i++)
      expect_cut = expect_cut || (mover[i] >= 0 && cut_rows[row_of(home_t'(mover[i]))]);
    asked_cut += int'(expect_cut);
    count = 0;
    for (int h = 0; h < Homes; h++) count += int'(entry_of[h] >= 0);
    if (since > 1) begin                 // what is free is told a cycle later
      if (int'(used) != count) fail($sformatf("%0d used, not %0d", used, count));
      if (entry_free != (count < R)) fail("entry free");
      for (int h = 0; h < Homes; h++)
        if (entry_free && entry_of[h] == int'(free_entry)) fail("the free entry has an owner");
    end
    full += int'(count == R);
    count = 0;
    for (int i = 0; i < int'(MoveIds); i++) count += int'(mover[i] >= 0);
    if (id_free != (count < int'(MoveIds))) fail("id free");
    if (id_spare != (count + 1 < int'(MoveIds))) fail("id spare");
    if (id_free && mover[id] >= 0) fail("the free id is under way");
    ids += int'(count == int'(MoveIds));
    for (int e = 0; e < R; e++) count -= int'(entries[e].valid && entries[e].moving);
    if (count != 0) fail("moving entries");
  endtask

  task automatic stimulate(int rate);
    int h, to;
    pipe_t  at;
    // a landing: of what moved in an earlier cycle
    landed = '0;
    to = below(int'(MoveIds));
    if (mover[to] >= 0 && below(100) < 30) begin
      landed = '{valid: 1'b1, id: MoveIdBits'(to)};
    end
    // a move, with what is free
    change = 1'b0;
    h  = below(Homes);
    to = below(K);
    at = away[h] ? lives[h] : home_of[h].pipe;
    if (since > 1 && below(100) < rate && id_free && !moving[h] && to != int'(at)
        && (entry_of[h] >= 0 || entry_free)) begin
      change       = 1'b1;
      change_home  = home_of[h];
      change_row   = row_of(home_t'(h));
      change_entry = entry_of[h] >= 0 ? EntryIdxBits'(entry_of[h]) : free_entry;
      change_to    = pipe_t'(to);
    end
    // the model after this cycle
    since++;
    if (landed.valid) begin
      moving[mover[landed.id]] = 1'b0;
      if (!away[mover[landed.id]]) entry_of[mover[landed.id]] = -1;
      mover[landed.id] = -1;
      since = 0;
    end
    if (change) begin
      moves++;
      on       += int'(away[h] && to != int'(home_of[h].pipe));
      returned += int'(to == int'(home_of[h].pipe));
      moving[h]   = 1'b1;
      away[h]     = to != int'(home_of[h].pipe);
      lives[h]    = pipe_t'(to);
      entry_of[h] = int'(change_entry);
      mover[id]   = h;
      since = 0;
    end
  endtask

  initial begin
    int rate = 50;
    read_arguments(60000);
    for (int h = 0; h < Homes; h++) begin
      home_of[h]  = '{pipe: pipe_t'(h % K), slot: slot_t'(h / K)};
      entry_of[h] = -1;
    end
    for (int i = 0; i < int'(MoveIds); i++) mover[i] = -1;
    {change, landed, home, scan_home, mark_home, away_row, change_row, cut_rows} = '0;
    release_reset(3);
    repeat (2) @(negedge clk);
    for (now = 0; now < int'(cycles); now++) begin
      if (now % 500 == 0) rate = below(2) == 0 ? 100 : 10;
      for (int l = 0; l < K; l++) begin
        looked[l] = home_t'(below(Homes));
        home[l]   = home_of[looked[l]];
      end
      for (int b = 0; b < 2; b++) begin
        scanned[b]   = home_t'(below(Homes));
        scan_home[b] = home_of[scanned[b]];
      end
      marked    = home_t'(below(Homes));
      mark_home = home_of[marked];
      away_row = row_t'(below(Rows + 1));
      cut_rows = NumModules'($urandom) & NumModules'($urandom);
      #1 check();
      stimulate(rate);
      @(negedge clk);
    end
    if (returned < 100 || full < 100 || ids < 100 || asked_away < 100 || (K > 2 && on < 100)
        || (CutStages != 0 && asked_cut < 100)
        || (Marks != 0 && (marks_away < 100 || marks_wait < 100)))
      fail("not everything happened");
    pass($sformatf("%0d moves, %0d on, %0d home; table full %0d, ids %0d cycles",
                   moves, on, returned, full, ids));
  end
endmodule : tb_sluice_relocations
