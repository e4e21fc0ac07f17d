// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// First-in first-out queue in memories that takes several words a cycle, and gives several: what
/// sluice_many_fifo is, for queues too deep or words too wide for registers.
/// Latency 1 cycle; up to Banks words in and up to Banks words out each cycle. Words
/// 0 .. push_i - 1 of data_i enter in this order; words 0, 1, .. of data_o are the oldest ones, of
/// which count_o exist, and the first pop_i leave.
/// Consecutive words are in consecutive banks. Example, Banks 4: words a, b, c, d, e stand in banks
/// 0, 1, 2, 3, 0. A pop of 3 leaves d and e; bank 3 is then the first, and the next word goes to 1.
/// Invariant: the heads of the banks, from the first bank around, are the oldest words.
/// The user pushes no more than Depth - count_o words, and pops no more than there are.
module sluice_banked_fifo #(
  parameter int unsigned Depth = 256,  // words, a power of two, at least Banks
  parameter int unsigned Width = 32,   // bits of a word
  parameter int unsigned Banks = 4,    // words in, and out, of a cycle; a power of two, at least 2
  localparam int unsigned CountBits = $clog2(Depth + 1),
  localparam int unsigned MoveBits  = $clog2(Banks + 1)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic [MoveBits-1:0]          push_i,
  input  logic [Banks-1:0][Width-1:0]  data_i,
  output logic [CountBits-1:0]         count_o,
  output logic [Banks-1:0][Width-1:0]  data_o,
  input  logic [MoveBits-1:0]          pop_i
);
  localparam int unsigned BankBits = $clog2(Banks);
  typedef logic [BankBits-1:0] bank_t;

  bank_t                        first_q, last_q;   // of the oldest word, of the next that comes
  logic [CountBits-1:0]         count_q;
  logic [Banks-1:0]             push, pop, valid;
  logic [Banks-1:0][Width-1:0]  comes, head;

  // Word w from the first, or from the next free one, is in this bank.
  function automatic bank_t bank_of(bank_t first, int unsigned word);
    return bank_t'(32'(first) + word);
  endfunction

  always_comb begin
    push  = '0;
    pop   = '0;
    comes = '0;
    for (int unsigned w = 0; w < Banks; w++) begin
      push[bank_of(last_q, w)]  = push_i > MoveBits'(w);
      comes[bank_of(last_q, w)] = data_i[w];
      pop[bank_of(first_q, w)]  = pop_i > MoveBits'(w);
      data_o[w]                 = head[bank_of(first_q, w)];
    end
  end

  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    sluice_prefetch_fifo #(.Depth(Depth / Banks), .Width(Width)) u_words (
      .clk_i, .rst_ni,
      .push_i (push[b]),  .data_i(comes[b]),
      .valid_o(valid[b]), .data_o(head[b]), .pop_i(pop[b])
    );
  end

  // How many leave comes late, so it only chooses.
  logic [CountBits-1:0] count_d;
  always_comb begin
    count_d = '0;
    for (int unsigned w = 0; w <= Banks; w++)
      if (pop_i == MoveBits'(w))
        count_d = count_d | (count_q + CountBits'(push_i) - CountBits'(w));
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q <= '0;
      last_q  <= '0;
      count_q <= '0;
    end else begin
      first_q <= first_q + bank_t'(pop_i);
      last_q  <= last_q + bank_t'(push_i);
      count_q <= count_d;
    end
  end
  assign count_o = count_q;

  `SLUICE_ASSERT(PushNeedsRoom_A, 32'(count_q) + 32'(push_i) <= Depth)
  `SLUICE_ASSERT(PopNeedsWords_A, 32'(pop_i) <= 32'(count_q))
  for (genvar w = 0; w < Banks; w++) begin : gen_check
    `SLUICE_ASSERT(HeadsAreOldest_A, valid[bank_of(first_q, w)] == (32'(count_q) > w))
  end
endmodule : sluice_banked_fifo
