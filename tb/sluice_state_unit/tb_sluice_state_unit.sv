// SPDX-License-Identifier: Apache-2.0

/// Directed test of the state unit alone (the random one is tb/sluice_back_unit): Menshen's memory
/// cases, with the range test mended; counters hit in every cycle, alone and on two slots in turn;
/// a Pairs instruction with all four arms; state written by control while packets count on the same
/// slot; a write and an operation on its slot so and so many cycles behind it, for each kind of
/// write; indices read at the stage; moves: reads and landings between counting packets, beside
/// others, in every cycle while control waits; this pipeline as a set of its own: all entries of a
/// segment of the set are here, of another set none.
/// +seed=N (unused: nothing is random)  +break=N (see file breaks).
module tb_sluice_state_unit;
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_stage_pkg::*;

  `include "bench.svh"
  `include "tables.svh"

  // ---- a packet as the core would bring it, and what the unit makes of it
  typedef struct packed {
    logic                 hit;
    logic                 granted;
    slot_t                slot;
    row_t                 row;
    action_row_t          action_row;
    instr_t               slot16;
    containers_t          cont;
  } packet_in_t;

  typedef struct packed {
    logic         read;
    logic         land;
    move_id_t     id;
    slot_t        slot;
    state_entry_t value;
  } move_in_t;

  packet_in_t       c0;
  packet_in_t       c_q [1:ActionCycle];      // [c]: c cycles later
  move_in_t         m0, m_seen;
  move_in_t         m_q [1:StateResultCycle];
  logic             unused_move;
  moved_t           moved;
  logic             late_hit;
  side_t            side;
  result_t          result;
  stage_settings_t  settings;
  `include "sweep.svh"
  table_ready_t     write_ready;
  logic [7:0][31:0] ext;
  logic             slot16_write, op, op_refused, read_busy, hold, fill_busy;
  logic [31:0]      slot16;
  slot_t            op_slot;

  always_ff @(posedge clk) begin
    c_q[1]   <= c0;
    m_q[1]   <= m0;
    late_hit <= c_q[ActionCycle].hit;
    for (int unsigned c = 2; c <= ActionCycle; c++)      c_q[c] <= c_q[c-1];
    for (int unsigned c = 2; c <= StateResultCycle; c++) m_q[c] <= m_q[c-1];
  end
  assign unused_move = ^m_seen.value;
  assign m_seen = mutant == 9 ? m_q[1] : m0;

  always_comb begin
    side               = '0;
    side.ahead         = c_q[StateLookupCycle].hit;
    side.ahead_row     = c_q[StateLookupCycle].row;
    side.hit           = '{valid: c_q[HitCycle].hit, row: c_q[HitCycle].action_row};
    side.hit_cont      = c_q[HitCycle].cont;
    side.action        = mutant == 5 ? late_hit : c_q[ActionCycle].hit;
    side.action_slot16 = c_q[ActionCycle].slot16 ^ (mutant == 4 ? 25'h0_0800 : '0);
    side.action_cont   = c_q[ActionCycle].cont;
  end
  assign ext          = result.ext;
  assign slot16_write = result.slot16_write;
  assign slot16       = result.slot16;

  mark_request_t    unused_ask;
  logic unused_walks;
  row_read_t unused_row_read;
  row_access_t unused_row_access;
  logic [3:0] unused_pred;

  logic [31:0] unused_old_word, unused_new_word;      // for capsules
  sluice_state_unit dut (
    .clk_i(clk), .rst_ni(rst_n), .pipe_i('0), .settings_i(settings),
    .grant_i('{access: c0.granted && mutant != 3, read: m_seen.read, land: m_seen.land, id: m_seen.id,
               slot: m_seen.read || m_seen.land ? m_seen.slot : c0.slot, default: '0}),
    .value_i('{land: m_q[mutant == 6 ? StateUpdateCycle + 1 : StateUpdateCycle].value, default: '0}),
    .side_i(side), .result_o(result), .moved_o(moved), .row_i('0),
    .capsule_i('0), .old_word_o(unused_old_word), .new_word_o(unused_new_word),
    .row_access_o(unused_row_access), .pred_o(unused_pred), .row_read_o(unused_row_read), .tag_i('0), .cut_i('0), .walks_o(unused_walks), .ask_o(unused_ask), .marked_i(1'b0),
    .op_o(op), .op_refused_o(op_refused), .op_slot_o(op_slot),
    .write_i(write), .write_ready_o(write_ready), .read_i(read), .answer_o(answer),
    .read_busy_o(read_busy), .read_busy_i(read_busy), .hold_o(hold), .fill_busy_o(fill_busy)
  );

  // ---- control
  task automatic table_write(table_e which, logic [15:0] index,
                             logic [7:0] row, logic [EntryBits-1:0] data);
    put_write(which, 32'(index), data, 32'(row));
    #1;
    for (int n = 0; !write_ready.ready; n++) begin
      if (n > 2000) $fatal(1, "a write is never taken");
      @(negedge clk);
    end
    if (write_ready.refused) $fatal(1, "a write is refused");
    end_write();
    @(negedge clk);   // a node's writes are at least one cycle apart
  endtask

  task automatic state_is(string what, logic [7:0] row, logic [15:0] index, logic [63:0] expected);
    read_word(TableState, 32'(index), 0, 32'(row));
    for (int n = 0; !answer.valid; n++) begin
      if (n > 200) $fatal(1, "a read is never answered");
      @(negedge clk);
    end
    if (answer.data != expected)
      $fatal(1, "%s: entry %0d is %h, expected %h", what, index, answer.data, expected);
  endtask

  // ---- packets
  function automatic packet_in_t memory_op(op_e what, logic [31:0] a, logic [31:0] b);
    packet_in_t k;
    k = '0;
    k.hit        = 1'b1;
    k.granted    = 1'b1;
    k.row        = row_t'(11);
    k.slot       = slot_t'(PinnedSlot);
    k.slot16     = {what, 2'd0, 3'd1, 2'd0, 3'd2, 11'd0};   // type tags are ignored
    k.cont.b4[1] = a;
    k.cont.b4[2] = b;
    return k;
  endfunction

  /// One packet alone; returns D (0 if it is not written).
  task automatic alone(packet_in_t k, bit refused, output logic [31:0] d);
    c0 = k;
    @(negedge clk);
    c0 = '0;
    repeat (StateResultCycle - 1) @(negedge clk);
    d = slot16_write ? slot16 : '0;
    if (!op || op_refused != refused)
      $fatal(1, "operation: op %b, refused %b, expected %b", op, op_refused, refused);
  endtask

  task automatic expect_d(string what, packet_in_t k, bit refused, logic [31:0] expected);
    logic [31:0] d;
    alone(k, refused, d);
    if (d != expected) $fatal(1, "%s: D = %h, expected %h", what, d, expected);
  endtask

  /// A move's read in the next cycle; its value is expected in c6.
  function automatic move_in_t move_read(slot_t slot, move_id_t id);
    return '{read: 1'b1, land: 1'b0, id: id, slot: slot, value: '0};
  endfunction
  function automatic move_in_t move_land(slot_t slot, state_entry_t value);
    return '{read: 1'b0, land: 1'b1, id: '0, slot: slot, value: value};
  endfunction
  task automatic moved_is(string what, int id, logic [63:0] expected);
    if (!moved.valid || moved.id != move_id_t'(id) || moved.value != expected)
      $fatal(1, "%s: moved %h, expected id %0d value %h", what, moved, id, expected);
  endtask

  /// An access of module 13, which is sharded: it goes to the slot that it brings.
  function automatic packet_in_t sharded_op(op_e what, slot_t slot, logic [31:0] a);
    packet_in_t k;
    k      = memory_op(what, a, 0);
    k.row  = row_t'(13);
    k.slot = slot;
    return k;
  endfunction

  /// What is written, and a count on it `distance` cycles later: by a count, a landing, control.
  /// Between them counts of another slot, and loads of this one; or nothing.
  task automatic test_distance(int kind, int distance, bit busy);
    localparam slot_t Slot  = slot_t'(4);
    localparam slot_t Other = slot_t'(5);
    logic [31:0] d;
    expect_d("store", sharded_op(OpStore, Slot, 32'd1000), 1'b0, 0);
    expect_d("store", sharded_op(OpStore, Other, 32'd50), 1'b0, 0);
    fork
      begin
        // Control writes in the third cycle of the message, as what is in its update then.
        repeat (kind == 2 ? int'(StateUpdateCycle) : 2) @(negedge clk);
        case (kind)
          0: c0 = sharded_op(OpLoadd, Slot, 0);
          1: m0 = move_land(Slot, {32'd1001, 32'd0});
          default: table_write(TableState, 16'(4 * NumPipes), 13,
                               {32'd1001, 608'd0});
        endcase
        if (kind != 2) begin
          @(negedge clk);
          m0 = '0;
          c0 = '0;
        end
      end
      begin
        repeat (3) @(negedge clk);
        for (int n = 1; n < distance; n++) begin
          if (busy) c0 = sharded_op(n[0] ? OpLoadd : OpLoad, n[0] ? Other : Slot, 0);
          @(negedge clk);
        end
        c0 = sharded_op(OpLoadd, Slot, 0);
        @(negedge clk);
        c0 = sharded_op(OpLoad, Slot, 0);
        @(negedge clk);
        c0 = '0;
        repeat (StateResultCycle - 1) @(negedge clk);
        d = slot16_write ? slot16 : '0;
      end
    join
    if (d != 32'd1002)
      $fatal(1, "write of kind %0d, count %0d cycles later: %0d", kind, distance, d);
  endtask

  task automatic test_moves(logic [31:0] sum);
    localparam slot_t Spare = slot_t'(SlotsPerPipe + 1);
    localparam slot_t Home  = slot_t'(3);
    int          moves;
    bit          held;
    packet_in_t  k;
    // An access that counts, then the read of its slot: it takes the count along.
    expect_d("store", sharded_op(OpStore, Home, 32'd40), 1'b0, 0);
    c0 = sharded_op(OpLoadd, Home, 0);
    @(negedge clk);
    c0 = '0;
    m0 = move_read(Home, 2);
    @(negedge clk);
    m0 = '0;
    repeat (StateResultCycle - 1) @(negedge clk);
    moved_is("read after a count", 2, {32'd41, 32'd0});
    @(negedge clk);
    if (moved.valid) $fatal(1, "a value twice");
    // Reads beside packets without an access; a pinned row in the cycles before.
    expect_d("load", memory_op(OpLoad, 0, 0), 1'b0, 32'h0100_0000 + sum);
    k = memory_op(OpLoadd, 0, 1);
    k.granted = 1'b0;
    c0 = k;
    m0 = move_read(Home, 1);
    @(negedge clk);
    c0 = '0;
    m0 = '0;
    repeat (StateResultCycle - 1) @(negedge clk);
    moved_is("read beside a packet", 1, {32'd41, 32'd0});
    if (!op || !op_refused) $fatal(1, "the packet beside the read has an access");
    // A landing, and a count in the next cycle, and the next; a count of another slot before.
    c0 = sharded_op(OpLoadd, Home, 0);
    @(negedge clk);
    c0 = mutant == 8 ? sharded_op(OpLoadd, Home, 0) : k;
    m0 = move_land(Spare, {32'd100, 32'd7});
    @(negedge clk);
    m0 = '0;
    c0 = sharded_op(OpLoadd, Spare, 0);
    @(negedge clk);
    @(negedge clk);
    c0 = '0;
    m0 = move_read(Spare, 3);
    @(negedge clk);
    m0 = move_read(Home, 0);
    @(negedge clk);
    m0 = '0;
    repeat (StateResultCycle - 2) @(negedge clk);
    moved_is("landing and counts", 3, {32'd102, 32'd7});
    @(negedge clk);
    moved_is("the slot beside", 0, {32'd42, 32'd0});
    expect_d("refused beside a landing", memory_op(OpLoad, 0, 1), 1'b0, 32'h1234_5678 + 32'd50);
    // Reads and landings in every cycle: control waits, then everybody stops for it.
    moves = 0;
    held  = 1'b0;
    fork
      for (int n = 0; n < 200; n++) begin
        m0 = hold ? '0 : n[0] ? move_read(Home, move_id_t'(n)) : move_land(Spare, {32'(n), 32'd0});
        moves += int'(m0.read || m0.land);
        held  |= hold;
        @(negedge clk);
      end
      begin
        repeat (20) @(negedge clk);
        table_write(TableState, 4, 13, {64'h5, 576'd0});
        state_is("read between moves", 13, 4, 64'h5);
      end
    join
    m0 = '0;
    if (moves < 150) $fatal(1, "only %0d moves", moves);
    repeat (StateResultCycle + 2) @(negedge clk);
    // Landings in every cycle hold up a write, until hold.
    held = 1'b0;
    fork
      for (int n = 0; n < 100; n++) begin
        m0 = hold ? '0 : move_land(Spare, {32'(n), 32'd0});
        held |= hold;
        @(negedge clk);
      end
      begin
        repeat (10) @(negedge clk);
        table_write(TableState, 4, 13, {64'h6, 576'd0});
      end
    join
    m0 = '0;
    if (!held) $fatal(1, "a write did not wait for landings");
    repeat (StateResultCycle + 2) @(negedge clk);
    state_is("write between landings", 13, 4, 64'h6);
  endtask

  /// ACCESS was written while a packet was between the order point and here: what was resolved is no
  /// access of the kind that the stage has, neither in the slot that it names nor where its index is.
  task automatic test_kinds();
    packet_in_t k;
    for (int n = 0; n < 3; n++) table_write(TableState, 16'(n * NumPipes), 13, {64'h50 + 64'(n), 576'd0});
    for (int n = 1; n < 3; n++) table_write(TableState, 16'(n), 11, {64'h60 + 64'(n), 576'd0});
    k     = memory_op(OpStore, 32'h99, 1);              // pinned, and sharded at the stage
    k.row = row_t'(13);
    expect_d("pinned, then sharded", k, 1'b1, 0);
    k     = memory_op(OpStore, 32'h98, 1);              // sharded, and pinned at the stage
    k.slot = slot_t'(1);
    expect_d("sharded, then pinned", k, 1'b1, 0);
    k.slot = slot_t'(12 * Granule + 1);
    expect_d("sharded in the slot of a pinned one", k, 1'b1, 0);
    expect_d("pinned", memory_op(OpStore, 32'h97, 2), 1'b0, 0);
    expect_d("sharded", sharded_op(OpStore, slot_t'(2), 32'h96), 1'b0, 0);
    for (int n = 0; n < 3; n++) begin
      state_is("kinds", 13, 16'(n * NumPipes), n == 2 ? 64'h96_0000_0052 : 64'h50 + 64'(n));
      if (n > 0) state_is("kinds", 11, 16'(n), n == 2 ? 64'h97_0000_0062 : 64'h60 + 64'(n));
    end
  endtask

  task automatic test_sets();
    access_t    access;
    packet_in_t k;
    settings.set_mask = mutant == 12 ? '0 : pipe_t'(NumPipes - 1);
    access = '{enable: 1'b1, index: {TypeB4, 3'd2}, default: '0};
    table_write(TableSegment, 14, 0, {16'd7, 16'(30 * Granule), 608'd0});
    table_write(TableAccess, 14, 0, {access, 608'd0});
    table_write(TableSegment, 15, 0, {16'd1, 16'(30 * Granule + 7), 608'd0});
    table_write(TableAccess, 15, 0, {access, 608'd0});
    table_write(TableState, 0, 15, {64'h9, 576'd0});
    // A fill of all seven, and not of the neighbour; a single one behind it.
    table_write(TableFill, 0, 14, {64'h8, 576'd0});
    table_write(TableState, 5, 14, {64'h7, 576'd0});
    for (int unsigned n = 0; n < 7; n++)
      state_is("in a set of one", 14, 16'(n), n == 5 ? 64'h7 : 64'h8);
    state_is("neighbour in a set of one", 15, 0, 64'h9);
    // An index that is read at the stage.
    settings.mode.no_phantoms = 1'b1;
    k = memory_op(OpLoad, 0, 5);
    k.row = row_t'(14);
    expect_d("late index in a set of one", k, 1'b0, 0);
    if (op_slot != slot_t'(30 * Granule + 5)) $fatal(1, "slot %0d of a late index", op_slot);
    settings.mode = '0;
    // The same segment in the set of the last pipeline: nothing of it is here.
    access.pipe = 4'(NumPipes - 1);
    table_write(TableAccess, 14, 0, {access, 608'd0});
    table_write(TableFill, 0, 14, {64'h6, 576'd0});
    table_write(TableState, 0, 14, {64'h5, 576'd0});
    access.pipe = mutant == 13 ? 4'(NumPipes - 1) : '0;
    table_write(TableAccess, 14, 0, {access, 608'd0});
    state_is("of another set", 14, 0, 64'h8);
    settings.set_mask = '0;
  endtask

  initial begin
    state_instr_t instr;
    access_t      access;
    packet_in_t   k;
    logic [31:0]  sum;
    read_arguments();
    settings = '0;
    c0    = '0;
    m0    = '0;
    release_reset(int'(ActionCycle) + 3);    // `c_q` has no reset: what it began with must be gone
    sweep(int'(SlotsPerPipe + MatchEntries + NumModules));
    settings.fault[FaultNoForward] = mutant == 1;
    settings.fault[FaultNoBounds]  = mutant == 2;
    if (mutant == 17) force dut.u_operation.other_read = 1'b0;
    if (mutant == 14) force dut.u_memory.ahead_1 = 1'b0;
    if (mutant == 15) force dut.u_memory.ahead_2 = 1'b0;
    if (mutant == 16) force dut.u_memory.ahead_3 = 1'b0;

    // ---- Menshen's cases: segment 030c (range 3, base 12 granules), module of row 11
    access = '{enable: 1'b1, pinned: 1'b1, index: {TypeB4, 3'd2}, default: '0};
    table_write(TableSegment, 11, 0, {16'h0003 * 16'(Granule), 16'h000c * 16'(Granule), 608'd0});
    table_write(TableAccess, 11, 0, {access, 608'd0});
    table_write(TableState, 2, 11, {32'h0000_000a, 32'h5555_5555, 576'd0});
    expect_d("loadd", memory_op(OpLoadd, 0, 2), 1'b0, 32'h0000_000b);
    state_is("loadd", 11, 2, 64'h0000_000b_5555_5555);
    expect_d("load", memory_op(OpLoad, 0, 2), 1'b0, 32'h0000_000b);
    expect_d("store", memory_op(OpStore, 32'h1234_5678, 1), 1'b0, 0);
    state_is("store", 11, 1, 64'h1234_5678_0000_0000);
    // The next slot belongs to a neighbour; Menshen's range test lets index 3 and all loads pass.
    table_write(TableSegment, 12, 0, {16'd20, 16'(15 * Granule), 608'd0});
    table_write(TableAccess, 12, 0, {access, 608'd0});
    table_write(TableState, 0, 12, {64'h7777_7777_8888_8888, 576'd0});
    expect_d("store at range", memory_op(OpStore, 32'h1234_5678, 3 * Granule), 1'b1, 0);
    expect_d("store behind", memory_op(OpStore, 32'h1234_5678, 4 * Granule), 1'b1, 0);
    expect_d("load behind", memory_op(OpLoad, 0, 3 * Granule), 1'b1, 0);
    expect_d("load far behind", memory_op(OpLoad, 0, 32'h22), 1'b1, 0);
    expect_d("loadd far behind", memory_op(OpLoadd, 0, 32'h8000_0002), 1'b1, 1);
    state_is("neighbour", 12, 0, 64'h7777_7777_8888_8888);
    state_is("loadd far behind", 11, 2, 64'h0000_000b_5555_5555);

    // ---- counters in every cycle: one slot, two slots in turn
    for (int n = 0; n < 100; n++) begin
      c0 = memory_op(OpLoadd, 0, 0);
      @(negedge clk);
    end
    for (int n = 0; n < 100; n++) begin
      c0 = memory_op(OpLoadd, 0, 32'(n & 1));
      @(negedge clk);
    end
    c0 = '0;
    repeat (StateResultCycle + 2) @(negedge clk);
    state_is("counter", 11, 0, {32'd150, 32'd0});
    state_is("counter in turn", 11, 1, {32'h1234_5678 + 32'd50, 32'd0});

    // ---- control writes between counting packets: nothing is lost, before or after
    table_write(TableState, 0, 11, '0);
    fork
      for (int n = 0; n < 200; n++) begin
        c0 = n % 7 == 0 || hold ? '0 : memory_op(OpLoadd, 0, 0);
        @(negedge clk);
      end
      begin
        repeat (50) @(negedge clk);
        table_write(TableState, 0, 11, {32'h0100_0000, 608'd0});
      end
    join
    c0 = '0;
    repeat (StateResultCycle + 2) @(negedge clk);
    // All that came later than the write were counted on top of it, none before.
    read_word(TableState, 0, 0, 11);
    repeat (3) @(negedge clk);
    sum = answer.data[63 -: 32] - 32'h0100_0000;
    if (!answer.valid || sum < 32'd110 || sum > 32'd130)
      $fatal(1, "%0d counted after the write", sum);

    // ---- all arms of a Pairs instruction: P1 < 40; S1 - P1 >= 10; S2 == S1; always
    instr = '0;
    instr.valid  = 1'b1;
    instr.p1     = {TypeB4, 3'd1};
    instr.p2     = {TypeConst, 3'd3};
    instr.pred_1 = predicate_t'{x_state: PredSZero, x_packet: PredPP1, rel: RelLt, y: PredYK3};
    instr.pred_2 = predicate_t'{x_state: PredSS1, x_packet: PredPNegP1, rel: RelGe, y: PredYK0};
    instr.pred_3 = predicate_t'{x_state: PredSS2, x_packet: PredPZero, rel: RelEq, y: PredYS1};
    instr.pred_4 = predicate_t'{x_state: PredSZero, x_packet: PredPP1SubP2, rel: RelNe,
                                y: PredYP1};
    instr.a1 = update_t'{keep: 1'b1, sub: 1'b0, a: ArmK0, b: ArmZero};
    instr.b1 = update_t'{keep: 1'b1, sub: 1'b0, a: ArmK1, b: ArmZero};
    instr.c1 = update_t'{keep: 1'b1, sub: 1'b0, a: ArmK2, b: ArmZero};
    instr.d1 = update_t'{keep: 1'b1, sub: 1'b1, a: ArmK3, b: ArmP1};
    instr.a2 = update_t'{keep: 1'b1, sub: 1'b0, a: ArmP2, b: ArmZero};
    instr.b2 = instr.a2;
    instr.c2 = update_t'{keep: 1'b0, sub: 1'b0, a: ArmP1, b: ArmP2};
    instr.d2 = instr.a2;
    {instr.k0, instr.k1, instr.k2, instr.k3} = {32'd10, 32'd20, 32'd30, 32'd40};
    table_write(TableStateInstr, 1, 0, {instr, 384'd0});
    table_write(TableState, 2, 11, {32'd7, 32'd7, 576'd0});
    // The four packets follow each other, so each sees what the one before made of the entry.
    for (int n = 0; n < 4; n++) begin
      k = memory_op(OpNop, n == 0 || n == 3 ? 32'd50 : 32'd5, 2);
      k.action_row = action_row_t'(1);
      c0 = k;
      @(negedge clk);
    end
    c0 = '0;
    repeat (StateResultCycle + 2) @(negedge clk);
    // C: 7+30=37, 50+3=53; A: 37+10=47, 56; A: 57, 59; D: 57+(40-50)=47, 62
    state_is("Pairs", 11, 2, {32'd47, 32'd62});
    // ---- without phantoms: a sharded access takes the slot that its index has at the stage
    settings.mode.no_phantoms = mutant != 11;
    access = '{enable: 1'b1, index: {TypeB4, 3'd2}, default: '0};
    table_write(TableSegment, 13, 0,
                {16'(3 * NumPipes), 16'(20 * Granule), 608'd0});
    table_write(TableAccess, 13, 0, {access, 608'd0});
    for (int unsigned n = 0; n < 4; n++) begin
      k = memory_op(OpStore, 32'h100 + n, n * NumPipes);
      k.row      = row_t'(13);
      k.slot     = slot_t'(1);                         // what was resolved does not count
      k.slot16.b = {2'd0, 3'd3};                       // nor does operand B
      expect_d("store, late index", k, n == 3, 0);     // 3 NumPipes is out of bounds
    end
    for (int unsigned n = 0; n < 3; n++)
      state_is("late index", 13, 16'(n * NumPipes), {32'h100 + n, 32'd0});
    k.granted    = 1'b0;                               // no access was resolved for this packet
    k.cont.b4[2] = '0;
    expect_d("store without an access", k, 1'b1, 0);
    state_is("late index", 13, 0, {32'h100, 32'd0});
    settings.mode = '0;
    access = '{enable: 1'b1, pinned: 1'b0, index: {TypeB4, 3'd2}, default: '0};
    table_write(TableSegment, 13, 0, {16'(SlotsPerPipe), 16'd0, 608'd0});
    table_write(TableAccess, 13, 0, {access, 608'd0});
    test_sets();
    for (int kind = 0; kind < 3; kind++)
      for (int distance = 1; distance <= 6; distance++)
        for (int busy = 0; busy < 2; busy++) test_distance(kind, distance, busy == 1);
    // Moves, last with no operation under way at all.
    settings.fault[FaultNoForward] = mutant == 1 || mutant == 7;
    test_moves(sum);
    test_kinds();
    if (fill_busy) $fatal(1, "a fill runs");
    pass($sformatf("all cases (last slot %0d, last EXT %h)", op_slot, ext));
  end
endmodule : tb_sluice_state_unit
