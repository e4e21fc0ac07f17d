// SPDX-License-Identifier: Apache-2.0

/// The index of one bank of the access counts that a scan finds best to move: of those that live in
/// the most loaded pipeline, do not move, fit what may move, and whose module may have it, one of a
/// module that has not had its turn if its count is worth one, and of those the busiest.
/// Example, limit 60, worth 4: counts 70, 50 (module 5), 20 and 3 (module 3, whose turn it is): 20
/// is best.
/// Latency: what is scanned in cycle t shows in t + 2; one a cycle.
/// Invariant: `best_o` does not move. What is sent home meanwhile is taken out.
module sluice_move_candidate
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
(
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       start_i,        // of a scan: nothing was found
  input  logic                       valid_i,
  input  candidate_t                 scan_i,
  input  logic                       moving_i,
  input  logic                       high_i,         // it lives in the most loaded pipeline
  // its module may move it, and have an entry if it needs one
  input  logic                       allowed_i,
  input  logic [AccessCountBits-1:0] limit_i,        // of a count
  input  logic [AccessCountBits-1:0] worth_i,        // count that is worth a turn
  // an index is sent home
  input  logic                       sent_i,
  input  logic [RelocationBits-1:0]  sent_entry_i,
  output candidate_t                 best_o          // count 0: none
);
  logic       fits_q, sent_scan, sent_seen, sent_best, better;
  candidate_t seen_q;
  assign sent_scan = sent_i && scan_i.found && scan_i.entry == sent_entry_i;
  assign sent_seen = sent_i && seen_q.found && seen_q.entry == sent_entry_i;
  assign sent_best = sent_i && best_o.found && best_o.entry == sent_entry_i;
  assign better    = {seen_q.first, seen_q.count} > {best_o.first, best_o.count};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fits_q <= 1'b0;
      best_o <= '0;
    end else begin
      fits_q <= valid_i && !moving_i && high_i && allowed_i && !sent_scan
             && scan_i.count <= limit_i && scan_i.count != '0;
      if (start_i || sent_best)                best_o <= '0;
      else if (fits_q && !sent_seen && better) best_o <= seen_q;
    end
  end
  always_ff @(posedge clk_i) begin
    seen_q       <= scan_i;
    seen_q.first <= scan_i.first && scan_i.count >= worth_i;
  end
endmodule : sluice_move_candidate
