// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// First-in first-out queue in registers that takes several words a cycle, and gives several.
/// Latency 1 cycle; up to In words in and up to Out words out each cycle. Words 0 .. push_i - 1 of
/// data_i enter in this order; words 0, 1, .. of data_o are the oldest ones, of which count_o
/// exist, and the first pop_i leave.
/// Example, In 4, Out 1: empty, then push_i 3 with a, b, c: count_o is 3 and data_o is a; pop_i 1
/// together with push_i 1 of d leaves b, c, d.
/// The user pushes no more than Depth - count_o words, and pops no more than there are.
module sluice_many_fifo #(
  parameter int unsigned Depth = 8,    // words, a power of two, at least In and Out
  parameter int unsigned Width = 32,   // bits of a word
  parameter int unsigned In    = 4,    // words that enter in a cycle, at most
  parameter int unsigned Out   = 1,    // words that leave in a cycle, at most
  localparam int unsigned PtrBits   = $clog2(Depth),
  localparam int unsigned CountBits = $clog2(Depth + 1),
  localparam int unsigned InBits    = $clog2(In + 1),
  localparam int unsigned OutBits   = $clog2(Out + 1)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic [InBits-1:0]         push_i,
  input  logic [In-1:0][Width-1:0]  data_i,
  output logic [CountBits-1:0]      count_o,
  output logic [Out-1:0][Width-1:0] data_o,
  input  logic [OutBits-1:0]        pop_i
);
  logic [Width-1:0]     mem_q [Depth];
  logic [PtrBits-1:0]   head_q, tail_q;
  logic [CountBits-1:0] count_q;

  assign count_o = count_q;
  for (genvar o = 0; o < Out; o++) begin : gen_out
    assign data_o[o] = mem_q[head_q+PtrBits'(o)];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q  <= '0;
      tail_q  <= '0;
      count_q <= '0;
    end else begin
      head_q  <= head_q + PtrBits'(pop_i);
      tail_q  <= tail_q + PtrBits'(push_i);
      count_q <= count_q + CountBits'(push_i) - CountBits'(pop_i);
    end
  end
  always_ff @(posedge clk_i)
    for (int unsigned i = 0; i < In; i++)
      if (push_i > InBits'(i)) mem_q[tail_q+PtrBits'(i)] <= data_i[i];

  `SLUICE_ASSERT(PushNeedsRoom_A, 32'(count_q) + 32'(push_i) <= Depth)
  `SLUICE_ASSERT(PopNeedsWords_A, 32'(pop_i) <= 32'(count_q))
endmodule : sluice_many_fifo
