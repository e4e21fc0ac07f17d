// SPDX-License-Identifier: Apache-2.0

/// Test of all columns of back stages in a row, with a delay line for each match-action unit: a
/// model of the order point admits random packets strictly in order and moves indices between
/// pipelines, a model of the exit takes packets at its own pace. Checked: every packet comes out
/// once, at its lane, with what its accesses found: for each index, wherever it lives, the value
/// that the packets before left, in the order of tickets (C1). State accesses of
/// each (stage, pipeline) happen in the order of tickets, with the right slot; the oldest packet
/// moves on within a bound; queues are empty and all credits back at the end; the counters agree.
/// Traffic changes every 1,000 cycles; every fourth phase is uniform, every packet with an access
/// in each stage, at full load: its throughput is printed (packets in 1,000 cycles and lane). With
/// several sets of pipelines every packet has one, and must never be in a pipeline of another.
/// +seed=N, +cycles=N, +break=N (see the file `breaks`).
module tb_sluice_boundary
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_stage_pkg::HopCycles;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_probe_pkg::*;
#(
  parameter int unsigned Depth = BankDepth,      // slots of a bank
  parameter bit          Pace  = 1'b1,           // the order point holds packets for busy queues
  parameter int          Sets  = 1               // of pipelines (docs/isolation.md)
);
  localparam int K = int'(NumPipes), S = int'(BackStages), Phase = 1000, MaxWait = 1500;
  localparam int Records = 4 * int'(Window);
  localparam int SetSize = K / Sets;
  localparam int Indices = 8 * K, Ids = int'(MoveIds), Entries = int'(Relocations);

  // A cycle: look at registered outputs, move inputs, look at the room, move claims, clock. Inputs
  // move at a pulse of `apply`.
  logic apply = 1'b0;

  `include "bench.svh"
  // ---- DUT: the order point's steering, and the columns
  stage_settings_t settings = '0;
  tag_t      oldest_dut = '0;
  csr_req_t  csr, csr_dut = '0;
  csr_rsp_t  csr_rsp [BackStages];
  logic     [NumPipes-1:0][NumPipes-1:0] room_fixed, room_any;
  course_t  [NumPipes-1:0] claim, claim_dut = '0;
  course_t  [NumPipes-1:0] leave, leave_dut = '0;
  packet_t  [NumPipes-1:0] leave_packet, leave_packet_dut = '0;
  pipe_t    [NumPipes-1:0] to_dut;
  phantom_t [NumPipes-1:0] entry, entry_dut = '0;
  move_t                   entry_move, entry_move_dut = '0, late_move [4];

  logic     [NumPipes-1:0][NumPipes-1:0] freed [BackStages+1];
  logic     [NumPipes-1:0][NumPipes-1:0] freed_seen [BackStages+1];
  logic     [NumPipes-1:0]       departed [BackStages+1];
  transit_t [NumPipes-1:0]       transit [BackStages+1];
  transit_t [NumPipes-1:0]       transit_seen [BackStages+1];
  phantom_t [NumPipes-1:0]       phantom [BackStages+1];
  move_t                         move [BackStages+1];
  landed_t                       landed [BackStages];
  report_t  [NumPipes-1:0]       report [BackStages];
  logic     [NumPipes-1:0][15:0] waiting [BackStages];
  logic     [NumPipes-1:0]       done_valid [BackStages];
  tag_t     [NumPipes-1:0]       done_tag [BackStages];
  probe_state_t [NumPipes-1:0]   probe [BackStages];
  error_t                        error [BackStages];
  logic     [NumPipes-1:0][NumPipes-1:0] exit_freed, exit_freed_dut = '0;
  logic     [NumPipes-1:0]       exit_departed, exit_departed_dut = '0;

  assign freed[S]    = exit_freed_dut;
  assign departed[S] = exit_departed_dut;
  assign phantom[0]  = entry_dut;
  assign move[0]     = mutant == 10 ? late_move[3] : entry_move_dut;

  sluice_steer #(.Depth(Depth), .AtOnce(1'b1)) u_source (
    .clk_i(clk), .rst_ni(rst_n), .each_i(settings.mode.steer == SteerEach), .set_mask_i(settings.set_mask),
    .ignore_credits_i(settings.fault[FaultSteerFull]),
    .room_fixed_o(room_fixed), .room_any_o(room_any),
    .claim_i(claim_dut), .known_i(leave_dut), .leave_i(leave_dut), .to_o(to_dut),
    .freed_i(freed_seen[0]), .departed_i(departed[0])
  );
  // As at the order point: steered in one cycle, in the bank at the end of the next.
  course_t [NumPipes-1:0] leave_q;
  packet_t [NumPipes-1:0] leave_packet_q;
  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) leave_q <= '0;
    else        leave_q <= leave_dut;
  end
  always_ff @(posedge clk) leave_packet_q <= leave_packet_dut;
  for (genvar l = 0; l < K; l++) begin : gen_source
    assign transit[0][l] = '{valid: leave_q[l].valid, escape: 1'b0, pipe: to_dut[l],
                             packet: leave_packet_q[l]};
  end

  logic spoil;                                   // one cycle in 64
  for (genvar s = 0; s <= S; s++) begin : gen_seen
    always_comb begin
      freed_seen[s]   = freed[s];
      transit_seen[s] = transit[s];
      if (spoil && mutant == 4) freed_seen[s] = '0;
      if (spoil && mutant == 5 && K > 1) transit_seen[s][0].pipe = transit[s][0].pipe + 1'b1;
    end
  end

  for (genvar s = 0; s < S; s++) begin : gen_stage
    chain_t unused_chain;
    logic   unused_chain_ready, unused_fill_busy, cut_busy;
    mark_request_t unused_mark;
    sluice_back_stage #(.Depth(Depth)) u_stage (
      .clk_i(clk), .rst_ni(rst_n), .stage_i(stage_t'(s)), .settings_i(settings),
      .transit_i(transit_seen[s]), .phantom_i(phantom[s]), .phantom_o(phantom[s+1]),
      .move_i(move[s]), .move_o(move[s+1]), .landed_o(landed[s]), .mark_o(unused_mark),
      .cut_i('0), .cut_busy_o(cut_busy),
      .oldest_i(oldest_dut), .freed_o(freed[s]), .departed_o(departed[s]), .report_o(report[s]),
      .waiting_o(waiting[s]), .done_valid_o(done_valid[s]), .done_tag_o(done_tag[s]),
      .transit_o(transit[s+1]), .freed_i(freed_seen[s+1]), .departed_i(departed[s+1]),
      .fill_busy_o(unused_fill_busy), .chain_i('0), .chain_ready_o(unused_chain_ready),
      .chain_o(unused_chain), .chain_ready_i(1'b1),
      .csr_req_i(csr_dut), .csr_rsp_o(csr_rsp[s]), .error_o(error[s]), .probe_o(probe[s])
    );
    always_ff @(posedge clk) if (rst_n && cut_busy) fail("a stage without a cut is busy with one");
  end

  tag_t  oldest;
  mode_t mode = '0;
  int    mode_age = 0;
  always_ff @(posedge apply) begin
    settings.mode <= mode;
    settings.set_mask <= mutant == 13 ? '0 : pipe_t'(K - SetSize);
    settings.fault[FaultPhantomLost] <= mutant == 1;
    settings.fault[FaultPhantomSwap] <= mutant == 2;
    settings.fault[FaultSteerFull]   <= mutant == 3;
    settings.fault[FaultMoveEarly]   <= mutant == 9;
    settings.fault[FaultNoBounds]    <= mutant == 11;
    settings.fault[FaultNoForward]   <= mutant == 12;
    entry_move_dut    <= entry_move;
    late_move[0]      <= entry_move_dut;
    for (int i = 1; i < 4; i++) late_move[i] <= late_move[i-1];
    spoil             <= now % 64 == 63;
    claim_dut         <= claim;
    leave_dut         <= leave;
    leave_packet_dut  <= leave_packet;
    entry_dut         <= entry;
    if (mutant == 6 && now % 64 == 63 && K > 1)
      entry_dut[0].access[0].pipe <= entry[0].access[0].pipe + 1'b1;
    exit_freed_dut    <= exit_freed;
    exit_departed_dut <= exit_departed;
    if (mutant == 7 && now % 64 == 63) exit_departed_dut <= '1;
    // A tag that nobody has: half the tag space away.
    oldest_dut        <= mutant == 8 ? oldest + tag_t'(Window) : oldest;
    csr_dut           <= csr;
  end

  // ---- model. Bounds of its loops are variables, so that Verilator does not unroll them.
  int num_stages = S, num_pipes = K, ids = Ids;
  typedef struct packed {int ticket; slot_t slot;} access_seen_t;
  packet_t      packet_of [Records];             // by ticket modulo Records
  bit           finished [Records], out [Records];
  // Arrays of queues have sizes of powers of two: Verilator 5.006 pushes into a copy otherwise.
  access_seen_t expected [16][16][$];            // accesses to come: [stage][pipeline]
  int           queued [S][K][K], leaky [S][K];  // [stage][pipeline][lane]
  int           exits [16][16][$];               // at the exit: tickets, [lane][pipeline]
  int           oldest_ticket = 0, oldest_age = 0, next_ticket = 0, delivered = 0, accesses = 0;
  int           old_oldest [8];
  packet_t      offered [K];
  logic [NumPipes-1:0] has_offer = '0;
  int           access_rate, hot_rate, exit_rate, offer_rate;
  int           uniform_cycles = 0, uniform_packets = 0;
  int           slowest = 0, stayed = 0;

  // ---- indices of each stage: where they live, what their value is after all packets admitted
  typedef struct packed {
    pipe_t pipe;
    slot_t slot;
  } place_t;
  place_t       place [S][Indices];
  state_entry_t value [S][Indices];
  bit           moving [S][Indices], entry_used [S][Entries], id_used [S][Ids];
  int           entry_of [S][Indices];           // relocation entry, or -1: at home
  int           index_of [S][Ids], id_age [S][Ids];
  int           offered_index [K][S];
  int           last_index [S];                  // of the packet admitted last
  logic [31:0]  expect_b4 [Records];
  int           move_rate, moves = 0, landings = 0, away_accesses = 0;
  move_t        move_next = '0;

  // A random move, with the tag of the next ticket: leaves with the packets of this cycle.
  task automatic make_move();
    int       s, x, e;
    move_id_t id;
    pipe_t    to;
    move_next = '0;
    s  = rnd(num_stages);
    if (s < 0 || rnd(100) >= move_rate) return;
    x  = rnd(2) == 0 ? last_index[s] : rnd(Indices);
    id = move_id_t'(rnd(Ids));
    e  = entry_of[s][x];
    to = pipe_t'(int'(place[s][x].pipe) / SetSize * SetSize + rnd(SetSize));
    if (id_used[s][id] || moving[s][x] || to == place[s][x].pipe) return;
    if (e < 0) begin
      e = rnd(Entries);
      if (entry_used[s][e]) return;
    end
    move_next = '{valid: 1'b1, stage: stage_t'(s), id: id, tag: tag_t'(next_ticket),
                  from: place[s][x].pipe, from_slot: place[s][x].slot, to: to,
                  to_slot: int'(to) == x % K ? slot_t'(x / K) : slot_t'(int'(SlotsPerPipe) + e)};
    entry_of[s][x]   = e;
    entry_used[s][e] = 1'b1;
    moving[s][x]     = 1'b1;
    id_used[s][id]   = 1'b1;
    id_age[s][id]    = 0;
    index_of[s][id]  = x;
    place[s][x]      = '{pipe: to, slot: move_next.to_slot};
    moves++;
  endtask

  task automatic look_moves(int s);
    if (s >= num_stages) fail("no such stage");
    for (int i = 0; i < ids; i++) if (id_used[s][i]) begin
      id_age[s][i]++;
      if (id_age[s][i] > 2 * MaxWait) fail("a move that never lands");
    end
    if (landed[s].valid) begin
      int       x;
      move_id_t id;
      id = landed[s].id;
      x  = index_of[s][id];
      if (!id_used[s][id]) fail("a landing that nobody expects");
      id_used[s][id] = 1'b0;
      moving[s][x]   = 1'b0;
      landings++;
      if (int'(place[s][x].pipe) == x % K) begin
        entry_used[s][entry_of[s][x]] = 1'b0;
        entry_of[s][x] = -1;
      end
    end
  endtask

  // The ticket whose tag this is, among those that can be in flight.
  function automatic int ticket_of(tag_t tag);
    tag_t ahead;
    ahead = tag - tag_t'(oldest_ticket);
    return oldest_ticket + int'(ahead);
  endfunction

  task automatic new_phase();
    int kind;
    kind        = (now / Phase) % 4;
    // Some phases in other modes of steering and issue; they may change under way.
    mode        = '0;
    if (kind != 3 && rnd(2) == 0) begin
      mode.steer = 2'(rnd(3));
      mode.issue = 2'(rnd(3));
    end
    mode_age    = 0;
    access_rate = kind == 3 ? 100 : kind == 1 ? 0 : rnd(101);
    hot_rate    = kind == 0 ? 50 : 0;
    exit_rate   = kind == 0 ? 40 + rnd(60) : 100;
    offer_rate  = kind == 2 ? 30 + rnd(71) : 100;
    move_rate   = kind == 3 || K == 1 ? 0 : rnd(2) == 0 ? 100 : 10;
  endtask

  // An index like this one, with its home in the set of pipelines that begins with `first`.
  function automatic int in_set(int index, int first);
    return index - index % K + first + index % SetSize;
  endfunction

  task automatic make_offer(pipe_t lane);
    packet_t p;
    int      first;
    p     = '0;
    first = rnd(Sets) * SetSize;
    p.phv.meta.pipe_set = pipe_t'(first + rnd(SetSize));
    for (int s = 0; s < num_stages; s++) begin
      p.route[s].fixed = rnd(100) < access_rate;
      offered_index[lane][s] = K * rnd(8) + (rnd(100) < hot_rate ? (s + now / 64) % K : rnd(K));
      if (hot_rate == 0) begin                   // as many to each pipeline, wherever indices live
        pipe_t to;
        to = pipe_t'(first + rnd(SetSize));
        offered_index[lane][s] = in_set(offered_index[lane][s], first);
        for (int i = 0; i < 8 && place[s][offered_index[lane][s]].pipe != to; i++)
          offered_index[lane][s] = in_set(rnd(Indices), first);
      end
      if (rnd(100) < hot_rate / 2) offered_index[lane][s] = (s + now / 64) % K;
      offered_index[lane][s] = in_set(offered_index[lane][s], first);
    end
    p.route[S] = '{fixed: 1'b1, pipe: lane};
    p.phv.meta.lane  = lane;
    p.phv.cont.b4[0] = 32'(rnd(1 << 24));
    p.phv.cont.b6[0] = 48'(rnd(1 << 24));
    offered[lane]   = p;
    has_offer[lane] = 1'b1;
  endtask

  // ---- outputs of registers
  task automatic look();
    // the exit gives what came in the cycles before
    exit_freed    = '0;
    exit_departed = '0;
    for (int l = 0; l < num_pipes; l++) if (rnd(100) < exit_rate) begin
      int from;
      from = rnd(K);
      for (int i = 0; i < num_pipes && exits[l][from].size() == 0; i++) from = (from + 1) % K;
      if (exits[l][from].size() != 0) begin
        void'(exits[l][from].pop_front());
        exit_freed[l][from] = 1'b1;
        exit_departed[l]    = 1'b1;
      end
    end
    for (int s = 0; s < num_stages; s++) if (error[s].code != ErrorNone)
      fail($sformatf("stage %0d pipeline %0d: internal error %0d", s, error[s].pipe, error[s].code));
    for (int s = 0; s < num_stages; s++) look_moves(s);
    for (int s = 0; s < num_stages; s++)
      for (int d = 0; d < num_pipes; d++) begin
        if (probe[s][d].valid) begin
          access_seen_t e;
          if (expected[s][d].size() == 0) fail("a state access that nobody expects");
          e = expected[s][d].pop_front();
          accesses++;
          if (probe[s][d].tag != tag_t'(e.ticket))
            fail($sformatf("stage %0d pipeline %0d: ticket %0d has its turn, tag %0d came", s, d,
                           e.ticket, probe[s][d].tag));
          if (probe[s][d].slot != e.slot) fail("slot");
        end
        if (report[s][d].valid) begin
          queued[s][d][report[s][d].lane]--;
          if (queued[s][d][report[s][d].lane] < 0) fail("an issue reported that cannot be");
        end
      end
    for (int d = 0; d < num_pipes; d++) begin
      if (done_valid[S-1][d]) begin
        int t;
        t = ticket_of(done_tag[S-1][d]);
        if (t >= next_ticket || finished[t % Records]) fail("done: not in flight");
        finished[t % Records] = 1'b1;
      end
      if (transit[S][d].valid) begin
        int t, lane;
        packet_t want;
        t    = -1;
        lane = int'(transit[S][d].pipe);
        // Out of flight already: it may be older than the oldest in flight, if that was stuck.
        for (int i = oldest_ticket - int'(Window); i < next_ticket && t < 0; i++)
          if (i >= 0 && tag_t'(i) == transit[S][d].packet.tag && !out[i % Records]) t = i;
        if (t < 0) fail("a packet came out that was not in");
        want = packet_of[t % Records];
        want.phv.cont.b4[0] = transit[S][d].packet.phv.cont.b4[0];
        if (transit[S][d].packet != want) fail("a packet changed on the way");
        if (want.phv.cont.b4[0] != expect_b4[t % Records]) fail("a packet found another value");
        if (lane != int'(packet_of[t % Records].phv.meta.lane)) fail("wrong lane");
        out[t % Records] = 1'b1;
        delivered++;
        exits[lane][d].push_back(t);
        if (exits[lane][d].size() > int'(Depth)) fail("exit overflow");
      end
    end
    // in the mode in which packets stay, all that were issued in it did
    mode_age++;
    if (mode.steer == SteerStay && mode_age > int'(HopCycles) + 2)
      for (int s = 0; s <= num_stages; s++)
        for (int d = 0; d < num_pipes; d++)
          if (transit[s][d].valid && !transit[s][d].packet.route[s].fixed) begin
            if (int'(transit[s][d].pipe) % SetSize != d % SetSize) fail("a packet did not stay");
            stayed++;
          end
    // oldest in flight, as old as it may be
    for (int i = 7; i > 0; i--) old_oldest[i] = old_oldest[i-1];
    oldest_age++;
    while (oldest_ticket < next_ticket && finished[oldest_ticket % Records]) begin
      oldest_ticket++;
      if (oldest_age > slowest) slowest = oldest_age;
      oldest_age = 0;
    end
    if (oldest_ticket == next_ticket) oldest_age = 0;
    if (oldest_age > MaxWait) fail($sformatf("stuck: ticket %0d", oldest_ticket));
    old_oldest[0] = oldest_ticket;
    oldest        = tag_t'(old_oldest[6]);
  endtask

  // ---- admission: strictly in order; what was admitted leaves, with its phantom, one cycle later
  bit admitted [K], stay_at [K];
  slot_t slot_of [Records][S];
  int ticket_at [K];
  // Where a packet goes that is not fixed and stays; of the others, a pipeline of the set.
  function automatic pipe_t stay_pipe(pipe_t member, int lane);
    return pipe_t'(int'(member) / SetSize * SetSize + lane % SetSize);
  endfunction

  task automatic depart();
    entry_move = move_next;
    for (int l = 0; l < num_pipes; l++) begin
      leave[l]        = '0;
      leave_packet[l] = '0;
      entry[l]        = '0;
      claim[l].valid  = 1'b0;
      if (admitted[l]) begin
        packet_t p;
        p = packet_of[ticket_at[l] % Records];
        leave_packet[l] = p;
        leave[l]       = '{valid: 1'b1, fixed: p.route[0].fixed || stay_at[l], escape: 1'b0,
                           pipe: p.route[0].pipe};
        if (!p.route[0].fixed) leave[l].pipe = stay_pipe(p.phv.meta.pipe_set, l);
        entry[l].valid = 1'b1;
        entry[l].tag   = p.tag;
        for (int s = 0; s < num_stages; s++)
          entry[l].access[s] = '{valid: p.route[s].fixed, pipe: p.route[s].pipe,
                                 slot: slot_of[ticket_at[l] % Records][s]};
      end
      admitted[l] = 1'b0;
    end
  endtask

  // The next ticket's access of stage s: what it finds and leaves, as in sluice_back_unit.
  task automatic access(int l, int s);
    int           x;
    state_entry_t old;
    if (s >= num_stages || l >= num_pipes) fail("no such stage or lane");
    x   = offered_index[l][s];
    old = value[s][x];
    slot_of[next_ticket % Records][s] = place[s][x].slot;
    expect_b4[next_ticket % Records]  = expect_b4[next_ticket % Records] * 32'd3 + (old.s1 ^ old.s2);
    value[s][x]   = '{s1: old.s1 * 32'd5 + 32'(tag_t'(next_ticket)) + 32'd1, s2: old.s2 + 32'd1};
    last_index[s] = x;
    if (entry_of[s][x] >= 0) away_accesses++;
  endtask

  task automatic admit(bit more);
    bit hold;
    hold = 1'b0;
    for (int s = 0; s < num_stages; s++)
      for (int d = 0; d < num_pipes; d++) if (leaky[s][d] > 0) leaky[s][d]--;
    for (int l = 0; l < num_pipes; l++) begin
      if (!has_offer[l] && more && rnd(100) < offer_rate) make_offer(pipe_t'(l));
      if (has_offer[l] && !hold) begin
        packet_t p;
        p    = offered[l];
        for (int s = 0; s < num_stages; s++)
          p.route[s].pipe = p.route[s].fixed ? place[s][offered_index[l][s]].pipe
                                             : p.phv.meta.pipe_set;
        hold = now < 2 || next_ticket - oldest_ticket >= int'(Window) - 1;
        hold |= p.route[0].fixed ? !room_fixed[l][p.route[0].pipe]
              : mode.steer == SteerStay ? !room_fixed[l][stay_pipe(p.phv.meta.pipe_set, l)]
              : !room_any[l][p.phv.meta.pipe_set];
        for (int s = 0; s < num_stages; s++) if (p.route[s].fixed) begin
          hold |= queued[s][p.route[s].pipe][l] >= int'(PhantomDepth);
          hold |= Pace && leaky[s][p.route[s].pipe] >= 24;
          hold |= Pace && 4 * int'(waiting[s][p.route[s].pipe]) >= 3 * int'(Depth) * K;   // brake
        end
        if (!hold) begin
          p.tag = tag_t'(next_ticket);
          packet_of[next_ticket % Records] = p;
          finished[next_ticket % Records]  = 1'b0;
          out[next_ticket % Records]       = 1'b0;
          expect_b4[next_ticket % Records] = p.phv.cont.b4[0];
          for (int s = 0; s < num_stages; s++) if (p.route[s].fixed) access(l, s);
          for (int s = 0; s < num_stages; s++) if (p.route[s].fixed) begin
            queued[s][p.route[s].pipe][l]++;
            leaky[s][p.route[s].pipe]++;
            expected[s][4'(p.route[s].pipe)].push_back(
              access_seen_t'({next_ticket, slot_of[next_ticket % Records][s]}));
          end
          claim[l].valid = 1'b1;
          stay_at[l]     = mode.steer == SteerStay;
          claim[l].fixed = p.route[0].fixed || stay_at[l];
          claim[l].pipe  = p.route[0].fixed ? p.route[0].pipe : stay_pipe(p.phv.meta.pipe_set, l);
          admitted[l]    = 1'b1;
          ticket_at[l]   = next_ticket;
          has_offer[l]   = 1'b0;
          next_ticket++;
        end
      end
    end
  endtask

  task automatic check_sets();
    for (int s = 0; s < num_stages; s++)
      for (int d = 0; d < num_pipes; d++)
        if (transit[s][d].valid
            && int'(transit[s][d].pipe) / SetSize
               != int'(transit[s][d].packet.phv.meta.pipe_set) / SetSize)
          fail("a packet left its set of pipelines");
  endtask

  task automatic cycle(bit more);
    int first;
    if (now % Phase == 0) new_phase();
    look();
    depart();
    #1 apply = 1'b1;
    #1 apply = 1'b0;
    check_sets();
    first = next_ticket;
    admit(more);
    move_next = '0;
    if (more) make_move();
    if (more && (now / Phase) % 4 == 3 && now % Phase >= Phase / 4) begin
      uniform_cycles++;
      uniform_packets += next_ticket - first;
    end
    #1 apply = 1'b1;
    #1 apply = 1'b0;
    tick();
  endtask

  // Sum of a counter over the pipelines of a stage.
  task automatic read_sum(int s, logic [11:0] register, output int sum);
    sum = 0;
    for (int d = 0; d < num_pipes; d++) begin
      csr = '{valid: 1'b1, write: 1'b0, wdata: '0,
              addr: BlockBoundaryBase + 20'(16 * s + d) * BlockBoundaryStride + 20'(register)};
      for (int i = 0; i < 8 && (csr.valid || !csr_rsp[s].valid); i++) begin
        cycle(1'b0);
        csr = '0;
      end
      if (!csr_rsp[s].valid || csr_rsp[s].refused) fail("no answer to a register read");
      sum += int'(csr_rsp[s].rdata);
      for (int o = 0; o < num_stages; o++) if (o != s && csr_rsp[o].valid) fail("two answers");
    end
  endtask

  localparam logic [11:0] Registers [6] =
    '{RegBoundaryIssued, RegBoundaryStateful, RegBoundaryEscapes, RegBoundaryHighBank,
      RegBoundaryMoves, RegBoundaryMoveWait};
  int escapes = 0, stateful = 0, moves_counted = 0, move_wait = 0, sum;
  initial begin
    read_arguments(20000);
    csr         = '0;
    claim       = '0;
    for (int l = 0; l < num_pipes; l++) admitted[l] = 1'b0;
    for (int s = 0; s < num_stages; s++) begin
      last_index[s] = 0;
      for (int x = 0; x < Indices; x++) begin
        place[s][x]    = '{pipe: pipe_t'(x % K), slot: slot_t'(x / K)};
        value[s][x]    = '0;
        moving[s][x]   = 1'b0;
        entry_of[s][x] = -1;
      end
      for (int e = 0; e < Entries; e++) entry_used[s][e] = 1'b0;
      for (int i = 0; i < ids; i++) id_used[s][i] = 1'b0;
    end
    release_reset(1);
    // the traffic, and then until everything is out, and what was freed is told
    for (int i = 0; i < 40; i++) begin
      cycle(now < int'(cycles));
      if (now < int'(cycles) + 20000 && (delivered < next_ticket || landings < moves || has_offer != '0))
        i = 0;
      if (now < int'(cycles)) i = 0;
      else exit_rate = 100;
    end
    // everything has come out, and all room is free again
    if (delivered != next_ticket || oldest_ticket != next_ticket) fail("packets are missing");
    for (int s = 0; s < num_stages; s++) begin
      if (waiting[s] != '0) fail("a bank is not empty");
      for (int d = 0; d < num_pipes; d++)
        if (expected[s][d].size() != 0) fail("accesses are missing");
    end
    if (room_fixed != '1 || room_any != '1) fail("room is missing");
    for (int s = 0; s < num_stages; s++) begin
      for (int i = 0; i < $size(Registers); i++) begin
        read_sum(s, Registers[i], sum);
        case (Registers[i])
          RegBoundaryIssued:   if (sum != next_ticket) fail("counter ISSUED");
          RegBoundaryStateful: stateful += sum;
          RegBoundaryEscapes:  escapes += sum;
          RegBoundaryMoves:    moves_counted += sum;
          RegBoundaryMoveWait: move_wait += sum;
          default:             if (sum > K * int'(Depth) || sum == 0) fail("mark HIGH_BANK");
        endcase
      end
    end
    if (stateful != accesses) fail("counter STATEFUL");
    if (moves_counted != moves || landings != moves) fail("counter MOVES");
    if (SetSize > 1 && cycles >= 20000 && (moves < 300 || away_accesses < 1000 || move_wait < 50))
      fail("moves were too tame");
    if (uniform_cycles > 0) uniform_packets = uniform_packets * 1000 / uniform_cycles / K;
    pass({$sformatf("%0d packets, %0d accesses, %0d escapes, slowest step %0d, uniform %0d, ",
                    next_ticket, accesses, escapes, slowest, uniform_packets),
          $sformatf("%0d stayed, %0d moves, %0d accesses away, %0d cycles waited",
                    stayed, moves, away_accesses, move_wait)});
  end
endmodule : tb_sluice_boundary
