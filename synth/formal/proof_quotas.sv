// SPDX-License-Identifier: Apache-2.0

/// Proof: a quota of moves that stands is never exceeded, and entries that should go home are offered
/// to (docs/moves.md).
///
/// Relocation table, quotas, remap and homecoming of one back stage as sluice_stage_moves connects
/// them; one module and one entry that the solver chooses are watched. Free: candidates, loads,
/// touches, windows, what is recalled or held, the period, the quota, which may change at any time;
/// turns of the bus; when moves land. Assumed: a candidate is as the table says in the cycle of the
/// choice (sluice_move_candidate); a move home that is offered is taken within three cycles, for the
/// bus has turns, and not withdrawn for a hold.
/// Quota: an entry that is taken under a quota that stands makes no more than that. It stands when the
/// module was counted since it changed. Home: while there is a spare id and nothing is held, an
/// entry that is idle, or called, is offered within 24 cycles, seven for each of the other entries.
/// BREAK: 1 quotas do not hear of an entry that is taken, 2 the remap does not look at full modules, 3
/// near and over are never seen, 4 the homecoming does not hear of the remap's changes.
`include "sluice_assert.svh"
`ifndef BREAK
`define BREAK 0
`endif
module proof_quotas
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
#(
  localparam int unsigned EntryIdxBits = $clog2(Relocations)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic [15:0]             period_i,
  input  logic [7:0]              least_i,
  input  logic [7:0]              quota_i,
  input  logic                    forget_i,
  input  logic [NumModules-1:0]   recall_i,
  input  logic [NumModules-1:0]   hold_i,
  input  logic [NumPipes-1:0][23:0] load_i,
  input  logic                    busy_i,
  input  candidate_t [1:0]        best_i,
  input  logic                    turn_i,
  input  logic                    touch_i,
  input  logic [EntryIdxBits-1:0] touch_entry_i,
  input  landed_t                 landed_i,
  input  row_t                    watched_i,      // the solver's choices, held by an assumption
  input  logic [EntryIdxBits-1:0] entry_i
);
  localparam int unsigned MostWait = 7 * Relocations - 4;
  logic started_q = 1'b0;
  row_t watched_q;
  logic [EntryIdxBits-1:0] entry_q;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    watched_q <= watched_i;
    entry_q   <= entry_i;
  end
  always_comb begin
    assume (rst_ni == started_q);
    assume (!started_q || (watched_i == watched_q && entry_i == entry_q));
  end
  move_settings_t settings;
  always_comb begin
    settings             = '0;
    settings.move_period = period_i;
    settings.move_least  = least_i;
    settings.move_quota  = quota_i;
  end

  // ---- as in sluice_stage_moves
  logic        away_offer, away_take, home_offer, home_take, choosing, id_free, id_spare, take;
  candidate_t  away_index;
  relocation_t home_index;
  place_t      away_from, away_to, home;
  logic        entry_free, on, window, home_want;
  row_t        row;
  pipe_t       to;
  logic [EntryIdxBits-1:0]       home_entry, entry, free_entry;
  logic [EntryIdxBits:0]         used;
  relocation_t [Relocations-1:0] entries;
  logic [NumModules-1:0]         full, near, over, some, barred;
  assign barred    = recall_i | hold_i;
  assign home_want = home_offer && !choosing && id_free && !hold_i[home_index.row];
  assign away_take = away_offer && turn_i;
  assign home_take = home_want && turn_i;
  assign take      = away_take || home_take;
  assign entry     = away_offer ? away_index.entry : home_entry;
  assign row       = away_offer ? away_index.row : home_index.row;
  assign home      = away_offer ? away_index.home : home_index.home;
  assign to        = away_offer ? away_to.pipe : home_index.home.pipe;

  place_t [NumPipes-1:0] unused_place;
  place_t                unused_mark_place;
  logic                  unused_mark, unused_away, unused_cut;
  logic [1:0]            unused_found, unused_moving;
  logic [MoveIdBits-1:0] unused_id;
  logic [1:0][EntryIdxBits-1:0] unused_entry;
  pipe_t [1:0]           unused_pipe;
  sluice_relocations u_table (
    .clk_i, .rst_ni, .home_i('0), .place_o(unused_place),
    .scan_home_i('0), .scan_found_o(unused_found), .scan_entry_o(unused_entry),
    .scan_moving_o(unused_moving), .scan_pipe_o(unused_pipe),
    .mark_home_i('0), .mark_place_o(unused_mark_place), .mark_moving_o(unused_mark),
    .table_o(entries), .used_o(used), .away_row_i('0), .away_o(unused_away),
    .cut_rows_i('0), .cut_moving_o(unused_cut),
    .change_i(take), .change_entry_i(entry), .change_row_i(row), .change_home_i(home),
    .change_to_i(to),
    .entry_free_o(entry_free), .entry_o(free_entry), .id_free_o(id_free), .id_spare_o(id_spare),
    .id_o(unused_id), .landed_i
  );

  logic taken;
  assign taken = away_take && !away_index.found;
  sluice_move_quotas u_quotas (
    .clk_i, .rst_ni, .quota_i, .table_i(entries),
    .taken_i(taken && `BREAK != 1), .row_i(away_index.row),
    .full_o(full), .near_o(near), .over_o(over), .some_o(some)
  );

  count_control_t unused_counts;
  logic        unused_scan;
  logic [23:0] unused_amount;
  pipe_t       unused_high, unused_set;
  logic [AccessCountBits-1:0] unused_limit, unused_worth;
  sluice_remap u_remap (
    .clk_i, .rst_ni, .settings_i(settings), .forget_i, .barred_i(barred), .on_o(on),
    .window_o(window), .counts_o(unused_counts), .load_i,
    .amount_o(unused_amount), .busy_i, .high_o(unused_high), .set_o(unused_set),
    .limit_o(unused_limit), .worth_o(unused_worth), .scan_o(unused_scan),
    .best_i, .full_i(`BREAK == 2 ? '0 : full), .entry_free_i(entry_free), .free_entry_i(free_entry),
    .id_free_i(id_free), .choosing_o(choosing), .offer_o(away_offer), .take_i(away_take),
    .offer_index_o(away_index), .offer_from_o(away_from), .offer_to_o(away_to)
  );

  sluice_homecoming u_home (
    .clk_i, .rst_ni, .recall_i, .hold_rows_i(hold_i), .on_i(on), .window_i(window),
    .touch_i, .touch_entry_i,
    .near_i(`BREAK == 3 ? '0 : near), .over_i(`BREAK == 3 ? '0 : over), .table_i(entries), .used_i(used),
    .id_spare_i(id_spare),
    .change_i(`BREAK == 4 ? home_take : take), .change_entry_i(entry),
    .offer_o(home_offer), .entry_o(home_entry), .index_o(home_index)
  );

  // ---- candidates are as the table says; moves land
  localparam int unsigned Choose = 7, Offer = 8;     // sluice_remap: StChoose, StOffer
  logic choose;
  assign choose = 32'(u_remap.state_q) == Choose;
  always_comb begin
    for (int unsigned b = 0; b < 2; b++) begin
      if (choose && best_i[b].count != '0) begin
        if (best_i[b].found) begin
          assume (entries[best_i[b].entry].away && !entries[best_i[b].entry].moving
              && entries[best_i[b].entry].row == best_i[b].row
              && entries[best_i[b].entry].home == best_i[b].home);
        end else begin
          for (int unsigned e = 0; e < Relocations; e++)
            assume (!entries[e].valid || entries[e].home != best_i[b].home);
        end
      end
    end
    assume (!landed_i.valid || u_table.id_busy_q[landed_i.id]);
  end

  // ---- quota: entries of the watched module, and since when the quota stands
  localparam int unsigned NumBits = $clog2(Relocations + 1);
  logic [NumBits-1:0] num;
  logic [7:0] quota_q;
  logic       limit, counted, counted_q, stands, stands_q, fits_q;
  always_comb begin
    num = '0;
    for (int unsigned e = 0; e < Relocations; e++)
      num = num + NumBits'(entries[e].valid && entries[e].row == watched_i);
  end
  assign limit   = quota_i != '0;
  // Counted: since it changed. Fits: the offer was chosen then.
  assign counted = counted_q && quota_i == quota_q;
  assign stands  = stands_q && quota_i == quota_q;
  always_ff @(posedge clk_i) quota_q <= quota_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      counted_q <= 1'b1;
      stands_q  <= 1'b1;
      fits_q    <= 1'b0;
    end else begin
      counted_q <= counted || (u_quotas.valid_q && u_quotas.row_q == watched_i);
      if (choose) fits_q <= counted;
      else        fits_q <= fits_q && quota_i == quota_q;
      stands_q  <= stands || (counted && 8'(num) <= quota_i && !choosing);
    end
  end
  logic fits;
  assign fits = fits_q && quota_i == quota_q;
  always_comb if (rst_ni) begin
    Quota_A : assert (!(taken && away_index.row == watched_i && fits && limit) || 8'(num) < quota_i);
    Stands_A : assert (!(stands && limit) || 8'(num) <= quota_i);
  end

  // ---- home: how long the watched entry waits
  logic       idle_q, touched, whole_q, goes, full_q, late_q;
  logic [5:0] wait_q;
  logic [1:0] offered_q;
  relocation_t mine;
  assign mine    = entries[entry_i];
  assign touched = (touch_i && touch_entry_i == entry_i) || (take && entry == entry_i);
  assign goes    = mine.away && !mine.moving && id_spare && !hold_i[mine.row]
      && (!on || recall_i[mine.row] || over[mine.row]
          || (idle_q && (near[mine.row] || full_q)));
  // whole: a window began, and nothing touched the entry since
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      idle_q    <= 1'b0;
      whole_q   <= 1'b0;
      full_q    <= 1'b0;
      wait_q    <= '0;
      offered_q <= '0;
    end else begin
      whole_q   <= (window || whole_q) && !touched;
      idle_q    <= !touched && (idle_q || (window && whole_q));
      full_q    <= 32'(used) >= Relocations - Relocations / 4;
      wait_q    <= !goes || touched || (home_offer && home_entry == entry_i) ? '0 : wait_q + 6'd1;
      offered_q <= home_offer && !home_take ? offered_q + 2'd1 : '0;
    end
  end
  always_comb begin
    assume (!home_offer || offered_q != 2'd3);
    assume (!(home_offer && hold_i[home_index.row]));
    if (rst_ni) Home_A : assert (32'(wait_q) <= MostWait);
  end


  // ---- helpers: table, ids, free entry
  if (`BREAK == 0) begin : gen_steps
  localparam int unsigned Settle = 9, Last = 10;
  logic [4:0] state;
  assign state = 5'(u_remap.state_q);
  always_comb if (rst_ni) begin
    for (int unsigned e = 0; e < Relocations; e++) begin
      assert (entries[e].valid == (entries[e].away || entries[e].moving));
      for (int unsigned f = 0; f < e; f++)
        assert (!entries[e].valid || !entries[f].valid || entries[e].home != entries[f].home);
    end
    for (int unsigned i = 0; i < MoveIds; i++) begin
      assert (!u_table.id_busy_q[i] || entries[u_table.id_entry_q[i]].moving);
      for (int unsigned j = 0; j < i; j++)
        assert (!u_table.id_busy_q[i] || !u_table.id_busy_q[j]
                || u_table.id_entry_q[i] != u_table.id_entry_q[j]);
    end
    assert (32'(state) <= Last);
    assert (!(entry_free && entries[free_entry].valid)
            || (u_table.changed_q && 32'(state) != Choose && 32'(state) != Offer));
    if (32'(state) == Offer) begin
      assert (id_free);
      if (away_index.found) begin
        assert (entries[away_index.entry].away && !entries[away_index.entry].moving
            && entries[away_index.entry].row == away_index.row
            && entries[away_index.entry].home == away_index.home);
      end else begin
        assert (!entries[away_index.entry].valid);
        for (int unsigned e = 0; e < Relocations; e++)
          assert (!entries[e].valid || entries[e].home != away_index.home);
      end
    end
  end

  // ---- helpers: quota
  logic wants;                           // an entry for the watched module
  assign wants = 32'(state) == Offer && !away_index.found && away_index.row == watched_i;
  always_comb if (rst_ni) begin
    assert (!(u_quotas.valid_q && u_quotas.row_q == watched_i) || NumBits'(u_quotas.num) >= num);
    assert (!(counted && limit && !full[watched_i]) || 8'(num) < quota_i);
    assert (!(wants && (fits || stands) && limit) || 8'(num) < quota_i);
    assert (!stands || counted);
  end

  // ---- helpers: home. rest: cycles that the watched entry waits for at most from here on
  localparam logic [1:0] Judge = 2'd1, Offered = 2'd2;
  logic [EntryIdxBits-1:0] ahead;       // entries before it
  logic [5:0]              here, rest;
  relocation_t             looked;
  assign ahead = entry_i - home_entry;
  assign looked = entries[home_entry];
  always_comb begin
    case (u_home.state_q)
      Judge:   here = u_home.index_q.away && !u_home.index_q.moving ? 6'd6 : 6'd1;
      Offered: here = 6'd5 - 6'(offered_q);
      default: here = looked.moving ? 6'd2 : 6'd7;
    endcase
    rest = ahead != '0 ? here + 6'd7 * (6'(ahead) - 6'd1) + 6'd2
         : u_home.state_q == Judge ? 6'd1 : u_home.state_q == Offered ? 6'd0 : 6'd2;
  end
  always_comb if (rst_ni) begin
    assert (u_home.state_q <= Offered && u_home.full_q == full_q);
    assert (!whole_q || !u_home.touched_q[entry_i]);
    assert (!idle_q || (whole_q && u_home.idle_q[entry_i]));
    if (u_home.state_q == Judge)
      assert (!(u_home.index_q.away && !u_home.index_q.moving) || looked == u_home.index_q);
    if (u_home.state_q == Judge && ahead == '0 && wait_q != '0)
      assert (looked == u_home.index_q);
    if (home_offer) assert (looked == u_home.index_q && looked.away && !looked.moving);
    assert (u_home.state_q != Judge || offered_q == '0);
    assert (offered_q != 2'd3 || !home_offer);
    assert (wait_q == '0 || 32'(wait_q) + 32'(rest) <= MostWait);
  end
  end : gen_steps

  always_ff @(posedge clk_i) if (rst_ni) begin
    Full_C : cover (stands && limit && 8'(num) == quota_i && num == 3'd2 && home_take);
    Waited_C : cover (32'(wait_q) == 10 && goes);
  end

  logic unused_bits;
  assign unused_bits = ^{away_from, away_to, some};
endmodule : proof_quotas
