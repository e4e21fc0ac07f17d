// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Recirculation port of one lane: the queue of packets that are to go through the chip again, and
/// the way back to the lane (docs/machine.md, Recirculation). Header and body are put together as
/// for a line (sluice_transmit, of one source lane); the beats wait in a FIFO until a packet is
/// whole. What is no byte of the packet waits beside it, and with it how long it waited, and behind
/// how many others.
/// Latency 4 cycles from push_i to reentry_o.valid of a packet of one beat; with capsules 5, or 6
/// if sluice_cutout makes one beat of two. Throughput: one beat a cycle.
/// A packet has its place from the cycle of promised_i until its last beat has entered the lane, so
/// nothing behind the queue has a limit of its own.
/// Nothing gets stuck: the FIFO holds the longest packet, so the packet at its head becomes whole,
/// whatever waits behind it; and no line, no lane and no other packet waits for this queue.
/// Invariant: beats and what is beside them belong to one packet: both leave in push_i's order.
module sluice_recirculation
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_exit_pkg::*;
  import sluice_buffer_pkg::*;
#(
  parameter int unsigned AheadBeats = 32   // as sluice_transmit
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  pipe_t       lane_i,
  // a place is promised in the cycle before the packet comes
  input  logic        promised_i,
  output logic        full_o,
  input  logic        push_i,
  input  output_t     packet_i,
  input  again_bits_t beside_i,
  // body reader
  output body_req_t   body_req_o,
  input  body_rsp_t   body_rsp_i,
  // to the lane: the beat is taken
  output reentry_t    reentry_o,
  input  logic        take_i,
  output logic        entered_o,           // it was the last of its packet
  output logic [15:0] waiting_o
);
  localparam int unsigned FifoDepth   = 1 << $clog2(MaxBeats);
  localparam int unsigned FifoBits    = $clog2(FifoDepth + 1);
  localparam int unsigned PlaceBits   = $clog2(OutputDepth + 1);
  localparam int unsigned WordBits    = 1 + BeatIdxBits + BeatBits;
  localparam int unsigned CameBits    = 32 + WaitDepthBits;

  // ---- places
  logic [PlaceBits-1:0] places_q;
  assign full_o    = places_q == PlaceBits'(OutputDepth);
  assign waiting_o = 16'(places_q);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) places_q <= '0;
    else         places_q <= places_q + PlaceBits'(promised_i) - PlaceBits'(entered_o);
  end

  // ---- a capsule's head goes behind what is taken out of it, if the exit has left that to others
  output_t             packet;
  logic [StepBits-1:0] header;
  sluice_header_move #(.Here(EgressStages != 0), .Bits(StepBits)) u_move (
    .header_i(packet_i.header), .cutout_i(packet_i.cutout), .header_o(header)
  );
  always_comb begin
    packet        = packet_i;
    packet.header = header;
  end

  // ---- the packet, put together
  tx_beat_t             tx;
  logic                 beats_full, queue_full;
  // Its queue has no classes: all bits are the same.
  logic [OutputQueues-1:0] queue_fulls;
  assign queue_full = queue_fulls != '0;
  sluice_transmit #(.AheadBeats(AheadBeats), .Sources(1)) u_transmit (
    .clk_i, .rst_ni, .lane_i, .costs_i('0), .strict_i('0), .next_i('0), .next_pop_o(),
    .promised_i(OutputQueues'(promised_i)), .full_o(queue_fulls), .held_o(),
    .push_i, .packet_i(packet),
    .body_req_o, .body_rsp_i,
    .tx_o(tx), .tx_ready_i(!beats_full), .sent_o(), .room_i(1'b1), .start_o(), .left_o()
  );

  // ---- its beats, until it is whole
  logic                   beat_there, comes, beat_last;
  logic [BeatIdxBits-1:0] tx_bytes, beat_bytes;
  logic [BeatBits-1:0]    beat_data;
  logic [FifoBits-1:0]    whole_q;
  assign comes    = tx.valid && !beats_full;
  assign tx_bytes = BeatIdxBits'($countones(tx.keep));
  sluice_ram_fifo #(.Depth(FifoDepth), .Width(WordBits)) u_beats (
    .clk_i, .rst_ni,
    .push_i(comes), .data_i({tx.last, tx_bytes, tx.data}), .full_o(beats_full),
    .valid_o(beat_there), .data_o({beat_last, beat_bytes, beat_data}), .pop_i(take_i),
    .count_o()
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) whole_q <= '0;
    else         whole_q <= whole_q + FifoBits'(comes && tx.last) - FifoBits'(entered_o);
  end
  assign entered_o = take_i && beat_last;

  // ---- beside it. When it came is in a queue of its own, a narrow one with its head in registers:
  // much is done with it in the cycle in which it is read.
  logic                 beside_there;
  logic [PlaceBits-1:0] others;
  logic                 unused_others;           // fewer than all places
  logic [WaitDepthBits-1:0] depth;
  logic [31:0]          ticket, cycle_q, came;
  logic [WaitDelayBits-1:0]  waited;
  logic [31:WaitDelayBits]   upper, upper_less;  // of the cycle
  logic                      borrow, long_ago;
  again_bits_t          beside;
  again_t               entering;
  sluice_ram_fifo #(.Depth(OutputDepth), .Width(32 + AgainBits)) u_beside (
    .clk_i, .rst_ni,
    .push_i, .data_i({packet_i.ticket, beside_i}),
    .full_o(), .valid_o(beside_there), .data_o({ticket, beside}),
    .pop_i(entered_o), .count_o(others)
  );
  sluice_head_fifo #(.Depth(OutputDepth), .Width(CameBits)) u_came (
    .clk_i, .rst_ni,
    .push_i, .data_i({cycle_q, others[WaitDepthBits-1:0]}), .full_o(), .valid_o(),
    .data_o({came, depth}), .pop_i(entered_o), .behind_valid_o(), .behind_o()
  );
  assign unused_others = ^others;
  // In the cycle in which its last beat enters, delay is that of its arrival.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) cycle_q <= '0;
    else         cycle_q <= cycle_q + 1'b1;
  end
  // The difference of the lower bits; that of the upper ones is not 0 if they are others than those
  // of now, or, with a borrow, than one less.
  assign {borrow, waited} = (WaitDelayBits+1)'(cycle_q[WaitDelayBits-1:0])
      - (WaitDelayBits+1)'(came[WaitDelayBits-1:0]);
  assign upper            = cycle_q[31:WaitDelayBits];
  assign upper_less       = upper - 1'b1;
  assign long_ago         = borrow ? came[31:WaitDelayBits] != upper_less
                                   : came[31:WaitDelayBits] != upper;
  always_comb begin
    entering              = beside;
    entering.waited.depth = depth;
    entering.waited.delay = long_ago ? '1 : waited;
  end

  assign reentry_o = '{
    valid: whole_q != '0, last: beat_last, bytes: beat_bytes, data: beat_data, ticket: ticket,
    again: entering
  };

  `SLUICE_ASSERT(PlaceIsThere_A, !promised_i || (!full_o && !queue_full))
  `SLUICE_ASSERT(WholeHasBeats_A, whole_q == '0 || (beat_there && beside_there))
  `SLUICE_ASSERT(TakesWhole_A, !take_i || whole_q != '0)
  // The FIFO is never full of a packet that is not whole.
  `SLUICE_ASSERT(FullHasWhole_A, !beats_full || whole_q != '0)
`ifdef SLUICE_SIM
  // The ticket comes with the bytes, and beside them.
  logic [31:0] ticket_q [$];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) ticket_q.delete();
    else begin
      if (comes && tx.last) ticket_q.push_back(tx.ticket);
      if (entered_o) begin
        if (ticket_q[0] != ticket) $error("bytes of ticket %0d, beside %0d", ticket_q[0], ticket);
        ticket_q.delete(0);
      end
    end
  end
`endif
endmodule : sluice_recirculation
