// SPDX-License-Identifier: Apache-2.0

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
  import sluice_phv_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_probe_pkg::*;
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
  // Links of the daisy chain: all before the order point, it, back stages, all behind them.
  localparam int unsigned OrderNode = 1;
  localparam int unsigned FirstBack = OrderNode + 1;
  localparam int unsigned ExitNode  = FirstBack + BackStages;
  localparam int unsigned NumLinks  = ExitNode + 2;

  chain_t   [NumLinks-1:0] chain;         // chain[n] goes into link n
  logic     [NumLinks-1:0] chain_ready;
  logic                    refuse;        // with a header at chain[0]

  settings_t             settings;
  logic [31:0]           cycle;
  csr_req_t              csr_req;
  chip_busy_t            busy;
  logic [InsideBits-1:0] num_inside;                        // packets

  sluice_cfg_check u_cfg_check ();

  // ---- before the order point: lanes, packet buffers, front stages ------------------------------
  logic [NumPipes-1:0]                      arrive, matched_pop;
  logic [NumPipes-1:0]                      ordered;       // as arrive, when its place is known
  lane_fill_t                               fill;
  popped_t                                  popped;
  item_t [NumPipes-1:0]                     item;
  lane_words_t                              matched;
  header_req_t [NumPipes-1:0]               header_req;
  logic [NumPipes-1:0][StepBits-1:0]        header;
  buffer_req_t [NumPipes-1:0]               buffer_req;
  buffer_rsp_t [NumPipes-1:0]               buffer_rsp;
  reentry_t [NumPipes-1:0]                  reentry;
  reentry_rsp_t [NumPipes-1:0]              reentry_rsp;
  lane_drop_t [NumPipes-1:0]                lane_drop;
  bank_event_t [NumPipes-1:0]               enter;
  csr_rsp_t                                 lane_rsp;
  rx_beat_t                                 rx [NumPipes];
  discard_t [NumPipes-1:0]                  discard;
  for (genvar l = 0; l < NumPipes; l++) begin : gen_rx
    assign discard[l] = '{valid: popped.discard[l], slot: popped.slot[l]};
    assign rx[l] = '{valid: rx_valid_i[l], last: rx_last_i[l], err: rx_err_i[l],
                     port: rx_port_i[l], keep: rx_keep_i[l], data: rx_data_i[l]};
  end
  sluice_inputs u_inputs (
    .clk_i, .rst_ni,
    .settings_i     (settings),
    .cycle_i        (cycle),
    .rx_i           (rx),
    .reentry_i      (reentry),
    .reentry_rsp_o  (reentry_rsp),
    .arrive_o       (arrive),
    .ordered_o      (ordered),
    .item_o         (item),
    .pop_i          (popped.pop),
    .pop_row_i      (popped.row),
    .over_limit_o   (fill.over),
    .deep_o         (fill.deep),
    .matched_valid_o(matched.valid),
    .matched_o      (matched.bits),
    .matched_pop_i  (matched_pop),
    .discard_i      (discard),
    .header_req_i   (header_req),
    .header_o       (header),
    .buffer_req_i   (buffer_req),
    .buffer_rsp_o   (buffer_rsp),
    .drop_o         (lane_drop),
    .enter_o        (enter),
    .chain_i        (chain[0]),
    .chain_ready_o  (chain_ready[0]),
    .chain_o        (chain[OrderNode]),
    .chain_ready_i  (chain_ready[OrderNode]),
    .refuse_i       (refuse),
    .csr_req_i      (csr_req),
    .csr_rsp_o      (lane_rsp),
    .probe_o        (probe_o.lane)
  );

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
  logic     [BackStages-1:0][NumPipes-1:0][15:0]       waiting;
  logic     [BackStages-1:0][NumPipes-1:0]             done_valid;
  tag_t     [BackStages-1:0][NumPipes-1:0]             done_tag;
  ended_t                                              ended;        // as the window counts it
  order_status_t                                       order;
  order_events_t                                       order_event;
  csr_rsp_t                                            order_rsp, drops_rsp;

  sluice_order u_order (
    .clk_i, .rst_ni,
    .settings_i     (settings.order),
    .moves_i        (settings.moves),
    .arrive_i       (ordered),
    .item_i         (item),
    .matched_i      (matched),
    .matched_pop_o  (matched_pop),
    .fill_i         (fill),
    .popped_o       (popped),
    .transit_o      (transit[0]),
    .freed_i        (freed[0]),
    .departed_i     (departed[0]),
    .phantom_o      (phantom[0]),
    .move_o         (move[0]),
    .landed_i       (landed[StateStages-1:0]),
    .mark_i         (mark[StateStages-1:0]),
    .cut_o          (cut),
    .report_i       (report[StateStages-1:0]),
    .waiting_i      (waiting[StateStages-1:0]),
    .ended_i        (ended),
    .chain_i        (chain[OrderNode]),
    .chain_ready_o  (chain_ready[OrderNode]),
    .chain_o        (chain[OrderNode+1]),
    .chain_ready_i  (chain_ready[OrderNode+1]),
    .busy_i         (busy),
    .status_o       (order),
    .csr_req_i      (csr_req),
    .csr_rsp_o      (order_rsp),
    .event_o        (order_event),
    .probe_o        (probe_o.order)
  );
  assign busy.cut = cut_busy != '0;

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
      .oldest_i     (order.oldest),
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

  // ---- behind the back stages: exit, traffic manager, egress, pins ------------------------------
  logic                         egress_fill;
  gone_t                        gone;
  exit_drop_t   [NumPipes-1:0]  exit_drop;
  drop_t        [NumPipes-1:0]  egress_drop;
  csr_rsp_t                     output_rsp;
  tx_beat_t                     tx [NumPipes];
  for (genvar l = 0; l < NumPipes; l++) begin : gen_tx
    assign {tx_valid_o[l], tx_last_o[l], tx_port_o[l], tx_ticket_o[l], tx_keep_o[l], tx_data_o[l]}
        = tx[l];
  end
  sluice_outputs u_outputs (
    .clk_i, .rst_ni,
    .settings_i   (settings),
    .cycle_i      (cycle),
    .transit_i    (transit[BackStages]),
    .freed_o      (freed[BackStages]),
    .departed_o   (departed[BackStages]),
    .done_valid_i (done_valid[BackStages-1]),
    .done_tag_i   (done_tag[BackStages-1]),
    .ended_valid_o(ended.valid),
    .ended_tag_o  (ended.tag),
    .next_ticket_i(order.next_ticket),
    .header_req_o (header_req),
    .header_i     (header),
    .buffer_req_o (buffer_req),
    .buffer_rsp_i (buffer_rsp),
    .reentry_o    (reentry),
    .reentry_rsp_i(reentry_rsp),
    .tx_o         (tx),
    .tx_ready_i,
    .gone_o       (gone),
    .exit_drop_o  (exit_drop),
    .egress_drop_o(egress_drop),
    .chain_i      (chain[ExitNode]),
    .chain_ready_o(chain_ready[ExitNode]),
    .chain_o      (chain[ExitNode+1]),
    .chain_ready_i(chain_ready[ExitNode+1]),
    .fill_busy_o  (egress_fill),
    .csr_req_i    (csr_req),
    .csr_rsp_o    (output_rsp),
    .probe_exit_o (probe_o.exit),
    .probe_egress_o(probe_o.egress)
  );

  // ---- control ----------------------------------------------------------------------------------
  sluice_drop_counters u_drop_counters (
    .clk_i, .rst_ni,
    .clear_i   (settings.tm.clear),
    .lane_i    (lane_drop),
    .order_i   (order_event.drop),
    .exit_i    (exit_drop),
    .egress_i  (egress_drop),
    .csr_req_i (csr_req),
    .csr_rsp_o (drops_rsp)
  );

  sluice_inside u_inside (
    .clk_i, .rst_ni,
    .arrive_i(arrive), .discard_i(popped.discard), .gone_i(gone), .inside_o(num_inside),
    .enter_i(enter), .lost_i(order_event.lost), .turned_i(order_event.turned),
    .early_i(settings.lane.fault[FaultDrainEarly]), .inside_bank_o(busy.inside_bank)
  );

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
    csr_rsp = lane_rsp | order_rsp | drops_rsp | output_rsp;
    for (int unsigned s = 0; s < BackStages; s++) csr_rsp |= back_rsp[s];
  end

  sluice_ctrl u_ctrl (
    .clk_i, .rst_ni,
    .ctl_rx_i({ctl_rx_valid_i, ctl_rx_last_i, ctl_rx_keep_i, ctl_rx_data_i}), .ctl_rx_ready_o,
    .ctl_tx_o({ctl_tx_valid_o, ctl_tx_last_o, ctl_tx_keep_o, ctl_tx_data_o}), .ctl_tx_ready_i,
    .axil_i('{
      awvalid: csr_awvalid_i, awaddr: csr_awaddr_i, wvalid: csr_wvalid_i, wdata: csr_wdata_i,
      wstrb: csr_wstrb_i, bready: csr_bready_i,
      arvalid: csr_arvalid_i, araddr: csr_araddr_i, rready: csr_rready_i
    }),
    .axil_o({csr_awready_o, csr_wready_o, csr_bvalid_o, csr_bresp_o,
             csr_arready_o, csr_rvalid_o, csr_rresp_o, csr_rdata_o}),
    .chain_o      (chain[0]),
    .chain_ready_i(chain_ready[0]),
    .chain_i      (chain[NumLinks-1]),
    .chain_ready_o(chain_ready[NumLinks-1]),
    .chain_busy_o (busy.chain),
    .refuse_o     (refuse),
    .csr_req_o    (csr_req),
    .csr_rsp_i    (csr_rsp),
    .settings_o   (settings),
    .cycle_o      (cycle),
    .fill_busy_i  (egress_fill || fill_busy != '0),
    .in_flight_i  (order.in_flight),
    .inside_i     (num_inside),
    .relocated_i  (order.relocated),
    .inside_bank_i(busy.inside_bank),
    .cut_i        (order.cut),
    .ctl_busy_o   (busy.ctl),
    .flip_i       (order.flip),
    .turning_i    (order.turning),
    .error_i      (error),
    .error_code_i (error_code)
  );

  assign probe_o.bank  = settings.lane.bank;
endmodule : sluice
