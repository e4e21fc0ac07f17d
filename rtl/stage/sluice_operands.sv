// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Chooses the operands of all VLIW slots. Latency 1 cycle, one action word a cycle; a slot's
/// registers hold when it has nothing to do. FUNC, FUNCI and SETHI read any container (or constant)
/// as 32 bits; all other operations ignore the type tag and read a container of the slot's own
/// type. So a 6-byte slot needs a typed choice only for the low 32 bits; its high 16 bits always
/// come from 6-byte containers.
/// In a chip with ActionData 1, FUNC with DATA set reads in place of the constants 0 to 3 the data
/// words of the entry, and 0 to 3 in place of 4 to 7. In a 6-byte slot word w comes as the 6-byte
/// number {low 16 bits of word w + 1, word w}, where word 4 is 0.
module sluice_operands
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_stage_pkg::data_t;
(
  input  logic                         clk_i,
  input  logic                         en_i,
  input  containers_t                  cont_i,
  input  logic [ActionBits-1:0]        action_i,
  input  data_t                        data_i,           // of the entry
  output instr_t                       instr_o [NumSlots],
  output logic [MaxContainerBits-1:0]  a_o [NumSlots],   // 32 bits, or those of a wider container
  output logic [MaxContainerBits-1:0]  b_o [NumSlots],
  output logic [NumSlots-1:0]          a_nonzero_o,
  output logic [NumSlots-1:0]          b_nonzero_o,
  output logic [NumSlots-1:0]          c_nonzero_o
);
  logic [31:0] value [32];
  logic [31:0] nonzero;
  localparam int unsigned HighBits = MaxContainerBits - 32;  // beyond a number of 32 bits
  logic [HighBits-1:0] high [8];

  sluice_operand_values u_values (.en_i, .cont_i, .value_o(value));

  always_comb begin
    nonzero = '0;
    if (`SLUICE_WHEN(en_i)) for (int unsigned i = 0; i < 32; i++) nonzero[i] = value[i] != '0;
    for (int unsigned i = 0; i < 8; i++) high[i] = '0;
    for (int unsigned i = 0; i < Array6B; i++) high[i] = cont_i.b6[i][MaxContainerBits-1:32];
  end

  // ---- data words: what operands of type CONST read with DATA set
  logic [47:0] word [8];
  logic [7:0]  word_nonzero;
  always_comb begin
    for (int unsigned i = 0; i < 4; i++) begin
      word[i]   = {i < 3 ? data_i[2-i][15:0] : 16'd0, data_i[3-i]};
      word[4+i] = 48'(i);
    end
    for (int unsigned i = 0; i < 8; i++) word_nonzero[i] = word[i][31:0] != '0;
  end

  for (genvar s = 0; s < NumSlots; s++) begin : gen_slot
    localparam slot_info_t Slot = slot_info(s);
    localparam type_e Own = Slot.kind;
    // Slots whose container this configuration does not have are left out; slot 0 is always there.
    localparam bit Exists = s == 0 || Slot.container;
    if (Exists) begin : gen_exists
      instr_t      instr;
      instr_func_t func;
      logic        busy;
      assign instr = action_i[InstrWidth*s +: InstrWidth];
      assign func  = instr;
      assign busy  = instr.op != OpNop && instr.op != OpNopFill;

      // Which operands are data words.
      logic data, data_a, data_b, data_c;
      assign data   = ActionData != 0 && instr.op == OpFunc && func.data;
      assign data_a = data && func.a[4:3] == TypeConst;
      assign data_b = data && func.b[4:3] == TypeConst;
      assign data_c = data && func.c[4:3] == TypeConst;

      // Registers of the slot's own: an array of them would be copied twice in simulation.
      instr_t              instr_q;
      logic [31:0]         a_q, b_q;
      logic [HighBits-1:0] a_high, b_high;
      logic                a_nonzero_q, b_nonzero_q, c_nonzero_q;
      always_ff @(posedge clk_i) begin
        if (en_i) begin
          instr_q <= instr;
          if (busy) begin : choose
            logic       typed;
            logic [4:0] a, b;
            typed = instr.op == OpFunc || instr.op == OpFunci || instr.op == OpSethi;
            a     = {typed ? instr.a[4:3] : Own, instr.a[2:0]};
            b     = {typed ? instr.b[4:3] : Own, instr.b[2:0]};
            a_q   <= data_a ? word[func.a[2:0]][31:0] : value[a];
            b_q   <= data_b ? word[func.b[2:0]][31:0] : value[b];
            a_nonzero_q <= data_a ? word_nonzero[func.a[2:0]] : nonzero[a];
            b_nonzero_q <= data_b ? word_nonzero[func.b[2:0]] : nonzero[b];
            c_nonzero_q <= data_c ? word_nonzero[func.c[2:0]] : nonzero[func.c];
          end
        end
      end
      if (Slot.bits > 32) begin : gen_high
        logic [HighBits-1:0] a_high_q, b_high_q;
        always_ff @(posedge clk_i) begin
          if (en_i && busy) begin
            a_high_q <= high[instr.a[2:0]];
            b_high_q <= high[instr.b[2:0]];
            // MOVE with DATA set writes all of operand A: only a 6-byte container has these bits.
            if (data && func.a[4:3] != TypeB6)
              a_high_q <= data_a ? HighBits'(word[func.a[2:0]][47:32]) : '0;
          end
        end
        assign a_high = a_high_q;
        assign b_high = b_high_q;
      end else begin : gen_no_high
        assign a_high = '0;
        assign b_high = '0;
      end
      assign instr_o[s]     = instr_q;
      assign a_o[s]         = {a_high, a_q};
      assign b_o[s]         = {b_high, b_q};
      assign a_nonzero_o[s] = a_nonzero_q;
      assign b_nonzero_o[s] = b_nonzero_q;
      assign c_nonzero_o[s] = c_nonzero_q;

    end else begin : gen_none
      assign {instr_o[s], a_o[s], b_o[s], a_nonzero_o[s], b_nonzero_o[s], c_nonzero_o[s]} = '0;
    end
  end

  logic unused_inputs;
  assign unused_inputs = ^action_i;
endmodule : sluice_operands
