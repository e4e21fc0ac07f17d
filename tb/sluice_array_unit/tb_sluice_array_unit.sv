// SPDX-License-Identifier: Apache-2.0
`include "sluice_tag.svh"

/// sluice_array_unit beside its state unit against a C model (array_model.c): random packets on few
/// slots, most of them in every cycle, with and without access, also out of bounds; moves, landings
/// and marks between them. The words of every packet are compared as they leave, and what moves and
/// marks read; at the end FILL, all rows, and control's reads of STATE_ROW through the column's
/// sluice_stage_rows. +seed=N +cycles=N +break=N (see the file breaks).
module tb_sluice_array_unit
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_stage_pkg::*;
;
  import "DPI-C" function void am_open(input int number_of_words);
  import "DPI-C" function void am_instr(
    input int row, input int valid, input int array_valid, input int select, input int on_true,
    input int on_false, input int result, input int k0, input int k1, input int k2, input int k3);
  import "DPI-C" function void am_predicate(
    input int row, input int n, input int state, input int packet, input int rel,
    input int constant);
  import "DPI-C" function void am_operate(
    input int slot, input int row, input int p1, input bit [32*ArrayWords-1:0] in,
    output bit [32*ArrayWords-1:0] out);
  import "DPI-C" function void am_read(input int slot, output bit [ValueBits-1:0] out);
  import "DPI-C" function void am_write(
    input int slot, input int pair, input int row, input bit [ValueBits-1:0] in);
  import "DPI-C" function int am_enough();

  localparam int unsigned Slots   = 4;         // that packets go to
  localparam shortint Sharded = 0, Pinned = 1, Filled = 2;      // overlay rows
  localparam int unsigned Cycles  = int'(CoreCycles);

  bit filling;                                 // FILLs of slots behind those of the packets

  `include "bench.svh"
  `include "tables.svh"

  // ---- what comes in cycle 0
  typedef struct packed {
    logic        valid;                        // a packet
    logic        hit;
    logic        granted;
    row_t        row;
    action_row_t action_row;
    logic [31:0] p1;
    logic [31:0] index;
    logic        read;                         // of a move or a mark
    logic        land;
    logic        mark;
    logic        mark_writes;
    logic        mark_row;
    slot_t       slot;
    state_value_t value;
  } in_t;
  in_t            c0;
  in_t            c_q [1:StateUpdateCycle];
  carried_array_t array, array_seen;
  stage_settings_t settings;
  `include "sweep.svh"
  table_write_t   write_seen;
  always_ff @(posedge clk) begin
    c_q[1] <= c0;
    for (int unsigned c = 2; c <= StateUpdateCycle; c++) c_q[c] <= c_q[c-1];
  end

  function automatic containers_t containers(logic [31:0] p1, logic [31:0] index);
    containers = '0;
    containers.b4[1] = p1;
    containers.b4[2] = index;
  endfunction
  side_t side;
  always_comb begin
    side             = '0;
    side.ahead       = c_q[StateLookupCycle].valid;
    side.ahead_row   = overlay_t'(c_q[StateLookupCycle].row);
    side.hit         = '{valid: c_q[HitCycle].hit, row: c_q[HitCycle].action_row};
    side.hit_cont    = containers(c_q[HitCycle].p1, c_q[HitCycle].index);
    side.action      = c_q[ActionCycle].hit;
    side.action_cont = containers(c_q[ActionCycle].p1, c_q[ActionCycle].index);
  end

  // The row of a mark's write is in the message.
  always_comb begin
    write_seen = write;
    if (!write.valid)
      for (int w = 0; w < int'(ArrayWords); w++)
        write_seen.data[EntryBits-1-32*w -: 32] = c_q[StateUpdateCycle].value[64+32*w +: 32];
  end

  // ---- the units
  row_access_t   access, access_seen;
  words_t        row;
  logic [3:0]    pred, pred_before;
  array_bits_t   leaves;
  moved_t        moved;
  table_ready_t  write_ready;
  logic          op, op_refused, fill_busy, read_busy, hold;
  row_read_t     row_read;
  row_read_t [NumPipes-1:0] row_reads;
  moved_t    [NumPipes-1:0] all_moved;
  table_read_t   control_read;
  result_t       unused_result;
  word_answer_t  unused_answer, unused_array_answer, row_answer;
  mark_request_t ask;
  logic          unused_walks;
  logic [31:0]   unused_old_word, unused_new_word;
  slot_t         unused_op_slot;
  sluice_state_unit #(.Array(1'b1)) u_state (
    .clk_i(clk), .rst_ni(rst_n), .pipe_i('0), .settings_i(settings),
    .grant_i('{access: c0.granted, read: c0.read, land: c0.land, mark_write: c0.mark_writes, id: c0.mark ? mark_name(c0.mark_writes, 1'b0) : '0,
               slot: c0.granted && c0.row == row_t'(Pinned) ? slot_t'(PinnedSlot) : c0.slot}),
    .value_i('{land: c_q[StateUpdateCycle].value, mark: `SLUICE_VALUE_PAIR(c_q[StateUpdateCycle].value),
               mark_row: c_q[StateUpdateCycle].mark_row && mutant != 9}),
    .side_i(side), .result_o(unused_result), .moved_o(moved),
    .capsule_i('0), .old_word_o(unused_old_word), .new_word_o(unused_new_word),
    .tag_i('0), .cut_i('0), .walks_o(unused_walks),
    .row_access_o(access), .row_i(mutant == 18 ? '0 : row), .pred_o(pred),
    .row_read_o(row_read),
    .op_o(op), .op_refused_o(op_refused), .op_slot_o(unused_op_slot),
    .write_i(write_seen), .write_ready_o(write_ready), .read_i(control_read), .ask_o(ask),
    .marked_i(moved.valid && `SLUICE_IS_MARK(moved.id)), .answer_o(unused_answer),
    .read_busy_o(read_busy), .read_busy_i(read_busy),
    .hold_o(hold), .fill_busy_o(fill_busy)
  );
  always_comb begin
    access_seen = access;
    if (mutant == 8 && c_q[StateUpdateCycle].land) access_seen.write = 1'b0;
    if (mutant == 10) access_seen.refused = 1'b0;
    if (mutant == 16) access_seen.op = side.action;
    if (mutant == 17 && fill_busy) access_seen.write = 1'b0;
    if (mutant == 19 && fill_busy && c_q[StateUpdateCycle].granted) access_seen.write = 1'b1;
    array_seen = array;
    if (mutant == 13) array_seen.words[5][7] = !array.words[5][7];
    if (mutant == 14) array_seen.half[2] = 1'b0;
  end
  always_ff @(posedge clk) pred_before <= pred;
  sluice_array_unit u_array (
    .clk_i(clk), .rst_ni(rst_n), .pipe_i('0), .settings_i(settings),
    .valid_i(c0.valid), .array_i(array_seen), .hit_i(side.hit), .array_o(leaves),
    .access_i(access_seen), .pred_i(mutant == 15 ? pred_before : pred), .row_o(row),
    .write_i(write_seen), .read_i('0), .answer_o(unused_array_answer)
  );

  // The column: this unit is the home of what control reads.
  always_comb begin
    row_reads    = '0;
    all_moved    = '0;
    row_reads[0] = row_read;
    all_moved[0] = moved;
    if (mutant == 20) row_reads[0].come = 1'b0;
    if (mutant == 21) row_reads[0].word[0] = !row_read.word[0];
    if (mutant == 22 && row_read.due && row_read.word == 3'd2) row_reads[0].come = 1'b1;
  end
  sluice_stage_rows u_rows (
    .clk_i(clk), .rst_ni(rst_n), .read_i(row_reads), .moved_i(all_moved), .answer_o(row_answer)
  );

  // Mutants: what registers give is changed in the middle of a cycle.
  always @(negedge clk) begin
    if (mutant == 1) force u_array.u_memory.ahead_1 = 1'b0;
    if (mutant == 2) force u_array.u_memory.ahead_2 = 1'b0;
    if (mutant == 3) force u_array.u_memory.ahead_3 = 1'b0;
    if (mutant == 5) force u_array.gen_word[3].over = 1'b0;
    if (mutant == 7) force u_array.op_write = u_array.op_update_q;
    if (mutant == 11) force u_array.follow_q = 1'b0;
    if (mutant == 12)
      force u_array.gen_word[0].less = u_array.gen_word[0].r < u_array.gen_word[0].v;
  end

  // ---- tables
  task automatic table_write(table_e which, shortint index, logic [EntryBits-1:0] data,
                             byte row_of = 8'd0);
    put_write(which, 32'(index), data, 32'(row_of));
    #1;
    for (int n = 0; !write_ready.ready; n++) begin
      if (n > 2000) $fatal(1, "a write is never taken");
      @(negedge clk);
    end
    end_write();
    @(negedge clk);
  endtask

  // Reads a row as a node does: word by word, at most ChainAhead without an answer; the order point
  // sends the mark that is asked for. When some words are here a move puts another row there: the
  // answer is the row that was read.
  task automatic read_row(slot_t slot, state_value_t value, state_value_t other);
    words_t row_wanted = `SLUICE_VALUE_ROW(value);
    int     asked = 0, got = 0;
    bit     moves = 1'b0;
    @(negedge clk);
    c0 = '{land: 1'b1, slot: slot, value: value, default: '0};
    for (int n = 0; got < 8; n++) begin
      if (n > 200) $fatal(1, "slot %0d: a word of its row never comes", slot);
      @(negedge clk);
      c0           = '0;
      control_read = '0;
      if (row_answer.valid) begin
        if (row_answer.data != (2 * got < int'(ArrayWords)
            ? {row_wanted[2*got], row_wanted[2*got+1]} : 64'd0))
          $fatal(1, "slot %0d, word %0d of its row: %h", slot, got, row_answer.data);
        got++;
      end
      if (ask.valid) c0 = '{read: 1'b1, mark: 1'b1, slot: ask.home.slot, default: '0};
      if (got == 2 && !moves) begin
        moves = 1'b1;
        c0    = '{land: 1'b1, slot: slot, value: other, default: '0};
      end
      if (asked < 8 && asked - got < int'(ChainAhead)) begin
        control_read = '{valid: 1'b1, which: TableStateRow, word: 4'(asked),
                         header: '{op: ChainRead, index: 16'(slot) * 16'(NumPipes),
                                   row: 8'(Sharded), default: '0}};
        asked++;
      end
    end
  endtask

  // Small numbers, and those near the limits.
  function automatic logic [31:0] number();
    case ($urandom_range(3))
      0: return 32'($urandom_range(7));
      1: return -32'($urandom_range(7));
      2: return {1'($urandom), {27{1'($urandom)}}, 4'($urandom)};
      default: return $urandom;
    endcase
  endfunction

  task automatic new_instr(shortint r);
    state_instr_t s;
    array_instr_t a;
    predicate_t   p [4];
    int           x, packet, rel, y;
    s       = '0;
    s.valid = $urandom_range(9) != 0;
    s.p1    = {TypeB4, 3'd1};
    s.a1    = update_t'{keep: 1'b1, sub: 1'b0, a: ArmK0, b: ArmZero};
    s.b1    = update_t'{keep: 1'b0, sub: 1'b0, a: ArmP1, b: ArmZero};
    s.c1    = update_t'{keep: 1'b1, sub: 1'b0, a: ArmZero, b: ArmZero};
    s.d1    = s.c1;
    {s.a2, s.b2, s.c2, s.d2} = {4{s.c1}};
    {s.k0, s.k1, s.k2, s.k3} = {32'd1, 32'($urandom_range(3)), number(), 32'd0};
    for (int n = 0; n < 4; n++) begin
      x      = $urandom_range(2);
      packet = $urandom_range(1);
      rel    = $urandom_range(7);
      y      = $urandom_range(3);
      p[n] = predicate_t'{x_state: x == 1 ? PredSS1 : x == 2 ? PredSS2 : PredSZero,
               x_packet: packet == 1 ? PredPP1 : PredPZero,
               rel: rel == 0 ? RelEq : rel == 1 ? RelNe : rel == 2 ? RelLt : rel == 3 ? RelLe
                    : rel == 4 ? RelGt : rel == 5 ? RelGe : rel == 6 ? RelTrue : RelFalse,
               y: y == 0 ? PredYK0 : y == 1 ? PredYK1 : y == 2 ? PredYK2 : PredYK3};
      am_predicate(32'(r), n, x, packet, rel, y);
    end
    {s.pred_1, s.pred_2, s.pred_3, s.pred_4} = {p[0], p[1], p[2], p[3]};
    a = array_instr_t'($urandom);
    a.valid    = $urandom_range(9) != 0;
    a.reserved = '0;
    am_instr(32'(r), 32'(s.valid), 32'(a.valid), 32'(a.select), 32'(a.on_true), 32'(a.on_false),
             32'(a.result), s.k0, s.k1, s.k2, s.k3);
    if (mutant == 4) {a.on_true, a.on_false} = {a.on_false, a.on_true};
    if (mutant == 6 && a.result != '0) a.result = a.result == 2'd1 ? 2'd2 : 2'd1;
    table_write(TableStateInstr, r, {s, 384'd0});
    table_write(TableArrayInstr, r, {a, 624'd0});
  endtask

  // ---- what is expected, by the cycle in which it came
  carried_array_t expected [16];
  bit             expects [16], expects_read [16];
  bit [ValueBits-1:0] expected_value [16];
  int packets = 0, reads = 0;

  task automatic check(int cycle);
    bit [3:0] n;
    n = 4'(cycle - int'(Cycles));
    if (expects[n]) begin
      packets++;
      if (leaves !== array_bits_t'(expected[n]))
        $fatal(1, "cycle %0d: array\n  is       %h\n  expected %h", cycle, leaves, expected[n]);
    end
    if (moved.valid != expects_read[n]) $fatal(1, "cycle %0d: moved_o", cycle);
    if (expects_read[n]) begin
      reads++;
      if (moved.value !== expected_value[n])
        $fatal(1, "cycle %0d: value\n  is       %h\n  expected %h", cycle, moved.value,
               expected_value[n]);
    end
    expects[n]      = 1'b0;
    expects_read[n] = 1'b0;
  endtask

  task automatic drive(bit [3:0] at, int busy);
    int slot, what;
    bit [32*ArrayWords-1:0] words;
    c0    = '0;
    array = '0;
    c0.valid      = $urandom_range(99) < busy;
    c0.hit        = c0.valid && $urandom_range(19) != 0;
    c0.row        = row_t'($urandom_range(1) == 0 ? Sharded : Pinned);
    c0.action_row = action_row_t'($urandom_range(int'(MatchEntries) - 1));
    c0.p1         = number();
    c0.index      = 32'($urandom_range(int'(Slots)));        // the last one is out of bounds
    c0.granted    = c0.valid && $urandom_range(7) != 0;
    c0.slot       = slot_t'($urandom_range(int'(Slots) - 1));
    what          = $urandom_range(15);
    for (int w = 0; w < int'(ArrayWords) + 2; w++) c0.value[32*w +: 32] = number();
    // A move or a mark goes beside a packet without a resolved access, or alone.
    if (!c0.granted || what == 0) begin
      c0.granted = 1'b0;
      case ($urandom_range(3))
        0: c0.read = 1'b1;
        1: c0.land = 1'b1;
        2: begin
          c0.read        = 1'b1;
          c0.mark        = 1'b1;
          c0.mark_writes = $urandom_range(1) == 1;
          // A message is on its way at a time: a FILL, or the write of a row.
          c0.mark_row    = c0.mark_writes && !filling && $urandom_range(1) == 1;
        end
        default: ;
      endcase
    end
    if (c0.read) begin
      am_read(32'(c0.slot), expected_value[at]);
      expects_read[at] = 1'b1;
    end
    if (c0.land) am_write(32'(c0.slot), 1, 1, c0.value);
    if (c0.mark_writes) am_write(32'(c0.slot), 32'(!c0.mark_row), 32'(c0.mark_row), c0.value);
    if (!c0.valid) return;
    array.count = $bits(array.count)'($urandom);
    array.half  = 6'($urandom);
    for (int w = 0; w < int'(ArrayWords); w++) array.words[w] = number();
    slot = -1;
    if (c0.granted) begin
      if (c0.row == row_t'(Sharded))      slot = int'(c0.slot);
      else if (c0.index < 32'(Slots)) slot = int'(c0.index);
    end
    expected[at] = array;
    expects[at]  = 1'b1;
    if (c0.hit) begin
      am_operate(slot, 32'(c0.action_row), c0.p1, array.words, words);
      expected[at].words = words;
    end
  endtask

  initial begin
    access_t access_entry;
    state_value_t value;
    logic    unused_bits;
    read_arguments(20000);
    am_open(int'(ArrayWords));
    {settings, c0, array, control_read} = '0;
    for (int i = 0; i < 16; i++) {expects[i], expects_read[i]} = '0;
    release_reset(3);
    sweep(int'(SlotsPerPipe + MatchEntries + NumModules));
    access_entry = '{enable: 1'b1, index: {TypeB4, 3'd2}, default: '0};
    table_write(TableSegment, Sharded, {16'(Slots * NumPipes), 16'd0, 608'd0});
    table_write(TableAccess, Sharded, {access_entry, 608'd0});
    table_write(TableSegment, Filled, {16'(Slots * NumPipes), 16'(Slots), 608'd0});
    table_write(TableAccess, Filled, {access_entry, 608'd0});
    access_entry.pinned = 1'b1;
    table_write(TableSegment, Pinned, {16'(Slots), 16'd0, 608'd0});
    table_write(TableAccess, Pinned, {access_entry, 608'd0});
    for (int phase = 0; phase < 8; phase++) begin
      for (int r = 0; r < int'(MatchEntries); r++) new_instr(shortint'(r));
      filling = phase[0];
      fork
        for (int cycle = 1; cycle <= cycles / 8 + int'(Cycles); cycle++) begin
          @(negedge clk);
          check(cycle);
          if (cycle <= cycles / 8) drive(4'(cycle), filling ? 60 : 100);
          else c0 = '0;
        end
        for (int n = 0; filling && n < 20; n++) begin
          repeat ($urandom_range(40)) @(negedge clk);
          table_write(TableFill, 0, {number(), number(), 576'd0}, 8'(Filled));
        end
      join
    end
    if (mutant == 0 && am_enough() == 0) $fatal(1, "too few operations of a kind");
    // FILL: entries take its value, rows are 0. It is one of control's writes, between packets.
    c0 = '0;
    repeat (int'(Cycles)) @(negedge clk);
    table_write(TableFill, 0, {64'h0000_0005_0000_0006, 576'd0}, 8'(Sharded));
    table_write(TableFill, 0, {64'h0000_0005_0000_0006, 576'd0}, 8'(Filled));
    for (int s = 0; s < int'(2 * Slots); s++) begin
      @(negedge clk);
      c0      = '0;
      c0.read = 1'b1;
      c0.slot = slot_t'(s);
      @(negedge clk);
      c0 = '0;
      repeat (int'(Cycles) - 1) @(negedge clk);
      if (!moved.valid || moved.value != ValueBits'(64'h0000_0005_0000_0006))
        $fatal(1, "slot %0d behind FILL: %h", s, moved.value);
    end
    for (int s = 0; s < int'(Slots); s++) begin
      for (int w = 0; w < int'(ValueBits) / 32; w++) value[32*w +: 32] = $urandom;
      read_row(slot_t'(s), value, ~value);
    end
    // What is read of another table asks for no row.
    for (int n = 0; n < 30; n++) begin
      @(negedge clk);
      c0           = '0;
      control_read = '0;
      if (ask.valid || row_answer.valid) $fatal(1, "a read of SEGMENT is one of a row");
      if (n < 3)
        control_read = '{valid: 1'b1, which: TableSegment, word: '0,
                         header: '{op: ChainRead, index: 16'(n) * 16'(NumPipes), row: 8'(Sharded), default: '0}};
      if (mutant == 23 && n == 1) control_read.which = TableStateRow;
    end
    unused_bits = ^{moved, write_ready, ask};
    if (hold || (op && op_refused)) $fatal(1, "an operation without a packet");
    pass($sformatf("%0d packets, %0d reads of moves and marks", packets, reads));
  end
endmodule : tb_sluice_array_unit
