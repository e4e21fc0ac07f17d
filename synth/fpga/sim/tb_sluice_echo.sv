// SPDX-License-Identifier: Apache-2.0

/// The ULX3S simulated with the image of `make fpga`, pin by pin; the far end of its line is that of tb_sluice_board.
module tb_sluice_echo;
  import "DPI-C" function void line_open(input int unsigned divisor, input int unsigned drop, input bit deaf);
  import "DPI-C" function int line_tick(input bit from_board, output bit to_board);

  logic clk = 1'b0;
  initial forever #1 clk = !clk;

  logic       to_fpga = 1'b1, from_fpga, awake;
  logic [7:0] led;
  sluice_ulx3s_echo u_board (
    .clk_25mhz(clk), .btn_reset(1'b0), .ftdi_txd(to_fpga), .ftdi_rxd(from_fpga), .led, .wifi_gpio0(awake)
  );

  bit to_board, started = 1'b0;
  always @(posedge clk) begin
    if (started) begin
      if (line_tick(from_fpga, to_board) != 0) $finish;
      to_fpga <= to_board;
    end
  end

  int unsigned divisor, drop;
  initial begin
    if (!$value$plusargs("divisor=%d", divisor)) divisor = 25;
    if (!$value$plusargs("drop=%d", drop)) drop = 0;
    line_open(divisor, drop, $test$plusargs("deaf") != 0);
    started = 1'b1;
  end

  logic unused_pins;
  assign unused_pins = ^{led, awake};
endmodule : tb_sluice_echo
