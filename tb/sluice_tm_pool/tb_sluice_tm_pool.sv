// SPDX-License-Identifier: Apache-2.0

/// Test of the pool of headers of one lane, between packets that come and output lanes that fetch, against a model that knows for
/// each entry who must still read it. Every cycle: whether the pool is full, who is served (fewest headers ahead, then in turn), that
/// all who ask for the same entry are; a header a cycle later. An entry that comes must be free. Phases of 500 cycles: output lanes
/// send as fast as they can, slowly, or stand still, so that the pool fills and drains.
/// Plusargs: +seed=N, +cycles=N, +break=N (see the file breaks).
module tb_sluice_tm_pool
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_exit_pkg::*;
;
  localparam int K = int'(NumPipes), Entries = int'(HeaderPool), Ahead = int'(PoolAhead);
  typedef logic [$clog2(PoolAhead)-1:0] ahead_t;
  `include "bench.svh"

  logic                promised, full, push;
  logic [K-1:0]        lanes, dut_lanes, taken, seen_taken;
  logic [StepBits-1:0] header, read;
  pool_entry_t         entry;
  fetch_t [K-1:0]      fetch, dut_fetch;

  always_comb begin
    dut_lanes  = lanes;
    dut_fetch  = fetch;
    seen_taken = taken;
    case (mutant)
      1: if (lanes != '1) dut_lanes = lanes; else dut_lanes = lanes & ~K'(1);
      2: if (fetch[0].valid && fetch[1].valid) begin
           dut_fetch[0].entry = fetch[1].entry;
           dut_fetch[1].entry = fetch[0].entry;
         end
      3: if (taken == K'(1)) seen_taken[1] = fetch[1].valid;
      5: if (fetch[0].ahead != ahead_t'(Ahead - 1)) dut_fetch[0].ahead = fetch[0].ahead + 1'b1;
      6: dut_lanes[0] = 1'b1;
      7: if (taken == '1) seen_taken[0] = 1'b0;
      default: ;
    endcase
  end

  sluice_tm_pool dut (
    .clk_i(clk), .rst_ni(rst_n), .promised_i(promised), .full_o(full),
    .push_i(push), .lanes_i(dut_lanes), .header_i(header), .entry_o(entry),
    .fetch_i(dut_fetch), .taken_o(taken), .header_o(read)
  );

  // ---- the model
  logic [K-1:0] left [Entries];        // who must still read an entry
  int           number [Entries];      // of the packet there
  int           todo [K][$];           // entries that an output lane will fetch
  int           ahead [K], speed [K];  // headers an output lane has; how many of 8 cycles it sends in
  int           used = 0, last = -1, packets = 0;
  int           filled = 0, together = 0;
  bit           gone, gone_before, full_before;
  logic [K-1:0] coming;                // output lanes of the packet that was promised
  int           reads = -1;            // number of the packet whose header comes now

  function automatic logic [StepBits-1:0] header_of(int n);
    return {StepBits/32{32'(n)}};
  endfunction

  // Who is to be served: -1 nobody.
  function automatic int served();
    int least = Ahead, o;
    served = -1;
    for (int n = 0; n < K; n++) if (fetch[n].valid && int'(fetch[n].ahead) < least) least = int'(fetch[n].ahead);
    for (int n = 0; n < K; n++) begin
      o = (last + 1 + n) % K;
      if (served < 0 && fetch[o].valid && int'(fetch[o].ahead) == least) served = o;
    end
  endfunction

  task automatic cycle(bit comes, logic [K-1:0] for_lanes);
    int  who, at;
    bit  known_full;
    push       = promised;
    lanes      = push ? coming : '0;
    if (push) packets++;
    header     = header_of(push ? packets : -1);
    known_full = mutant == 4 ? full_before : full;
    promised   = comes && !known_full;
    for (int o = 0; o < K; o++) begin
      fetch[o].valid = todo[o].size() != 0 && ahead[o] < Ahead;
      fetch[o].entry = todo[o].size() != 0 ? pool_entry_t'(todo[o][0]) : '0;
      fetch[o].ahead = ahead_t'(ahead[o]);
    end
    #1;
    if (full != (used == Entries)) fail($sformatf("full is %0d with %0d of %0d entries", full, used, Entries));
    if (promised && used == Entries) fail("an entry is promised that is not there");
    filled += int'(full);
    if (reads >= 0 && read != header_of(reads)) fail($sformatf("the header of packet %0d is %x", reads, read));
    // who is served
    who   = served();
    reads = -1;
    gone_before = gone;
    gone  = 1'b0;
    if (who < 0 && seen_taken != '0) fail("a lane that does not ask is served");
    if (who >= 0) begin
      at    = todo[who][0];
      reads = number[at];
      for (int o = 0; o < K; o++) begin
        automatic bit same = fetch[o].valid && todo[o][0] == at;
        if (seen_taken[o] != same) fail($sformatf("lane %0d: served is %0d, lane %0d is next", o, seen_taken[o], who));
        if (!same) continue;
        void'(todo[o].pop_front());
        left[at][o] = 1'b0;
        ahead[o]++;
      end
      together += int'($countones(seen_taken) > 1);
      last = who;
      gone = left[at] == '0;
    end
    // what comes
    if (push) begin
      at = int'(entry);
      if (left[at] != '0 || (gone && who >= 0 && number[at] == reads))
        fail($sformatf("packet %0d gets entry %0d, which is in use", packets, at));
      left[at]   = lanes;
      number[at] = packets;
      for (int o = 0; o < K; o++) if (lanes[o]) todo[o].push_back(at);
    end
    coming = for_lanes;
    // An entry counts as free two cycles after its last read.
    used += int'(promised) - int'(gone_before);
    for (int o = 0; o < K; o++) if (ahead[o] != 0 && rnd(8) < speed[o]) ahead[o]--;
    full_before = full;
    tick();
  endtask

  initial begin
    int           load;
    logic [K-1:0] some;
    read_arguments(60000);
    promised = 1'b0;
    push     = 1'b0;
    lanes    = '0;
    coming   = '0;
    header   = '0;
    fetch    = '0;
    load     = 0;
    for (int e = 0; e < Entries; e++) left[e] = '0;
    for (int o = 0; o < K; o++) ahead[o] = 0;
    release_reset(2);
    full_before = 1'b0;
    @(negedge clk);
    for (int n = 0; n < int'(cycles); n++) begin
      if (n % 500 == 0) begin
        load = 1 + rnd(8);
        for (int o = 0; o < K; o++) speed[o] = rnd(3) == 0 ? 8 : rnd(9);
      end
      some = K'(1) << rnd(K);
      if (rnd(4) == 0) some = some | K'(rnd(1 << K));
      if (rnd(4) == 0) some = '1;
      cycle(rnd(8) < load, some);
    end
    for (int o = 0; o < K; o++) speed[o] = 8;
    repeat (Entries * K + 8) cycle(1'b0, '0);
    if (used != 0) fail($sformatf("%0d entries are still in use", used));
    if (filled < 100 || together < 100) fail($sformatf("full in %0d cycles, %0d reads for several lanes: too few", filled, together));
    pass($sformatf("%0d packets, full in %0d cycles, %0d reads for several lanes",
                   packets, filled, together));
  end
endmodule : tb_sluice_tm_pool
