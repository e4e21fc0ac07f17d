// SPDX-License-Identifier: Apache-2.0

/// sluice_reset_sync with two and with three stages, and resets that begin and end at any time:
/// the chip's reset begins in the same moment, ends `Stages` edges after that of the board, and only
/// at an edge of the clock.
/// +seed=N. +break=N: 1 reset begins with the clock, 2 it ends a cycle early, 3 it ends without the
/// clock.
module tb_sluice_reset_sync;
  `include "bench.svh"

  int   resets = 0;
  logic rst_async_n = 1'b1;
  logic [3:2] synced_n, seen, rst_late_q;
  for (genvar n = 2; n <= 3; n++) begin : gen_stages
    sluice_reset_sync #(.Stages(n)) u_dut (
      .clk_i(clk), .rst_async_ni(rst_async_n), .rst_no(synced_n[n])
    );
    always_ff @(posedge clk) rst_late_q[n] <= synced_n[n];
    assign seen[n] = mutant == 1 ? synced_n[n] || rst_late_q[n]
                   : mutant == 2 ? u_dut.done_q[n-2]
                   : mutant == 3 ? rst_async_n : synced_n[n];
  end

  // Edges since the board's reset ended.
  int edges = 0;
  always @(posedge clk or negedge rst_async_n) begin
    if (!rst_async_n) edges <= 0;
    else              edges <= edges + 1;
  end

  task automatic look;
    for (int n = 2; n <= 3; n++)
      if (seen[n] != (rst_async_n && edges >= n))
        $fatal(1, "%0d stages: reset is %0d, %0d edges after that of the board (%0d)", n, seen[n],
               edges, rst_async_n);
  endtask

  initial begin
    read_arguments();
    #1 rst_async_n = 1'b0;
    repeat (20000) begin
      #1;
      // Not at an edge of the clock, where both orders are right.
      if ($time % 10 == 0) continue;
      look();
      if (rst_async_n ? $urandom_range(200) == 0 : $urandom_range(20) == 0) begin
        rst_async_n = !rst_async_n;
        resets += 32'(!rst_async_n);
      end
    end
    if (resets < 50) $fatal(1, "only %0d resets", resets);
    pass($sformatf("%0d resets", resets));
  end
endmodule : tb_sluice_reset_sync
