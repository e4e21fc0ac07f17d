// SPDX-License-Identifier: Apache-2.0

/// The chip for a shell with AXI4-Stream ports of 512 bits and AXI4-Lite (Alveo U250 class): one stream in and one out for
/// each lane, side by side in s_axis_rx and m_axis_tx; s_axis_ctl, m_axis_ctl and s_axi_csr are what their names say.
/// Two lanes or four, by the configuration, whose beats must be of 64 bytes. TDEST is the port number within the chip.
/// The chip does not push back: s_axis_rx_tready is always 1, and a packet must come without a gap, so the shell must hold
/// whole packets (store and forward) before this. UNTESTED: no Vivado has read it; it is lint-clean and simulates as `sluice`.
module sluice_u250
  import sluice_pkg::*;
  import sluice_probe_pkg::*;
  import sluice_cfg_pkg::NumPipes;
  import sluice_cfg_pkg::BeatBytes;
#(
  localparam int unsigned Lanes = NumPipes,
  localparam int unsigned Width = BeatBits * Lanes
) (
  input  logic               clk,
  input  logic               aresetn,
  // data in: lane n has bits [512n+511:512n]
  input  logic [Lanes-1:0]   s_axis_rx_tvalid,
  output logic [Lanes-1:0]   s_axis_rx_tready,
  input  logic [Width-1:0]   s_axis_rx_tdata,
  input  logic [64*Lanes-1:0] s_axis_rx_tkeep,
  input  logic [Lanes-1:0]   s_axis_rx_tlast,
  input  logic [Lanes-1:0]   s_axis_rx_tuser,    // the packet is bad
  input  logic [8*Lanes-1:0] s_axis_rx_tdest,
  // data out
  output logic [Lanes-1:0]   m_axis_tx_tvalid,
  input  logic [Lanes-1:0]   m_axis_tx_tready,
  output logic [Width-1:0]   m_axis_tx_tdata,
  output logic [64*Lanes-1:0] m_axis_tx_tkeep,
  output logic [Lanes-1:0]   m_axis_tx_tlast,
  output logic [32*Lanes-1:0] m_axis_tx_tuser,   // place in the order
  output logic [8*Lanes-1:0] m_axis_tx_tdest,
  // control port
  input  logic               s_axis_ctl_tvalid,
  output logic               s_axis_ctl_tready,
  input  logic [511:0]       s_axis_ctl_tdata,
  input  logic [63:0]        s_axis_ctl_tkeep,
  input  logic               s_axis_ctl_tlast,
  output logic               m_axis_ctl_tvalid,
  input  logic               m_axis_ctl_tready,
  output logic [511:0]       m_axis_ctl_tdata,
  output logic [63:0]        m_axis_ctl_tkeep,
  output logic               m_axis_ctl_tlast,
  // registers
  input  logic               s_axi_csr_awvalid,
  output logic               s_axi_csr_awready,
  input  logic [19:0]        s_axi_csr_awaddr,
  input  logic               s_axi_csr_wvalid,
  output logic               s_axi_csr_wready,
  input  logic [31:0]        s_axi_csr_wdata,
  input  logic [3:0]         s_axi_csr_wstrb,
  output logic               s_axi_csr_bvalid,
  input  logic               s_axi_csr_bready,
  output logic [1:0]         s_axi_csr_bresp,
  input  logic               s_axi_csr_arvalid,
  output logic               s_axi_csr_arready,
  input  logic [19:0]        s_axi_csr_araddr,
  output logic               s_axi_csr_rvalid,
  input  logic               s_axi_csr_rready,
  output logic [31:0]        s_axi_csr_rdata,
  output logic [1:0]         s_axi_csr_rresp
);
  if (NumPipes != 2 && NumPipes != 4)
    $fatal(1, "sluice_u250: NumPipes is %0d; the wrapper is for two lanes or four", NumPipes);
  if (BeatBytes != 64)
    $fatal(1, "sluice_u250: BeatBytes is %0d; the streams are of 64 bytes", BeatBytes);

  // The shell's reset may end at any time; the chip's ends with the clock.
  logic [1:0] reset_q;
  always_ff @(posedge clk or negedge aresetn) begin
    if (!aresetn) reset_q <= '0;
    else          reset_q <= {reset_q[0], 1'b1};
  end

  probe_t unused_probe;
  assign s_axis_rx_tready = '1;

  sluice u_sluice (
    .clk_i(clk), .rst_ni(reset_q[1]),
    .rx_valid_i(s_axis_rx_tvalid), .rx_data_i(s_axis_rx_tdata), .rx_keep_i(s_axis_rx_tkeep),
    .rx_last_i(s_axis_rx_tlast), .rx_err_i(s_axis_rx_tuser), .rx_port_i(s_axis_rx_tdest),
    .tx_valid_o(m_axis_tx_tvalid), .tx_data_o(m_axis_tx_tdata), .tx_keep_o(m_axis_tx_tkeep),
    .tx_last_o(m_axis_tx_tlast), .tx_port_o(m_axis_tx_tdest), .tx_ticket_o(m_axis_tx_tuser),
    .tx_ready_i(m_axis_tx_tready),
    .ctl_rx_valid_i(s_axis_ctl_tvalid), .ctl_rx_data_i(s_axis_ctl_tdata), .ctl_rx_keep_i(s_axis_ctl_tkeep),
    .ctl_rx_last_i(s_axis_ctl_tlast), .ctl_rx_ready_o(s_axis_ctl_tready),
    .ctl_tx_valid_o(m_axis_ctl_tvalid), .ctl_tx_data_o(m_axis_ctl_tdata), .ctl_tx_keep_o(m_axis_ctl_tkeep),
    .ctl_tx_last_o(m_axis_ctl_tlast), .ctl_tx_ready_i(m_axis_ctl_tready),
    .csr_awvalid_i(s_axi_csr_awvalid), .csr_awaddr_i(s_axi_csr_awaddr), .csr_awready_o(s_axi_csr_awready),
    .csr_wvalid_i(s_axi_csr_wvalid), .csr_wdata_i(s_axi_csr_wdata), .csr_wstrb_i(s_axi_csr_wstrb), .csr_wready_o(s_axi_csr_wready),
    .csr_bvalid_o(s_axi_csr_bvalid), .csr_bresp_o(s_axi_csr_bresp), .csr_bready_i(s_axi_csr_bready),
    .csr_arvalid_i(s_axi_csr_arvalid), .csr_araddr_i(s_axi_csr_araddr), .csr_arready_o(s_axi_csr_arready),
    .csr_rvalid_o(s_axi_csr_rvalid), .csr_rresp_o(s_axi_csr_rresp), .csr_rdata_o(s_axi_csr_rdata),
    .csr_rready_i(s_axi_csr_rready),
    .probe_o(unused_probe)
  );
endmodule : sluice_u250
