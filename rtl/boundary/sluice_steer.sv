// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Credits and steering toward the next boundary (or the exit): says who may be issued, and chooses
/// the pipeline of the packets that may go anywhere, in the cycle before they leave their stage.
///
/// Of the packets that leave together, the i-th that may choose takes the i-th emptiest pipeline:
/// ranks, because independent choices would herd to the same one. Sources and ties take turns.
/// A pipeline in which the source has no credit is skipped. (Mode STEER = EACH: every source takes
/// the emptiest pipeline in which it has a credit. What must stay where it is comes as fixed.)
/// Occupancy, and the order of the pipelines: sluice_steer_order.
/// Latency: `to_o` 1 cycle, `room_*_o` from registers; claims, choices, freed slots and departures
/// count from the next cycle. Throughput: one packet a source and cycle.
/// Logical switches (docs/isolation.md): `set_mask_i` divides the pipelines into sets; a packet
/// whose pipeline is open names one of its set, and ranks and credits are those of the set.
/// Timing: claims come late in their cycle, so they are taken off one cycle later, and counted
/// among what is missing until then; choices likewise.
/// Invariant: let c be the credits of a source toward a set (slots of its banks there that are free
/// and promised to nobody), and u its packets under way whose pipeline in the set is open; then
/// sum(c) >= u, so a packet that chooses always finds a slot. Only spare = sum(c) - u is kept: an
/// issue takes one, a freed slot gives one, steering leaves it as it is. Every pipeline has that of
/// its set. When the sets change nothing is inside, so all slots of a set are to spare.
module sluice_steer
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
  import sluice_stage_pkg::*;
#(
  parameter int unsigned Depth = BankDepth,  // slots of a bank of the next boundary
  parameter bit          AtOnce = 1'b0       // what is claimed for leaves, or chooses, in the very
                                             // next cycle; else `known_i` is what does in the next
) (
  input  logic                                   clk_i,
  input  logic                                   rst_ni,
  input  logic                                   each_i,          // steering mode Each
  input  pipe_t                                  set_mask_i,      // pipelines of one set
  input  logic                                   ignore_credits_i, // a fault
  // room for what a source issues in this cycle: [source][destination]
  output logic     [NumPipes-1:0][NumPipes-1:0]  room_fixed_o,
  output logic     [NumPipes-1:0][NumPipes-1:0]  room_any_o,      // of the set of the destination
  // what a source issues in this cycle; an escape takes no credit
  input  course_t  [NumPipes-1:0]                claim_i,
  // packets that choose in this cycle, and leave in the next; those whose pipeline is known count
  // from the cycle after `known_i` on: the same packets, in the same cycle or the one before
  input  course_t  [NumPipes-1:0]                known_i,
  input  course_t  [NumPipes-1:0]                leave_i,
  output pipe_t    [NumPipes-1:0]                to_o,            // in the next cycle
  // from the next boundary: [destination][source], [destination]
  input  logic     [NumPipes-1:0][NumPipes-1:0]  freed_i,
  input  logic     [NumPipes-1:0]                departed_i
);
  `SLUICE_TAKES(SteerCycles, 1)
  `SLUICE_TAKES(KnownCycles, 1)

  localparam int unsigned CreditBits = $clog2(Depth + 1);
  localparam int unsigned SpareBits  = $clog2(NumPipes * Depth + 1);

  typedef logic [CreditBits-1:0] credit_t;
  typedef logic [SpareBits-1:0]  spare_t;

  // ---- sets: who is in that of a pipeline
  logic [NumPipes-1:0][NumPipes-1:0] members;
  for (genvar d = 0; d < NumPipes; d++) begin : gen_set
    for (genvar e = 0; e < NumPipes; e++) begin : gen_member
      assign members[d][e] = ((pipe_t'(d) ^ pipe_t'(e)) & set_mask_i) == '0;
    end
  end

  pipe_t set_mask_q;                 // they change: spare is not right yet
  logic   changed;
  pipe_t  last_of_set;               // place of its last pipeline
  spare_t of_set;                    // slots that a source has in a set
  assign changed     = set_mask_i != set_mask_q;
  assign last_of_set = ~set_mask_i & pipe_t'(NumPipes - 1);
  assign of_set      = (spare_t'(last_of_set) + 1'b1) * spare_t'(Depth);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) set_mask_q <= '0;
    else         set_mask_q <= set_mask_i;
  end

  // ---- what leaves, and chooses in this cycle: source by source, in which pipelines (its set),
  // and which other sources choose before it there
  pipe_t                             turn_q, turn_d;
  logic  [NumPipes-1:0]              open, opens;                // in this cycle, in the next
  pipe_t [NumPipes-1:0]              of;                         // a pipeline of the set
  logic  [NumPipes-1:0][NumPipes-1:0] chooses, rivals_q;         // [s][d], [s][o]
  assign turn_d = turn_q + 1'b1;
  for (genvar s = 0; s < NumPipes; s++) begin : gen_leave
    assign open[s] = leave_i[s].valid && !leave_i[s].fixed && !leave_i[s].escape;
    if (AtOnce) begin : gen_claimed
      assign opens[s] = claim_i[s].valid && !claim_i[s].fixed && !claim_i[s].escape;
      assign of[s]    = claim_i[s].pipe;
    end else begin : gen_known
      assign opens[s] = known_i[s].valid && !known_i[s].fixed && !known_i[s].escape;
      assign of[s]    = known_i[s].pipe;
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) chooses[s] <= '0;
      else         chooses[s] <= opens[s] ? members[of[s]] : '0;
    end
    for (genvar o = 0; o < NumPipes; o++) begin : gen_rival
      always_ff @(posedge clk_i)
        rivals_q[s][o] <= opens[o] && !each_i && members[of[s]][of[o]]
                       && pipe_t'(o) + turn_d < pipe_t'(s) + turn_d;
    end
    `SLUICE_ASSERT(ChoosesIsKnown_A, (chooses[s] != '0) == open[s])
  end

  // ---- order of the pipelines
  logic [NumPipes-1:0][NumPipes-1:0] chosen, chosen_q;   // [destination][source]
  // [d][e]: e before d; [d][n]: more than n before d
  logic [NumPipes-1:0][NumPipes-1:0] sooner, place;
  sluice_steer_order #(.Depth(Depth)) u_order (
    .clk_i, .rst_ni, .turn_i(turn_d), .members_i(members),
    .known_i, .chosen_i(chosen), .chosen_last_i(chosen_q), .departed_i,
    .before_o(sooner), .place_o(place)
  );

  // ---- choice of each source, and its credits
  for (genvar s = 0; s < NumPipes; s++) begin : gen_source
    logic  [NumPipes-1:0]               has_credit, eligible, choice, choice_q, column;
    logic  [NumPipes-1:0][NumPipes-1:0] nearer;  // [d][e]: e is to be taken rather than d
    // [n]: more than n do; modulo its size
    logic  [NumPipes-1:0]               ahead, ahead_of_set;
    logic  [NumPipes-1:0]               taken;   // pipelines that are for those
    pipe_t                              choice_pipe;

    // With i ahead: pipeline i of the order, or the next one, around, that has a credit. A pipeline
    // is left to a rival if fewer than i come before it.
    sluice_ones_unary #(.Width(NumPipes)) u_ahead (.bits_i(rivals_q[s]), .more_o(ahead));
    always_comb begin
      ahead_of_set = '0;
      for (int unsigned size = 1; size <= NumPipes; size *= 2)
        if (set_mask_i == pipe_t'(NumPipes - size))
          for (int unsigned n = 0; n < NumPipes; n++)
            if (n % size < size - 1)
              ahead_of_set[n % size] |= ahead[n] && !ahead[n - n % size + size - 1];
    end
    assign eligible = chooses[s] & (has_credit | {NumPipes{ignore_credits_i}});
    always_comb begin
      choice_pipe = '0;
      for (int unsigned d = 0; d < NumPipes; d++)
        taken[d] = (ahead_of_set & ~place[d]) != '0;
      for (int unsigned d = 0; d < NumPipes; d++)
        for (int unsigned e = 0; e < NumPipes; e++)
          nearer[d][e] = taken[d] == taken[e] ? sooner[d][e] : taken[d];
      for (int unsigned d = 0; d < NumPipes; d++) begin
        choice[d] = eligible[d] && (nearer[d] & eligible) == '0;
        if (choice[d]) choice_pipe |= pipe_t'(d);
      end
    end
    for (genvar d = 0; d < NumPipes; d++) begin : gen_chosen
      assign chosen[d][s]   = choice[d];
      assign chosen_q[d][s] = choice_q[d];
    end
    pipe_t to_d;
    assign to_d = open[s] ? choice_pipe : leave_i[s].pipe;
    always_ff @(posedge clk_i) to_o[s] <= to_d;

    // Choices come first: issue sees what is left if this one falls on what it wants. Missing:
    // what the cycle before has taken.
    logic                claim;                  // takes a credit
    logic [NumPipes-1:0] wanted, claimed_q, claimed_set_q;   // of this pipeline, of its set
    for (genvar d = 0; d < NumPipes; d++) begin : gen_wanted
      assign wanted[d] = claim_i[s].fixed && claim_i[s].pipe == pipe_t'(d);
    end
    assign claim = claim_i[s].valid && !claim_i[s].escape;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        claimed_q     <= '0;
        claimed_set_q <= '0;
        choice_q      <= '0;
      end else begin
        claimed_q     <= claim ? wanted : '0;
        claimed_set_q <= claim ? members[claim_i[s].pipe] : '0;
        choice_q      <= choice;
      end
    end

    for (genvar d = 0; d < NumPipes; d++) begin : gen_credit
      credit_t    credit_q, credit_d;
      spare_t     spare_q, spare_d;
      logic       claimed, claimed_set;
      logic [1:0] missing;
      logic [3:0] above_q;                       // [n]: credit_q > n
      logic [1:0] above_spare_q, above_spare_d;
      logic [NumPipes-1:0] freed;                // slots of the set
      logic [2:0] left;                          // [n]: so much that more than n are left
      assign column[d]   = freed_i[d][s];
      assign freed       = column & members[d];
      assign claimed     = claimed_q[d];
      assign claimed_set = claimed_set_q[d];
      assign missing     = 2'(choice_q[d]) + 2'(claimed);
      assign left        = choice_q[d] ? above_q[3:1] : above_q[2:0];
      assign has_credit[d]      = claimed ? left[1] : left[0];
      assign room_any_o[s][d]   = above_spare_q[claimed_set];
      assign room_fixed_o[s][d] = room_any_o[s][d] && (chooses[s][d]
                                    ? (claimed ? left[2] : left[1])
                                        : (claimed ? left[1] : left[0]));

      assign credit_d   = credit_q + credit_t'(freed_i[d][s]) - credit_t'(missing);
      assign spare_d = changed ? of_set
                     : spare_q + spare_t'($countones(freed)) - spare_t'(claimed_set);
      // Whether more than 0 and 1 are left, without waiting for the sum.
      always_comb begin
        above_spare_d[0] = claimed_set ? above_spare_q[1] : above_spare_q[0];
        above_spare_d[1] = claimed_set ? spare_q > spare_t'(2) : above_spare_q[1];
        if (freed != '0) above_spare_d = {(freed & (freed - 1'b1)) != '0 || above_spare_d[0], 1'b1};
        if (changed) above_spare_d = {of_set > spare_t'(1), 1'b1};
      end
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          credit_q      <= credit_t'(Depth);
          spare_q       <= spare_t'(NumPipes * Depth);
          above_spare_q <= '1;
          for (int unsigned n = 0; n < 4; n++) above_q[n] <= Depth > n;
        end else begin
          if (missing != '0 || freed_i[d][s]) begin
            credit_q <= credit_d;
            for (int unsigned n = 0; n < 4; n++) above_q[n] <= 32'(credit_d) > n;
          end
          if (changed || claimed_set || freed != '0) begin
            spare_q       <= spare_d;
            above_spare_q <= above_spare_d;
          end
        end
      end

      `SLUICE_ASSERT(AboveIsKnown_A, above_q[1:0] == {credit_q > credit_t'(1), credit_q != '0})
      `SLUICE_ASSERT(AboveSpareIsKnown_A, above_spare_q == {spare_q > spare_t'(1), spare_q != '0})
      `SLUICE_ASSERT(CreditAtMostDepth_A, credit_q <= credit_t'(Depth))
      `SLUICE_ASSERT(AllAtHomeWhenSetsChange_A, !changed || credit_q == credit_t'(Depth))
      `SLUICE_ASSERT(FreedWasTaken_A, !freed_i[d][s] || credit_q != credit_t'(Depth))
      `SLUICE_ASSERT(MissingWasThere_A, credit_q >= credit_t'(missing))
      `SLUICE_ASSERT(FixedClaimHasRoom_A, !(claim && wanted[d]) || room_fixed_o[s][d])
    end

    `SLUICE_ASSERT(ClaimHasRoom_A, !claim || room_any_o[s][claim_i[s].pipe])
    `SLUICE_ASSERT(NothingIssuedWhenSetsChange_A, !changed || !claim_i[s].valid)
    `SLUICE_ASSERT(SteeringFindsRoom_A, !open[s] || (choice & has_credit) != '0)
    `SLUICE_ASSERT(OneChoice_A, $onehot0(choice))
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) turn_q <= '0;
    else         turn_q <= turn_d;
  end
endmodule : sluice_steer
