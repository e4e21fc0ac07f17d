// SPDX-License-Identifier: Apache-2.0

/// Test of a fast port on its way out. Up to four copies are taken in a cycle, in an order and for output lanes by chance, or in
/// turn; each lane brings the beats of its copies, one a cycle, with gaps; the wire stops at times.
/// Checked: the streams, cycle by cycle, carry the copies in the order in which they were taken, each beat once, with ticket and
/// bytes; beats of a cycle are on the first streams, and stay while the wire is not ready; nothing is left. In the last part the
/// wire is always ready: copies of one beat, and then of 144, leave at the full rate. Before that the test fault is on for a
/// while: the first two copies of a cycle change places.
/// Plusargs: +seed=N, +cycles=N, +break=N (see the file breaks).
module tb_sluice_collect;
  import sluice_pkg::*;
  import sluice_cfg_pkg::*;
  localparam int M = int'(FastLanes), K = int'(NumPipes), Full = 4000;
  `include "bench.svh"

  logic [K-1:0][M-1:0]          accepted, accepted_in;
  logic [K-1:0][K-1:0]          before_of, before_in;
  tx_beat_t line [M], line_in [M], tx [M];
  logic [M-1:0]                 line_ready, tx_valid;
  logic [M-1:0][BeatBits-1:0]   tx_data;
  logic                         tx_ready;

  always_comb begin
    accepted_in = accepted;
    before_in   = before_of;
    line_in     = line;
    for (int s = 0; s < M; s++) {tx_valid[s], tx_data[s]} = {tx[s].valid, tx[s].data};
    case (mutant)
      2: if (now % 400 == 9 && !line[1].last) line_in[1].valid = 1'b0;
      3: if (now % 400 == 9) line_in[2].ticket = line[2].ticket ^ 32'd1;
      4: {before_in[0][1], before_in[1][0]} = {before_of[1][0], before_of[0][1]};
      5: if (now % 400 == 9) accepted_in[2] = '0;
      7: if (now % 400 == 9) line_in[0].last = 1'b0;
      8: if (now % 100 == 9) line_in[3].keep = '1;
      default: ;
    endcase
  end

  sluice_collect #(.Lanes(FastLanes)) dut (
    .clk_i(clk), .rst_ni(rst_n), .port_i(8'd9 - 8'(mutant == 9)), .swap_i(swap || mutant == 1), .accepted_i(accepted_in), .before_i(before_in),
    .line_i(line_in), .line_ready_o(line_ready), .tx_o(tx),
    .tx_ready_i(tx_ready || (mutant == 6 && now % 200 == 5))
  );

  typedef struct {
    int ticket, lane, beats, bytes;    // bytes: of the last beat
  } copy_t;
  copy_t in_lane [M][$];               // taken, not all of it brought
  copy_t on_wire [$];                  // taken, not all of it left
  int    brought [M], left = 0, ticket = 0, turn = 0, kind = 0, load = 0, change = 0, gaps = 0, stalls = 0;
  int    beats_out = 0, queued = 0, swaps = 0;
  logic  swap = 1'b0;
  logic  stalled = 1'b0;
  logic [M-1:0]               held_valid;
  logic [M-1:0][BeatBits-1:0] held_data;

  function automatic int size_of(int k);
    case (k)
      0:       return 1;
      1:       return 144;
      2:       return rnd(8) == 0 ? 144 : 1;
      3:       return 24;
      default: return 1 + rnd(rnd(4) == 0 ? 144 : 6);
    endcase
  endfunction

  // Copies of this cycle: n of them, of source lanes by chance.
  task automatic take(int n, bit in_turn);
    automatic int place [K];
    accepted  = '0;
    before_of = '0;
    for (int s = 0; s < K; s++) place[s] = s;
    for (int s = K - 1; s > 0; s--) begin                   // who is how far in front
      automatic logic [$clog2(K)-1:0] other = $clog2(K)'(rnd(s + 1));
      automatic int kept = place[s];
      place[s]     = place[other];
      place[other] = kept;
    end
    for (int s = 0; s < K; s++)
      for (int k = 0; k < K; k++) before_of[s][k] = place[k] < place[s];
    for (int p = 0; p < n; p++)
      for (int s = 0; s < K; s++) if (place[s] == p) begin
        automatic logic [$clog2(M)-1:0] lane = $clog2(M)'(in_turn ? turn : rnd(M));
        automatic copy_t c;
        c.ticket = ticket;
        c.lane   = int'(lane);
        c.beats  = size_of(kind);
        c.bytes  = rnd(3) == 0 ? 1 + rnd(64) : 64;
        ticket   = ticket + 1 + rnd(3);
        turn     = (turn + 1) % M;
        accepted[s][lane] = 1'b1;
        in_lane[lane].push_back(c);
        on_wire.push_back(c);
        queued++;
      end
    // Those of one lane stay as they are.
    if (swap && n >= 2 && on_wire[on_wire.size() - n].lane != on_wire[on_wire.size() - n + 1].lane) begin
      automatic copy_t c = on_wire[on_wire.size() - n];
      on_wire[on_wire.size() - n]     = on_wire[on_wire.size() - n + 1];
      on_wire[on_wire.size() - n + 1] = c;
      swaps++;
    end
  endtask

  function automatic logic [BeatBytes-1:0] keep_of(int bytes);
    return {BeatBytes{1'b1}} >> (64 - bytes);
  endfunction

  task automatic bring();
    for (int l = 0; l < M; l++) begin
      line[l].valid = brought[l] >= 0 && in_lane[l].size() != 0 && (gaps == 0 || rnd(gaps) != 0);
      if (!line[l].valid) continue;
      line[l].last   = brought[l] == in_lane[l][0].beats - 1;
      line[l].data   = BeatBits'({in_lane[l][0].ticket, brought[l]});
      line[l].keep   = line[l].last ? keep_of(in_lane[l][0].bytes) : '1;
      line[l].ticket = in_lane[l][0].ticket;
    end
  endtask

  task automatic watch();
    for (int l = 0; l < M; l++) if (line[l].valid && line_ready[l]) begin
      if (line[l].last) void'(in_lane[l].pop_front());
      brought[l] = line[l].last ? 0 : brought[l] + 1;
    end
    if (stalled && (tx_valid != held_valid || tx_data != held_data)) fail("a beat did not wait for the wire");
    stalled    = tx_valid != '0 && !tx_ready;
    held_valid = tx_valid;
    held_data  = tx_data;
    if (!tx_ready) return;
    for (int s = 0; s < M; s++) begin
      if (s > 0 && tx_valid[s] && !tx_valid[s-1]) fail("a stream was left out");
      if (!tx_valid[s]) continue;
      if (on_wire.size() == 0) fail("a beat that nobody sent");
      if (tx_data[s] != BeatBits'({on_wire[0].ticket, left}))
        fail($sformatf("beat %0d of ticket %0d was due, not %0d of %0d", left, on_wire[0].ticket, int'(tx_data[s][31:0]),
                       int'(tx_data[s][63:32])));
      if (tx[s].port != 8'd9) fail("a beat has another port");
      if (tx[s].ticket != 32'(on_wire[0].ticket)) fail("a beat has another ticket");
      left++;
      beats_out++;
      if (tx[s].last != (left == on_wire[0].beats)) fail("a copy has another end");
      if (tx[s].keep != (tx[s].last ? keep_of(on_wire[0].bytes) : '1)) fail("a beat has other bytes");
      if (!tx[s].last) continue;
      void'(on_wire.pop_front());
      left = 0;
      queued--;
    end
  endtask

  initial begin
    read_arguments(40000);
    {accepted, before_of, tx_ready} = '0;
    line = '{default: '0};
    for (int l = 0; l < M; l++) brought[l] = 0;
    release_reset(1);
    for (now = 0; now < int'(cycles); now++) begin
      if (now == change) begin
        change = now + 50 + rnd(1500);
        kind   = rnd(5);
        load   = rnd(4);
        gaps   = rnd(2) == 0 ? 0 : 2 + rnd(6);
        stalls = rnd(3) == 0 ? 2 + rnd(4) : 0;
      end
      bring();
      tx_ready = stalls == 0 || rnd(stalls) != 0;
      if (queued < 900 && now < int'(cycles) - 6000) take(load == 0 ? int'(rnd(20) == 0) : rnd(load + 2), load == 3);
      else take(0, 1'b0);
      #1;
      watch();
      @(negedge clk);
    end
    // ---- all have left; then the test fault; then the full rate, for copies of 1 beat and of 144
    {gaps, stalls} = '0;
    for (int part = 0; part < 4; part++) begin
      automatic int from, first;
      kind  = part == 3 ? 1 : 0;
      first = 0;
      from  = 0;
      for (int c = 0; c < Full + (part == 0 ? 200000 : 0) && (part > 0 || queued > 0); c++) begin
        now++;
        bring();
        tx_ready = 1'b1;
        swap = part == 1;
        take(part == 1 ? (queued < 100 ? rnd(M + 1) : 0) : part == 2 ? M : part == 3 && queued < 40 ? 1 : 0, part != 1);
        #1;
        watch();
        @(negedge clk);
        if (c == 1000) begin
          from  = beats_out;
          first = c;
        end
        if (part > 1 && c == Full - 1 && beats_out - from < (c - first) * M - 4 * M)
          fail($sformatf("part %0d: %0d beats in %0d cycles", part, beats_out - from, c - first));
      end
      if (part == 0 && queued != 0) fail($sformatf("%0d copies never left", queued));
    end
    if (swaps < 100) fail("too few copies changed places");
    pass($sformatf("%0d beats of %0d tickets", beats_out, ticket));
  end
endmodule : tb_sluice_collect
