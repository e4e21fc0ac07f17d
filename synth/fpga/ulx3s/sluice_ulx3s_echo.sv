// SPDX-License-Identifier: Apache-2.0

/// ULX3S with the serial bridge and sluice_echo: the first thing to load on a board. 1,000,000 baud.
/// LEDs: 0 out of reset, 1 and 2 the line (in, out), 7 a heartbeat of 1.5 Hz.
module sluice_ulx3s_echo
  import sluice_pkg::BeatBits;
  import sluice_cfg_pkg::NumPipes;
  import sluice_cfg_pkg::BeatBytes;
(
  input  logic       clk_25mhz,
  input  logic       btn_reset,
  input  logic       ftdi_txd,     // from the host
  output logic       ftdi_rxd,     // to the host
  output logic [7:0] led,
  output logic       wifi_gpio0
);
  logic        rst_n, chip_rst_n, rx_last, ctl_rx_valid, ctl_rx_ready, ctl_tx_valid, ctl_tx_last, ctl_tx_ready;
  logic        awvalid, awready, wvalid, wready, bvalid, arvalid, arready, rvalid;
  logic [19:0] addr;
  logic [31:0] wdata, rdata;
  logic [7:0]  unused_port;
  logic [BeatBytes-1:0] rx_keep, ctl_tx_keep;
  logic [BeatBits-1:0] rx_data, ctl_tx_data;
  logic [NumPipes-1:0] rx_valid, unused_ready;
  logic [23:0] beat_q;

  sluice_board_reset u_reset (.clk_i(clk_25mhz), .button_i(btn_reset), .rst_no(rst_n));
  always_ff @(posedge clk_25mhz) beat_q <= beat_q + 24'd1;
  assign led        = {beat_q[23], 4'b0, !ftdi_rxd, !ftdi_txd, chip_rst_n};
  assign wifi_gpio0 = 1'b1;

  sluice_serial_bridge #(.Divisor(25), .PayloadBytes(1024), .Patience(65536)) u_bridge (
    .clk_i(clk_25mhz), .rst_ni(rst_n), .line_i(ftdi_txd), .line_o(ftdi_rxd), .chip_rst_no(chip_rst_n),
    .rx_valid_o(rx_valid), .rx_data_o(rx_data), .rx_keep_o(rx_keep), .rx_last_o(rx_last), .rx_port_o(unused_port),
    .tx_valid_i('0), .tx_data_i('0), .tx_keep_i('0), .tx_last_i('0), .tx_port_i('0), .tx_ticket_i('0),
    .tx_ready_o(unused_ready),
    .ctl_rx_valid_o(ctl_rx_valid), .ctl_rx_ready_i(ctl_rx_ready),
    .ctl_tx_valid_i(ctl_tx_valid), .ctl_tx_data_i(ctl_tx_data), .ctl_tx_keep_i(ctl_tx_keep),
    .ctl_tx_last_i(ctl_tx_last), .ctl_tx_ready_o(ctl_tx_ready),
    .awvalid_o(awvalid), .addr_o(addr), .awready_i(awready), .wvalid_o(wvalid), .wdata_o(wdata), .wready_i(wready),
    .bvalid_i(bvalid), .bresp_i('0), .arvalid_o(arvalid), .arready_i(arready), .rvalid_i(rvalid), .rresp_i('0),
    .rdata_i(rdata)
  );

  sluice_echo u_echo (
    .clk_i(clk_25mhz), .rst_ni(chip_rst_n),
    .rx_valid_i(rx_valid), .rx_last_i(rx_last), .ctl_rx_valid_i(ctl_rx_valid), .rx_data_i(rx_data), .rx_keep_i(rx_keep),
    .ctl_rx_ready_o(ctl_rx_ready), .ctl_tx_valid_o(ctl_tx_valid), .ctl_tx_data_o(ctl_tx_data),
    .ctl_tx_keep_o(ctl_tx_keep), .ctl_tx_last_o(ctl_tx_last), .ctl_tx_ready_i(ctl_tx_ready),
    .awvalid_i(awvalid), .wvalid_i(wvalid), .arvalid_i(arvalid), .addr_i(addr), .wdata_i(wdata),
    .awready_o(awready), .wready_o(wready), .arready_o(arready), .bvalid_o(bvalid), .rvalid_o(rvalid), .rdata_o(rdata)
  );
endmodule : sluice_ulx3s_echo
