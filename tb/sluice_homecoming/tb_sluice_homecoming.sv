// SPDX-License-Identifier: Apache-2.0

/// Test of sluice_homecoming with a table that changes at random: entries come, move, land and go.
/// Checked in every cycle: an entry is offered exactly when the rule of its header says so of what
/// stood in the table when it was read, one entry after the other every second cycle; the offer
/// stays until the entry changes or its module is held.
/// +seed=N, +cycles=N, +break=N (see the file `breaks`).
module tb_sluice_homecoming;
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;

  localparam int N = int'(Relocations), Rows = 4;
  typedef logic [$clog2(Relocations)-1:0] entry_t;

  logic apply = 1'b0;
  `include "bench.svh"
  // ---- DUT; inputs move at a pulse of `apply`
  typedef struct packed {
    logic [NumModules-1:0] recall, hold, near_row, over;
    logic                  on, window, touch, id_spare, change;
    entry_t                touch_entry, change_entry;
    relocation_t [N-1:0]   entries;
    logic [$bits(entry_t):0] used;
  } inputs_t;
  inputs_t     in, dut = '0;
  logic        offer;
  entry_t      entry;
  relocation_t index;
  sluice_homecoming u_dut (
    .clk_i(clk), .rst_ni(rst_n), .recall_i(dut.recall), .hold_rows_i(dut.hold), .on_i(dut.on),
    .window_i(dut.window), .touch_i(dut.touch), .touch_entry_i(dut.touch_entry),
    .near_i(dut.near_row), .over_i(dut.over), .table_i(dut.entries), .used_i(dut.used),
    .id_spare_i(dut.id_spare), .change_i(dut.change), .change_entry_i(dut.change_entry),
    .offer_o(offer), .entry_o(entry), .index_o(index)
  );
  always_ff @(posedge apply) begin
    dut <= in;
    case (mutant)
      1: dut.touch <= 1'b0;
      2: dut.change <= 1'b0;
      3: dut.window <= 1'b0;
      4: dut.hold <= '0;
      5: dut.over <= '0;
      6: dut.id_spare <= 1'b1;
      7: dut.recall <= '0;
      default: ;
    endcase
  end

  // ---- model: the entry whose turn it is: it is read, judged in the next cycle, and offered
  typedef enum int {Read, Judge, Offer} phase_e;
  phase_e      phase = Read;
  int          at = 0, calm_rate = 0, change_rate = 0, touch_rate = 0;
  relocation_t was;                              // as it was read
  bit          accessed [N], idle [N], was_full = 1'b0, was_changed = 1'b0;
  int          offers = 0, idle_offers = 0, called_offers = 0, withdrawn = 0, blocked = 0,
      meetings = 0;

  // What a change of this cycle makes of its entry, from the next cycle on. One that moves lands
  // some time, which is no change.
  task automatic change_table();
    int e;
    if (in.change) begin
      e = int'(in.change_entry);
      if (!in.entries[e].valid)
        in.entries[e] = '{valid: 1'b1, away: 1'b1, moving: 1'b1, row: row_t'(rnd(Rows)), home: '0,
            pipe: '0};
      else begin
        // Taken on, or on its way home.
        in.entries[e].moving = 1'b1;
        in.entries[e].away   = rnd(2) == 0;
      end
    end
    for (int i = 0; i < N; i++)
      if (in.entries[i].moving && !(in.change && int'(in.change_entry) == i)
          && rnd(100) < calm_rate) begin
        in.entries[i].moving = 1'b0;
        if (!in.entries[i].away) in.entries[i].valid = 1'b0;
      end
    in.used = '0;
    for (int i = 0; i < N; i++) in.used += ($bits(entry_t) + 1)'(in.entries[i].valid);
  endtask

  initial begin
    read_arguments(60000);
    in = '0;
    for (int e = 0; e < N; e++) {accessed[e], idle[e]} = '0;
    release_reset(2);
    if (offer) fail("an offer before the first cycle");
    while (now < int'(cycles)) begin
      row_t row;
      bit   called, goes, hit;
      row = was.row;
      if (offer != (phase == Offer))
        fail($sformatf("entry %0d: offered %0d, expected %0d", at, offer, phase == Offer));
      if (offer && (int'(entry) != at || index != was)) fail("another entry is offered");
      // inputs
      if (now % 200 == 0) begin
        calm_rate   = 10 + rnd(60);
        change_rate = rnd(3) == 0 ? 40 : 2 + rnd(10);
        touch_rate  = rnd(3) == 0 ? 0 : rnd(60);
        in.on       = rnd(8) != 0;
        for (int r = 0; r < Rows; r++) begin
          in.recall[r] = rnd(10) == 0;
          in.near_row[r]   = rnd(2) == 0;
          in.over[r]   = rnd(10) == 0;
        end
      end
      for (int r = 0; r < Rows; r++) in.hold[r] = rnd(20) == 0;
      in.window      = rnd(20) == 0;
      in.touch       = rnd(100) < touch_rate;
      in.touch_entry = entry_t'(rnd(N));
      in.id_spare    = rnd(8) != 0;
      in.change       = rnd(100) < change_rate;
      in.change_entry = entry_t'(rnd(3) == 0 ? at : rnd(N));
      #1 apply = 1'b1;
      #1 apply = 1'b0;
      // the rule
      hit    = in.change && int'(in.change_entry) == at;
      called = !in.on || in.recall[row] || in.over[row];
      goes   = was.valid && was.away && !was.moving && in.id_spare && !in.hold[row] && !hit
          && !was_changed
            && (called || (idle[at] && (in.near_row[row] || was_full)));
      case (phase)
        Read: begin
          was         = in.entries[at];
          was_changed = hit;
          if (hit) was.moving = 1'b1;
          meetings += int'(hit);
          phase = Judge;
        end
        Judge: begin
          blocked += int'(was_changed);
          if (goes) begin
            offers++;
            if (called) called_offers++;
            else        idle_offers++;
          end else at = (at + 1) % N;
          phase = goes ? Offer : Read;
        end
        default: if (hit || in.hold[row]) begin
          phase = Read;
          withdrawn += int'(!hit);
        end
      endcase
      was_full = 4 * int'(in.used) >= 3 * N;
      for (int e = 0; e < N; e++) begin
        bit touched;
        touched = (in.touch && int'(in.touch_entry) == e)
            || (in.change && int'(in.change_entry) == e);
        if (in.window) begin
          idle[e]     = !accessed[e];
          accessed[e] = 1'b0;
        end
        if (touched) begin
          idle[e]     = 1'b0;
          accessed[e] = 1'b1;
        end
      end
      tick();
      change_table();
    end
    if (idle_offers < 100 || called_offers < 100 || withdrawn < 20 || blocked < 20)
      fail($sformatf("the traffic was too tame: %0d, %0d, %0d, %0d", idle_offers, called_offers,
          withdrawn, blocked));
    pass($sformatf("%0d idle, %0d called home, %0d withdrawn, %0d changed while they were read",
        idle_offers,
                   called_offers, withdrawn, meetings));
  end
endmodule : tb_sluice_homecoming
