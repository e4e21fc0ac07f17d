// SPDX-License-Identifier: Apache-2.0
`include "sluice_tag.svh"

/// ALU of VLIW slot 0: destination and discard flag. Latency 1 cycle, one operation a cycle; the
/// result holds while en_i is low. Up to 8 ports a destination is a set of ports, else a row of the
/// port mask table.
module sluice_alu_md
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;

(
  input  logic       clk_i,
  input  logic       en_i,
  input  instr_t     instr_i,
  input  logic [7:0] a_i,              // low bits of operand A
  input  logic       a_nonzero_i,      // all 32 bits of it
  input  logic       b_nonzero_i,
  output logic       dest_write_o,
  output logic [7:0] dest_o,
  output logic       discard_write_o,
  output logic       discard_o
);
  instr_md_t  md;

  assign md = instr_i;

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      dest_write_o    <= instr_i.op == OpPort || instr_i.op == OpFunc || instr_i.op == OpSethi;
      dest_o          <= instr_i.op == OpPort ? md.dest : `SLUICE_PORT_DEST(a_i);
      discard_write_o <= instr_i.op == OpDiscard || instr_i.op == OpFunci || instr_i.op == OpSethi;
      discard_o       <= instr_i.op == OpDiscard ? md.discard
                       : instr_i.op == OpFunci   ? a_nonzero_i : b_nonzero_i;
    end
  end
endmodule : sluice_alu_md
