// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Counters of events, 32 bits each, that share one adder: each has a few bits of its own, which
/// are added to its word of a small memory when its turn comes, one a cycle. They are read as if
/// each were whole.
/// Latency: an event is in `value_o` from the next cycle on. Throughput: every event in every
/// cycle.
/// Invariant: a counter is its word, if that was written since the clear, and its own bits; these
/// never overflow, since each turn comes after Count cycles. A word and its counter's own bits are
/// read a cycle before their turn, so that no choice among them is in front of the adder; only its
/// turn writes a word.
module sluice_counters #(
  parameter int unsigned Count = 8,                // counters, 2 to 128
  localparam int unsigned IndexBits = $clog2(Count)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 clear_i,            // all are 0 from the next cycle on
  input  logic [Count-1:0]     event_i,            // one count for each cycle in which it is high
  input  logic [IndexBits-1:0] index_i,            // below Count
  output logic [31:0]          value_o             // in the same cycle
);
  localparam int unsigned OwnBits = $clog2(Count + 1);
  typedef logic [OwnBits-1:0] own_t;

  own_t [Count-1:0]     own_q;
  logic [Count-1:0]     written_q;
  logic [31:0]          word_q [Count];
  logic [IndexBits-1:0] turn_q, next_q;          // whose turn it is, and will be next
  logic                 due;
  own_t                 own_due_q;               // of the counter whose turn it is
  logic [31:0]          ahead_q, sum;            // ahead: the word whose turn it is
  assign due = own_due_q != '0 && !clear_i;
  sluice_count_add u_sum (.count_i(ahead_q), .more_i(16'(own_due_q)), .sum_o(sum));
  sluice_count_add u_value (
    .count_i(written_q[index_i] ? word_q[index_i] : '0), .more_i(16'(own_q[index_i])),
    .sum_o(value_o)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      turn_q    <= '0;
      next_q    <= IndexBits'(1);
      written_q <= '0;
      own_q     <= '0;
      own_due_q <= '0;
      ahead_q   <= '0;
    end else begin
      turn_q    <= next_q;
      next_q    <= next_q == IndexBits'(Count - 1) ? '0 : next_q + 1'b1;
      ahead_q   <= written_q[next_q] && !clear_i ? word_q[next_q] : '0;
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
  `SLUICE_ASSERT(OwnBitsSuffice_A, overflow == '0)
  `SLUICE_ASSERT(IndexExists_A, 32'(index_i) < Count)
endmodule : sluice_counters
