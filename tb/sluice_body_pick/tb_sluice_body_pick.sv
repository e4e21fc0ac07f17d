// SPDX-License-Identifier: Apache-2.0

/// Test of sluice_body_pick: random requests, that stay until they are served or go, and random
/// leave to stay. Checked in every cycle against a search around the readers: it begins with the
/// reader served last if that may stay, else behind it, after a reset, of which there are some,
/// with reader 0.
/// +seed=N, +cycles=N, +break=N (see the file `breaks`).
module tb_sluice_body_pick;
  import sluice_pkg::*;

  localparam int N = int'(NumReaders);

  logic apply = 1'b0;
  `include "bench.svh"
  // ---- DUT; inputs move at a pulse of `apply`
  logic [N-1:0] want, want_dut = '0, stay, stay_dut = '0, grant, granted;
  sluice_body_pick u_dut (
    .clk_i(clk), .rst_ni(rst_n), .want_i(want_dut), .stay_i(stay_dut), .grant_o(grant)
  );
  always_ff @(posedge apply) begin
    want_dut <= mutant == 1 && now % 32 == 0 ? want & (want - 1'b1) : want;
    stay_dut <= mutant == 2 ? '0 : mutant == 3 ? '1 : stay;
  end
  assign granted = mutant == 4 && now % 32 == 0 ? {grant[N-2:0], grant[N-1]} : grant;

  int first = 0, served [N], rate, stays = 0, turns = 0;

  initial begin
    read_arguments(20000);
    want = '0;
    for (int r = 0; r < N; r++) served[r] = 0;
    release_reset(2);
    while (now < int'(cycles)) begin
      int who;
      if (now % 100 == 0) rate = 5 + rnd(96);
      if (now % 1000 == 500) begin
        rst_n = 1'b0;
        tick();
        rst_n = 1'b1;
        first = 0;
      end
      for (int r = 0; r < N; r++) begin
        if (rnd(100) < rate) want[r] = 1'b1;
        else if (rnd(8) == 0) want[r] = 1'b0;
        stay[r] = rnd(3) == 0;
      end
      #1 apply = 1'b1;
      #1 apply = 1'b0;
      who = -1;
      for (int r = N - 1; r >= 0; r--) if (want[(first + r) % N]) who = (first + r) % N;
      for (int r = 0; r < N; r++)
        if (granted[r] != (r == who))
          fail($sformatf("%b wants, %b is served, not reader %0d", want, granted, who));
      if (who >= 0) begin
        served[who]++;
        stays += int'(stay[who]);
        turns += int'(!stay[who]);
        first = stay[who] ? who : (who + 1) % N;
        want[who] = stay[who] || rnd(2) == 0;
      end
      tick();
    end
    for (int r = 0; r < N; r++) if (served[r] < int'(cycles) / 100)
      fail("a reader that is hardly served");
    pass($sformatf("%0d turns, %0d stays", turns, stays));
  end
endmodule : tb_sluice_body_pick
