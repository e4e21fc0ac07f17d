// SPDX-License-Identifier: Apache-2.0

/// Test of turns by beats: four queues and a line. Each queue has packets of its own kind of size (one beat, 24, 144,
/// anything) and is busy always, in bursts, every n-th cycle, or never; all of that changes now and then, and the line stops at
/// times. Now and then two queues duel for longer: both always have something, one packets of one beat, the other of 24 or 144, so
/// that what a packet costs beside its beats adds up. For each two queues, counted from the moment from which both have had something to send without a break: the
/// beats that they sent never differ by more than two of the longest packets and a few beats. And the line never rests while
/// a queue asks. Then the same with weights, new ones in each of some passes: what the beats counted differs by no more than
/// that at the largest cost.
/// Plusargs: +seed=N, +cycles=N, +break=N (see the file breaks).
module tb_sluice_byte_turn;
  localparam int N = 4, Longest = 144;
  `include "bench.svh"

  logic [N-1:0] waits, request, grant, beat, dut_waits, dut_beat, plain_grant, weighted_grant;
  logic [N-1:0][3:0] costs, dut_costs;
  logic         take, weighted;
  assign grant = weighted ? weighted_grant : plain_grant;

  always_comb begin
    dut_waits = waits;
    dut_beat  = beat;
    dut_costs = costs;
    case (mutant)
      1: dut_beat[0] = 1'b0;
      2: dut_waits = '1;
      4: dut_beat = {beat[3], beat[2] | beat[1], 1'b0, beat[0]};
      5: dut_waits = request & -request;
      6: dut_costs[2] = 4'(costs[2] == '0);
      default: ;
    endcase
  end

  sluice_byte_turn #(.Count(N), .Longest(144)) dut (
    .clk_i(clk), .rst_ni(rst_n), .waits_i(weighted ? '0 : dut_waits), .request_i(weighted ? '0 : request),
    .take_i(take && mutant != 3 && !weighted),
    .grant_o(plain_grant), .beat_i(dut_beat), .costs_i('0)
  );
  sluice_byte_turn #(.Count(N), .Longest(144), .Weighted(1'b1)) dut_weighted (
    .clk_i(clk), .rst_ni(rst_n), .waits_i(weighted ? dut_waits : '0), .request_i(weighted ? request : '0),
    .take_i(take && mutant != 3 && weighted),
    .grant_o(weighted_grant), .beat_i(dut_beat), .costs_i(dut_costs)
  );

  // ---- queues: sizes of the packets that wait
  int queue [N][$];
  int kind [N], load [N], period [N];
  int sent [N];                       // what its beats counted, ever
  int since [N][N];                   // sent[n] - sent[m] when both began to wait
  bit both [N][N];

  function automatic int size_of(int k);
    case (k)
      0:       return 1;
      1:       return 24;
      2:       return Longest;
      3:       return 1 + rnd(2);
      default: return 1 + rnd(rnd(4) == 0 ? Longest : 30);
    endcase
  endfunction

  localparam int Even = 1000;         // cycles in which all are alike
  int  turn [N];                      // when it was chosen last
  int  counted [N], recent [N];       // beats sent, as of two cycles ago, and of one
  int  left = 0, from = 0, worst = 0, change = 0, dearest = 1;
  localparam int Pass = 20000;        // cycles with the same costs
  bit  busy = 1'b0, duel = 1'b0;

  initial begin
    read_arguments(200000);
    {waits, request, beat, take, costs, weighted} = '0;
    for (int n = 0; n < N; n++) {kind[n], load[n], period[n], sent[n]} = '0;
    for (int n = 0; n < N; n++) {turn[n], counted[n], recent[n]} = '0;
    for (int n = 0; n < N; n++) for (int m = 0; m < N; m++) {since[n][m], both[n][m]} = '0;
    release_reset(1);
    for (now = 0; now < 2 * int'(cycles); now++) begin
      automatic bit stop = (now / 5000) % 3 == 1 && rnd(4) == 0;
      if (now >= int'(cycles) && now % Pass == 0) begin
        weighted = 1'b1;
        dearest  = 1;
        for (int n = 0; n < N; n++) begin
          costs[n] = 4'(rnd(3) == 0 ? 0 : rnd(2) == 0 ? 1 + rnd(3) : rnd(16));
          if (int'(costs[n]) >= dearest) dearest = 1 + int'(costs[n]);
          sent[n]  = 0;
          queue[n].delete();
        end
        for (int n = 0; n < N; n++) for (int m = 0; m < N; m++) both[n][m] = 1'b0;
        {waits, request, beat, take} = '0;
        busy  = 1'b0;
        rst_n = 1'b0;
        release_reset(1);
      end
      if (now == change) begin
        duel   = !duel && rnd(3) == 0;
        change = now + (duel ? 6000 : 200 + rnd(3000));
        for (int n = 0; n < N; n++) begin
          kind[n]   = rnd(5);
          load[n]   = duel ? 2 * rnd(2) : rnd(4);
          period[n] = 2 + rnd(40);
        end
        if (duel) begin
          automatic bit [1:0] first = 2'(rnd(N)), second = first + 2'(1 + rnd(N - 1));
          kind[first]  = 0;
          kind[second] = 1 + rnd(2);
          load[first]  = 3;
          load[second] = 3;
        end
      end
      // First all have packets of one beat, or of one or two, always: the queue that has sent least
      // is chosen, and of equal ones the one that was chosen longer ago.
      if (now < Even) begin
        for (int n = 0; n < N; n++) {kind[n], load[n]} = {now < Even / 2 ? 32'd0 : 32'd3, 32'd3};
        change = Even;
      end
      // what comes
      for (int n = 0; n < N; n++) begin
        automatic bit come = load[n] == 0 ? 1'b0 : load[n] == 1 ? now % period[n] == 0
                             : load[n] == 2 ? now[8] : 1'b1;
        if (come && queue[n].size() < 8) queue[n].push_back(size_of(kind[n]));
      end
      // what asks: a body may be late, and ask for nothing until then
      for (int n = 0; n < N; n++) begin
        waits[n]   = queue[n].size() != 0;
        request[n] = waits[n];
      end
      // the line: the copy that is sent, and the choice with its last beat
      beat = busy && !stop ? N'(1 << from) : '0;
      take = (!busy || (!stop && left == 1)) && request != '0;
      #1;
      if (take) begin
        if (!$onehot(grant) || (grant & request) == '0) fail("the choice is none of those that ask");
      end
      if (beat != '0) begin
        sent[from] += 1 + int'(costs[from]);
        left--;
        if (left == 0) busy = 1'b0;
      end
      if (take) begin
        for (int n = 0; n < N; n++) if (grant[n]) from = n;
        if (now < Even) begin
          for (int n = 0; n < N; n++)
            if (counted[n] < counted[from] || (counted[n] == counted[from] && turn[n] < turn[from]))
              fail($sformatf("queue %0d is chosen, not queue %0d", from, n));
          turn[from] = now;
        end
        left = queue[from].pop_front();
        busy = 1'b1;
      end
      for (int n = 0; n < N; n++)
        for (int m = n + 1; m < N; m++) begin
          automatic int apart;
          // A queue whose last packet is being sent, and that has no other, does not wait.
          automatic bit now_both = queue[n].size() != 0 && queue[m].size() != 0;
          if (now_both && !both[n][m]) since[n][m] = sent[n] - sent[m];
          both[n][m] = now_both;
          if (now_both) begin
            apart = sent[n] - sent[m] - since[n][m];
            if (apart < 0) apart = -apart;
            // At the start one may be ahead of the other by a packet, at the end the other by one.
            if (apart > (2 * Longest + 8) * dearest)
              fail($sformatf("queues %0d and %0d are %0d beats apart", n, m, apart));
            if (!weighted && apart > worst) worst = apart;
          end
        end
      counted = recent;
      recent  = sent;
      @(negedge clk);
    end
    for (int n = 0; n < N; n++) if (sent[n] == 0) fail("a queue sent nothing");
    pass($sformatf("at most %0d beats apart", worst));
  end
endmodule : tb_sluice_byte_turn
