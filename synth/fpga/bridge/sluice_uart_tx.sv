// SPDX-License-Identifier: Apache-2.0

/// Sender of a serial line: 8 data bits, least significant first, no parity, one stop bit.
/// A byte takes 10 bit times; the next one may follow at once.
module sluice_uart_tx #(
  parameter int unsigned Divisor = 16,   // clock cycles of a bit, at least 4
  localparam int unsigned TimeBits = $clog2(Divisor)
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       valid_i,
  input  logic [7:0] data_i,
  output logic       ready_o,
  output logic       line_o
);
  logic [8:0]          shift_q;          // bit 0 is on the line
  logic [3:0]          bits_q;           // still to be sent
  logic [TimeBits-1:0] time_q;
  logic                last;

  assign last    = time_q == '0;
  assign ready_o = bits_q == '0 || (bits_q == 4'd1 && last);
  assign line_o  = shift_q[0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      shift_q <= '1;
      bits_q  <= '0;
      time_q  <= '0;
    end else if (valid_i && ready_o) begin
      shift_q <= {data_i, 1'b0};
      bits_q  <= 4'd10;
      time_q  <= TimeBits'(Divisor - 1);
    end else if (bits_q != '0) begin
      time_q <= last ? TimeBits'(Divisor - 1) : time_q - 1'b1;
      if (last) begin
        shift_q <= {1'b1, shift_q[8:1]};
        bits_q  <= bits_q - 4'd1;
      end
    end
  end
endmodule : sluice_uart_tx
