// SPDX-License-Identifier: Apache-2.0

/// Test of sluice_register_block: blocks for one, three and eight lanes or ports, each against plain
/// counters (registers.sv). +seed=N, +cycles=N, +break=N (see the file `breaks`).
module tb_sluice_register_block;
  logic        clk_i = 1'b0, rst_ni = 1'b0;
  int unsigned seed = 1, cycles = 50000;
  int          mutant = 0;
  initial forever #5 clk_i = !clk_i;

  int answers [3], empty [3];
  registers #(.Instances(1), .NumCounts(3), .NumLevels(2), .NumWords(2)) u_one (
    .clk_i, .rst_ni, .seed_i(seed), .break_i(mutant), .answers_o(answers[0]), .empty_o(empty[0])
  );
  registers #(.Instances(3), .NumCounts(1), .NumLevels(1), .NumWords(4)) u_three (
    .clk_i, .rst_ni, .seed_i(seed + 100), .break_i(mutant), .answers_o(answers[1]),
    .empty_o(empty[1])
  );
  registers #(.Instances(8), .NumCounts(5), .Base(20'h14000)) u_eight (
    .clk_i, .rst_ni, .seed_i(seed + 200), .break_i(mutant), .answers_o(answers[2]),
    .empty_o(empty[2])
  );

  initial begin
    void'($value$plusargs("seed=%d", seed));
    void'($value$plusargs("cycles=%d", cycles));
    void'($value$plusargs("break=%d", mutant));
    repeat (3) @(negedge clk_i);
    rst_ni = 1'b1;
    repeat (int'(cycles)) @(negedge clk_i);
    for (int n = 0; n < 3; n++)
      if (answers[n] < int'(cycles) / 4 || empty[n] < int'(cycles) / 20)
        $fatal(1, "block %0d: too tame", n);
    $display("PASS sluice_register_block: seed %0d, %0d cycles, %0d reads of eight instances", seed,
             cycles, answers[2]);
    $finish;
  end
endmodule : tb_sluice_register_block
