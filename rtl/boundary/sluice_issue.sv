// SPDX-License-Identifier: Apache-2.0
`include "sluice_tag.svh"

/// Issue decision of one pipeline of a back stage, for this cycle: which of two candidates goes.
/// Candidate a is the packet of the order queue's head, b the packet that is not fixed here and has
/// its turn. One counts if the next boundary has room for it; or if it is the oldest in flight:
/// then it needs no credit but goes to an escape slot, which is empty, as the oldest before it has
/// left. (The exit always drains, so there is no escape to it.) a does not count while it waits for
/// a move. The older of those that count goes; other choices are modes (docs/modes.md).
/// Combinational.
module sluice_issue
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
(
  input  mode_t               mode_i,
  input  pipe_t               pipe_i,         // this pipeline
  input  logic                exit_i,         // the next boundary is the exit
  input  logic                hold_i,         // nothing goes in this cycle
  input  tag_t                oldest_i,       // oldest packet in flight
  // room at the next boundary
  input  logic [NumPipes-1:0] room_fixed_i,
  input  logic [NumPipes-1:0] room_any_i,     // of the set of that pipeline
  input  pipe_t               set_mask_i,
  // candidates: it is there, its tag, where it goes next
  input  logic                a_valid_i,
  input  tag_t                a_tag_i,
  input  route_t              a_next_i,
  input  logic                a_wait_i,       // for a move; known late in the cycle
  input  logic                b_valid_i,
  input  tag_t                b_tag_i,
  input  route_t              b_next_i,
  // decision: at most one
  output logic                issue_a_o,
  output logic                issue_b_o,
  output logic                blocked_o,      // a candidate waits for room, and nothing goes
  // where it goes
  output logic                claim_fixed_o,
  output logic                claim_escape_o,
  output pipe_t               claim_pipe_o    // else a pipeline of the set it may go to
);
  logic   stay, a_room, b_room, a_counts, b_counts, b_first;
  pipe_t  a_open, b_open;
  route_t next;

  // A packet that is not fixed takes this pipeline's place in its set along: there it stays in that
  // mode, for a credit as if it were fixed to it, and there its escape goes.
  assign stay   = mode_i.steer == SteerStay;
  assign a_open = (a_next_i.pipe & set_mask_i) | (pipe_i & ~set_mask_i);
  assign b_open = (b_next_i.pipe & set_mask_i) | (pipe_i & ~set_mask_i);

  assign a_room = a_next_i.fixed ? room_fixed_i[a_next_i.pipe]
                : stay ? room_fixed_i[a_open] : room_any_i[a_next_i.pipe];
  assign b_room = b_next_i.fixed ? room_fixed_i[b_next_i.pipe]
                : stay ? room_fixed_i[b_open] : room_any_i[b_next_i.pipe];
  assign a_counts = a_valid_i && !a_wait_i && (a_room || (a_tag_i == oldest_i && !exit_i));
  assign b_counts = b_valid_i && (b_room || (b_tag_i == oldest_i && !exit_i));
  assign b_first  = !a_counts || mode_i.issue == IssueFree
                 || (mode_i.issue != IssueAccess && `SLUICE_OLDER(b_tag_i, a_tag_i));

  assign issue_b_o = b_counts && b_first && !hold_i;
  assign issue_a_o = a_counts && !(b_counts && b_first) && !hold_i;
  assign blocked_o = ((a_valid_i && !a_wait_i) || b_valid_i) && !a_counts && !b_counts && !hold_i;

  assign next           = issue_b_o ? b_next_i : a_next_i;
  assign claim_fixed_o  = next.fixed || stay;
  assign claim_escape_o = issue_b_o ? !b_room : !a_room;
  assign claim_pipe_o   = next.fixed ? next.pipe : issue_b_o ? b_open : a_open;

  logic unused_mode;
  assign unused_mode = ^mode_i;
endmodule : sluice_issue
