// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Small first-in first-out queue in registers, head visible without a read cycle.
/// Latency 1 cycle, 1 word per cycle sustained, also when full (a pop makes room for a push in the
/// next cycle).
/// The user pushes only when `full_o` is low and pops only when `valid_o` is high.
module sluice_fifo #(
  parameter int unsigned Depth = 4,    // words, 1..256, any number
  parameter int unsigned Width = 32,   // bits of a word
  localparam int unsigned PtrBits   = Depth > 1 ? $clog2(Depth) : 1,
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
  logic [Width-1:0]     mem_q [Depth];
  logic [PtrBits-1:0]   head_q, tail_q;
  logic [CountBits-1:0] count_q;

  localparam logic [PtrBits-1:0] LastPtr = PtrBits'(Depth - 1);

  assign full_o  = count_q == CountBits'(Depth);
  assign valid_o = count_q != '0;
  assign data_o  = mem_q[head_q];
  assign count_o = count_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q  <= '0;
      tail_q  <= '0;
      count_q <= '0;
    end else begin
      if (push_i) tail_q <= tail_q == LastPtr ? '0 : tail_q + 1'b1;
      if (pop_i)  head_q <= head_q == LastPtr ? '0 : head_q + 1'b1;
      count_q <= count_q + CountBits'(push_i) - CountBits'(pop_i);
    end
  end

  always_ff @(posedge clk_i) if (push_i) mem_q[tail_q] <= data_i;

  `SLUICE_ASSERT(PushNeedsRoom_A, !(push_i && full_o))
  `SLUICE_ASSERT(PopNeedsWord_A, !(pop_i && !valid_o))
endmodule : sluice_fifo
