// SPDX-License-Identifier: Apache-2.0

/// Stands behind the bridge in place of the chip, to try line and host: 16 registers to write and read, of which the first
/// starts as `Name`; what goes into the control port comes out of it; data packets are taken and counted.
/// Registers 16 and 17 (addresses 0x40, 0x44) count packets and beats of the data ports.
module sluice_echo
  import sluice_pkg::BeatBits;
  import sluice_cfg_pkg::NumPipes;
  import sluice_cfg_pkg::BeatBytes;
#(
  parameter logic [31:0] Name = 32'h6563_686f   // "echo"
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [NumPipes-1:0]  rx_valid_i,
  input  logic                 rx_last_i,
  input  logic                 ctl_rx_valid_i,
  input  logic [BeatBits-1:0]  rx_data_i,
  input  logic [BeatBytes-1:0] rx_keep_i,
  output logic                 ctl_rx_ready_o,
  output logic                 ctl_tx_valid_o,
  output logic [BeatBits-1:0]  ctl_tx_data_o,
  output logic [BeatBytes-1:0] ctl_tx_keep_o,
  output logic                 ctl_tx_last_o,
  input  logic                 ctl_tx_ready_i,
  input  logic                 awvalid_i,
  input  logic                 wvalid_i,
  input  logic                 arvalid_i,
  input  logic [19:0]          addr_i,
  input  logic [31:0]          wdata_i,
  output logic                 awready_o,
  output logic                 wready_o,
  output logic                 arready_o,
  output logic                 bvalid_o,
  output logic                 rvalid_o,
  output logic [31:0]          rdata_o
);
  // ---- control port: two beats deep, as the chip's own
  sluice_slice #(.Width(BeatBits + BeatBytes + 1)) u_slice (
    .clk_i, .rst_ni,
    .in_valid_i (ctl_rx_valid_i), .in_ready_o (ctl_rx_ready_o), .in_data_i ({rx_last_i, rx_keep_i, rx_data_i}),
    .out_valid_o(ctl_tx_valid_o), .out_ready_i(ctl_tx_ready_i),
    .out_data_o ({ctl_tx_last_o, ctl_tx_keep_o, ctl_tx_data_o})
  );

  // ---- registers. The bridge makes one access at a time and always takes the answer.
  logic [15:0][31:0] register_q;
  logic [31:0]       packets_q, beats_q;
  logic              write;
  assign write     = awvalid_i && wvalid_i && !bvalid_o;
  assign awready_o = write;
  assign wready_o  = write;
  assign arready_o = arvalid_i && !rvalid_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      register_q <= 512'(Name);
      packets_q  <= '0;
      beats_q    <= '0;
      bvalid_o   <= 1'b0;
      rvalid_o   <= 1'b0;
      rdata_o    <= '0;
    end else begin
      bvalid_o <= write;
      rvalid_o <= arready_o;
      rdata_o  <= !addr_i[6] ? register_q[addr_i[5:2]] : addr_i[2] ? beats_q : packets_q;
      if (write && addr_i[19:6] == '0) register_q[addr_i[5:2]] <= wdata_i;
      if (rx_valid_i != '0) begin
        beats_q   <= beats_q + 32'd1;
        packets_q <= packets_q + 32'(rx_last_i);
      end
    end
  end

  logic unused_addr;
  assign unused_addr = ^addr_i[1:0];
endmodule : sluice_echo
