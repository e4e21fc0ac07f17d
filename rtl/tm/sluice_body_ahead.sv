// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Fetches the bodies of the copies that one output lane will send for one source lane, ahead of
/// their turn and in their order: a queue of bodies to ask for, and a queue of beats that came.
/// Latency: a body is asked for 2 cycles after push_i when no other waits; its beats leave in
/// the cycle after they came. One beat per cycle, and one request. A slice stands before the
/// request port, so that no path leads from the reader's ready to the queue.
///
/// A packet is asked for once for each of its copies, as fast as the body reader takes requests;
/// it stops by itself when the queue of beats is full. So while one copy is on the wire, the bodies
/// of the next ones are read, and an output lane that is busy with another source lane does not
/// leave this one's body store idle. With Depth = 0 there is no queue of beats: what the body
/// reader holds is all that is known, so the next body is chosen a cycle after the one before it
/// has ended.
/// Invariant: bodies come in the order of push_i, each as often as its packet has ports.
module sluice_body_ahead
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_buffer_pkg::*;
#(
  // beats read ahead, at least 2; or 0: none, they wait in the body reader
  parameter int unsigned Depth = 32,
  // packets that wait to be asked for, at most
  parameter int unsigned Requests = OutputDepth
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // a packet with a body was queued
  input  logic                    push_i,
  input  hdr_t                    slot_i,
  input  logic [PortsPerLane-1:0] ports_i,
  // body reader
  output body_req_t               req_o,
  input  body_rsp_t               rsp_i,
  // to the wire
  output logic                    valid_o,
  output logic                    whole_o,      // the next body need not be waited for
  // the same two, of the body behind the one whose last beat is at the head
  output logic                    more_o,
  output logic                    more_whole_o,
  output logic                    last_o,
  output logic [BeatBits-1:0]     data_o,
  input  logic                    ready_i
);
  localparam int unsigned CountBits   = index_bits(Depth + 1);
  localparam int unsigned RequestBits = HdrBits + PortsPerLane;
  typedef logic [PortsPerLane-1:0] set_t;

  // ---- requests: the head stays until it was asked for once for each port. A packet's place is
  // given up before its first copy can start, and so before its place among the packets.
  set_t ports, served_q, left, rest;
  logic request, asks, slice_ready, req_valid, beat_ready;
  hdr_t slot, req_slot;
  assign left    = ports & ~served_q;
  assign rest    = left & (left - 1'b1);
  assign request = asks && slice_ready;

  sluice_ram_fifo #(.Depth(Requests), .Width(RequestBits)) u_requests (
    .clk_i, .rst_ni,
    .push_i, .data_i({slot_i, ports_i}), .full_o(),
    .valid_o(asks), .data_o({slot, ports}), .pop_i(request && rest == '0),
    .count_o()
  );
  sluice_slice #(.Width(HdrBits)) u_slice (
    .clk_i, .rst_ni,
    .in_valid_i (asks),        .in_ready_o (slice_ready), .in_data_i (slot),
    .out_valid_o(req_valid),   .out_ready_i(rsp_i.ready), .out_data_o(req_slot)
  );
  assign req_o = '{valid: req_valid, slot: req_slot, beat_ready: beat_ready};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      served_q <= '0;
    else if (request) served_q <= rest == '0 ? '0 : ~rest;
  end

  // ---- beats
  if (Depth == 0) begin : gen_none
    assign beat_ready   = ready_i;
    assign valid_o      = rsp_i.beat_valid;
    assign last_o       = rsp_i.beat_last;
    assign data_o       = rsp_i.beat;
    assign whole_o      = rsp_i.beat_valid;
    assign more_o       = 1'b0;
    assign more_whole_o = 1'b0;
  end else begin : gen_beats
    // the latter is a register: readers hang on it
    logic                 full, full_q, comes, leaves;
    logic [CountBits-1:0] bodies_q;               // whose last beat has come
    logic [CountBits-1:0] beats;
    assign beat_ready   = !full_q;
    assign comes        = rsp_i.beat_valid && !full_q;
    assign leaves       = valid_o && ready_i;
    assign whole_o      = bodies_q != '0 || full_q; // what does not fit need not be waited for
    assign more_o       = beats > CountBits'(1);
    assign more_whole_o = bodies_q > CountBits'(1) || full_q;

    sluice_ram_fifo #(.Depth(Depth), .Width(BeatBits + 1)) u_beats (
      .clk_i, .rst_ni,
      .push_i(comes), .data_i({rsp_i.beat_last, rsp_i.beat}), .full_o(full),
      .valid_o, .data_o({last_o, data_o}), .pop_i(leaves), .count_o(beats)
    );
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        bodies_q <= '0;
        full_q   <= 1'b0;
      end else begin
        bodies_q <= bodies_q + CountBits'(comes && rsp_i.beat_last) - CountBits'(leaves && last_o);
        full_q   <= !leaves && (full_q || (comes && beats == CountBits'(Depth - 1)));
      end
    end
    `SLUICE_ASSERT(FullIsKnown_A, full_q == full)
    `SLUICE_ASSERT(LastWasCounted_A, !(leaves && last_o) || bodies_q != '0)
  end

  `SLUICE_ASSERT(RequestHasPort_A, !asks || left != '0)
`ifdef SLUICE_SIM
  logic waited_q;
  hdr_t waited_slot_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waited_q <= 1'b0;
    else         waited_q <= req_valid && !rsp_i.ready;
  end
  always_ff @(posedge clk_i) waited_slot_q <= req_slot;
  `SLUICE_ASSERT(RequestHolds_A, !waited_q || (req_valid && req_slot == waited_slot_q))
`endif
endmodule : sluice_body_ahead
