// SPDX-License-Identifier: Apache-2.0

/// A sum of 32 bits of amounts of 16 bits, one a cycle. It wraps.
/// Latency: total_o has an amount two cycles after it came. Throughput: an amount a cycle.
/// The carry out of the lower half waits a cycle before it is added to the upper one, so no path
/// goes through 32 bits; the lower half is shown a cycle later too, so that both fit together.
/// Example: 0xffff comes in cycle 0 and 1 in cycle 1. low_q is 0xffff in cycle 1, and 0 with
/// carry_q in cycle 2; total_o is 0x0000_ffff in cycle 2 and 0x0001_0000 in cycle 3.
/// Reset: 0. With clear_i the total is 0 from the next cycle on; the amount beside it is not added.
module sluice_total (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  logic [15:0] amount_i,
  output logic [31:0] total_o
);
  logic        carry_q;
  logic [15:0] low_q, shown_q, high_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {carry_q, low_q} <= '0;
      high_q           <= '0;
      shown_q          <= '0;
    end else if (clear_i) begin
      {carry_q, low_q} <= '0;
      high_q           <= '0;
      shown_q          <= '0;
    end else begin
      {carry_q, low_q} <= 17'(low_q) + 17'(amount_i);
      high_q           <= high_q + 16'(carry_q);
      shown_q          <= low_q;
    end
  end
  assign total_o = {high_q, shown_q};
endmodule : sluice_total
