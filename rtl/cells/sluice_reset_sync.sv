// SPDX-License-Identifier: Apache-2.0

/// Reset for the chip from one that knows nothing of its clock: it begins at once, without a clock,
/// and ends in step with `clk_i`, so that all registers leave it in the same cycle.
/// Latency 0 cycles at the beginning; `Stages` edges of the clock at the end, from the first one
/// that sees `rst_async_ni` high. A first register that becomes metastable has `Stages` - 1 cycles
/// to settle.
/// The chip itself does not instantiate it: one stands beside the chip, for each clock domain.
/// Example, Stages 2: rst_async_ni rises between the edges 10 and 11; rst_no rises at edge 12.
/// Invariant: while rst_async_ni is low, rst_no is low.
module sluice_reset_sync #(
  parameter int unsigned Stages = 2      // at least 2
) (
  input  logic clk_i,
  input  logic rst_async_ni,
  output logic rst_no
);
  if (Stages < 2) $fatal(1, "sluice_reset_sync: Stages must be at least 2");

  // Tools must neither share these registers nor move logic between them.
  (* ASYNC_REG = "TRUE", keep = "true" *)
  logic [Stages-1:0] done_q;
  always_ff @(posedge clk_i or negedge rst_async_ni) begin
    if (!rst_async_ni) done_q <= '0;
    else               done_q <= {done_q[Stages-2:0], 1'b1};
  end
  assign rst_no = done_q[Stages-1];
endmodule : sluice_reset_sync
