// SPDX-License-Identifier: Apache-2.0

/// A back unit with a capsule unit against the model in capsule_model.h: random capsules and
/// packets of programs, most of them on few words, and REGION and ADDRESS written in between. Every
/// packet and event is compared, and at the end the whole memory. What stands late in a capsule is
/// compared as what it will be. +seed=N +phases=N +break=N (see the file breaks).
module tb_sluice_capsule_unit;
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_probe_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_table_pkg::*;
  import sluice_stage_pkg::*;

  import "DPI-C" function void cu_start(input int pipes, input int ports, input int n2, input int n4,
    input int n6, input int rows, input int modules, input int banks, input int slots, input int memory,
    input int pairs, input int shifters, input int ids, input int cycles, input int pipe, input int seed,
    input int phases);
  import "DPI-C" function void cu_recirculates(input int is);
  import "DPI-C" function int cu_begin();
  import "DPI-C" function int cu_setting(input int which);
  import "DPI-C" function int cu_expect();
  import "DPI-C" function int cu_drive();
  import "DPI-C" function longint cu_packet(input int what, input int kind, input int i);
  import "DPI-C" function int cu_write();
  import "DPI-C" function longint cu_word(input int i);
  import "DPI-C" function void cu_spare(input int slot, input int s1, input int s2);
  import "DPI-C" function int cu_memory(input int slot, input int s1, input int s2);
  import "DPI-C" function void cu_report();

  localparam int unsigned Deepest0 = MemorySlots > MatchEntries ? MemorySlots : MatchEntries;
  localparam int unsigned Deepest  = Deepest0 > Banks * ActiveIds ? Deepest0 : Banks * ActiveIds;

  int phases = 24;
  `include "bench.svh"
  `include "tables.svh"

  // ---- the unit
  stage_settings_t settings;
  `include "sweep.svh"
  stage_t       stage;
  pipe_t        pipe;
  logic         in_valid, in_granted, out_valid, hold, fill_busy, read_busy;
  unit_event_t  events;
  packet_t      in_packet, out_packet;
  slot_t        in_slot;
  probe_state_t probe;
  table_write_t write_seen;
  table_ready_t unused_ready;
  word_answer_t unused_answer;
  moved_t       unused_moved;
  mark_request_t unused_ask;
  logic         unused_walks;
  row_read_t unused_row_read;

  sluice_back_unit dut (
    .clk_i(clk), .rst_ni(rst_n), .stage_i(mutant == 5 ? stage + 5'd1 : stage), .pipe_i(pipe),
    .settings_i(settings), .valid_i(in_valid), .packet_i(in_packet),
    .grant_i('{access: in_granted, slot: in_slot, default: '0}), .value_i('0),
    .moved_o(unused_moved), .row_read_o(unused_row_read),
    .cut_i('0), .walks_o(unused_walks),
    .ask_o(unused_ask), .marked_i(1'b0), .valid_o(out_valid), .packet_o(out_packet), .hold_o(hold),
    .write_i(write_seen), .write_ready_o(unused_ready), .read_i('0), .answer_o(unused_answer),
    .read_busy_o(read_busy), .read_busy_i(1'b0), .event_o(events),
    .fill_busy_o(fill_busy), .probe_o(probe)
  );

  always_comb begin
    region_t region;
    region = region_t'(write.data[EntryBits-1 -: RegionWidth]);
    region.high = region.high + 20'd1;
    write_seen = write;
    if (mutant == 1 && write.which == TableRegion)
      write_seen.data[EntryBits-1 -: RegionWidth] = region;
  end

  // Mutants: what a register gives is changed in the middle of a cycle.
  always @(negedge clk) begin
    if (mutant == 2)
      force dut.gen_capsule.u_capsule.in_bounds = dut.gen_capsule.u_capsule.region.valid
          && dut.gen_capsule.u_capsule.capsule_q1.mar[19:0] <= dut.gen_capsule.u_capsule.region.high;
    if (mutant == 4)
      force dut.gen_capsule.u_capsule.u_alu.target = dut.gen_capsule.u_capsule.capsule_q2.ops[0].target;
    if (mutant == 7) begin
      if (dut.gen_state.u_state.capsule_entry) force dut.gen_state.u_state.u_operation.p2_entry_o = '0;
      else release dut.gen_state.u_state.u_operation.p2_entry_o;
    end
    if (mutant == 9)  force dut.gen_capsule.u_capsule.pinned_q2 = 1'b1;
    if (mutant == 13) force dut.gen_state.u_state.u_operation.bounded_entry_q = 1'b1;
    if (mutant == 14) force dut.gen_state.u_state.capsule_result_q = 1'b0;
    if (mutant == 15) force dut.gen_capsule.u_capsule.in_memory = 1'b1;
    if (mutant == 16) force dut.gen_capsule.u_capsule.same_kind = 1'b1;
  end

  `include "capsule.svh"

  /// What must leave is what the model says; of a packet without a capsule only that it has none.
  function automatic carried_t finished(carried_t c);
    finished = c;
    finished.late = LateNone;
    if (c.late == LateMin && c.mbr < c.mbr2) finished.mbr2 = c.mbr;
    if (c.late == LateRest) finished.mbr = c.mbr == '0 ? '0 : c.mbr2 - c.mbr;
    if (!c.valid) finished = '0;
  endfunction

  function automatic packet_t with_containers(packet_t base, int what);
    packet_t k;
    k = base;
    k.phv.cont = '0;
    for (int i = 0; i < int'(Num2B); i++) k.phv.cont.b2[i] = 16'(cu_packet(what, 1, i));
    for (int i = 0; i < int'(Num4B); i++) k.phv.cont.b4[i] = 32'(cu_packet(what, 2, i));
    for (int i = 0; i < int'(Num6B); i++) k.phv.cont.b6[i] = 48'(cu_packet(what, 3, i));
    k.phv.meta.dest    = 8'(cu_packet(what, 0, 0));
    k.phv.meta.discard = 1'(cu_packet(what, 0, 1));
    return k;
  endfunction

  function automatic string text(carried_t c);
    return $sformatf("id %0d known %b complete %b skip %b %b %0d returned %b fault %b late %0d mar %h mbr %h mbr2 %h hash %h data %h op %h all %h",
      c.id, c.known, c.complete, c.skip, c.skip_numbered, c.skip_label, c.returned, c.fault, c.late, c.mar, c.mbr,
      c.mbr2, c.hash, c.data, c.ops[0], c);
  endfunction

  packet_t sent [16];
  bit      sent_valid [16];
  int      hits = 0, hits_expected = 0;

  task automatic check(int cycle);
    int       e;
    packet_t  expected;
    carried_t want, is, had;
    packet_t  got;
    got = out_packet;
    if (out_valid !== sent_valid[(cycle - int'(CoreCycles)) & 15])
      $fatal(1, "cycle %0d: valid", cycle);
    hits += int'(events.hit);
    if (!out_valid) begin
      if (events.state_op || events.refused || probe.valid) $fatal(1, "cycle %0d: operation without a packet", cycle);
      return;
    end
    e        = cu_expect();
    hits_expected += int'(e[0]);
    expected = with_containers(sent[(cycle - int'(CoreCycles)) & 15], 1);
    // Where the action of the stage has written a destination, it wins.
    if (mutant == 10
        && dut.left_phv.meta.dest != sent[(cycle - int'(CoreCycles)) & 15].phv.meta.dest)
      got.phv.meta.dest = dut.left_phv.meta.dest;
    had      = carried_t'(expected.phv.capsule);
    want     = capsule(1);                           // nothing in it is late
    want.known = had.known;                          // as the mutants have sent them
    want.drop  = had.drop;
    if (!want.valid) want = '0;
    is       = finished(carried_t'(got.phv.capsule));
    if (is !== want)
      $fatal(1, "cycle %0d, opcode %0d: capsule\n  is       %s\n  expected %s\n  before   %s", cycle,
             had.ops[0].opcode, text(is), text(want), text(had));
    got.phv.capsule      = '0;
    expected.phv.capsule = '0;
    if (got !== expected)
      $fatal(1, "cycle %0d, opcode %0d: packet\n  is       %h\n  expected %h", cycle, had.ops[0].opcode,
             got, expected);
    if (events.state_op != e[4] || events.refused != e[3] || probe.valid != e[1])
      $fatal(1, "cycle %0d, opcode %0d: events: op %b refused %b probe %b, expected %b", cycle,
             had.ops[0].opcode, events.state_op, events.refused, probe.valid, e[4:0]);
    if (e[1] && (probe.refused != e[2] || probe.tag != expected.tag
                 || (!e[2] && int'(probe.slot) != e >> 8)))
      $fatal(1, "cycle %0d: probe", cycle);
  endtask

  task automatic drive(int cycle);
    int         d;
    logic [$bits(packet_t)-1:0] noise;
    logic [7:0] vid;
    packet_t    k;
    carried_t   c;
    d = cu_drive();
    for (int i = 0; i < $bits(packet_t); i++) noise[i] = 1'($urandom);
    k = packet_t'(noise);
    k.phv = kept_phv(k.phv);
    if (d[0]) begin
      k   = with_containers(k, 0);
      vid = 8'(cu_packet(0, 0, 2));
      k.phv.meta.vid_high = vid[7:RowBits];
      k.phv.meta.overlay  = overlay_t'({1'(cu_packet(0, 0, 3)), row_t'(vid)});
      k.phv.meta.port_in  = 8'(cu_packet(0, 0, 4));
      k.phv.meta.round    = round_t'(cu_packet(0, 0, 5));
      c = capsule(0);
      if (!c.valid) begin
        c       = carried_t'(k.phv.capsule);         // noise
        c.valid = 1'b0;
      end
      if (mutant == 6 && c.late == LateMin) c.late = LateNone;
      if (mutant == 8)  c.known = 1'b1;
      if (mutant == 12) c.drop  = 1'b0;
      k.phv.capsule = capsule_bits_t'(c);
    end
    sent[cycle & 15]       = k;
    sent_valid[cycle & 15] = d[0];
    in_valid   = d[0];
    in_packet  = k;
    in_granted = d[1];
    in_slot    = d[3] ? slot_t'(PinnedSlot) : slot_t'(d >> 8);
    if (mutant == 3) begin
      c = carried_t'(k.phv.capsule);
      force dut.gen_capsule.u_capsule.row
          = id_row_t'({!k.phv.meta.overlay[$bits(overlay_t)-1], c.id});
    end
  endtask

  function automatic longint memory_word(slot_t slot);
    return longint'(dut.gen_state.u_state.u_memory.u_ram.mem_q[slot]) << (StatePairs != 0 ? 0 : 32);
  endfunction

  task automatic drive_write();
    int w;
    w = cu_write();
    write = '0;
    if (w == 0) return;
    put_write(table_e'(w[7:0] - 8'd1), w >> 8, '0, w >> 8);
    for (int i = 0; i < 10; i++) write.data[EntryBits-1-64*i -: 64] = cu_word(i);
  endtask

  initial begin
    int     state;
    int unsigned sets;
    longint word;
    read_arguments();
    void'($value$plusargs("phases=%d", phases));
    if (CoreCycles >= 16) $fatal(1, "packets are kept for 16 cycles");
    pipe = pipe_t'(seed);
    cu_start(int'(NumPipes), int'(NumPorts), int'(Num2B), int'(Num4B), int'(Num6B), int'(MatchEntries),
             int'(NumModules), int'(Banks), int'(SlotsPerPipe), int'(MemorySlots), int'(StatePairs),
             int'(Shifters), int'(ActiveIds), int'(CoreCycles), int'(pipe), seed, phases);
    cu_recirculates(int'(Recirculation));
    settings   = '0;
    stage      = '0;
    in_valid   = 1'b0;
    in_packet  = '0;
    in_granted = 1'b0;
    in_slot    = '0;
    for (int i = 0; i < 16; i++) sent_valid[i] = 1'b0;
    release_reset(3);
    sweep(int'(Deepest));
    for (int i = int'(SlotsPerPipe); i < int'(MemorySlots); i++) begin
      word = memory_word(slot_t'(i));
      cu_spare(i, int'(word >> 32), int'(word));
    end
    settings.fault[FaultNoForward] = mutant == 11;
    state = 0;
    for (int cycle = 1; state == 0; cycle++) begin
      @(negedge clk);
      state = cu_begin();
      check(cycle);
      drive(cycle);
      drive_write();
      stage = stage_t'(cu_setting(0));
      sets  = cu_setting(1);
      settings.mode.no_phantoms = 1'(cu_setting(2));
      settings.set_mask = '0;
      for (int unsigned b = 0; b < sets; b++) settings.set_mask[PipeBits-1-b] = 1'b1;
      if (hold || read_busy || fill_busy) $fatal(1, "cycle %0d: control is busy, unasked", cycle);
    end
    if (state == 2) $fatal(1, "failed");
    if (hits != hits_expected) $fatal(1, "%0d hits counted, %0d expected", hits, hits_expected);
    for (int i = 0; i < int'(MemorySlots); i++) begin
      word = memory_word(slot_t'(i));
      if (cu_memory(i, int'(word >> 32), int'(word)) == 0) $fatal(1, "memory");
    end
    cu_report();
    $finish;
  end
endmodule : tb_sluice_capsule_unit
