// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Decides which indices of one back stage leave for another pipeline (docs/moves.md; the remap of
/// MP5, here without a stop). What goes home when it is idle: sluice_homecoming.
///
/// A round, by example: four pipelines, MOVE_PERIOD 256, MOVE_LEAST 2.
///   Measure  5 cycles: pipelines have had 700, 300, 250 and 150 accesses: 0 is the most loaded, 3
///            the least, half of the difference is 275.
///   Scan     256 cycles: an index may move if its estimate (4 times its count, since one access of
///            four is counted) is at most 3/4 of the difference, 412: a count of 103. Of each of
///            two banks the best that lives in pipeline 0 (sluice_move_candidate): say counts 90
///            and 40.
///   Choose   the better one first: 275 is at least the 16 accesses that a move must gain (2 a 100
///            cycles in about three periods), an id and an entry are free. It is offered (Offer),
///            until the bus takes it. Loads are corrected at once, by 360: half of what is left is
///            0. Settle waits until tables and quotas show it.
///   Choose   the other: 0 is less than 16, so it stays.
/// Counts and loads are halved with one round in four. With moves off no round begins. With several
/// sets of pipelines (docs/isolation.md) a round looks at one of them; they take turns. A new
/// segment may give homes to another module: all counts are cleared.
/// Throughput: one round takes the scan and about NumPipes + 14 cycles, or `move_period`.
/// Invariant: an offer names an index that is not moving, and a place that nobody has.
module sluice_remap
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
#(
  localparam int unsigned LoadBits = 24
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  move_settings_t                      settings_i,
  // homes may be other modules' now: counts start anew
  input  logic                                forget_i,
  input  logic   [NumModules-1:0]             barred_i,          // modules of which nothing leaves
  output logic                                on_o,              // indices may move
  output logic                                window_o,          // one round in four begins
  // access counts
  output count_control_t                      counts_o,
  input  logic   [NumPipes-1:0][LoadBits-1:0] load_i,
  output logic   [LoadBits-1:0]               amount_o,          // of the move that is taken
  input  logic                                busy_i,
  // candidates
  output pipe_t                               high_o,            // the most loaded pipeline
  // a pipeline of the set of the round
  output pipe_t                               set_o,
  output logic   [AccessCountBits-1:0]        limit_o,
  output logic   [AccessCountBits-1:0]        worth_o,
  output logic                                scan_o,            // the scan begins
  input  candidate_t [1:0]                    best_i,
  input  logic   [NumModules-1:0]             full_i,            // modules: no more entries
  // what is free
  input  logic                                entry_free_i,
  input  logic   [RelocationBits-1:0]         free_entry_i,
  input  logic                                id_free_i,
  // a move, offered until taken or withdrawn; nothing else may change the table meanwhile
  output logic                                choosing_o,
  output logic                                offer_o,
  input  logic                                take_i,
  output candidate_t                          offer_index_o,     // with its entry
  output place_t                              offer_from_o,
  output place_t                              offer_to_o
);
  localparam int unsigned PipeShift = $clog2(NumPipes);
  localparam logic [AccessCountBits-1:0] MostCount =
    AccessCountBits'((1 << AccessCountBits) - 2);

  typedef enum logic [3:0] {
    StRest, StClear, StWait, StMeasure, StWeigh, StScan, StFlush, StChoose, StOffer, StSettle,
    StNext
  } state_e;

  state_e              state_q;
  logic                bank_q, second_q;   // second: of the banks
  logic [1:0]          round_q, flush_q;
  logic [15:0]         timer_q;
  logic [LoadBits-1:0] threshold_q;
  // Without phantoms nothing tells an access from a packet that passes, so all stay at home.
  assign on_o = settings_i.move_period != '0 && !settings_i.mode.no_phantoms;

  // What a move must gain: the loads stand for about 3 periods (see docs/blocks/order.md).
  always_ff @(posedge clk_i)
    threshold_q <= (LoadBits'(settings_i.move_period) * LoadBits'(settings_i.move_least)) >> 5;

  // ---- most and least loaded pipeline, one looked at a cycle
  pipe_t               look_q, hi_q, lo_q;
  pipe_t               turn_q;           // a pipeline of the set whose turn it is
  logic                member, first_q;  // nothing of the set seen before
  logic [LoadBits-1:0] load, most_q, least_q, half_q;
  assign load   = load_i[look_q];
  assign member = ((look_q ^ turn_q) & settings_i.set_mask) == '0;
  assign high_o = hi_q;
  assign set_o  = turn_q & settings_i.set_mask;

  // What may move: with 3/4 of the difference its sign changes and a half is left. Half of it would
  // leave two very busy indices together for ever, once all others have gone.
  logic [LoadBits-1:0] most_move_q, share, turn_worth;   // share: of it, in counts
  assign share      = most_move_q >> PipeShift;
  assign turn_worth = threshold_q >> PipeShift;
  always_ff @(posedge clk_i) begin
    // A count that is full stands for any number: it never fits.
    limit_o <= share >= LoadBits'(MostCount) ? MostCount : AccessCountBits'(share);
    worth_o <= turn_worth >= LoadBits'(MostCount) ? MostCount : AccessCountBits'(turn_worth);
  end

  // ---- choice: of the bank whose turn it is
  candidate_t          best;
  logic [LoadBits-1:0] estimate;
  logic                worth;
  assign best     = best_i[bank_q];
  assign estimate = LoadBits'(best.count) << PipeShift;
  assign worth    = best.count != '0 && estimate <= most_move_q && half_q >= threshold_q
                 && id_free_i && !barred_i[best.row]
                 && (best.found || (entry_free_i && !full_i[best.row]));

  logic [RelocationBits-1:0] entry;
  place_t                    spare_from, spare_to;
  assign entry      = best.found ? best.entry : free_entry_i;
  assign spare_from = '{pipe: hi_q, slot: slot_t'(SlotsPerPipe) + slot_t'(best.entry)};
  assign spare_to   = '{pipe: lo_q, slot: slot_t'(SlotsPerPipe) + slot_t'(entry)};

  always_ff @(posedge clk_i) begin
    if (state_q == StChoose) begin
      offer_index_o       <= best;
      offer_index_o.entry <= entry;
      offer_from_o        <= best.found ? spare_from : best.home;
      offer_to_o          <= lo_q == best.home.pipe ? best.home : spare_to;
      amount_o            <= estimate;
    end
  end

  // Withdrawn when the period has become 0, and when its module is being reconfigured or held.
  logic stays;
  assign stays      = !on_o || forget_i || barred_i[offer_index_o.row];
  assign offer_o    = state_q == StOffer && !stays;
  assign choosing_o = state_q == StChoose || state_q == StOffer;

  // ---- rounds
  logic begins;
  assign begins   = state_q == StWait && timer_q >= settings_i.move_period;
  assign window_o = begins && round_q == '1;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q  <= StRest;
      bank_q   <= 1'b0;
      second_q <= 1'b0;
      round_q  <= '0;
      turn_q   <= '0;
      flush_q  <= '0;
      timer_q  <= '0;
    end else begin
      if (timer_q != '1) timer_q <= timer_q + 1'b1;
      case (state_q)
        StRest:  if (on_o) state_q <= StClear;
        StClear: if (!busy_i) state_q <= StWait;
        StWait: if (begins) begin
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
          bank_q   <= {best_i[1].first, best_i[1].count} > {best_i[0].first, best_i[0].count};
          second_q <= 1'b0;
          if (flush_q == 2'd2) state_q <= StChoose;
        end
        StChoose: state_q <= worth ? StOffer : StNext;
        StOffer:  if (take_i || stays) state_q <= StSettle;
        StSettle: state_q <= StNext;
        StNext: begin
          bank_q   <= !bank_q;
          second_q <= 1'b1;
          state_q  <= second_q ? StWait : StChoose;
        end
        default: state_q <= StRest;
      endcase
      if (!on_o || forget_i) state_q <= StRest;
    end
  end

  always_ff @(posedge clk_i) begin
    look_q  <= state_q == StMeasure ? look_q + 1'b1 : '0;
    first_q <= state_q != StMeasure || (first_q && !member);
    if (state_q == StMeasure && member) begin
      if (first_q || load > most_q)  {hi_q, most_q}  <= {look_q, load};
      if (first_q || load < least_q) {lo_q, least_q} <= {look_q, load};
    end
    if (state_q == StWeigh)
      half_q <= (most_q - least_q) >> 1;
    else if (take_i)
      half_q <= half_q > amount_o ? half_q - amount_o : '0;
    most_move_q <= half_q + (half_q >> 1);
  end

  assign scan_o   = state_q == StWeigh;
  assign counts_o = '{
    enable:      on_o && state_q != StRest && state_q != StClear,
    halve_loads: state_q == StNext && second_q && round_q == '0,
    start:       (state_q == StRest && on_o) || state_q == StWeigh,
    clear:       state_q == StClear || state_q == StRest,
    halve:       state_q == StScan && round_q == '0
  };

  `SLUICE_ASSERT(TakenWhenOffered_A, !take_i || offer_o)
endmodule : sluice_remap
