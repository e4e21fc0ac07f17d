// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Puts the copies of the output lanes of one fast port on its wire, in the order of their tickets.
///
/// An output lane brings a beat a cycle, the wire takes up to Lanes. So a copy waits in a queue of
/// its lane until it is whole, and then leaves at the full rate; the next copies go on in the same
/// cycle, on the streams that it leaves free. The order is that in which the traffic manager took
/// the copies: a queue of their lanes, sorted by ticket.
/// Example, two lanes: a copy of 3 beats (a) is whole in lane 0, one of 1 beat (b) in lane 1. The
/// wire has a0 a1 in one cycle, a2 b0 in the next.
/// Latency 5 cycles from the last beat of a copy to its first one on the idle wire. Up to Lanes
/// beats, and copies, a cycle. Beats of a cycle are on the first streams; all move together.
/// Invariant: the copy that is due is the first in the queue of its lane, or on its way there, and
/// a queue holds the longest packet: so it always becomes whole.
module sluice_collect
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
#(
  parameter int unsigned Lanes = 4,      // a power of two, at least 2
  parameter int unsigned Depth = 256,    // beats of a lane; MaxBeats at least
  localparam int unsigned LaneBits = $clog2(Lanes)
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  logic [7:0]                         port_i,      // its number
  input  logic                               swap_i,      // test fault
  // copies that were taken: for the lane, of a source lane; [l][k]: that of k is before that of l
  input  logic [NumPipes-1:0][Lanes-1:0]     accepted_i,
  input  logic [NumPipes-1:0][NumPipes-1:0]  before_i,
  // output lanes
  input  tx_beat_t                           line_i [Lanes],  // their port does not count
  output logic [Lanes-1:0]                   line_ready_o,
  // the wire
  output tx_beat_t                           tx_o [Lanes],
  input  logic                               tx_ready_i
);
  localparam int unsigned MoveBits  = $clog2(Lanes + 1);
  localparam int unsigned InBits    = $clog2(NumPipes + 1);
  localparam int unsigned CountBits = $clog2(Depth + 1);
  // Copies whose lanes wait here: in the queues, on their way, and whole.
  localparam int unsigned OrderDepth = 1 << $clog2(Lanes * (NumPipes * OutputDepth + Depth + 4));
  localparam int unsigned OrderBits  = $clog2(OrderDepth + 1);
  localparam int unsigned PlanDepth  = 3 * Lanes;
  localparam int unsigned PlanBits   = $clog2(PlanDepth + 1);
  typedef logic [LaneBits-1:0] lane_t;
  typedef logic [MoveBits-1:0] move_t;
  typedef struct packed {
    logic                   last;
    logic [BeatIdxBits-1:0] bytes;     // modulo BeatBytes
    logic [BeatBits-1:0]    data;
  } beat_t;
  typedef struct packed {
    beats_t      beats;
    logic [31:0] ticket;
  } copy_t;
  typedef struct packed {
    lane_t lane;
    copy_t copy;
  } plan_t;

  // ---- the order: lanes of the copies, sorted by ticket
  logic [InBits-1:0]     comes;
  lane_t [NumPipes-1:0]  sorted, pushed, stored;
  logic [OrderBits-1:0]  stored_count;
  logic [InBits-1:0]     stored_pop;
  always_comb begin
    logic [NumPipes-1:0] any;
    lane_t [NumPipes-1:0] lane;
    lane = '0;
    for (int unsigned l = 0; l < NumPipes; l++) begin
      any[l] = accepted_i[l] != '0;
      for (int unsigned o = 0; o < Lanes; o++) if (accepted_i[l][o]) lane[l] = lane[l] | lane_t'(o);
    end
    comes  = InBits'($countones(any));
    sorted = '0;
    for (int unsigned l = 0; l < NumPipes; l++)
      for (int unsigned n = 0; n < NumPipes; n++)
        if (any[l] && 32'($countones(before_i[l] & any)) == n) sorted[n] = sorted[n] | lane[l];
    pushed = sorted;
    // Test fault: the first two change places.
    if (swap_i && comes >= InBits'(2)) {pushed[1], pushed[0]} = {sorted[0], sorted[1]};
  end
  sluice_banked_fifo #(.Depth(OrderDepth), .Width(LaneBits), .Banks(NumPipes)) u_order (
    .clk_i, .rst_ni,
    .push_i(comes), .data_i(pushed), .count_o(stored_count), .data_o(stored), .pop_i(stored_pop)
  );
  // The oldest ones stand in registers, since what follows looks at all of them in one cycle. They
  // are there before their copies are whole.
  localparam int unsigned DueDepth = 2 * Lanes;
  localparam int unsigned DueBits  = $clog2(DueDepth + 1);
  lane_t [DueDepth-1:0]       due_q;
  lane_t [DueDepth+Lanes-1:0] due_line;          // and what is behind the last
  logic  [Lanes-1:0]          due_has_q;         // bit n: there is an n-th
  logic  [DueBits-1:0]        due_count_q, due_sum;
  move_t                      found_count;       // so many leave
  always_comb begin
    stored_pop = '0;
    if (due_count_q <= DueBits'(Lanes))
      stored_pop = stored_count < OrderBits'(Lanes) ? InBits'(stored_count) : InBits'(Lanes);
    due_line = {{Lanes{lane_t'('0)}}, due_q};
    for (int unsigned n = 0; n < DueDepth; n++)
      for (int unsigned s = 0; s < Lanes; s++)
        if (due_count_q + DueBits'(s) == DueBits'(n)) due_line[n] = stored[s];
  end
  assign due_sum = due_count_q + DueBits'(stored_pop);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      due_count_q <= '0;
      due_has_q   <= '0;
    end else begin
      // How many leave is known late.
      for (int unsigned f = 0; f <= Lanes; f++) if (found_count == move_t'(f)) begin
        due_count_q <= due_sum - DueBits'(f);
        for (int unsigned n = 0; n < Lanes; n++) due_has_q[n] <= due_sum > DueBits'(n + f);
      end
    end
  end
  always_ff @(posedge clk_i)
    for (int unsigned n = 0; n < DueDepth; n++)
      for (int unsigned f = 0; f <= Lanes; f++)
        if (found_count == move_t'(f)) due_q[n] <= due_line[n+f];

  // ---- lanes: beats, and copies that are whole
  logic  [Lanes-1:0]            whole, whole_pop;
  copy_t [Lanes-1:0]            whole_copy;
  move_t [Lanes-1:0]            beat_pop;
  beat_t [Lanes-1:0][Lanes-1:0] beats;           // [lane]: the oldest ones
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic                 takes;
    beat_t                beat;
    beat_t [Lanes-1:0]    entering;
    beats_t               number_q;              // beats of the copy that comes, so far
    copy_t                ended;
    logic [CountBits-1:0] count;
    // A cycle late: room for the beat of the cycle between.
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) line_ready_o[l] <= 1'b0;
      else         line_ready_o[l] <= count < CountBits'(Depth - 1);
    end
    assign takes           = line_i[l].valid && line_ready_o[l];
    assign beat  = '{last: line_i[l].last, bytes: BeatIdxBits'($countones(line_i[l].keep)),
                     data: line_i[l].data};
    assign ended = '{beats: number_q + 1'b1, ticket: line_i[l].ticket};
    always_comb begin
      entering    = '0;
      entering[0] = beat;
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)    number_q <= '0;
      else if (takes) number_q <= line_i[l].last ? '0 : number_q + 1'b1;
    end
    sluice_banked_fifo #(.Depth(Depth), .Width($bits(beat_t)), .Banks(Lanes)) u_beats (
      .clk_i, .rst_ni,
      .push_i(move_t'(takes)), .data_i(entering),
      .count_o(count), .data_o(beats[l]), .pop_i(beat_pop[l])
    );
    sluice_prefetch_fifo #(.Depth(Depth), .Width($bits(copy_t))) u_whole (
      .clk_i, .rst_ni,
      .push_i (takes && line_i[l].last), .data_i(ended),
      .valid_o(whole[l]), .data_o(whole_copy[l]), .pop_i(whole_pop[l])
    );
  end

  // ---- copies that are due and whole, at most one of a lane in a cycle
  logic  [Lanes-1:0]   may;
  plan_t [Lanes-1:0]   found;
  logic [PlanBits-1:0] plan_count_q;
  always_comb begin
    may         = '0;
    whole_pop   = '0;
    found_count = '0;
    for (int unsigned n = 0; n < Lanes; n++) begin
      may[n]   = due_has_q[n] && whole[due_q[n]] && !whole_pop[due_q[n]]
          && plan_count_q <= PlanBits'(PlanDepth - Lanes);
      if (n > 0) may[n] = may[n] && may[(n+Lanes-1)%Lanes];
      found[n] = '{lane: due_q[n], copy: whole_copy[due_q[n]]};
      if (may[n]) begin
        whole_pop[due_q[n]] = 1'b1;
        found_count       = move_t'(n + 1);
      end
    end
  end

  // ---- the next copies, the oldest at 0, with the beats that they have left
  plan_t [PlanDepth-1:0]       plan_q;
  plan_t [PlanDepth+Lanes-1:0] line;             // and what is behind the last
  logic  [PlanBits-1:0]        stay;
  logic  [Lanes:0]             ended;            // one bit: so many leave as a whole
  beats_t                      rest;             // what the one behind them has left
  logic                        cut;              // and there is one
  logic                        step;             // what stands behind moves on
  always_comb begin
    line = {{Lanes{plan_t'('0)}}, plan_q};
    for (int unsigned n = 0; n < PlanDepth; n++)
      for (int unsigned f = 0; f < Lanes; f++)
        if (found_count > move_t'(f) && plan_count_q + PlanBits'(f) == PlanBits'(n))
          line[n] = found[f];
    stay = plan_count_q;
    for (int unsigned e = 1; e <= Lanes; e++) if (ended[e]) stay = plan_count_q - PlanBits'(e);
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) plan_count_q <= '0;
    else         plan_count_q <= (step ? stay : plan_count_q) + PlanBits'(found_count);
  end
  always_ff @(posedge clk_i)
    for (int unsigned n = 0; n < PlanDepth; n++) begin
      if (!step) plan_q[n] <= line[n];
      else begin
        for (int unsigned e = 0; e <= Lanes; e++) if (ended[e]) plan_q[n] <= line[n+e];
        if (n == 0 && cut) plan_q[n].copy.beats <= rest;
      end
    end

  // ---- streams of a cycle: which copy has which. Where a copy begins is told by one bit.
  logic  [Lanes-1:0]          has_d, has_q, last_d, last_q, valid_q;
  lane_t [Lanes-1:0]          lane_d, lane_q;
  logic  [Lanes-1:0][31:0]    ticket_d, ticket_q;
  logic  [Lanes:0][Lanes-1:0] begins;            // [copy]: its first stream; none: no more
  always_comb begin
    has_d     = '0;
    last_d    = '0;
    lane_d    = '0;
    ticket_d  = '0;
    begins    = '0;
    begins[0] = Lanes'(1);
    ended     = (Lanes + 1)'(1);
    cut       = 1'b0;
    rest      = '0;
    for (int unsigned n = 0; n < Lanes; n++)
      if (plan_count_q > PlanBits'(n)) begin
        for (int unsigned from = 0; from < Lanes; from++) if (begins[n][from]) begin
          for (int unsigned s = from; s < Lanes; s++)
            if (plan_q[n].copy.beats > beats_t'(s - from)) begin
              has_d[s]    = 1'b1;
              last_d[s]   = last_d[s] | (plan_q[n].copy.beats == beats_t'(s - from + 1));
              lane_d[s]   = lane_d[s] | plan_q[n].lane;
              ticket_d[s] = ticket_d[s] | plan_q[n].copy.ticket;
            end
          for (int unsigned s = from + 1; s < Lanes; s++)
            if (plan_q[n].copy.beats == beats_t'(s - from)) begins[n+1][s] = 1'b1;
          if (plan_q[n].copy.beats <= beats_t'(Lanes - from)) ended = (Lanes + 1)'(1) << (n + 1);
          else begin
            cut  = 1'b1;
            rest = rest | (plan_q[n].copy.beats - beats_t'(Lanes - from));
          end
        end
      end
  end
  assign step = valid_q == '0 || tx_ready_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)   has_q <= '0;
    else if (step) has_q <= has_d;
  end
  always_ff @(posedge clk_i) if (step) begin
    last_q   <= last_d;
    lane_q   <= lane_d;
    ticket_q <= ticket_d;
  end

  // ---- a cycle later: which of its lane's oldest beats each stream takes
  logic  [Lanes-1:0]       goes_q, goes_last_q;
  lane_t [Lanes-1:0]       goes_lane_q, at_d, at_q;
  logic  [Lanes-1:0][31:0] goes_ticket_q, leaving_ticket_q;
  move_t [Lanes-1:0]       taken_d, taken_q;     // beats of each lane
  always_comb begin
    taken_d = '0;
    for (int unsigned s = 0; s < Lanes; s++) begin
      at_d[s] = lane_t'(taken_d[lane_q[s]]);
      if (has_q[s]) taken_d[lane_q[s]] = taken_d[lane_q[s]] + 1'b1;
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      goes_q  <= '0;
      taken_q <= '0;
    end else if (step) begin
      goes_q  <= has_q;
      taken_q <= taken_d;
    end
  end
  always_ff @(posedge clk_i) if (step) begin
    at_q          <= at_d;
    goes_last_q   <= last_q;
    goes_lane_q   <= lane_q;
    goes_ticket_q <= ticket_q;
  end

  // ---- the wire
  beat_t [Lanes-1:0] leaving, leaving_q;
  for (genvar s = 0; s < Lanes; s++) begin : gen_leaving
    assign leaving[s]  = beats[goes_lane_q[s]][at_q[s]];
    assign beat_pop[s] = step ? taken_q[s] : '0;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)   valid_q <= '0;
    else if (step) valid_q <= goes_q;
  end
  always_ff @(posedge clk_i) if (step) begin
    leaving_q        <= leaving;
    leaving_ticket_q <= goes_ticket_q;
  end
  for (genvar s = 0; s < Lanes; s++) begin : gen_stream
    assign tx_o[s] = '{
      valid: valid_q[s], last: leaving_q[s].last, port: port_i, ticket: leaving_ticket_q[s],
      keep: leaving_q[s].last && leaving_q[s].bytes != '0
          ? ~({BeatBytes{1'b1}} << leaving_q[s].bytes) : '1,
      data: leaving_q[s].data
    };
    `SLUICE_ASSERT(EndsAsPlanned_A, !(goes_q[s] && step) || leaving[s].last == goes_last_q[s])
    if (s > 0) begin : gen_dense
      `SLUICE_ASSERT(FirstStreams_A, !valid_q[s] || valid_q[s-1])
    end
  end
endmodule : sluice_collect
