// SPDX-License-Identifier: Apache-2.0

/// Test of sluice_admit: random masks, packets, and all that may block one, a case a cycle, against
/// the rule as its header has it, lane after lane in the order: what is taken, admitted or dropped,
/// who stays, who is before whom, and what the first that stays waits for.
/// +seed=N, +cycles=N, +break=N (see the file `breaks`).
module tb_sluice_admit;
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;

  localparam int K = int'(NumPipes), S = int'(StateStages), Shown = K < 4 ? K : 4;
  typedef logic [NumPipes-1:0] lanes_t;

  logic apply = 1'b0;
  `include "bench.svh"
  // ---- DUT; inputs move at a pulse of `apply`
  typedef struct packed {
    order_settings_t                settings;
    lanes_t [Shown-1:0]             mask;
    logic                           overload;
    lanes_t                         valid, no_packet;
    lanes_t [K-1:0][S-1:0]          need;
    blocks_t                        blocks;
    lanes_t [K-1:0]                 room_fixed, room_any, fixed, open;
    logic                           room_window;
  } inputs_t;
  inputs_t in, dut = '0;
  lanes_t take, stop, admit, drop, drop_above;
  lanes_t [K-1:0]    ahead;
  logic [K-1:0][4:0] waits;
  decision_t [K-1:0] decision;
  for (genvar l = 0; l < K; l++) begin : gen_lane
    assign {take[l], admit[l], drop[l], drop_above[l], ahead[l], waits[l]} = decision[l];
  end
  sluice_admit u_dut (
    .clk_i(clk), .rst_ni(rst_n), .settings_i(dut.settings), .mask_i(dut.mask),
    .overload_i(dut.overload), .valid_i(dut.valid), .void_i(dut.no_packet), .need_i(dut.need),
    .blocks_i(dut.blocks),
    .room_fixed_i(dut.room_fixed), .room_any_i(dut.room_any),
    .fixed_i(dut.fixed), .open_i(dut.open), .room_window_i(dut.room_window),
    .decision_o(decision), .stop_o(stop)
  );
  always_ff @(posedge apply) begin
    dut <= in;
    case (mutant)
      1: dut.settings.fault[FaultLaneSwap] <= 1'b1;
      2: dut.blocks.paced <= '0;
      3: dut.overload <= 1'b0;
      4: dut.blocks.above <= '0;
      5: dut.valid <= '1;
      6: dut.settings.mode.drop_full <= 1'b0;
      7: dut.room_window <= 1'b1;
      default: ;
    endcase
  end

  int taken = 0, admitted = 0, dropped = 0, refused = 0, waited [5];

  function automatic bit some(int percent);
    return rnd(100) < percent;
  endfunction

  task automatic new_case();
    int block;                                   // how often something blocks
    lanes_t left;
    block = rnd(3) == 0 ? 2 : 10;
    in = '0;
    in.settings.mode.drop_full       = some(30);
    in.settings.fault[FaultLaneSwap] = some(10);
    in.overload    = some(15);
    in.room_window = !some(15);
    left = '1;
    for (int w = 0; w < Shown; w++) begin
      in.mask[w] = left & lanes_t'(rnd(1 << K)) & lanes_t'(rnd(1 << K));
      left &= ~in.mask[w];
    end
    for (int s = 0; s < S; s++)
      for (int d = 0; d < K; d++) begin
        in.blocks.paced[s][d]  = some(block);
        in.blocks.half[s][d]   = some(4 * block);
        in.blocks.braked[s][d] = some(block);
        for (int l = 0; l < K; l++) begin
          in.blocks.full[s][l][d]  = some(block);
          in.blocks.above[s][l][d] = some(block);
        end
      end
    for (int l = 0; l < K; l++) begin
      in.valid[l]     = some(85);
      in.no_packet[l] = some(10);
      for (int s = 0; s < S; s++) if (some(40)) in.need[l][s][rnd(K)] = 1'b1;
      if (some(50)) in.fixed[l][rnd(K)] = 1'b1;
      else          in.open[l][rnd(K)]  = 1'b1;
      for (int d = 0; d < K; d++) begin
        in.room_fixed[l][d] = !some(block);
        in.room_any[l][d]   = !some(block);
      end
    end
  endtask

  // The lanes that are shown, in their order.
  int line [$];
  task automatic make_line();
    line.delete();
    for (int w = 0; w < Shown; w++)
      for (int n = 0; n < K; n++) begin
        int l;
        l = n < 2 && in.settings.fault[FaultLaneSwap] ? 1 - n : n;
        if (in.mask[w][l]) line.push_back(l);
      end
  endtask

  task automatic check();
    lanes_t want_take, want_stop, want_admit, want_drop, want_above, passed;
    bit     stopped;
    logic [K-1:0][4:0] want_waits;
    {want_take, want_stop, want_admit, want_drop, want_above, passed} = '0;
    want_waits = '0;
    stopped    = 1'b0;
    for (int i = 0; i < line.size(); i++) begin
      int         l, first;
      logic [4:0] cause;
      bit         above, goes;
      l     = line[i];
      cause = '0;
      above = 1'b0;
      for (int s = 0; s < S; s++)
        for (int d = 0; d < K; d++) if (in.need[l][s][d]) begin
          above |= in.blocks.above[s][l][d];
          cause[0] |= in.blocks.paced[s][d] || (in.blocks.above[s][l][d] && in.blocks.half[s][d]);
          cause[1] |= in.blocks.braked[s][d];
          cause[2] |= in.blocks.full[s][l][d];
        end
      cause[3] = 1'b1;
      for (int d = 0; d < K; d++)
        if ((in.fixed[l][d] && in.room_fixed[l][d])
            || (in.open[l][d] && in.room_any[l][d])) cause[3] = 1'b0;
      cause[4] = !in.room_window;
      // goes: is disposed of in this cycle, if nothing before it stays
      goes = in.no_packet[l] || cause == '0 || in.overload || above
          || (in.settings.mode.drop_full && cause[2]);
      goes &= in.valid[l];
      if (!goes) want_stop[l] = 1'b1;
      if (ahead[l] != passed)
        fail($sformatf("lane %0d: %b are before it, expected %b", l, ahead[l], passed));
      passed[l] = 1'b1;
      if (stopped) continue;
      if (goes) begin
        want_take[l] = 1'b1;
        if (!in.no_packet[l]) begin
          want_admit[l] = cause == '0;
          want_drop[l]  = cause != '0;
          want_above[l] = cause != '0 && above;
        end
      end else if (in.valid[l]) begin
        first = 0;
        while (!cause[first]) first++;
        want_waits[l][first] = 1'b1;
        waited[first]++;
      end
      stopped = !goes;
    end
    if (take != want_take)   fail($sformatf("%b are taken, expected %b", take, want_take));
    if (stop != want_stop)   fail($sformatf("%b stay, expected %b", stop, want_stop));
    if (admit != want_admit) fail($sformatf("%b are admitted, expected %b", admit, want_admit));
    if (drop != want_drop)   fail($sformatf("%b are dropped, expected %b", drop, want_drop));
    if (drop_above != want_above)
      fail($sformatf("%b are dropped for shares, expected %b", drop_above, want_above));
    if (waits != want_waits) fail($sformatf("waits %h, expected %h", waits, want_waits));
    taken    += $countones(take);
    admitted += $countones(admit);
    dropped  += $countones(drop);
    refused  += $countones(drop_above);
  endtask

  initial begin
    read_arguments(30000);
    for (int c = 0; c < 5; c++) waited[c] = 0;
    release_reset(1);
    while (now < int'(cycles)) begin
      new_case();
      make_line();
      #1 apply = 1'b1;
      #1 apply = 1'b0;
      check();
      tick();
    end
    for (int c = 0; c < 5; c++) if (waited[c] < 50)
      fail($sformatf("only %0d waits for cause %0d", waited[c], c));
    pass($sformatf("%0d taken, %0d admitted, %0d dropped, %0d of them above their shares", taken,
        admitted, dropped, refused));
  end
endmodule : tb_sluice_admit
