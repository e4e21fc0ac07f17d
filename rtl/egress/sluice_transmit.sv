// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Output queues and transmitter of one output lane: a FIFO for each source lane, read in turn,
/// packet by packet. A packet is sent once for each port in its set, lowest port first, and never
/// interleaved.
/// Latency 2 cycles from push_i to tx_valid_o without a body; one beat per cycle, so one 64-byte
/// packet per cycle.
///
/// The first two beats come from the header in the queue, the others from the body reader in the
/// packet buffer of the source lane, read ahead (sluice_body_ahead). A copy starts when the first
/// beat of its body is there; of several source lanes those come first whose copy can be sent
/// without a gap: it has no body, or all of it has come, or as much as there is room for.
/// Invariant: bodies of a queue are requested in the order in which their copies start, so body
/// beats belong to the copy that is being sent.
module sluice_transmit
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
#(
  parameter int unsigned AheadBeats = 32   // body beats read ahead, per source lane
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  pipe_t                             lane_i,
  // queues
  input  logic [NumPipes-1:0]               push_i,
  input  output_t [NumPipes-1:0]            packet_i,
  output logic [NumPipes-1:0]               full_o,
  // body readers of the source lanes
  output logic [NumPipes-1:0]               body_req_valid_o,
  output hdr_t [NumPipes-1:0]               body_req_slot_o,
  input  logic [NumPipes-1:0]               body_req_ready_i,
  input  logic [NumPipes-1:0]               body_valid_i,
  input  logic [NumPipes-1:0]               body_last_i,
  input  logic [NumPipes-1:0][BeatBits-1:0] body_data_i,
  output logic [NumPipes-1:0]               body_ready_o,
  // line
  output logic                              tx_valid_o,
  output logic                              tx_last_o,
  output logic [BeatBits-1:0]               tx_data_o,
  output logic [BeatBytes-1:0]              tx_keep_o,
  output logic [7:0]                        tx_port_o,
  output logic [31:0]                       tx_ticket_o,
  input  logic                              tx_ready_i,
  output sent_t                             sent_o      // the last beat of a copy is taken
);
  localparam int unsigned CountBits = $clog2(OutputDepth + 1);
  typedef logic [PortsPerLane-1:0] set_t;

  // ---- queues, and what of the head's set has been sent
  logic [NumPipes-1:0]                valid, pop, launch;
  output_t [NumPipes-1:0]             head;
  set_t [NumPipes-1:0]                left, next_port;   // ports yet to be served; the lowest
  set_t [NumPipes-1:0]                served_q;
  logic [NumPipes-1:0]                has_body, started, whole, ready;
  logic [NumPipes-1:0][CountBits-1:0] unused_count;

  // ---- bodies
  logic [NumPipes-1:0]                fetched, fetched_whole, fetched_last, fetched_ready;
  logic [NumPipes-1:0][BeatBits-1:0]  fetched_data;

  for (genvar s = 0; s < NumPipes; s++) begin : gen_source
    sluice_ram_fifo #(.Depth(OutputDepth), .Width($bits(output_t))) u_fifo (
      .clk_i, .rst_ni,
      .push_i(push_i[s]), .data_i(packet_i[s]), .full_o(full_o[s]),
      .valid_o(valid[s]), .data_o(head[s]), .pop_i(pop[s]), .count_o(unused_count[s])
    );
    assign left[s]      = head[s].ports & ~served_q[s];
    assign next_port[s] = left[s] & (~left[s] + 1'b1);
    assign has_body[s]  = head[s].len > len_t'(HeaderBytes);
    assign pop[s]       = launch[s] && left[s] == next_port[s];

    sluice_body_ahead #(.Depth(AheadBeats)) u_ahead (
      .clk_i, .rst_ni,
      .push_i(push_i[s] && packet_i[s].len > len_t'(HeaderBytes)),
      .slot_i(packet_i[s].hdr), .ports_i(packet_i[s].ports),
      .req_valid_o(body_req_valid_o[s]), .req_slot_o(body_req_slot_o[s]),
      .req_ready_i(body_req_ready_i[s]),
      .body_valid_i(body_valid_i[s]), .body_last_i(body_last_i[s]), .body_data_i(body_data_i[s]),
      .body_ready_o(body_ready_o[s]),
      .valid_o(fetched[s]), .whole_o(fetched_whole[s]), .last_o(fetched_last[s]),
      .data_o(fetched_data[s]), .ready_i(fetched_ready[s])
    );
    assign started[s] = valid[s] && (!has_body[s] || fetched[s]);
    assign whole[s]   = started[s] && (!has_body[s] || fetched_whole[s]);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)        served_q[s] <= '0;
      else if (launch[s]) served_q[s] <= pop[s] ? '0 : served_q[s] | next_port[s];
    end

    `SLUICE_ASSERT(HeadHasPort_A, !valid[s] || left[s] != '0)
  end
  assign ready = whole != '0 ? whole : started;

  // ---- which beat next
  typedef enum logic [1:0] {
    StFirst,    // first beat of the next copy
    StSecond,   // second beat of a copy
    StBody      // the rest, from the body reader
  } state_e;

  state_e      state_d, state_q;
  pipe_t       turn, source_q, source;
  logic        free, load, last;
  output_t     cur;             // head of the queue of `source`; in StBody no longer the copy's
  set_t        cur_port;
  len_t        len_q, len;      // of the copy being sent
  logic [7:0]  port_index;
  logic [BeatBits-1:0] data;

  sluice_round_robin #(.Count(NumPipes)) u_turn (
    .clk_i, .rst_ni, .request_i(ready), .take_i(load && state_q == StFirst), .index_o(turn)
  );
  assign source = state_q == StFirst ? turn : source_q;
  assign free   = !tx_valid_o || tx_ready_i;

  logic unused_cur;
  assign unused_cur = ^{cur.ports, cur.hdr};

  always_comb begin
    cur_port = next_port[0];
    cur      = head[0];
    for (int unsigned s = 1; s < NumPipes; s++) begin
      if (source == pipe_t'(s)) begin
        cur_port = next_port[s];
        cur      = head[s];
      end
    end
  end
  always_comb begin
    port_index = 8'(PortsPerLane) * 8'(lane_i);
    for (int unsigned p = 0; p < PortsPerLane; p++)
      if (cur_port[p]) port_index = 8'(PortsPerLane) * 8'(lane_i) + 8'(p);
  end
  assign len = state_q == StBody ? len_q : cur.len;

  always_comb begin
    state_d       = state_q;
    load          = 1'b0;
    last          = 1'b0;
    launch        = '0;
    fetched_ready = '0;
    data          = cur.header[BeatBits-1:0];
    unique case (state_q)
      StFirst: begin
        load = free && ready != '0;
        last = cur.len <= len_t'(BeatBytes);
        launch[source] = load && last;
        if (load && !last) state_d = StSecond;
      end
      StSecond: begin
        data = cur.header[HeaderBits-1:BeatBits];
        load = free;
        last = !has_body[source];
        launch[source] = load;
        if (load) state_d = last ? StFirst : StBody;
      end
      default: begin
        data = fetched_data[source];
        load = free && fetched[source];
        last = fetched_last[source];
        fetched_ready[source] = free;
        if (load && last) state_d = StFirst;
      end
    endcase
  end

  // ---- line register
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q    <= StFirst;
      tx_valid_o <= 1'b0;
    end else begin
      state_q    <= state_d;
      tx_valid_o <= load || !free;
    end
  end
  always_ff @(posedge clk_i) begin
    if (load) begin
      source_q    <= source;
      len_q       <= len;
      tx_last_o   <= last;
      tx_data_o   <= data;
      tx_keep_o   <= last && len[5:0] != '0 ? ~({BeatBytes{1'b1}} << len[5:0]) : '1;
      if (state_q != StBody) begin
        tx_port_o   <= port_index;
        tx_ticket_o <= cur.ticket;
      end
    end
  end
  assign sent_o = '{valid: tx_valid_o && tx_last_o && tx_ready_i, port: tx_port_o, len: len_q};

  `SLUICE_ASSERT(BodyIsThere_A,
    state_q != StSecond || !has_body[source] || fetched[source])

  // ---- body beats left, by the length: the reader's last beat must be this one
  len_t beats_q;
  always_ff @(posedge clk_i)
    if (load) beats_q <= state_q == StBody ? beats_q - 1'b1 : (len - len_t'(HeaderBytes + 1)) >> 6;
  `SLUICE_ASSERT(BodyEndsWithPacket_A, !(load && state_q == StBody) || last == (beats_q == '0))
`ifndef SYNTHESIS
  logic                stalled_q;
  logic [BeatBits-1:0] stalled_data_q;
  logic [7:0]          stalled_port_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) stalled_q <= 1'b0;
    else         stalled_q <= tx_valid_o && !tx_ready_i;
  end
  always_ff @(posedge clk_i) if (tx_valid_o && !tx_ready_i) begin
    stalled_data_q <= tx_data_o;
    stalled_port_q <= tx_port_o;
  end
  `SLUICE_ASSERT(LineHoldsBeat_A,
    !stalled_q || (tx_valid_o && tx_data_o == stalled_data_q && tx_port_o == stalled_port_q))
`endif
endmodule : sluice_transmit
