// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// First-in first-out queue in a memory, its head in a register: for words too wide or queues too
/// deep for sluice_fifo. Same ports, same rules. Of up to four words it is one: the registers
/// beside a memory would be as many.
/// Latency 1 cycle, 1 word per cycle sustained, also when full.
/// Invariant: the head is valid whenever there is a word at all. A pop reads the next word from the
/// memory in the same cycle; when the memory has none, a word that comes goes around it.
module sluice_ram_fifo #(
  parameter int unsigned Depth = 16,   // words, the head included, at least 2
  parameter int unsigned Width = 32,   // bits of a word
  localparam int unsigned PtrBits   = $clog2(Depth),
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
  if (Depth <= 4) begin : gen_few
    sluice_fifo #(.Depth(Depth), .Width(Width)) u_words (
      .clk_i, .rst_ni, .push_i, .data_i, .full_o, .valid_o, .data_o, .pop_i, .count_o
    );
  end else begin : gen_many
    logic [PtrBits-1:0]   read_q, write_q;
    logic [CountBits-1:0] count_q;
    logic                 from_ram_q;         // the head is the memory's output, else `around_q`
    logic [Width-1:0]     around_q, ram_data;
    logic                 head_free, ram_empty, around, ram_we, ram_re;

    localparam logic [PtrBits-1:0] LastPtr = PtrBits'(Depth - 1);

    assign head_free = count_q == '0 || pop_i;
    assign ram_empty = count_q <= CountBits'(1);
    assign around    = push_i && head_free && ram_empty;
    assign ram_we    = push_i && !around;
    assign ram_re    = pop_i && !ram_empty;

    sluice_ram #(.Depth(Depth), .Width(Width)) u_ram (
      .clk_i,
      .we_i(ram_we), .waddr_i(write_q), .wdata_i(data_i),
      .re_i(ram_re), .raddr_i(read_q), .rdata_o(ram_data)
    );

    assign full_o  = count_q == CountBits'(Depth);
    assign valid_o = count_q != '0;
    assign data_o  = from_ram_q ? ram_data : around_q;
    assign count_o = count_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        read_q     <= '0;
        write_q    <= '0;
        count_q    <= '0;
        from_ram_q <= 1'b0;
      end else begin
        if (ram_we) write_q <= write_q == LastPtr ? '0 : write_q + 1'b1;
        if (ram_re) read_q <= read_q == LastPtr ? '0 : read_q + 1'b1;
        if (around || ram_re) from_ram_q <= ram_re;
        count_q <= count_q + CountBits'(push_i) - CountBits'(pop_i);
      end
    end

    always_ff @(posedge clk_i) if (around) around_q <= data_i;

    `SLUICE_ASSERT(PushNeedsRoom_A, !(push_i && full_o))
    `SLUICE_ASSERT(PopNeedsWord_A, !(pop_i && !valid_o))
  end
endmodule : sluice_ram_fifo
