// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Packets of one source lane that wait for one output lane, and the bodies of the next ones.
/// Latency 1 cycle from push_i to started_o without a body; ticket, length, cutout (or what is for
/// the egress stages) and the first step of the header are there the cycle after the choice of a
/// copy, and until the next choice or step. A packet in and a copy out a cycle.
/// In narrow chips the steps of a header come in the cycles behind push_i, and leave one by one:
/// they never overtake.
///
/// The choice looks at a few bits a packet that stand beside the queue; so the wide words come
/// straight from a memory, which is read at the choice. A packet stays until each port in its set
/// has had a copy, lowest port first. Bodies are read ahead (sluice_body_ahead).
/// Invariant: a place is promised before the packet comes, and never more than there are.
module sluice_output_queue
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_exit_pkg::*;
  import sluice_buffer_pkg::*;
#(
  parameter int unsigned AheadBeats = 32,  // body beats read ahead; 0 or at least 2
  parameter bit          Egress     = 1'b0  // copies go to egress stages
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // a place is promised in the cycle before the packet comes
  input  logic                    promised_i,
  output logic                    full_o,
  input  logic                    push_i,
  input  output_t                 packet_i,
  // body reader of the source lane
  output body_req_t               body_req_o,
  input  body_rsp_t               body_rsp_i,
  // the next copy
  output logic                    started_o,       // there is one, with the first beat of its body
  output logic                    whole_o,         // and it can be sent without a gap
  output logic                    one_beat_o,
  output logic                    has_body_o,
  output logic [PortsPerLane-1:0] port_o,          // one-hot
  input  logic                    choose_i,
  // of the copy chosen last
  output logic [31:0]             ticket_o,
  output len_t                    len_o,
  output cutout_t                 cutout_o,
  output egress_bits_t            egress_o,        // 0 without Egress
  output logic [StepBits-1:0]     header_o,        // a step of it
  input  logic                    step_i,          // the step is taken
  // the beats of its body
  input  logic                    in_body_i,       // it is being sent
  output logic                    fetched_o,
  output logic                    fetched_last_o,
  output logic [BeatBits-1:0]     fetched_data_o,
  input  logic                    fetched_ready_i
);
  localparam int unsigned CountBits = $clog2(OutputDepth + 1);
  localparam int unsigned PtrBits   = $clog2(OutputDepth);
  typedef logic [PortsPerLane-1:0] set_t;
  typedef struct packed {
    set_t ports;
    logic has_body;
    logic one_beat;
  } brief_t;

  // ---- queue: words in a memory; what the choice looks at is beside them
  brief_t               push_brief, brief;
  logic [PtrBits-1:0]   read_q, write_q;
  logic                 valid, pop;
  set_t                 left, served_q;            // ports yet to be served
  assign push_brief = '{ports:    packet_i.ports,
                        has_body: packet_i.len > len_t'(HeaderBytes),
                        one_beat: packet_i.len <= len_t'(BeatBytes)};
  localparam int unsigned PlainBits = 32 + LenBits;
  localparam int unsigned CutBits   = Active != 0 ? CutoutBits : 0;
  localparam int unsigned WordBits  = PlainBits + CutBits + (Egress ? EgressBits : 0);
  logic [WordBits-1:0] push_word, word;
  assign push_word = WordBits'({packet_i.ticket, packet_i.len})
      | (CutBits != 0 ? WordBits'(packet_i.cutout) << PlainBits : '0)
      | (Egress ? WordBits'(packet_i.egress) << (PlainBits + CutBits) : '0);
  assign {ticket_o, len_o} = word[PlainBits-1:0];
  logic [PlainBits+CutoutBits+EgressBits-1:0] whole_word;  // zeros for what it does not have
  assign whole_word = $bits(whole_word)'(word);
  assign cutout_o   = CutBits != 0 ? whole_word[PlainBits +: CutoutBits] : '0;
  assign egress_o   = Egress ? whole_word[PlainBits+CutBits +: EgressBits] : '0;
  sluice_ram #(.Depth(OutputDepth), .Width(WordBits)) u_words (
    .clk_i, .we_i(push_i), .waddr_i(write_q), .wdata_i(push_word),
    .re_i(choose_i), .raddr_i(read_q), .rdata_o(word)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q   <= '0;
      write_q  <= '0;
      served_q <= '0;
    end else begin
      if (push_i)   write_q  <= write_q + 1'b1;
      if (pop)      read_q   <= read_q + 1'b1;
      if (choose_i) served_q <= pop ? '0 : served_q | port_o;
    end
  end
  assign left       = brief.ports & ~served_q;
  assign port_o     = left & (~left + 1'b1);
  assign pop        = choose_i && left == port_o;
  sluice_ram_fifo #(.Depth(OutputDepth), .Width($bits(brief_t))) u_briefs (
    .clk_i, .rst_ni,
    .push_i, .data_i(push_brief), .full_o(),
    .valid_o(valid), .data_o(brief), .pop_i(pop), .count_o()
  );
  assign one_beat_o = brief.one_beat;
  assign has_body_o = brief.has_body;

  // ---- headers. A packet's place is free again when no copy will read it any more.
  logic gone;
  if (HeaderSteps > 1) begin : gen_steps
    localparam step_t LastStep = step_t'(HeaderSteps - 1);
    // the step that comes; the one that is on header_o
    step_t              fill_q, fill, taken_q;
    // the packet that comes is ours; the copy is the packet's last
    logic               filling_q, final_q;
    logic [PtrBits-1:0] fill_place_q, place_q;
    assign fill = push_i ? '0 : fill_q;
    assign gone = step_i && taken_q == LastStep && final_q;

    sluice_ram #(.Depth(OutputDepth * HeaderSteps), .Width(StepBits)) u_headers (
      .clk_i, .we_i(push_i || filling_q), .waddr_i({push_i ? write_q : fill_place_q, fill}),
      .wdata_i(packet_i.header),
      .re_i(choose_i || step_i),
      .raddr_i(choose_i ? {read_q, step_t'(0)} : {place_q, taken_q + step_t'(1)}),
      .rdata_o(header_o)
    );
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) filling_q <= 1'b0;
      else         filling_q <= push_i || (filling_q && fill_q != LastStep);
    end
    always_ff @(posedge clk_i) begin
      fill_q <= fill + 1'b1;
      if (push_i) fill_place_q <= write_q;
      if (choose_i) begin
        place_q <= read_q;
        final_q <= pop;
        taken_q <= '0;
      end else if (step_i) begin
        taken_q <= taken_q + 1'b1;
      end
    end
    `SLUICE_ASSERT(HeaderIsThere_A, !(step_i && !choose_i && filling_q && place_q == fill_place_q)
        || 32'(taken_q) + 1 < 32'(fill_q))
  end else begin : gen_whole
    assign gone        = pop;
    sluice_ram #(.Depth(OutputDepth), .Width(HeaderBits)) u_headers (
      .clk_i, .we_i(push_i), .waddr_i(write_q), .wdata_i(packet_i.header),
      .re_i(choose_i), .raddr_i(read_q), .rdata_o(header_o)
    );
  end

  // ---- places taken or promised; all that may become of them is there before it is known
  logic [CountBits-1:0] places_q, fewer, more_places;
  logic                 last_place;
  assign fewer       = places_q - 1'b1;
  assign more_places = places_q + 1'b1;
  assign last_place  = places_q == CountBits'(OutputDepth - 1);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      places_q <= '0;
      full_o   <= 1'b0;
    end else if (promised_i != gone) begin
      places_q <= gone ? fewer : more_places;
      full_o   <= !gone && last_place;
    end
  end

  // ---- bodies
  logic there, more, fetched_whole, more_whole;
  sluice_body_ahead #(.Depth(AheadBeats)) u_ahead (
    .clk_i, .rst_ni,
    .push_i(push_i && push_brief.has_body), .slot_i(packet_i.hdr), .ports_i(packet_i.ports),
    .req_o(body_req_o), .rsp_i(body_rsp_i),
    .valid_o(fetched_o), .more_o(more),
    .whole_o(fetched_whole), .more_whole_o(more_whole), .last_o(fetched_last_o),
    .data_o(fetched_data_o), .ready_i(fetched_ready_i)
  );
  // While a body ends its last beat is still in the queue, and does not count for the next copy.
  assign there     = in_body_i ? more : fetched_o;
  assign started_o = valid && (!brief.has_body || there);
  assign whole_o   = valid && (!brief.has_body
                               || (there && (in_body_i ? more_whole : fetched_whole)));

  logic promised_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) promised_q <= 1'b0;
    else         promised_q <= promised_i;
  end

  `SLUICE_ASSERT(ComesAsPromised_A, push_i == promised_q)
  `SLUICE_ASSERT(PlacesSuffice_A, !promised_i || !full_o)
  `SLUICE_ASSERT(HeadHasPort_A, !valid || left != '0)
endmodule : sluice_output_queue
