// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Transmitter of one output lane, with a queue for each source lane (sluice_output_queue, with
/// HasClasses sluice_class_queue); queues get the same number of beats of the line
/// (sluice_byte_turn), but copies of strict classes go before all others. With Ordered copies leave
/// in an order that the traffic manager tells (next_i). A packet is sent once for
/// each port in its set, lowest port first, and never interleaved.
/// Latency 3 cycles from push_i to tx_o.valid without a body: queue, choice, line register.
/// Throughput: one beat a cycle. A 64-byte packet is one beat where a beat has 64 bytes.
///
/// A copy is chosen while the last beat of the one before it goes to the line register. The first
/// HeaderBytes come from the header in the queue (in narrow chips a step a beat), the others from
/// the body reader in the packet buffer of the source lane, read ahead. A copy is chosen when the
/// first beat of its body is there; of several source lanes those come first whose copy can be sent
/// without a gap.
/// Invariant: bodies of a queue are requested in the order in which their copies start, so body
/// beats belong to the copy that is being sent.
/// With Egress the line leads to sluice_egress, which has room for what leaves: room_i alone says
/// whether a beat may, and the header is shown with the first one (start_o).
/// In a chip with capsules sluice_cutout stands behind the line register: a cycle more, and what
/// leaves is shorter than what the queues count. With Egress it stands behind the stages.
module sluice_transmit
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_exit_pkg::*;
  import sluice_buffer_pkg::*;
#(
  // body beats read ahead, per source lane; 0 or at least 2
  parameter int unsigned AheadBeats = 32,
  // source lanes that have a queue here: all, or 1 (sluice_recirculation)
  parameter int unsigned Sources    = NumPipes,
  // queues have classes: OutputQueues of them
  parameter bit          HasClasses = 1'b0,
  // the line leads to egress stages (sluice_egress)
  parameter bit          Egress     = 1'b0,
  // copies leave in an order that is told, not by turns (fast ports)
  parameter bit          Ordered    = 1'b0
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  pipe_t                             lane_i,
  // with HasClasses: what their beats count, and which are strict
  input  logic [OutputQueues-1:0][3:0]      costs_i,
  input  logic [OutputQueues-1:0]           strict_i,
  // with Ordered: the source lane of the next copy, one-hot or none; it is chosen
  input  logic [Sources-1:0]                next_i,
  output logic                              next_pop_o,
  // queues: a place is promised in the cycle before the packet comes, by class (without HasClasses
  // any bit)
  input  logic [Sources-1:0][OutputQueues-1:0] promised_i,
  output logic [Sources-1:0][OutputQueues-1:0] full_o,
  output held_t [Sources-1:0][OutputQueues-1:0] held_o,   // with HasClasses: packets, by class
  input  logic [Sources-1:0]                push_i,
  input  output_t [Sources-1:0]             packet_i,
  // body readers of the source lanes
  output body_req_t [Sources-1:0]           body_req_o,
  input  body_rsp_t [Sources-1:0]           body_rsp_i,
  // line
  output tx_beat_t                          tx_o,
  input  logic                              tx_ready_i,
  output sent_t                             sent_o,     // the last beat of a copy is taken
  // with Egress: a beat may leave the queues, and tx_ready_i is never low; a copy that begins to
  // leave; its last beat leaves (the port alone counts)
  input  logic                              room_i,
  output start_t                            start_o,
  output sent_t                             left_o
);
  typedef logic [PortsPerLane-1:0] set_t;

  // ---- queues: what the choice looks at, and the chosen copy
  logic [Sources-1:0]                choose, started, whole, ready, one_beats, has_bodies;
  logic [Sources-1:0]                strict, sends;
  set_t [Sources-1:0]                next_port;
  // of the copy chosen last from the queue
  logic [Sources-1:0][31:0]          ticket;
  len_t [Sources-1:0]                len;
  cutout_t [Sources-1:0]             cutout;
  egress_bits_t [Sources-1:0]        egress;
  logic [Sources-1:0][StepBits-1:0]  header;
  logic [Sources-1:0]                step;
  // bodies
  logic [Sources-1:0]                fetched, fetched_last, fetched_ready, in_body;
  logic [Sources-1:0][BeatBits-1:0]  fetched_data;

  for (genvar s = 0; s < Sources; s++) begin : gen_source
    if (HasClasses) begin : gen_classes
      sluice_class_queue #(.AheadBeats(AheadBeats), .Egress(Egress)) u_queue (
        .clk_i, .rst_ni, .costs_i, .strict_i,
        .promised_i(promised_i[s]), .full_o(full_o[s]), .held_o(held_o[s]),
        .push_i(push_i[s]), .packet_i(packet_i[s]),
        .body_req_o(body_req_o[s]), .body_rsp_i(body_rsp_i[s]),
        .started_o(started[s]), .whole_o(whole[s]), .strict_o(strict[s]),
        .one_beat_o(one_beats[s]), .has_body_o(has_bodies[s]), .port_o(next_port[s]),
        .choose_i(choose[s]), .ticket_o(ticket[s]), .len_o(len[s]), .cutout_o(cutout[s]),
        .egress_o(egress[s]),
        .header_o(header[s]), .beat_i(sends[s]),
        .in_body_i(in_body[s]), .fetched_o(fetched[s]), .fetched_last_o(fetched_last[s]),
        .fetched_data_o(fetched_data[s]), .fetched_ready_i(fetched_ready[s])
      );
    end else begin : gen_no_classes
      logic full;
      sluice_output_queue #(.AheadBeats(AheadBeats), .Egress(Egress)) u_queue (
        .clk_i, .rst_ni,
        .promised_i(promised_i[s] != '0), .full_o(full), .push_i(push_i[s]),
        .packet_i(packet_i[s]),
        .body_req_o(body_req_o[s]), .body_rsp_i(body_rsp_i[s]),
        .started_o(started[s]), .whole_o(whole[s]), .one_beat_o(one_beats[s]),
        .has_body_o(has_bodies[s]), .port_o(next_port[s]),
        .choose_i(choose[s]), .ticket_o(ticket[s]), .len_o(len[s]), .cutout_o(cutout[s]),
        .egress_o(egress[s]),
        .header_o(header[s]), .step_i(step[s]),
        .in_body_i(in_body[s]), .fetched_o(fetched[s]), .fetched_last_o(fetched_last[s]),
        .fetched_data_o(fetched_data[s]), .fetched_ready_i(fetched_ready[s])
      );
      assign full_o[s] = {OutputQueues{full}};
      assign held_o[s] = '0;
      assign strict[s] = 1'b0;
    end
  end
  if (HasClasses) begin : gen_strict
    logic [Sources-1:0] may;
    assign may   = (started & strict) != '0 ? strict : '1;
    assign ready = (whole & may) != '0 ? whole & may : started & may;
  end else begin : gen_ready
    logic unused_classes;
    assign unused_classes = ^{costs_i, strict_i, strict};
    assign ready = whole != '0 ? whole : started;
  end

  // ---- the choice: the copy that is sent next
  logic                advance;                  // the line is done with the copy before
  logic                load;                     // a beat goes to the line
  logic                cur_valid_q, one_beat_q, has_body_q, one_beat, has_body;
  logic [Sources-1:0]  turn, source_q;           // one-hot
  set_t                port, port_q;
  if (Ordered) begin : gen_ordered
    assign turn       = next_i & started;
    assign next_pop_o = advance && turn != '0;
  end else begin : gen_turn
    sluice_byte_turn #(.Count(Sources), .Longest(MaxBeats)) u_turn (
      .clk_i, .rst_ni, .waits_i(started), .request_i(ready), .take_i(advance && ready != '0),
      .grant_o(turn),
      .beat_i(sends), .costs_i('0)
    );
    assign next_pop_o = 1'b0;
  end
  assign sends  = load ? source_q : '0;
  assign choose = advance ? turn : '0;
  always_comb begin
    port     = '0;
    one_beat = 1'b0;
    has_body = 1'b0;
    for (int unsigned s = 0; s < Sources; s++) begin
      port     = port     | (turn[s] ? next_port[s] : '0);
      one_beat = one_beat | (turn[s] & one_beats[s]);
      has_body = has_body | (turn[s] & has_bodies[s]);
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      cur_valid_q <= 1'b0;
    else if (advance) cur_valid_q <= (Ordered ? turn : ready) != '0;
  end
  always_ff @(posedge clk_i) if (advance) begin
    source_q   <= turn;
    port_q     <= port;
    one_beat_q <= one_beat;
    has_body_q <= has_body;
  end

  // ---- which beat of it next
  typedef enum logic [1:0] {
    StFirst,    // first beat
    StHeader,   // the other beats of the header
    StBody      // the rest, from the body reader
  } state_e;

  state_e              state_d, state_q;
  logic                free, last, beat_there, beat_last;
  logic                beat_header, header_last;    // a beat of the header, and the last of them
  logic [31:0]         cur_ticket;
  len_t                cur_len;
  cutout_t             cur_cutout;
  egress_bits_t        cur_egress;
  logic [StepBits-1:0] cur_header;
  logic [7:0]          port_index;
  logic [BeatBits-1:0] body, data;
  logic                line_valid_q, line_ready;
  assign free    = Egress ? room_i : !line_valid_q || line_ready;
  assign advance = !cur_valid_q || (load && last);
  assign in_body = state_q == StBody ? source_q : '0;

  always_comb begin
    cur_ticket = '0;
    cur_len    = '0;
    cur_cutout = '0;
    cur_egress = '0;
    cur_header = '0;
    body       = '0;
    beat_there = (source_q & fetched) != '0;
    beat_last  = (source_q & fetched_last) != '0;
    for (int unsigned s = 0; s < Sources; s++) begin
      cur_ticket = cur_ticket | (source_q[s] ? ticket[s] : '0);
      cur_len    = cur_len    | (source_q[s] ? len[s] : '0);
      cur_cutout = cur_cutout | (source_q[s] ? cutout[s] : '0);
      cur_egress = cur_egress | (source_q[s] ? egress[s] : '0);
      cur_header = cur_header | (source_q[s] ? header[s] : '0);
      body       = body       | (source_q[s] ? fetched_data[s] : '0);
    end
    port_index = 8'(lane_i);
    for (int unsigned p = 0; p < PortsPerLane; p++)
      if (port_q[p]) port_index = 8'(NumPipes * p) + 8'(lane_i);
  end

  // Narrow chips count the beats of a header; shorter packets than those there are not.
  if (HeaderSteps > 1) begin : gen_steps
    step_t beat_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                  beat_q <= '0;
      else if (load && beat_header) beat_q <= beat_q + 1'b1;
    end
    assign header_last = beat_q == step_t'(HeaderSteps - 1);
    assign step        = load && beat_header ? source_q : '0;
  end else begin : gen_whole
    assign header_last = 1'b1;
    assign step        = '0;
  end

  always_comb begin
    state_d     = state_q;
    beat_header = 1'b1;
    case (state_q)
      StFirst: begin
        data = cur_header[BeatBits-1:0];
        load = free && cur_valid_q;
        last = one_beat_q;
        if (load && !last) state_d = HeaderBeats == 1 ? StBody : StHeader;
      end
      StHeader: begin
        data = cur_header[StepBits-1 -: BeatBits];
        load = free;
        last = header_last && !has_body_q;
        if (load && header_last) state_d = last ? StFirst : StBody;
      end
      default: begin
        beat_header = 1'b0;
        data = body;
        load = free && beat_there;
        last = beat_last;
        if (load && last) state_d = StFirst;
      end
    endcase
  end
  assign fetched_ready = free ? in_body : '0;

  // ---- line register
  logic                 line_last_q;
  logic [BeatBits-1:0]  line_data_q;
  logic [7:0]           line_port_q;
  logic [31:0]          line_ticket_q;
  len_t                 line_left_q;   // bytes of its copy that leave
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q      <= StFirst;
      line_valid_q <= 1'b0;
    end else begin
      state_q      <= state_d;
      line_valid_q <= load || (!Egress && !free);
    end
  end
  always_ff @(posedge clk_i) begin
    if (load) begin
      line_left_q   <= cur_len - (Egress ? '0 : len_t'(cur_cutout));
      line_last_q   <= last;
      line_data_q   <= data;
      line_port_q   <= port_index;
      line_ticket_q <= cur_ticket;
    end
  end

  // ---- the wire
  len_t tx_len;
  cutout_t              line_cutout_q;
  logic [BeatBytes-1:0] line_keep_q;
  always_ff @(posedge clk_i) if (load) begin
    line_cutout_q <= cur_cutout;
    line_keep_q   <= last && cur_len[BeatIdxBits-1:0] != '0
        ? ~({BeatBytes{1'b1}} << cur_len[BeatIdxBits-1:0]) : '1;
  end
  sluice_cutout #(.Here(!Egress)) u_cutout (
    .clk_i, .rst_ni,
    .in_i('{valid: line_valid_q, last: line_last_q, port: line_port_q, ticket: line_ticket_q,
            keep: line_keep_q, data: line_data_q}),
    .in_ready_o(line_ready), .in_left_i(line_left_q), .in_cutout_i(line_cutout_q),
    .out_o(tx_o), .out_ready_i(tx_ready_i), .out_len_o(tx_len)
  );
  assign sent_o = '{valid: tx_o.valid && tx_o.last && tx_ready_i, port: tx_o.port, len: tx_len};

  // ---- to egress stages
  assign start_o = !Egress ? '0
      : '{valid: load && state_q == StFirst, ticket: cur_ticket, len: cur_len, cutout: cur_cutout,
          port: port_q, egress: cur_egress, header: cur_header};
  assign left_o  = !Egress ? '0 : '{valid: load && last, port: port_index, len: cur_len};
  `SLUICE_ASSERT(LineNeverWaits_A, !Egress || tx_ready_i)

  `SLUICE_ASSERT(BodyIsThere_A, state_q != StHeader || !has_body_q || beat_there)
  `SLUICE_ASSERT(StateHasCopy_A, state_q == StFirst || cur_valid_q)

  // ---- body beats left, by the length: the reader's last beat must be this one
  len_t beats_q;
  always_ff @(posedge clk_i)
    if (load) beats_q <= state_q == StBody ? beats_q - 1'b1 : (cur_len - len_t'(HeaderBytes + 1))
      >> BeatIdxBits;
  `SLUICE_ASSERT(BodyEndsWithPacket_A, !(load && state_q == StBody) || last == (beats_q == '0))
`ifdef SLUICE_SIM
  logic                stalled_q;
  logic [BeatBits-1:0] stalled_data_q;
  logic [7:0]          stalled_port_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) stalled_q <= 1'b0;
    else         stalled_q <= tx_o.valid && !tx_ready_i;
  end
  always_ff @(posedge clk_i) if (tx_o.valid && !tx_ready_i) begin
    stalled_data_q <= tx_o.data;
    stalled_port_q <= tx_o.port;
  end
  `SLUICE_ASSERT(LineHoldsBeat_A,
    !stalled_q || (tx_o.valid && tx_o.data == stalled_data_q && tx_o.port == stalled_port_q))
`endif
endmodule : sluice_transmit
