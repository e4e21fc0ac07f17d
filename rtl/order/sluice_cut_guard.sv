// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// What a cut (docs/marks.md) asks of the control packets' messages, before the order point's node:
/// what would read another moment than the cut's, or overwrite what it needs, is refused.
///
/// Example: CHIP.CUT = 0x08, ready. READ of CUT of row 3 passes, of row 4 is refused; FILL of row 3
/// is refused, of row 4 passes. Where indices of row 3 are does not matter.
/// Latency: one cycle for a header more than without it, in a chip with cuts; words behind it pass.
/// Invariant: refuse_o belongs to the header at chain_o.
module sluice_cut_guard
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_table_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  chain_t                chain_i,
  output logic                  chain_ready_o,
  output chain_t                chain_o,
  input  logic                  chain_ready_i,
  input  logic [NumModules-1:0] rows_i,        // of the cut
  input  logic                  ready_i,       // it can be read
  output logic                  refuse_o
);
  if (CutStages == 0) begin : gen_none
    assign chain_o       = chain_i;
    assign chain_ready_o = chain_ready_i;
    assign refuse_o      = 1'b0;
  end else begin : gen_guard
    chain_header_t header;
    table_e        which;
    logic          is_header, in_cut, cut, fill, open, seen_q;
    assign header    = chain_header_t'(chain_i.data);
    assign is_header = chain_i.valid && chain_i.first;
    assign which     = table_e'(TableMap[{header.resource, header.sub}]);
    assign in_cut    = rows_i[row_t'(header.row)];
    assign cut       = which == TableCut && header.op == ChainRead;
    assign fill      = which == TableFill && header.op == ChainWrite;
    assign open      = !is_header || seen_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) seen_q <= 1'b0;
      else         seen_q <= is_header && !(open && chain_ready_i);
    end
    always_ff @(posedge clk_i) begin
      refuse_o <= (cut && !(in_cut && ready_i)) || (fill && in_cut
          && 32'(header.stage) < StateStages);
    end
    assign chain_ready_o = chain_ready_i && open;
    always_comb begin
      chain_o       = chain_i;
      chain_o.valid = chain_i.valid && open;
    end

  end
endmodule : sluice_cut_guard
