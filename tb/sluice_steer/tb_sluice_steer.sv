// SPDX-License-Identifier: Apache-2.0

/// Test of sluice_steer: random sources issue within the room they are shown, packets take seven
/// cycles to choose, and a model of the next boundary stores them in banks and lets them go. Checked
/// in every cycle: room as the contract spells it (credits, undecided), the choice of pipelines (by
/// a sort; in the mode in which each steers for itself, too; within the sets of pipelines, which
/// change when nothing is under way), no bank overflow.
/// +seed=N, +cycles=N, +break=N (see the file `breaks`).
module tb_sluice_steer;
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;

  localparam int K = int'(NumPipes), Travel = 7, Depth = int'(BankDepth);
  // Traffic changes every Period cycles; in the last ones nothing comes, and in Change all has left.
  localparam int Period = 200 + 50 * K, Pause = Period - 30 * K, Change = Period - 20;

  // A cycle: the process at the end moves the inputs that do not depend on outputs, looks at the
  // outputs, moves the other inputs, and gives the clock. Inputs move at a pulse of `apply`.
  logic apply = 1'b0;

  // ---- DUT
  logic                                    each_dut = 1'b0, ignore_credits = 1'b0;
  pipe_t                                   set_mask = '0;
  logic     [NumPipes-1:0][NumPipes-1:0] room_fixed, room_any, freed, freed_dut = '0;
  logic     [NumPipes-1:0]               departed, departed_dut = '0;
  course_t  [NumPipes-1:0]               claim, claim_dut = '0, known, known_dut = '0, leave, leave_dut = '0;
  pipe_t    [NumPipes-1:0]               went, to_dut;
  sluice_steer u_dut (
    .clk_i(clk), .rst_ni(rst_n), .each_i(each_dut), .set_mask_i(set_mask),
    .ignore_credits_i(ignore_credits),
    .room_fixed_o(room_fixed), .room_any_o(room_any),
    .claim_i(claim_dut),
    .known_i(known_dut), .leave_i(leave_dut), .to_o(to_dut),
    .freed_i(freed_dut), .departed_i(departed_dut)
  );

  `include "bench.svh"

  // ---- model
  typedef struct packed {bit valid; bit fixed; bit escape; int pipe;} way_t;
  way_t way [K][Travel];                       // under way: [source][cycles]
  int   credit [K][K], credit_before [K][K], undecided [K][K];       // [source][destination], [source][set]
  int   bank [K][K], escapes [K], load [K];    // [destination][source]
  way_t way_q [K];                             // what has chosen in the cycle before
  int   to_q [K];                              // its pipeline, -1: none
  bit   each = 1'b0;                           // mode STEER: each for itself
  int   chose [K][2];                          // how many chose it in the last two cycles
  int   turn = 0, sent = 0, chosen = 0, skipped = 0, escaped = 0, blocked = 0;
  int   sets = 1, divided = 0;                 // sets of pipelines; chosen in one of several
  function automatic int set_of(int pipe);
    return pipe / (K / sets);
  endfunction

  // The rule, literally: sort pipelines by load, sources by turn; skip those without a credit.
  task automatic steer();
    int view [K], order [K], mine [K], rank [K], at, d;
    way_t w;
    for (int s = 0; s < K; s++) begin
      to_q[s] = -1;
      // what chose in the cycle before is stored
      w = way_q[s];
      way_q[s].valid = 1'b0;
      if (!w.valid) continue;
      if (w.escape) begin escapes[w.pipe]++; escaped++; end
      else begin
        bank[w.pipe][s]++;
        if (bank[w.pipe][s] > Depth) fail("bank overflow");
      end
    end
    for (int j = 0; j < K; j++) begin
      view[j] = load[j];                       // of several, one is seen yet
      for (int c = 0; c < 2; c++) if (chose[j][c] > 1) view[j] -= chose[j][c] - 1;
      chose[j][1] = chose[j][0];
      chose[j][0] = 0;
      for (int s = 0; s < K; s++) begin
        w = way[s][Travel-1];
        if (w.valid && (w.fixed || w.escape) && w.pipe == j) view[j]++;
      end
      order[j] = (j + turn) % K;
    end
    for (int i = 1; i < K; i++)                // stable insertion sort
      for (int j = i; j > 0 && view[order[j]] < view[order[j-1]]; j--) begin
        d = order[j]; order[j] = order[j-1]; order[j-1] = d;
      end
    foreach (rank[j]) rank[j] = 0;
    for (int i = 0; i < K; i++) begin
      int q, size;
      pipe_t s;
      s = pipe_t'(i + K - turn);                 // sources in the order of (source + turn) mod K
      w = way[s][Travel-1];
      if (!w.valid) continue;
      if (!w.fixed && !w.escape) begin
        q    = set_of(w.pipe);
        size = 0;
        for (int j = 0; j < K; j++)
          if (set_of(order[j]) == q) begin
            mine[pipe_t'(size)] = order[j];
            size++;
          end
        at = 0;
        while (credit[s][mine[(rank[q] + at) % size]] == 0 && at < size) at++;
        if (at == size) fail("the model has no credit for a packet that leaves");
        skipped += int'(at > 0);
        w.pipe = mine[(rank[q] + at) % size];
        credit[s][w.pipe]--;
        undecided[s][q]--;
        if (!each) rank[q]++;
        chose[w.pipe][0]++;
        chosen++;
        divided += int'(sets > 1);
      end
      to_q[s] = w.pipe;
      way_q[s] = w;
      load[w.pipe]++;
    end
  endtask

  always_ff @(posedge apply) begin
    known_dut        <= mutant == 10 ? '0 : known;
    leave_dut        <= leave;
    for (int s = 0; s < K; s++) begin
      if (mutant == 3 && now % 8 == 0) leave_dut[s].fixed <= 1'b0;
      if (mutant == 7) leave_dut[s].escape <= 1'b0;
    end
    departed_dut     <= mutant == 1 ? '0 : departed;
    claim_dut        <= mutant == 5 && now % 32 == 0 ? '0 : claim;
    for (int d = 0; d < K; d++)
      for (int s = 0; s < K; s++) freed_dut[d][s] <= freed[d][mutant == 2 ? (s + 1) % K : s];
    set_mask       <= mutant == 9 ? '0 : pipe_t'(K - K / sets);
    each_dut       <= each && mutant != 8;
    ignore_credits <= mutant == 4;
  end

  function automatic course_t course(bit valid, bit fixed, bit escape, int pipe);
    if (!fixed && !escape) pipe = set_of(pipe) * (K / sets) + rnd(K / sets);   // any of its set
    return '{valid: valid, fixed: fixed, escape: escape, pipe: pipe_t'(pipe)};
  endfunction

  int fixed_rate, drain_rate, hot_rate, offer_rate;
  task automatic stimulate();
    if (now % Period == 0) begin
      fixed_rate = rnd(101); drain_rate = rnd(3) == 0 ? 10 : 60 + rnd(41);
      hot_rate = rnd(2) == 0 ? 0 : 60; offer_rate = 30 + rnd(71);
    end
    // Sets and mode change at the end of a pause: all banks are empty, all slots at home.
    if (now % Period == Pause) drain_rate = 100;
    if (now % Period == Change) begin
      sets = 1 << rnd($clog2(K) + 1);
      each = rnd(4) == 0;
    end
    // what leaves, and what departs
    for (int s = 0; s < K; s++) begin
      way_t next, w;
      next     = way[s][Travel-2];
      w        = way[s][Travel-1];
      known[s] = course(next.valid, next.fixed, next.escape, next.pipe);
      leave[s] = course(w.valid, w.fixed, w.escape, w.pipe);
    end
    freed    = '0;
    departed = '0;
    for (int d = 0; d < K; d++) if (rnd(100) < drain_rate) begin
      int from;
      from = rnd(K);
      for (int i = 0; i < K && bank[d][from] == 0; i++) from = (from + 1) % K;
      if (escapes[d] > 0) begin escapes[d]--; departed[d] = 1'b1; end
      else if (bank[d][from] > 0) begin
        bank[d][from]--;
        freed[d][from] = 1'b1;
        departed[d]    = 1'b1;
      end
    end
    claim = '0;
  endtask

  task automatic react();
    went = to_dut;
    if (mutant == 6) went[0] = went[0] ^ pipe_t'(K > 1);
    for (int s = 0; s < K; s++)
      if (to_q[s] >= 0 && int'(went[s]) != to_q[s])
        fail($sformatf("source %0d: pipeline %0d, expected %0d", s, went[s], to_q[s]));
    credit_before = credit;
    steer();
    // room, and what is issued
    for (int s = 0; s < K; s++) begin
      int sum [K], to;
      bit settled;                 // in the cycle of the change nothing is known, and nothing asks
      settled = now % Period != Change;
      foreach (sum[q]) sum[q] = 0;
      for (int d = 0; d < K; d++) sum[set_of(d)] += credit[s][d];
      for (int q = 0; q < sets; q++)
        if (sum[q] < undecided[s][q]) fail("fewer credits than undecided packets");
      for (int d = 0; d < K && settled; d++) begin
        bit room, chooses;
        room = sum[set_of(d)] > undecided[s][set_of(d)];
        if (room_any[s][d] != room) fail("room_any");
        // a packet that chooses in this cycle may take what is there
        chooses = way[s][Travel-1].valid && !way[s][Travel-1].fixed && !way[s][Travel-1].escape
               && set_of(way[s][Travel-1].pipe) == set_of(d);
        if (room_fixed[s][d] != (credit_before[s][d] > int'(chooses) && room)) fail("room_fixed");
      end
      claim[s].fixed  = rnd(100) < fixed_rate;
      claim[s].escape = 1'b0;
      to = rnd(100) < hot_rate ? 0 : rnd(K);
      if (rnd(100) < offer_rate && (now % Period < Pause || now % Period > Change)) begin
        claim[s].valid = claim[s].fixed ? room_fixed[s][to] : room_any[s][to];
        if (!claim[s].valid) blocked++;
        // one escape at a time in the chip: only source 0, and only while none is about
        if (!claim[s].valid && s == 0 && escapes[to] == 0 && rnd(4) == 0) begin
          bit about;
          about = 1'b0;
          for (int c = 0; c < Travel; c++) about |= way[0][c].valid && way[0][c].escape;
          claim[s].escape = !about;
          claim[s].valid  = !about;
        end
      end
      claim[s].pipe = pipe_t'(to);
      if (claim[s].valid) begin
        sent++;
        if (!claim[s].escape && claim[s].fixed) credit[s][to]--;
        else if (!claim[s].escape) undecided[s][set_of(to)]++;
      end
      for (int c = Travel - 1; c > 0; c--) way[s][c] = way[s][c-1];
      way[s][0] = '{valid: claim[s].valid, fixed: claim[s].fixed, escape: claim[s].escape,
                    pipe: to};
    end
    // freed slots and departures count from the next cycle
    for (int d = 0; d < K; d++) begin
      load[d] -= int'(departed[d]);
      for (int s = 0; s < K; s++) credit[s][d] += int'(freed[d][s]);
    end
    turn = (turn + 1) % K;
    now++;
  endtask

  initial begin
    read_arguments(20000);
    for (int s = 0; s < K; s++) begin
      to_q[s]  = -1;
      way_q[s] = '0;
    end
    foreach (chose[d, c]) chose[d][c] = 0;
    foreach (credit[s, d]) begin
      credit[s][d]    = Depth;
      undecided[s][d] = 0;
    end
    release_reset(1);
    while (now < int'(cycles)) begin
      stimulate();
      #1 apply = 1'b1;
      #1 apply = 1'b0;
      react();
      #1 apply = 1'b1;
      #1 apply = 1'b0;
      @(negedge clk);
    end
    if (divided < 100 || chosen - divided < 100 || (skipped == 0 && K > 1) || blocked == 0) fail("the traffic was too tame");
    pass($sformatf("%0d sent, %0d chosen, %0d past a full bank, %0d escapes",
                   sent, chosen, skipped, escaped));
  end
endmodule : tb_sluice_steer
