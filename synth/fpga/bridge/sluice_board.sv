// SPDX-License-Identifier: Apache-2.0

/// The chip with a serial line in place of its ports: what a board needs besides a clock, and what is simulated for it.
module sluice_board
  import sluice_pkg::*;
  import sluice_probe_pkg::*;
  import sluice_cfg_pkg::*;
#(
  parameter int unsigned Divisor      = 16,      // clock cycles of a bit of the line
  parameter int unsigned PayloadBytes = 1024,    // longest payload of a frame
  parameter int unsigned Patience     = 65536    // cycles until the chip is given up
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic line_i,
  output logic line_o,
  output logic running_o                     // the chip is out of reset
);
  logic [NumPipes-1:0]                rx_valid, tx_valid, tx_last, tx_ready;
  logic [BeatBits-1:0]                rx_data, ctl_tx_data;
  logic [BeatBytes-1:0]               rx_keep, ctl_tx_keep;
  logic                               rx_last, ctl_rx_valid, ctl_rx_ready, ctl_tx_valid, ctl_tx_last, ctl_tx_ready;
  logic [7:0]                         rx_port;
  logic [NumPipes-1:0][BeatBits-1:0]  tx_data;
  logic [NumPipes-1:0][BeatBytes-1:0] tx_keep;
  logic [NumPipes-1:0][7:0]           tx_port;
  logic [NumPipes-1:0][31:0]          tx_ticket;
  logic                               awvalid, awready, wvalid, wready, bvalid, arvalid, arready, rvalid, chip_rst_n;
  logic [19:0]                        addr;
  logic [31:0]                        wdata, rdata;
  logic [1:0]                         bresp, rresp;
  probe_t                             unused_probe;

  assign running_o = chip_rst_n;

  sluice_serial_bridge #(.Divisor(Divisor), .PayloadBytes(PayloadBytes), .Patience(Patience)) u_bridge (
    .clk_i, .rst_ni, .line_i, .line_o, .chip_rst_no(chip_rst_n),
    .rx_valid_o(rx_valid), .rx_data_o(rx_data), .rx_keep_o(rx_keep), .rx_last_o(rx_last), .rx_port_o(rx_port),
    .tx_valid_i(tx_valid), .tx_data_i(tx_data), .tx_keep_i(tx_keep), .tx_last_i(tx_last), .tx_port_i(tx_port),
    .tx_ticket_i(tx_ticket), .tx_ready_o(tx_ready),
    .ctl_rx_valid_o(ctl_rx_valid), .ctl_rx_ready_i(ctl_rx_ready),
    .ctl_tx_valid_i(ctl_tx_valid), .ctl_tx_data_i(ctl_tx_data), .ctl_tx_keep_i(ctl_tx_keep),
    .ctl_tx_last_i(ctl_tx_last), .ctl_tx_ready_o(ctl_tx_ready),
    .awvalid_o(awvalid), .addr_o(addr), .awready_i(awready), .wvalid_o(wvalid), .wdata_o(wdata), .wready_i(wready),
    .bvalid_i(bvalid), .bresp_i(bresp), .arvalid_o(arvalid), .arready_i(arready), .rvalid_i(rvalid), .rresp_i(rresp),
    .rdata_i(rdata)
  );

  sluice u_sluice (
    .clk_i, .rst_ni(chip_rst_n),
    .rx_valid_i(rx_valid), .rx_data_i({NumPipes{rx_data}}), .rx_keep_i({NumPipes{rx_keep}}),
    .rx_last_i({NumPipes{rx_last}}), .rx_err_i('0), .rx_port_i({NumPipes{rx_port}}),
    .tx_valid_o(tx_valid), .tx_data_o(tx_data), .tx_keep_o(tx_keep), .tx_last_o(tx_last), .tx_port_o(tx_port),
    .tx_ticket_o(tx_ticket), .tx_ready_i(tx_ready),
    .ctl_rx_valid_i(ctl_rx_valid), .ctl_rx_data_i(rx_data), .ctl_rx_keep_i(rx_keep),
    .ctl_rx_last_i(rx_last), .ctl_rx_ready_o(ctl_rx_ready),
    .ctl_tx_valid_o(ctl_tx_valid), .ctl_tx_data_o(ctl_tx_data), .ctl_tx_keep_o(ctl_tx_keep),
    .ctl_tx_last_o(ctl_tx_last), .ctl_tx_ready_i(ctl_tx_ready),
    .csr_awvalid_i(awvalid), .csr_awaddr_i(addr), .csr_awready_o(awready),
    .csr_wvalid_i(wvalid), .csr_wdata_i(wdata), .csr_wstrb_i(4'hf), .csr_wready_o(wready),
    .csr_bvalid_o(bvalid), .csr_bresp_o(bresp), .csr_bready_i(1'b1),
    .csr_arvalid_i(arvalid), .csr_araddr_i(addr), .csr_arready_o(arready),
    .csr_rvalid_o(rvalid), .csr_rresp_o(rresp), .csr_rdata_o(rdata), .csr_rready_i(1'b1),
    .probe_o(unused_probe)
  );
endmodule : sluice_board
