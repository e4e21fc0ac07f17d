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
  input  logic                 rx_valid_i,
  input  logic                 rx_last_i,
  input  logic                 rx_err_i,
  input  logic [BeatBits-1:0]  rx_data_i,
  input  logic [BeatBytes-1:0] rx_keep_i,
  input  logic [7:0]           rx_port_i,
  // recirculated packets, each whole
  input  reentry_t             reentry_i,
  output logic                 take_o,
  // the beat on the bus is of a packet that gives way; and the packet, the cycle after its last one
  output logic                 gives_way_o,
  output drop_t                gave_way_o,
  // receiver
  output logic                 valid_o,
  output logic                 last_o,
  output logic                 err_o,
  output logic [BeatBits-1:0]  data_o,
  output logic [BeatBytes-1:0] keep_o,
  output logic [7:0]           port_o
);
  if (Recirculation == 0) begin : gen_none
    assign take_o      = 1'b0;
    assign gives_way_o = 1'b0;
    assign gave_way_o  = '0;
    assign {valid_o, last_o, err_o} = {rx_valid_i, rx_last_i, rx_err_i};
    assign {data_o, keep_o, port_o} = {rx_data_i, rx_keep_i, rx_port_i};
  end else begin : gen_reentry
    localparam int unsigned Places    = 1 << $clog2(MaxBeats);
    localparam int unsigned Threshold = Places - MaxBeats - 1;
    localparam int unsigned CountBits = $clog2(Places + 1);
    if (Places <= MaxBeats)
      $fatal(1, "sluice_reentry: no room for the bus beside a packet of %0d beats", MaxBeats);

    typedef struct packed {
      logic                 last;
      logic                 err;
      logic [BeatBits-1:0]  data;
      logic [BeatBytes-1:0] keep;
      logic [7:0]           port;
    } beat_t;

    // ---- what waits of the bus
    beat_t                comes, waits, wire_beat;
    logic                 held, pop, push, passes, wire_valid;
    logic [CountBits-1:0] count;
    assign comes = '{last: rx_last_i, err: rx_err_i, data: rx_data_i, keep: rx_keep_i,
                     port: rx_port_i};
    sluice_ram_fifo #(.Depth(Places), .Width($bits(beat_t))) u_waiting (
      .clk_i, .rst_ni, .push_i(push), .data_i(comes), .full_o(),
      .valid_o(held), .data_o(waits), .pop_i(pop), .count_o(count)
    );
    assign wire_valid = held || passes;
    assign wire_beat  = held ? waits : comes;
    assign push       = passes && (held || take_o);
    assign pop        = held && !take_o;

    // ---- turns, between two packets. again_q: the packet that goes, or went last, is recirculated
    logic inside_q, again_q, room_q;
    assign take_o = inside_q ? again_q : reentry_i.valid && room_q && !(again_q && wire_valid);
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        inside_q <= 1'b0;
        again_q  <= 1'b0;
        room_q   <= 1'b1;
      end else begin
        if (valid_o) begin
          inside_q <= !last_o;
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
    assign gives_way_o    = rx_valid_i && (rx_inside_q ? gives_way_q : waits_for_room && due_q);
    assign passes         = rx_valid_i && !gives_way_o;
    always_comb begin
      denied = denied_q;
      if (!held) denied = '0;
      else if (gives_way_o)
        denied = denied_q < denied_t'(Share - 1) ? '0 : denied_q - denied_t'(Share - 1);
      else if (rx_valid_i && waits_for_room && denied_q != denied_t'(DeniedMost))
        denied = denied_q + 1'b1;
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)         rx_inside_q <= 1'b0;
      else if (rx_valid_i) rx_inside_q <= !rx_last_i;
    end
    always_ff @(posedge clk_i) begin
      if (rx_valid_i && !rx_inside_q) gives_way_q <= gives_way_o;
      denied_q <= denied;
      due_q    <= denied >= denied_t'(Patience);
    end

    // Its module is that of the row which its tag names, as that of a packet without a place.
    logic tagged_q, gave_way_q;
    row_t row_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) gave_way_q <= 1'b0;
      else         gave_way_q <= gives_way_o && rx_last_i;
    end
    always_ff @(posedge clk_i) if (rx_valid_i && !rx_inside_q) begin
      tagged_q <= &rx_keep_i[15:0] && {rx_data_i[8*12 +: 8], rx_data_i[8*13 +: 8]} == 16'h8100;
      row_q    <= rx_data_i[8*15 +: RowBits];
    end
    assign gave_way_o = '{valid: gave_way_q, known: tagged_q, row: row_q, reason: DropGaveWay};

    // ---- to the receiver
    again_t again;
    assign again   = reentry_i.again;
    assign valid_o = take_o || wire_valid;
    assign last_o  = take_o ? reentry_i.last : wire_beat.last;
    assign err_o   = !take_o && wire_beat.err;
    assign data_o  = take_o ? reentry_i.data : wire_beat.data;
    assign port_o  = take_o ? again.port_in : wire_beat.port;
    always_comb begin
      keep_o = wire_beat.keep;
      if (take_o)
        keep_o = reentry_i.last && reentry_i.bytes != '0
               ? ~({BeatBytes{1'b1}} << reentry_i.bytes) : '1;
    end

    `SLUICE_ASSERT(RoomForTheBus_A, !push || count != CountBits'(Places - 1) || pop)
    `SLUICE_ASSERT(WholePacket_A, !take_o || reentry_i.valid)
    `SLUICE_ASSERT(GivesWayForOne_A, !gives_way_o || rx_inside_q || reentry_i.valid)
`ifdef SLUICE_SIM
    // Nobody waits for ever. A packet of the bus counts with as many beats as it may have.
    int unsigned waited_q, beats_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || take_o || !reentry_i.valid) waited_q <= 0;
      else if (rx_valid_i && beats_q < MaxBeats) waited_q <= waited_q + 1;
      beats_q <= !rst_ni || (rx_valid_i && rx_last_i) ? 0 : beats_q + 32'(rx_valid_i);
    end
    `SLUICE_ASSERT(EntersInTime_A, waited_q <= 20 * MaxBeats)
`endif
  end
endmodule : sluice_reentry
