// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Configuration table: the datapath reads on one port, control writes or reads back on the other.
/// Both reads are synchronous, latency 1 cycle; outputs hold while their enable is low. During init
/// (control has no say then, and the datapath does not read) every word is given InitValue at
/// init_index_i.
/// A dual-port memory: port A reads, port B reads or writes at one address.
///
/// A control write stands for two cycles and takes effect in one of them; the datapath never waits.
/// Collisions: the memory is never asked for the word that is written in the same cycle, for what
/// it would return nobody promises (sluice_ram). Example: word 5 is written in cycles 0 and 1. If
/// the datapath does not read word 5 in cycle 0, it is written then. If it does, it is written in
/// cycle 1; and if the datapath reads word 5 in cycle 1 again, the output simply holds, for it is
/// word 5 of before the write already.
/// Simulation inverts what would be read in a collision, so that no change here goes unnoticed.
module sluice_table #(
  parameter int unsigned      Depth     = 32,   // words, at least 1
  parameter int unsigned      Width     = 32,   // bits of a word
  parameter logic [Width-1:0] InitValue = '0,
  parameter bit               InitOneHot = 1'b0, // instead: word r is given bit r, if it has that
  localparam int unsigned     AddrBits  = Depth > 1 ? $clog2(Depth) : 1
) (
  input  logic                clk_i,
  input  logic                init_i,
  input  logic [15:0]         init_index_i,
  // datapath
  input  logic                re_i,
  input  logic [AddrBits-1:0] raddr_i,
  output logic [Width-1:0]    rdata_o,
  // control
  input  logic                ctl_valid_i,
  input  logic                ctl_write_i,      // the same for two cycles
  input  logic [AddrBits-1:0] ctl_addr_i,
  input  logic [Width-1:0]    ctl_wdata_i,
  output logic [Width-1:0]    ctl_rdata_o
);
  (* no_rw_check *)
  logic [Width-1:0]    mem_q [Depth];
  logic                asked, write, same, read, second_q, late_q;
  logic [AddrBits-1:0] addr;
  logic [Width-1:0]    wdata;

  // second_q: the second cycle of a write; late_q: in the first one its word was read. They need no
  // reset: without a write they fall.
  assign asked = !init_i && ctl_valid_i && ctl_write_i;
  assign same  = re_i && raddr_i == ctl_addr_i;
  assign write = init_i ? 32'(init_index_i) < Depth : asked && (second_q ? late_q : !same);
  assign read  = re_i && !(same && late_q);
  assign addr  = init_i ? init_index_i[AddrBits-1:0] : ctl_addr_i;
  if (InitOneHot) begin : gen_one_hot
    assign wdata = init_i ? Width'(1) << init_index_i : ctl_wdata_i;
  end else begin : gen_same
    assign wdata = init_i ? InitValue : ctl_wdata_i;
  end

  always_ff @(posedge clk_i) begin
    second_q <= asked && !second_q;
    late_q   <= asked && !second_q && same;
    if (write) mem_q[addr] <= wdata;
    if (read)  rdata_o <= mem_q[raddr_i];
    if (!init_i && ctl_valid_i && !ctl_write_i) ctl_rdata_o <= mem_q[addr];
`ifdef SLUICE_SIM
    if (read && write && raddr_i == addr) rdata_o <= ~mem_q[raddr_i];
`endif
  end

`ifdef SLUICE_SIM
`ifndef FORMAL
  // Without a reset of its own: what is asked before init may be anything, for simulators start
  // registers at random, and the first clock edge may be the one that resets them.
  // Variables of this block alone: see SLUICE_SWEPT.
  /* verilator lint_off BLKSEQ */
  bit init_seen_q = 1'b0, late_seen_q = 1'b0;
  always_ff @(posedge clk_i) if (init_i || ctl_valid_i || late_seen_q) begin
    if (late_seen_q && !asked) begin : WriteLastsTwoCycles_A
      $display("[%0t] assertion WriteLastsTwoCycles_A failed: rtl/cells/sluice_table.sv", $time);
      $stop;
    end
    late_seen_q = init_seen_q && asked && !second_q && same;
    init_seen_q = init_seen_q || init_i;
  end
  /* verilator lint_on BLKSEQ */
`endif
`endif
  `SLUICE_SWEPT(init_i, init_index_i, Depth)
endmodule : sluice_table
