// SPDX-License-Identifier: Apache-2.0

/// Proof: the banks of a boundary never overflow and no credit leaks.
///
/// The steering of one boundary, the k x k payload banks and k escape slots it serves, and between
/// an issue and the steering a stage (sluice_stage_pkg; the invariants do not depend on its length). Free: what is issued within the room that the steering shows, and what the banks give
/// up. Assumed of the machine: tags in a bank differ, and at most one packet is on its way to, or
/// in, an escape slot. Shown: credits, promises, slots in use and slots on their way back sum to
/// Depth for each source and destination; what is spare toward a set of pipelines is the credits
/// there less the packets that have not chosen yet; so who leaves finds room in its set; and the
/// occupancy that steers is exact. The sets (one of two pipelines, or two of one) may change in any
/// cycle in which nothing is inside, on its way or being issued.
/// BREAK: 1 issues without room, 2 a freed slot is given back twice, 3 steering ignores credits, 4
/// a freed slot is not given back, 5 looks for room in the other set, 6 sets change while packets wait.
`ifndef BREAK
`define BREAK 0
`endif
module proof_credits
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_stage_pkg::*;
#(
  localparam int unsigned Delay = TransitCycle
) (
  input logic                             clk_i,
  input logic                             rst_ni,
  // issue at the boundary before, by source
  input course_t [NumPipes-1:0]           claim_i,
  input tag_t  [NumPipes-1:0]             leave_tag_i,
  // issue at this boundary: [destination][source], [destination]
  input tag_t                             oldest_i,
  input logic  [NumPipes-1:0][NumPipes-1:0] take_fixed_i,
  input logic  [NumPipes-1:0][$clog2(BankDepth)-1:0] take_slot_i, // of those of a bank
  input logic  [NumPipes-1:0][NumPipes-1:0] take_offer_i,
  input logic  [NumPipes-1:0]             take_escape_i,
  input logic                             each_i,       // mode of steering; may change at any time
  input pipe_t                            set_mask_i,   // which pipelines are one set
  input logic                             slip_i        // when a broken twin goes wrong
);
  localparam int unsigned Depth     = BankDepth;
  localparam int unsigned CountBits = $clog2(Depth + 1);
  localparam int unsigned SumBits   = $clog2(NumPipes * Depth + Delay + 2) + 1;
  typedef logic [SumBits-1:0] sum_t;

  stage_settings_t settings;
  always_comb begin
    settings = '0;
    settings.mode.steer = each_i ? SteerEach : SteerRank;
    settings.set_mask   = set_mask_i;
    settings.fault[FaultSteerFull] = `BREAK == 3;
  end

  // ---- the stage between issue and steering
  course_t [NumPipes-1:0][Delay-1:0] course_q;
  course_t [NumPipes-1:0]            known, leave, gone;   // gone: to the bank
  pipe_t   [NumPipes-1:0]            to;
  transit_t [NumPipes-1:0]           transit;
  for (genvar s = 0; s < NumPipes; s++) begin : gen_stage
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) course_q[s] <= '0;
      else begin
        course_q[s][0] <= claim_i[s];
        for (int unsigned c = 1; c < Delay; c++) course_q[s][c] <= course_q[s][c-1];
      end
    end
    assign known[s] = course_q[s][KnownCycle-1];
    assign leave[s] = course_q[s][LeaveCycle-1];
    assign gone[s]  = course_q[s][Delay-1];
    always_comb begin
      transit[s]            = '0;
      transit[s].valid      = gone[s].valid;
      transit[s].escape     = gone[s].escape;
      transit[s].pipe       = to[s];
      transit[s].packet.tag = leave_tag_i[s];
    end
  end

  // ---- steering
  logic [NumPipes-1:0][NumPipes-1:0] room_fixed, room_any, freed_q, freed;
  logic [NumPipes-1:0]               departed_q;
  sluice_steer #(.Depth(Depth)) u_steer (
    .clk_i, .rst_ni, .each_i(settings.mode.steer == SteerEach), .set_mask_i(settings.set_mask),
    .ignore_credits_i(settings.fault[FaultSteerFull]),
    .room_fixed_o(room_fixed), .room_any_o(room_any),
    .claim_i, .known_i(known), .leave_i(leave), .to_o(to),
    .freed_i(freed), .departed_i(departed_q)
  );
  always_comb begin
    freed = freed_q;
    if (`BREAK == 2 && slip_i) freed[0][0] = 1'b1;
    if (`BREAK == 4 && slip_i) freed[0][0] = 1'b0;
  end

  // ---- banks and escape slots
  sum_t                    used    [NumPipes][NumPipes];   // slots in use: destination, source
  logic [NumPipes-1:0]     escape_q;
  for (genvar d = 0; d < NumPipes; d++) begin : gen_pipe
    logic [NumPipes-1:0] take, escape_store;
    for (genvar s = 0; s < NumPipes; s++) begin : gen_bank
      logic                 store, offer, unused_match;
      logic [CountBits-1:0] count;
      logic [$clog2(Depth)-1:0] unused_slot, unused_free;
      route_t               unused_next, unused_offer;
      tag_t                 unused_tag;
      packet_t              unused_packet;
      assign store           = transit[s].valid && !transit[s].escape
          && transit[s].pipe == pipe_t'(d);
      assign escape_store[s] = transit[s].valid && transit[s].escape
          && transit[s].pipe == pipe_t'(d);
      assign take[s]         = take_fixed_i[d][s] || take_offer_i[d][s];
      sluice_payload_bank #(.Depth(Depth)) u_bank (
        .clk_i, .rst_ni,
        .store_i(store), .store_fixed_i(gone[s].fixed), .store_next_i('0),
        .store_packet_i(transit[s].packet),
        .store_slot_o(unused_free), .search_tag_i('0), .match_o(unused_match),
        .match_slot_o(unused_slot), .match_next_o(unused_next),
        .oldest_i, .offer_o(offer), .offer_tag_o(unused_tag), .offer_next_o(unused_offer),
        .take_fixed_i(take_fixed_i[d][s]), .take_slot_i(take_slot_i[d]),
        .take_offer_i(take_offer_i[d][s]),
        .packet_o(unused_packet), .count_o(count), .overflow_o()
      );
      sum_t in_use, open;
      logic listed;            // what is offered is in the list
      always_comb begin
        listed = 1'b0;
        for (int unsigned i = 0; i < Depth; i++)
          listed = listed || (sum_t'(i) < sum_t'(u_bank.listed_q)
                              && u_bank.list_q[i] == u_bank.offer_q.slot);
        in_use = '0;
        open   = '0;
        for (int unsigned i = 0; i < Depth; i++) begin
          in_use += sum_t'(u_bank.valid_q[i]);
          open   += sum_t'(u_bank.valid_q[i] && !u_bank.fixed_q[i]);
        end
      end
      assign used[d][s] = in_use;
      for (genvar i = 0; i < Depth; i++) begin : gen_slot
        always_comb
          if (rst_ni) begin
            assume (!store || !u_bank.valid_q[i] || u_bank.tag_q[i] != transit[s].packet.tag);
            // helpers: the bank's list and tags
            assert (sum_t'(i) >= sum_t'(u_bank.listed_q)
                    || (u_bank.valid_q[u_bank.list_q[i]] && !u_bank.fixed_q[u_bank.list_q[i]]));
            for (int unsigned o = 0; o < Depth; o++) begin
              assert (i == o || !u_bank.valid_q[i] || !u_bank.valid_q[o]
                  || u_bank.tag_q[i] != u_bank.tag_q[o]);
              assert (i <= o || sum_t'(i) >= sum_t'(u_bank.listed_q)
                  || u_bank.list_q[i] != u_bank.list_q[o]);
            end
          end
      end
      always_comb
        if (rst_ni) begin
          assume (!take_fixed_i[d][s] || (u_bank.valid_q[take_slot_i[d]]
                                          && u_bank.fixed_q[take_slot_i[d]]));
          assume (!take_offer_i[d][s] || offer);
          NoOverflow_A : assert (!store || in_use < sum_t'(Depth));
          assert (sum_t'(count) + sum_t'(u_bank.stored_q) == in_use + sum_t'(u_bank.taken_q));
          assert (sum_t'(u_bank.listed_q) == open);
          assert (!offer || listed);
        end
    end

    always_comb
      if (rst_ni) begin
        assume ($onehot0({take_fixed_i[d], take_offer_i[d], take_escape_i[d]}));
        assume (!take_escape_i[d] || escape_q[d]);
      end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        freed_q[d]    <= '0;
        departed_q[d] <= 1'b0;
        escape_q[d]   <= 1'b0;
      end else begin
        freed_q[d]    <= take;
        departed_q[d] <= take != '0 || take_escape_i[d];
        escape_q[d]   <= escape_store != '0 || (escape_q[d] && !take_escape_i[d]);
      end
    end
  end

  // ---- what is issued has room; one packet at most is the oldest in flight
  logic [NumPipes-1:0][Delay:0] escapes;
  for (genvar s = 0; s < NumPipes; s++) begin : gen_claim
    for (genvar c = 0; c < Delay; c++) begin : gen_escape
      assign escapes[s][c] = course_q[s][c].valid && course_q[s][c].escape;
    end
    assign escapes[s][Delay] = claim_i[s].valid && claim_i[s].escape;
    always_comb
      if (rst_ni)
        assume (!claim_i[s].valid || claim_i[s].escape || `BREAK == 1
                || (claim_i[s].fixed ? room_fixed[s][claim_i[s].pipe]
                    : room_any[s][claim_i[s].pipe ^ pipe_t'(`BREAK == 5)]));
    for (genvar c = 0; c < Delay; c++) begin : gen_empty
      always_comb
        if (rst_ni && set_mask_i != u_steer.set_mask_q) assume (!course_q[s][c].valid);
    end
    for (genvar d = 0; d < NumPipes; d++) begin : gen_at_home
      always_comb
        if (rst_ni && set_mask_i != u_steer.set_mask_q && `BREAK != 6)
          assume (used[d][s] == '0 && !freed_q[d][s]);
    end
    always_comb
      if (rst_ni && set_mask_i != u_steer.set_mask_q) assume (!claim_i[s].valid);
  end
  logic [NumPipes-1:0][Delay-1:0] flying;
  for (genvar s = 0; s < NumPipes; s++) begin : gen_flying
    assign flying[s] = escapes[s][Delay-1:0];
  end
  always_comb
    if (rst_ni) begin
      assume ($onehot0({escapes, escape_q}));
      assert ($onehot0({flying, escape_q}));
    end

  // ---- the books: credits less what the steering has still to take off
  sum_t credit [NumPipes][NumPipes];      // source, destination
  for (genvar s = 0; s < NumPipes; s++) begin : gen_books
    logic claimed;
    assign claimed = course_q[s][0].valid && !course_q[s][0].escape;
    // helpers: the steering remembers what was claimed and chosen
    always_comb
      if (rst_ni) begin
        for (int unsigned d = 0; d < NumPipes; d++) begin
          assert (u_steer.gen_source[s].claimed_q[d]
                  == (claimed && course_q[s][0].fixed && course_q[s][0].pipe == pipe_t'(d)));
          assert (u_steer.gen_source[s].claimed_set_q[d] == (claimed
                  && ((course_q[s][0].pipe ^ pipe_t'(d)) & u_steer.set_mask_q) == '0));
          assert (u_steer.chooses[s][d] == (u_steer.open[s]
                  && ((leave[s].pipe ^ pipe_t'(d)) & u_steer.set_mask_q) == '0));
        end
        assert (!gone[s].valid || !(gone[s].fixed || gone[s].escape) || to[s] == gone[s].pipe);
        assert (!gone[s].valid || gone[s].fixed || gone[s].escape
                || ((to[s] ^ gone[s].pipe) & u_steer.set_mask_q) == '0);
      end
    for (genvar d = 0; d < NumPipes; d++) begin : gen_pair
      sum_t promised, undecided, credits;        // the latter two: of the set
      logic chosen, in_set;
      assign chosen = gone[s].valid && !gone[s].fixed && !gone[s].escape && to[s] == pipe_t'(d);
      assign in_set = claimed && ((course_q[s][0].pipe ^ pipe_t'(d)) & u_steer.set_mask_q) == '0;
      always_comb begin
        undecided = '0;
        credits   = '0;
        for (int unsigned c = 0; c < Delay - 1; c++)
          undecided += sum_t'(course_q[s][c].valid && !course_q[s][c].fixed
              && !course_q[s][c].escape
              && ((course_q[s][c].pipe ^ pipe_t'(d)) & u_steer.set_mask_q) == '0);
        for (int unsigned e = 0; e < NumPipes; e++)
          if (((pipe_t'(e) ^ pipe_t'(d)) & u_steer.set_mask_q) == '0) credits += credit[s][e];
      end
      always_comb
        if (rst_ni) begin
          Spare_A : assert (sum_t'(u_steer.gen_source[s].gen_credit[d].spare_q) + undecided
              == credits + sum_t'(in_set));
          assert (u_steer.gen_source[s].choice_q[d] == chosen);
          for (int unsigned n = 0; n < 4; n++)
            assert (u_steer.gen_source[s].gen_credit[d].above_q[n]
                == (32'(u_steer.gen_source[s].gen_credit[d].credit_q) > n));
          for (int unsigned n = 0; n < 2; n++)
            assert (u_steer.gen_source[s].gen_credit[d].above_spare_q[n]
                == (32'(u_steer.gen_source[s].gen_credit[d].spare_q) > n));
        end
      assign credit[s][d] = sum_t'(u_steer.gen_source[s].gen_credit[d].credit_q)
          - sum_t'(u_steer.gen_source[s].gen_credit[d].missing);
      always_comb begin
        promised = sum_t'(chosen);
        for (int unsigned c = 0; c < Delay; c++)
          promised += sum_t'(course_q[s][c].valid && course_q[s][c].fixed && !course_q[s][c].escape
                             && course_q[s][c].pipe == pipe_t'(d));
      end
      always_comb
        if (rst_ni)
          Conserved_A : assert (credit[s][d] + promised + used[d][s] + sum_t'(freed_q[d][s])
              == sum_t'(Depth));
    end
  end
  for (genvar d = 0; d < NumPipes; d++) begin : gen_load
    sum_t coming;              // to this pipeline, and not yet in a bank
    always_comb begin
      coming = '0;
      for (int unsigned s = 0; s < NumPipes; s++)
        coming += sum_t'(gone[s].valid && to[s] == pipe_t'(d))
                + sum_t'(leave[s].valid && (leave[s].fixed || leave[s].escape)
                         && leave[s].pipe == pipe_t'(d));
    end
    always_comb
      if (rst_ni)
        Occupancy_A : assert (sum_t'(u_steer.u_order.gen_load[d].load_q)
                                  + sum_t'($countones(u_steer.chosen_q[d]))
                              == used[d][0] + used[d][1] + sum_t'(escape_q[d])
                                  + sum_t'(departed_q[d]) + coming);
  end

  // ---- reset comes once, at the start
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);

  // ---- reached: a source has no credit left anywhere, and later has all of them again
  logic dry_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) dry_q <= 1'b0;
    else         dry_q <= dry_q || (credit[0][0] == '0 && credit[0][1] == '0);
  end
  always_ff @(posedge clk_i)
    if (rst_ni) Refilled_C : cover (dry_q && credit[0][0] == sum_t'(Depth)
        && credit[0][1] == sum_t'(Depth));
  // And one set has no room, while the other goes on.
  always_ff @(posedge clk_i)
    if (rst_ni) OtherGoesOn_C : cover (set_mask_i == '1 && !room_any[0][0] && credit[0][0] == '0
        && claim_i[0].valid && !claim_i[0].fixed && !claim_i[0].escape && claim_i[0].pipe == '1);
endmodule : proof_credits
