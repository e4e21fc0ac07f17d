// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Two-beat valid/ready register: cuts every combinational path between its two sides.
/// Latency 1 cycle, backpressure latency 1 cycle, 1 beat per cycle sustained.
/// Invariant: `head` is older than `skid`, so beats never overtake one another.
module sluice_slice #(
  parameter int unsigned Width = 32   // payload bits, at least 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             in_valid_i,
  output logic             in_ready_o,
  input  logic [Width-1:0] in_data_i,
  output logic             out_valid_o,
  input  logic             out_ready_i,
  output logic [Width-1:0] out_data_o
);
  logic             head_valid_q, skid_valid_q;
  logic [Width-1:0] head_q, skid_q;
  logic             push, stall;

  assign in_ready_o  = !skid_valid_q;
  assign out_valid_o = head_valid_q;
  assign out_data_o  = head_q;
  assign push        = in_valid_i && in_ready_o;
  assign stall       = head_valid_q && !out_ready_i;

  // A beat that arrives in the very cycle of a stall has nowhere else to go: that is the skid.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_valid_q <= 1'b0;
      skid_valid_q <= 1'b0;
    end else begin
      head_valid_q <= stall || skid_valid_q || push;
      skid_valid_q <= stall && (skid_valid_q || push);
    end
  end

  // Payload is qualified by its valid bit, so it carries no reset.
  always_ff @(posedge clk_i) begin
    if (!stall)        head_q <= skid_valid_q ? skid_q : in_data_i;
    if (!skid_valid_q) skid_q <= in_data_i;      // counts only after a stall
  end

  `SLUICE_ASSERT(HeadOlderThanSkid_A, head_valid_q || !skid_valid_q)
`ifdef SLUICE_SIM
  logic             stalled_q;
  logic [Width-1:0] stalled_data_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) stalled_q <= 1'b0;
    else         stalled_q <= stall;
  end
  always_ff @(posedge clk_i) if (stall) stalled_data_q <= out_data_o;
  `SLUICE_ASSERT(StallHoldsBeat_A, !stalled_q || (out_valid_o && out_data_o == stalled_data_q))
`endif
endmodule : sluice_slice
