// SPDX-License-Identifier: Apache-2.0

/// The board simulated: clock, reset, and a serial line that ends in a pseudo terminal (line.c). A program that opens it
/// sends and receives the bytes of the real line.
///   +divisor=N  bit time of the other end in clock cycles: another one than ours is a wrong baud rate
///   +drop=N     one byte in N that the board sends is lost; +deaf: nothing reaches the board
module tb_sluice_board;
  localparam int unsigned Divisor = 4;

  import "DPI-C" function void line_open(input int unsigned divisor, input int unsigned drop, input bit deaf);
  import "DPI-C" function int line_tick(input bit from_board, output bit to_board);

  logic clk = 1'b0, rst_n = 1'b0;
  bit   started = 1'b0;    // rst_n, as data
  initial forever #1 clk = !clk;

  logic line_in = 1'b1, line_out, running;
  sluice_board #(.Divisor(Divisor)) u_board (
    .clk_i(clk), .rst_ni(rst_n), .line_i(line_in), .line_o(line_out), .running_o(running)
  );

  bit to_board;
  always @(posedge clk) begin
    if (started) begin
      if (line_tick(line_out, to_board) != 0) $finish;
      line_in <= to_board;
    end
  end

  int unsigned divisor, drop;
  initial begin
    if (!$value$plusargs("divisor=%d", divisor)) divisor = Divisor;
    if (!$value$plusargs("drop=%d", drop)) drop = 0;
    line_open(divisor, drop, $test$plusargs("deaf") != 0);
    #8 rst_n = 1'b1;
    started = 1'b1;
  end

  logic unused_running;
  assign unused_running = running;
endmodule : tb_sluice_board
