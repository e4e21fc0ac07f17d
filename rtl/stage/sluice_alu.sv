// SPDX-License-Identifier: Apache-2.0

/// ALU of one VLIW slot (slots 1..24). Latency 1 cycle, one operation a cycle; the result holds
/// while en_i is low. Menshen's operations work modulo Width; FUNC, FUNCI and SETHI on the low 32
/// bits of the operands, and their results are cut or zero-extended to Width. EXT, LOAD, LOADD and
/// STORE get their results from the unit beside the stage, a cycle later: for them, as for all that
/// changes nothing, write_o is 0; ext_o and select_o say which result an EXT wants.
///
/// All operations share one adder, one shifter and one row of two-input gates, each of them on
/// operand a and y, which is b or the immediate; what is left of an operation is what it makes of them.
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

  // ---- operands
  logic                   is_func, is_funci, is_sethi, is_imm;
  logic [OperandBits-1:0] y;
  assign is_func  = instr_i.op == OpFunc;
  assign is_funci = instr_i.op == OpFunci;
  assign is_sethi = instr_i.op == OpSethi;
  assign is_imm   = instr_i.op == OpAddi || instr_i.op == OpSubi || instr_i.op == OpSet;
  always_comb begin
    y = b_i;
    if (is_imm)   y = OperandBits'(imm.imm);
    if (is_funci) y = OperandBits'($unsigned(32'($signed(funci.imm))));
    if (is_sethi) y = OperandBits'({imm.imm, 16'd0});
  end

  // ---- what to do: gates give truth[{a, y}]; which unit's result it is
  logic [3:0] truth;
  logic       subtract, reverse, to_left, arithmetic, from_sum, from_shift, test, holds;
  logic       equal, below, less;      // below: unsigned
  always_comb begin
    truth      = '0;
    subtract   = 1'b1;                 // as comparisons want it
    reverse    = 1'b0;
    to_left    = 1'b0;
    arithmetic = 1'b0;
    from_sum   = 1'b0;
    from_shift = 1'b0;
    test       = 1'b0;                 // the result is `holds`
    holds      = 1'b0;
    case (instr_i.op)
      OpAdd, OpAddi: {from_sum, subtract} = 2'b10;
      OpSub, OpSubi: from_sum = 1'b1;
      OpSet:         truth    = 4'b1010;
      OpFunc:
        case (func.f)
          FuncAnd:    truth = 4'b1000;
          FuncOr:     truth = 4'b1110;
          FuncXor:    truth = 4'b0110;
          FuncNot:    truth = 4'b0011;
          FuncSelect: truth = c_i ? 4'b1100 : 4'b1010;
          FuncMove:   truth = 4'b1100;
          FuncShl:    {from_shift, to_left} = '1;
          FuncSra:    {from_shift, arithmetic} = '1;
          FuncSrl:    from_shift = 1'b1;
          FuncAdd:    {from_sum, subtract} = 2'b10;
          FuncSub:    from_sum = 1'b1;
          FuncEq:     {test, holds} = {1'b1, equal};
          FuncNe:     {test, holds} = {1'b1, !equal};
          FuncLt:     {test, holds} = {1'b1, less};
          FuncLe:     {test, holds} = {1'b1, less || equal};
          FuncLtu:    {test, holds} = {1'b1, below};
          FuncLand:   {test, holds} = {1'b1, a_i[31:0] != '0 && b_i[31:0] != '0};
          FuncLor:    {test, holds} = {1'b1, a_i[31:0] != '0 || b_i[31:0] != '0};
          default:    ;
        endcase
      OpFunci:
        case (funci.f)
          FunciAnd:  truth = 4'b1000;
          FunciOr:   truth = 4'b1110;
          FunciXor:  truth = 4'b0110;
          FunciSet:  truth = 4'b1010;
          FunciShl:  {from_shift, to_left} = '1;
          FunciSra:  {from_shift, arithmetic} = '1;
          FunciSrl:  from_shift = 1'b1;
          FunciAdd:  {from_sum, subtract} = 2'b10;
          FunciRsub: {from_sum, subtract, reverse} = 3'b101;
          FunciEq:   {test, holds} = {1'b1, equal};
          FunciNe:   {test, holds} = {1'b1, !equal};
          FunciLt:   {test, holds} = {1'b1, less};
          FunciLe:   {test, holds} = {1'b1, less || equal};
          FunciGt:   {test, holds} = {1'b1, !less && !equal};
          FunciGe:   {test, holds} = {1'b1, !less};
          default:   ;
        endcase
      default: ;
    endcase
  end

  // ---- the adder: a + y, a - y, or y - a
  logic [OperandBits-1:0] sum;
  logic                   differ;      // in their signs
  assign sum    = (a_i ^ {OperandBits{reverse}}) + (y ^ {OperandBits{subtract}})
                + OperandBits'(subtract || reverse);
  assign equal  = a_i[31:0] == y[31:0];
  assign differ = a_i[31] != y[31];
  assign below  = differ ? y[31] : sum[31];
  assign less   = differ ? a_i[31] : sum[31];

  // ---- the shifter, to the right; for shifts to the left the bits are turned round before and after
  logic [31:0] turned, shifted, back;
  assign turned  = to_left ? {<<{a_i[31:0]}} : a_i[31:0];
  assign shifted = 32'($signed({arithmetic && a_i[31], turned}) >>> y[4:0]);
  assign back    = {<<{shifted}};

  // ---- the gates, and the result
  logic [31:0]      gates, moved;
  logic [Width-1:0] result;
  always_comb begin
    gates = ({32{truth[3]}} &  a_i[31:0] &  y[31:0]) | ({32{truth[2]}} &  a_i[31:0] & ~y[31:0])
          | ({32{truth[1]}} & ~a_i[31:0] &  y[31:0]) | ({32{truth[0]}} & ~a_i[31:0] & ~y[31:0]);
    if (is_sethi) gates = {y[31:16], a_i[15:0]};
    if (test)     gates[0] = holds;
    moved  = to_left ? back : shifted;
    result = Width'(gates);
    if (from_shift) result = Width'(moved);
    if (from_sum)   result = is_func || is_funci ? Width'(sum[31:0]) : Width'(sum);
  end

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      write_o  <= is_func || is_funci || is_sethi || is_imm
               || instr_i.op == OpAdd || instr_i.op == OpSub;
      ext_o    <= instr_i.op == OpExt;
      select_o <= imm.imm[3:0];
      result_o <= result;
    end
  end

  logic unused_fields;
  assign unused_fields = &{1'b0, imm, func, funci, sum, moved, gates};
endmodule : sluice_alu
