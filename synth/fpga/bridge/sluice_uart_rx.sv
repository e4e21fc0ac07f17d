// SPDX-License-Identifier: Apache-2.0

/// Receiver of a serial line: 8 data bits, least significant first, no parity, one stop bit.
/// A byte comes out half a bit after its stop bit began; `error_o` comes in its place when that bit is not 1.
/// The line is sampled in the middle of each bit, counted from the edge of the start bit.
module sluice_uart_rx #(
  parameter int unsigned Divisor = 16,   // clock cycles of a bit, at least 4
  localparam int unsigned TimeBits = $clog2(Divisor + Divisor / 2)
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       line_i,             // asynchronous
  output logic       valid_o,            // one cycle
  output logic [7:0] data_o,
  output logic       error_o             // one cycle
);
  logic [2:0]          line_q;
  logic                busy_q;
  logic [TimeBits-1:0] time_q;
  logic [3:0]          bits_q;           // still to come, stop bit included
  logic [7:0]          data_q;
  logic                sample;

  assign sample  = busy_q && time_q == '0;
  assign valid_o = sample && bits_q == 4'd1 && line_q[1];
  assign error_o = sample && bits_q == 4'd1 && !line_q[1];
  assign data_o  = data_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      line_q <= '1;
      busy_q <= 1'b0;
      time_q <= '0;
      bits_q <= '0;
    end else begin
      line_q <= {line_q[1:0], line_i};
      if (!busy_q) begin
        // The first sample is in the middle of bit 0; the edge was seen one cycle after it was.
        busy_q <= line_q[2] && !line_q[1];
        time_q <= TimeBits'(Divisor + Divisor / 2 - 2);
        bits_q <= 4'd9;
      end else if (sample) begin
        time_q <= TimeBits'(Divisor - 1);
        bits_q <= bits_q - 4'd1;
        busy_q <= bits_q != 4'd1;
      end else begin
        time_q <= time_q - 1'b1;
      end
    end
  end
  always_ff @(posedge clk_i) if (sample) data_q <= {line_q[1], data_q[7:1]};
endmodule : sluice_uart_rx
