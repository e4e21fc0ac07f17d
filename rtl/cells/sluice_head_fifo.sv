// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// sluice_ram_fifo with its head in plain registers, for users that work on the head all cycle long
/// or want to know the word behind it. Same rules; one word more.
/// Latency 1 cycle, 1 word per cycle sustained, also when full.
/// Invariant: the head is valid whenever there is a word at all. What comes while there is none
/// goes around the FIFO behind it.
module sluice_head_fifo #(
  parameter int unsigned Depth = 16,   // words behind the head, at least 2
  parameter int unsigned Width = 32    // bits of a word
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             push_i,
  input  logic [Width-1:0] data_i,
  output logic             full_o,
  output logic             valid_o,
  output logic [Width-1:0] data_o,
  input  logic             pop_i,
  // the word behind the head, if it came before this cycle
  output logic             behind_valid_o,
  output logic [Width-1:0] behind_o
);
  logic                 head_free;
  assign head_free = !valid_o || pop_i;

  sluice_ram_fifo #(.Depth(Depth), .Width(Width)) u_behind (
    .clk_i, .rst_ni,
    .push_i (push_i && (!head_free || behind_valid_o)), .data_i, .full_o,
    .valid_o(behind_valid_o), .data_o(behind_o), .pop_i(head_free && behind_valid_o),
    .count_o()
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_o <= 1'b0;
    else         valid_o <= !head_free || behind_valid_o || push_i;
  end
  always_ff @(posedge clk_i) if (head_free) data_o <= behind_valid_o ? behind_o : data_i;

  `SLUICE_ASSERT(HeadBeforeOthers_A, valid_o || !behind_valid_o)
  `SLUICE_ASSERT(PopNeedsWord_A, !(pop_i && !valid_o))
endmodule : sluice_head_fifo
