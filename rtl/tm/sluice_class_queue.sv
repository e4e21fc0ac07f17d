// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// sluice_output_queue of a chip with OutputClasses: packets of one source lane that wait for one
/// output lane, a queue a class. Same ports, same times; a place is promised to a class, and
/// full_o is one bit a class (sluice_class_places).
/// Latency 1 cycle from push_i to started_o for a packet without a body that finds nothing waiting,
/// 2 if it has several ports or others wait. A packet in and a copy out a cycle.
///
/// A copy is chosen twice: first among the classes (sluice_class_lists), then by the line among the
/// source lanes. In between it waits with at most three others (u_ahead_copies), and its body is
/// fetched: bodies are asked for in the order of the first choice, and sent in that order. So that
/// a class need not wait for many long packets of another, no copy is chosen while AheadOfLine
/// beats are chosen and not yet on the line.
/// Example: class 1 sends packets of 24 beats, always; class 0 one beat now and then. It waits for
/// the copy that is on the line, 16 beats behind it at most, and the rest of the copy with the
/// sixteenth: 24 + 15 + 24 beats.
/// Invariant: copies of a class leave in the order of push_i; bodies belong to the copies as they
/// were chosen.
module sluice_class_queue
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_exit_pkg::*;
  import sluice_buffer_pkg::*;
#(
  parameter int unsigned AheadBeats = 32,  // body beats read ahead; 0 or at least 2
  parameter bit          Egress     = 1'b0  // copies go to egress stages
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic [OutputQueues-1:0][3:0] costs_i,    // CHIP.CLASS_COSTS
  input  logic [OutputQueues-1:0]      strict_i,   // CHIP.CLASS_STRICT
  // a place is promised in the cycle before the packet comes
  input  logic [OutputQueues-1:0]      promised_i,
  output logic [OutputQueues-1:0]      full_o,
  output held_t [OutputQueues-1:0]     held_o,     // packets of each class
  input  logic                         push_i,
  input  output_t                      packet_i,
  // body reader of the source lane
  output body_req_t                    body_req_o,
  input  body_rsp_t                    body_rsp_i,
  // the next copy
  output logic                         started_o,  // there is one, with the first beat of its body
  output logic                         whole_o,    // and it can be sent without a gap
  output logic                         strict_o,   // it is of a strict class
  output logic                         one_beat_o,
  output logic                         has_body_o,
  output logic [PortsPerLane-1:0]      port_o,     // one-hot
  input  logic                         choose_i,
  // of the copy chosen last
  output logic [31:0]                  ticket_o,
  output len_t                         len_o,
  output cutout_t                      cutout_o,
  output egress_bits_t                 egress_o,   // 0 without Egress
  output logic [StepBits-1:0]          header_o,
  input  logic                         beat_i,     // a beat of it goes to the line
  // the beats of its body
  input  logic                         in_body_i,  // it is being sent
  output logic                         fetched_o,
  output logic                         fetched_last_o,
  output logic [BeatBits-1:0]          fetched_data_o,
  input  logic                         fetched_ready_i
);
  localparam int unsigned PtrBits     = $clog2(OutputDepth);
  localparam int unsigned AheadOfLine = 16;
  localparam int unsigned AheadBits   = $clog2(AheadOfLine + MaxBeats);
  typedef logic [PtrBits-1:0]   place_t;
  typedef logic [AheadBits-1:0] ahead_t;
  typedef struct packed {
    handle_t handle;
    logic    last;                             // of its packet: the place is free behind it
  } copy_t;

  // ---- what comes
  logic    gone;
  place_t  place;
  handle_t comes;
  copy_t   head;
  len_t    length;
  assign length = packet_i.len + len_t'(BeatBytes - 1);
  assign comes = '{place: place, queue_class: packet_i.queue_class, ports: packet_i.ports,
                   has_body: packet_i.len > len_t'(HeaderBytes),
                   beats: beats_t'(length >> BeatIdxBits), hdr: packet_i.hdr};
  sluice_class_places u_places (
    .clk_i, .rst_ni, .promised_i, .full_o, .held_o, .push_i, .place_o(place),
    .gone_i(gone), .gone_class_i(head.handle.queue_class), .gone_place_i(head.handle.place)
  );

  // ---- choice among the classes. A packet that finds all lists empty is chosen as it comes.
  logic    waiting, may, around, take, last, valid, ahead_full;
  handle_t next;
  copy_t   chosen;
  ahead_t  ahead_q;                            // beats chosen and not yet on the line
  logic [OutputQueues-1:0] beats;
  queue_class_t            sending_q;
  assign may    = !ahead_full && ahead_q < ahead_t'(AheadOfLine);
  assign around = push_i && may && !waiting
      && (packet_i.ports & (packet_i.ports - 1'b1)) == '0;
  assign take   = may && waiting;
  assign beats  = OutputQueues'(beat_i) << sending_q;
  sluice_class_lists u_lists (
    .clk_i, .rst_ni, .costs_i, .strict_i, .push_i(push_i && !around), .handle_i(comes),
    .valid_o(waiting), .handle_o(next), .final_o(last), .take_i(take), .beat_i(beats)
  );
  assign chosen = around ? '{handle: comes, last: 1'b1} : '{handle: next, last: last};
  sluice_fifo #(.Depth(4), .Width($bits(copy_t))) u_ahead_copies (
    .clk_i, .rst_ni, .push_i(around || take), .data_i(chosen), .full_o(ahead_full),
    .valid_o(valid), .data_o(head), .pop_i(choose_i), .count_o()
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ahead_q   <= '0;
      sending_q <= '0;
    end else begin
      ahead_q <= ahead_q + (around || take ? ahead_t'(chosen.handle.beats) : '0)
                 - ahead_t'(beat_i);
      if (choose_i) sending_q <= head.handle.queue_class;
    end
  end
  assign gone       = choose_i && head.last;
  assign port_o     = head.handle.ports;
  assign one_beat_o = head.handle.beats == beats_t'(1);
  assign has_body_o = head.handle.has_body;
  assign strict_o   = strict_i[head.handle.queue_class];

  // ---- words and headers, by place: read at the choice of the line
  localparam int unsigned PlainBits = 32 + LenBits;
  localparam int unsigned CutBits   = Active != 0 ? CutoutBits : 0;
  localparam int unsigned WordBits  = PlainBits + CutBits + (Egress ? EgressBits : 0);
  logic [WordBits-1:0] push_word, word;
  assign push_word = WordBits'({packet_i.ticket, packet_i.len})
      | (CutBits != 0 ? WordBits'(packet_i.cutout) << PlainBits : '0)
      | (Egress ? WordBits'(packet_i.egress) << (PlainBits + CutBits) : '0);
  assign {ticket_o, len_o} = word[PlainBits-1:0];
  assign egress_o = Egress ? EgressBits'(word >> (PlainBits + CutBits)) : '0;
  assign cutout_o = Active != 0 ? CutoutBits'(word >> PlainBits) : '0;
  sluice_ram #(.Depth(OutputDepth), .Width(WordBits)) u_words (
    .clk_i, .we_i(push_i), .waddr_i(place), .wdata_i(push_word),
    .re_i(choose_i), .raddr_i(head.handle.place), .rdata_o(word)
  );
  sluice_ram #(.Depth(OutputDepth), .Width(HeaderBits)) u_headers (
    .clk_i, .we_i(push_i), .waddr_i(place), .wdata_i(packet_i.header),
    .re_i(choose_i), .raddr_i(head.handle.place), .rdata_o(header_o)
  );

  // ---- bodies
  logic there, more, fetched_whole, more_whole;
  sluice_body_ahead #(.Depth(AheadBeats), .Requests(4)) u_ahead (
    .clk_i, .rst_ni,
    .push_i((around || take) && chosen.handle.has_body), .slot_i(chosen.handle.hdr),
    .ports_i(chosen.handle.ports),
    .req_o(body_req_o), .rsp_i(body_rsp_i),
    .valid_o(fetched_o), .more_o(more),
    .whole_o(fetched_whole), .more_whole_o(more_whole), .last_o(fetched_last_o),
    .data_o(fetched_data_o), .ready_i(fetched_ready_i)
  );
  assign there     = in_body_i ? more : fetched_o;
  assign started_o = valid && (!head.handle.has_body || there);
  assign whole_o   = valid && (!head.handle.has_body
                               || (there && (in_body_i ? more_whole : fetched_whole)));

  logic [OutputQueues-1:0] promised_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) promised_q <= '0;
    else         promised_q <= promised_i;
  end
  `SLUICE_ASSERT(ComesAsPromised_A,
    promised_q == (push_i ? OutputQueues'(1) << packet_i.queue_class : '0))
  `SLUICE_ASSERT(BeatWasChosen_A, !beat_i || ahead_q != '0)
endmodule : sluice_class_queue
