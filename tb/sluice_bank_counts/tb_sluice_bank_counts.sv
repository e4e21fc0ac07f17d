// SPDX-License-Identifier: Apache-2.0

/// Test of sluice_bank_counts. Packets of a few rows or of many, of either bank, enter in all lanes at once, and each of those that
/// are inside is lost at the order point, goes over to the other bank or leaves some time later, up to four events a lane and cycle. The model is
/// the list of the packets inside of each lane: two cycles after an event an entry must say that somebody is inside if and only if
/// its list is not empty. From time to time nobody enters, until all are out; now and then a lane holds as many
/// packets as its buffer does. In a chip with egress stages a packet that leaves becomes copies, none to one for each port, which
/// are inside as well until they have passed the egress of their lane.
/// +seed=N, +cycles=N, +break=N (see the file `breaks`).
module tb_sluice_bank_counts
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
;
  localparam int K = int'(NumPipes), Entries = int'(Banks * NumModules), Most = int'(HeaderSlots);

  localparam int unsigned Cycles = 60000;
  `include "bench.svh"

  bank_copies_t [K-1:0] copies, copies_dut, copies_q;
  bank_event_t  [K-1:0] past, past_dut, past_q;
  bank_event_t [K-1:0] enter, lost, turned, leave, enter_dut, lost_dut, turned_dut, leave_dut, enter_q, lost_q, turned_q, leave_q;
  logic [Entries-1:0]  somebody;
  always_ff @(posedge clk) begin
    enter_q <= enter;
    lost_q  <= lost;
    turned_q <= turned;
    leave_q <= leave;
    copies_q <= copies;
    past_q <= past;
  end
  always_comb begin
    enter_dut = mutant == 7 ? enter_q : enter;
    lost_dut  = mutant == 7 ? lost_q : lost;
    turned_dut = mutant == 7 ? turned_q : turned;
    leave_dut = mutant == 7 ? leave_q : leave;
    copies_dut = mutant == 7 ? copies_q : copies;
    past_dut   = mutant == 7 ? past_q : past;
    if (mutant == 9 && copies[0].count == 2) copies_dut[0].count = 1;
    if (mutant == 10 && now % 64 == 0) past_dut[0].valid = 1'b0;
    if (mutant == 11) past_dut[K-1].overlay = past[K-1].overlay ^ overlay_t'(NumModules);
    if (mutant == 1 && now % 64 == 0) enter_dut[0].valid = 1'b0;
    if (mutant == 2 && now % 64 == 0) lost_dut[0].valid = 1'b0;
    if (mutant == 3 && now % 64 == 0) leave_dut[0].valid = 1'b0;
    if (mutant == 4 && now % 64 == 0) leave_dut[0].overlay = leave[0].overlay ^ overlay_t'(NumModules);
    if (mutant == 8 && now % 64 == 0) turned_dut[0].valid = 1'b0;
    if (mutant == 5 && lost[K-1].valid) leave_dut[K-1].valid = 1'b0;
  end
  sluice_bank_counts u_dut (
    .clk_i(clk), .rst_ni(rst_n), .enter_i(enter_dut), .lost_i(lost_dut), .turned_i(turned_dut), .leave_i(leave_dut),
    .copies_i(copies_dut), .past_i(past_dut), .early_i(mutant == 6), .inside_o(somebody)
  );

  // ---- packets inside: entries, of each lane
  overlay_t here [K][$];
  overlay_t away [K][$];                         // copies, by the lane whose egress they pass
  int       count [Entries];                     // of all lanes
  int       most_copies = 0;
  bit       wanted [2][Entries];                 // [n]: n cycles ago
  int       seen_flips = 0, seen_full = 0, seen_three = 0, packets = 0;
  bit       filling, few;

  function automatic bank_event_t take(pipe_t lane);
    int at;
    at   = rnd(here[lane].size());
    take = '{valid: 1'b1, overlay: here[lane][at]};
    here[lane].delete(at);
    count[take.overlay]--;
  endfunction

  task automatic draw();
    enter = '0;
    lost  = '0;
    turned = '0;
    leave = '0;
    copies = '0;
    past = '0;
    for (int l = 0; l < K; l++) begin
      // What passes in this cycle was a copy before.
      if (away[l].size() != 0 && rnd(filling ? 3 : 2) == 0) begin
        automatic int at = rnd(away[l].size());
        past[l] = '{valid: 1'b1, overlay: away[l][at]};
        away[l].delete(at);
        count[past[l].overlay]--;
      end
      // What leaves in this cycle came in before.
      if (here[l].size() != 0 && rnd(filling ? 8 : 2) == 0) lost[l] = take(pipe_t'(l));
      if (here[l].size() != 0 && rnd(filling ? 8 : 2) == 0) leave[l] = take(pipe_t'(l));
      copies[l].overlay = leave[l].overlay;
      if (EgressStages != 0 && leave[l].valid) begin
        automatic int many = rnd(3) == 0 ? rnd(int'(NumPorts) + 1) : 1;
        for (int n = 0; n < many; n++) begin
          automatic pipe_t lane = pipe_t'(rnd(K));
          if (away[lane].size() >= Most) continue;
          copies[l].count++;
          away[lane].push_back(leave[l].overlay);
          count[leave[l].overlay]++;
        end
      end
      if (here[l].size() != 0 && rnd(16) == 0) begin
        turned[l] = take(pipe_t'(l));
        here[l].push_back(turned[l].overlay ^ overlay_t'(NumModules));
        count[turned[l].overlay ^ overlay_t'(NumModules)]++;
      end
      if (filling && here[l].size() < Most && rnd(4) != 0) begin
        enter[l] = '{valid: 1'b1, overlay: overlay_t'(few ? rnd(2) * int'(NumModules) + 5 : rnd(Entries))};
        here[l].push_back(enter[l].overlay);
        count[enter[l].overlay]++;
        packets++;
      end
      if (away[l].size() > most_copies) most_copies = away[l].size();
      if (here[l].size() == Most) seen_full++;
      if (enter[l].valid && lost[l].valid && leave[l].valid) seen_three++;
    end
  endtask

  initial begin
    read_arguments(Cycles);
    {enter, lost, turned, leave, copies, past} = '0;
    for (int e = 0; e < Entries; e++) begin
      count[e] = 0;
      for (int n = 0; n < 2; n++) wanted[n][e] = 1'b0;
    end
    release_reset(3);
    while (now < int'(cycles)) begin
      if (now % 1000 == 0) few = rnd(2) == 0;
      filling = now % 2000 < 1200;
      draw();
      for (int e = 0; e < Entries; e++) begin
        if (wanted[1][e] != (count[e] != 0)) seen_flips++;
        wanted[0][e] = count[e] != 0;
      end
      tick();
      // `wanted[0]` are the events of the cycle that has just ended: they are registered now, and count from the next one on.
      for (int e = 0; e < Entries; e++) begin
        if (somebody[e] != wanted[1][e]) fail($sformatf("entry %0d: inside is %0d, not %0d", e, somebody[e], wanted[1][e]));
        wanted[1][e] = wanted[0][e];
      end
    end
    if (cycles >= Cycles && (seen_full < 50 || seen_three < 100 || seen_flips < 1000 || (EgressStages != 0 && most_copies < 50))) fail("too tame");
    pass({$sformatf("%0d packets, %0d times from none or to none, ", packets, seen_flips),
          $sformatf("%0d cycles with a full lane, %0d with three events of a lane", seen_full, seen_three)});
  end
endmodule : tb_sluice_bank_counts
