// SPDX-License-Identifier: Apache-2.0

/// Update of one pair of state words: Banzai's Pairs atom, and what is below it. One a cycle. With
/// Pairs = 0 it is IfElseRAW: one word, the other one is 0; predicates 2 to 4 do not compare, but
/// hold or do not.
///   first cycle   all sums of packet fields and constants are made; the entry comes
///   second cycle  state plus operand, compare and select: from the entry's register to the new one
///   third cycle   the results are in registers
/// Only the second cycle is a loop: what it makes is the entry of the operation behind it if that
/// is told to follow (follow_i), so that one entry can be updated in every cycle. A predicate
/// x + s < y does not wait for x + s: the difference x + s - y is made of three words at once.
///   if pred 1 {if pred 2 arm A else arm B} else if pred 4 {if pred 3 arm C else arm D}
/// LOAD, STORE and LOADD are put as instructions with constant predicates: arm A always runs. A
/// refused operation works on zeros; the register of the entry may hold another one then.
module sluice_pairs
  import sluice_layout_pkg::*;
#(
  parameter bit Pairs = 1'b1           // two words, four predicates that compare
) (
  input  logic         clk_i,
  // first cycle (entry, of the state unit)
  input  logic         en_i,           // an operation
  input  state_instr_t instr_i,
  input  logic         instr_valid_i,  // 0: op_i decides
  input  logic [3:0]   op_i,           // LOAD, STORE or LOADD
  input  logic [31:0]  p1_i,           // of STORE: the word to store
  input  logic [31:0]  p2_i,
  input  logic         refused_i,
  input  logic         entry_en_i,     // an entry comes, for an operation or for others
  input  state_entry_t entry_i,
  // instead of it, what the operation in front makes of its own
  input  logic         follow_i,
  // second cycle
  output state_entry_t entry_o,
  // third cycle
  output state_entry_t old_o,          // 0 of a refused operation
  output state_entry_t new_o,
  output logic [3:0]   pred_o          // bit n - 1: predicate n; 0 without an instruction
);
  // ---- first cycle
  // Terms of arms and right sides of predicates are spelled alike from 0 to 5.
  logic [31:0]      term [8];
  predicate_t       pred [4];
  update_t          update [8];        // A1 A2 B1 B2 C1 C2 D1 D2

  assign pred   = '{instr_i.pred_1, instr_i.pred_2, instr_i.pred_3, instr_i.pred_4};
  assign update = '{instr_i.a1, instr_i.a2, instr_i.b1, instr_i.b2,
                    instr_i.c1, instr_i.c2, instr_i.d1, instr_i.d2};
  assign term   = '{instr_i.k0, instr_i.k1, instr_i.k2, instr_i.k3, p1_i, p2_i, '0, '0};

  // A predicate: (less and x + s < y, or equal and x + s = y), or the opposite.
  typedef struct packed {
    logic less;
    logic equal;
    logic opposite;
    logic x_s1, x_s2;                  // s
    logic y_s1, y_s2;                  // y is a state word
  } test_t;
  test_t       test_q [4];
  logic [31:0] left_q [4], right_q [4], sum_q [8];
  logic [7:0]  keep_q;
  logic        en_q, instr_valid_q, refused_q;
  logic [3:0]  compares;               // predicates that do
  assign compares = Pairs ? 4'b1111 : 4'b0001;

  always_ff @(posedge clk_i) begin
    en_q <= en_i;
    if (en_i) begin
      instr_valid_q <= instr_valid_i;
      refused_q     <= refused_i;
      for (int unsigned n = 0; n < 4; n++) begin
        test_q[n].less  <= instr_valid_i && compares[n]
            && (pred[n].rel == RelLt || pred[n].rel == RelLe || pred[n].rel == RelGt
                || pred[n].rel == RelGe);
        test_q[n].equal <= instr_valid_i && compares[n]
            && (pred[n].rel == RelEq || pred[n].rel == RelNe || pred[n].rel == RelLe
                || pred[n].rel == RelGt);
        test_q[n].opposite <= !instr_valid_i || pred[n].rel == RelTrue
            || (compares[n]
                && (pred[n].rel == RelNe || pred[n].rel == RelGt || pred[n].rel == RelGe));
        test_q[n].x_s1 <= pred[n].x_state == PredSS1 && !refused_i;
        test_q[n].x_s2 <= pred[n].x_state == PredSS2 && !refused_i;
        test_q[n].y_s1 <= pred[n].y == PredYS1 && !refused_i;
        test_q[n].y_s2 <= pred[n].y == PredYS2 && !refused_i;
        case (pred[n].x_packet)
          PredPP1:      left_q[n] <= p1_i;
          PredPP2:      left_q[n] <= p2_i;
          PredPNegP1:   left_q[n] <= -p1_i;
          PredPNegP2:   left_q[n] <= -p2_i;
          PredPP1SubP2: left_q[n] <= p1_i - p2_i;
          PredPP2SubP1: left_q[n] <= p2_i - p1_i;
          default:      left_q[n] <= '0;
        endcase
        right_q[n] <= term[pred[n].y];                // 0 of a state word
      end
      for (int unsigned n = 0; n < 8; n++) begin
        keep_q[n] <= update[n].keep && !refused_i;
        sum_q[n]  <= update[n].sub ? term[update[n].a] - term[update[n].b]
                                   : term[update[n].a] + term[update[n].b];
      end
      if (!instr_valid_i) begin
        keep_q[0] <= op_i != OpStore && !refused_i;
        keep_q[1] <= !refused_i;
        sum_q[0]  <= op_i == OpStore ? p1_i : 32'(op_i == OpLoadd);
        sum_q[1]  <= '0;
      end
      if (!Pairs) for (int unsigned n = 1; n < 8; n += 2) sum_q[n] <= '0;
    end
  end

  // ---- second cycle
  state_entry_t entry_q, taken, updated;
  logic [3:0]   holds;                 // predicates
  logic [31:0]  next1 [4], next2 [4];  // arms A to D

  logic [3:0][31:0] sum, difference;   // only their signs matter
  logic [4:0]   arm;                   // what is new: arm A to D, or what was

  always_comb begin
    taken = follow_i ? updated : entry_i;
    if (!Pairs) taken.s2 = '0;
  end
  always_ff @(posedge clk_i) if (entry_en_i) entry_q <= taken;
  assign entry_o = entry_q;

  always_comb begin
    for (int unsigned n = 0; n < 4; n++) begin
      logic [31:0] x, s, y, ones;
      logic [30:0] carries, generated;
      logic        less, equal;
      x = left_q[n];
      s = ({32{test_q[n].x_s1}} & entry_q.s1) | ({32{test_q[n].x_s2}} & entry_q.s2);
      y = ({32{test_q[n].y_s1}} & entry_q.s1) | ({32{test_q[n].y_s2}} & entry_q.s2) | right_q[n];
      // x + s - y: three words made two, and those added
      ones       = x ^ s ^ ~y;
      carries    = 31'((x & s) | (x & ~y) | (s & ~y));
      difference[n] = ones + {carries, 1'b1};
      sum[n]        = x + s;
      less       = sum[n][31] != y[31] ? sum[n][31] : difference[n][31];
      // x + s = y: every bit is right if all carries are as y wants them
      generated  = 31'((x & s) | ((x | s) & ~y));
      equal      = ~ones == {generated, 1'b0};
      holds[n]   = ((less && test_q[n].less) || (equal && test_q[n].equal)) != test_q[n].opposite;
    end

    for (int unsigned n = 0; n < 4; n++) begin
      next1[n] = sum_q[2*n]   + (keep_q[2*n]   ? entry_q.s1 : '0);
      next2[n] = sum_q[2*n+1] + (keep_q[2*n+1] ? entry_q.s2 : '0);
    end

    arm[0] = holds[0] && holds[1];
    arm[1] = holds[0] && !holds[1];
    arm[2] = !holds[0] && holds[3] && holds[2];
    arm[3] = !holds[0] && holds[3] && !holds[2];
    arm[4] = !holds[0] && !holds[3] && !refused_q;
    updated = arm[4] ? entry_q : '0;
    for (int unsigned n = 0; n < 4; n++)
      updated |= arm[n] ? {next1[n], next2[n]} : '0;
  end

  // ---- third cycle
  always_ff @(posedge clk_i) begin
    if (en_q) begin
      old_o  <= refused_q ? '0 : entry_q;
      new_o  <= updated;
      pred_o <= instr_valid_q ? holds : '0;
    end
  end
endmodule : sluice_pairs
