// SPDX-License-Identifier: Apache-2.0

/// A PHV waits Cycles cycles before the core begins with it, so that the unit beside the core, which
/// begins at once, is done in time. One PHV a cycle; registers move only with a packet. Only `valid`
/// is reset. With Cycles = 0 there are no registers.
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
  // [n]: n cycles after it came
  logic                 valid  [Cycles+1];
  logic                 active [Cycles+1];
  phv_t                 phv    [Cycles+1];
  logic [AlongBits-1:0] along  [Cycles+1];
  assign valid[0]  = valid_i;
  assign active[0] = active_i;
  assign phv[0]    = kept_phv(phv_i);
  assign along[0]  = along_i;
  for (genvar n = 0; n < Cycles; n++) begin : gen_wait
    logic                 valid_q, active_q;
    phv_t                 phv_q;
    logic [AlongBits-1:0] along_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= 1'b0;
      else         valid_q <= valid[n];
    end
    always_ff @(posedge clk_i) begin
      if (valid[n]) begin
        active_q <= active[n];
        phv_q    <= phv[n];
        along_q  <= along[n];
      end
    end
    assign valid[n+1]  = valid_q;
    assign active[n+1] = active_q;
    assign phv[n+1]    = phv_q;
    assign along[n+1]  = along_q;
  end

  assign valid_o  = valid[Cycles];
  assign active_o = active[Cycles];
  assign phv_o    = phv[Cycles];
  assign along_o  = along[Cycles];
  if (Cycles > 0) begin : gen_came
    assign came_o = phv[1].cont;
  end else begin : gen_no_came
    logic unused_clock;
    assign came_o       = '0;
    assign unused_clock = ^{clk_i, rst_ni};
  end
endmodule : sluice_lead
