// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Credits and steering toward the next boundary (or the exit): says who may be issued, and chooses
/// the pipeline of the packets that may go anywhere, in the cycle in which they leave their stage.
///
/// Of the packets that leave together, the i-th that may choose takes the i-th emptiest pipeline:
/// ranks, because independent choices would herd to the same one. Sources and ties take turns. A
/// pipeline in which the source has no credit is skipped. (Mode STEER = EACH: every source takes the
/// emptiest pipeline in which it has a credit. What must stay where it is comes as fixed.)
/// Latency: `transit_o` and `room_*_o` in the same cycle; claims, freed slots and departures count
/// from the next. Throughput: one packet a source and cycle.
/// Logical switches (docs/logical.md): `set_mask` divides the pipelines into sets; a packet whose
/// pipeline is open names one of its set, and ranks and credits are those of the set.
/// Invariant: let c be the credits of a source toward a set (slots of its banks there that are free
/// and promised to nobody), and u its packets under way whose pipeline in the set is open; then
/// sum(c) >= u, so a packet that leaves always finds a slot. Only spare = sum(c) - u is kept: an
/// issue takes one, a freed slot gives one, steering leaves it as it is. Every pipeline has that of
/// its set. When the sets change nothing is under way, and spare is counted anew.
module sluice_steer
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
#(
  parameter int unsigned Depth = BankDepth   // slots of a bank of the next boundary
) (
  input  logic                                   clk_i,
  input  logic                                   rst_ni,
  input  settings_t                              settings_i,
  // room for what a source issues in this cycle: [source][destination]
  output logic     [NumPipes-1:0][NumPipes-1:0]  room_fixed_o,
  output logic     [NumPipes-1:0][NumPipes-1:0]  room_any_o,      // of the set of the destination
  // what a source issues in this cycle; an escape takes no credit
  input  logic     [NumPipes-1:0]                claim_valid_i,
  input  logic     [NumPipes-1:0]                claim_fixed_i,
  input  logic     [NumPipes-1:0]                claim_escape_i,
  input  pipe_t    [NumPipes-1:0]                claim_pipe_i,
  // packets at the end of their stage; `pipe` of one that is neither fixed nor escape: of its set
  input  transit_t [NumPipes-1:0]                leave_i,
  input  logic     [NumPipes-1:0]                leave_fixed_i,
  output transit_t [NumPipes-1:0]                transit_o,
  // from the next boundary: [destination][source], [destination]
  input  logic     [NumPipes-1:0][NumPipes-1:0]  freed_i,
  input  logic     [NumPipes-1:0]                departed_i
);
  localparam int unsigned CreditBits = $clog2(Depth + 1);
  localparam int unsigned SpareBits  = $clog2(NumPipes * Depth + 1);
  localparam int unsigned LoadBits   = $clog2(NumPipes * Depth + 2);   // banks and escape slot

  typedef logic [CreditBits-1:0] credit_t;
  typedef logic [SpareBits-1:0]  spare_t;
  typedef logic [LoadBits-1:0]   load_t;

  logic ignore_credits, each_for_itself, unused_settings;
  assign each_for_itself = settings_i.mode.steer == SteerEach;
  assign ignore_credits  = settings_i.fault[FaultSteerFull];
  assign unused_settings = ^settings_i;

  // ---- sets: who is in that of a pipeline
  pipe_t                             set_mask;
  logic [NumPipes-1:0][NumPipes-1:0] members;
  assign set_mask = settings_i.set_mask;
  for (genvar d = 0; d < NumPipes; d++) begin : gen_set
    for (genvar e = 0; e < NumPipes; e++) begin : gen_member
      assign members[d][e] = ((pipe_t'(d) ^ pipe_t'(e)) & set_mask) == '0;
    end
  end

  pipe_t set_mask_q;                 // they change: spare is not right yet
  logic  changed;
  assign changed = set_mask != set_mask_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) set_mask_q <= '0;
    else         set_mask_q <= set_mask;
  end

  // ---- what leaves
  logic  [NumPipes-1:0] open;        // leaves, and its pipeline is open
  logic  [NumPipes-1:0] decided;     // leaves, and its pipeline is known
  pipe_t [NumPipes-1:0] known;
  for (genvar s = 0; s < NumPipes; s++) begin : gen_leave
    assign decided[s] = leave_i[s].valid && (leave_fixed_i[s] || leave_i[s].escape);
    assign open[s]    = leave_i[s].valid && !leave_fixed_i[s] && !leave_i[s].escape;
    assign known[s]   = leave_i[s].pipe;
  end

  // ---- how full the pipelines are: arrivals known exactly, departures one cycle old
  load_t load [NumPipes];
  load_t view [NumPipes];
  always_comb begin
    for (int unsigned d = 0; d < NumPipes; d++) begin
      view[d] = load[d];
      for (int unsigned s = 0; s < NumPipes; s++)
        view[d] += load_t'(decided[s] && known[s] == pipe_t'(d));
    end
  end

  // ---- ranks: 0 is the emptiest of the set. The turn makes keys unique, so they are a permutation.
  pipe_t turn_q;
  pipe_t rank [NumPipes];
  logic [LoadBits+PipeBits-1:0] key [NumPipes];
  always_comb begin
    for (int unsigned d = 0; d < NumPipes; d++) begin
      key[d]  = {view[d], pipe_t'(d) - turn_q};
      rank[d] = '0;
    end
    if (open != '0) begin
      for (int unsigned d = 0; d < NumPipes; d++)
        for (int unsigned e = d + 1; e < NumPipes; e++)
          if (members[d][e]) begin
            if (key[e] < key[d]) rank[d] = rank[d] + 1'b1;
            else                 rank[e] = rank[e] + 1'b1;
          end
    end
  end

  // ---- choice of each source, and its credits
  pipe_t [NumPipes-1:0] to;
  for (genvar s = 0; s < NumPipes; s++) begin : gen_source
    logic [NumPipes-1:0] has_credit, mine, column;
    pipe_t               ahead;        // how many choose before this one
    pipe_t               choice;
    logic                found;
    credit_t [NumPipes-1:0] credit_d;

    assign mine = members[known[s]];   // its set
    always_comb begin
      ahead = '0;
      for (int unsigned o = 0; o < NumPipes; o++)
        if (open[o] && mine[known[o]] && !each_for_itself
            && pipe_t'(o) + turn_q < pipe_t'(s) + turn_q) ahead = ahead + 1'b1;
    end

    // The pipeline of the right rank, or with the next rank that has a credit.
    always_comb begin
      logic [PipeBits:0] least;
      pipe_t             distance;
      choice   = '0;
      found    = 1'b0;
      least    = '1;
      distance = '0;
      if (open[s]) begin
        for (int unsigned d = 0; d < NumPipes; d++) begin
          distance = (rank[d] - ahead) & ~set_mask;
          if (mine[d] && (has_credit[d] || ignore_credits) && {1'b0, distance} < least) begin
            least  = {1'b0, distance};
            choice = pipe_t'(d);
            found  = has_credit[d];
          end
        end
      end
    end

    assign to[s]        = open[s] ? choice : known[s];
    assign transit_o[s] = '{valid: leave_i[s].valid, escape: leave_i[s].escape, pipe: to[s],
                            packet: leave_i[s].packet};

    // Steering claims first: issue sees what is left after it.
    logic   claim;
    assign claim = claim_valid_i[s] && !claim_escape_i[s];
    for (genvar d = 0; d < NumPipes; d++) begin : gen_credit
      credit_t credit_q;
      spare_t  spare_q, counted;
      logic    steered, claimed, claimed_set;
      assign column[d]  = freed_i[d][s];
      assign has_credit[d] = credit_q != '0;
      assign steered = open[s] && choice == pipe_t'(d);
      assign claimed = claim_valid_i[s] && claim_fixed_i[s] && !claim_escape_i[s]
                    && claim_pipe_i[s] == pipe_t'(d);
      assign claimed_set = claim && members[d][claim_pipe_i[s]];
      assign room_any_o[s][d]   = spare_q != '0;
      assign room_fixed_o[s][d] = spare_q != '0 && credit_q > credit_t'(steered);

      assign credit_d[d] = credit_q + credit_t'(freed_i[d][s]) - credit_t'(steered)
                         - credit_t'(claimed);
      always_comb begin
        counted = '0;
        for (int unsigned e = 0; e < NumPipes; e++)
          if (members[d][e]) counted += spare_t'(credit_d[e]);
      end
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          credit_q <= credit_t'(Depth);
          spare_q  <= spare_t'(NumPipes * Depth);
        end else begin
          if (steered || claimed || freed_i[d][s]) credit_q <= credit_d[d];
          if (changed)                             spare_q  <= counted;
          else if (claimed_set || column != '0)
            spare_q <= spare_q + spare_t'($countones(column & members[d])) - spare_t'(claimed_set);
        end
      end

      `SLUICE_ASSERT(CreditAtMostDepth_A, credit_q <= credit_t'(Depth))
      `SLUICE_ASSERT(FreedWasTaken_A, !freed_i[d][s] || credit_q != credit_t'(Depth))
      `SLUICE_ASSERT(FixedClaimHasRoom_A, !claimed || room_fixed_o[s][d])
    end

    `SLUICE_ASSERT(ClaimHasRoom_A, !claim || room_any_o[s][claim_pipe_i[s]])
    `SLUICE_ASSERT(QuietWhenSetsChange_A, !changed || !(claim || open[s]))
    `SLUICE_ASSERT(SteeringFindsRoom_A, !open[s] || found)
  end

  // ---- occupancy and turn
  for (genvar d = 0; d < NumPipes; d++) begin : gen_load
    load_t load_q, arrived;
    assign load[d] = load_q;
    always_comb begin
      arrived = '0;
      for (int unsigned s = 0; s < NumPipes; s++)
        arrived += load_t'(leave_i[s].valid && to[s] == pipe_t'(d));
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) load_q <= '0;
      else         load_q <= load_q + arrived - load_t'(departed_i[d]);
    end

    `SLUICE_ASSERT(DepartedWasThere_A, !departed_i[d] || load_q != '0)
    `SLUICE_ASSERT(LoadFitsBanks_A, load_q <= load_t'(NumPipes * Depth + 1))
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) turn_q <= '0;
    else         turn_q <= turn_q + 1'b1;
  end
endmodule : sluice_steer
