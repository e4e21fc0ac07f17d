// SPDX-License-Identifier: Apache-2.0

/// Test of the choice which ports take a packet, against a list of the lanes for each port: random packets, full queues,
/// lines and limits, and every answer as the list has it. Then one lane with a packet every n-th cycle for a port that all
/// others want in every cycle, for each lane and all n from 1 to 17: it gets its share, whatever n is.
/// Plusargs: +seed=N, +cycles=N, +break=N (see the file breaks).
module tb_sluice_output_admit
  import sluice_cfg_pkg::*;
  import sluice_exit_pkg::*;
;
  localparam int K = int'(NumPipes);
  `include "bench.svh"

  logic [10:0]                       limit, dut_limit;
  logic [NumPipes-1:0][NumPorts-1:0] ports, dut_ports, accepted, refused;
  logic [NumPipes-1:0][NumPipes-1:0][OutputQueues-1:0] full, dut_full, promised;
  logic [NumPorts-1:0]               sent, dut_sent;
  logic [NumPorts-1:0][15:0]         waiting;

  always_comb begin
    dut_limit = limit;
    dut_ports = ports;
    dut_full  = full;
    dut_sent  = sent;
    case (mutant)
      1: dut_limit = limit + 11'(limit != '0);
      2: dut_sent[3] = 1'b0;
      3: dut_full[0][1] = '0;
      4: dut_ports[2][5] = 1'b1;
      5: dut_ports[0][1] = 1'b0;
      default: ;
    endcase
  end

  sluice_output_admit dut (
    .clk_i(clk), .rst_ni(rst_n), .limit_i(dut_limit), .ports_i(dut_ports), .queue_class_i('0), .full_i(dut_full), .sent_i(dut_sent),
    .promised_o(promised), .accepted_o(accepted), .refused_o(refused), .waiting_o(waiting)
  );

  // ---- the list of each port: the lane that comes first, and so on; and what waits there
  int order [NumPorts][NumPipes];
  int count [NumPorts];
  logic [NumPipes-1:0][NumPorts-1:0] taken;    // as the list has it, of the packets that asked in this cycle

  task automatic reset_lists();
    for (int p = 0; p < int'(NumPorts); p++) begin
      count[p] = 0;
      for (int n = 0; n < K; n++) order[p][n] = n;
    end
  endtask

  task automatic decide();
    taken = '0;
    for (int p = 0; p < int'(NumPorts); p++) begin
      automatic int room = limit == '0 ? K : int'(limit) - count[p];
      automatic int behind [NumPipes], at = 0, last = 0;
      for (int n = 0; n < K; n++) begin
        automatic int s = order[p][n];
        automatic int o = p % K;
        if (ports[s][p] && full[o][s] == '0 && room > 0) begin
          taken[s][p] = 1'b1;
          room--;
          behind[last] = s;
          last++;
        end else begin
          order[p][at] = s;
          at++;
        end
      end
      for (int n = 0; n < last; n++) order[p][at+n] = behind[n];
      count[p] += last - int'(sent[p]);
    end
  endtask

  task automatic compare();
    for (int s = 0; s < K; s++) begin
      if (accepted[s] != taken[s]) fail($sformatf("lane %0d: accepted %x, should be %x", s, accepted[s], taken[s]));
      if (refused[s] != (ports[s] & ~taken[s])) fail($sformatf("lane %0d: refused %x", s, refused[s]));
    end
    for (int p = 0; p < int'(NumPorts); p++)
      if (int'(waiting[p]) != count[p]) fail($sformatf("port %0d: %0d wait, should be %0d", p, waiting[p], count[p]));
  endtask

  task automatic cycle();
    decide();
    #1;
    for (int o = 0; o < K; o++)
      for (int s = 0; s < K; s++) begin
        automatic bit takes = 1'b0;
        for (int p = o; p < int'(NumPorts); p += K) takes = takes || taken[s][p];
        if (promised[o][s] != takes) fail("promise");
      end
    @(negedge clk);
    compare();
    now++;
  endtask

  // ---- lane `slow` asks every `period` cycles, all others always; the line sends one copy a cycle
  task automatic periodic(int slow, int period);
    automatic int asked = 0, got = 0, wanted;
    for (int n = 0; n < 40 * K + period * 40; n++) begin
      ports = '0;
      for (int s = 0; s < K; s++) ports[s][1] = s != slow || n % period == 0;
      sent    = '0;
      sent[1] = count[1] != 0;
      cycle();
      if (n >= 20) begin                          // the queue has filled
        asked += int'(ports[slow][1]);
        got   += int'(accepted[slow][1]);
      end
    end
    // Once its packet is taken, each of the others has its turn, one a cycle; then it is first again. So of its
    // packets it gets all if they come every K cycles or less often, else every second one, third one...
    wanted = asked / ((K + period - 1) / period);
    if (got + 2 < wanted) fail($sformatf("lane %0d, a packet every %0d cycles: %0d of %0d taken", slow, period, got, asked));
    ports = '0;
    while (count[1] != 0) cycle();
  endtask

  initial begin
    int kind;
    read_arguments(20000);
    limit = '0;
    ports = '0;
    full  = '0;
    sent  = '0;
    reset_lists();
    release_reset(1);
    repeat (3) @(negedge clk);
    kind = 0;
    for (int n = 0; n < int'(cycles); n++) begin
      // A new limit shows two cycles later: nobody asks then.
      if (n % 1000 == 0) begin
        ports = '0;
        sent  = '0;
        limit = 11'(kind % 3 == 0 ? 0 : 1 + rnd(12));
        kind++;
        repeat (4) cycle();
      end
      for (int s = 0; s < K; s++) begin
        ports[s] = NumPorts'(rnd(1 << 16) & rnd(1 << 16));
        if (rnd(3) == 0) ports[s] = '0;
        if (rnd(4) == 0) ports[s] = '1;
      end
      for (int o = 0; o < K; o++)
        for (int s = 0; s < K; s++)
          if (rnd(8) == 0) full[o][s] = ~full[o][s];
      for (int p = 0; p < int'(NumPorts); p++) sent[p] = count[p] != 0 && rnd(2) == 0;
      cycle();
    end
    // drain; then the periods
    ports = '0;
    full  = '0;
    for (int n = 0; n < 70000 && waiting != '0; n++) begin
      for (int p = 0; p < int'(NumPorts); p++) sent[p] = count[p] != 0;
      cycle();
    end
    sent  = '0;
    limit = 11'd6;
    repeat (4) cycle();
    for (int slow = 0; slow < K; slow++)
      for (int period = 1; period <= 17; period++) periodic(slow, period);
    pass($sformatf("%0d cycles", now));
  end
endmodule : tb_sluice_output_admit
