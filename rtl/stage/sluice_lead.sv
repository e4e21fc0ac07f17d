// SPDX-License-Identifier: Apache-2.0
`include "sluice_tag.svh"

/// A PHV waits Cycles cycles before the core begins with it, so that the unit beside the core,
/// which begins at once, is done in time. One PHV a cycle; registers move only with a packet. Only
/// `valid` is reset. With Cycles = 0 there are no registers.
module sluice_lead
  import sluice_pkg::*;
#(
  parameter int unsigned Cycles    = 0,
  parameter int unsigned AlongBits = 1
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 valid_i,
  input  logic                 active_i,
  input  phv_t                 phv_i,
  input  logic [AlongBits-1:0] along_i,
  output logic                 valid_o,
  output logic                 active_o,
  output phv_t                 phv_o,
  output logic [AlongBits-1:0] along_o,
  output containers_t          came_o        // a cycle after it came; 0 if it does not wait
);
  if (Cycles == 0) begin : gen_no_wait
    assign valid_o  = valid_i;
    assign active_o = active_i;
    assign phv_o    = phv_i;
    assign along_o  = along_i;
    assign came_o   = '0;
    logic unused_clock;
    assign unused_clock = ^{clk_i, rst_ni};
  end else begin : gen_wait
    // [n]: n cycles after it came
    logic [Cycles:1]      valid_q, active_q;
    phv_t                 phv_q   [1:Cycles];
    logic [AlongBits-1:0] along_q [1:Cycles];
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        valid_q <= '0;
      end else begin
        valid_q[1] <= valid_i;
        for (int unsigned n = 2; n <= Cycles; n++) valid_q[n] <= valid_q[n-1];
      end
    end
    always_ff @(posedge clk_i) begin
      if (valid_i) begin
        active_q[1] <= active_i;
        phv_q[1]    <= `SLUICE_KEPT_PHV(phv_i);
        along_q[1]  <= along_i;
      end
      for (int unsigned n = 2; n <= Cycles; n++)
        if (valid_q[n-1]) begin
          active_q[n] <= active_q[n-1];
          phv_q[n]    <= phv_q[n-1];
          along_q[n]  <= along_q[n-1];
        end
    end
    assign valid_o  = valid_q[Cycles];
    assign active_o = active_q[Cycles];
    assign phv_o    = phv_q[Cycles];
    assign along_o  = along_q[Cycles];
    assign came_o   = phv_q[1].cont;
  end
endmodule : sluice_lead
