// What tb/mutants/points.awk finds, and what it leaves alone (sw/tests/cli/mutants.sh). No design.
module sample
  import sluice_pkg::*;
#(
  parameter int unsigned Depth = 4 + 4
) (
  input  logic clk_i
);
  localparam int unsigned Bits = Depth - 1;
  if (Depth > 2) begin : gen_deep
    assign a = b;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '0;
      flag_q  <= 1'b0;
    end else begin
      seen_q <= push_i;
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '0;
    end else if (push_i && count_q <= limit_i) begin
      count_q <= count_q + 1'b1;   // a comment: x == y
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)     turn_q <= 3'd7;
    else if (take_i) turn_q <= turn_q == 3'd7 ? 3'd0 : other;
  end
  `SLUICE_ASSERT(Some_A, a == b
    && c < d)
  assign full = count_q >= limit_i;
  assign late = full || (push_i && 6'(n + 3) <= limit_i - other && flag_q);
endmodule
