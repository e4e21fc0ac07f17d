// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Decides which indices of one back stage change their pipeline (docs/moves.md; the remap of MP5,
/// here without a stop).
///
/// A round: find the most and the least loaded pipeline; scan the access counts for the busiest
/// index of each of two banks that lives in the most loaded one, does not move, and whose estimate
/// is at most 3/4 of the difference; offer the two, the busier one first, the other only if it fits
/// what is left. Counts and loads are halved with one round in four. With `move_period` 0 no round
/// begins, and what is away is offered a move home, entry by entry.
/// With several sets of pipelines (docs/logical.md) a round looks at one of them; they take turns.
/// Throughput: one round takes the scan and about NumPipes + 12 cycles, or `move_period`.
/// Invariant: an offer names an index that is not moving, and a place that nobody has.
module sluice_remap
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
#(
  localparam int unsigned LoadBits     = 24,
  localparam int unsigned EntryIdxBits = $clog2(Relocations)
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  settings_t                           settings_i,
  // access counts
  output logic                                enable_o,
  input  logic   [NumPipes-1:0][LoadBits-1:0] load_i,
  output logic                                halve_loads_o,
  output logic   [LoadBits-1:0]               amount_o,          // of the move that is taken
  output logic                                shift_o,
  output logic                                start_o,
  output logic                                clear_o,
  output logic                                halve_o,
  input  logic                                busy_i,
  input  logic   [1:0]                        scan_valid_i,
  input  place_t [1:0]                        scan_home_i,
  input  logic   [1:0][AccessCountBits-1:0]         scan_count_i,
  // relocation table: the entries for scan_home_i, all entries, what is free
  input  logic   [1:0]                        found_i,
  input  logic   [1:0][EntryIdxBits-1:0]      entry_i,
  input  logic   [1:0]                        moving_i,
  input  pipe_t  [1:0]                        pipe_i,
  input  relocation_t [Relocations-1:0]       table_i,
  input  logic                                entry_free_i,
  input  logic   [EntryIdxBits-1:0]           free_entry_i,
  input  logic                                id_free_i,
  // a move, offered until taken or withdrawn
  output logic                                offer_o,
  input  logic                                take_i,
  output logic   [EntryIdxBits-1:0]           offer_entry_o,
  output place_t                              offer_home_o,
  output place_t                              offer_from_o,
  output place_t                              offer_to_o
);
  localparam int unsigned PipeShift = $clog2(NumPipes);
  localparam logic [AccessCountBits-1:0] MostCount =
    AccessCountBits'((1 << AccessCountBits) - 2);

  typedef enum logic [3:0] {
    StRest, StRecall, StClear, StWait, StMeasure, StWeigh, StScan, StFlush, StChoose, StOffer,
    StNext
  } state_e;

  typedef struct packed {
    logic                    found;
    logic [EntryIdxBits-1:0] entry;
    place_t                  home;
    logic [AccessCountBits-1:0]    count;      // 0: none
  } candidate_t;

  state_e              state_q;
  logic                on, recall_q, bank_q, second_q;   // second: of the banks
  logic [1:0]          round_q, flush_q;
  logic [15:0]         timer_q;
  logic [LoadBits-1:0] threshold_q;
  // Without phantoms nothing tells an access from a packet that passes, so all stay at home.
  assign on = settings_i.move_period != '0 && !settings_i.mode.no_phantoms;

  // What a move must gain: the loads stand for about 3 periods (see docs/blocks/sluice_remap.md).
  always_ff @(posedge clk_i)
    threshold_q <= (LoadBits'(settings_i.move_period) * LoadBits'(settings_i.move_least)) >> 5;

  // ---- most and least loaded pipeline, one looked at a cycle
  pipe_t               look_q, hi_q, lo_q;
  pipe_t               turn_q;           // a pipeline of the set whose turn it is
  logic                member, first_q;  // nothing of the set seen before
  logic [LoadBits-1:0] load, most_q, least_q, half_q;
  logic [AccessCountBits-1:0] limit_q;         // of a count
  assign load   = load_i[look_q];
  assign member = ((look_q ^ turn_q) & settings_i.set_mask) == '0;

  // What may move: with 3/4 of the difference its sign changes and a half is left. Half of it would
  // leave two very busy indices together for ever, once all others have gone.
  logic [LoadBits-1:0] most_move_q, share;   // share: of it, in counts
  assign share = most_move_q >> PipeShift;

  // ---- candidates: one of the scan, and the best of each bank
  candidate_t [1:0] seen_q, best_q;
  logic       [1:0] fits_q;
  for (genvar b = 0; b < 2; b++) begin : gen_bank
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        fits_q[b] <= 1'b0;
        best_q[b] <= '0;
      end else begin
        fits_q[b] <= scan_valid_i[b] && !moving_i[b] && pipe_i[b] == hi_q
                  && scan_count_i[b] <= limit_q;
        if (state_q == StWeigh) best_q[b] <= '0;
        else if (fits_q[b] && seen_q[b].count > best_q[b].count) best_q[b] <= seen_q[b];
      end
    end
    always_ff @(posedge clk_i)
      seen_q[b] <= '{found: found_i[b], entry: entry_i[b], home: scan_home_i[b],
                     count: scan_count_i[b]};
  end

  // ---- choice: of the bank whose turn it is, or what is to come home
  candidate_t              best;
  logic [LoadBits-1:0]     estimate;
  logic                    worth;
  logic [EntryIdxBits-1:0] recall_idx_q;
  relocation_t             recall_entry_q;
  place_t                  spare_from, spare_to;
  assign best     = best_q[bank_q];
  assign estimate = LoadBits'(best.count) << PipeShift;
  assign worth    = best.count != '0 && estimate <= most_move_q && half_q >= threshold_q
                 && id_free_i && (best.found || entry_free_i);

  logic [EntryIdxBits-1:0] entry;
  assign entry      = best.found ? best.entry : free_entry_i;
  assign spare_from = '{pipe: hi_q, slot: slot_t'(SlotsPerPipe) + slot_t'(best.entry)};
  assign spare_to   = '{pipe: lo_q, slot: slot_t'(SlotsPerPipe) + slot_t'(entry)};

  always_ff @(posedge clk_i) begin
    if (state_q == StChoose) begin
      offer_entry_o <= entry;
      offer_home_o  <= best.home;
      offer_from_o  <= best.found ? spare_from : best.home;
      offer_to_o    <= lo_q == best.home.pipe ? best.home : spare_to;
      amount_o      <= estimate;
    end
    if (state_q == StRecall) begin
      offer_entry_o <= recall_idx_q;
      offer_home_o  <= recall_entry_q.home;
      offer_from_o  <= '{pipe: recall_entry_q.pipe,
                         slot: slot_t'(SlotsPerPipe) + slot_t'(recall_idx_q)};
      offer_to_o    <= recall_entry_q.home;
      amount_o      <= '0;
    end
  end

  // A move away is withdrawn when the period has become 0.
  assign offer_o = state_q == StOffer && (recall_q || on);

  // ---- rounds
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q      <= StRest;
      recall_q     <= 1'b0;
      bank_q       <= 1'b0;
      second_q     <= 1'b0;
      round_q      <= '0;
      turn_q       <= '0;
      flush_q      <= '0;
      timer_q      <= '0;
      recall_idx_q <= '0;
    end else begin
      if (timer_q != '1) timer_q <= timer_q + 1'b1;
      case (state_q)
        StRest: begin
          recall_q <= 1'b1;
          if (on) state_q <= StClear;
          else if (table_i[recall_idx_q].valid) state_q <= StRecall;
          else recall_idx_q <= recall_idx_q + 1'b1;
        end
        StRecall: begin
          if (recall_entry_q.away && !recall_entry_q.moving && id_free_i) state_q <= StOffer;
          else begin
            recall_idx_q <= recall_idx_q + 1'b1;
            state_q      <= StRest;
          end
        end
        StClear: begin
          recall_q <= 1'b0;
          if (!busy_i) state_q <= StWait;
        end
        StWait: if (timer_q >= settings_i.move_period) begin
          timer_q <= 16'd1;
          round_q <= round_q + 1'b1;
          turn_q  <= turn_q + 1'b1;
          state_q <= StMeasure;
        end
        StMeasure: if (look_q == pipe_t'(NumPipes - 1)) state_q <= StWeigh;
        StWeigh:   state_q <= StScan;
        StScan: if (!busy_i) begin
          flush_q <= '0;
          state_q <= StFlush;
        end
        StFlush: begin
          flush_q  <= flush_q + 1'b1;
          bank_q   <= best_q[1].count > best_q[0].count;
          second_q <= 1'b0;
          if (flush_q == 2'd2) state_q <= StChoose;
        end
        StChoose: state_q <= worth ? StOffer : StNext;
        StOffer:  if (take_i || !offer_o) state_q <= recall_q ? StRest : StNext;
        StNext: begin
          bank_q   <= !bank_q;
          second_q <= 1'b1;
          state_q  <= second_q ? StWait : StChoose;
        end
        default: state_q <= StRest;
      endcase
      if (!recall_q && !on) state_q <= StRest;
    end
  end

  always_ff @(posedge clk_i) begin
    recall_entry_q <= table_i[recall_idx_q];
    look_q         <= state_q == StMeasure ? look_q + 1'b1 : '0;
    first_q        <= state_q != StMeasure || (first_q && !member);
    if (state_q == StMeasure && member) begin
      if (first_q || load > most_q)  {hi_q, most_q}  <= {look_q, load};
      if (first_q || load < least_q) {lo_q, least_q} <= {look_q, load};
    end
    if (state_q == StWeigh)
      half_q <= (most_q - least_q) >> 1;
    else if (take_i)
      half_q <= half_q > amount_o ? half_q - amount_o : '0;
    most_move_q <= half_q + (half_q >> 1);
    // A count that is full stands for any number: it never fits.
    limit_q <= share >= LoadBits'(MostCount) ? MostCount : AccessCountBits'(share);
  end

  assign enable_o      = on && state_q != StRest && state_q != StClear && !recall_q;
  assign clear_o       = state_q == StClear || state_q == StRest;
  assign start_o       = (state_q == StRest && on) || state_q == StWeigh;
  assign halve_o       = state_q == StScan && round_q == '0;
  assign halve_loads_o = state_q == StNext && second_q && round_q == '0;
  assign shift_o       = take_i && !recall_q;

  `SLUICE_ASSERT(TakenWhenOffered_A, !take_i || offer_o)

  logic unused_bits;
  assign unused_bits = ^{settings_i, recall_entry_q};
endmodule : sluice_remap
