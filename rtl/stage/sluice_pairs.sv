// SPDX-License-Identifier: Apache-2.0

/// Update of one pair of state words: Banzai's Pairs atom, and what is below it, in two steps.
/// In the first cycle (en_i) all sums of packet fields and constants are made and registered; in
/// the second (old words given) only state plus operand, compare and select are left, so that an
/// entry can be updated in every cycle. The second step is combinational and its inputs hold while
/// en_i is low.
///   if pred 1 {if pred 2 arm A else arm B} else if pred 4 {if pred 3 arm C else arm D}
/// LOAD, STORE and LOADD are put as instructions with constant predicates: arm A always runs.
module sluice_pairs
  import sluice_layout_pkg::*;
(
  input  logic         clk_i,
  // first cycle
  input  logic         en_i,
  input  state_instr_t instr_i,
  input  logic         instr_valid_i,  // 0: op_i decides
  input  logic [3:0]   op_i,           // LOAD, STORE or LOADD
  input  logic [31:0]  p1_i,           // of STORE: the word to store
  input  logic [31:0]  p2_i,
  // second cycle
  input  state_entry_t old_i,
  output state_entry_t new_o,
  output logic [3:0]   pred_o          // bit n - 1: predicate n
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

  predicate_t  pred_q [4];
  logic [31:0] left_q [4], right_q [4], sum_q [8];
  logic [7:0]  keep_q;

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      for (int unsigned n = 0; n < 4; n++) begin
        pred_q[n]  <= instr_valid_i ? pred[n] : '{rel: RelTrue, default: '0};
        case (pred[n].x_packet)
          PredPP1:      left_q[n] <= p1_i;
          PredPP2:      left_q[n] <= p2_i;
          PredPNegP1:   left_q[n] <= -p1_i;
          PredPNegP2:   left_q[n] <= -p2_i;
          PredPP1SubP2: left_q[n] <= p1_i - p2_i;
          PredPP2SubP1: left_q[n] <= p2_i - p1_i;
          default:      left_q[n] <= '0;
        endcase
        right_q[n] <= term[pred[n].y];
      end
      for (int unsigned n = 0; n < 8; n++) begin
        keep_q[n] <= update[n].keep;
        sum_q[n]  <= update[n].sub ? term[update[n].a] - term[update[n].b]
                                   : term[update[n].a] + term[update[n].b];
      end
      if (!instr_valid_i) begin
        keep_q[0] <= op_i != OpStore;
        keep_q[1] <= 1'b1;
        sum_q[0]  <= op_i == OpStore ? p1_i : 32'(op_i == OpLoadd);
        sum_q[1]  <= '0;
      end
    end
  end

  // ---- second cycle
  logic [31:0] next1 [4], next2 [4];   // arms A to D

  always_comb begin
    for (int unsigned n = 0; n < 4; n++) begin
      logic [31:0] x, y;
      x = left_q[n];
      y = right_q[n];
      if (pred_q[n].x_state == PredSS1) x = x + old_i.s1;
      if (pred_q[n].x_state == PredSS2) x = x + old_i.s2;
      if (pred_q[n].y == PredYS1) y = old_i.s1;
      if (pred_q[n].y == PredYS2) y = old_i.s2;
      case (pred_q[n].rel)
        RelEq:   pred_o[n] = x == y;
        RelNe:   pred_o[n] = x != y;
        RelLt:   pred_o[n] = $signed(x) < $signed(y);
        RelLe:   pred_o[n] = $signed(x) <= $signed(y);
        RelGt:   pred_o[n] = $signed(x) > $signed(y);
        RelGe:   pred_o[n] = $signed(x) >= $signed(y);
        RelTrue: pred_o[n] = 1'b1;
        default: pred_o[n] = 1'b0;
      endcase
    end

    for (int unsigned n = 0; n < 4; n++) begin
      next1[n] = sum_q[2*n]   + (keep_q[2*n]   ? old_i.s1 : '0);
      next2[n] = sum_q[2*n+1] + (keep_q[2*n+1] ? old_i.s2 : '0);
    end

    if      (pred_o[0] && pred_o[1]) new_o = '{s1: next1[0], s2: next2[0]};
    else if (pred_o[0])               new_o = '{s1: next1[1], s2: next2[1]};
    else if (pred_o[3] && pred_o[2]) new_o = '{s1: next1[2], s2: next2[2]};
    else if (pred_o[3])               new_o = '{s1: next1[3], s2: next2[3]};
    else                              new_o = old_i;
  end

  logic unused_fields;
  assign unused_fields = &{1'b0, instr_i.valid, instr_i.reserved, instr_i.p1, instr_i.p2,
                           pred_q[0].x_packet, pred_q[1].x_packet,
                           pred_q[2].x_packet, pred_q[3].x_packet};
endmodule : sluice_pairs
