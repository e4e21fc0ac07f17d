// SPDX-License-Identifier: Apache-2.0

/// Test of sluice_register_block: blocks for one, three and eight lanes or ports, each against plain
/// counters (registers.sv). +seed=N, +cycles=N, +break=N (see the file `breaks`).
module tb_sluice_register_block;
  `include "bench.svh"

  int answers [3], empty [3];
  registers #(.Instances(1), .NumCounts(3), .NumLevels(2), .NumWords(2)) u_one (
    .clk_i(clk), .rst_ni(rst_n), .seed_i(seed),
    .break_i(mutant), .answers_o(answers[0]), .empty_o(empty[0])
  );
  registers #(.Instances(3), .NumCounts(1), .NumLevels(1), .NumWords(4)) u_three (
    .clk_i(clk), .rst_ni(rst_n), .seed_i(seed + 100),
    .break_i(mutant), .answers_o(answers[1]),
    .empty_o(empty[1])
  );
  registers #(.Instances(8), .NumCounts(5), .Base(20'h14000)) u_eight (
    .clk_i(clk), .rst_ni(rst_n), .seed_i(seed + 200),
    .break_i(mutant), .answers_o(answers[2]),
    .empty_o(empty[2])
  );

  initial begin
    read_arguments(50000);
    release_reset(3);
    repeat (int'(cycles)) @(negedge clk);
    for (int n = 0; n < 3; n++)
      if (answers[n] < int'(cycles) / 4 || empty[n] < int'(cycles) / 20)
        $fatal(1, "block %0d: too tame", n);
    pass($sformatf("%0d cycles, %0d reads of eight instances", cycles, answers[2]));
  end
endmodule : tb_sluice_register_block
