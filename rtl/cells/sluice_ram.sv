// SPDX-License-Identifier: Apache-2.0

/// Memory with one write port and one synchronous read port.
/// Read latency 1 cycle; the output holds while re_i is low. Contents are unknown until written. A
/// read of the address that is written in the same cycle returns nothing that means anything: few
/// memories, of chips or of FPGAs, promise more, and to make the old value there takes a register
/// and a multiplexer a bit. Simulation returns the old value inverted, so that no user gets away
/// with it.
module sluice_ram #(
  parameter int unsigned Depth = 16,   // words, at least 1
  parameter int unsigned Width = 32,   // bits of a word
  localparam int unsigned AddrBits = Depth > 1 ? $clog2(Depth) : 1
) (
  input  logic                clk_i,
  input  logic                we_i,
  input  logic [AddrBits-1:0] waddr_i,
  input  logic [Width-1:0]    wdata_i,
  input  logic                re_i,
  input  logic [AddrBits-1:0] raddr_i,
  output logic [Width-1:0]    rdata_o
);
  (* no_rw_check *)
  logic [Width-1:0] mem_q [Depth];

  always_ff @(posedge clk_i) begin
    if (we_i) mem_q[waddr_i] <= wdata_i;
    if (re_i) rdata_o <= mem_q[raddr_i];
`ifdef SLUICE_SIM
    if (re_i && we_i && waddr_i == raddr_i) rdata_o <= ~mem_q[raddr_i];
`endif
  end
endmodule : sluice_ram
