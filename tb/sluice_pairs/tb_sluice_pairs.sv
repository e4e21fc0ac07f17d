// SPDX-License-Identifier: Apache-2.0

/// sluice_pairs and sluice_pairs_shared, each with Pairs 1 and 0, against one model, written from
/// docs/machine.md (State instructions): random instructions and operations, one in most cycles,
/// many on the entry that the one in front leaves, some refused; numbers that are often equal or
/// next to each other, or at the ends of what 32 bits hold.
/// +seed=N, +cycles=N, +break=N (see the file `breaks`).
module tb_sluice_pairs
  import sluice_layout_pkg::*;
;
  `include "bench.svh"

  typedef struct packed {
    logic         en, entry_en, follow, refused;
    logic [3:0]   op;
    logic [31:0]  p1, p2;
    state_instr_t instr;
    state_entry_t entry;
  } in_t;
  typedef struct packed {
    state_entry_t old_pair, new_pair;
    logic [3:0]   pred;
  } out_t;

  in_t in, in_dut;
  always_comb begin
    in_dut = in;
    if (mutant == 1 && now % 8 == 0) in_dut.instr.a1[6] = !in.instr.a1[6];
    if (mutant == 2 && in.instr.pred_1[5:3] == RelLe) in_dut.instr.pred_1[5:3] = RelLt;
    if (mutant == 3) in_dut.follow = 1'b0;
    if (mutant == 4) in_dut.refused = 1'b0;
    if (mutant == 5) in_dut.instr.pred_3 = in.instr.pred_4;
    if (mutant == 6 && in.op == OpLoadd) in_dut.op = OpLoad;
  end
  // [Pairs]
  state_entry_t [1:0] entry, old_pair, new_pair, entry_s, old_s, new_s;
  logic [1:0][3:0]    pred, pred_s;
  for (genvar p = 0; p < 2; p++) begin : gen_pairs
    state_entry_t entry_in;
    assign entry_in = p == 0 ? {in_dut.entry.s1, 32'd0} : in_dut.entry;
    sluice_pairs #(.Pairs(p == 1)) u_dut (
      .clk_i(clk), .en_i(in_dut.en), .instr_i(in_dut.instr), .instr_valid_i(in_dut.instr.valid),
      .op_i(in_dut.op), .p1_i(in_dut.p1), .p2_i(in_dut.p2), .refused_i(in_dut.refused),
      .entry_en_i(in_dut.entry_en), .entry_i(entry_in), .follow_i(in_dut.follow),
      .entry_o(entry[p]), .old_o(old_pair[p]), .new_o(new_pair[p]), .pred_o(pred[p])
    );
    sluice_pairs_shared #(.Pairs(p == 1)) u_shared (
      .clk_i(clk), .en_i(in_dut.en), .instr_i(in_dut.instr), .instr_valid_i(in_dut.instr.valid),
      .op_i(in_dut.op), .p1_i(in_dut.p1), .p2_i(in_dut.p2), .refused_i(in_dut.refused),
      .entry_en_i(in_dut.entry_en), .entry_i(entry_in), .follow_i(in_dut.follow),
      .entry_o(entry_s[p]), .old_o(old_s[p]), .new_o(new_s[p]), .pred_o(pred_s[p])
    );
  end

  // ---- what an operation makes of an entry
  /* verilator lint_save */
  /* verilator lint_off UNUSEDSIGNAL */
  function automatic bit holds(predicate_t t, state_instr_t i, state_entry_t s, logic [31:0] p1,
                               logic [31:0] p2);
    int x, y;
    case (t.x_packet)
      PredPP1:      x = p1;
      PredPP2:      x = p2;
      PredPNegP1:   x = -p1;
      PredPNegP2:   x = -p2;
      PredPP1SubP2: x = p1 - p2;
      PredPP2SubP1: x = p2 - p1;
      default:      x = 0;
    endcase
    case (t.x_state)
      PredSS1: x += int'(s.s1);
      PredSS2: x += int'(s.s2);
      default: ;
    endcase
    case (t.y)
      PredYK0: y = i.k0;
      PredYK1: y = i.k1;
      PredYK2: y = i.k2;
      PredYK3: y = i.k3;
      PredYP1: y = p1;
      PredYP2: y = p2;
      PredYS1: y = s.s1;
      default: y = s.s2;
    endcase
    case (t.rel)
      RelEq:   return x == y;
      RelNe:   return x != y;
      RelLt:   return x < y;
      RelLe:   return x <= y;
      RelGt:   return x > y;
      RelGe:   return x >= y;
      RelTrue: return 1'b1;
      default: return 1'b0;
    endcase
  endfunction
  function automatic logic [31:0] term(logic [2:0] a, state_instr_t i, logic [31:0] p1,
                                       logic [31:0] p2);
    case (a)
      ArmK0:   return i.k0;
      ArmK1:   return i.k1;
      ArmK2:   return i.k2;
      ArmK3:   return i.k3;
      ArmP1:   return p1;
      ArmP2:   return p2;
      default: return '0;
    endcase
  endfunction
  function automatic logic [31:0] updated(update_t u, logic [31:0] was, state_instr_t i,
                                          logic [31:0] p1, logic [31:0] p2);
    logic [31:0] r;
    r = term(u.a, i, p1, p2);
    r = u.sub ? r - term(u.b, i, p1, p2) : r + term(u.b, i, p1, p2);
    return u.keep ? r + was : r;
  endfunction
  function automatic out_t result(in_t o, state_entry_t e, bit pairs);
    out_t         r;
    state_entry_t s;
    bit           any;
    update_t      u1, u2;
    s      = o.refused ? '0 : e;
    r      = '{old_pair: s, new_pair: s, pred: '0};
    if (!o.instr.valid) begin
      case (o.op)
        OpStore: r.new_pair.s1 = o.p1;
        OpLoadd: r.new_pair.s1 = s.s1 + 32'd1;
        default: ;
      endcase
      return r;
    end
    r.pred[0] = holds(o.instr.pred_1, o.instr, s, o.p1, o.p2);
    // With one word the others do not compare: they hold, or do not.
    if (pairs) begin
      r.pred[1] = holds(o.instr.pred_2, o.instr, s, o.p1, o.p2);
      r.pred[2] = holds(o.instr.pred_3, o.instr, s, o.p1, o.p2);
      r.pred[3] = holds(o.instr.pred_4, o.instr, s, o.p1, o.p2);
    end else begin
      r.pred[1] = o.instr.pred_2[5:3] == RelTrue;
      r.pred[2] = o.instr.pred_3[5:3] == RelTrue;
      r.pred[3] = o.instr.pred_4[5:3] == RelTrue;
    end
    any = 1'b1;
    {u1, u2} = '0;
    if (r.pred[0] && r.pred[1])      {u1, u2} = {o.instr.a1, o.instr.a2};
    else if (r.pred[0])              {u1, u2} = {o.instr.b1, o.instr.b2};
    else if (r.pred[3] && r.pred[2]) {u1, u2} = {o.instr.c1, o.instr.c2};
    else if (r.pred[3])              {u1, u2} = {o.instr.d1, o.instr.d2};
    else                             any = 1'b0;
    if (any) begin
      r.new_pair.s1 = updated(u1, s.s1, o.instr, o.p1, o.p2);
      r.new_pair.s2 = pairs ? updated(u2, s.s2, o.instr, o.p1, o.p2) : '0;
    end
    return r;
  endfunction
  /* verilator lint_restore */

  // ---- numbers
  function automatic logic [31:0] number();
    case (rnd(4))
      0: return $urandom;
      1: return 32'h7fff_ffff + 32'(rnd(4));
      2: return 32'(rnd(3)) - 32'd1;
      default: return 32'(rnd(2));
    endcase
  endfunction

  state_entry_t [1:0] here, was;                 // the entry of the second cycle; [Pairs]
  out_t [1:0]         made, want;                // of the operation in it; of the one before
  bit                 en_q, taken_q, want_q;     // an operation is there; an entry; results
  int                 operations = 0, follows = 0, relations [8];
  initial begin
    read_arguments(40000);
    for (int n = 0; n < 8; n++) relations[n] = 0;
    in = '0;
    {en_q, taken_q, want_q} = '0;
    release_reset(3);
    while (now < int'(cycles)) begin
      // In most cycles the operation in front has another entry.
      in.instr       = {$urandom, $urandom, $urandom, $urandom, number(), number(), number(),
                        number()};
      in.instr.valid = rnd(4) != 0;
      in.en          = rnd(4) != 0;
      in.entry_en    = in.en || rnd(2) == 0;
      in.follow      = in.entry_en && en_q && rnd(2) == 0;
      in.refused     = rnd(8) == 0;
      in.op          = rnd(3) == 0 ? OpLoad : rnd(2) == 0 ? OpStore : OpLoadd;
      in.p1          = number();
      in.p2          = number();
      in.entry       = {number(), number()};
      #1;
      // An instruction's entry shows in the cycle behind the one that took it, its results in the
      // next.
      for (int p = 0; p < 2; p++) begin
        if (taken_q && (entry[p] != here[p] || entry_s[p] != here[p]))
          fail($sformatf("Pairs %0d: the entry is %h, shared %h, not %h", p, entry[p], entry_s[p],
                         here[p]));
        if (want_q && {old_pair[p], new_pair[p], pred[p]} != want[p])
          fail($sformatf("Pairs %0d: %h makes %h, predicates %b, not %h, %b", p, old_pair[p],
                         new_pair[p], pred[p], want[p].new_pair, want[p].pred));
        if (want_q && {old_s[p], new_s[p], pred_s[p]} != want[p])
          fail($sformatf("shared, Pairs %0d: %h makes %h, predicates %b, not %h, %b", p, old_s[p],
                         new_s[p], pred_s[p], want[p].new_pair, want[p].pred));
      end
      // ... and in the next cycle
      if (en_q) want = made;
      want_q  = en_q;
      for (int p = 0; p < 2; p++) begin
        was[p] = in.follow ? made[p].new_pair : p == 0 ? {in.entry.s1, 32'd0} : in.entry;
        if (in.entry_en) here[p] = was[p];
        if (in.en) made[p] = result(in, was[p], p == 1);
      end
      if (in.en && in.instr.valid) relations[in.instr.pred_1[5:3]]++;
      operations += 32'(in.en);
      follows    += 32'(in.follow && in.en);
      en_q        = in.en;
      taken_q     = in.entry_en;
      tick();
    end
    for (int n = 0; n < 8; n++)
      if (relations[n] < int'(cycles) / 50) fail($sformatf("too tame: relation %0d", n));
    if (follows < int'(cycles) / 10) fail("too tame");
    pass($sformatf("%0d operations, %0d on what the one in front left", operations, follows));
  end
endmodule : tb_sluice_pairs
