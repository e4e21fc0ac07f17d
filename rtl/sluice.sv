// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// The chip: k lanes, their packet buffers, front stages, the order point, back stages, the exit,
/// the traffic manager, control.
///
/// Data flows one way, in the order of the instances below; docs/packet.md walks it with a packet:
///
///   ports -> lane -> front stages -> order point -> back stages -> exit -> traffic manager ->
///   ports
///               \-> packet buffer ------------------ headers ------^          ^
///                               \------------------ bodies -------------------/
///
/// Headers and bodies wait in the packet buffer of their lane. What comes back to it are requests
/// alone: read this header, read this body so often, free this packet. In a chip with recirculation
/// a packet can come back to its lane from the traffic manager, and all begins again.
/// Data ports are AXI4-Stream, one stream of BeatBytes per lane; the ports of a lane are told apart
/// by TDEST (`rx_port_i`, `tx_port_o`: port numbers of the chip). Ingress has no TREADY: it never
/// pushes back. In a chip with fast ports (FastLanes m) the streams m p .. m p + m - 1 are one bus,
/// that of port p: beats go on from stream to stream, then in the next cycle. `rx_port_i` is not
/// looked at. The beats of a port's streams are taken together, in a cycle in which `tx_ready_i` of
/// all of them is 1. The control port is AXI4-Stream, registers are AXI4-Lite. `probe_o` is for
/// test harnesses only; nothing inside depends on it.
/// Reset: `rst_ni` may be asserted at any time; it is released in step with `clk_i`, after at least
/// two cycles. Then the chip clears its tables and state (CHIP.STATUS bit 0 says when); until then
/// it drops what arrives.
/// A 64-byte packet passes the idle chip in at most 100 cycles (k4). One packet per cycle and lane.
module sluice
  import sluice_pkg::*;
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_buffer_pkg::*;
(
  input  logic                              clk_i,
  input  logic                              rst_ni,
  // data in, per lane
  input  logic [NumPipes-1:0]               rx_valid_i,
  input  logic [NumPipes-1:0][BeatBits-1:0] rx_data_i,
  input  logic [NumPipes-1:0][BeatBytes-1:0] rx_keep_i,
  input  logic [NumPipes-1:0]               rx_last_i,
  input  logic [NumPipes-1:0]               rx_err_i,      // TUSER: the port found the packet bad
  input  logic [NumPipes-1:0][7:0]          rx_port_i,     // TDEST
  // data out, per lane
  output logic [NumPipes-1:0]               tx_valid_o,
  output logic [NumPipes-1:0][BeatBits-1:0] tx_data_o,
  output logic [NumPipes-1:0][BeatBytes-1:0] tx_keep_o,
  output logic [NumPipes-1:0]               tx_last_o,
  output logic [NumPipes-1:0][7:0]          tx_port_o,     // TDEST
  output logic [NumPipes-1:0][31:0]         tx_ticket_o,   // TUSER: place in the order
  input  logic [NumPipes-1:0]               tx_ready_i,
  // control port
  input  logic                              ctl_rx_valid_i,
  input  logic [BeatBits-1:0]               ctl_rx_data_i,
  input  logic [BeatBytes-1:0]              ctl_rx_keep_i,
  input  logic                              ctl_rx_last_i,
  output logic                              ctl_rx_ready_o,
  output logic                              ctl_tx_valid_o,
  output logic [BeatBits-1:0]               ctl_tx_data_o,
  output logic [BeatBytes-1:0]              ctl_tx_keep_o,
  output logic                              ctl_tx_last_o,
  input  logic                              ctl_tx_ready_i,
  // registers
  input  logic                              csr_awvalid_i,
  input  logic [19:0]                       csr_awaddr_i,
  output logic                              csr_awready_o,
  input  logic                              csr_wvalid_i,
  input  logic [31:0]                       csr_wdata_i,
  input  logic [3:0]                        csr_wstrb_i,
  output logic                              csr_wready_o,
  output logic                              csr_bvalid_o,
  output logic [1:0]                        csr_bresp_o,
  input  logic                              csr_bready_i,
  input  logic                              csr_arvalid_i,
  input  logic [19:0]                       csr_araddr_i,
  output logic                              csr_arready_o,
  output logic                              csr_rvalid_o,
  output logic [1:0]                        csr_rresp_o,
  output logic [31:0]                       csr_rdata_o,
  input  logic                              csr_rready_i,
  // test harness
  output probe_t                            probe_o
);
  // Links of the daisy chain, in its order: lanes, front stages, order point, back stages,
  // exit, egress stages.
  localparam int unsigned FirstFront = 1;
  localparam int unsigned OrderNode  = FirstFront + FrontStages;
  localparam int unsigned FirstBack  = OrderNode + 1;
  localparam int unsigned ExitNode   = FirstBack + BackStages;
  // what comes behind the exit: the egress tables and stages, or the end
  localparam int unsigned EgressNode = ExitNode + (EgressStages != 0 ? 2 : 1);
  localparam int unsigned NumLinks   = EgressNode + 1;

  chain_t   [NumLinks-1:0] chain;         // chain[n] goes into node n; node 0 is the ingress
  logic     [NumLinks-1:0] chain_ready;
  logic                    chain_busy;    // messages are on it
  logic                    refuse;        // with a header at chain[0]

  settings_t   settings;
  logic [31:0] cycle;
  csr_req_t    csr_req;

  sluice_cfg_check u_cfg_check ();

  // ---- ingress: ports to PHVs -------------------------------------------------------------------
  row_t    [NumPipes-1:0]               pop_row;
  logic    [NumPipes-1:0]               arrive, pop, over_limit, lane_deep, discard_valid;
  hdr_t    [NumPipes-1:0]               discard_slot;
  item_t   [FrontStages:0][NumPipes-1:0] item;    // item[n] goes into front stage n
  logic    [NumPipes-1:0]               matched_valid, matched_pop;  // array match
  matched_bits_t [NumPipes-1:0]         matched;
  buffer_write_t [NumPipes-1:0]         buffer_write;
  buffer_room_t  [NumPipes-1:0]         buffer_room;
  buffer_used_t  [NumPipes-1:0]         buffer_used;
  csr_rsp_t                             lane_rsp;
  lane_drop_t [NumPipes-1:0]            lane_drop;
  drop_t   [NumPipes-1:0]               order_drop;
  bank_event_t [NumPipes-1:0]           enter, lost, turned, leave;
  logic [(1<<$bits(overlay_t))-1:0]     inside_bank;   // of each module and bank, whether any is
  flip_t                                flip;
  logic                                 turning, ctl_busy;
  exit_drop_t [NumPipes-1:0]            exit_drop;
  drop_t   [NumPipes-1:0]               egress_drop;
  logic        [NumPipes-1:0]           done;          // a packet has ended on the lane's bus
  probe_lane_t [NumPipes-1:0]           probe_lane;
  reentry_t    [NumPipes-1:0]           reentry;
  logic        [NumPipes-1:0]           take, gave_way;

  // What enters the lanes: the streams, or what the fast ports deal to them.
  logic [NumPipes-1:0]                in_valid, in_last, in_err;
  logic [NumPipes-1:0][BeatBits-1:0]  in_data;
  logic [NumPipes-1:0][BeatBytes-1:0] in_keep;
  logic [NumPipes-1:0][7:0]           in_port;
  logic [NumPipes-1:0]                ordered;       // as arrive, when its place is known
  logic [NumPipes-1:0]                dealt;
  pipe_t [NumPipes-1:0]               dealt_lane;
  if (FastLanes != 0) begin : gen_fast_in
    for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
      assign in_port[l] = 8'(l / FastLanes);
    end
    sluice_fast_in u_fast_in (
      .clk_i, .rst_ni,
      .rx_valid_i, .rx_last_i, .rx_err_i, .rx_data_i, .rx_keep_i,
      .lane_valid_o(in_valid), .lane_last_o(in_last), .lane_err_o(in_err), .lane_data_o(in_data),
      .lane_keep_o (in_keep),
      .done_i(done), .stored_i(arrive), .arrive_o(ordered),
      .dealt_o(dealt), .dealt_lane_o(dealt_lane)
    );
  end else begin : gen_streams
    assign in_valid   = rx_valid_i;
    assign in_last    = rx_last_i;
    assign in_err     = rx_err_i;
    assign in_data    = rx_data_i;
    assign in_keep    = rx_keep_i;
    assign in_port    = rx_port_i;
    assign ordered    = arrive;
    assign dealt      = '0;
    assign dealt_lane = '0;
  end

  sluice_ingress u_ingress (
    .clk_i, .rst_ni,
    .settings_i    (settings.lane),
    .cycle_i       (cycle),
    .rx_valid_i(in_valid), .rx_last_i(in_last), .rx_err_i(in_err), .rx_data_i(in_data),
    .rx_keep_i (in_keep), .rx_port_i(in_port),
    .reentry_i     (reentry),
    .take_o        (take),
    .arrive_o      (arrive),
    .item_o        (item[0]),
    .pop_i         (pop),
    .pop_row_i     (pop_row),
    .over_limit_o  (over_limit),
    .deep_o        (lane_deep),
    .matched_valid_o(matched_valid),
    .matched_o     (matched),
    .matched_pop_i (matched_pop),
    .write_o       (buffer_write),
    .room_i        (buffer_room),
    .used_i        (buffer_used),
    .chain_i       (chain[0]),
    .chain_ready_o (chain_ready[0]),
    .chain_o       (chain[1]),
    .chain_ready_i (chain_ready[1]),
    .refuse_i      (refuse),
    .csr_req_i     (csr_req),
    .csr_rsp_o     (lane_rsp),
    .drop_o        (lane_drop),
    .enter_o       (enter),
    .done_o        (done),
    .probe_o       (probe_lane)
  );

  for (genvar l = 0; l < NumPipes; l++) begin : gen_gave_way
    assign gave_way[l] = lane_drop[l].gave_way.valid;
  end

  // ---- packet buffers, one a lane ---------------------------------------------------------------
  header_req_t [NumPipes-1:0]               header_req;
  logic        [NumPipes-1:0][StepBits-1:0] header;
  buffer_req_t [NumPipes-1:0]               buffer_req;
  buffer_rsp_t [NumPipes-1:0]               buffer_rsp;
  for (genvar l = 0; l < NumPipes; l++) begin : gen_buffer
    sluice_packet_buffer u_buffer (
      .clk_i, .rst_ni,
      .write_i        (buffer_write[l]),
      .room_o         (buffer_room[l]),
      .used_o         (buffer_used[l]),
      .discard_valid_i(discard_valid[l]),
      .discard_slot_i (discard_slot[l]),
      .header_req_i   (header_req[l]),
      .header_o       (header[l]),
      .req_i          (buffer_req[l]),
      .rsp_o          (buffer_rsp[l])
    );
  end

  // ---- front stages -----------------------------------------------------------------------------
  for (genvar f = 0; f < FrontStages; f++) begin : gen_front
    sluice_front_stage u_front_stage (
      .clk_i, .rst_ni,
      .stage_i      (stage_t'(BackStages + f)),
      .settings_i   (settings.stage),
      .item_i       (item[f]),
      .item_o       (item[f+1]),
      .chain_i      (chain[FirstFront+f]),
      .chain_ready_o(chain_ready[FirstFront+f]),
      .chain_o      (chain[FirstFront+f+1]),
      .chain_ready_i(chain_ready[FirstFront+f+1])
    );
  end

  // ---- order point ------------------------------------------------------------------------------
  // transit[s] goes into back stage s; [S]: the exit
  transit_t [BackStages:0][NumPipes-1:0]               transit;
  phantom_t [BackStages:0][NumPipes-1:0]               phantom;
  logic     [BackStages:0][NumPipes-1:0][NumPipes-1:0] freed;
  logic     [BackStages:0][NumPipes-1:0]               departed;
  report_t  [BackStages-1:0][NumPipes-1:0]             report;
  move_t    [BackStages:0]                             move;        // as phantom
  landed_t  [BackStages-1:0]                           landed;
  mark_request_t [BackStages-1:0]                      mark;
  cut_t                                                cut;
  logic     [BackStages-1:0]                           cut_busy;
  cut_status_t                                         cut_status;
  logic     [BackStages-1:0][NumPipes-1:0][15:0]       waiting;
  logic     [BackStages-1:0][NumPipes-1:0]             done_valid;
  tag_t     [BackStages-1:0][NumPipes-1:0]             done_tag;
  logic     [NumPipes-1:0]                             ended_valid;  // as the window counts it
  tag_t     [NumPipes-1:0]                             ended_tag;
  tag_t                                                oldest;
  logic [31:0]                                         next_ticket;
  logic [15:0]                                         in_flight;
  logic                                                relocated;
  csr_rsp_t                                            order_rsp, drops_rsp;
  probe_order_t [NumPipes-1:0]                         probe_order;

  sluice_order u_order (
    .clk_i, .rst_ni,
    .settings_i     (settings.order),
    .moves_i        (settings.moves),
    .arrive_i       (ordered),
    .item_i         (item[FrontStages]),
    .matched_valid_i(matched_valid),
    .matched_i      (matched),
    .matched_pop_o  (matched_pop),
    .over_limit_i   (over_limit),
    .lane_deep_i    (lane_deep),
    .pop_o          (pop),
    .pop_row_o      (pop_row),
    .discard_valid_o(discard_valid),
    .discard_slot_o (discard_slot),
    .transit_o      (transit[0]),
    .freed_i        (freed[0]),
    .departed_i     (departed[0]),
    .phantom_o      (phantom[0]),
    .move_o         (move[0]),
    .landed_i       (landed[StateStages-1:0]),
    .mark_i         (mark[StateStages-1:0]),
    .cut_o          (cut),
    .cut_busy_i     (cut_busy != '0),
    .cut_status_o   (cut_status),
    .report_i       (report[StateStages-1:0]),
    .waiting_i      (waiting[StateStages-1:0]),
    .done_valid_i   (ended_valid),
    .done_tag_i     (ended_tag),
    .oldest_o       (oldest),
    .next_ticket_o  (next_ticket),
    .in_flight_o    (in_flight),
    .relocated_o    (relocated),
    .chain_i        (chain[OrderNode]),
    .chain_ready_o  (chain_ready[OrderNode]),
    .chain_o        (chain[OrderNode+1]),
    .chain_ready_i  (chain_ready[OrderNode+1]),
    .chain_busy_i   (chain_busy),
    .ctl_busy_i     (ctl_busy),
    .inside_bank_i  (inside_bank),
    .flip_o         (flip),
    .turning_o      (turning),
    .csr_req_i      (csr_req),
    .csr_rsp_o      (order_rsp),
    .drop_o         (order_drop),
    .lost_o         (lost),
    .turned_o       (turned),
    .probe_o        (probe_order),
    .probe_mark_o   (probe_o.mark),
    .probe_cut_o    (probe_o.cut),
    .probe_flip_o   (probe_o.flip),
    .depth_o        (probe_o.depth)
  );

  sluice_drop_counters u_drop_counters (
    .clk_i, .rst_ni,
    .clear_i   (settings.tm.clear),
    .lane_i    (lane_drop),
    .order_i   (order_drop),
    .exit_i    (exit_drop),
    .egress_i  (egress_drop),
    .csr_req_i (csr_req),
    .csr_rsp_o (drops_rsp)
  );

  // ---- back stages ------------------------------------------------------------------------------
  csr_rsp_t [BackStages-1:0] back_rsp;
  logic     [BackStages-1:0] fill_busy;
  error_t   [BackStages-1:0] back_error;
  for (genvar s = 0; s < BackStages; s++) begin : gen_back
    sluice_back_stage #(.State(s < StateStages)) u_back_stage (
      .clk_i, .rst_ni,
      .stage_i      (stage_t'(s)),
      .settings_i   (settings.stage),
      .transit_i    (transit[s]),
      .phantom_i    (phantom[s]),
      .phantom_o    (phantom[s+1]),
      .move_i       (move[s]),
      .move_o       (move[s+1]),
      .landed_o     (landed[s]),
      .mark_o       (mark[s]),
      .cut_i        (cut),
      .cut_busy_o   (cut_busy[s]),
      .freed_o      (freed[s]),
      .departed_o   (departed[s]),
      .report_o     (report[s]),
      .waiting_o    (waiting[s]),
      .done_valid_o (done_valid[s]),
      .done_tag_o   (done_tag[s]),
      .transit_o    (transit[s+1]),
      .freed_i      (freed[s+1]),
      .departed_i   (departed[s+1]),
      .oldest_i     (oldest),
      .fill_busy_o  (fill_busy[s]),
      .chain_i      (chain[FirstBack+s]),
      .chain_ready_o(chain_ready[FirstBack+s]),
      .chain_o      (chain[FirstBack+s+1]),
      .chain_ready_i(chain_ready[FirstBack+s+1]),
      .csr_req_i    (csr_req),
      .csr_rsp_o    (back_rsp[s]),
      .error_o      (back_error[s]),
      .probe_o      (probe_o.state[s])
    );
  end

  // ---- exit: headers that leave, and where to --------------------------------------------------
  logic  [NumPipes-1:0][NumPorts-1:0] exit_ports;
  logic  [NumPipes-1:0]               exit_valid, exit_again;
  queue_class_t [NumPipes-1:0]        exit_class;
  held_t [NumPipes-1:0][NumPipes-1:0][OutputQueues-1:0] queue_held;
  fate_t [NumPipes-1:0]               exit_fate;
  logic  [NumPipes-1:0][StepBits-1:0] exit_header;
  csr_rsp_t                           exit_rsp, tm_rsp;
  probe_exit_t [NumPipes-1:0]         probe_exit;

  sluice_exit u_exit (
    .clk_i, .rst_ni,
    .settings_i   (settings.exit),
    .transit_i    (transit[BackStages]),
    .freed_o      (freed[BackStages]),
    .departed_o   (departed[BackStages]),
    .next_ticket_i(next_ticket),
    .header_req_o (header_req),
    .header_i     (header),
    .ports_o      (exit_ports),
    .valid_o      (exit_valid),
    .fate_o       (exit_fate),
    .again_o      (exit_again),
    .queue_class_o(exit_class),
    .held_i       (queue_held),
    .header_o     (exit_header),
    .leave_o      (leave),
    .chain_i      (chain[ExitNode]),
    .chain_ready_o(chain_ready[ExitNode]),
    .chain_o      (chain[ExitNode+1]),
    .chain_ready_i(chain_ready[ExitNode+1]),
    .csr_req_i    (csr_req),
    .csr_rsp_o    (exit_rsp)
  );

  // ---- between exit and traffic manager; output lanes -------------------------------------------
  logic   [NumPipes-1:0]                line_valid, line_last, line_ready, egress_room;
  logic   [NumPipes-1:0][BeatBits-1:0]  line_data;
  logic   [NumPipes-1:0][BeatBytes-1:0] line_keep;
  logic   [NumPipes-1:0][7:0]           line_port;
  logic   [NumPipes-1:0][31:0]          line_ticket;
  start_t [NumPipes-1:0]                start;
  sent_t  [NumPipes-1:0]                left, wire_sent;
  logic   [LinePorts-1:0][15:0]         port_waiting;
  logic   [LinePorts-1:0]               port_discarded;

  // ---- fast ports: packets in the order of their tickets, output lanes of their copies ----------
  logic  [NumPipes-1:0][LinePorts-1:0] tm_ports, tm_accepted;
  logic  [NumPipes-1:0]                tm_valid;
  fate_t [NumPipes-1:0]                tm_fate;
  logic  [NumPipes-1:0][StepBits-1:0]  tm_header;
  logic  [NumPipes-1:0][NumPipes-1:0]  tm_before;
  if (FastLanes != 0) begin : gen_exit_order
    sluice_exit_order u_exit_order (
      .clk_i, .rst_ni,
      .valid_i(exit_valid), .fate_i(exit_fate), .header_i(exit_header),
      .done_valid_o(ended_valid), .done_tag_o(ended_tag),
      .ports_o(tm_ports), .valid_o(tm_valid), .fate_o(tm_fate), .header_o(tm_header),
      .before_o(tm_before),
      .accepted_i(tm_accepted), .beat_i(line_valid & line_ready)
    );
  end else begin : gen_exit_straight
    assign ended_valid     = done_valid[BackStages-1];
    assign ended_tag       = done_tag[BackStages-1];
    assign tm_ports        = exit_ports;
    assign tm_valid        = exit_valid;
    assign tm_fate         = exit_fate;
    assign tm_header       = exit_header;
    assign tm_before       = '0;
  end

  // ---- traffic manager: output queues and lines -------------------------------------------------
  sluice_tm u_tm (
    .clk_i, .rst_ni,
    .clear_i  (settings.tm.clear),
    .limit_i  (settings.tm.output_limit),
    .costs_i  (settings.tm.class_costs),
    .strict_i (settings.tm.class_strict),
    .ports_i  (tm_ports),
    .valid_i  (tm_valid),
    .fate_i   (tm_fate),
    .again_i  (exit_again),
    .queue_class_i(exit_class),
    .header_i (tm_header),
    .before_i (tm_before),
    .accepted_o(tm_accepted),
    .held_o   (queue_held),
    .reentry_o(reentry),
    .take_i   (take),
    .gave_way_i(gave_way),
    .req_o    (buffer_req),
    .rsp_i    (buffer_rsp),
    .tx_valid_o  (line_valid),
    .tx_last_o   (line_last),
    .tx_data_o   (line_data),
    .tx_keep_o   (line_keep),
    .tx_port_o   (line_port),
    .tx_ticket_o (line_ticket),
    .tx_ready_i  (line_ready),
    .cycle_i  (cycle),
    .room_i   (egress_room),
    .start_o  (start),
    .left_o   (left),
    .waiting_o(port_waiting),
    .wire_i   (wire_sent),
    .discarded_i(port_discarded),
    .csr_req_i(csr_req),
    .csr_rsp_o(tm_rsp),
    .drop_o   (exit_drop),
    .probe_o  (probe_exit)
  );

  // ---- egress stages: copies on their way to the ports ------------------------------------------
  logic egress_fill;
  bank_event_t [NumPipes-1:0] past;
  if (EgressStages != 0) begin : gen_egress
    sluice_egress_lanes u_egress (
      .clk_i, .rst_ni,
      .settings_i   (settings.stage),
      .cycle_i      (cycle),
      .room_o       (egress_room),
      .start_i      (start),
      .left_i       (left),
      .waiting_i    (port_waiting),
      .line_valid_i (line_valid),
      .line_last_i  (line_last),
      .line_data_i  (line_data),
      .tx_valid_o, .tx_last_o, .tx_data_o, .tx_keep_o, .tx_port_o, .tx_ticket_o, .tx_ready_i,
      .sent_o       (wire_sent),
      .drop_o       (egress_drop),
      .past_o       (past),
      .discarded_o  (port_discarded),
      .chain_i      (chain[ExitNode+1]),
      .chain_ready_o(chain_ready[ExitNode+1]),
      .chain_o      (chain[EgressNode]),
      .chain_ready_i(chain_ready[EgressNode]),
      .fill_busy_o  (egress_fill),
      .probe_o      (probe_o.egress)
    );
    assign line_ready  = '1;
  end else begin : gen_no_egress
    if (FastLanes != 0) begin : gen_fast_out
      sluice_fast_out u_fast_out (
        .clk_i, .rst_ni,
        .swap_i(settings.tm.fault[FaultLineSwap]), .accepted_i(tm_accepted), .before_i(tm_before),
        .line_valid_i(line_valid), .line_last_i(line_last), .line_data_i(line_data),
        .line_keep_i(line_keep), .line_ticket_i(line_ticket), .line_ready_o(line_ready),
        .tx_valid_o, .tx_last_o, .tx_data_o, .tx_keep_o, .tx_port_o, .tx_ticket_o, .tx_ready_i
      );
    end else begin : gen_lines
      assign tx_valid_o  = line_valid;
      assign tx_last_o   = line_last;
      assign tx_data_o   = line_data;
      assign tx_keep_o   = line_keep;
      assign tx_port_o   = line_port;
      assign tx_ticket_o = line_ticket;
      assign line_ready  = tx_ready_i;
    end
    assign egress_room    = '1;
    assign wire_sent      = '0;
    assign egress_drop    = '0;
    assign past           = '0;
    assign port_discarded = '0;
    assign egress_fill    = 1'b0;
    assign probe_o.egress = '0;
  end

  // ---- control ----------------------------------------------------------------------------------
  // Packets between the end of their arrival and their fate: dropped at the order point, or told to
  // the packet buffer by the traffic manager. Events count one cycle later.
  logic [InsideBits-1:0] inside_q, change_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      change_q <= '0;
      inside_q <= '0;
    end else begin
      change_q <= InsideBits'($countones(arrive))
          - InsideBits'($countones({discard_valid, tm_valid}));
      inside_q <= inside_q + change_q;
    end
  end

  // Of a bank, copies on their way through the egress stages count as well.
  bank_copies_t [NumPipes-1:0] copies;
  bank_event_t  [NumPipes-1:0] past_exit;
  always_comb begin
    past_exit = leave;
    copies    = '0;
    for (int unsigned l = 0; l < NumPipes; l++) if (EgressStages != 0) begin
      past_exit[l] = '{valid: tm_valid[l], overlay: tm_fate[l].overlay};
      copies[l]    = '{overlay: tm_fate[l].overlay,
                       count: tm_valid[l] ? ($clog2(NumPorts+1))'($countones(tm_accepted[l])) : '0};
    end
  end
  sluice_bank_counts u_bank_counts (
    .clk_i, .rst_ni,
    .enter_i (enter),
    .lost_i  (lost),
    .turned_i(turned),
    .leave_i (past_exit),
    .copies_i(copies),
    .past_i  (past),
    .early_i (settings.lane.fault[FaultDrainEarly]),
    .inside_o(inside_bank)
  );
  `SLUICE_ASSERT(EmptyChipHasNobody_A, EgressStages != 0 || inside_q != '0 || inside_bank == '0)

  // Internal errors: the registers keep the first; of those of one cycle, that of the first stage.
  logic        error;
  logic [31:0] error_code;
  always_comb begin
    error      = 1'b0;
    error_code = '0;
    for (int s = int'(BackStages) - 1; s >= 0; s--)
      if (back_error[s].code != ErrorNone) begin
        error      = 1'b1;
        error_code = {back_error[s].code, 20'(s), back_error[s].pipe};
      end
  end

  csr_rsp_t csr_rsp;
  always_comb begin
    csr_rsp = lane_rsp | order_rsp | drops_rsp | exit_rsp | tm_rsp;
    for (int unsigned s = 0; s < BackStages; s++) csr_rsp |= back_rsp[s];
  end

  sluice_ctrl u_ctrl (
    .clk_i, .rst_ni,
    .ctl_rx_valid_i, .ctl_rx_data_i, .ctl_rx_keep_i, .ctl_rx_last_i, .ctl_rx_ready_o,
    .ctl_tx_valid_o, .ctl_tx_data_o, .ctl_tx_keep_o, .ctl_tx_last_o, .ctl_tx_ready_i,
    .awvalid_i(csr_awvalid_i), .awaddr_i(csr_awaddr_i), .awready_o(csr_awready_o),
    .wvalid_i (csr_wvalid_i),  .wdata_i (csr_wdata_i),  .wstrb_i (csr_wstrb_i),
    .wready_o (csr_wready_o),
    .bvalid_o (csr_bvalid_o),  .bresp_o (csr_bresp_o),  .bready_i (csr_bready_i),
    .arvalid_i(csr_arvalid_i), .araddr_i(csr_araddr_i), .arready_o(csr_arready_o),
    .rvalid_o (csr_rvalid_o),  .rresp_o (csr_rresp_o),  .rdata_o  (csr_rdata_o),
    .rready_i(csr_rready_i),
    .chain_o      (chain[0]),
    .chain_ready_i(chain_ready[0]),
    .chain_i      (chain[NumLinks-1]),
    .chain_ready_o(chain_ready[NumLinks-1]),
    .chain_busy_o (chain_busy),
    .refuse_o     (refuse),
    .csr_req_o    (csr_req),
    .csr_rsp_i    (csr_rsp),
    .settings_o   (settings),
    .cycle_o      (cycle),
    .fill_busy_i  (egress_fill || fill_busy != '0),
    .in_flight_i  (in_flight),
    .inside_i     (inside_q),
    .relocated_i  (relocated),
    .inside_bank_i(inside_bank),
    .cut_i        (cut_status),
    .ctl_busy_o   (ctl_busy),
    .flip_i       (flip),
    .turning_i    (turning),
    .error_i      (error),
    .error_code_i (error_code)
  );

  for (genvar l = 0; l < NumPipes; l++) begin : gen_probe
    always_comb begin
      probe_o.lane[l] = probe_lane[l];
      {probe_o.lane[l].dealt, probe_o.lane[l].dealt_lane} = {dealt[l], dealt_lane[l]};
    end
  end
  assign probe_o.order = probe_order;
  assign probe_o.exit  = probe_exit;
  assign probe_o.bank  = settings.lane.bank;
endmodule : sluice
