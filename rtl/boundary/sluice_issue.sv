// SPDX-License-Identifier: Apache-2.0
`include "sluice_tag.svh"

/// Issue decision of one pipeline of a back stage, for this cycle: which of two candidates goes.
/// Candidate a is the packet of the order queue's head; b that of the escape slot if it is not
/// fixed here, else the oldest that the banks offer. One counts if the next boundary has room for
/// it; or if it is the oldest in flight: then it needs no credit but goes to an escape slot, which
/// is empty, as the oldest before it has left. (The exit always drains, so there is no escape to
/// it.) a does not count while it waits for a move. The older of those that count goes; other
/// choices are modes (docs/study.md).
/// Combinational. Timing: all candidates come from registers; offers are judged side by side, each
/// as if it were b, and each learns by itself that it goes.
module sluice_issue
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
#(
  localparam int unsigned Offers = NumPipes + 1   // of the banks, and that of the escape slot
) (
  input  mode_t                mode_i,
  input  logic                 exit_i,         // the next boundary is the exit
  input  logic                 hold_i,         // nothing goes in this cycle
  input  tag_t                 oldest_i,       // oldest packet in flight
  // room at the next boundary
  input  logic  [NumPipes-1:0] room_fixed_i,
  input  logic  [NumPipes-1:0] room_any_i,     // of the set of that pipeline
  // a: it is there, its tag, where it goes next: if not fixed, what of its set this pipeline is
  input  logic                 a_valid_i,
  input  tag_t                 a_tag_i,
  input  route_t               a_next_i,
  input  logic                 a_wait_i,       // for a move
  // offers
  input  logic   [Offers-1:0]  b_valid_i,
  input  tag_t   [Offers-1:0]  b_tag_i,
  input  route_t [Offers-1:0]  b_next_i,
  output logic   [Offers-1:0]  b_pick_o,       // which of them is b
  // decision: at most one of a and b goes
  output logic   [Offers-1:0]  b_go_o,
  output logic                 issue_a_o,
  output logic                 blocked_o,      // a candidate waits for room, and nothing goes
  output course_t              claim_o         // where it goes, if any
);
  localparam int unsigned Escape = NumPipes;

  // ---- room, by route. A packet that is not fixed has this pipeline's place in its set for a
  // route:
  // there it stays in that mode, for a credit as if it were fixed to it, and there its escape goes.
  logic  stay;
  room_t room;
  assign stay = mode_i.steer == SteerStay;
  always_comb begin
    room = '0;
    for (int unsigned d = 0; d < NumPipes; d++) begin
      room[{1'b1, pipe_t'(d)}] = room_fixed_i[d];
      room[{1'b0, pipe_t'(d)}] = stay ? room_fixed_i[d] : room_any_i[d];
    end
  end

  // ---- offers, each for itself
  logic [Offers-1:0]                 b_room, counts, older;   // has room; may go; older than a
  logic [NumPipes-1:0][NumPipes-1:0] senior;                  // [s][r]: r older than s
  logic                              free, access;
  assign free   = mode_i.issue == IssueFree;
  assign access = mode_i.issue == IssueAccess;
  for (genvar s = 0; s < Offers; s++) begin : gen_offer
    assign b_room[s] = room[b_next_i[s]];
    assign counts[s] = b_room[s] || (b_tag_i[s] == oldest_i && !exit_i);
    assign older[s]  = `SLUICE_OLDER(b_tag_i[s], a_tag_i);
  end
  always_comb begin
    senior = '0;
    for (int unsigned s = 0; s < NumPipes; s++)
      for (int unsigned r = s + 1; r < NumPipes; r++)
        if (`SLUICE_OLDER(b_tag_i[s], b_tag_i[r])) senior[r][s] = 1'b1;
        else                                       senior[s][r] = 1'b1;
  end
  for (genvar s = 0; s < NumPipes; s++) begin : gen_pick
    assign b_pick_o[s] = b_valid_i[s] && (senior[s] & b_valid_i[NumPipes-1:0]) == '0
                      && !b_valid_i[Escape];
  end
  assign b_pick_o[Escape] = b_valid_i[Escape];

  // ---- decision
  logic              a_room, a_counts, b_counts;
  logic [Offers-1:0] first;                              // goes, whether a may or not
  assign a_room    = room[a_next_i];
  assign a_counts  = a_valid_i && !a_wait_i && (a_room || (a_tag_i == oldest_i && !exit_i));
  assign b_counts  = (b_pick_o & counts) != '0;
  assign first     = {Offers{free}} | (older & ~{Offers{access}});

  assign b_go_o    = b_pick_o & counts & (first | {Offers{!a_counts}}) & {Offers{!hold_i}};
  assign issue_a_o = a_counts && (b_pick_o & counts & first) == '0 && !hold_i;
  assign blocked_o = ((a_valid_i && !a_wait_i) || b_valid_i != '0) && !a_counts && !b_counts
                  && !hold_i;

  // ---- claim
  route_t            a_claim, b_claim;
  always_comb begin
    a_claim = issue_a_o ? a_next_i : '0;
    b_claim = '0;
    for (int unsigned s = 0; s < Offers; s++) b_claim |= b_go_o[s] ? b_next_i[s] : '0;
  end
  assign claim_o = '{
    valid: issue_a_o || b_go_o != '0, fixed: a_claim.fixed || b_claim.fixed || stay,
    escape: (issue_a_o && !a_room) || (b_go_o & ~b_room) != '0, pipe: a_claim.pipe | b_claim.pipe
  };
endmodule : sluice_issue
