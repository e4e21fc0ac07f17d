// SPDX-License-Identifier: Apache-2.0

/// ALUs of all three widths against a C reference: every operation, every function, edge values and
/// random ones. First Menshen's own cases (arithmetic of `alu_1.v` and `alu_2.v` at fc968bf, as
/// facts). +seed=N  +break=N (see file breaks): 1 operands exchanged, 2 bit 0 of the function is
/// wrong, 3 operand C is wrong, 4 the result of the operation before is looked at, 5 bit 11 of the
/// immediate is wrong.
module tb_sluice_alu;
  import sluice_layout_pkg::*;

  import "DPI-C" function int alu_reference(input int width, input int instr, input longint a,
    input longint b, input int c, output longint result);

  `include "bench.svh"

  instr_t      instr, seen;
  logic        en, c;
  logic [47:0] a, b, result [3];
  logic [2:0]  write, ext;
  logic [3:0]  select [3];
  logic [47:0] dut_a, dut_b;

  always_comb begin
    seen = instr;
    if (mutant == 2 && instr.op == OpFunc) seen[6] = !instr[6];
    if (mutant == 5 && instr.op != OpFunc) seen[11] = !instr[11];
    dut_a = mutant == 1 ? b : a;
    dut_b = mutant == 1 ? a : b;
  end

  for (genvar w = 0; w < 3; w++) begin : gen_width
    localparam int unsigned Width = 16 + 16 * w;
    localparam int unsigned Operand = w == 2 ? 48 : 32;
    logic [Width-1:0] narrow;
    sluice_alu #(.Width(Width)) dut (
      .clk_i(clk), .en_i(en), .instr_i(seen), .a_i(dut_a[Operand-1:0]), .b_i(dut_b[Operand-1:0]),
      .c_i(c ^ (mutant == 3)), .write_o(write[w]), .result_o(narrow),
      .ext_o(ext[w]), .select_o(select[w])
    );
    assign result[w] = 48'(narrow);
  end

  task automatic apply(instr_t i, logic [47:0] va, logic [47:0] vb, logic vc);
    instr = i;
    a     = va;
    b     = vb;
    c     = vc;
    en    = 1'b1;
    if (mutant == 4) #1; else @(negedge clk);
  endtask

  task automatic fact(string name, logic [1:0] w, instr_t i, logic [47:0] va,
                      logic [47:0] vb, logic [47:0] expected);
    apply(i, va, vb, 1'b0);
    if (!write[w] || result[w] != expected) $fatal(1, "%s: %h, not %h", name, result[w], expected);
  endtask

  function automatic logic [47:0] value();
    case ($urandom_range(7))
      0: return 48'($urandom_range(3));
      1: return 48'h8000_0000;
      2: return 48'hffff_ffff;
      3: return 48'h7fff_ffff;
      4: return 48'hffff_ffff_ffff;
      5: return 48'($signed(-32'($urandom_range(5))));
      default: return {16'($urandom), $urandom};
    endcase
  endfunction

  int checks = 0;

  task automatic compare();
    longint      full;
    logic [63:0] expected;
    int          writes;
    for (int w = 0; w < 3; w++) begin
      logic [47:0] ra, rb;
      // The narrow ALUs have 32-bit operands, for typed operations.
      ra = w == 2 ? a : 48'(a[31:0]);
      rb = w == 2 ? b : 48'(b[31:0]);
      writes = alu_reference(16 + 16 * w, int'({7'd0, instr}), longint'({16'd0, ra}),
                             longint'({16'd0, rb}), int'(c), full);
      expected = full;
      if (int'(write[w]) != writes || (write[w] && 64'(result[w]) != expected))
        $fatal(1, "width %0d: instr %h a %h b %h c %b: write %b result %h, expected %0d %h",
               16 + 16 * w, instr, ra, rb, c, write[w], result[w], writes, expected);
      if (ext[w] != (instr.op == OpExt) || (ext[w] && select[w] != instr[3:0]))
        $fatal(1, "width %0d: EXT %h", 16 + 16 * w, instr);
      checks++;
    end
  endtask

  initial begin
    instr_t i;
    read_arguments();
    en = 1'b0;
    @(negedge clk);
    fact("add 16", 2'd0, {OpAdd, 21'd0}, 48'hffff, 48'h0002, 48'h0001);
    fact("sub 48", 2'd2, {OpSub, 21'd0}, 48'h0, 48'h1, 48'hffff_ffff_ffff);
    fact("addi 32", 2'd1, {OpAddi, 5'd0, 16'h8000}, 48'hffff_ffff, 48'h0, 48'h0000_7fff);
    fact("subi 16", 2'd0, {OpSubi, 5'd0, 16'hffff}, 48'h0, 48'h0, 48'h0001);
    fact("set 48", 2'd2, {OpSet, 5'd0, 16'h8001}, 48'h0, 48'h0, 48'h8001);
    for (int n = 0; n < 40_000; n++) begin
      i = 25'($urandom);
      if (n < 16 * 64) i.op = 4'(n / 64);
      else if (n < 8000) i.op = n[0] ? OpFunc : OpFunci;
      apply(i, value(), n % 5 == 0 ? a : value(), 1'($urandom));
      compare();
      // Without an enable the results stay.
      en    = 1'b0;
      instr = ~i;
      @(negedge clk);
      instr = i;
      if (mutant != 4) compare();
    end
    pass($sformatf("%0d comparisons", checks));
  end
endmodule : tb_sluice_alu
