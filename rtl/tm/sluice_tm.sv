// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Traffic manager: takes the packets of all lanes from the exit, decides which of their ports get
/// them, keeps them in a queue for each pair of source lane and output lane (with OutputClasses a
/// queue for each class there, too), and sends the copies.
/// Headers come with the packets, bodies from the packet buffers. In a chip with recirculation each
/// lane has one more queue, which leads back to it (sluice_recirculation).
/// Latency 3 cycles from valid_i to the first beat on an idle output lane without a body; every
/// lane brings and every output lane sends one 64-byte packet per cycle (in narrow chips in four).
/// Invariant: every packet tells its lane's packet buffer exactly once how many copies of its body
/// will be read (req_o.copies), in the cycle of valid_i: before the body can first be asked for.
/// In a chip with egress stages the lines (tx_*) lead to them. A copy has left its port's queue for
/// CHIP.OUTPUT_LIMIT when its last beat leaves for the stages; it is sent when it is on the wire.
module sluice_tm
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_exit_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_probe_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_buffer_pkg::*;
(
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  input  tm_settings_t                         settings_i,
  // from the exit: the ports that a packet asks for; a cycle later the packet, and the first step
  // of its header; the others come in the cycles behind it
  input  logic [NumPipes-1:0][LinePorts-1:0]    ports_i,
  input  logic [NumPipes-1:0]                  valid_i,
  input  fate_t [NumPipes-1:0]                 fate_i,
  input  logic [NumPipes-1:0]                  again_i,       // with ports_i: recirculate it
  input  queue_class_t [NumPipes-1:0]          queue_class_i, // with ports_i
  input  logic [NumPipes-1:0][StepBits-1:0]    header_i,
  // with FastLanes, with the packet: that of lane k comes before that of lane l; [l][k]. And the
  // output lanes that have taken it.
  input  logic [NumPipes-1:0][NumPipes-1:0]    before_i,
  output logic [NumPipes-1:0][LinePorts-1:0]   accepted_o,
  // with classes, to the exit: packets of each queue, [output lane][lane][class]
  output held_t [NumPipes-1:0][NumPipes-1:0][OutputQueues-1:0] held_o,
  // recirculated packets, to their lanes
  output reentry_t [NumPipes-1:0]              reentry_o,
  input  reentry_rsp_t [NumPipes-1:0]          reentry_rsp_i,
  // packet buffers of the lanes
  output buffer_req_t [NumPipes-1:0]           req_o,
  input  buffer_rsp_t [NumPipes-1:0]           rsp_i,
  // lines
  output tx_beat_t                             tx_o [NumPipes],
  input  logic [NumPipes-1:0]                  tx_ready_i,
  // egress stages, which the lines lead to (sluice_egress_lanes): see sluice_transmit; and what
  // they tell of the wires
  input  logic [31:0]                          cycle_i,
  input  logic [NumPipes-1:0]                  room_i,
  output start_t [NumPipes-1:0]                start_o,
  output sent_t [NumPipes-1:0]                 left_o,
  output logic [LinePorts-1:0][15:0]            waiting_o,     // copies not yet left
  input  sent_t [NumPipes-1:0]                 wire_i,        // a copy is sent
  input  logic [LinePorts-1:0]                  discarded_i,   // a copy is discarded
  // control
  input  csr_req_t                             csr_req_i,
  output csr_rsp_t                             csr_rsp_o,
  output exit_drop_t [NumPipes-1:0]            drop_o,
  output probe_exit_t [NumPipes-1:0]           probe_o
);
  // Body beats read ahead, per source and output lane. Where a lane stores one or two packets with
  // bodies, there is nothing ahead.
  localparam int unsigned AheadBeats = BodyCells * BeatBytes < 4096 ? 0 : 32;

  // ---- admission: which ports take a packet
  // [output lane][lane][class]
  logic [NumPipes-1:0][NumPipes-1:0][OutputQueues-1:0] full, promised;
  logic [NumPipes-1:0][LinePorts-1:0] accepted, refused;
  logic [LinePorts-1:0]               sent_port, left_port;
  logic [LinePorts-1:0][15:0]         waiting;
  assign waiting_o  = waiting;
  assign accepted_o = accepted;
  sluice_output_admit u_admit (
    .clk_i, .rst_ni, .limit_i(settings_i.output_limit), .ports_i, .queue_class_i, .full_i(full),
    .sent_i(left_port), .promised_o(promised), .accepted_o(accepted), .refused_o(refused),
    .waiting_o(waiting)
  );

  logic [NumPipes-1:0] again_full, again_accepted, again_refused;
  csr_rsp_t            port_rsp, passes_rsp;
  assign csr_rsp_o = port_rsp | passes_rsp;

  // Ports of the chip: a fast one has the lines of its lanes.
  function automatic logic [NumPorts-1:0] ports_of(logic [LinePorts-1:0] lines);
    localparam int unsigned LinesPerPort = LinePorts / NumPorts;
    for (int unsigned p = 0; p < NumPorts; p++)
      ports_of[p] = lines[p*LinesPerPort +: LinesPerPort] != '0;
  endfunction

  // ---- what becomes of a packet
  for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
    assign drop_o[l] = '{
      valid:  valid_i[l],
      row:    row_t'(fate_i[l].overlay),
      reason: fate_i[l].some_forbidden ? DropSomeForbidden : fate_i[l].reason,
      full:   7'($countones({again_refused[l], refused[l]})),
      unpaid: fate_i[l].unpaid
    };
    assign probe_o[l] = !valid_i[l] ? '0 : '{
      done: 1'b1, reason: fate_i[l].reason, ticket: fate_i[l].ticket,
      accepted: AllPorts'({again_accepted[l], ports_of(accepted[l])}),
      refused:  AllPorts'({again_refused[l] || fate_i[l].unpaid, ports_of(refused[l])}),
      unpaid:   fate_i[l].unpaid,
      deep:     fate_i[l].deep,
      held:     fate_i[l].held
    };

    // A packet without a body is copied whole into the output queues, so it is freed at once.
    logic has_body;
    assign has_body = fate_i[l].len > len_t'(HeaderBytes);
    assign req_o[l].copies = '{
      valid: valid_i[l],
      slot:  fate_i[l].hdr,
      count: has_body ? copies_t'($countones({again_accepted[l], accepted[l]})) : '0,
      none:  !has_body || {again_accepted[l], accepted[l]} == '0
    };
  end

  // ---- output lanes: queues, turns, line
  sent_t [NumPipes-1:0] sent, sent_line, sent_wire_q;

  // What waited for each port, as the packets that come now found it: without those that come with
  // them.
  depth_t [LinePorts-1:0] depth_in;
  for (genvar p = 0; p < LinePorts; p++) begin : gen_depth
    always_ff @(posedge clk_i) depth_in[p] <= depth_t'(waiting[p]);
  end

  // Behind egress stages a copy that is sent is counted a cycle later: its length comes from a
  // memory.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) sent_wire_q <= '0;
    else         sent_wire_q <= wire_i;
  end
  assign sent = EgressStages != 0 ? sent_wire_q : sent_line;

  for (genvar o = 0; o < NumPipes; o++) begin : gen_output
    logic [NumPipes-1:0]      push;
    output_t [NumPipes-1:0]   packet;
    body_req_t [NumPipes-1:0] body_req;
    body_rsp_t [NumPipes-1:0] body_rsp;
    depth_t [PortsPerLane-1:0] lane_depth_in;
    always_comb begin
      lane_depth_in = '0;
      for (int unsigned p = 0; p < LinePorts; p++)
        if (lane_of_port(p) == o) lane_depth_in[index_of_port(p)] = depth_in[p];
    end
    for (genvar s = 0; s < NumPipes; s++) begin : gen_source
      beside_copy_t beside;
      assign beside = '{
        vid_high: (8-RowBits)'(fate_i[s].vid_high), overlay: fate_i[s].overlay, accepted: cycle_i,
        copies:   accepted[s], depth_in: lane_depth_in
      };
      assign packet[s] = '{
        ticket: fate_i[s].ticket, len: fate_i[s].len, cutout: fate_i[s].cutout,
        hdr: fate_i[s].hdr,
        queue_class: fate_i[s].queue_class,
        ports: lane_set(accepted[s], o),
        egress: EgressStages != 0 ? egress_bits_t'(beside) : '0,
        header: header_i[s]
      };
      assign push[s]          = packet[s].ports != '0;
      assign req_o[s].body[o] = body_req[s];
      assign body_rsp[s]      = rsp_i[s].body[o];
    end

    // With FastLanes: source lanes of the copies that wait, in the order of their tickets.
    logic [NumPipes-1:0] next;
    logic                next_pop;
    if (FastLanes != 0) begin : gen_order
      localparam int unsigned Depth     = NumPipes * OutputDepth;
      localparam int unsigned MoveBits  = $clog2(NumPipes + 1);
      pipe_t [NumPipes-1:0]       comes, heads;
      logic [$clog2(Depth+1)-1:0] count;
      always_comb begin
        comes = '0;
        for (int unsigned s = 0; s < NumPipes; s++)
          for (int unsigned n = 0; n < NumPipes; n++)
            if (push[s] && 32'($countones(before_i[s] & push)) == n) comes[n] |= pipe_t'(s);
      end
      sluice_banked_fifo #(.Depth(Depth), .Width(PipeBits), .Banks(NumPipes)) u_order (
        .clk_i, .rst_ni, .push_i(MoveBits'($countones(push))), .data_i(comes),
        .count_o(count), .data_o(heads), .pop_i(MoveBits'(next_pop))
      );
      assign next = count != '0 ? NumPipes'(1) << heads[0] : '0;
      logic unused_heads;
      assign unused_heads = ^heads;
    end else begin : gen_turn
      assign next         = '0;
    end

    sluice_transmit #(
      .AheadBeats(AheadBeats), .HasClasses(OutputClasses != 0), .Egress(EgressStages != 0),
      .Ordered(FastLanes != 0)
    ) u_transmit (
      .clk_i, .rst_ni, .lane_i(pipe_t'(o)),
      .costs_i(settings_i.class_costs), .strict_i(settings_i.class_strict),
      .next_i(next), .next_pop_o(next_pop),
      .promised_i(promised[o]), .full_o(full[o]), .held_o(held_o[o]),
      .push_i(push), .packet_i(packet),
      .body_req_o(body_req), .body_rsp_i(body_rsp),
      .tx_o(tx_o[o]), .tx_ready_i(tx_ready_i[o]), .sent_o(sent_line[o]),
      .room_i(room_i[o]), .start_o(start_o[o]), .left_o(left_o[o])
    );
  end
  for (genvar p = 0; p < LinePorts; p++) begin : gen_port
    localparam int unsigned Lane = lane_of_port(p);
    assign sent_port[p] = sent[Lane].valid && sent[Lane].port == 8'(p);
    assign left_port[p] = EgressStages == 0 ? sent_port[p]
        : left_o[Lane].valid && left_o[Lane].port == 8'(p);
  end

  // ---- recirculation
  if (Recirculation != 0) begin : gen_again
    logic [NumPipes-1:0]       entered, unpaid, gave_way;
    logic [NumPipes-1:0][15:0] again_waiting;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        again_accepted <= '0;
        again_refused  <= '0;
      end else begin
        again_accepted <= again_i & ~again_full;
        again_refused  <= again_i & again_full;
      end
    end
    for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
      output_t packet;
      assign packet = '{
        ticket: fate_i[l].ticket, len: fate_i[l].len, cutout: fate_i[l].cutout,
        hdr: fate_i[l].hdr, queue_class: '0, ports: lane_set_t'(1), egress: '0,
        header: header_i[l]
      };
      sluice_recirculation #(.AheadBeats(AheadBeats)) u_recirculation (
        .clk_i, .rst_ni, .lane_i(pipe_t'(l)),
        .promised_i(again_i[l] && !again_full[l]), .full_o(again_full[l]),
        .push_i(again_accepted[l]), .packet_i(packet), .beside_i(fate_i[l].beside),
        .body_req_o(req_o[l].body[NumPipes]), .body_rsp_i(rsp_i[l].body[NumPipes]),
        .reentry_o(reentry_o[l]), .take_i(reentry_rsp_i[l].take), .entered_o(entered[l]),
        .waiting_o(again_waiting[l])
      );
      assign unpaid[l]   = valid_i[l] && fate_i[l].unpaid;
      assign gave_way[l] = reentry_rsp_i[l].gave_way;
    end
    sluice_register_block #(
      .Instances(NumPipes), .Stride(BlockPassesStride), .NumCounts(4),
      .CountAt({RegPassesGaveWay, RegPassesFull, RegPassesNoToken, RegPassesPackets}),
      .LevelAt(RegPassesHighQueue)
    ) u_passes (
      .clk_i, .rst_ni, .clear_i(settings_i.clear), .base_i(BlockPassesBase),
      .event_i({gave_way, again_refused, unpaid, entered}), .level_i(again_waiting), .word_i('0),
      .csr_req_i, .csr_rsp_o(passes_rsp)
    );
  end else begin : gen_once
    assign again_full     = '0;
    assign again_accepted = '0;
    assign again_refused  = '0;
    assign passes_rsp     = '0;
    assign reentry_o      = '0;
  end

  sluice_port_registers u_registers (
    .clk_i, .rst_ni, .clear_i(settings_i.clear),
    .refused_i(refused), .sent_i(sent), .sent_port_i(sent_port), .waiting_i(waiting),
    .discarded_i, .csr_req_i, .csr_rsp_o(port_rsp)
  );
endmodule : sluice_tm
