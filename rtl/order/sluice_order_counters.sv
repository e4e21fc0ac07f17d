// SPDX-License-Identifier: Apache-2.0

/// Registers of the order point for one lane (block ORDER, lane n = `lane_i`).
/// Counts events the cycle after they happen; answers as sluice_register_block does.
module sluice_order_counters
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 clear_i,
  input  pipe_t                lane_i,
  input  logic                 admitted_i,
  input  logic                 marked_i,
  input  logic [StageBits-1:0] out_of_bounds_i,   // of the packet admitted
  input  logic [4:0]           wait_i,            // of sluice_admit
  input  drop_t                drop_i,
  input  logic                 drop_above_i,      // its module was above its share
  input  csr_req_t             csr_req_i,
  output csr_rsp_t             csr_rsp_o
);
  logic        discarded, overload;
  logic [31:0] out_of_bounds_q;
  assign discarded = drop_i.valid && drop_i.reason == DropDiscardFront;
  assign overload  = drop_i.valid && drop_i.reason == DropOverload;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)               out_of_bounds_q <= '0;
    else if (clear_i) out_of_bounds_q <= '0;
    else if (admitted_i)       out_of_bounds_q <= out_of_bounds_q + 32'(out_of_bounds_i);
  end

  sluice_register_block #(
    .Stride(BlockOrderStride),
    .NumCounts(10),
    .CountAt({
      RegOrderDrop + 12'({DropOverload, 2'b00}), RegOrderDrop + 12'({DropDiscardFront, 2'b00}),
      RegOrderAboveShare, RegOrderMarked,
      RegOrderWindow, RegOrderCredit, RegOrderFull, RegOrderBraked, RegOrderPaced,  // as wait_i
      RegOrderAdmitted
    }),
    .WordAt(RegOrderOutOfBounds)
  ) u_block (
    .clk_i, .rst_ni, .clear_i,
    .base_i(BlockOrderBase + 20'(lane_i) * BlockOrderStride),
    .event_i({overload, discarded, drop_above_i, marked_i, wait_i, admitted_i}), .level_i('0),
    .word_i(out_of_bounds_q), .csr_req_i, .csr_rsp_o
  );
endmodule : sluice_order_counters
