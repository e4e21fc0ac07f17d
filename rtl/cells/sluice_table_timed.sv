// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Memory of a table whose writes take effect in a cycle that the writer chooses: a write in cycle
/// c is seen by the reads of cycle c + Wait and later, and by none before. That makes one entry of
/// what stands in two places: flip-flops that are compared in cycle c + 1, and this memory, which
/// is read when the comparison is known.
/// Example, Wait 2: the write comes in cycle 10. A packet that reads the word in cycle 11 gets the
/// old one, in cycle 12 the new one. The memory itself is written in cycle 12 from a register; a
/// read of that word in cycle 12 gets that register instead.
/// Datapath reads: one a cycle, latency 1; the word stands for one cycle. Control reads: latency 1;
/// not between a write and cycle c + Wait. During init every word is set to 0 at init_index_i.
/// A dual-port memory: port A reads, port B reads or writes at one address; never the same word in
/// the same cycle (sluice_ram). Reset: no write is under way.
module sluice_table_timed #(
  parameter int unsigned  Depth    = 16,   // words, at least 1
  parameter int unsigned  Width    = 32,   // bits of a word
  parameter int unsigned  Wait     = 1,    // at least 1
  localparam int unsigned AddrBits = Depth > 1 ? $clog2(Depth) : 1
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                init_i,
  input  logic [15:0]         init_index_i,
  // datapath
  input  logic                re_i,
  input  logic [AddrBits-1:0] raddr_i,
  output logic [Width-1:0]    rdata_o,
  // control
  input  logic                write_i,      // one cycle; the next one Wait + 2 cycles later
  input  logic                read_i,
  input  logic [AddrBits-1:0] addr_i,
  input  logic [Width-1:0]    wdata_i,
  output logic [Width-1:0]    ctl_rdata_o
);
  (* no_rw_check *)
  logic [Width-1:0]    mem_q [Depth];
  logic [Width-1:0]    held_q, read_q;
  logic [AddrBits-1:0] held_addr_q, addr;
  logic [Wait:1]       wait_q;               // [c]: c cycles after the write
  logic                now, write, same, same_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) wait_q <= '0;
    else         wait_q <= Wait'({wait_q, write_i});
  end
  always_ff @(posedge clk_i)
    if (write_i) begin
      held_q      <= wdata_i;
      held_addr_q <= addr_i;
    end

  assign now   = wait_q[Wait];
  assign write = init_i ? 32'(init_index_i) < Depth : now;
  assign addr  = init_i ? init_index_i[AddrBits-1:0] : now ? held_addr_q : addr_i;
  assign same  = now && raddr_i == held_addr_q;

  always_ff @(posedge clk_i) begin
    same_q <= same;
    if (write)         mem_q[addr] <= init_i ? '0 : held_q;
    if (re_i && !same) read_q <= mem_q[raddr_i];
    if (read_i)        ctl_rdata_o <= mem_q[addr];
  end
  assign rdata_o = same_q ? held_q : read_q;

  `SLUICE_ASSERT(OneWriteAtATime_A, !write_i || wait_q == '0)
  `SLUICE_ASSERT(NotReadWhileWritten_A, !read_i || (wait_q == '0 && !write_i))
  `SLUICE_SWEPT(init_i, init_index_i, Depth)
endmodule : sluice_table_timed
