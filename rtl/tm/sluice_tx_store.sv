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
  input  logic                 in_valid_i,
  output logic                 in_ready_o,
  input  logic                 in_last_i,
  input  logic [BeatBits-1:0]  in_data_i,
  input  logic [BeatBytes-1:0] in_keep_i,
  input  logic [7:0]           in_port_i,
  input  logic [31:0]          in_ticket_i,
  // pins
  output logic                 out_valid_o,
  input  logic                 out_ready_i,
  output logic                 out_last_o,
  output logic [BeatBits-1:0]  out_data_o,
  output logic [BeatBytes-1:0] out_keep_o,
  output logic [7:0]           out_port_o,
  output logic [31:0]          out_ticket_o
);
  if (TransmitStore == 0) begin : gen_none
    assign in_ready_o   = out_ready_i;
    assign out_valid_o  = in_valid_i;
    assign out_last_o   = in_last_i;
    assign out_data_o   = in_data_i;
    assign out_keep_o   = in_keep_i;
    assign out_port_o   = in_port_i;
    assign out_ticket_o = in_ticket_i;
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

    logic    push, pop, full, there;
    beat_t   entering, leaving;
    packet_t packet;
    assign in_ready_o = !full;
    assign push       = in_valid_i && !full;
    assign pop        = out_valid_o && out_ready_i;
    assign entering   = '{last: in_last_i, bytes: BeatIdxBits'($countones(in_keep_i)),
                          data: in_data_i};

    sluice_ram_fifo #(.Depth(Depth), .Width($bits(beat_t))) u_beats (
      .clk_i, .rst_ni,
      .push_i (push), .data_i(entering), .full_o(full),
      .valid_o(there), .data_o(leaving), .pop_i(pop), .count_o()
    );
    sluice_ram_fifo #(.Depth(Packets), .Width($bits(packet_t))) u_packets (
      .clk_i, .rst_ni,
      .push_i (push && in_last_i), .data_i({PortBits'(in_port_i), in_ticket_i}), .full_o(),
      .valid_o(out_valid_o), .data_o(packet), .pop_i(pop && leaving.last), .count_o()
    );

    assign out_last_o   = leaving.last;
    assign out_data_o   = leaving.data;
    assign out_keep_o   = leaving.last && leaving.bytes != '0
        ? ~({BeatBytes{1'b1}} << leaving.bytes) : '1;
    assign out_port_o   = 8'(packet.port);
    assign out_ticket_o = packet.ticket;

    `SLUICE_ASSERT(WholePacketHasBeats_A, !out_valid_o || there)
    `SLUICE_ASSERT(LongestHasRoom_A, !full || out_valid_o)
    `SLUICE_ASSERT(PortHasItsBits_A, !push || 32'(in_port_i) < NumPorts)
`ifdef SLUICE_SIM
    logic open_q, stalled_q;
    logic [BeatBits-1:0] stalled_data_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        open_q    <= 1'b0;
        stalled_q <= 1'b0;
      end else begin
        if (pop) open_q <= !out_last_o;
        stalled_q <= out_valid_o && !out_ready_i;
      end
    end
    always_ff @(posedge clk_i) stalled_data_q <= out_data_o;
    `SLUICE_ASSERT(NoGapWithinPacket_A, !open_q || out_valid_o)
    `SLUICE_ASSERT(PinsHoldBeat_A, !stalled_q || (out_valid_o && out_data_o == stalled_data_q))
`endif
  end
endmodule : sluice_tx_store
