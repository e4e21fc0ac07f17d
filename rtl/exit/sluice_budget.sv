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

  // ---- the bucket that is seen to: its entry comes a cycle after its number. The copy of the
  // table that answers control is another one. The sweep after reset writes the table, which must
  // not be read meanwhile (sluice_table): the first entry is read in the first cycle behind it, and
  // is there (came_q) in the second.
  overlay_t     next_q, turn_q;
  logic         came_q;
  recirculate_t entry;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      next_q <= '0;
      came_q <= 1'b0;
    end else begin
      next_q <= next_q + 1'b1;
      came_q <= settings_i.ready;
    end
  end
  always_ff @(posedge clk_i) turn_q <= next_q;
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
  assign most        = {entry.burst, 8'd0};
  assign level       = level_q[turn_q];
  assign sum         = 17'(level) + 17'(entry.rate);
  assign sum_less    = 17'(level - 16'd256) + 17'(entry.rate);  // of a bucket that has a token
  assign filled      = sum > 17'(most) ? most : sum[15:0];
  assign filled_less = sum_less > 17'(most) ? most : sum_less[15:0];
  for (genvar e = 0; e < Entries; e++) begin : gen_bucket
    assign has_token[e] = level_q[e][15:8] != '0;
    assign takes[e] = want_i && row_i == overlay_t'(e) && has_token[e]
                   && !settings_i.fault[FaultTokenFree];
    assign left[e]  = takes[e] ? level_q[e] - 16'd256 : level_q[e];
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) level_q[e] <= '0;
      else         level_q[e] <= !(came_q && turn_q == overlay_t'(e)) ? left[e]
                             : takes[e] ? filled_less : filled;
    end
  end
  assign paid_o = has_token[row_i];

`ifdef SLUICE_SIM
  // The bucket that was seen to in the cycle before. Not $past: its values have the
  // instance's full name (tb/sluice/shared_modules).
  logic     had_come_q;
  overlay_t last_turn_q;
  level_t   last_most_q;
  always_ff @(posedge clk_i) begin
    had_come_q  <= came_q;
    last_turn_q <= turn_q;
    last_most_q <= most;
  end
  `SLUICE_ASSERT(AtMostBurst_A, !had_come_q || level_q[last_turn_q] <= last_most_q)
`endif
endmodule : sluice_budget
