// SPDX-License-Identifier: Apache-2.0

/// Test of sluice_boundary_unit, one pipeline of a boundary: random phantoms, moves, marks and
/// landings, and packets from two sources and for the escape slot, as the contract in
/// docs/boundary.md allows them; hold, room and waits for moves at random. The model keeps the
/// packets that wait, and a list of the order queue's entries, sorted by ticket. In every cycle it
/// compares: that a packet which leaves was waiting, that it is its turn, and that the place that
/// it claims is that of its route; that reads, landings and writes of marks name the right slots;
/// that nothing leaves while hold_i is on; and the reports about each. At the end of every round
/// all counters and marks of the block BOUNDARY are what the model counted. In some rounds marks
/// write late (a test fault), in others there are no phantoms (a mode).
/// +seed=N, +cycles=N (of a round), +break=N (see the file `breaks`).
module tb_sluice_boundary_unit;
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_stage_pkg::*;

  localparam int    K = int'(NumPipes), Depth = 4, Rounds = 12, Here = 0, OpenCycles = 4;
  localparam pipe_t Pipe = pipe_t'(K - 1);

  // Inputs move at a pulse of `apply`.
  logic apply = 1'b0;

  `include "bench.svh"
  // ---- DUT
  typedef struct packed {
    stage_settings_t          settings;
    transit_t  [NumPipes-1:0] transit;
    logic      [NumPipes-1:0] phantom;
    tag_t      [NumPipes-1:0] phantom_tag;
    slot_t     [NumPipes-1:0] phantom_slot;
    tag_t                     oldest;
    move_t                    move;
    logic                     pending;
    logic                     land;
    slot_t                    land_slot;
    logic                     hold;
    logic      [NumPipes-1:0] room_fixed;
    logic      [NumPipes-1:0] room_any;
    unit_event_t              events;
    logic      [3:0]          csr_reg;
  } inputs_t;
  inputs_t             in, dut = '0;
  tag_t                head_tag, done_tag;
  slot_t               head_slot;
  logic [NumPipes-1:0] freed;
  logic                valid;
  course_t             claim;
  packet_t             packet;
  grant_t              grant;
  report_t             report;
  logic [15:0]         waiting;
  logic [31:0]         rdata;
  error_e              error;
  sluice_boundary_unit #(.Depth(Depth)) u_dut (
    .clk_i(clk), .rst_ni(rst_n), .settings_i(dut.settings), .stage_i(stage_t'(Here)),
    .pipe_i(Pipe), .transit_i(dut.transit), .phantom_i(dut.phantom),
    .phantom_tag_i(dut.phantom_tag), .phantom_slot_i(dut.phantom_slot), .oldest_i(dut.oldest),
    .move_i(dut.move), .head_tag_o(head_tag), .head_slot_o(head_slot), .pending_i(dut.pending),
    .land_i(dut.land), .land_slot_i(dut.land_slot),
    .room_fixed_i(dut.room_fixed), .room_any_i(dut.room_any),
    .claim_o(claim), .hold_i(dut.hold), .valid_o(valid), .packet_o(packet),
    .grant_o(grant), .freed_o(freed),
    .report_o(report), .waiting_o(waiting), .done_tag_o(done_tag), .event_i(dut.events),
    .reg_i(dut.csr_reg), .rdata_o(rdata), .error_o(error)
  );

  always_ff @(posedge apply) begin
    dut <= in;
    case (mutant)
      1: if (now % 32 == 0) dut.phantom_slot <= ~in.phantom_slot;
      2: dut.settings.fault[FaultPhantomLost] <= 1'b1;
      3: dut.hold <= 1'b0;
      4: dut.land <= 1'b0;
      5: dut.pending <= 1'b0;
      6: for (int s = 0; s < K; s++) dut.transit[s].escape <= 1'b0;
      7: dut.settings.mode <= '0;
      8: dut.settings.clear <= 1'b0;
      9: dut.events.hit <= 1'b0;
      10: dut.move.id <= move_name_t'(move_id_t'(in.move.id));
      11: dut.settings.fault <= '0;
      12: if (now % 32 == 0) dut.transit[0].pipe <= Pipe;
      default: ;
    endcase
  end

  // ---- model
  typedef struct packed {
    int ticket; bit fixed; bit escape; int source; packet_t packet;
  } stored_t;
  typedef struct packed {
    int ticket; bit move; move_name_t id; slot_t slot; int lane;
  } entry_t;
  stored_t coming [$], arrives [$], stored [$];   // not here yet; in this cycle; and here
  entry_t  queue [$], pushes [$];                // pushes: of this cycle
  int      head_places = 0, behind = 0;          // of the queue: in its two registers, in the FIFOs
  int      held [K], next_ticket = 0, oldest_ticket = 0, moves_inside = 0, mark_at = 0;
  bit      gone [1 << TagBits], mark_inside = 1'b0;
  // of the round: packets come from one source alone
  bit      phantoms = 1'b1, late = 1'b0, one_source = 1'b0;
  // marks that write late: one is open, from that cycle on
  bit      open = 1'b0;
  int      open_at = 0;
  slot_t   open_slot;

  // decisions of this cycle, looked at in the next
  bit      reads = 1'b0, lands = 1'b0, writes = 1'b0;
  slot_t   write_slot, land_at;
  entry_t  head;
  bit      there = 1'b0;                         // the head is
  logic [NumPipes-1:0] had_fixed, had_any;
  course_t claim_was = '0;
  tag_t    oldest_told, oldest_was;

  // counters: by their register
  int      counted [16];
  int      rate_come, rate_new, rate_move, rate_land, rate_pending, rate_hold, rate_room;
  int      total_issued = 0, total_reads = 0, total_escapes = 0, total_late = 0, total_waits = 0;

  function automatic int at(logic [11:0] address);
    return int'(address) / 4;
  endfunction
  function automatic void highest(logic [11:0] address, int value);
    if (value > counted[at(address)]) counted[at(address)] = value;
  endfunction
  function automatic bit is_mark(move_name_t id);
    return id >= move_name_t'(MoveIds);
  endfunction
  // Where a packet goes next, that this pipeline issues: all pipelines are of one set.
  function automatic pipe_t goes_to(route_t next);
    return next.fixed ? next.pipe : Pipe;
  endfunction

  // The outputs that follow from the cycle before.
  task automatic look();
    bit      from_queue;
    int      found;
    stored_t p;
    logic [NumPipes-1:0] slots;
    from_queue = 1'b0;
    slots      = '0;
    if (valid != claim_was.valid) fail("a claim without a packet");
    if (valid) begin
      found = -1;
      for (int i = 0; i < stored.size(); i++) if (tag_t'(stored[i].ticket) == done_tag) found = i;
      if (found < 0) fail("an issue of what is not inside");
      p          = stored[found];
      from_queue = p.fixed && phantoms;
      if (packet != p.packet) fail("another packet came out");
      if (grant.access != p.fixed) fail("granted");
      if (from_queue && (!there || head.move || head.ticket != p.ticket)) fail("not its turn");
      if (from_queue && grant.slot != head.slot) fail("slot of an access");
      if (claim_was.fixed != p.packet.route[Here+1].fixed) fail("claim.fixed");
      if (claim_was.pipe != goes_to(p.packet.route[Here+1])) fail("claim.pipe");
      if (claim_was.escape == (claim_was.fixed ? had_fixed[claim_was.pipe]
          : had_any[claim_was.pipe]))
        fail("claim.escape");
      if (claim_was.escape && oldest_was != done_tag)
        fail("an escape of a packet that is not the oldest");
      if (!p.escape) slots[pipe_t'(p.source)] = 1'b1;
      counted[at(RegBoundaryIssued)]++;
      counted[at(RegBoundaryStateful)] += int'(from_queue);
      counted[at(RegBoundaryEscapes)]  += int'(p.escape);
      total_issued++;
      total_escapes += int'(p.escape);
      gone[done_tag] = 1'b1;
      stored.delete(found);
    end else if (grant.access) fail("granted, and no packet");
    if (freed != slots) fail("freed");
    if (report.valid != from_queue || (from_queue && int'(report.lane) != head.lane))
      fail("report");
    if (grant.read != reads || (reads && (grant.id != head.id || grant.slot != head.slot)))
      fail("the read of a move");
    if (grant.land != lands || (lands && grant.slot != land_at)) fail("a landing");
    if (grant.mark_write != writes || (writes && grant.slot != write_slot)) fail("the write of a mark");
    if (error != ErrorNone) fail("an error");

    // the queue: a FIFO's oldest goes to a register that is free, a head that went frees one
    if (from_queue || reads) begin
      if (head.move && is_mark(head.id)) mark_inside = 1'b0;
      else if (head.move)                moves_inside--;
      else                               held[pipe_t'(head.lane)]--;
      void'(queue.pop_front());
    end
    if (behind > 0 && head_places < 2) begin
      behind--;
      head_places++;
    end
    if (from_queue || reads) head_places--;
    behind += pushes.size();
    while (pushes.size() != 0) queue.push_back(pushes.pop_front());
    while (arrives.size() != 0) stored.push_back(arrives.pop_front());
    while (oldest_ticket < next_ticket && gone[tag_t'(oldest_ticket)]) oldest_ticket++;

    begin
      int waits, phantom_count, bank [K];
      waits         = 0;
      phantom_count = 0;
      for (int s = 0; s < K; s++) bank[s] = 0;
      for (int i = 0; i < stored.size(); i++) if (!stored[i].escape) begin
        waits++;
        bank[pipe_t'(stored[i].source)]++;
      end
      for (int i = 0; i < queue.size(); i++) phantom_count += int'(!queue[i].move);
      if (int'(waiting) != waits) fail("waiting");
      highest(RegBoundaryHighWaiting, waits);
      highest(RegBoundaryHighQueue, phantom_count);
      for (int s = 0; s < K; s++) highest(RegBoundaryHighBank, bank[s]);
    end
  endtask

  function automatic packet_t new_packet(tag_t tag, bit fixed);
    packet_t p;
    p          = '0;
    p.tag      = tag;
    p.route[Here]   = '{fixed: fixed, pipe: fixed ? Pipe : pipe_t'(rnd(K))};
    p.route[Here+1] = '{fixed: rnd(2) == 0, pipe: pipe_t'(rnd(K))};
    p.phv.cont.b4[0] = 32'(rnd(1 << 24));
    p.phv.cont.b6[0] = 48'(rnd(1 << 24));
    return p;
  endfunction

  task automatic drive(bit traffic);
    // packets that were told of before come in any order
    for (int s = 0; s < K; s++) begin
      int      i, bank;
      bit      slot_used;
      in.transit[s] = '0;
      if (coming.size() != 0 && !(one_source && s != 0) && rnd(100) < rate_come) begin
        stored_t p;
        i = rnd(coming.size());
        p = coming[i];
        bank      = 0;
        slot_used = 1'b0;
        for (int n = 0; n < stored.size(); n++) begin
          bank      += int'(!stored[n].escape && stored[n].source == s);
          slot_used |= stored[n].escape;
        end
        for (int n = 0; n < arrives.size(); n++) slot_used |= arrives[n].escape;
        p.source = s;
        p.escape = p.ticket == oldest_ticket && !slot_used && rnd(4) == 0;
        if (p.escape || bank < Depth) begin
          coming.delete(i);
          arrives.push_back(p);
          in.transit[s] = '{valid: 1'b1, escape: p.escape, pipe: Pipe, packet: p.packet};
        end
      end else if (rnd(4) == 0) begin
        // One of another pipeline, which may have any tag.
        in.transit[s] = '{valid: 1'b1, escape: rnd(4) == 0, pipe: pipe_t'(rnd(K - 1)),
                       packet: new_packet(tag_t'(rnd(1 << TagBits)), rnd(2) == 0)};
      end
    end
    // new tickets, with the phantoms of those that have an access here
    for (int l = 0; l < K; l++) begin
      in.phantom[l]      = 1'b0;
      in.phantom_tag[l]  = tag_t'(next_ticket);
      in.phantom_slot[l] = slot_t'(rnd(1 << SlotBits));
      if (traffic && rnd(100) < rate_new && next_ticket - oldest_ticket < int'(Window) - 1) begin
        bit fixed;
        fixed = rnd(2) == 0 && held[l] < int'(PhantomDepth);
        if (fixed && phantoms) begin
          in.phantom[l] = 1'b1;
          held[l]++;
          pushes.push_back(entry_t'({next_ticket, 1'b0, move_name_t'(0), in.phantom_slot[l], l}));
        end
        gone[tag_t'(next_ticket)] = 1'b0;
        coming.push_back(stored_t'({next_ticket, fixed, 1'b0, 32'd0,
            new_packet(tag_t'(next_ticket), fixed)}));
        next_ticket++;
      end
    end
    // a move or a mark, behind them
    in.move       = '0;
    in.move.tag   = tag_t'(next_ticket);
    in.move.from_slot = slot_t'(rnd(1 << SlotBits));
    if (traffic && rnd(100) < rate_move) begin
      if (rnd(3) == 0 && !mark_inside && !open && now > mark_at + 3 * OpenCycles) begin
        in.move.valid  = 1'b1;
        in.move.id     = move_name_t'(int'(MoveIds) + rnd(3));
        mark_inside = 1'b1;
      end else if (phantoms && moves_inside < int'(MoveIds)) begin
        in.move.valid = 1'b1;
        in.move.id    = move_name_t'(rnd(int'(MoveIds)));
        moves_inside++;
      end
      if (in.move.valid) pushes.push_back(entry_t'({next_ticket, 1'b1, in.move.id,
          in.move.from_slot, 32'd0}));
    end
    in.land   = rnd(100) < rate_land;
    in.land_slot = slot_t'(rnd(1 << SlotBits));
    in.pending   = rnd(100) < rate_pending;
    in.hold      = rnd(100) < rate_hold;
    for (int d = 0; d < K; d++) in.room_fixed[d] = rnd(100) < rate_room;
    for (int d = 0; d < K; d++) in.room_any[d]   = in.room_fixed != '0;
    in.events.hit      = traffic && rnd(2) == 0;
    in.events.state_op = traffic && rnd(3) == 0;
    in.events.refused  = traffic && rnd(4) == 0;
    oldest_was  = oldest_told;
    oldest_told = tag_t'(oldest_ticket);
    in.oldest      = oldest_told;
  endtask

  // What is decided in this cycle.
  task automatic judge();
    bit a, b, busy, alone, taken;
    there = head_places > 0;
    if (there) begin
      head = queue[0];
      if (head_tag != tag_t'(head.ticket) || head_slot != head.slot)
        fail($sformatf("head %0d slot %0d, is %0d slot %0d", head.ticket, head.slot, head_tag,
        head_slot));
    end
    a = 1'b0;
    b = 1'b0;
    for (int i = 0; i < stored.size(); i++) begin
      if (phantoms && stored[i].fixed)
        a |= there && !head.move && head.ticket == stored[i].ticket;
      else b = 1'b1;
    end
    taken = in.land && (!in.hold || mutant == 13);
    busy  = in.land || (open && now >= open_at);
    alone = !phantoms && there && head.move;
    if (claim.valid && in.hold)  fail("an issue in a cycle of hold");
    if (claim.valid && alone) fail("an issue beside a mark, where nothing says what it accesses");
    if (!claim.valid && !in.hold && !alone && in.room_fixed == '1
        && ((a && !in.pending && !busy) || b))
      fail("a packet that may go does not");
    reads  = there && head.move && !busy && !in.hold;
    writes = late ? open && now >= open_at && !in.land && !in.hold
                  : reads && is_mark(head.id) && head.id[0];
    write_slot = late ? open_slot : head.slot;
    if (late && writes) begin
      open = 1'b0;
      total_late++;
    end
    if (late && reads && is_mark(head.id) && head.id[0]) begin
      open      = 1'b1;
      open_at   = now + OpenCycles;
      open_slot = head.slot;
    end
    if (reads && is_mark(head.id)) mark_at = now;
    lands    = taken;
    land_at  = in.land_slot;
    had_fixed = in.room_fixed;
    had_any   = in.room_any;
    claim_was = claim;
    counted[at(RegBoundaryIdle)]       += int'(!there && !b && !in.hold);
    counted[at(RegBoundaryWaitData)]   += int'(there && !head.move && !a && !b && !in.hold);
    counted[at(RegBoundaryWaitCredit)] += int'(((a && !in.pending && !busy) || b) && !claim.valid
        && !in.hold && !alone);
    counted[at(RegBoundaryMoves)]      += int'(reads && !is_mark(head.id));
    counted[at(RegBoundaryMoveWait)]   += int'(a && (in.pending || in.land) && !in.hold);
    counted[at(RegBoundaryHits)]       += int'(in.events.hit);
    counted[at(RegBoundaryStateOps)]   += int'(in.events.state_op);
    counted[at(RegBoundaryRefusedOps)] += int'(in.events.refused);
    total_reads += int'(reads);
    total_waits += int'(a && in.pending);
  endtask

  task automatic set();
    #1 apply = 1'b1;
    #1 apply = 1'b0;
  endtask

  task automatic cycle(bit traffic);
    look();
    drive(traffic);
    set();
    judge();
    tick();
  endtask

  // Nothing goes, and nothing is counted.
  task automatic rest(int n);
    rate_hold = 100;
    {rate_land, rate_pending} = '0;
    repeat (n) cycle(1'b0);
  endtask

  localparam logic [11:0] Registers [14] = '{
    RegBoundaryIssued, RegBoundaryIdle, RegBoundaryWaitData, RegBoundaryWaitCredit,
    RegBoundaryStateful, RegBoundaryEscapes, RegBoundaryHighQueue, RegBoundaryHighBank,
    RegBoundaryHighWaiting, RegBoundaryStateOps, RegBoundaryRefusedOps, RegBoundaryHits,
    RegBoundaryMoves, RegBoundaryMoveWait};

  initial begin
    read_arguments(5000);
    in = '0;
    for (int l = 0; l < K; l++) held[l] = 0;
    for (int i = 0; i < 16; i++) counted[i] = 0;
    for (int i = 0; i < 1 << TagBits; i++) gone[i] = 1'b0;
    {rate_come, rate_new, rate_move, rate_land, rate_pending, rate_room} = '0;
    oldest_told = '0;
    release_reset(3);
    #1 if ({valid, grant.access, grant.read, grant.land, grant.mark_write, freed, report, waiting} != '0)
      fail("something is told of before the first cycle");
    for (int round = 0; round < Rounds; round++) begin
      for (int c = 0; c < int'(cycles); c++) begin
        if (c % 100 == 0) begin
          rate_come    = 10 + rnd(91);
          rate_new     = rnd(4) == 0 ? 5 : 10 + rnd(91);
          rate_move    = rnd(2) == 0 ? 0 : rnd(40);
          rate_land    = rnd(2) == 0 ? 0 : rnd(40);
          rate_pending = rnd(2) == 0 ? 0 : rnd(60);
          rate_hold    = rnd(2) == 0 ? 0 : rnd(40);
          rate_room    = rnd(3) == 0 ? 100 : 20 + rnd(70);
        end
        cycle(1'b1);
      end
      // until nothing is inside
      {rate_land, rate_pending, rate_hold} = '0;
      rate_come = 100;
      rate_room = 100;
      for (int c = 0; coming.size() + stored.size() + arrives.size() + queue.size()
           + pushes.size() != 0
           || oldest_ticket != next_ticket; c++) begin
        if (c > 1000) fail("packets, moves or marks stay inside");
        cycle(1'b0);
      end
      repeat (2 * OpenCycles) cycle(1'b0);
      if (open) fail("a mark did not write");
      rest(4);
      for (int i = 0; i < $size(Registers); i++) begin
        in.csr_reg = Registers[i][5:2];
        set();
        if (int'(rdata) != counted[at(Registers[i])])
          fail($sformatf("register %03x: %0d, and %0d were counted", Registers[i], rdata,
                         counted[at(Registers[i])]));
      end
      in.csr_reg = '1;
      set();
      if (rdata != '0) fail("a register that is none");
      cycle(1'b0);
      // the next round
      in.settings.clear = 1'b1;
      cycle(1'b0);
      in.settings.clear = 1'b0;
      for (int i = 0; i < 16; i++) counted[i] = 0;
      phantoms = round % 4 != 2;
      late     = round % 4 == 1;
      one_source = round % 3 == 1;
      in.settings.mode.no_phantoms      = !phantoms;
      in.settings.fault[FaultTakeOpen]  = late;
      rest(4);
    end
    if (cycles >= 5000
        && (total_issued < 10000 || total_reads < 1000 || total_escapes < 50 || total_late < 20
        || total_waits < 100)) fail("the traffic was too tame");
    pass($sformatf("%0d issued, %0d moves and marks, %0d from the escape slot, %0d marks wrote late, %0d waits",
                   total_issued, total_reads, total_escapes, total_late, total_waits));
  end
endmodule : tb_sluice_boundary_unit
