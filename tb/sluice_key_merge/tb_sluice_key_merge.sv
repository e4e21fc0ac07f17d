// SPDX-License-Identifier: Apache-2.0

/// Test of sluice_key_merge. Passes of random length: the lanes are drained, MERGE.LANES, MERGE.KEY and MERGE.IDLE are
/// written, then items come in bursts and with gaps of about MERGE.IDLE cycles. Keys are sorted in most passes, with many that
/// are equal, and now and then just random; some packets are dropped already, and some lanes bring nothing.
/// The model is the rule of docs/machine.md, word by word: a queue for each merged lane, and the time at which it was last not
/// empty. It says of each cycle who gets its place in it; place_o must have that, a constant time later. At the end of each
/// pass MERGE.LATE must be what the model counted, and the registers what was written. Meanwhile registers are written as if
/// packets were inside: that is refused, and no lane enters or leaves the merge while keys wait.
/// +seed=N, +cycles=N, +break=N (see the file `breaks`).
module tb_sluice_key_merge
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
;
  localparam int K = int'(NumPipes), Latency = 3;

  `include "bench.svh"

  logic            clear, occupied = 1'b0;        // occupied: packets are inside
  item_t [K-1:0]   item, item_dut;
  logic  [K-1:0]   place, place_seen, place_before, valid_before;
  csr_req_t        req, req_dut;
  csr_rsp_t        rsp;

  always_comb begin
    item_dut = item;
    req_dut  = req;
    for (int b = 0; b < int'(Num4B); b++) begin
      if (mutant == 1)  item_dut[1].phv.cont.b4[b][31] = !item[1].phv.cont.b4[b][31];
      if (mutant == 12) item_dut[3].phv.cont.b4[b][0] = 1'b0;
      if (mutant == 14) for (int l = 0; l < K; l++) item_dut[l].phv.cont.b4[b][31:16] = '0;
    end
    if (mutant == 2 && now % 64 == 0) item_dut[0].valid = 1'b0;
    for (int l = 0; l < K; l++) begin
      if (mutant == 4) item_dut[l].reason = DropNone;
      if (mutant == 5) item_dut[l].phv.meta.discard = 1'b0;
    end
    if (mutant == 6 && req.addr[7:0] == 8'(RegMergeIdle) && req.wdata > 1) req_dut.wdata = req.wdata + 1;
    if (mutant == 7 && req.addr[7:0] == 8'(RegMergeLanes)) req_dut.wdata[K-1] = 1'b0;
    if (mutant == 8 && req.addr[7:0] == 8'(RegMergeKey)) req_dut.wdata[0] = !req.wdata[0];
    if (mutant == 9) begin
      item_dut[0] = item[1];
      item_dut[1] = item[0];
    end
    if (mutant == 15 && req.addr[7:0] == 8'(RegMergeIdle)) req_dut.wdata = '0;
  end
  sluice_key_merge u_dut (
    .clk_i(clk), .rst_ni(rst_n), .clear_i(clear && mutant != 11), .occupied_i(occupied && mutant != 16), .arrive_i('0), .item_i(item_dut), .place_o(place),
    .csr_req_i(req_dut), .csr_rsp_o(rsp)
  );
  always @(negedge clk) if (mutant == 16) force u_dut.gen_merge.u_pick.any_due_q = 1'b0;
  always_ff @(posedge clk) begin
    place_before <= place;
    valid_before <= {item[3].valid, item[2].valid, item[1].valid, item[0].valid};
  end
  always_comb begin
    place_seen = place;
    if (mutant == 3) place_seen[2] = place_before[2];
    if (mutant == 10 && now % 64 == 0) place_seen = place | place_before;
    if (mutant == 13 && lanes == '0) place_seen = valid_before;
  end

  // ---- the model
  typedef struct {
    logic [31:0] key;
    bit          dropped;
  } packet_t;
  packet_t      queue [K][$];
  int           passed [K], seen_bound;          // others that got their places before the head
  int           busy_at [K];                     // when the queue was last not empty; long ago after reset
  logic [K-1:0] lanes, want [Latency+1];         // want[n]: the places of n cycles ago
  operand_t     operand;
  int           idle, late, seen_late, seen_equal, seen_idle, seen_held, seen_full, seen_dropped, places;
  logic [31:0]  last;

  function automatic logic [31:0] key_of(containers_t c, bit dropped);
    if (dropped) return '0;
    if (operand.kind == TypeB2) return 32'(operand.idx) < Num2B ? 32'(c.b2[32'(operand.idx) % Num2B]) : '0;
    if (operand.kind == TypeB4) return 32'(operand.idx) < Num4B ? c.b4[32'(operand.idx) % Num4B] : '0;
    if (operand.kind == TypeB6) return 32'(operand.idx) < Num6B ? 32'(c.b6[32'(operand.idx) % Array6B]) : '0;
    return 32'(operand.idx);
  endfunction

  // What arrives in this cycle, and who gets its place.
  task automatic rule();
    int  least, due;
    bit  ready;
    for (int n = Latency; n > 0; n--) want[n] = want[n-1];
    want[0] = '0;
    for (int l = 0; l < K; l++) if (item[l].valid) begin
      automatic packet_t p;
      p.dropped = item[l].reason != DropNone || item[l].phv.meta.discard;
      p.key     = key_of(item[l].phv.cont, p.dropped);
      if (lanes[l]) queue[l].push_back(p);
      else want[0][l] = 1'b1;
    end
    ready = 1'b1;
    least = -1;
    due   = -1;
    for (int l = K - 1; l >= 0; l--) if (lanes[l] && queue[l].size() != 0 && passed[l] == 65535) due = l;
    for (int l = 0; l < K; l++) if (lanes[l]) begin
      if (queue[l].size() != 0) busy_at[l] = now;
      // Empty in the cycles busy_at + 1 to now.
      if (queue[l].size() == 0 && now - busy_at[l] < idle) ready = 1'b0;
      if (queue[l].size() == 0 && now - busy_at[l] == idle && idle > 1) seen_idle++;
      if (queue[l].size() == int'(LaneDepth)) seen_full++;
      if (queue[l].size() != 0) begin
        if (least >= 0 && queue[l][0].key == queue[least][0].key) seen_equal++;
        if (least < 0 || queue[l][0].key < queue[least][0].key) least = l;
      end
    end
    if (least >= 0 && !ready) seen_held++;
    if (due >= 0) least = due;
    if (least >= 0 && ready) begin
      automatic packet_t p = queue[least].pop_front();
      seen_bound += due >= 0 ? 1 : 0;
      for (int l = 0; l < K; l++) if (lanes[l] && l != least && queue[l].size() != 0) passed[l]++;
      passed[least] = 0;
      want[0][least] = 1'b1;
      places++;
      if (p.dropped) seen_dropped++;
      else begin
        if (p.key < last) late++;
        last = p.key;
      end
    end
  endtask

  // ---- a cycle
  task automatic cycle();
    rule();
    #1;
    if (now >= Latency && place_seen != want[Latency])
      fail($sformatf("places %b, should be %b: lanes %b, idle %0d", place_seen, want[Latency], lanes, idle));
    tick();
    for (int l = 0; l < K; l++) item[l].valid = 1'b0;
    clear = 1'b0;
  endtask

  task automatic write(logic [11:0] offset, logic [31:0] data);
    req = '{valid: 1'b1, write: 1'b1, addr: BlockMergeBase + 20'(offset), wdata: data};
    cycle();
    req = '0;
    #1;
    if (!rsp.valid || rsp.refused || rsp.rdata != '0) fail("a write is not answered");
  endtask

  // While packets wait for their places a write is refused, and changes nothing.
  task automatic write_inside(logic [11:0] offset, logic [31:0] data);
    occupied = 1'b1;
    req = '{valid: 1'b1, write: 1'b1, addr: BlockMergeBase + 20'(offset), wdata: data};
    cycle();
    req = '0;
    occupied = 1'b0;
    #1;
    if (!rsp.valid || !rsp.refused || rsp.rdata != '0) fail("a write is not refused");
  endtask

  task automatic expect_register(logic [11:0] offset, logic [31:0] data);
    req = '{valid: 1'b1, write: 1'b0, addr: BlockMergeBase + 20'(offset), wdata: $urandom};
    cycle();
    req = '0;
    #1;
    if (!rsp.valid || rsp.refused || rsp.rdata != data)
      fail($sformatf("register %x reads %x, should be %x", offset, rsp.rdata, data));
  endtask

  // ---- traffic
  logic [31:0] next_key [K], base;
  int          gap [K], burst [K], spread, drops, silent, passes = 0;
  bit          sorted, greedy;        // greedy: lane 0 has the smallest key in every cycle

  task automatic start_pass();
    lanes = rnd(8) == 0 ? '0 : rnd(3) == 0 ? '1 : K'(rnd(1 << K));
    idle  = rnd(4) == 0 ? rnd(3) : rnd(2) == 0 ? 1 + rnd(20) : rnd(400);
    // Nobody waits for a lane that had nothing since the reset.
    if (passes <= 1) {lanes, idle} = {K'((1 << K) - 1), 32'd3000};
    greedy = passes == 2;
    if (greedy) {lanes, idle} = {K'((1 << K) - 1), 32'd20};
    operand = operand_t'(rnd(4) == 0 ? 5'(rnd(32)) : {2'(TypeB4), 3'(rnd(int'(Num4B)))});
    if (greedy) operand = '{kind: TypeB4, idx: '0};
    write(RegMergeLanes, 32'(lanes));
    write(RegMergeKey, 32'(operand));
    write(RegMergeIdle, 32'(idle));
    base   = rnd(3) == 0 ? '0 : rnd(2) == 0 ? 32'h7fff_ff00 + 32'(rnd(300)) : 32'(rnd(1 << 27)) << 4;
    spread = rnd(3) == 0 ? 2 : 1 << rnd(14);
    sorted = rnd(5) != 0;
    drops  = rnd(3) == 0 ? 1 + rnd(20) : 0;
    silent = passes == 1 || rnd(6) == 0 ? rnd(K) : K;
    if (greedy) {silent, sorted, drops} = {32'(K), 1'b1, 32'd0};
    for (int l = 0; l < K; l++) begin
      next_key[l] = base;
      gap[l]      = rnd(50);
      burst[l]    = 0;
    end
  endtask

  task automatic offer();
    for (int l = 0; l < K; l++) begin
      if (l == silent) continue;
      if (greedy && l == 0) {gap[l], burst[l]} = {32'd0, 32'd1};
      if (gap[l] > 0) gap[l]--;
      else if (burst[l] == 0) begin
        burst[l] = 1 + (rnd(10) == 0 ? rnd(100) : rnd(6));
        gap[l]   = rnd(8) == 0 ? idle - 3 + rnd(7) : rnd(3) == 0 ? rnd(30) : rnd(3);
      end else if (queue[l].size() < int'(LaneDepth)) begin
        burst[l]--;
        next_key[l] = greedy && l == 0 ? '0 : sorted ? next_key[l] + 32'(rnd(spread)) : base + 32'(rnd(spread));
        item[l].valid  = 1'b1;
        item[l].reason = drops != 0 && rnd(drops) == 0 ? DropBitmap : DropNone;
        item[l].phv    = '0;
        item[l].phv.meta.discard = drops != 0 && rnd(drops) == 0;
        for (int b = 0; b < int'(Num2B); b++) item[l].phv.cont.b2[b] = 16'(rnd(1 << 16));
        for (int b = 0; b < int'(Num4B); b++) item[l].phv.cont.b4[b] = 32'(rnd(1 << 20)) << rnd(20);
        for (int b = 0; b < int'(Num6B); b++) item[l].phv.cont.b6[b] = 48'(rnd(1 << 20)) << rnd(30);
        if (operand.kind == TypeB4) item[l].phv.cont.b4[32'(operand.idx) % Num4B] = next_key[l];
        if (operand.kind == TypeB2) item[l].phv.cont.b2[32'(operand.idx) % Num2B] = next_key[l][15:0];
        if (operand.kind == TypeB6 && Num6B != 0)
          item[l].phv.cont.b6[32'(operand.idx) % Array6B] = {16'(rnd(2)), next_key[l]};
      end
    end
  endtask

  initial begin
    int left, patience;
    read_arguments(340000);
    {item, req, clear, lanes, operand} = '0;
    seen_bound = 0;
    {idle, late, seen_late, seen_equal, seen_idle, seen_held, seen_full, seen_dropped, places} = '0;
    last = '0;
    for (int n = 0; n <= Latency; n++) want[n] = '0;
    for (int l = 0; l < K; l++) busy_at[l] = -100000;
    for (int l = 0; l < K; l++) passed[l] = 0;
    release_reset(2);
    while (now < int'(cycles)) begin
      start_pass();
      // The second pass is longer than a lane can count.
      left = passes == 2 ? 140000 : passes == 1 ? 70000 : 200 + rnd(1500);
      for (; left > 0; left--) begin
        offer();
        if (rnd(100) == 0) write_inside(RegMergeLanes + 12'(4 * rnd(3)), $urandom);
        else cycle();
      end
      patience = 2 * int'(LaneDepth) * K + 100000;
      while (patience > 0 && (queue[0].size() + queue[1].size() + queue[2].size() + queue[3].size() != 0)) begin
        cycle();
        patience--;
      end
      repeat (Latency + 3) cycle();
      seen_late += late;
      expect_register(RegMergeLate, 32'(late));
      expect_register(RegMergeLanes, 32'(lanes));
      expect_register(RegMergeKey, 32'(operand));
      expect_register(RegMergeIdle, 32'(idle));
      clear = 1'b1;
      cycle();
      late = 0;
      repeat (rnd(2) == 0 ? rnd(100) : 1) cycle();
      passes++;
    end
    if (seen_bound == 0) fail("nobody was due");
    if (seen_late == 0 || seen_equal == 0 || seen_idle == 0 || seen_held == 0 || seen_full == 0 || seen_dropped == 0)
      fail($sformatf("not all was seen: %0d late, %0d equal, %0d idle, %0d held, %0d full, %0d dropped",
          seen_late, seen_equal, seen_idle, seen_held, seen_full, seen_dropped));
    pass($sformatf("%0d places of merged packets, %0d late, %0d times equal keys, %0d cycles full",
                   places, seen_late, seen_equal, seen_full));
  end
endmodule : tb_sluice_key_merge
