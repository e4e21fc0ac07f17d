// SPDX-License-Identifier: Apache-2.0

/// Checks sluice_total against a sum of 32 bits. An amount is any, 0, 0xffff, or the one with which
/// the lower half of the sum becomes 0 with a carry. In the first 20,000 cycles there is a clear now
/// and then; later there is none, so that the sum comes to its highest bit.
module cell_total (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [31:0] seed_i,
  input  int          break_i,
  output int          carries_o,                 // sums whose lower half ran over
  output logic        highest_o                  // bit 31 was 1
);
  logic [47:0] bits;
  logic [1:0]  flip;
  logic        clear;
  logic [15:0] amount;
  logic [31:0] total, sum_q, sum_q2;
  int          ran_q;
  cell_random u_random (.clk_i, .rst_ni, .seed_i, .bits_o(bits), .flip_o(flip));
  assign clear  = bits[47:36] == '0 && ran_q < 20_000;
  assign amount = !flip[0] && bits[32] ? '0 : bits[35:33] == '0 ? -sum_q[15:0] : flip[1] ? '1 : bits[15:0];

  sluice_total u_dut (
    .clk_i, .rst_ni, .clear_i(clear && break_i != 22),
    .amount_i(break_i == 23 && bits[31:24] == '0 ? amount ^ 16'h8000 : amount), .total_o(total)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {sum_q, sum_q2} <= '0;
      ran_q           <= 0;
      carries_o       <= 0;
      highest_o       <= 1'b0;
    end else begin
      ran_q     <= ran_q + 1;
      sum_q     <= clear ? '0 : sum_q + 32'(amount);
      sum_q2    <= clear ? '0 : sum_q;
      carries_o <= carries_o + 32'(17'(sum_q[15:0]) + 17'(amount) > 17'h0ffff);
      if (sum_q[31]) highest_o <= 1'b1;
      if (total != sum_q2) begin
        $display("FAIL total: %h, not %h", total, sum_q2);
        $fatal(1);
      end
    end
  end

  logic unused_bits;
  assign unused_bits = ^bits;
endmodule : cell_total
