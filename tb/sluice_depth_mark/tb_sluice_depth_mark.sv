// SPDX-License-Identifier: Apache-2.0

/// sluice_depth_mark against a list of the ports: for each port that a packet asks for, its output
/// lane's queue of the class is looked up; the deepest counts. Thresholds of 0, and queues that are
/// one below them, at them and one above.
/// +seed=N +cycles=N +break=N (see file breaks).
module tb_sluice_depth_mark
  import sluice_cfg_pkg::*;
  import sluice_exit_pkg::*;
;
  `include "bench.svh"

  logic [OutputQueues-1:0][10:0]          ecn, dut_ecn;
  logic [NumPorts-1:0]                    ports, dut_ports;
  queue_class_t                           queue_class, dut_class;
  held_t [NumPipes-1:0][OutputQueues-1:0] held, dut_held;
  logic                                   deep;
  held_t                                  most;
  sluice_depth_mark u_dut (
    .class_ecn_i(dut_ecn), .ports_i(dut_ports), .held_i(dut_held),
    .queue_class_i(dut_class), .deep_o(deep), .held_o(most)
  );
  // Through registers: what a loop that waits gives to a block without a clock Verilator 5.006
  // does not work out.
  always_ff @(posedge clk) begin
    dut_ecn   <= ecn;
    dut_ports <= ports;
    dut_held  <= held;
    dut_class <= mutant == 2 ? ~queue_class : queue_class;
    if (mutant == 1) dut_ecn[queue_class] <= ecn[queue_class] + 11'(ecn[queue_class] != '0);
    if (mutant == 3) dut_ports[1] <= 1'b1;
    if (mutant == 4) dut_held[0] <= '0;
    if (mutant == 5 && ecn[queue_class] == '0) dut_ecn[queue_class] <= 11'd1;
  end

  initial begin
    int deeps = 0, edges = 0;
    read_arguments(20000);
    release_reset(1);
    while (now < int'(cycles)) begin
      int around, threshold, expected;
      around = rnd(OutputDepth);
      for (int c = 0; c < int'(OutputQueues); c++)
        ecn[c] = rnd(4) == 0 ? '0 : rnd(4) == 0 ? 11'(rnd(2048)) : 11'(around + rnd(3));
      for (int o = 0; o < int'(NumPipes); o++)
        for (int c = 0; c < int'(OutputQueues); c++)
          held[o][c] = rnd(4) == 0 ? '0 : held_t'(rnd(3) != 0 ? around + rnd(2) : rnd(around + 1));
      ports       = NumPorts'($urandom) & NumPorts'($urandom);
      queue_class = queue_class_t'(rnd(OutputQueues));
      tick();
      // Port p is a port of lane p modulo NumPipes (docs/machine.md).
      threshold = int'(ecn[queue_class]);
      expected  = 0;
      for (int p = 0; p < int'(NumPorts); p++)
        if (ports[p] && int'(held[p % NumPipes][queue_class]) > expected)
          expected = int'(held[p % NumPipes][queue_class]);
      if (int'(most) != expected) fail($sformatf("the most is %0d, not %0d", most, expected));
      if (deep != (ports != '0 && threshold != 0 && expected >= threshold))
        fail($sformatf("deep %b: threshold %0d, the most %0d", deep, threshold, expected));
      deeps += int'(deep);
      edges += int'(threshold != 0 && expected == threshold);
    end
    if (cycles >= 10000 && (deeps < 1000 || edges < 500))
      fail($sformatf("little tested: %0d deep, %0d at the threshold", deeps, edges));
    pass($sformatf("%0d packets, %0d of deep queues", now, deeps));
  end
endmodule : tb_sluice_depth_mark
