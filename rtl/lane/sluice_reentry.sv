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
/// A bus that stops within a packet keeps them waiting until it goes on.
/// Reset: nothing waits, and the next beat is the first of a packet.
/// Invariant: no beat of the bus is lost or reordered; packets are never interleaved; the room is
/// never used up.
module sluice_reentry
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
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
  // receiver
  output logic                 valid_o,
  output logic                 last_o,
  output logic                 err_o,
  output logic [BeatBits-1:0]  data_o,
  output logic [BeatBytes-1:0] keep_o,
  output logic [7:0]           port_o
);
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
  logic                 held, pop, push, unused_full, wire_valid;
  logic [CountBits-1:0] count;
  assign comes = '{last: rx_last_i, err: rx_err_i, data: rx_data_i, keep: rx_keep_i,
                   port: rx_port_i};
  sluice_ram_fifo #(.Depth(Places), .Width($bits(beat_t))) u_waiting (
    .clk_i, .rst_ni, .push_i(push), .data_i(comes), .full_o(unused_full),
    .valid_o(held), .data_o(waits), .pop_i(pop), .count_o(count)
  );
  assign wire_valid = held || rx_valid_i;
  assign wire_beat  = held ? waits : comes;
  assign push       = rx_valid_i && (held || take_o);
  assign pop        = held && !take_o;

  // ---- turns: between two packets. `again_q`: the packet that goes, or went last, is recirculated
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

  logic unused_bits;
  assign unused_bits = ^{again, reentry_i.ticket, reentry_i.bytes};

  `SLUICE_ASSERT(RoomForTheBus_A, !push || count != CountBits'(Places - 1) || pop)
  `SLUICE_ASSERT(WholePacket_A, !take_o || reentry_i.valid)
endmodule : sluice_reentry
