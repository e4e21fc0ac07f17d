// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Counters of events, 32 bits each, that share one adder: each has a few bits of its own, which
/// are added to its word of a small memory when its turn comes, one a cycle. A read gives the
/// word and the own bits; who reads adds them, at once or a cycle later.
/// Latency: an event is in `word_o + own_o` from the next cycle on. Throughput: every event in
/// every cycle.
/// Invariant: a counter is its word, if that was written since the clear, and its own bits; these
/// never overflow, since each turn comes after Count cycles. A word and its counter's own bits are
/// read a cycle before their turn, so that no choice among them is in front of the adder; only its
/// turn writes a word.
/// A carry out of the low bits would go through up to 28 more, one after the other. So a register
/// says of each four bits above them whether all between are 1: a carry then reaches these four at
/// once. Example, 8 low bits: 0x0000_ffff and 1: bits 8 to 15 are 1, so the carry reaches bits 8,
/// 12 and 16, and no others: 0x0001_0000.
module sluice_counters #(
  parameter int unsigned Count = 8,                // counters, 2 to 128
  localparam int unsigned IndexBits = $clog2(Count),
  localparam int unsigned OwnBits   = $clog2(Count + 1)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 clear_i,            // all are 0 from the next cycle on
  input  logic [Count-1:0]     event_i,            // one count for each cycle in which it is high
  input  logic [IndexBits-1:0] index_i,            // below Count
  output logic [31:0]          word_o,             // in the same cycle, both: the counter is
  output logic [OwnBits-1:0]   own_o               // their sum
);
  localparam int unsigned LowBits = (OwnBits + 3) / 4 * 4;
  localparam int unsigned Fours   = (32 - LowBits) / 4;
  typedef logic [OwnBits-1:0] own_t;

  own_t [Count-1:0]     own_q;
  logic [Count-1:0]     written_q;
  logic [31:0]          word_q [Count];
  logic [IndexBits-1:0] turn_q, next_q;          // whose turn it is, and will be next
  logic                 due;
  own_t                 own_due_q;               // of the counter whose turn it is
  logic [31:0]          ahead, ahead_q, sum;     // ahead: the word whose turn it is
  logic [Fours-1:0]     reached, reached_q;      // [bits from LowBits + 4n on]: by a carry
  logic                 carry;
  assign due   = own_due_q != '0 && !clear_i;
  assign ahead = written_q[next_q] && !clear_i ? word_q[next_q] : '0;
  assign {carry, sum[LowBits-1:0]} = (LowBits+1)'(ahead_q[LowBits-1:0]) + (LowBits+1)'(own_due_q);
  for (genvar n = 0; n < Fours; n++) begin : gen_four
    localparam int unsigned At    = LowBits + 4*n;
    localparam logic [31:0] Below = 32'((64'd1 << At) - (64'd1 << LowBits));
    assign reached[n]   = (~ahead & Below) == '0;
    assign sum[At +: 4] = ahead_q[At +: 4] + 4'(carry && reached_q[n]);
  end
  assign word_o = written_q[index_i] ? word_q[index_i] : '0;
  assign own_o  = own_q[index_i];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      turn_q    <= '0;
      next_q    <= IndexBits'(1);
      written_q <= '0;
      own_q     <= '0;
      own_due_q <= '0;
      ahead_q   <= '0;
      reached_q <= Fours'(1);
    end else begin
      turn_q    <= next_q;
      next_q    <= next_q == IndexBits'(Count - 1) ? '0 : next_q + 1'b1;
      ahead_q   <= ahead;
      reached_q <= reached;
      own_due_q <= clear_i ? '0 : own_q[next_q] + own_t'(event_i[next_q]);
      for (int unsigned n = 0; n < Count; n++) begin
        if (clear_i) begin
          own_q[n]     <= '0;
          written_q[n] <= 1'b0;
        end else if (turn_q == IndexBits'(n)) begin
          own_q[n] <= own_t'(event_i[n]);
          if (due) written_q[n] <= 1'b1;
        end else if (event_i[n]) begin
          own_q[n] <= own_q[n] + 1'b1;
        end
      end
    end
  end

  always_ff @(posedge clk_i) if (due) word_q[turn_q] <= sum;

  logic [Count-1:0] overflow;
  always_comb begin
    for (int unsigned n = 0; n < Count; n++)
      overflow[n] = event_i[n] && own_q[n] == '1 && turn_q != IndexBits'(n);
  end
  `SLUICE_ASSERT(OwnBitsOfTheTurn_A, own_due_q == own_q[turn_q])
  `SLUICE_ASSERT(SumIsWhole_A, sum == ahead_q + 32'(own_due_q))
  `SLUICE_ASSERT(OwnBitsSuffice_A, overflow == '0)
  `SLUICE_ASSERT(IndexExists_A, 32'(index_i) < Count)
endmodule : sluice_counters
