// SPDX-License-Identifier: Apache-2.0

/// Configuration table: the datapath reads on one port, control writes or reads back on the other.
/// Both reads are synchronous, latency 1 cycle; outputs hold while their enable is low. During init
/// (control has no say then) every word is given InitValue at init_index_i.
/// A dual-port memory: port A reads, port B reads or writes.
module sluice_table #(
  parameter int unsigned      Depth     = 32,   // words, at least 1
  parameter int unsigned      Width     = 32,   // bits of a word
  parameter logic [Width-1:0] InitValue = '0,
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
  input  logic                ctl_write_i,
  input  logic [AddrBits-1:0] ctl_addr_i,
  input  logic [Width-1:0]    ctl_wdata_i,
  output logic [Width-1:0]    ctl_rdata_o
);
  logic [Width-1:0]    mem_q [Depth];
  logic                write;
  logic [AddrBits-1:0] addr;
  logic [Width-1:0]    wdata;

  assign write = init_i ? 32'(init_index_i) < Depth : ctl_valid_i && ctl_write_i;
  assign addr  = init_i ? init_index_i[AddrBits-1:0] : ctl_addr_i;
  assign wdata = init_i ? InitValue : ctl_wdata_i;

  always_ff @(posedge clk_i) begin
    if (write) mem_q[addr] <= wdata;
    if (re_i)  rdata_o <= mem_q[raddr_i];
    if (ctl_valid_i && !ctl_write_i) ctl_rdata_o <= mem_q[ctl_addr_i];
  end
endmodule : sluice_table
