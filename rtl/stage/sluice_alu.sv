// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// ALU of one VLIW slot (slots 1..24). Latency 1 cycle, one operation a cycle; outputs hold while
/// en_i is low. Menshen's operations work modulo Width; FUNC, FUNCI and SETHI on the low 32 bits of
/// the operands, and their results are cut or zero-extended to Width. EXT, LOAD, LOADD and STORE
/// get their results from the unit beside the stage, a cycle later: for them, as for all that
/// changes nothing, write_o is 0 and the result anything; ext_o and select_o say which result an
/// EXT wants.
///
/// In a chip with ActionData 1, MOVE with DATA set writes operand A at the slot's full width.
/// A chip without shifters (Shifters = 0) gives 0 in place of what is shifted.
/// All operations share one adder, one shifter and one row of two-input gates, each of them on
/// operand a and y, which is b or the immediate; what is left of an operation is what it makes of
/// them. All of it stands where the result is written, so that a simulator does none of it for the
/// slots, most of them, that have nothing to write.
module sluice_alu
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
#(
  parameter int unsigned Width = 32,   // of the slot's container: 16, 32 or 48
  localparam int unsigned OperandBits = Width > 32 ? Width : 32
) (
  input  logic                   clk_i,
  input  logic                   en_i,
  input  instr_t                 instr_i,
  input  logic [OperandBits-1:0] a_i,
  input  logic [OperandBits-1:0] b_i,
  input  logic                   c_i,  // operand C is not 0
  output logic                   write_o,
  output logic [Width-1:0]       result_o,
  output logic                   ext_o,
  output logic [3:0]             select_o
);
  typedef logic [OperandBits-1:0] operand_t;
  typedef logic [Width-1:0]       result_t;
  typedef logic [(Width < 32 ? Width : 32)-1:0] gates_t;
  typedef struct packed {
    logic [3:0] truth;       // the gates give truth[{a, y}]
    logic       subtract;    // the adder: a + y, a - y, or with reverse as well y - a
    logic       reverse;
    logic       to_left;     // the shifter
    logic       arithmetic;
    logic       from_sum;    // whose result it is, if not that of the gates
    logic       from_shift;
    // bit 0 is how a and y compare: one of those that follow holds, or none
    logic       test;
    logic       equal;
    logic       less;
    logic       below;       // unsigned
    logic       both;        // neither is 0
    logic       either;      // not both are 0
    logic       none;
  } plan_t;

  // A test is a comparison, so it subtracts.
  localparam plan_t Gates  = '{subtract: 1'b1, default: '0};
  localparam plan_t Adds   = '{from_sum: 1'b1, default: '0};
  localparam plan_t Shifts = '{from_shift: 1'b1, default: '0};
  localparam plan_t Tests  = '{subtract: 1'b1, test: 1'b1, default: '0};

  instr_imm_t   imm;
  instr_func_t  func;
  instr_funci_t funci;
  assign imm   = instr_i;
  assign func  = instr_i;
  assign funci = instr_i;

  logic writes;
  always_comb begin
    case (instr_i.op)
      OpAdd, OpAddi, OpSub, OpSubi, OpSet, OpFunc, OpFunci, OpSethi: writes = 1'b1;
      default:                                                       writes = 1'b0;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (`SLUICE_WHEN(en_i)) begin
      write_o  <= writes;
      ext_o    <= instr_i.op == OpExt;
      select_o <= imm.imm[3:0];
      if (writes) begin : work
        plan_t       plan;
        operand_t    y, sum;
        logic        differ, below, less, holds;
        logic [31:0] turned, shifted;
        gates_t      gates, moved;
        result_t     result;

        // what to do
        plan = Gates;
        case (instr_i.op)
          OpAdd, OpAddi: plan = Adds;
          OpSub, OpSubi: begin plan = Adds; plan.subtract = 1'b1; end
          OpSet:         plan.truth = 4'b1010;
          OpFunc:
            case (func.f)
              FuncAnd:    plan.truth = 4'b1000;
              FuncOr:     plan.truth = 4'b1110;
              FuncXor:    plan.truth = 4'b0110;
              FuncNot:    plan.truth = 4'b0011;
              FuncSelect: plan.truth = c_i ? 4'b1100 : 4'b1010;
              FuncMove:   plan.truth = 4'b1100;
              FuncShl:    begin plan = Shifts; plan.to_left = 1'b1; end
              FuncSra:    begin plan = Shifts; plan.arithmetic = 1'b1; end
              FuncSrl:    plan = Shifts;
              FuncAdd:    plan = Adds;
              FuncSub:    begin plan = Adds;  plan.subtract = 1'b1; end
              FuncEq:     begin plan = Tests; plan.equal    = 1'b1; end
              FuncNe:     begin plan = Tests; {plan.equal, plan.none} = '1; end
              FuncLt:     begin plan = Tests; plan.less     = 1'b1; end
              FuncLe:     begin plan = Tests; {plan.less, plan.equal} = '1; end
              FuncLtu:    begin plan = Tests; plan.below    = 1'b1; end
              FuncLand:   begin plan = Tests; plan.both     = 1'b1; end
              FuncLor:    begin plan = Tests; plan.either   = 1'b1; end
              default:    ;
            endcase
          OpFunci:
            case (funci.f)
              FunciAnd:  plan.truth = 4'b1000;
              FunciOr:   plan.truth = 4'b1110;
              FunciXor:  plan.truth = 4'b0110;
              FunciSet:  plan.truth = 4'b1010;
              FunciShl:  begin plan = Shifts; plan.to_left    = 1'b1; end
              FunciSra:  begin plan = Shifts; plan.arithmetic = 1'b1; end
              FunciSrl:  plan = Shifts;
              FunciAdd:  plan = Adds;
              FunciRsub: begin plan = Adds;  plan.reverse = 1'b1; end
              FunciEq:   begin plan = Tests; plan.equal   = 1'b1; end
              FunciNe:   begin plan = Tests; {plan.equal, plan.none} = '1; end
              FunciLt:   begin plan = Tests; plan.less    = 1'b1; end
              FunciLe:   begin plan = Tests; {plan.less, plan.equal} = '1; end
              FunciGt:   begin plan = Tests; {plan.less, plan.equal, plan.none} = '1; end
              FunciGe:   begin plan = Tests; {plan.less, plan.none} = '1; end
              default:   ;
            endcase
          default: ;
        endcase

        case (instr_i.op)
          OpAddi, OpSubi, OpSet: y = operand_t'(imm.imm);
          OpFunci:               y = operand_t'($unsigned(32'($signed(funci.imm))));
          OpSethi:               y = operand_t'({imm.imm, 16'd0});
          default:               y = b_i;
        endcase

        // the adder, and how a and y compare
        sum    = (a_i ^ {OperandBits{plan.reverse}}) + (y ^ {OperandBits{plan.subtract}})
               + operand_t'(plan.subtract || plan.reverse);
        differ = a_i[31] != y[31];             // in their signs
        below  = differ ? y[31] : sum[31];
        less   = differ ? a_i[31] : sum[31];
        holds  = plan.none ^ ((plan.equal && a_i[31:0] == y[31:0]) || (plan.less && less)
            || (plan.below && below)
                              || (plan.both && a_i[31:0] != '0 && b_i[31:0] != '0)
                              || (plan.either && (a_i[31:0] != '0 || b_i[31:0] != '0)));

        // the shifter, to the right; for shifts to the left the bits are turned round before and
        // after
        turned  = plan.to_left ? {<<{a_i[31:0]}} : a_i[31:0];
        shifted = 32'($signed({plan.arithmetic && a_i[31], turned}) >>> y[4:0]);
        moved   = gates_t'(shifted);
        if (plan.to_left)
          for (int unsigned b = 0; b < $bits(gates_t); b++) moved[b] = shifted[31-b];

        gates = gates_t'(({32{plan.truth[3]}} &  a_i[31:0] &  y[31:0])
            | ({32{plan.truth[2]}} &  a_i[31:0] & ~y[31:0])
                       | ({32{plan.truth[1]}} & ~a_i[31:0] &  y[31:0])
                           | ({32{plan.truth[0]}} & ~a_i[31:0] & ~y[31:0]));
        if (instr_i.op == OpSethi) gates = gates_t'({y[31:16], a_i[15:0]});
        if (plan.test)             gates[0] = holds;

        result = result_t'(gates);
        if (Width > 32 && ActionData != 0 && instr_i.op == OpFunc && func.data
            && func.f == FuncMove) result = result_t'(a_i);
        if (plan.from_shift) result = Shifters != 0 ? result_t'(moved) : '0;
        if (plan.from_sum)
          result = instr_i.op == OpFunc
              || instr_i.op == OpFunci ? result_t'(sum[31:0]) : result_t'(sum);
        result_o <= result;
      end else begin
        result_o <= '0;
      end
    end
  end
endmodule : sluice_alu
