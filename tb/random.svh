// SPDX-License-Identifier: Apache-2.0
// What the random block tests have in common; included in their modules, behind `localparam Cycles`:
// +seed=N +cycles=N +break=N, random numbers that follow from the seed, and the end of a test that fails.

int unsigned seed = 1, cycles = Cycles, mutant = 0;
int unsigned random_q;
int          now = 0;                            // cycle

task automatic read_arguments();
  void'($value$plusargs("seed=%d", seed));
  void'($value$plusargs("cycles=%d", cycles));
  void'($value$plusargs("break=%d", mutant));
  random_q = seed * 2654435761 + 12345;
endtask

function automatic int rnd(int n);               // 0 .. n-1
  random_q = random_q ^ (random_q << 13);
  random_q = random_q ^ (random_q >> 17);
  random_q = random_q ^ (random_q << 5);
  return int'(random_q >> 4) % n;
endfunction

task automatic fail(string what);
  $display("FAIL: %s (cycle %0d, seed %0d)", what, now, seed);
  $fatal(1);
endtask
