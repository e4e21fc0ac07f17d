// SPDX-License-Identifier: Apache-2.0

/// What sluice_pairs does, with the same ports and cycles, in a third of the area: the predicates
/// come first, and then one sum a state word is made, that of the arm which they chose. The second
/// cycle is therefore two additions long instead of one: for slow clocks (SharedSums = 1,
/// docs/fpga.md).
///   first cycle   the instruction is kept, with the difference of its operands; the entry comes
///   second cycle  predicates, choice of the arm, its sums: from the entry's register to the new
///                 one
///   third cycle   the results are in registers
/// With Pairs = 0 it is Banzai's IfElseRAW: one word, the other one is 0; predicates 2 to 4 do not
/// compare, but hold or do not.
/// LOAD, STORE and LOADD are put as instructions whose predicates are constant: arm A always runs.
module sluice_pairs_shared
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
  localparam predicate_t Always = '{x_state: '0, x_packet: '0, rel: RelTrue, y: '0};

  predicate_t [3:0]   pred, pred_q;
  update_t    [7:0]   update, update_q;        // A1 A2 B1 B2 C1 C2 D1 D2, from bit 0 on
  logic [31:0]        k_q [4], p1_q, p2_q, p1_less_p2_q;
  logic               en_q, instr_valid_q, refused_q;

  always_comb begin
    pred   = {instr_i.pred_4, instr_i.pred_3, instr_i.pred_2, instr_i.pred_1};
    update = {instr_i.d2, instr_i.d1, instr_i.c2, instr_i.c1, instr_i.b2, instr_i.b1, instr_i.a2,
        instr_i.a1};
    if (!instr_valid_i) begin
      pred      = {4{Always}};
      update    = '0;
      update[0] = '{keep: op_i != OpStore, sub: 1'b0, b: ArmZero,
                    a: op_i == OpStore ? ArmP1 : op_i == OpLoadd ? ArmK0 : ArmZero};
      update[1] = '{keep: 1'b1, sub: 1'b0, a: ArmZero, b: ArmZero};
    end
  end

  always_ff @(posedge clk_i) begin
    en_q <= en_i;
    if (en_i) begin
      instr_valid_q <= instr_valid_i;
      refused_q     <= refused_i;
      pred_q        <= pred;
      update_q      <= update;
      k_q           <= '{instr_valid_i ? instr_i.k0 : 32'd1, instr_i.k1, instr_i.k2, instr_i.k3};
      p1_q          <= p1_i;
      p2_q          <= p2_i;
      p1_less_p2_q  <= p1_i - p2_i;
    end
  end

  // ---- second cycle
  state_entry_t entry_q, seen, updated;
  logic [3:0]   holds;                 // predicates
  always_ff @(posedge clk_i) if (entry_en_i) entry_q <= follow_i ? updated : entry_i;
  assign entry_o = entry_q;
  always_comb begin
    seen = refused_q ? '0 : entry_q;
    if (!Pairs) seen.s2 = '0;
  end

  // Left sides are +/- a number of the packet, and a state word.
  for (genvar n = 0; n < 4; n++) begin : gen_predicate
    if (Pairs || n == 0) begin : gen_test
      predicate_t  test;
      logic        negative, less, equal;
      logic [31:0] packet, state, x, y, difference;
      assign test     = pred_q[n];
      assign negative = test.x_packet == PredPNegP1 || test.x_packet == PredPNegP2
          || test.x_packet == PredPP2SubP1;
      always_comb begin
        case (test.x_packet)
          PredPP1, PredPNegP1:        packet = p1_q;
          PredPP2, PredPNegP2:        packet = p2_q;
          PredPP1SubP2, PredPP2SubP1: packet = p1_less_p2_q;
          default:                    packet = '0;
        endcase
        case (test.x_state)
          PredSS1: state = seen.s1;
          PredSS2: state = seen.s2;
          default: state = '0;
        endcase
        case (test.y)
          PredYP1: y = p1_q;
          PredYP2: y = p2_q;
          PredYS1: y = seen.s1;
          PredYS2: y = seen.s2;
          default: y = k_q[test.y[1:0]];
        endcase
      end
      assign x          = state + (packet ^ {32{negative}}) + 32'(negative);
      assign difference = x - y;
      assign less       = x[31] != y[31] ? x[31] : difference[31];
      assign equal      = x == y;
      always_comb begin
        case (test.rel)
          RelEq:   holds[n] = equal;
          RelNe:   holds[n] = !equal;
          RelLt:   holds[n] = less;
          RelLe:   holds[n] = less || equal;
          RelGt:   holds[n] = !less && !equal;
          RelGe:   holds[n] = !less;
          RelTrue: holds[n] = 1'b1;
          default: holds[n] = 1'b0;
        endcase
      end
      logic unused_bits;
      assign unused_bits = ^difference;
    end else begin : gen_constant
      assign holds[n] = pred_q[n].rel == RelTrue;
    end
  end

  logic       runs;                    // an arm runs
  logic [1:0] arm;                     // 0 to 3: A to D
  assign runs = holds[0] || holds[3];
  assign arm  = holds[0] ? {1'b0, !holds[1]} : {1'b1, !holds[2]};

  logic [1:0][31:0] was, next;
  assign was = {seen.s2, seen.s1};
  for (genvar w = 0; w < 2; w++) begin : gen_word
    if (Pairs || w == 0) begin : gen_sum
      update_t     update_w;
      logic [31:0] a, b;
      assign update_w = update_q[{arm, 1'(w)}];
      always_comb begin
        case (update_w.a)
          ArmP1:          a = p1_q;
          ArmP2:          a = p2_q;
          ArmK0, ArmK1,
          ArmK2, ArmK3:   a = k_q[update_w.a[1:0]];
          default:        a = '0;
        endcase
        case (update_w.b)
          ArmP1:          b = p1_q;
          ArmP2:          b = p2_q;
          ArmK0, ArmK1,
          ArmK2, ArmK3:   b = k_q[update_w.b[1:0]];
          default:        b = '0;
        endcase
        next[w] = a + (b ^ {32{update_w.sub}}) + 32'(update_w.sub) + (update_w.keep ? was[w] : '0);
      end
    end else begin : gen_zero
      assign next[w] = '0;
    end
  end
  assign updated = runs ? {next[0], next[1]} : {was[0], was[1]};

  // ---- third cycle
  always_ff @(posedge clk_i) begin
    if (en_q) begin
      old_o  <= seen;
      new_o  <= updated;
      pred_o <= instr_valid_q ? holds : '0;
    end
  end
endmodule : sluice_pairs_shared
