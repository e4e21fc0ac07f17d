// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Where recirculated packets enter a lane: chooses, packet by packet, between the bus and them
/// (docs/machine.md, Recirculation). The bus cannot be stopped: its beats wait here while a
/// recirculated packet enters, and go on behind it.
/// Latency 0 cycles while nothing waits; one beat a cycle.
/// They take turns: a recirculated packet goes when the packet before it was one of the bus, or the
/// bus has nothing, and if what waits of the bus leaves room for the longest packet more.
/// Example, 64-byte beats, 256 places, longest packet 144 beats: at full rate of the bus
/// recirculated packets enter until 112 beats wait; when the bus then rests for 10 cycles, 10 more
/// beats of them may.
/// A bus that never rests would leave no room for ever. So, after 8 times as many of its beats as
/// the longest packet has, packets of the bus *give way*: one that begins while a recirculated
/// packet waits for room is left out as a whole, and what waits of the bus becomes less. At most
/// one beat in eight gives way. Example, 64-byte beats: a bus of 64-byte packets without a gap
/// meets a queue of recirculated packets of one beat. They take turns until 112 beats wait; after
/// 1,152 beats more one packet of the bus in eight gives way, and one of the queue enters for it.
/// So a recirculated packet at the head of its queue enters within 20 times the beats of the
/// longest packet, counted in beats of the bus. A bus that stops within a packet keeps it waiting
/// until it goes on, and so does a packet without an end.
/// Reset: nothing waits, and the next beat is the first of a packet.
/// Invariant: packets are never interleaved; those of the bus enter in their order, each whole or
/// not at all; the room is never used up.
module sluice_reentry
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // bus
  input  rx_beat_t             rx_i,
  // recirculated packets, each whole
  input  reentry_t             reentry_i,
  output logic                 take_o,
  // the beat on the bus is of a packet that gives way; and the packet, the cycle after its last one
  output logic                 gives_way_o,
  output drop_t                gave_way_o,
  // receiver
  output rx_beat_t             beat_o
);
  if (Recirculation == 0) begin : gen_none
    assign take_o      = 1'b0;
    assign gives_way_o = 1'b0;
    assign gave_way_o  = '0;
    assign beat_o      = rx_i;
  end else begin : gen_reentry
    localparam int unsigned Places    = 1 << $clog2(MaxBeats);
    localparam int unsigned Threshold = Places - MaxBeats - 1;
    localparam int unsigned CountBits = $clog2(Places + 1);
    if (Places <= MaxBeats)
      $fatal(1, "sluice_reentry: no room for the bus beside a packet of %0d beats", MaxBeats);

    // ---- what waits of the bus
    rx_beat_t             waits;
    logic                 pop, push, passes, wire_valid;
    logic [CountBits-1:0] count;
    sluice_ram_fifo #(.Depth(Places), .Width($bits(rx_beat_t) - 1)) u_waiting (
      .clk_i, .rst_ni, .push_i(push), .pop_i(pop), .full_o(), .count_o(count),
      .data_i({rx_i.last, rx_i.err, rx_i.port, rx_i.keep, rx_i.data}), .valid_o(waits.valid),
      .data_o({waits.last, waits.err, waits.port, waits.keep, waits.data})
    );
    assign wire_valid = waits.valid || passes;
    assign push       = passes && (waits.valid || take_o);
    assign pop        = waits.valid && !take_o;

    // ---- turns, between two packets. again_q: the packet that goes, or went last, is recirculated
    logic inside_q, again_q, room_q;
    assign take_o = inside_q ? again_q : reentry_i.valid && room_q && !(again_q && wire_valid);
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        inside_q <= 1'b0;
        again_q  <= 1'b0;
        room_q   <= 1'b1;
      end else begin
        if (beat_o.valid) begin
          inside_q <= !beat_o.last;
          again_q  <= take_o;
        end
        room_q <= count + CountBits'(push) - CountBits'(pop) <= CountBits'(Threshold);
      end
    end

    // ---- who gives way: decided with the first beat of a packet of the bus. `denied_q`: beats of
    // the bus that came while a recirculated packet found no room; one that gives way takes 7 back.
    // It needs no reset: it is 0 when nothing waits.
    localparam int unsigned Share    = 8;
    localparam int unsigned Patience = Share * MaxBeats;
    // Beats that come while nobody may begin to give way count as well, so that long packets of the
    // bus do not protect it.
    localparam int unsigned DeniedMost = 2 * Patience;
    typedef logic [$clog2(DeniedMost+1)-1:0] denied_t;
    logic    rx_inside_q, gives_way_q, due_q, waits_for_room;
    denied_t denied_q, denied;
    assign waits_for_room = reentry_i.valid && !room_q && !(inside_q && again_q);
    assign gives_way_o    = rx_i.valid && (rx_inside_q ? gives_way_q : waits_for_room && due_q);
    assign passes         = rx_i.valid && !gives_way_o;
    always_comb begin
      denied = denied_q;
      if (!waits.valid) denied = '0;
      else if (gives_way_o)
        denied = denied_q < denied_t'(Share - 1) ? '0 : denied_q - denied_t'(Share - 1);
      else if (rx_i.valid && waits_for_room && denied_q != denied_t'(DeniedMost))
        denied = denied_q + 1'b1;
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)         rx_inside_q <= 1'b0;
      else if (rx_i.valid) rx_inside_q <= !rx_i.last;
    end
    always_ff @(posedge clk_i) begin
      if (rx_i.valid && !rx_inside_q) gives_way_q <= gives_way_o;
      denied_q <= denied;
      due_q    <= denied >= denied_t'(Patience);
    end

    // Its module is that of the row which its tag names, as that of a packet without a place.
    logic tagged_q, gave_way_q;
    row_t row_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) gave_way_q <= 1'b0;
      else         gave_way_q <= gives_way_o && rx_i.last;
    end
    always_ff @(posedge clk_i) if (rx_i.valid && !rx_inside_q) begin
      tagged_q <= &rx_i.keep[15:0] && {rx_i.data[8*12 +: 8], rx_i.data[8*13 +: 8]} == 16'h8100;
      row_q    <= rx_i.data[8*15 +: RowBits];
    end
    assign gave_way_o = '{valid: gave_way_q, known: tagged_q, row: row_q, reason: DropGaveWay};

    // ---- to the receiver
    again_t again;
    assign again = reentry_i.again;
    always_comb begin
      beat_o       = waits.valid ? waits : rx_i;
      beat_o.valid = wire_valid;
      if (take_o) beat_o = '{
        valid: 1'b1, last: reentry_i.last, err: 1'b0, port: again.port_in,
        keep: reentry_i.last && reentry_i.bytes != '0
            ? ~({BeatBytes{1'b1}} << reentry_i.bytes) : '1,
        data: reentry_i.data
      };
    end

    `SLUICE_ASSERT(RoomForTheBus_A, !push || count != CountBits'(Places - 1) || pop)
    `SLUICE_ASSERT(WholePacket_A, !take_o || reentry_i.valid)
    `SLUICE_ASSERT(GivesWayForOne_A, !gives_way_o || rx_inside_q || reentry_i.valid)
`ifdef SLUICE_SIM
    // Nobody waits for ever. A packet of the bus counts with as many beats as it may have.
    int unsigned waited_q, beats_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || take_o || !reentry_i.valid) waited_q <= 0;
      else if (rx_i.valid && beats_q < MaxBeats) waited_q <= waited_q + 1;
      beats_q <= !rst_ni || (rx_i.valid && rx_i.last) ? 0 : beats_q + 32'(rx_i.valid);
    end
    `SLUICE_ASSERT(EntersInTime_A, waited_q <= 20 * MaxBeats)
`endif
  end
endmodule : sluice_reentry
