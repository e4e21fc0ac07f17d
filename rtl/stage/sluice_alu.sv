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

  function automatic logic [31:0] sra(logic [31:0] a, logic [4:0] by);
    return $unsigned($signed(a) >>> by);
  endfunction

  function automatic logic [31:0] of_func(logic [4:0] f, logic [31:0] a, logic [31:0] b, logic c);
    case (f)
      FuncAnd:    return a & b;
      FuncOr:     return a | b;
      FuncXor:    return a ^ b;
      FuncNot:    return ~a;
      FuncShl:    return a << b[4:0];
      FuncSra:    return sra(a, b[4:0]);
      FuncSrl:    return a >> b[4:0];
      FuncEq:     return 32'(a == b);
      FuncNe:     return 32'(a != b);
      FuncLt:     return 32'($signed(a) < $signed(b));
      FuncLe:     return 32'($signed(a) <= $signed(b));
      FuncLtu:    return 32'(a < b);
      FuncSelect: return c ? a : b;
      FuncAdd:    return a + b;
      FuncSub:    return a - b;
      FuncLand:   return 32'(a != '0 && b != '0);
      FuncLor:    return 32'(a != '0 || b != '0);
      FuncMove:   return a;
      default:    return '0;
    endcase
  endfunction

  function automatic logic [31:0] of_funci(logic [3:0] f, logic [31:0] a, logic [31:0] i);
    case (f)
      FunciAnd:  return a & i;
      FunciOr:   return a | i;
      FunciXor:  return a ^ i;
      FunciShl:  return a << i[4:0];
      FunciSra:  return sra(a, i[4:0]);
      FunciSrl:  return a >> i[4:0];
      FunciEq:   return 32'(a == i);
      FunciNe:   return 32'(a != i);
      FunciLt:   return 32'($signed(a) < $signed(i));
      FunciLe:   return 32'($signed(a) <= $signed(i));
      FunciGt:   return 32'($signed(a) > $signed(i));
      FunciGe:   return 32'($signed(a) >= $signed(i));
      FunciAdd:  return a + i;
      FunciRsub: return i - a;
      FunciSet:  return i;
      default:   return '0;
    endcase
  endfunction

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
        OpFunc:  result_o <= Width'(of_func(func.f, 32'(a_i), 32'(b_i), c_i));
        OpFunci: result_o <= Width'(of_funci(funci.f, 32'(a_i), 32'($signed(funci.imm))));
        OpSethi: result_o <= Width'({imm.imm, a_i[15:0]});
        default: write_o  <= 1'b0;
      endcase
    end
  end

  logic unused_fields;
  assign unused_fields = &{1'b0, imm, func, funci};
endmodule : sluice_alu
