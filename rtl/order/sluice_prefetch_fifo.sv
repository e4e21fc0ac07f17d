// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Deep first-in first-out queue in a memory, its head in registers.
/// Latency 1 cycle when empty (the word goes around the memory), 1 word per cycle sustained. The
/// next word is read in the cycle in which the head is popped, so the head is never late.
/// Invariant: while the memory holds words the head is valid, and older than all of them.
module sluice_prefetch_fifo #(
  parameter int unsigned Depth = 64,   // words in the memory, a power of two; the head is one more
  parameter int unsigned Width = 32,   // bits of a word
  localparam int unsigned PtrBits   = Depth > 1 ? $clog2(Depth) : 1,
  localparam int unsigned CountBits = $clog2(Depth + 1)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  // the user keeps count: never more than Depth + 1 words inside
  input  logic             push_i,
  input  logic [Width-1:0] data_i,
  output logic             valid_o,
  output logic [Width-1:0] data_o,
  input  logic             pop_i      // only while valid_o
);
  logic                 head_valid_q, head_in_memory_q;
  logic [Width-1:0]     around_q, memory_word;
  logic [PtrBits-1:0]   read_ptr_q, write_ptr_q;
  logic [CountBits-1:0] count_q;
  logic                 head_free, read, around, write;

  assign head_free = !head_valid_q || pop_i;
  assign read      = head_free && count_q != '0;
  assign around    = head_free && count_q == '0 && push_i;
  assign write     = push_i && !around;

  assign valid_o = head_valid_q;
  assign data_o  = head_in_memory_q ? memory_word : around_q;

  sluice_ram #(.Depth(Depth), .Width(Width)) u_ram (
    .clk_i,
    .we_i(write), .waddr_i(write_ptr_q), .wdata_i(data_i),
    .re_i(read),  .raddr_i(read_ptr_q),  .rdata_o(memory_word)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_valid_q <= 1'b0;
      read_ptr_q   <= '0;
      write_ptr_q  <= '0;
      count_q      <= '0;
    end else begin
      head_valid_q <= !head_free || read || around;
      if (read)  read_ptr_q  <= Depth > 1 ? read_ptr_q + 1'b1 : '0;
      if (write) write_ptr_q <= Depth > 1 ? write_ptr_q + 1'b1 : '0;
      count_q <= count_q + CountBits'(write) - CountBits'(read);
    end
  end

  always_ff @(posedge clk_i) begin
    if (around) around_q <= data_i;
    if (around || read) head_in_memory_q <= read;
  end

  `SLUICE_ASSERT(PushNeedsRoom_A, !(write && count_q == CountBits'(Depth)))
  `SLUICE_ASSERT(PopNeedsWord_A, !(pop_i && !head_valid_q))
  `SLUICE_ASSERT(HeadBeforeMemory_A, head_valid_q || count_q == '0)
endmodule : sluice_prefetch_fifo
