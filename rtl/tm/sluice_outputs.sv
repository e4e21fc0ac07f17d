// SPDX-License-Identifier: Apache-2.0

/// All behind the back stages: the exit writes headers, fast ports put packets in the order of
/// their tickets (sluice_exit_order), the traffic manager keeps copies and sends them, and
/// sluice_tx leads its lines to the pins. Wires, and what of it counts for the banks.
/// On the daisy chain, in this order: the exit, then the tables of the egress, then each egress
/// stage. A message passes all of them.
module sluice_outputs
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_order_pkg::*;
  import sluice_exit_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_probe_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_buffer_pkg::*;
(
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  settings_t                          settings_i,
  input  logic [31:0]                        cycle_i,
  // from the last back stage; and packets that have left it, as the window counts them: itself, or
  // the order of the fast ports
  input  transit_t [NumPipes-1:0]            transit_i,
  output logic [NumPipes-1:0][NumPipes-1:0]  freed_o,
  output logic [NumPipes-1:0]                departed_o,
  input  logic [NumPipes-1:0]                done_valid_i,
  input  tag_t [NumPipes-1:0]                done_tag_i,
  output logic [NumPipes-1:0]                ended_valid_o,
  output tag_t [NumPipes-1:0]                ended_tag_o,
  input  logic [31:0]                        next_ticket_i,
  // packet buffers
  output header_req_t [NumPipes-1:0]         header_req_o,
  input  logic [NumPipes-1:0][StepBits-1:0]  header_i,
  output buffer_req_t [NumPipes-1:0]         buffer_req_o,
  input  buffer_rsp_t [NumPipes-1:0]         buffer_rsp_i,
  // recirculated packets, to their lanes
  output reentry_t [NumPipes-1:0]            reentry_o,
  input  reentry_rsp_t [NumPipes-1:0]        reentry_rsp_i,
  // pins
  output tx_beat_t                           tx_o [NumPipes],
  input  logic [NumPipes-1:0]                tx_ready_i,
  // events
  output gone_t                              gone_o,
  output exit_drop_t [NumPipes-1:0]          exit_drop_o,
  output drop_t [NumPipes-1:0]               egress_drop_o,
  // control
  input  chain_t                             chain_i,
  output logic                               chain_ready_o,
  output chain_t                             chain_o,
  input  logic                               chain_ready_i,
  output logic                               fill_busy_o,
  input  csr_req_t                           csr_req_i,
  output csr_rsp_t                           csr_rsp_o,
  // test harness
  output probe_exit_t [NumPipes-1:0]         probe_exit_o,
  output probe_egress_t [NumPipes-1:0]       probe_egress_o
);
  chain_t   tx_chain;
  logic     tx_chain_ready;
  csr_rsp_t exit_rsp, tm_rsp;
  assign csr_rsp_o = exit_rsp | tm_rsp;

  // ---- exit: headers that leave, and where to
  logic  [NumPipes-1:0][NumPorts-1:0] exit_ports;
  logic  [NumPipes-1:0]               exit_valid, exit_again;
  queue_class_t [NumPipes-1:0]        exit_class;
  held_t [NumPipes-1:0][NumPipes-1:0][OutputQueues-1:0] queue_held;
  fate_t [NumPipes-1:0]               exit_fate;
  logic  [NumPipes-1:0][StepBits-1:0] exit_header;
  bank_event_t [NumPipes-1:0]         exit_leave, tx_past;
  sluice_exit u_exit (
    .clk_i, .rst_ni, .settings_i(settings_i.exit), .transit_i, .freed_o, .departed_o,
    .next_ticket_i, .header_req_o, .header_i, .ports_o(exit_ports), .valid_o(exit_valid),
    .fate_o(exit_fate), .again_o(exit_again), .queue_class_o(exit_class), .held_i(queue_held),
    .header_o(exit_header), .leave_o(exit_leave), .chain_i, .chain_ready_o, .chain_o(tx_chain),
    .chain_ready_i(tx_chain_ready), .csr_req_i, .csr_rsp_o(exit_rsp)
  );

  // ---- fast ports: packets in the order of their tickets, output lanes of their copies
  logic  [NumPipes-1:0][LinePorts-1:0] tm_ports, tm_accepted;
  logic  [NumPipes-1:0]                tm_valid;
  fate_t [NumPipes-1:0]                tm_fate;
  logic  [NumPipes-1:0][StepBits-1:0]  tm_header;
  logic  [NumPipes-1:0][NumPipes-1:0]  tm_before;
  tx_beat_t                            line [NumPipes];
  logic  [NumPipes-1:0]                line_ready, line_beat;
  always_comb
    for (int unsigned l = 0; l < NumPipes; l++) line_beat[l] = line[l].valid && line_ready[l];
  sluice_exit_order u_exit_order (
    .clk_i, .rst_ni, .ports_i(exit_ports), .valid_i(exit_valid), .fate_i(exit_fate),
    .header_i(exit_header), .done_valid_i, .done_tag_i, .done_valid_o(ended_valid_o),
    .done_tag_o(ended_tag_o), .ports_o(tm_ports), .valid_o(tm_valid), .fate_o(tm_fate),
    .header_o(tm_header), .before_o(tm_before), .accepted_i(tm_accepted), .beat_i(line_beat)
  );

  // Of a bank, copies on their way through the egress stages count as well.
  always_comb begin
    gone_o = '{fated: tm_valid, leave: exit_leave, copies: '0, past: tx_past};
    for (int unsigned l = 0; l < NumPipes; l++) if (EgressStages != 0) begin
      gone_o.leave[l]  = '{valid: tm_valid[l], overlay: tm_fate[l].overlay};
      gone_o.copies[l] = '{overlay: tm_fate[l].overlay,
          count: tm_valid[l] ? ($clog2(NumPorts+1))'($countones(tm_accepted[l])) : '0};
    end
  end

  // ---- traffic manager: output queues and lines
  logic   [NumPipes-1:0]        egress_room;
  start_t [NumPipes-1:0]        start;
  sent_t  [NumPipes-1:0]        left, wire_sent;
  logic   [LinePorts-1:0][15:0] port_waiting;
  logic   [LinePorts-1:0]       port_discarded;
  sluice_tm u_tm (
    .clk_i, .rst_ni, .settings_i(settings_i.tm), .ports_i(tm_ports), .valid_i(tm_valid),
    .fate_i(tm_fate), .again_i(exit_again), .queue_class_i(exit_class), .header_i(tm_header),
    .before_i(tm_before), .accepted_o(tm_accepted), .held_o(queue_held), .reentry_o, .reentry_rsp_i,
    .req_o(buffer_req_o), .rsp_i(buffer_rsp_i), .tx_o(line), .tx_ready_i(line_ready), .cycle_i,
    .room_i(egress_room), .start_o(start), .left_o(left), .waiting_o(port_waiting),
    .wire_i(wire_sent), .discarded_i(port_discarded), .csr_req_i, .csr_rsp_o(tm_rsp),
    .drop_o(exit_drop_o), .probe_o(probe_exit_o)
  );

  // ---- from the lines to the pins: egress stages or fast ports, stores
  sluice_tx u_tx (
    .clk_i, .rst_ni, .settings_i(settings_i.stage), .cycle_i, .room_o(egress_room), .start_i(start),
    .left_i(left), .waiting_i(port_waiting), .line_i(line), .line_ready_o(line_ready),
    .accepted_i(tm_accepted), .before_i(tm_before), .swap_i(settings_i.tm.fault[FaultLineSwap]),
    .tx_o, .tx_ready_i, .sent_o(wire_sent), .drop_o(egress_drop_o), .past_o(tx_past),
    .discarded_o(port_discarded), .probe_o(probe_egress_o), .chain_i(tx_chain),
    .chain_ready_o(tx_chain_ready), .chain_o, .chain_ready_i, .fill_busy_o
  );
endmodule : sluice_outputs
