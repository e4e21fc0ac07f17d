// SPDX-License-Identifier: Apache-2.0

/// Everything that is not on the way of a packet: the control port with both ends of the daisy
/// chain, the AXI4-Lite bridge, and the registers of the chip.
module sluice_ctrl
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  // control port, AXI4-Stream
  input  ctl_beat_t           ctl_rx_i,
  output logic                ctl_rx_ready_o,
  output ctl_beat_t           ctl_tx_o,
  input  logic                ctl_tx_ready_i,
  // registers, AXI4-Lite
  input  axil_req_t           axil_i,
  output axil_rsp_t           axil_o,
  // daisy chain
  output chain_t              chain_o,
  input  logic                chain_ready_i,
  input  chain_t              chain_i,
  output logic                chain_ready_o,
  output logic                chain_busy_o,    // messages are on the chain
  // with a header at chain_o: sluice_bank_guard refused it
  output logic                refuse_o,
  // registers of the other blocks
  output csr_req_t            csr_req_o,
  input  csr_rsp_t            csr_rsp_i,
  // settings and status
  output settings_t           settings_o,
  output logic [31:0]         cycle_o,
  input  logic                fill_busy_i,
  input  logic [15:0]         in_flight_i,
  input  logic [InsideBits-1:0] inside_i,
  input  logic                relocated_i,
  input  logic [(1<<$bits(overlay_t))-1:0] inside_bank_i,   // [{bank, row}]: packets are inside
  input  cut_status_t         cut_i,
  output logic                ctl_busy_o,      // a control packet is on its way
  input  flip_t               flip_i,
  input  logic                turning_i,
  input  logic                error_i,
  input  logic [31:0]         error_code_i
);
  logic [CtlBits-1:0]  head;
  logic                is_read;
  logic [3:0]          words;
  logic                back, back_refused, tx_idle, good, bad;
  csr_rsp_t            chip_rsp;
  chain_t              sent;
  logic                sent_ready, ctl_busy;

  assign ctl_busy_o = ctl_busy;
  sluice_ctl_rx u_ctl_rx (
    .clk_i, .rst_ni, .ready_i(settings_o.lane.ready), .rx_i(ctl_rx_i), .rx_ready_o(ctl_rx_ready_o),
    .chain_o(sent), .chain_ready_i(sent_ready), .chain_busy_o, .busy_o(ctl_busy), .back_i(back),
    .back_refused_i(back_refused), .tx_idle_i(tx_idle), .head_o(head), .is_read_o(is_read),
    .words_o(words), .good_o(good), .bad_o(bad)
  );

  sluice_bank_guard u_bank_guard (
    .clk_i, .rst_ni, .chain_i(sent), .chain_ready_o(sent_ready), .chain_o, .chain_ready_i,
    .busy_i(ctl_busy), .refuse_o, .bank_i(settings_o.lane.bank), .inside_i(inside_bank_i)
  );

  sluice_ctl_tx u_ctl_tx (
    .clk_i, .rst_ni, .chain_i, .chain_ready_o, .back_o(back), .back_refused_o(back_refused),
    .idle_o(tx_idle), .head_i(head), .is_read_i(is_read), .words_i(words), .tx_o(ctl_tx_o),
    .tx_ready_i(ctl_tx_ready_i)
  );

  sluice_csr_bridge u_csr_bridge (
    .clk_i, .rst_ni, .axil_i, .axil_o, .req_o(csr_req_o), .rsp_i(csr_rsp_i | chip_rsp)
  );

  sluice_chip_regs u_chip_regs (
    .clk_i, .rst_ni, .req_i(csr_req_o), .rsp_o(chip_rsp), .settings_o, .cycle_o, .good_i(good),
    .bad_i(bad), .ctl_busy_i(ctl_busy), .inside_bank_i((2*NumModules)'(inside_bank_i)),
    .fill_busy_i, .in_flight_i, .inside_i, .relocated_i, .cut_i, .flip_i, .turning_i, .error_i,
    .error_code_i
  );
endmodule : sluice_ctrl
