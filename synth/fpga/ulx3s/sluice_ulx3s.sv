// SPDX-License-Identifier: Apache-2.0

/// ULX3S with the whole chip behind the serial bridge. The chip's clock is the board's 25 MHz divided by 2 * `Half`, and the
/// line has 500,000 baud at 12.5 MHz. `make fpga` builds the image with configuration small, `make fpga-ulx3s` with ulx3s (docs/fpga.md).
/// LEDs: 0 out of reset, 1 and 2 the line (in, out).
module sluice_ulx3s (
  input  logic       clk_25mhz,
  input  logic       btn_reset,
  input  logic       ftdi_txd,     // from the host
  output logic       ftdi_rxd,     // to the host
  output logic [7:0] led,
  output logic       wifi_gpio0
);
  localparam int unsigned Half = 1;
  localparam int unsigned Baud = 500_000;

  logic       clk_q, rst_n, running;
  logic [3:0] half_q;
  always_ff @(posedge clk_25mhz) begin
    half_q <= half_q == 4'(Half - 1) ? '0 : half_q + 4'd1;
    if (half_q == 4'(Half - 1)) clk_q <= !clk_q;
  end
  initial {clk_q, half_q} = '0;

  sluice_board_reset u_reset (.clk_i(clk_q), .button_i(btn_reset), .rst_no(rst_n));
  sluice_board #(.Divisor(25_000_000 / (2 * Half) / Baud)) u_board (
    .clk_i(clk_q), .rst_ni(rst_n), .line_i(ftdi_txd), .line_o(ftdi_rxd), .running_o(running)
  );
  assign led        = {5'b0, !ftdi_rxd, !ftdi_txd, running};
  assign wifi_gpio0 = 1'b1;
endmodule : sluice_ulx3s
