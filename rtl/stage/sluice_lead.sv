// SPDX-License-Identifier: Apache-2.0
`include "sluice_tag.svh"

/// A PHV waits Cycles cycles before the core begins with it, so that the unit beside the core,
/// which begins at once, is done in time. One PHV a cycle; registers move only with a packet. Only
/// `valid` is reset. With Cycles = 0 there are no registers.
module sluice_lead
  import sluice_phv_pkg::*;
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
    // [n]: n cycles after it came. Registers of their own for each cycle: see sluice_match_action.
    logic [Cycles:1] valid_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= '0;
      else         valid_q <= Cycles'({valid_q, valid_i});
    end
    for (genvar n = 1; n <= Cycles; n++) begin : gen_cycle
      logic                 active_q;
      phv_t                 phv_q;
      logic [AlongBits-1:0] along_q;
      if (n == 1) begin : gen_first
        always_ff @(posedge clk_i) if (valid_i) begin
          active_q <= active_i;
          phv_q    <= `SLUICE_KEPT_PHV(phv_i);
          along_q  <= along_i;
        end
      end else begin : gen_next
        always_ff @(posedge clk_i) if (valid_q[n-1]) begin
          active_q <= gen_cycle[n-1].active_q;
          phv_q    <= gen_cycle[n-1].phv_q;
          along_q  <= gen_cycle[n-1].along_q;
        end
      end
    end
    assign valid_o  = valid_q[Cycles];
    assign active_o = gen_cycle[Cycles].active_q;
    assign phv_o    = gen_cycle[Cycles].phv_q;
    assign along_o  = gen_cycle[Cycles].along_q;
    assign came_o   = gen_cycle[1].phv_q.cont;
  end
endmodule : sluice_lead
