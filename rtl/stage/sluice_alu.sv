// SPDX-License-Identifier: Apache-2.0

/// ALU of one VLIW slot (slots 1..24). Latency 1 cycle, one operation a cycle; the result holds
/// while en_i is low. Menshen's operations work modulo Width; FUNC, FUNCI and SETHI on the low 32
/// bits of the operands, and their results are cut or zero-extended to Width. EXT, LOAD, LOADD and
/// STORE get their results from the unit beside the stage, a cycle later: for them, as for all that
/// changes nothing, write_o is 0; ext_o and select_o say which result an EXT wants.
module sluice_alu
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
  instr_imm_t   imm;
  instr_func_t  func;
  instr_funci_t funci;
  assign imm   = instr_i;
  assign func  = instr_i;
  assign funci = instr_i;

  // Operands of the 32-bit operations.
  logic [31:0] a, b, i;
  assign a = 32'(a_i);
  assign b = 32'(b_i);
  assign i = 32'($signed(funci.imm));

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      write_o  <= 1'b1;
      ext_o    <= instr_i.op == OpExt;
      select_o <= imm.imm[3:0];
      case (instr_i.op)
        OpAdd:   result_o <= Width'(a_i + b_i);
        OpSub:   result_o <= Width'(a_i - b_i);
        OpAddi:  result_o <= Width'(a_i + OperandBits'(imm.imm));
        OpSubi:  result_o <= Width'(a_i - OperandBits'(imm.imm));
        OpSet:   result_o <= Width'(imm.imm);
        OpFunc:
          case (func.f)
            FuncAnd:    result_o <= Width'(32'(a & b));
            FuncOr:     result_o <= Width'(32'(a | b));
            FuncXor:    result_o <= Width'(32'(a ^ b));
            FuncNot:    result_o <= Width'(32'(~a));
            FuncShl:    result_o <= Width'(32'(a << b[4:0]));
            FuncSra:    result_o <= Width'(32'($unsigned($signed(a) >>> b[4:0])));
            FuncSrl:    result_o <= Width'(32'(a >> b[4:0]));
            FuncEq:     result_o <= Width'(a == b);
            FuncNe:     result_o <= Width'(a != b);
            FuncLt:     result_o <= Width'($signed(a) < $signed(b));
            FuncLe:     result_o <= Width'($signed(a) <= $signed(b));
            FuncLtu:    result_o <= Width'(a < b);
            FuncSelect: result_o <= Width'(32'(c_i ? a : b));
            FuncAdd:    result_o <= Width'(32'(a + b));
            FuncSub:    result_o <= Width'(32'(a - b));
            FuncLand:   result_o <= Width'(a != '0 && b != '0);
            FuncLor:    result_o <= Width'(a != '0 || b != '0);
            FuncMove:   result_o <= Width'(32'(a));
            default:    result_o <= '0;
          endcase
        OpFunci:
          case (funci.f)
            FunciAnd:   result_o <= Width'(32'(a & i));
            FunciOr:    result_o <= Width'(32'(a | i));
            FunciXor:   result_o <= Width'(32'(a ^ i));
            FunciShl:   result_o <= Width'(32'(a << i[4:0]));
            FunciSra:   result_o <= Width'(32'($unsigned($signed(a) >>> i[4:0])));
            FunciSrl:   result_o <= Width'(32'(a >> i[4:0]));
            FunciEq:    result_o <= Width'(a == i);
            FunciNe:    result_o <= Width'(a != i);
            FunciLt:    result_o <= Width'($signed(a) < $signed(i));
            FunciLe:    result_o <= Width'($signed(a) <= $signed(i));
            FunciGt:    result_o <= Width'($signed(a) > $signed(i));
            FunciGe:    result_o <= Width'($signed(a) >= $signed(i));
            FunciAdd:   result_o <= Width'(32'(a + i));
            FunciRsub:  result_o <= Width'(32'(i - a));
            FunciSet:   result_o <= Width'(32'(i));
            default:    result_o <= '0;
          endcase
        OpSethi: result_o <= Width'({imm.imm, a_i[15:0]});
        default: write_o  <= 1'b0;
      endcase
    end
  end

  logic unused_fields;
  assign unused_fields = &{1'b0, imm, func, funci};
endmodule : sluice_alu
