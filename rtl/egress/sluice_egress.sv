// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// From the last back stage to the ports: exit queues, deparsers, checksums, output queues,
/// transmitters.
/// Latency 8 cycles from transit_i to the first beat on an idle output lane; every lane takes and
/// every output lane sends one 64-byte packet per cycle (in narrow chips in four).
/// Invariant: every packet that comes in tells the packet buffer exactly once how many copies will
/// be sent (copies_*), in the cycle before its body can first be asked for; between transit_i and
/// that point nothing ever waits but for its turn.
module sluice_egress
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_table_pkg::*;
  import sluice_layout_pkg::*;
(
  input  logic                                             clk_i,
  input  logic                                             rst_ni,
  input  settings_t                                        settings_i,
  // from the last back stage: `pipe` is the lane
  input  transit_t [NumPipes-1:0]                          transit_i,
  output logic [NumPipes-1:0][NumPipes-1:0]                freed_o,       // [lane][source pipeline]
  output logic [NumPipes-1:0]                              departed_o,
  input  logic [31:0]                                      next_ticket_i,
  // packet buffers of the lanes
  output logic [NumPipes-1:0]                              hdr_read_o,
  output hdr_t [NumPipes-1:0]                              hdr_slot_o,
  output step_t [NumPipes-1:0]                             hdr_step_o,
  input  logic [NumPipes-1:0][StepBits-1:0]                hdr_data_i,
  output logic [NumPipes-1:0]                              copies_valid_o,
  output hdr_t [NumPipes-1:0]                              copies_slot_o,
  output logic [NumPipes-1:0][6:0]                         copies_count_o,
  output logic [NumPipes-1:0][NumPipes-1:0]                body_req_valid_o, // [lane][output lane]
  output hdr_t [NumPipes-1:0][NumPipes-1:0]                body_req_slot_o,
  input  logic [NumPipes-1:0][NumPipes-1:0]                body_req_ready_i,
  input  logic [NumPipes-1:0][NumPipes-1:0]                body_valid_i,
  input  logic [NumPipes-1:0][NumPipes-1:0]                body_last_i,
  input  logic [NumPipes-1:0][NumPipes-1:0][BeatBits-1:0]  body_data_i,
  output logic [NumPipes-1:0][NumPipes-1:0]                body_ready_o,
  // lines
  output logic [NumPipes-1:0]                              tx_valid_o,
  output logic [NumPipes-1:0]                              tx_last_o,
  output logic [NumPipes-1:0][BeatBits-1:0]                tx_data_o,
  output logic [NumPipes-1:0][BeatBytes-1:0]               tx_keep_o,
  output logic [NumPipes-1:0][7:0]                         tx_port_o,
  output logic [NumPipes-1:0][31:0]                        tx_ticket_o,
  input  logic [NumPipes-1:0]                              tx_ready_i,
  // control
  input  chain_t                                           chain_i,
  output logic                                             chain_ready_o,
  output chain_t                                           chain_o,
  input  logic                                             chain_ready_i,
  input  csr_req_t                                         csr_req_i,
  output csr_rsp_t                                         csr_rsp_o,
  output exit_drop_t [NumPipes-1:0]                        drop_o,
  output probe_exit_t [NumPipes-1:0]                       probe_o
);
  // Body beats read ahead, per source and output lane. Where a lane stores one or two packets with bodies, there is nothing ahead.
  localparam int unsigned AheadBeats = BodyCells * BeatBytes < 4096 ? 0 : 32;

  // ---- chain node
  table_write_t write;
  table_read_t  read;
  word_answer_t answer;
  word_answer_t [NumPipes-1:0] answers;
  sluice_table_node #(.Owned(tables_of(ScopeEgress))) u_node (
    .clk_i, .rst_ni, .stage_i('0), .chain_i, .chain_ready_o, .chain_o, .chain_ready_i, .refuse_i(1'b0),
    .write_o(write), .write_ready_i('{ready: 1'b1, refused: 1'b0}), .read_o(read), .answer_i(answer)
  );
  always_comb begin
    answer = '0;
    for (int unsigned l = 0; l < NumPipes; l++) answer |= answers[l];
  end

  // ---- what comes in. The ticket is worked out here, where the packet is surely young enough for
  // its tag to tell: the next ticket is 1 .. 2^TagBits ahead of it.
  exit_t [NumPipes-1:0] incoming;
  for (genvar s = 0; s < NumPipes; s++) begin : gen_incoming
    tag_t distance;
    logic unused_transit;
    assign unused_transit = ^transit_i[s];
    assign distance = next_ticket_i[TagBits-1:0] - transit_i[s].packet.tag;
    assign incoming[s] = '{
      ticket:  next_ticket_i - {{(31-TagBits){1'b0}}, distance == '0, distance},
      overlay: transit_i[s].packet.phv.meta.overlay,
      len:     transit_i[s].packet.phv.meta.len,
      dest:    transit_i[s].packet.phv.meta.dest,
      discard: transit_i[s].packet.phv.meta.discard,
      mark:    transit_i[s].packet.phv.meta.mark,
      hdr:     transit_i[s].packet.phv.meta.hdr,
      cont:    transit_i[s].packet.phv.cont
    };
    `SLUICE_ASSERT(LeavesThroughItsLane_A,
      !transit_i[s].valid || transit_i[s].pipe == transit_i[s].packet.phv.meta.lane)
  end

  // ---- lanes
  logic [NumPipes-1:0]                 fate_valid;
  fate_t [NumPipes-1:0]                fate;
  drop_e [NumPipes-1:0]                reason;
  logic [NumPipes-1:0]                 some_forbidden;
  logic [NumPipes-1:0][StepBits-1:0]   new_header;
  logic [NumPipes-1:0][15:0]           exit_waiting;
  logic [NumPipes-1:0][NumPorts-1:0]   ports, accepted, refused;

  for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
    logic [NumPipes-1:0] push;
    for (genvar s = 0; s < NumPipes; s++) begin : gen_source
      assign push[s] = transit_i[s].valid && transit_i[s].pipe == pipe_t'(l);
      `SLUICE_ASSERT(NothingEscapesToTheExit_A, !transit_i[s].valid || !transit_i[s].escape)
    end

    sluice_egress_lane u_lane (
      .clk_i, .rst_ni, .lane_i(pipe_t'(l)), .settings_i,
      .push_i(push), .packet_i(incoming),
      .freed_o(freed_o[l]), .departed_o(departed_o[l]), .waiting_o(exit_waiting[l]),
      .hdr_read_o(hdr_read_o[l]), .hdr_slot_o(hdr_slot_o[l]), .hdr_step_o(hdr_step_o[l]),
      .hdr_data_i(hdr_data_i[l]),
      .ahead_ports_o(ports[l]), .valid_o(fate_valid[l]), .fate_o(fate[l]), .header_o(new_header[l]),
      .write_i(write), .read_i(read), .answer_o(answers[l])
    );

    assign reason[l] = fate[l].reason;
    assign some_forbidden[l] = fate[l].some_forbidden;
    assign drop_o[l] = '{
      valid:  fate_valid[l],
      row:    fate[l].row,
      reason: fate[l].some_forbidden ? DropSomeForbidden : fate[l].reason,
      full:   7'($countones(refused[l]))
    };

    // A packet without a body is copied whole into the output queues, so it is freed at once.
    assign copies_valid_o[l] = fate_valid[l];
    assign copies_slot_o[l]  = fate[l].hdr;
    assign copies_count_o[l] = fate[l].len > len_t'(HeaderBytes) ? 7'($countones(accepted[l])) : '0;

    assign probe_o[l] = !fate_valid[l] ? '0 : '{
      done: 1'b1, reason: fate[l].reason, ticket: fate[l].ticket,
      accepted: accepted[l], refused: refused[l]
    };
  end

  // ---- output queues
  logic [NumPipes-1:0][NumPipes-1:0] full, promised;     // [output lane][lane]
  logic [NumPorts-1:0]               sent_port;
  logic [NumPorts-1:0][15:0]         waiting;
  sent_t [NumPipes-1:0]              sent;
  sluice_output_admit u_admit (
    .clk_i, .rst_ni, .limit_i(settings_i.output_limit), .ports_i(ports), .full_i(full),
    .sent_i(sent_port), .promised_o(promised), .accepted_o(accepted), .refused_o(refused),
    .waiting_o(waiting)
  );

  for (genvar o = 0; o < NumPipes; o++) begin : gen_output
    logic [NumPipes-1:0]    push, req_valid, req_ready, body_valid, body_last, body_ready;
    output_t [NumPipes-1:0] packet;
    hdr_t [NumPipes-1:0]    req_slot;
    logic [NumPipes-1:0][BeatBits-1:0] body_data;

    for (genvar s = 0; s < NumPipes; s++) begin : gen_source
      assign packet[s] = '{
        ticket: fate[s].ticket, len: fate[s].len, hdr: fate[s].hdr,
        ports: accepted[s][o*PortsPerLane +: PortsPerLane], header: new_header[s]
      };
      assign push[s]       = packet[s].ports != '0;
      assign req_ready[s]  = body_req_ready_i[s][o];
      assign body_req_valid_o[s][o] = req_valid[s];
      assign body_req_slot_o[s][o]  = req_slot[s];
      assign body_valid[s]          = body_valid_i[s][o];
      assign body_last[s]           = body_last_i[s][o];
      assign body_data[s]           = body_data_i[s][o];
      assign body_ready_o[s][o]     = body_ready[s];
    end

    sluice_transmit #(.AheadBeats(AheadBeats)) u_transmit (
      .clk_i, .rst_ni, .lane_i(pipe_t'(o)),
      .promised_i(promised[o]), .full_o(full[o]), .push_i(push), .packet_i(packet),
      .body_req_valid_o(req_valid), .body_req_slot_o(req_slot), .body_req_ready_i(req_ready),
      .body_valid_i(body_valid), .body_last_i(body_last), .body_data_i(body_data),
      .body_ready_o(body_ready),
      .tx_valid_o(tx_valid_o[o]), .tx_last_o(tx_last_o[o]), .tx_data_o(tx_data_o[o]),
      .tx_keep_o(tx_keep_o[o]), .tx_port_o(tx_port_o[o]), .tx_ticket_o(tx_ticket_o[o]),
      .tx_ready_i(tx_ready_i[o]), .sent_o(sent[o])
    );
    for (genvar p = 0; p < PortsPerLane; p++) begin : gen_port
      assign sent_port[o*PortsPerLane+p] = sent[o].valid && sent[o].port == 8'(o*PortsPerLane+p);
    end
  end

  sluice_egress_csr u_csr (
    .clk_i, .rst_ni, .clear_i(settings_i.clear),
    .exit_valid_i(fate_valid), .exit_reason_i(reason), .exit_some_i(some_forbidden), .exit_waiting_i(exit_waiting),
    .refused_i(refused), .sent_i(sent), .sent_port_i(sent_port), .waiting_i(waiting),
    .csr_req_i, .csr_rsp_o
  );
endmodule : sluice_egress
