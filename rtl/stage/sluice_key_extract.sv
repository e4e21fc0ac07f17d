// SPDX-License-Identifier: Apache-2.0

/// Picks two containers of each type and the comparator bit, and clears the bits that the mask has:
/// the key that is looked up. Latency 1 cycle, one PHV a cycle; the key holds while en_i is low. It
/// leaves from registers, since a match engine needs all of a cycle for it. The comparator sees the
/// low 8 bits of its operands, unsigned. Its container types are numbered one less than elsewhere
/// (Menshen's way). Containers that this configuration does not have read 0, and so does the second
/// one of a size of which there is one only.
module sluice_key_extract
  import sluice_cfg_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_layout_pkg::*;
(
  input  logic         clk_i,
  input  logic         en_i,
  input  containers_t  cont_i,
  input  key_extract_t extract_i,
  input  logic [KeyWidth-1:0] mask_i,  // 1: this bit reads 0
  output key_t         key_o
);
  logic [15:0] b2 [8];
  logic [31:0] b4 [8];
  logic [MaxContainerBits-1:0] b6 [8];

  always_comb begin
    for (int unsigned i = 0; i < 8; i++) begin
      b2[i] = '0;
      b4[i] = '0;
      b6[i] = '0;
    end
    for (int unsigned i = 0; i < Num2B; i++) b2[i] = cont_i.b2[i];
    for (int unsigned i = 0; i < Num4B; i++) b4[i] = cont_i.b4[i];
    for (int unsigned i = 0; i < Array6B; i++) b6[i] = cont_i.b6[i];
  end

  // ---- comparator
  cmp_operand_t operand_a, operand_b;
  logic [7:0]   a, b;
  logic         predicate;

  assign operand_a = extract_i.cmp_a;
  assign operand_b = extract_i.cmp_b;

  always_comb begin
    case (operand_a.kind)
      2'd0:    a = b2[operand_a.idx][7:0];
      2'd1:    a = b4[operand_a.idx][7:0];
      2'd2:    a = b6[operand_a.idx][7:0];
      default: a = '0;
    endcase
    if (operand_a.immediate) a = {operand_a.reserved, operand_a.kind, operand_a.idx};
    case (operand_b.kind)
      2'd0:    b = b2[operand_b.idx][7:0];
      2'd1:    b = b4[operand_b.idx][7:0];
      2'd2:    b = b6[operand_b.idx][7:0];
      default: b = '0;
    endcase
    if (operand_b.immediate) b = {operand_b.reserved, operand_b.kind, operand_b.idx};

    case (extract_i.cmp_op)
      CmpGt:   predicate = a > b;
      CmpGe:   predicate = a >= b;
      CmpEq:   predicate = a == b;
      default: predicate = 1'b1;
    endcase
  end

  key_t key;
  assign key = '{
    b6_first: 48'(b6[extract_i.b6_first]), b6_second: 48'(b6[extract_i.b6_second]),
    b4_first: b4[extract_i.b4_first], b4_second: b4[extract_i.b4_second],
    b2_first: b2[extract_i.b2_first], b2_second: b2[extract_i.b2_second],
    predicate: predicate
  };

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      key_o <= key & KeyKept & ~mask_i;
    end
  end
endmodule : sluice_key_extract
