// SPDX-License-Identifier: Apache-2.0

/// The shares of the modules (table SHARE), and the pace at which they are given out.
///
/// A module's `tick_o` comes RATE times in 256 cycles, evenly: whenever the cycle's number modulo
/// 256, its bits reversed, is below RATE. A write shows the cycle after it, in the ticks one later;
/// reads answer the cycle after the request. After reset no module has a limit.
module sluice_share_table
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_ctrl_pkg::*;
(
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    init_i,
  input  logic [15:0]             init_index_i,
  input  table_write_t            write_i,
  input  table_read_t             read_i,
  output word_answer_t            answer_o,
  output share_t [NumModules-1:0] share_o,    // row
  output logic   [NumModules-1:0] tick_o      // row
);
  share_t [NumModules-1:0] share_q;
  row_t                    row;
  assign row     = write_i.header.index[RowBits-1:0];
  assign share_o = share_q;

  always_ff @(posedge clk_i) begin
    if (init_i)    share_q[init_index_i[RowBits-1:0]] <= '0;
    else if (write_i.valid && write_i.which == TableShare)
      share_q[row] <= write_i.data[EntryBits-1 -: ShareWidth];
  end

  // ---- ticks
  logic [7:0] phase_q, turn;
  for (genvar b = 0; b < 8; b++) begin : gen_turn
    assign turn[b] = phase_q[7-b];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= '0;
      tick_o  <= '0;
    end else begin
      phase_q <= phase_q + 8'd1;
      for (int unsigned r = 0; r < NumModules; r++)
        tick_o[r] <= share_q[r].limit && 9'(turn) < share_q[r].rate;
    end
  end

  // ---- answer; there is one copy, and any that is asked for is it
  logic   asked;
  share_t readback_q;
  always_ff @(posedge clk_i) if (asked) readback_q <= share_q[read_i.header.index[RowBits-1:0]];
  sluice_table_answer #(.Which(TableShare)) u_answer (
    .clk_i, .rst_ni, .copy_i(read_i.header.copy[PipeBits-1:0]), .read_i, .asked_o(asked),
    .entry_i(readback_q), .answer_o
  );

  logic unused_bits;
  assign unused_bits = ^init_index_i;
endmodule : sluice_share_table
