// SPDX-License-Identifier: Apache-2.0

/// Test of the order behind the exit. Tickets are given to lanes by chance, or in turn, never more than a window of them; each
/// packet comes from its lane some time later, in any order. What the traffic manager takes is decided by chance; output lanes
/// send a beat a cycle.
/// Checked: packets leave in the order of their tickets, each once, with fate and header, at most one of a lane in a cycle; a
/// cycle before each asks for one output lane of each of its ports; the window is told of each once, no later than it leaves;
/// what waits for the output lanes of a port differs by no more than a long packet and the slack; a lone packet takes five
/// cycles; with four in each cycle four leave in each cycle.
/// Plusargs: +seed=N, +cycles=N, +break=N (see the file breaks).
module tb_sluice_exit_order;
  import sluice_pkg::*;
  import sluice_exit_pkg::*;
  import sluice_cfg_pkg::*;
  localparam int K = int'(NumPipes), M = int'(FastLanes), P = int'(NumPorts), Lone = 60, Full = 2000;
  `include "bench.svh"

  logic  [K-1:0]                valid, valid_in, done, out_valid;
  fate_t [K-1:0]                fate, fate_in, out_fate;
  logic  [K-1:0][StepBits-1:0]  header, header_in, out_header;
  tag_t  [K-1:0]                done_tag;
  logic  [K-1:0][LinePorts-1:0] ports, ports_q, accepted;
  logic  [K-1:0][K-1:0]         before_of;
  logic  [LinePorts-1:0]        beat, beat_in;

  always_comb begin
    valid_in  = valid;
    fate_in   = fate;
    header_in = header;
    beat_in   = beat;
    case (mutant)
      1: if (now % 300 == 7) valid_in[1] = 1'b0;
      2: if (&valid[1:0]) {fate_in[0].ticket, fate_in[1].ticket} = {fate[1].ticket, fate[0].ticket};
      3: if (now % 300 == 7) header_in[2] = header[3];
      4: if (now % 300 == 7) fate_in[3].ports = ~fate[3].ports;
      5: beat_in[1] = 1'b0;
      6: if (now % 300 == 7) fate_in[0].ticket = fate[0].ticket + 32'(2 * Window);
      7: if (now % 40 == 7) begin
        {valid_in[0], valid_in[2]}   = {valid[2], valid[0]};
        {fate_in[0], fate_in[2]}     = {fate[2], fate[0]};
        {header_in[0], header_in[2]} = {header[2], header[0]};
      end
      default: ;
    endcase
  end

  sluice_exit_order dut (
    .clk_i(clk), .rst_ni(rst_n),
    .ports_i('0), .valid_i(valid_in), .fate_i(fate_in), .header_i(header_in),
    .done_valid_i('0), .done_tag_i('0), .done_valid_o(done), .done_tag_o(done_tag),
    .ports_o(ports), .valid_o(out_valid), .fate_o(out_fate), .header_o(out_header), .before_o(before_of),
    .accepted_i(accepted), .beat_i(beat_in)
  );

  typedef struct {
    int ticket, lane, due, came;
    logic [P-1:0] ports;
    int len;
  } packet_t;
  packet_t coming [$], still [$];     // not at the exit; not left, by ticket
  int      next = 0, told = 0;         // the next ticket; how many the window knows
  int      waiting [K], highest = 0, spread = 0, load = 0, change = 0, dealt = 0, chance = 4, longest = 0;
  logic    even = 1'b1;

  task automatic give(int n, bit in_turn, int spread_of);
    for (int i = 0; i < n && next - told < int'(Window) - K; i++) begin
      automatic packet_t p;
      p.ticket = next;
      p.lane   = in_turn ? next % K : rnd(K);
      p.due    = now + 1 + (spread_of > 0 ? rnd(spread_of) : 0);
      p.came   = -1;
      p.ports  = P'(rnd(1 << P));
      p.len    = rnd(10) == 0 ? 9216 : rnd(3) == 0 ? 1500 : 64;
      next++;
      coming.push_back(p);
      still.push_back(p);
    end
  endtask

  task automatic drive();
    valid  = '0;
    fate   = '0;
    header = '0;
    for (int c = 0; c < coming.size(); c++) begin
      automatic packet_t p = coming[c];
      automatic pipe_t   l = pipe_t'(p.lane);
      if (p.due > now || valid[l]) continue;
      valid[l]       = 1'b1;
      fate[l].ticket = 32'(p.ticket);
      fate[l].ports  = p.ports;
      fate[l].len    = len_t'(p.len);
      fate[l].hdr    = hdr_t'(p.ticket);
      header[l]      = StepBits'({p.ticket, ~p.ticket});
      for (int i = 0; i < still.size(); i++) if (still[i].ticket == p.ticket) still[i].came = now;
      coming.delete(c);
      c--;
    end
  endtask

  task automatic watch();
    automatic int n = $countones(out_valid);
    for (int l = 0; l < K; l++)
      if (done[l] && done_tag[l] - tag_t'(told) >= tag_t'($countones(done))) fail("the window is told of another tag");
    told += $countones(done);
    for (int i = 0; i < n; i++)
      for (int l = 0; l < K; l++) if (out_valid[l] && $countones(before_of[l] & out_valid) == i) begin
        automatic packet_t p;
        if (still.size() == 0 || still[0].came < 0) fail("a packet leaves that has not come");
        p = still.pop_front();
        if (l != p.lane || out_fate[l].ticket != 32'(p.ticket))
          fail($sformatf("ticket %0d leaves lane %0d, due is %0d of lane %0d", out_fate[l].ticket, l, p.ticket, p.lane));
        if (out_fate[l].ports != p.ports || out_fate[l].len != len_t'(p.len) || out_fate[l].hdr != hdr_t'(p.ticket))
          fail($sformatf("ticket %0d has another fate", p.ticket));
        if (out_header[l] != StepBits'({p.ticket, ~p.ticket})) fail($sformatf("ticket %0d has another header", p.ticket));
        for (int q = 0; q < P; q++)
          if ($countones(ports_q[l][q*M +: M]) != int'(p.ports[q])) fail($sformatf("ticket %0d asked for other lanes", p.ticket));
        if (p.ticket >= told) fail($sformatf("ticket %0d left before the window knew", p.ticket));
        if (now - p.came > longest) longest = now - p.came;
        dealt++;
      end
    for (int l = 0; l < K; l++) if (!out_valid[l] && ports_q[l] != '0) fail("ports of no packet");
    // beats leave; then what is taken now waits
    for (int o = 0; o < K; o++) if (beat[o]) waiting[o]--;
    accepted = '0;
    for (int l = 0; l < K; l++) begin
      accepted[l] = chance > 3 || rnd(4) < chance ? ports_q[l] : '0;
      for (int o = 0; o < K; o++) if (accepted[l][o]) waiting[o] += (int'(out_fate[l].len) + 63) / 64;
    end
    for (int q = 0; q < P; q++) begin
      automatic int apart = waiting[q*M] - waiting[q*M+1];
      if (apart < 0) apart = -apart;
      if (even && apart > spread) spread = apart;
    end
    ports_q = ports;
  endtask

  initial begin
    read_arguments(60000);
    {valid, fate, header, accepted, beat, ports_q} = '0;
    for (int o = 0; o < K; o++) waiting[o] = 0;
    release_reset(1);
    for (now = 0; now < int'(cycles) + 3000 + Lone * 50 + Full; now++) begin
      automatic int part = now < int'(cycles) ? 0 : now < int'(cycles) + 3000 ? 1 : now < int'(cycles) + 3000 + Lone * 50 ? 2 : 3;
      if (now == change) begin
        change = now + 50 + rnd(2000);
        load   = rnd(6);
      end
      case (part)
        0: give(load == 5 ? K : load == 0 ? int'(rnd(10) == 0) : rnd(load + 1), load == 5 && rnd(2) == 0,
                load == 5 ? 3 : 1 << rnd(8));
        2: if (now % 50 == 0) give(1, 1'b0, 0);
        3: give(K, 1'b1, 0);
        default: ;
      endcase
      if (part == 2 && now == int'(cycles) + 3000) longest = 0;
      if (part == 3 && now == int'(cycles) + 3000 + Lone * 50) begin
        if (longest != 5) fail($sformatf("a lone packet took %0d cycles", longest));
        dealt = 0;
      end
      drive();
      for (int o = 0; o < K; o++) beat[o] = waiting[o] > 0 && (part != 0 || load != 4);
      #1;
      watch();
      for (int o = 0; o < K; o++) if (waiting[o] > highest) highest = waiting[o];
      // Far more than the lanes can send is no test of the rule.
      if (highest > 60000) fail("an output lane has too much to do");
      chance = waiting[0] + waiting[1] + waiting[2] + waiting[3] > 4000 ? 0 : 4;
      @(negedge clk);
      if (part == 1 && now == int'(cycles) + 2999 && still.size() != 0) fail($sformatf("ticket %0d never left, came %0d, %0d more, told %0d, coming %0d", still[0].ticket, still[0].came, still.size(), told, coming.size()));
    end
    if (dealt < Full * K - 100) fail($sformatf("only %0d packets left in %0d cycles", dealt, Full));
    if (spread > 144 + 8 + 6 * 144) fail($sformatf("lanes of a port are %0d beats apart", spread));
    pass($sformatf("%0d tickets, lanes of a port at most %0d beats apart", next, spread));
  end
endmodule : tb_sluice_exit_order
