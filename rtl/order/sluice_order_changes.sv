// SPDX-License-Identifier: Apache-2.0

/// What changes between packets, at a place in their order: moves of indices and marks
/// (sluice_moves), cuts (sluice_cut), guarded flips (sluice_flip_guard). Each takes effect between
/// two tickets: all packets before are resolved as it was, all behind as it is then.
/// Example: packets with the tickets 100 and 101 are on admitted_i. A move that leaves on move_o in
/// this cycle has the tag of ticket 102: accesses of 100 and 101 go to the old place of its index,
/// those of 102 to the new one.
/// Latency: of the parts, see there; place_o in the cycle of home_i. Every cycle; nothing stalls
/// packets. Reset: every index is at home, no cut, no flip.
/// Invariant: of all changes in one cycle each sees the same after_tag_i.
module sluice_order_changes
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_probe_pkg::*;
(
  input  logic                                        clk_i,
  input  logic                                        rst_ni,
  input  order_settings_t                             settings_i,
  input  move_settings_t                              moves_i,
  // resolution, see sluice_moves
  input  place_t      [NumPipes-1:0][StateStages-1:0] home_i,
  output place_t      [NumPipes-1:0][StateStages-1:0] place_o,
  output patch_t                                      patch_o,
  // the cycle after the decision: packets that are admitted, and what is behind them
  input  admitted_t   [NumPipes-1:0]                  admitted_i,
  input  tag_t                                        after_tag_i,
  input  logic        [31:0]                          next_ticket_i,  // ... a cycle later
  input  tag_t                                        oldest_i,
  // moves and marks
  output move_t                                       move_o,
  input  landed_t     [StateStages-1:0]               landed_i,
  input  mark_request_t [StateStages-1:0]             mark_i,
  output mark_event_t                                 mark_event_o,
  output logic                                        relocated_o,    // indices are not at home
  // tables, see sluice_commit: which indices stay, which modules' are away
  input  logic [StateStages-1:0][NumModules-1:0]      hold_rows_i,
  input  logic        [StateStages-1:0]               forget_i,
  input  row_t                                        away_row_i,
  output logic        [StateStages-1:0]               away_o,
  input  chip_busy_t                                  busy_i,
  // cuts
  output cut_t                                        cut_o,
  output logic        [NumModules-1:0]                cut_rows_o,
  output cut_status_t                                 cut_status_o,
  output cut_event_t                                  cut_event_o,
  // guarded flips
  output flip_t                                       flip_o,
  output logic        [NumModules-1:0]                turn_o,
  output probe_flip_t                                 probe_flip_o,
  // registers
  input  csr_req_t                                    csr_req_i,
  output csr_rsp_t                                    csr_rsp_o
);
  // ---- moves, marks
  logic     cut_moving;
  csr_rsp_t moves_rsp, flip_rsp;
  sluice_moves u_moves (
    .clk_i, .rst_ni, .settings_i(moves_i),
    .home_i, .place_o, .patch_o,
    .admitted_i,
    .tag_i       (after_tag_i),
    .next_ticket_i,
    .move_o, .landed_i,
    .request_i   (mark_i),
    .event_o     (mark_event_o),
    .hold_rows_i,
    .cut_rows_i  (cut_rows_o),
    .cut_moving_o(cut_moving),
    .forget_i,
    .away_row_i, .away_o, .relocated_o,
    .csr_req_i,
    .csr_rsp_o   (moves_rsp)
  );

  // ---- cuts
  sluice_cut u_cut (
    .clk_i, .rst_ni, .want_i(settings_i.cut), .chain_busy_i(busy_i.chain),
    .after_tag_i, .next_ticket_i, .oldest_i,
    .cut_o, .busy_i(busy_i.cut), .rows_o(cut_rows_o), .moving_i(cut_moving),
    .status_o(cut_status_o), .event_o(cut_event_o)
  );

  // ---- guarded flips
  sluice_flip_guard u_flip (
    .clk_i, .rst_ni, .settings_i, .ctl_busy_i(busy_i.ctl), .inside_bank_i(busy_i.inside_bank),
    .cut_i(cut_event_o), .mark_i(mark_event_o), .cut_ticket_i(cut_status_o.ticket),
    .next_ticket_i, .admitted_i,
    .flip_o, .turn_o, .probe_o(probe_flip_o), .csr_req_i, .csr_rsp_o(flip_rsp)
  );
  assign csr_rsp_o = moves_rsp | flip_rsp;
endmodule : sluice_order_changes
