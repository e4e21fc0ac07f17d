// SPDX-License-Identifier: Apache-2.0

/// Registers of the order point for one lane (block ORDER, lane n = `lane_i`).
/// Counts events the cycle after they happen; answers 1 cycle after the request. Counters wrap.
module sluice_order_counters
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  settings_t            settings_i,
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
  logic [31:0] admitted_q, marked_q, out_of_bounds_q, discarded_q, overload_q, above_q;
  logic [31:0] wait_q [5];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      admitted_q      <= '0;
      marked_q        <= '0;
      out_of_bounds_q <= '0;
      discarded_q     <= '0;
      overload_q      <= '0;
      above_q         <= '0;
      for (int unsigned c = 0; c < 5; c++) wait_q[c] <= '0;
    end else if (settings_i.clear) begin
      admitted_q      <= '0;
      marked_q        <= '0;
      out_of_bounds_q <= '0;
      discarded_q     <= '0;
      overload_q      <= '0;
      above_q         <= '0;
      for (int unsigned c = 0; c < 5; c++) wait_q[c] <= '0;
    end else begin
      if (marked_i) marked_q <= marked_q + 1'b1;
      if (admitted_i) admitted_q <= admitted_q + 1'b1;
      if (admitted_i) out_of_bounds_q <= out_of_bounds_q + 32'(out_of_bounds_i);
      if (drop_i.valid && drop_i.reason == DropDiscardFront) discarded_q <= discarded_q + 1'b1;
      if (drop_i.valid && drop_i.reason == DropOverload) overload_q <= overload_q + 1'b1;
      if (drop_above_i) above_q <= above_q + 1'b1;
      for (int unsigned c = 0; c < 5; c++) if (wait_i[c]) wait_q[c] <= wait_q[c] + 1'b1;
    end
  end

  logic        mine;
  logic [11:0] offset;
  logic [31:0] value;
  assign mine   = csr_req_i.valid
               && csr_req_i.addr - BlockOrderBase < 20'(sluice_cfg_pkg::NumPipes) * BlockOrderStride
               && csr_req_i.addr[11:8] == 4'(lane_i);
  assign offset = 12'(csr_req_i.addr[7:0]);

  always_comb begin
    case (offset)
      RegOrderAdmitted:    value = admitted_q;
      RegOrderPaced:       value = wait_q[0];
      RegOrderBraked:      value = wait_q[1];
      RegOrderFull:        value = wait_q[2];
      RegOrderCredit:      value = wait_q[3];
      RegOrderWindow:      value = wait_q[4];
      RegOrderMarked:      value = marked_q;
      RegOrderOutOfBounds: value = out_of_bounds_q;
      RegOrderAboveShare:  value = above_q;
      RegOrderDrop + 12'({DropDiscardFront, 2'b00}): value = discarded_q;
      RegOrderDrop + 12'({DropOverload, 2'b00}):     value = overload_q;
      default:             value = '0;
    endcase
  end

  csr_rsp_t rsp_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rsp_q <= '0;
    else         rsp_q <= mine ? '{valid: 1'b1, rdata: csr_req_i.write ? '0 : value} : '0;
  end
  assign csr_rsp_o = rsp_q;

  logic unused_bits;
  assign unused_bits = ^{settings_i, drop_i, csr_req_i};
endmodule : sluice_order_counters
