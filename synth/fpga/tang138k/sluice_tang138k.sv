// SPDX-License-Identifier: Apache-2.0

/// Tang Mega 138K Pro Dock with the whole chip behind the serial bridge: two pipelines, configuration small (docs/fpga.md);
/// `make fpga-tang138k` builds the image. The chip's clock is the board's 50 MHz divided by 2 * `Half`, and the line has 500,000
/// baud at 12.5 MHz. LEDs, low is on: 0 out of reset, 1 and 2 the line (in, out).
module sluice_tang138k (
  input  logic       clk_50mhz,
  input  logic       btn_reset_n,
  input  logic       uart_rx,      // from the host
  output logic       uart_tx,      // to the host
  output logic [5:0] led_n
);
  localparam int unsigned Half = 2;
  localparam int unsigned Baud = 500_000;

  logic       clk_q, rst_n, running;
  logic [3:0] half_q;
  always_ff @(posedge clk_50mhz) begin
    half_q <= half_q == 4'(Half - 1) ? '0 : half_q + 4'd1;
    if (half_q == 4'(Half - 1)) clk_q <= !clk_q;
  end
  initial {clk_q, half_q} = '0;

  sluice_board_reset u_reset (.clk_i(clk_q), .button_i(!btn_reset_n), .rst_no(rst_n));
  sluice_board #(.Divisor(50_000_000 / (2 * Half) / Baud)) u_board (
    .clk_i(clk_q), .rst_ni(rst_n), .line_i(uart_rx), .line_o(uart_tx), .running_o(running)
  );
  assign led_n = {3'b111, uart_tx, uart_rx, !running};
endmodule : sluice_tang138k
