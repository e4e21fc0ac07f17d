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
  localparam int unsigned NumEvents = 10;
  typedef enum logic [3:0] {
    EvAdmitted, EvPaced, EvBraked, EvFull, EvCredit, EvWindow, EvMarked, EvAboveShare, EvDiscarded,
    EvOverload
  } event_e;
  logic [NumEvents-1:0] events;
  event_e               counter;
  logic [31:0]          counted, out_of_bounds_q;
  always_comb begin
    events                     = '0;
    events[EvAdmitted]         = admitted_i;
    events[EvWindow:EvPaced]   = wait_i;
    events[EvMarked]           = marked_i;
    events[EvAboveShare]       = drop_above_i;
    events[EvDiscarded]        = drop_i.valid && drop_i.reason == DropDiscardFront;
    events[EvOverload]         = drop_i.valid && drop_i.reason == DropOverload;
  end
  sluice_counters #(.Count(NumEvents)) u_counters (
    .clk_i, .rst_ni, .clear_i(settings_i.clear), .event_i(events), .index_i(counter),
    .value_o(counted)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)               out_of_bounds_q <= '0;
    else if (settings_i.clear) out_of_bounds_q <= '0;
    else if (admitted_i)       out_of_bounds_q <= out_of_bounds_q + 32'(out_of_bounds_i);
  end

  logic        mine;
  logic [11:0] offset;
  logic [31:0] value;
  assign mine   = csr_req_i.valid
               && csr_req_i.addr - BlockOrderBase < 20'(sluice_cfg_pkg::NumPipes) * BlockOrderStride
               && csr_req_i.addr[11:8] == 4'(lane_i);
  assign offset = 12'(csr_req_i.addr[7:0]);

  always_comb begin
    counter = EvAdmitted;
    value   = counted;
    case (offset)
      RegOrderAdmitted:    counter = EvAdmitted;
      RegOrderPaced:       counter = EvPaced;
      RegOrderBraked:      counter = EvBraked;
      RegOrderFull:        counter = EvFull;
      RegOrderCredit:      counter = EvCredit;
      RegOrderWindow:      counter = EvWindow;
      RegOrderMarked:      counter = EvMarked;
      RegOrderOutOfBounds: value   = out_of_bounds_q;
      RegOrderAboveShare:  counter = EvAboveShare;
      RegOrderDrop + 12'({DropDiscardFront, 2'b00}): counter = EvDiscarded;
      RegOrderDrop + 12'({DropOverload, 2'b00}):     counter = EvOverload;
      default:             value   = '0;
    endcase
  end

  csr_rsp_t rsp_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rsp_q <= '0;
    else         rsp_q <= mine ? '{valid: 1'b1, refused: 1'b0, rdata: csr_req_i.write ? '0 : value}
        : '0;
  end
  assign csr_rsp_o = rsp_q;

  logic unused_bits;
  assign unused_bits = ^{settings_i, drop_i, csr_req_i};
endmodule : sluice_order_counters
