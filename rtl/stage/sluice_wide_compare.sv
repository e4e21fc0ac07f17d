// SPDX-License-Identifier: Apache-2.0

/// Wide compare of one unit: two whole values of the PHV, or one and a constant, as its overlay
/// row's KEY_COMPARE entry says; the result is a bit of the key of its own, beside the 8-bit
/// comparator's (docs/machine.md, A stage). It stands beside sluice_key_extract and takes the same
/// cycles, by their names in sluice_match_action:
///   0            KEY_COMPARE is read
///   1            operands are chosen and compared
///   LookupCycle  the result stands on wide_o
/// One PHV a cycle. No KEY_MASK is needed: of a row whose entry was never written the result is 0.
/// Example: op WideGtu, A = 4B[1] = 1600, K = 1500, IMMEDIATE 1: wide_o is 1. Signed: both top bits
/// are inverted, and then it is the same as unsigned.
/// Not there in a chip without WideCompare: the bit is 0.
module sluice_wide_compare
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  pipe_t        pipe_i,
  input  logic         init_i,
  input  logic [15:0]  init_index_i,
  input  logic         begin_i,        // a PHV comes ...
  input  overlay_t     row_i,          // ... with this overlay row
  input  logic         valid_i,        // a cycle later: it is there ...
  input  containers_t  cont_i,         // ... with these containers
  output logic         wide_o,
  // control: see sluice_config_table
  input  table_write_t write_i,
  input  table_read_t  read_i,
  output word_answer_t answer_o
);
  if (WideCompare == 0) begin : gen_none
    assign wide_o   = 1'b0;
    assign answer_o = '0;
  end else begin : gen_compare
    key_compare_t entry;
    sluice_config_table #(.Which(TableKeyCompare)) u_entry (
      .clk_i, .rst_ni, .init_i, .init_index_i,
      .copy_i(pipe_i),
      .re_i(begin_i), .row_i, .entry_o(entry), .write_i, .read_i, .answer_o
    );

    logic [47:0] value_a, value_b;
    sluice_operand_wide u_a (.en_i(valid_i), .cont_i, .operand_i(entry.a), .value_o(value_a));
    sluice_operand_wide u_b (.en_i(valid_i), .cont_i, .operand_i(entry.b), .value_o(value_b));
    logic unused_high;
    assign unused_high = ^{value_a[47:32], value_b[47:32]};

    logic [31:0] a, b;
    logic        signed_op, greater, equal, result;
    always_comb begin
      a         = value_a[31:0];
      b         = entry.immediate ? entry.k : value_b[31:0];
      signed_op = entry.op == WideGt || entry.op == WideGe;
      greater   = {a[31] ^ signed_op, a[30:0]} > {b[31] ^ signed_op, b[30:0]};
      equal     = a == b;
      case (entry.op)
        WideEq:  result = equal;
        WideGtu: result = greater;
        WideGeu: result = greater || equal;
        WideGt:  result = greater;
        WideGe:  result = greater || equal;
        default: result = 1'b0;
      endcase
    end

    always_ff @(posedge clk_i) if (valid_i) wide_o <= result;
  end
endmodule : sluice_wide_compare
