// SPDX-License-Identifier: Apache-2.0

/// Test of sluice_operands: action words with all operations in all slots, one in most cycles, and
/// numbers that are often 0. What a slot reads is written from docs/machine.md (Actions): FUNC,
/// FUNCI and SETHI any container or constant as 32 bits, the others a container of the slot's own
/// type; FUNC with DATA the data words of the entry. A slot that has nothing to do keeps what it
/// had.
/// +seed=N, +cycles=N, +break=N (see the file `breaks`).
module tb_sluice_operands
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_stage_pkg::data_t;
;
  `include "bench.svh"

  typedef logic [MaxContainerBits-1:0] wide_t;
  logic                  en = 1'b0;
  containers_t           cont, cont_dut;
  logic [ActionBits-1:0] action, action_dut;
  data_t                 data, data_dut;
  instr_t                instr_out [NumSlots];
  wide_t                 a_out [NumSlots], b_out [NumSlots];
  logic [NumSlots-1:0]   a_any, b_any, c_any;
  always_comb begin
    cont_dut   = cont;
    action_dut = action;
    data_dut   = data;
    if (mutant == 1 && now % 16 == 0) cont_dut.b4[0][9] = !cont.b4[0][9];
    if (mutant == 2) action_dut[0] = 1'b0;       // DATA of slot 0
    if (mutant == 3) data_dut = {data[3], data[1], data[2], data[0]};
    if (mutant == 4) cont_dut.b6[1][47:32] = cont.b6[0][47:32];
  end
  sluice_operands u_dut (
    .clk_i(clk), .en_i(en || (mutant == 5 && now % 64 == 0)), .cont_i(cont_dut),
    .action_i(action_dut), .data_i(data_dut),
    .instr_o(instr_out), .a_o(a_out), .b_o(b_out), .a_nonzero_o(a_any), .b_nonzero_o(b_any),
    .c_nonzero_o(c_any)
  );

  // ---- what an operand reads
  function automatic wide_t container(logic [4:0] operand);
    int n;
    n = int'(operand[2:0]);
    case (operand[4:3])
      TypeB2:  return n < int'(Num2B) ? wide_t'(cont.b2[n]) : '0;
      TypeB4:  return n < int'(Num4B) ? wide_t'(cont.b4[n]) : '0;
      TypeB6:  return n < int'(Num6B) ? cont.b6[n] : '0;
      default: return wide_t'(n);
    endcase
  endfunction
  function automatic wide_t data_word(logic [2:0] n);
    logic [4:0][31:0] words;                     // word 4 is 0
    if (n[2]) return wide_t'(n[1:0]);
    words = {32'd0, data[0], data[1], data[2], data[3]};
    return {words[int'(n)+1][15:0], words[n]};
  endfunction
  function automatic bit is_typed(logic [3:0] op);
    return op inside {OpFunc, OpFunci, OpSethi};
  endfunction
  // Only a slot of six bytes has more than 32 bits: they come from containers of that size, also
  // where the lower ones come from another, but for operand A of FUNC with DATA, which comes whole.
  /* verilator lint_save */
  /* verilator lint_off UNUSEDSIGNAL */
  function automatic wide_t operand_of(int s, logic [4:0] operand, logic [3:0] op, bit with_data,
                                       bit is_a);
    slot_info_t slot;
    logic [4:0] o;
    bit         word;
    wide_t      v;
    slot = slot_info(s);
    o    = is_typed(op) ? operand : {slot.kind, operand[2:0]};
    word = with_data && op == OpFunc && o[4:3] == TypeConst;
    v    = word ? data_word(o[2:0]) : container(o);
    if (slot.bits <= 32) v[47:32] = '0;
    else if (!(with_data && op == OpFunc && is_a)) begin
      o        = {TypeB6, operand[2:0]};
      v[47:32] = 16'(container(o) >> 32);
    end
    return v;
  endfunction
  function automatic bit exists(int s);
    slot_info_t slot;
    slot = slot_info(s);
    return s == 0 || slot.container;
  endfunction
  /* verilator lint_restore */

  instr_t              instr_q [NumSlots];
  wide_t               a_q [NumSlots], b_q [NumSlots];
  logic [NumSlots-1:0] a_any_q, b_any_q, c_any_q, known_q, func_q, moved;
  int                  operations = 0, words = 0, kept = 0;

  function automatic logic [31:0] number();
    return rnd(3) == 0 ? '0 : rnd(3) == 0 ? 32'd1 << rnd(32) : $urandom;
  endfunction
  task automatic draw();
    containers_t           c;
    logic [ActionBits-1:0] w;
    instr_func_t           i;
    for (int n = 0; n < int'(Num2B); n++) c.b2[n] = 16'(number());
    for (int n = 0; n < int'(Num4B); n++) c.b4[n] = number();
    for (int n = 0; n < int'(Array6B); n++) c.b6[n] = Num6B == 0 ? '0 : {16'(number()), number()};
    for (int s = 0; s < int'(NumSlots); s++) begin
      i = instr_func_t'($urandom);
      if (rnd(2) == 0) i.op = OpFunc;
      if (rnd(4) == 0) i.op = rnd(2) == 0 ? OpNop : OpNopFill;
      if (rnd(2) == 0) i.a[4:3] = TypeConst;
      w[25*s +: 25] = i;
    end
    cont   = c;
    action = w;
    data   = {number(), number(), number(), number()};
    en     = rnd(4) != 0;
  endtask
  task automatic expect_of(int s, instr_func_t i);
    bit with_data;
    with_data  = ActionData != 0 && i.data;
    instr_q[s] = i;
    if (!(i.op inside {OpNop, OpNopFill})) begin
      a_q[s]     = operand_of(s, i.a, i.op, with_data, 1'b1);
      b_q[s]     = operand_of(s, i.b, i.op, with_data, 1'b0);
      a_any_q[s] = a_q[s][31:0] != '0;
      b_any_q[s] = b_q[s][31:0] != '0;
      // Operand C is of FUNC alone.
      if (i.op == OpFunc) c_any_q[s] = 32'(operand_of(s, i.c, i.op, with_data, 1'b0)) != '0;
      func_q[s]  = i.op == OpFunc;
      known_q[s] = 1'b1;
      moved[s]   = 1'b1;
      operations++;
      words += 32'(with_data && i.op == OpFunc && i.a[4:3] == TypeConst);
    end
  endtask
  task automatic look();
    for (int s = 0; s < int'(NumSlots); s++) if (known_q[s]) begin
      if (instr_out[s] != instr_q[s])
        fail($sformatf("slot %0d: instruction %h, not %h", s, instr_out[s], instr_q[s]));
      if (a_out[s] != a_q[s] || b_out[s] != b_q[s])
        fail($sformatf("slot %0d: %h and %h, not %h and %h", s, a_out[s], b_out[s], a_q[s],
                       b_q[s]));
      if (a_any[s] != a_any_q[s] || b_any[s] != b_any_q[s]
          || (func_q[s] && c_any[s] != c_any_q[s]))
        fail($sformatf("slot %0d: %b%b%b are not 0, should be %b%b%b", s, a_any[s], b_any[s],
                       c_any[s], a_any_q[s], b_any_q[s], c_any_q[s]));
      if (!moved[s]) kept++;
    end
  endtask

  initial begin
    read_arguments(20000);
    {known_q, func_q, moved} = '0;
    draw();
    release_reset(3);
    while (now < int'(cycles)) begin
      draw();
      moved = '0;
      for (int s = 0; s < int'(NumSlots); s++)
        if (en && exists(s)) expect_of(s, action[25*s +: 25]);
      tick();
      look();
    end
    if (operations < int'(cycles) || kept < int'(cycles)
        || (ActionData != 0 && words < int'(cycles))) fail("too tame");
    pass($sformatf("%0d operations, %0d of them with a data word, %0d times a slot keeps its own",
                   operations, words, kept));
  end
endmodule : tb_sluice_operands
