// SPDX-License-Identifier: Apache-2.0

/// Checks that two sluice_draw, whose registers start at anything, draw the same numbers from the
/// reset on, and all of them equally often, also in every third cycle alone.
module cell_draw (
  input  logic clk_i,
  input  logic rst_ni,
  input  int   break_i,
  output int   draws_o
);
  localparam int unsigned Width = 3, Values = 1 << Width;
  logic [Width-1:0] value, other;
  sluice_draw #(.Width(Width)) u_dut (.clk_i, .rst_ni, .value_o(value));
  sluice_draw #(.Width(Width)) u_other (.clk_i, .rst_ni, .value_o(other));

  int seen_q [2][Values];                        // in all cycles, and in every third
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      draws_o <= 0;
      for (int n = 0; n < int'(Values); n++) {seen_q[0][n], seen_q[1][n]} <= '0;
    end else begin
      draws_o <= draws_o + 1;
      seen_q[0][value] <= seen_q[0][value] + 1;
      if (draws_o % 3 == 0) seen_q[1][value] <= seen_q[1][value] + 1;
      if (value != (break_i == 21 && draws_o == 1000 ? ~other : other)) begin
        $display("FAIL draw %0d is %0d, and %0d", draws_o, value, other);
        $fatal(1);
      end
      if (draws_o == 60000)
        for (int n = 0; n < int'(Values); n++)
          if (seen_q[0][n] < 6800 || seen_q[0][n] > 8200 || seen_q[1][n] < 2100
              || seen_q[1][n] > 2900) begin
            $display("FAIL of 60000 draws %0d are %0d, and of every third %0d", seen_q[0][n], n,
                     seen_q[1][n]);
            $fatal(1);
          end
    end
  end
endmodule : cell_draw
