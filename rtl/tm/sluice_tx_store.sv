// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Store before the pins of an output lane: a packet leaves only when its last beat is here, and
/// then without a gap, as a MAC asks for. Order and content stay.
/// Example, a packet of 3 beats, of which the second comes late: a . b c comes in cycles 0 to 3,
/// a b c leaves in cycles 4 to 6. The next packet may come meanwhile.
/// Latency 1 cycle from the last beat in to the first beat out, so a packet of n beats that comes
/// without a gap leaves n cycles later. Throughput one beat a cycle. in_ready_o does not depend on
/// out_ready_i of the same cycle.
/// Room: two of the longest packets, so that one comes while one leaves. A packet is never longer
/// than the room, so it always becomes whole.
/// In a chip without TransmitStore it is not there: beats pass in the same cycle.
/// Invariant: packets counts those that are whole, the one that leaves included; only their beats
/// are offered.
module sluice_tx_store
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // the lane
  input  tx_beat_t             in_i,
  output logic                 in_ready_o,
  // pins
  output tx_beat_t             out_o,
  input  logic                 out_ready_i
);
  if (TransmitStore == 0) begin : gen_none
    assign in_ready_o = out_ready_i;
    assign out_o      = in_i;
  end else begin : gen_store
    // The longest packet that leaves: more than the packet buffer takes does not come.
    localparam int unsigned StoredBeats  = HeaderBeats + BodyCells;
    localparam int unsigned LongestBeats = StoredBeats < MaxBeats ? StoredBeats : MaxBeats;
    localparam int unsigned Depth        = 2 * LongestBeats;
    // Whole packets: all but the one that leaves have all their beats here.
    localparam int unsigned LeastBeats   = MinBytes / BeatBytes;
    localparam int unsigned Packets      = (Depth + LeastBeats - 1) / LeastBeats;
    localparam int unsigned PortBits     = index_bits(NumPorts);
    typedef struct packed {
      logic                   last;
      logic [BeatIdxBits-1:0] bytes;     // modulo BeatBytes
      logic [BeatBits-1:0]    data;
    } beat_t;
    typedef struct packed {
      logic [PortBits-1:0] port;
      logic [31:0]         ticket;
    } packet_t;

    logic    push, pop, full, there, whole;
    beat_t   entering, leaving;
    packet_t packet;
    assign in_ready_o = !full;
    assign push       = in_i.valid && !full;
    assign pop        = whole && out_ready_i;
    assign entering   = '{last: in_i.last, bytes: BeatIdxBits'($countones(in_i.keep)),
                          data: in_i.data};

    sluice_ram_fifo #(.Depth(Depth), .Width($bits(beat_t))) u_beats (
      .clk_i, .rst_ni,
      .push_i (push), .data_i(entering), .full_o(full),
      .valid_o(there), .data_o(leaving), .pop_i(pop), .count_o()
    );
    sluice_ram_fifo #(.Depth(Packets), .Width($bits(packet_t))) u_packets (
      .clk_i, .rst_ni,
      .push_i (push && in_i.last), .data_i({PortBits'(in_i.port), in_i.ticket}), .full_o(),
      .valid_o(whole), .data_o(packet), .pop_i(pop && leaving.last), .count_o()
    );

    assign out_o = '{
      valid: whole, last: leaving.last, port: 8'(packet.port), ticket: packet.ticket,
      keep: leaving.last && leaving.bytes != '0 ? ~({BeatBytes{1'b1}} << leaving.bytes) : '1,
      data: leaving.data
    };

    `SLUICE_ASSERT(WholePacketHasBeats_A, !whole || there)
    `SLUICE_ASSERT(LongestHasRoom_A, !full || whole)
    `SLUICE_ASSERT(PortHasItsBits_A, !push || 32'(in_i.port) < NumPorts)
`ifdef SLUICE_SIM
    logic open_q, stalled_q;
    logic [BeatBits-1:0] stalled_data_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        open_q    <= 1'b0;
        stalled_q <= 1'b0;
      end else begin
        if (pop) open_q <= !out_o.last;
        stalled_q <= whole && !out_ready_i;
      end
    end
    always_ff @(posedge clk_i) stalled_data_q <= out_o.data;
    `SLUICE_ASSERT(NoGapWithinPacket_A, !open_q || whole)
    `SLUICE_ASSERT(PinsHoldBeat_A, !stalled_q || (whole && out_o.data == stalled_data_q))
`endif
  end
endmodule : sluice_tx_store
