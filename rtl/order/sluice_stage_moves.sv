// SPDX-License-Identifier: Apache-2.0

/// Moves of one back stage: relocation table, access counts, and what reads the one and changes the
/// other: the remap, which sends busy indices away, and the homecoming, which sends them home.
/// Timing: see sluice_moves.
module sluice_stage_moves
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
#(
  localparam int unsigned EntryIdxBits = $clog2(Relocations)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  move_settings_t             settings_i,
  // lanes: homes, and where their indices live
  input  place_t      [NumPipes-1:0] home_i,
  output place_t      [NumPipes-1:0] place_o,
  // the cycle after the decision
  input  admitted_access_t [NumPipes-1:0] access_i,
  input  pipe_t                      lane_i,      // lane that is sampled
  // a move is decided in this cycle
  input  logic                       turn_i,
  output logic                       want_o,      // there is one to be decided; take_o with turn_i
  input  logic      [NumModules-1:0] hold_rows_i, // no index of these modules begins a move
  input  logic      [NumModules-1:0] cut_rows_i,  // modules of a cut: a cycle later in hold_rows_i
  output logic                       cut_moving_o,// an index of one is under way: 1 cycle behind
  // homes may be other modules' now: counts start anew
  input  logic                       forget_i,
  output logic                       take_o,
  output move_offer_t                offer_o,
  input  landed_t                    landed_i,
  output logic [EntryIdxBits:0]      used_o,
  input  row_t                       away_row_i,
  output logic                       away_o,      // that module has entries: 1 cycle behind
  // modules that have entries: see sluice_move_quotas
  output logic      [NumModules-1:0] away_rows_o,
  output logic                       scan_o,      // a scan for moves begins
  // a mark: see sluice_marks
  input  place_t                     mark_home_i,
  output place_t                     mark_place_o,
  output logic                       mark_moving_o
);
  localparam int unsigned LoadBits = 24;

  // ---- the two that offer moves; of the remap first
  logic        away_offer, away_take, home_offer, home_take, choosing, id_free;
  candidate_t  away_index;
  relocation_t home_index;
  place_t      away_from, away_to, home_from;
  logic [EntryIdxBits-1:0] home_entry, entry;
  row_t        row;
  place_t      home;
  logic        home_want;
  move_id_t    id;
  assign home_want = home_offer && !choosing && id_free && !hold_rows_i[home_index.row];
  assign away_take = away_offer && turn_i;
  assign home_take = home_want && turn_i;
  assign want_o    = away_offer || home_want;
  assign home_from = '{pipe: home_index.pipe, slot: slot_t'(SlotsPerPipe) + slot_t'(home_entry)};
  assign take_o    = away_take || home_take;
  assign entry     = away_offer ? away_index.entry : home_entry;
  assign row       = away_offer ? away_index.row : home_index.row;
  assign home      = away_offer ? away_index.home : home_index.home;
  assign offer_o   = '{id: move_name_t'(id), from: away_offer ? away_from : home_from,
      to: away_offer ? away_to : home_index.home};

  // ---- table
  relocation_t [Relocations-1:0]           entries;
  logic   [1:0]                            found, moving, scan_valid;
  logic   [1:0][EntryIdxBits-1:0]          found_entry;
  pipe_t  [1:0]                            found_pipe;
  place_t [1:0]                            scan_home;
  row_t   [1:0]                            scan_row;
  count_entry_t [1:0]                      scanned;
  logic                                    entry_free, id_spare;
  logic   [EntryIdxBits-1:0]               free_entry;
  sluice_relocations u_relocations (
    .clk_i, .rst_ni, .home_i, .place_o,
    .scan_home_i   (scan_home),
    .scan_found_o  (found),
    .scan_entry_o  (found_entry),
    .scan_moving_o (moving),
    .scan_pipe_o   (found_pipe),
    .mark_home_i, .mark_place_o, .mark_moving_o,
    .table_o       (entries),
    .used_o, .away_row_i, .away_o,
    .change_i      (take_o),
    .change_entry_i(entry),
    .change_row_i  (row),
    .change_home_i (home),
    .change_to_i   (offer_o.to.pipe),
    .entry_free_o  (entry_free),
    .entry_o       (free_entry),
    .id_free_o     (id_free),
    .id_spare_o    (id_spare),
    .cut_rows_i, .cut_moving_o,
    .id_o          (id),
    .landed_i
  );

  // ---- counts
  logic                              busy, touch;
  count_control_t                    control;
  logic [RelocationBits-1:0]         touch_entry;
  logic [NumPipes-1:0][LoadBits-1:0] load;
  logic [LoadBits-1:0]               amount;
  sluice_access_counts u_counts (
    .clk_i, .rst_ni,
    .control_i     (control),
    .turn_i        (lane_i),
    .access_i,
    .table_i       (entries),
    .touch_o       (touch),
    .touch_entry_o (touch_entry),
    .load_o        (load),
    .shift_i       (away_take),
    .shift_from_i  (away_from.pipe),
    .shift_to_i    (away_to.pipe),
    .shift_amount_i(amount),
    .busy_o        (busy),
    .scan_valid_o  (scan_valid),
    .scan_o        (scanned)
  );
  assign scan_o = control.start && !control.clear;

  // ---- which modules may move
  logic [NumModules-1:0] full, near, over, recall, barred;
  assign recall = settings_i.bitmap | settings_i.recall;
  assign barred = recall | hold_rows_i;
  logic [1:0]            first;
  pipe_t                 high, set;
  sluice_move_quotas u_quotas (
    .clk_i, .rst_ni,
    .quota_i(settings_i.move_quota),
    .table_i(entries),
    .taken_i(away_take && !away_index.found),
    .row_i  (away_index.row),
    .full_o (full),
    .near_o (near),
    .over_o (over),
    .some_o (away_rows_o)
  );
  sluice_move_turns u_turns (
    .clk_i, .rst_ni,
    .set_i      (set),
    .row_i      (scan_row),
    .first_o    (first),
    .moved_i    (away_take),
    .moved_row_i(away_index.row)
  );

  // ---- away
  logic                       on, window, scan;
  logic [AccessCountBits-1:0] limit, worth;
  candidate_t [1:0]           seen, best;
  for (genvar b = 0; b < 2; b++) begin : gen_bank
    assign scan_home[b] = scanned[b].home;
    assign scan_row[b]  = scanned[b].row;
    assign seen[b] = '{first: first[b], found: found[b], entry: found_entry[b], row: scan_row[b],
                       home: scan_home[b], count: scanned[b].count};
    sluice_move_candidate u_candidate (
      .clk_i, .rst_ni,
      .start_i     (scan),
      .valid_i     (scan_valid[b]),
      .scan_i      (seen[b]),
      .moving_i    (moving[b]),
      .high_i      (found_pipe[b] == high),
      .allowed_i   (!barred[scan_row[b]] && (found[b] || !full[scan_row[b]])),
      .limit_i     (limit),
      .worth_i     (worth),
      .sent_i      (home_take),
      .sent_entry_i(home_entry),
      .best_o      (best[b])
    );
  end

  sluice_remap u_remap (
    .clk_i, .rst_ni, .settings_i, .forget_i,
    .barred_i     (barred),
    .on_o         (on),
    .window_o     (window),
    .counts_o     (control),
    .load_i       (load),
    .amount_o     (amount),
    .busy_i       (busy),
    .high_o       (high),
    .set_o        (set),
    .limit_o      (limit),
    .worth_o      (worth),
    .scan_o       (scan),
    .best_i       (best),
    .full_i       (full),
    .entry_free_i (entry_free),
    .free_entry_i (free_entry),
    .id_free_i    (id_free),
    .choosing_o   (choosing),
    .offer_o      (away_offer),
    .take_i       (away_take),
    .offer_index_o(away_index),
    .offer_from_o (away_from),
    .offer_to_o   (away_to)
  );

  // ---- home
  sluice_homecoming u_homecoming (
    .clk_i, .rst_ni,
    .recall_i      (recall),
    .hold_rows_i,
    .on_i          (on),
    .window_i      (window),
    .touch_i       (touch),
    .touch_entry_i (touch_entry),
    .near_i        (near),
    .over_i        (over),
    .table_i       (entries),
    .used_i        (used_o),
    .id_spare_i    (id_spare),
    .change_i      (take_o),
    .change_entry_i(entry),
    .offer_o       (home_offer),
    .entry_o       (home_entry),
    .index_o       (home_index)
  );
endmodule : sluice_stage_moves
