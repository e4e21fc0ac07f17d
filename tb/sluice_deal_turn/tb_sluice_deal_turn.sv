// SPDX-License-Identifier: Apache-2.0

/// Test of sluice_deal_turn with four lanes: what waits in front of them stays about the same, or
/// runs away, so that all, some or one of them are passed over. Checked in every cycle: the list is
/// the lanes from the turn on that had less than Slack beats more to do than the least, as long as
/// there are, and around again; the turn is behind the last lane that was dealt to. What waits
/// counts from the next cycle on, what the least is one later. Resets come under way: then lane 0
/// has the turn, and all are in the list.
/// +seed=N, +cycles=N, +break=N (see the file `breaks`).
module tb_sluice_deal_turn;
  localparam int Lanes = 4, Slack = 8, CountBits = 9;

  logic apply = 1'b0;
  `include "bench.svh"
  // ---- DUT; inputs move at a pulse of `apply`
  logic [Lanes-1:0][CountBits-1:0] waiting, waiting_dut = '0, waiting_late = '0;
  logic [Lanes-1:0][1:0]           list, seen;
  logic [2:0]                      dealt, dealt_dut = '0;
  sluice_deal_turn #(.Lanes(Lanes), .Dealt(Lanes), .CountBits(CountBits), .Slack(Slack)) u_dut (
    .clk_i(clk), .rst_ni(rst_n), .waiting_i(waiting_dut), .list_o(list), .dealt_i(dealt_dut)
  );
  always_ff @(posedge apply) begin
    waiting_dut  <= mutant == 4 ? waiting_late : waiting;
    if (mutant == 1 && waiting[2] != '0) waiting_dut[2] <= waiting[2] - 1'b1;
    waiting_late <= waiting;
    dealt_dut    <= mutant == 2 && dealt != '0 ? dealt - 1'b1 : dealt;
  end
  always_comb begin
    seen = list;
    if (mutant == 3)
      for (int n = 0; n < Lanes; n++) if (list[n] < 2) seen[n] = list[n] ^ 2'd1;
  end

  // ---- model
  int least = 0, turn = 0, last = 0, spread = 0, passed = 0, edges = 0;
  bit light [Lanes];
  int order [$];

  initial begin
    read_arguments(50000);
    for (int l = 0; l < Lanes; l++) begin
      waiting[l] = '0;
      light[l]   = 1'b1;
    end
    dealt = '0;
    release_reset(2);
    while (now < int'(cycles)) begin
      if (now % 1000 == 500) begin
        rst_n = 1'b0;
        tick();
        rst_n = 1'b1;
        {turn, least} = '0;
        for (int l = 0; l < Lanes; l++) light[l] = 1'b1;
      end
      // the list
      order.delete();
      for (int d = 0; d < Lanes; d++) if (light[(turn + d) % Lanes])
        order.push_back((turn + d) % Lanes);
      passed += int'(order.size() < Lanes);
      for (int n = 0; n < Lanes; n++)
        if (int'(seen[n]) != order[n % order.size()])
          fail($sformatf("place %0d has lane %0d, not %0d", n, seen[n], order[n % order.size()]));
      // what happens in this cycle
      if (now % 50 == 0) spread = 1 + rnd(rnd(4) == 0 ? 200 : 14);
      if (rnd(3) == 0)
        for (int l = 0; l < Lanes; l++) waiting[l] = CountBits'(20 * (now % 7) + rnd(spread));
      dealt = 3'(rnd(2) == 0 ? 0 : rnd(Lanes + 1));
      last = int'(dealt) - 1;
      if (last >= 0) turn = (order[last % order.size()] + 1) % Lanes;
      begin
        bit any;
        any = 1'b0;
        for (int l = 0; l < Lanes; l++) begin
          light[l] = int'(waiting[l]) < least + Slack;
          edges += int'(int'(waiting[l]) == least + Slack);
          any |= light[l];
        end
        if (!any) for (int l = 0; l < Lanes; l++) light[l] = 1'b1;
        least = int'(waiting[0]);
        for (int l = 1; l < Lanes; l++) if (int'(waiting[l]) < least) least = int'(waiting[l]);
      end
      #1 apply = 1'b1;
      #1 apply = 1'b0;
      tick();
    end
    if (passed < 1000 || edges < 100) fail("the traffic was too tame");
    pass($sformatf("a lane was passed over in %0d cycles", passed));
  end
endmodule : tb_sluice_deal_turn
