// SPDX-License-Identifier: Apache-2.0

/// The FIFOs of an order queue, as free as they can be, for proofs of what is behind them: they
/// show what is pushed in the same cycle and keep nothing. So the harness chooses in each cycle
/// what is at their heads, and assumes of it what proof_order_queue and proof_order_moves have
/// shown.

module sluice_head_fifo #(
  parameter int unsigned Depth = 16,
  parameter int unsigned Width = 32
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             push_i,
  input  logic [Width-1:0] data_i,
  output logic             full_o,
  output logic             valid_o,
  output logic [Width-1:0] data_o,
  input  logic             pop_i,
  output logic             behind_valid_o,
  output logic [Width-1:0] behind_o
);
  assign full_o         = 1'b0;
  assign valid_o        = push_i;
  assign data_o         = data_i;
  assign behind_valid_o = 1'b0;
  assign behind_o       = '0;
endmodule : sluice_head_fifo

module sluice_fifo #(
  parameter int unsigned Depth = 4,
  parameter int unsigned Width = 32,
  localparam int unsigned CountBits = $clog2(Depth + 1)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 push_i,
  input  logic [Width-1:0]     data_i,
  output logic                 full_o,
  output logic                 valid_o,
  output logic [Width-1:0]     data_o,
  input  logic                 pop_i,
  output logic [CountBits-1:0] count_o
);
  assign full_o  = 1'b0;
  assign valid_o = push_i;
  assign data_o  = data_i;
  assign count_o = '0;
endmodule : sluice_fifo

module sluice_oldest_head
  import sluice_pkg::*;
#(
  parameter int unsigned N = 4
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         greatest_i,
  input  logic [N-1:0] valid_i,
  input  tag_t [N-1:0] tag_i,
  input  logic [N-1:0] behind_valid_i,
  input  tag_t [N-1:0] behind_tag_i,
  input  logic [N-1:0] push_i,
  input  tag_t [N-1:0] push_tag_i,
  input  logic         pop_i,
  output logic [N-1:0] pick_o,
  output tag_t         tag_o
);
  // Which of the heads is the oldest does not matter: one of them is given.
  assign pick_o = valid_i & (~valid_i + 1'b1);
  always_comb begin
    tag_o = '0;
    for (int unsigned n = 0; n < N; n++) tag_o |= pick_o[n] ? tag_i[n] : '0;
  end
endmodule : sluice_oldest_head
