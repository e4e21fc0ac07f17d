// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Multiplier of one unit, front or back: the product of two operands of the PHV as it was before
/// the stage, modulo 2^32. It stands inside the match-action core, and its cycles are those of the
/// core, by their names in sluice_stage_pkg:
///   HitCycle     MULTIPLY is read at the row of ACTION that the match engines named
///   ActionCycle  operands
///   AluCycle     products of the first one with the halves of the second
///   MergeCycle   their sum
///   CoreCycles   the product stands on product_o: EXT may select it as the PHV leaves
/// So it has its two cycles while the ALUs work and their results are merged, and no stage is
/// longer for it. One product a cycle. Entries are 0 after reset. No reset of what is computed:
/// nobody looks at a product without a hit, and of a hit all of it is made anew. Registers move
/// only with a hit; an entry that was never written multiplies 0 by 0, so a program without
/// products moves none of them.
/// Why two halves do: a * b = a * low + 2^16 * a * high, and modulo 2^32 the second product counts
/// with its low 16 bits, which the low 16 bits of a give.
/// Not there in a chip without Multipliers: EXT finds 0.
module sluice_multiplier
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_stage_pkg::*;
  import sluice_table_pkg::*;
(
  input  logic          clk_i,
  input  logic          rst_ni,
  input  pipe_t         pipe_i,
  input  logic          init_i,
  input  logic [15:0]   init_index_i,
  input  hit_t          hit_i,        // HitCycle
  input  logic          action_i,     // ActionCycle: there was a hit
  input  containers_t   cont_i,       // ActionCycle
  output logic [31:0]   product_o,    // CoreCycles
  input  table_write_t  write_i,      // taken at once
  input  table_read_t   read_i,
  output word_answer_t  answer_o      // after 1 cycle
);
  if (Multipliers == 0) begin : gen_none
    assign product_o = '0;
    assign answer_o  = '0;
  end else begin : gen_multiplier
    `SLUICE_TAKES(ActionCycles, 1)
    `SLUICE_TAKES(OperandCycles, 1)
    `SLUICE_TAKES(AluCycles, 1)
    `SLUICE_TAKES(MergeCycles, 1)

    // Arrays of so many bits are memories (docs/silicon.md).
    localparam int unsigned RamBits = 512;

    // ---- hit: the entry of the row. The hit is known late in its cycle. Few entries are
    // registers, which may be read and written at once, so their write does not ask what is read.
    localparam int unsigned Rows = table_rows(TableMultiply);
    multiply_t entry;
    if (Rows * MultiplyWidth < RamBits) begin : gen_registers
      typedef logic [index_bits(Rows)-1:0] at_t;
      multiply_t [Rows-1:0] entries_q;
      multiply_t            readback_q;
      logic                 asked;
      sluice_table_answer #(.Which(TableMultiply)) u_answer (
        .clk_i, .rst_ni, .copy_i(pipe_i), .read_i, .asked_o(asked), .entry_i(readback_q), .answer_o
      );
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni)
          entries_q <= '0;
        else if (write_i.valid && write_i.which == TableMultiply && write_i.header.op == ChainWrite)
          entries_q[at_t'(write_i.header.index)] <= write_i.data[EntryBits-1 -: MultiplyWidth];
      end
      always_ff @(posedge clk_i) begin
        if (hit_i.valid) entry      <= entries_q[hit_i.row];
        if (asked)       readback_q <= entries_q[at_t'(read_i.header.index)];
      end
    end else begin : gen_memory
      sluice_config_table #(.Which(TableMultiply)) u_entry (
        .clk_i, .rst_ni, .init_i, .init_index_i,
        .copy_i(pipe_i),
        .re_i(hit_i.valid), .row_i(hit_i.row), .entry_o(entry), .write_i, .read_i, .answer_o
      );
    end

    // ---- action: operands
    logic [47:0] value_a, value_b;
    sluice_operand_wide u_a (.en_i(action_i), .cont_i, .operand_i(entry.a), .value_o(value_a));
    sluice_operand_wide u_b (.en_i(action_i), .cont_i, .operand_i(entry.b), .value_o(value_b));
    logic unused_high;
    assign unused_high = ^{value_a[47:32], value_b[47:32]};

    // Named after the cycle in which they are read.
    logic        alu_q, merge_q;
    logic [31:0] a_alu_q, b_alu_q, low_merge_q;
    logic [15:0] high_merge_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {merge_q, alu_q} <= '0;
      else         {merge_q, alu_q} <= {alu_q, action_i};
    end

    always_ff @(posedge clk_i) begin
      if (action_i) begin
        a_alu_q <= value_a[31:0];
        b_alu_q <= value_b[31:0];
      end
      // ---- ALUs: two products
      if (alu_q) begin
        low_merge_q  <= 32'(a_alu_q * {16'd0, b_alu_q[15:0]});
        high_merge_q <= 16'(a_alu_q[15:0] * b_alu_q[31:16]);
      end
      // ---- merge: their sum
      if (merge_q) product_o <= low_merge_q + {high_merge_q, 16'd0};
    end
  end
endmodule : sluice_multiplier
