// SPDX-License-Identifier: Apache-2.0

/// Test of sluice_issue: random candidates, room and modes against the rules as docs/boundary.md and
/// docs/modes.md have them, one case after the other.
/// +seed=N, +cases=N, +break=N (see the file `breaks`).
module tb_sluice_issue;
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;

  mode_t               mode, mode_dut;
  pipe_t               pipe, claim_pipe, set_mask, set_mask_dut;
  logic                exit, exit_dut, hold, hold_dut, a_valid, a_wait, b_valid;
  tag_t                oldest, oldest_dut, a_tag, b_tag, b_tag_dut;
  logic [NumPipes-1:0] room_fixed, room_dut, room_any;
  route_t              a_next, b_next;
  logic                issue_a, issue_b, blocked, claim_fixed, claim_escape;
  sluice_issue u_dut (
    .mode_i(mode_dut), .pipe_i(pipe), .exit_i(exit_dut), .hold_i(hold_dut), .oldest_i(oldest_dut),
    .room_fixed_i(room_dut), .room_any_i(room_any), .set_mask_i(set_mask_dut),
    .a_valid_i(a_valid), .a_tag_i(a_tag), .a_next_i(a_next),
    .a_wait_i(a_wait && mutant != 8),
    .b_valid_i(b_valid), .b_tag_i(b_tag_dut), .b_next_i(b_next),
    .issue_a_o(issue_a), .issue_b_o(issue_b), .blocked_o(blocked),
    .claim_fixed_o(claim_fixed), .claim_escape_o(claim_escape), .claim_pipe_o(claim_pipe)
  );

  int unsigned seed = 1, cases = 200000, mutant = 0;
  int          done = 0, issued = 0, escapes = 0, stayed = 0;

  always_comb begin
    mode_dut   = mode;
    exit_dut   = exit;
    hold_dut   = hold;
    room_dut   = room_fixed;
    oldest_dut = oldest;
    b_tag_dut  = b_tag;
    set_mask_dut = set_mask;
    case (mutant)
      1: mode_dut.issue = IssueOlder;
      2: mode_dut.steer = SteerRank;
      3: room_dut[0] = 1'b0;
      4: oldest_dut = oldest + tag_t'(Window);
      5: b_tag_dut = b_tag + 1'b1;
      6: exit_dut = 1'b0;
      7: hold_dut = 1'b0;
      9: set_mask_dut = '0;
      default: ;
    endcase
  end

  task automatic fail(string what);
    $display("FAIL: %s (case %0d, seed %0d)", what, done, seed);
    $fatal(1);
  endtask

  // This pipeline's place in the set of another one.
  function automatic pipe_t place(pipe_t other);
    return (other & set_mask) | (pipe & ~set_mask);
  endfunction
  // Where a candidate must go, -1: anywhere in its set; and whether there is room.
  function automatic int target(route_t next);
    if (next.fixed) return int'(next.pipe);
    return mode.steer == SteerStay ? int'(place(next.pipe)) : -1;
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
    bit     a, b, choose_b;
    route_t next;
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
    if (issue_a != a || issue_b != b)
      fail($sformatf("issued %b %b, expected %b %b", issue_a, issue_b, a, b));
    if (!a && !b) return;
    issued++;
    next = a ? a_next : b_next;
    if (claim_fixed != (target(next) >= 0)) fail("claim_fixed");
    if (claim_escape != !has_room(next)) fail("claim_escape");
    if (claim_pipe != (target(next) < 0 ? place(next.pipe) : pipe_t'(target(next))))
      fail("claim_pipe");
    escapes += int'(claim_escape);
    stayed  += int'(claim_fixed && !next.fixed);
  endtask

  initial begin
    void'($value$plusargs("seed=%d", seed));
    void'($value$plusargs("cases=%d", cases));
    void'($value$plusargs("break=%d", mutant));
    void'($urandom(seed));
    while (done < int'(cases)) begin
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
      b_valid    = $urandom_range(3) != 0;
      a_next     = '{fixed: exit || $urandom_range(1) == 0, pipe: pipe_t'($urandom)};
      b_next     = '{fixed: exit || $urandom_range(1) == 0, pipe: pipe_t'($urandom)};
      a_tag      = oldest + ($urandom_range(3) == 0 ? '0 : tag_t'($urandom_range(Window - 2)));
      b_tag      = oldest + ($urandom_range(3) == 0 ? '0 : tag_t'($urandom_range(Window - 2)));
      if (a_tag == b_tag) b_tag = b_tag + 1'b1;   // no ticket is given twice
      #1 check();
      done++;
    end
    if (escapes == 0 || stayed == 0) fail("the cases were too tame");
    $display("PASS sluice_issue: seed %0d, %0d cases, %0d issued, %0d escapes, %0d stayed", seed,
             done, issued, escapes, stayed);
    $finish;
  end
endmodule : tb_sluice_issue
