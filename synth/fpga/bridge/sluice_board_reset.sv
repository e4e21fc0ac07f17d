// SPDX-License-Identifier: Apache-2.0

/// Reset of a board: 256 cycles after the board is configured, and while the button is pressed. Its release
/// is in step with the clock. The FPGA starts registers at 0.
module sluice_board_reset (
  input  logic clk_i,
  input  logic button_i,
  output logic rst_no
);
  logic [1:0] button_q;
  logic [7:0] count_q;
  logic       run_q;
  assign rst_no = run_q;

  always_ff @(posedge clk_i) begin
    button_q <= {button_q[0], button_i};
    run_q    <= count_q == '1;
    if (button_q[1])          count_q <= '0;
    else if (count_q != '1)   count_q <= count_q + 8'd1;
  end
  initial {button_q, count_q, run_q} = '0;
endmodule : sluice_board_reset
