// SPDX-License-Identifier: Apache-2.0

/// Counters and high-water marks of a lane (registers LANE), and their reads.
/// Answers one cycle after the request; offsets without a register read 0; writes are answered and
/// change nothing. Counters wrap.
module sluice_lane_registers
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_buffer_pkg::*;
(
  input  logic              clk_i,
  input  logic              rst_ni,
  input  pipe_t             lane_i,
  input  logic              clear_i,
  input  logic              done_i,           // a packet ended on the bus
  input  logic              arrived_i,        // and it is stored
  input  len_t              len_i,
  input  drop_t             drop_i,
  input  buffer_used_t      used_i,
  input  logic [12:0]       waiting_i,
  input  csr_req_t          csr_req_i,
  output csr_rsp_t          csr_rsp_o
);
  // A lane drops for the reasons from NOT_READY to PROTOCOL, and for RATE in a chip with rates.
  // Event 0 is no reason's: what ended on the bus.
  localparam int unsigned LastReason = 32'(DropProtocol);
  localparam int unsigned NumEvents  = LastReason + 2 + RateLimits;
  localparam int unsigned IndexBits  = $clog2(NumEvents);
  typedef logic [IndexBits-1:0] index_t;
  localparam index_t EvPackets = '0, EvAccepted = index_t'(LastReason + 1),
                     EvRate = index_t'(LastReason + 2);

  logic [31:0]          bytes_q, counted;
  slots_t               high_slots_q;
  cells_t               high_cells_q;
  logic [12:0]          high_queue_q;
  logic [NumEvents-1:0] events;
  index_t               counter;
  always_comb begin
    events             = '0;
    events[EvPackets]  = done_i;
    events[EvAccepted] = arrived_i;
    for (int unsigned r = 1; r <= LastReason; r++)
      events[r] = drop_i.valid && drop_i.reason == drop_e'(r);
    if (RateLimits != 0) events[NumEvents-1] = drop_i.valid && drop_i.reason == DropRate;
  end
  sluice_counters #(.Count(NumEvents)) u_counters (
    .clk_i, .rst_ni, .clear_i, .event_i(events), .index_i(counter), .value_o(counted)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      bytes_q      <= '0;
      high_slots_q <= '0;
      high_cells_q <= '0;
      high_queue_q <= '0;
    end else if (clear_i) begin
      bytes_q      <= '0;
      high_slots_q <= '0;
      high_cells_q <= '0;
      high_queue_q <= '0;
    end else begin
      if (arrived_i)                   bytes_q      <= bytes_q + 32'(len_i);
      if (used_i.slots > high_slots_q) high_slots_q <= used_i.slots;
      if (used_i.cells > high_cells_q) high_cells_q <= used_i.cells;
      if (waiting_i > high_queue_q)    high_queue_q <= waiting_i;
    end
  end

  // ---- reads
  logic        mine;
  logic [31:0] value;
  assign mine = csr_req_i.valid && csr_req_i.addr[19:12] == BlockLaneBase[19:12]
                && csr_req_i.addr[11:8] == 4'(lane_i);

  drop_e reason;
  assign reason = drop_e'(csr_req_i.addr[6:2]);
  always_comb begin
    counter = EvPackets;
    value   = '0;
    if (csr_req_i.addr[7] == RegLaneDrop[7]) begin
      if (reason != DropNone && 32'(reason) <= LastReason) begin
        counter = index_t'(reason);
        value   = counted;
      end else if (RateLimits != 0 && reason == DropRate) begin
        counter = EvRate;
        value   = counted;
      end
    end else begin
      case ({4'd0, csr_req_i.addr[7:0]})
        RegLanePackets:   value = counted;
        RegLaneBytes:     value = bytes_q;
        RegLaneAccepted: begin
          counter = EvAccepted;
          value   = counted;
        end
        RegLaneHighSlots: value = 32'(high_slots_q);
        RegLaneHighCells: value = 32'(high_cells_q);
        RegLaneHighQueue: value = 32'(high_queue_q);
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) csr_rsp_o <= '0;
    else         csr_rsp_o <= '{valid: mine, refused: 1'b0, rdata: mine
        && !csr_req_i.write ? value : '0};
  end

  logic unused_inputs;
  assign unused_inputs = ^{csr_req_i.wdata, drop_i.known, drop_i.row};
endmodule : sluice_lane_registers
