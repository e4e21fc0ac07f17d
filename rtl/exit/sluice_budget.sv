// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Buckets of tokens of one lane, one for each entry of RECIRCULATE (docs/machine.md,
/// Recirculation): a packet takes a token, or has none.
/// The answer comes in the cycle of the question; one packet a cycle. A bucket is seen to once in
/// as many cycles as there are entries, in their order: RATE is added, up to BURST tokens.
/// Example, 64 entries: {BURST 2, RATE 128} gives half a token in 64 cycles. From a full bucket
/// packets of cycles 0, 1 and 2 find a token, a token and none; one 128 cycles later finds one.
/// Levels are in 1/256 tokens, so a bucket has one when a bit above the lowest eight is 1.
/// Reset: all buckets are empty.
/// Invariant: no bucket holds more than BURST tokens of the entry as it was last looked at, or less
/// than none.
module sluice_budget
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_ctrl_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  input  pipe_t          lane_i,
  input  exit_settings_t settings_i,
  input  logic           want_i,
  input  overlay_t       row_i,
  output logic           paid_o,
  // table
  input  table_write_t   write_i,
  input  table_read_t    read_i
);
  localparam int unsigned Entries = 1 << $bits(overlay_t);
  typedef logic [15:0] level_t;

  // ---- the bucket that is seen to: its entry comes a cycle after its number, and goes into a
  // register. The copy of the table that answers control is another one. The sweep after reset
  // writes the table, which must not be read meanwhile (sluice_table): the first entry is read in
  // the first cycle behind it, is there (came_q) in the second, and its bucket is seen to (sees_q)
  // in the third.
  overlay_t     next_q, come_turn_q;
  logic [Entries-1:0] turn_q;                // of the bucket that is seen to, its bit is 1
  logic         came_q, sees_q;
  recirculate_t entry, entry_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      next_q <= '0;
      came_q <= 1'b0;
      sees_q <= 1'b0;
    end else begin
      next_q <= next_q + 1'b1;
      came_q <= settings_i.ready;
      sees_q <= came_q;
    end
  end
  always_ff @(posedge clk_i) begin
    come_turn_q <= next_q;
    turn_q      <= Entries'(1) << come_turn_q;
    entry_q     <= entry;
  end
  sluice_config_table #(.Which(TableRecirculate)) u_entries (
    .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .copy_i(lane_i), .re_i(settings_i.ready), .row_i(next_q), .entry_o(entry),
    .write_i, .read_i, .answer_o()
  );

  // ---- levels. Whether a packet wants a token is known last, so the bucket whose turn it is has
  // been filled both ways by then.
  level_t [Entries-1:0] level_q, left;      // left: behind the packet of this cycle
  logic   [Entries-1:0] has_token, takes;
  level_t               most, level, filled, filled_less;
  logic   [16:0]        sum, sum_less;
  assign most        = {entry_q.burst, 8'd0};
  always_comb begin
    level = '0;
    for (int unsigned e = 0; e < Entries; e++) level |= turn_q[e] ? level_q[e] : '0;
  end
  assign sum         = 17'(level) + 17'(entry_q.rate);
  assign sum_less    = sum - 17'd256;            // of a bucket that has a token
  assign filled      = sum > 17'(most) ? most : sum[15:0];
  assign filled_less = sum > 17'(most) + 17'd256 ? most : sum_less[15:0];
  for (genvar e = 0; e < Entries; e++) begin : gen_bucket
    assign has_token[e] = level_q[e][15:8] != '0;
    assign takes[e] = want_i && row_i == overlay_t'(e) && has_token[e]
                   && !settings_i.fault[FaultTokenFree];
    assign left[e]  = takes[e] ? level_q[e] - 16'd256 : level_q[e];
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) level_q[e] <= '0;
      else         level_q[e] <= !(sees_q && turn_q[e]) ? left[e]
                             : takes[e] ? filled_less : filled;
    end
  end
  assign paid_o = has_token[row_i];

`ifdef SLUICE_SIM
  // The bucket that was seen to in the cycle before. Not $past: its values have the
  // instance's full name (tb/sluice/shared_modules).
  logic     had_seen_q;
  overlay_t seen_turn_q, last_turn_q;
  level_t   last_most_q;
  always_ff @(posedge clk_i) begin
    had_seen_q  <= sees_q;
    seen_turn_q <= come_turn_q;
    last_turn_q <= seen_turn_q;
    last_most_q <= most;
  end
  `SLUICE_ASSERT(AtMostBurst_A, !had_seen_q || level_q[last_turn_q] <= last_most_q)
`endif
endmodule : sluice_budget
