// SPDX-License-Identifier: Apache-2.0

/// Moves of one back stage: relocation table, access counts, and the remap that reads the one and
/// changes the other. Timing: see sluice_moves.
module sluice_stage_moves
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
#(
  localparam int unsigned EntryIdxBits = $clog2(Relocations)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  settings_t                  settings_i,
  // lanes: homes, and where their indices live
  input  place_t      [NumPipes-1:0] home_i,
  output place_t      [NumPipes-1:0] place_o,
  // the cycle after the decision
  input  logic        [NumPipes-1:0] admitted_i,
  input  resolution_t [NumPipes-1:0] access_i,
  input  logic        [NumPipes-1:0] pinned_i,
  input  pipe_t                      lane_i,      // lane that is sampled
  // a move is decided in this cycle
  input  logic                       turn_i,
  output logic                       take_o,
  output logic [MoveIdBits-1:0]      id_o,
  output place_t                     from_o,
  output place_t                     to_o,
  input  landed_t                    landed_i,
  output logic [EntryIdxBits:0]      used_o,
  output logic                       scan_o       // a scan for moves begins
);
  localparam int unsigned LoadBits = 24;

  relocation_t [Relocations-1:0]           entries;
  logic   [1:0]                            found, moving, scan_valid;
  logic   [1:0][EntryIdxBits-1:0]          found_entry;
  pipe_t  [1:0]                            found_pipe;
  place_t [1:0]                            scan_home;
  logic   [1:0][AccessCountBits-1:0]             scan_count;
  logic                                    entry_free, id_free, offer, enable, shift, halve_loads;
  logic                                    start, clear, halve, busy;
  logic        [EntryIdxBits-1:0]          free_entry, entry;
  place_t                                  home;
  logic [NumPipes-1:0][LoadBits-1:0]       load;
  logic [LoadBits-1:0]                     amount;

  assign take_o = offer && turn_i;
  assign scan_o = start && !clear;

  sluice_relocations u_relocations (
    .clk_i, .rst_ni, .home_i, .place_o,
    .scan_home_i   (scan_home),
    .scan_found_o  (found),
    .scan_entry_o  (found_entry),
    .scan_moving_o (moving),
    .scan_pipe_o   (found_pipe),
    .table_o       (entries),
    .used_o,
    .change_i      (take_o),
    .change_entry_i(entry),
    .change_home_i (home),
    .change_to_i   (to_o.pipe),
    .entry_free_o  (entry_free),
    .entry_o       (free_entry),
    .id_free_o     (id_free),
    .id_o, .landed_i
  );

  sluice_access_counts u_counts (
    .clk_i, .rst_ni,
    .enable_i      (enable),
    .turn_i        (lane_i),
    .admitted_i, .access_i, .pinned_i,
    .table_i       (entries),
    .load_o        (load),
    .shift_i       (shift),
    .shift_from_i  (from_o.pipe),
    .shift_to_i    (to_o.pipe),
    .shift_amount_i(amount),
    .halve_loads_i (halve_loads),
    .start_i       (start),
    .clear_i       (clear),
    .halve_i       (halve),
    .busy_o        (busy),
    .scan_valid_o  (scan_valid),
    .scan_home_o   (scan_home),
    .scan_count_o  (scan_count)
  );

  sluice_remap u_remap (
    .clk_i, .rst_ni, .settings_i,
    .enable_o     (enable),
    .load_i       (load),
    .halve_loads_o(halve_loads),
    .amount_o     (amount),
    .shift_o      (shift),
    .start_o      (start),
    .clear_o      (clear),
    .halve_o      (halve),
    .busy_i       (busy),
    .scan_valid_i (scan_valid),
    .scan_home_i  (scan_home),
    .scan_count_i (scan_count),
    .found_i      (found),
    .entry_i      (found_entry),
    .moving_i     (moving),
    .pipe_i       (found_pipe),
    .table_i      (entries),
    .entry_free_i (entry_free),
    .free_entry_i (free_entry),
    .id_free_i    (id_free),
    .offer_o      (offer),
    .take_i       (take_o),
    .offer_entry_o(entry),
    .offer_home_o (home),
    .offer_from_o (from_o),
    .offer_to_o   (to_o)
  );
endmodule : sluice_stage_moves
