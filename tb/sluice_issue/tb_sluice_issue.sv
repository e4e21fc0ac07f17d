// SPDX-License-Identifier: Apache-2.0

/// Test of sluice_issue: random candidates, room and modes against the rules as docs/boundary.md and
/// docs/study.md have them, one case after the other.
/// +seed=N, +cases=N, +break=N (see the file `breaks`).
module tb_sluice_issue;
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;

  mode_t               mode, mode_dut;
  pipe_t               pipe, set_mask;
  course_t             claim;
  logic                exit, exit_dut, hold, hold_dut, a_valid, a_wait;
  tag_t                oldest, oldest_dut, a_tag;
  logic [NumPipes-1:0] room_fixed, room_dut, room_any, room_any_dut;
  route_t              a_next;
  // offers: of the banks, and last that of the escape slot
  localparam int Offers = int'(NumPipes) + 1;
  logic   [Offers-1:0] offer, offer_dut, pick, go;
  tag_t   [Offers-1:0] offer_tag, offer_tag_dut;
  route_t [Offers-1:0] offer_next;
  logic                issue_a, blocked;
  sluice_issue u_dut (
    .mode_i(mode_dut), .exit_i(exit_dut), .hold_i(hold_dut), .oldest_i(oldest_dut),
    .room_fixed_i(room_dut), .room_any_i(room_any_dut),
    .a_valid_i(a_valid), .a_tag_i(a_tag), .a_next_i(a_next),
    .a_wait_i(a_wait && mutant != 8),
    .b_valid_i(offer_dut), .b_tag_i(offer_tag_dut), .b_next_i(offer_next), .b_pick_o(pick),
    .b_go_o(go),
    .issue_a_o(issue_a), .blocked_o(blocked),
    .claim_o(claim)
  );

  `include "bench.svh"
  int unsigned cases = 200000;
  bit          twice;
  int          issued = 0, escapes = 0, stayed = 0;

  task automatic apply();
    mode_dut   = mode;
    exit_dut   = exit;
    hold_dut   = hold;
    room_dut   = room_fixed;
    room_any_dut = room_any;
    oldest_dut = oldest;
    offer_dut     = offer;
    offer_tag_dut = offer_tag;
    case (mutant)
      1: mode_dut.issue = IssueOlder;
      2: mode_dut.steer = SteerRank;
      3: room_dut[0] = 1'b0;
      4: oldest_dut = oldest + tag_t'(Window);
      5: for (int s = 0; s < Offers; s++) offer_tag_dut[s] = offer_tag[s] + 1'b1;
      6: exit_dut = 1'b0;
      7: hold_dut = 1'b0;
      9: room_any_dut = room_fixed;
      10: offer_tag_dut[0] = offer_tag[0] + tag_t'(Window / 2);
      11: offer_dut[Offers-1] = 1'b0;
      default: ;
    endcase
  endtask

  // This pipeline's place in the set of another one: where a packet goes that is not fixed.
  function automatic pipe_t place(pipe_t other);
    return (other & set_mask) | (pipe & ~set_mask);
  endfunction
  // Where a candidate must go, -1: anywhere in its set; and whether there is room.
  function automatic int target(route_t next);
    if (next.fixed) return int'(next.pipe);
    return mode.steer == SteerStay ? int'(next.pipe) : -1;
  endfunction
  function automatic bit has_room(route_t next);
    return target(next) < 0 ? room_any[next.pipe] : room_fixed[pipe_t'(target(next))];
  endfunction
  // Tickets are tags ahead of the oldest.
  function automatic int age(tag_t tag);
    tag_t ahead;
    ahead = tag - oldest;
    return int'(ahead);
  endfunction

  task automatic check();
    bit     a, b, b_valid, choose_b;
    int     first;
    tag_t   b_tag;
    route_t next, b_next;
    // b: of the escape slot, or else the oldest
    first = offer[Offers-1] ? Offers - 1 : -1;
    for (int s = 0; s < Offers - 1 && !offer[Offers-1]; s++)
      if (offer[s] && (first < 0 || age(offer_tag[s]) < age(offer_tag[first]))) first = s;
    b_valid = first >= 0;
    b_tag   = b_valid ? offer_tag[first] : '0;
    b_next  = b_valid ? offer_next[first] : '0;
    if (pick != (b_valid ? Offers'(1) << first : '0)) fail("pick");
    a = a_valid && !a_wait && (has_room(a_next) || (age(a_tag) == 0 && !exit));
    b = b_valid && (has_room(b_next) || (age(b_tag) == 0 && !exit));
    case (mode.issue)
      IssueFree:   choose_b = 1'b1;
      IssueAccess: choose_b = 1'b0;
      default:     choose_b = age(b_tag) < age(a_tag);
    endcase
    if (a && b) begin
      a = !choose_b;
      b = choose_b;
    end
    if (blocked != (((a_valid && !a_wait) || b_valid) && !a && !b && !hold)) fail("blocked");
    if (hold) {a, b} = '0;
    if (issue_a != a) fail($sformatf("issued %b, expected %b", issue_a, a));
    if (go != (b ? pick : '0)) fail("go");
    if (claim.valid != (a || b)) fail("claim.valid");
    if (!a && !b) return;
    issued++;
    next = a ? a_next : b_next;
    if (claim.fixed != (target(next) >= 0)) fail("claim.fixed");
    if (claim.escape != !has_room(next)) fail("claim.escape");
    if (claim.pipe != next.pipe) fail("claim.pipe");
    escapes += int'(claim.escape);
    stayed  += int'(claim.fixed && !next.fixed);
  endtask

  initial begin
    read_arguments();
    void'($value$plusargs("cases=%d", cases));
    while (now < int'(cases)) begin
      mode       = '{steer: 2'($urandom), issue: 2'($urandom), default: '0};
      pipe       = pipe_t'($urandom);
      exit       = $urandom_range(5) == 0;
      hold       = $urandom_range(9) == 0;
      oldest     = tag_t'($urandom);
      room_fixed = NumPipes'($urandom);
      set_mask   = pipe_t'(NumPipes - (NumPipes >> $urandom_range($clog2(NumPipes))));
      for (int unsigned d = 0; d < NumPipes; d++) begin
        room_any[d] = 1'b0;
        for (int unsigned e = 0; e < NumPipes; e++)
          if (((d ^ e) & 32'(set_mask)) == 0) room_any[d] |= room_fixed[e];
      end
      a_valid    = $urandom_range(3) != 0;
      a_wait     = $urandom_range(7) == 0;
      for (int i = 0; i < Offers; i++) begin
        offer[i]      = $urandom_range(2) == 0;
        offer_next[i] = '{fixed: exit || $urandom_range(1) == 0, pipe: pipe_t'($urandom)};
        if (!offer_next[i].fixed) offer_next[i].pipe = place(offer_next[i].pipe);
        offer_tag[i]  = oldest + ($urandom_range(7) == 0 ? '0 : tag_t'($urandom_range(Window - 2)));
      end
      a_next     = '{fixed: exit || $urandom_range(1) == 0, pipe: pipe_t'($urandom)};
      if (!a_next.fixed) a_next.pipe = place(a_next.pipe);
      a_tag      = oldest + ($urandom_range(3) == 0 ? '0 : tag_t'($urandom_range(Window - 2)));
      // no ticket is given twice
      twice = 1'b0;
      for (int i = 0; i < Offers; i++) begin
        twice |= offer_tag[i] == a_tag;
        for (int j = 0; j < i; j++) twice |= offer_tag[i] == offer_tag[j];
      end
      apply();
      #1 if (!twice) begin
        check();
        now++;
      end
    end
    if (escapes == 0 || stayed == 0) fail("the cases were too tame");
    pass($sformatf("%0d cases, %0d issued, %0d escapes, %0d stayed",
                   now, issued, escapes, stayed));
  end
endmodule : tb_sluice_issue
