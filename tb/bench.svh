// SPDX-License-Identifier: Apache-2.0
// What every block test has; included in its module, in front of the block. Nothing is declared
// before.
//
//   clk, rst_n              the clock, of 20 time units; the reset, on until `release_reset`
//   seed, cycles, mutant    +seed=N, +cycles=N, +break=N
//   now                     the cycle, which `fail` names: the bench counts it, or calls `tick`
//   read_arguments(n)       first of all; n is what `cycles` is without +cycles=N
//   release_reset(n)        after n cycles
//   rnd(n)                  0 .. n-1; follows from the seed, as `$urandom` does
//   fail(what), pass(what)  the end; so is 10 million cycles (and 10 of each of `cycles`) without
//   A long text is put together of finished parts, {$sformatf("%0d ", n), "words"}: Verilator 5.006
//   takes a format in braces, $sformatf({"%0d ", "words"}, n), for a number, and prints that.
//
// `tb_sluice_reset_sync` is the smallest bench that has it. Most are of this form:
//
//   `include "bench.svh"
//   sluice_block u_dut (.clk_i(clk), .rst_ni(rst_n), .word_i(mutant == 1 ? ~word : word), ...);
//   initial begin
//     read_arguments(20000);
//     word = '0;
//     release_reset(3);
//     while (now < int'(cycles)) begin
//       word = 8'(rnd(256));
//       tick();
//       if (result != expected(word)) fail($sformatf("%0d is wrong", result));
//     end
//     pass($sformatf("%0d words", now));
//   end

/* verilator lint_save */
/* verilator lint_off UNUSEDSIGNAL */
logic clk = 1'b0, rst_n = 1'b0;
initial forever #10 clk = !clk;

int unsigned seed = 1, cycles = 0, mutant = 0;
int unsigned random_q;
int          now = 0;
/* verilator lint_restore */

task automatic read_arguments(int unsigned default_cycles = 0);
  void'($value$plusargs("seed=%d", seed));
  if (!$value$plusargs("cycles=%d", cycles)) cycles = default_cycles;
  void'($value$plusargs("break=%d", mutant));
  $display("seed %0d", seed);
  void'($urandom(seed));
  random_q = seed * 2654435761 + 12345;
endtask

task automatic release_reset(int n);
  repeat (n) @(negedge clk);
  rst_n = 1'b1;
endtask

task automatic tick();
  @(negedge clk);
  now++;
endtask

function automatic int rnd(int n);
  random_q = random_q ^ (random_q << 13);
  random_q = random_q ^ (random_q >> 17);
  random_q = random_q ^ (random_q << 5);
  return int'(random_q >> 4) % n;
endfunction

task automatic fail(string what);
  $display("FAIL: %s (cycle %0d, seed %0d)", what, now, seed);
  $fatal(1);
endtask

task automatic pass(string what);
  $display("PASS %s", what);
  $finish;
endtask

initial #1 #(64'd20 * (64'd10_000_000 + 64'd10 * 64'(cycles))) fail("the test does not end");
