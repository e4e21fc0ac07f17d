// SPDX-License-Identifier: Apache-2.0

/// All match engines of a stage together against tables kept here, and the ternary engine with 1
/// and 2 cycles beside it. Lookups come at up to one a cycle, of few keys, so that exact rows,
/// ternary and cuckoo entries of one key stand against each other; entries are written, erased and
/// moved all the time, and read back in between, a word a cycle. A lookup that meets a write must
/// see the old entry or the new one, whole, and those behind one that saw the new one see it too.
/// While a cuckoo entry is moved each lookup of its key must find it. At the end each entry has counted
/// the lookups that it won; so it has behind some more lookups without a write, when there is never a doubt
/// which entry that is. The hash is worked out here byte by byte, and first checked with the
/// catalogue's check value.
/// +seed=N +cycles=N +break=N (see file breaks).
// Entries have reserved bits, and lookups a valid bit, that nobody here looks at.
/* verilator lint_off UNUSEDSIGNAL */
module tb_sluice_match_engines;
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_stage_pkg::*;

  localparam int unsigned Cycles = 200_000;
  `include "bench.svh"
  `include "tables.svh"

  localparam int unsigned Buckets = CuckooEntries / 4;
  localparam int unsigned Keys    = 12;
  localparam int unsigned Vids    = 3;
  localparam int unsigned Pause   = 14;          // of two writes, at least
  localparam int unsigned Late    = MatchCycles; // lookup to data words

  stage_settings_t settings;
  `include "sweep.svh"
  lookup_t      lookup, dut_lookup;
  len_t         len;
  logic         ahead;
  overlay_t     ahead_row, ahead_row_q, dut_row;
  hit_t         hit;
  logic         by_default;
  data_t        data;
  table_write_t dut_write;
  table_read_t  dut_read;

  sluice_match_engines dut (
    .clk_i(clk), .rst_ni(rst_n), .pipe_i('0), .settings_i(settings),
    .lookup_i(dut_lookup), .ahead_i(ahead), .ahead_row_i(dut_row), .len_i(len),
    .hit_o(hit), .by_default_o(by_default), .data_o(data),
    .write_i(dut_write), .read_i(dut_read), .answer_o(answer)
  );

  // ---- mutants
  always_comb begin
    dut_lookup = lookup;
    dut_row    = mutant == 7 ? ahead_row_q : ahead_row;
    dut_write  = write;
    dut_read   = read;
    case (mutant)
      1: dut_lookup.key[100] = !lookup.key[100];
      2: dut_lookup.bank     = !lookup.bank;
      3: dut_lookup.vid      = lookup.vid + 8'd1;
      14: dut_lookup.wide    = !lookup.wide;
      4: dut_write.data[EntryBits-1-500] = !write.data[EntryBits-1-500];
      5: if (second) dut_write.data[EntryBits-TernaryWidth+522] ^= 1'b1;
      8: if (write.which == TableCuckoo)
        dut_write.header.index = (write.header.index + 16'(Buckets)) % 16'(CuckooEntries);
      11: dut_read.header.copy = '0;
      15: if (read.which == TableCuckooCount) dut_read.header.index[0] = !read.header.index[0];
      12: dut_write.valid = write.valid && write.header.op != ChainErase;
      default: ;
    endcase
  end
  always_ff @(posedge clk) ahead_row_q <= ahead_row;

  // ---- the answers, all as they stand when the data words of the slowest are there
  typedef struct packed {
    logic  valid;
    logic  by_default;
    action_row_t row;
    data_t data;
  } result_t;
  result_t got, ternary_got [1:Late-1];
  hit_t    hit_q [1:2];
  logic    default_q [1:2];
  data_t   data_q;
  always_ff @(posedge clk) begin
    hit_q[1]     <= hit;
    hit_q[2]     <= hit_q[1];
    default_q[1] <= by_default;
    default_q[2] <= default_q[1];
    data_q       <= data;
  end
  assign got = '{valid: hit_q[mutant == 9 ? 2 : 1].valid, row: hit_q[mutant == 9 ? 2 : 1].row,
                 by_default: default_q[mutant == 9 ? 2 : 1], data: mutant == 10 ? data_q : data};

  word_answer_t ternary_answer [1:Late-1];
  for (genvar c = 1; c < Late; c++) begin : gen_cycles
    hit_t  own_hit, own_hit_q [1:Late];
    data_t own_data, own_data_q [1:Late];
    logic [$clog2(TernaryEntries)-1:0] own_entry;
    sluice_match_ternary #(.Cycles(c)) u_ternary (
      .clk_i(clk), .rst_ni(rst_n), .init_i(settings.init), .init_index_i(settings.init_index),
      .copy_i('0), .lookup_i(dut_lookup), .hit_o(own_hit), .entry_o(own_entry),
      .data_o(own_data),
      .write_i(dut_write), .read_i(dut_read), .answer_o(ternary_answer[c])
    );
    always_ff @(posedge clk) begin
      own_hit_q[1]  <= own_hit;
      own_data_q[1] <= own_data;
      for (int i = 2; i <= int'(Late); i++) begin
        own_hit_q[i]  <= own_hit_q[i-1];
        own_data_q[i] <= own_data_q[i-1];
      end
    end
    assign ternary_got[c] = '{valid: own_hit_q[Late+1-c].valid,
                              row: own_hit_q[Late+1-c].row,
                              by_default: 1'b0, data: own_data_q[Late-c]};
    logic unused_bits;
    assign unused_bits = ^{own_hit_q[Late], own_data_q[Late], own_entry};
  end

  // ---- the tables, as the last write leaves them
  logic            match_used [MatchEntries];
  match_t          match [MatchEntries];
  match_data_t     match_data [MatchEntries];
  ternary_t        ternary [TernaryEntries];
  cuckoo_t         cuckoo [CuckooEntries];
  default_action_t default_action [Banks*NumModules];

  // Byte by byte, as the catalogue says it: the byte goes into the highest of the register.
  function automatic logic [63:0] crc64(logic [63:0] crc, logic [7:0] b);
    crc64 = crc ^ {b, 56'd0};
    for (int i = 0; i < 8; i++)
      crc64 = crc64[63] ? (crc64 << 1) ^ 64'h42f0e1eba9ea3693 : crc64 << 1;
  endfunction

  function automatic int bucket_of(logic [7:0] vid, key_t key, int way);
    logic [207:0] bytes;
    logic [63:0]  h, g;
    bytes = {7'd0, vid, key};
    h = '0;
    for (int i = 25; i >= 0; i--) h = crc64(h, bytes[8*i +: 8]);
    g = h ^ (~((h << 21) | (h >> 43)) & ((h << 42) | (h >> 22)));
    return int'(g[16*way +: 16]) % int'(Buckets);
  endfunction

  function automatic result_t ternary_result(lookup_t k);
    for (int i = 0; i < int'(TernaryEntries); i++)
      if (k.valid && ternary[i].valid && !ternary[i].not_bank[k.bank] && ternary[i].vid == k.vid
          && !(ternary[i].care_wide && ternary[i].wide != k.wide)
          && (ternary[i].key & ternary[i].care) == (k.key & ternary[i].care))
        return '{valid: 1'b1, by_default: 1'b0, row: action_row_t'(ternary[i].action),
                 data: ternary[i].data};
    return '0;
  endfunction

  function automatic result_t result(lookup_t k);
    cuckoo_t         c;
    default_action_t d;
    if (!k.valid) return '0;
    for (int i = 0; i < int'(MatchEntries); i++)
      if (match_used[i] && !match[i].not_bank[k.bank] && match[i].vid == k.vid
          && match[i].wide == k.wide && match[i].key == k.key)
        return '{valid: 1'b1, by_default: 1'b0, row: action_row_t'(i), data: match_data[i]};
    result = ternary_result(k);
    if (result.valid) return result;
    for (int w = 0; w < 4; w++) begin
      c = cuckoo[w * int'(Buckets) + bucket_of(k.vid, k.key, w)];
      if (c.valid && !c.not_bank[k.bank] && c.vid == k.vid && c.wide == k.wide
          && c.key == k.key)
        return '{valid: 1'b1, by_default: 1'b0, row: action_row_t'(c.action), data: c.data};
    end
    d = default_action[{k.bank, row_t'(k.vid)}];
    if (d.valid)
      return '{valid: 1'b1, by_default: 1'b1, row: action_row_t'(d.action), data: d.data};
    return '0;
  endfunction

  // ---- counters: which entry wins, and what the entries have counted. A lookup that meets a write
  // may be counted by one of two entries that give the same: then both are left out.
  localparam int None = 3 << 16;                 // else kind << 16 | number
  function automatic int winner(lookup_t k);
    cuckoo_t c;
    int      at;
    if (!k.valid) return None;
    for (int i = 0; i < int'(MatchEntries); i++)
      if (match_used[i] && !match[i].not_bank[k.bank] && match[i].vid == k.vid
          && match[i].wide == k.wide && match[i].key == k.key) return i;
    for (int i = 0; i < int'(TernaryEntries); i++)
      if (ternary[i].valid && !ternary[i].not_bank[k.bank] && ternary[i].vid == k.vid
          && !(ternary[i].care_wide && ternary[i].wide != k.wide)
          && (ternary[i].key & ternary[i].care) == (k.key & ternary[i].care)) return 1 << 16 | i;
    for (int w = 0; w < 4; w++) begin
      at = w * int'(Buckets) + bucket_of(k.vid, k.key, w);
      c  = cuckoo[at];
      if (c.valid && !c.not_bank[k.bank] && c.vid == k.vid && c.wide == k.wide
          && c.key == k.key) return 2 << 16 | at;
    end
    return None;
  endfunction

  entry_count_t count [4][CuckooEntries];
  logic         unsure [4][CuckooEntries];
  task automatic count_hit(int by, len_t bytes);
    count[by >> 16][by & 65535].packets += 28'd1;
    count[by >> 16][by & 65535].bytes   += 36'(bytes);
  endtask

  // ---- writes. What an entry was before the last one is kept, to look at the tables as they were.
  int                   written_at = -100;       // cycle in which the last write began
  table_e               written;
  int                   written_index;
  logic [EntryBits-1:0] undo;
  logic                 undo_used, second;

  // Puts `undo` (left-justified) in its table, and leaves there what was in the table.
  task automatic exchange(table_e which, int index);
    logic [EntryBits-1:0] entry, old;
    logic                 used, old_used;
    entry    = undo;
    used     = undo_used;
    old      = '0;
    old_used = used;
    case (which)
      TableMatch: begin
        old          = {match[index], {(EntryBits-MatchWidth){1'b0}}};
        old_used     = match_used[index];
        match[index] = entry[EntryBits-1 -: MatchWidth];
        match_used[index] = used;
      end
      TableMatchData: begin
        old               = {match_data[index], {(EntryBits-MatchDataWidth){1'b0}}};
        match_data[index] = entry[EntryBits-1 -: MatchDataWidth];
      end
      TableTernary: begin
        old            = {ternary[index], {(EntryBits-TernaryWidth){1'b0}}};
        ternary[index] = entry[EntryBits-1 -: TernaryWidth];
        ternary[index].reserved = '0;
        ternary[index].action   = 16'(action_row_t'(ternary[index].action));
      end
      TableCuckoo: begin
        old           = {cuckoo[index], {(EntryBits-CuckooWidth){1'b0}}};
        cuckoo[index] = entry[EntryBits-1 -: CuckooWidth];
        cuckoo[index].reserved = '0;
        cuckoo[index].action   = 16'(action_row_t'(cuckoo[index].action));
      end
      default: begin
        old                   = {default_action[index], {(EntryBits-DefaultActionWidth){1'b0}}};
        default_action[index] = entry[EntryBits-1 -: DefaultActionWidth];
        default_action[index].reserved = '0;
        default_action[index].action   = 16'(action_row_t'(default_action[index].action));
      end
    endcase
    undo      = old;
    undo_used = old_used;
  endtask

  int write_left = 0;                            // cycles that the write still stands
  task automatic begin_write(table_e which, int index, logic [EntryBits-1:0] entry, bit erase);
    put_write(which, index, entry);
    if (erase) write.header.op = ChainErase;
    written       = which;
    written_index = index;
    written_at    = now;
    undo        = erase ? '0 : entry;
    undo_used   = !erase;
    exchange(which, index);
    write_left = 2;
  endtask

  // ---- keys
  key_t keys [Keys];
  function automatic logic [639:0] bits();
    for (int i = 0; i < 20; i++) bits[32*i +: 32] = 32'($urandom);
  endfunction
  function automatic logic [7:0] vid_of(int v);
    return 8'({3'(v == 2), 5'(v == 0 ? 5 : 6)}); // two of one overlay row
  endfunction
  function automatic logic [1:0] not_bank();
    case (rnd(8))
      0: return 2'b11;
      1, 2: return 2'b01;
      3, 4: return 2'b10;
      default: return 2'b00;
    endcase
  endfunction

  // ---- moves of cuckoo entries
  int      move_step = 0;                        // 1: a place is still to be cleared, 2: written
  int      move_place;
  cuckoo_t moved;
  int      moved_until = -1;                     // lookups before that cycle must find `moved`
  lookup_t move_lookup;

  task automatic next_write();
    logic [EntryBits-1:0] entry;
    int                   index, to, v;
    cuckoo_t              c;
    entry = bits();
    v     = rnd(int'(Vids));
    if (move_step != 0) begin
      begin_write(TableCuckoo, move_place, move_step == 1 ? '0
                  : {moved, {(EntryBits-CuckooWidth){1'b0}}}, 1'b0);
      move_step = 0;
      moved_until = now;
      return;
    end
    case (rnd(10))
      0: begin
        match_t m;
        m = '{reserved: '0, wide: 1'(rnd(2)), not_bank: not_bank(), vid: vid_of(v),
              key: keys[rnd(int'(Keys))]};
        entry = {m, {(EntryBits-MatchWidth){1'b0}}};
        begin_write(TableMatch, rnd(int'(MatchEntries)), entry, rnd(3) != 0);
      end
      1: begin_write(TableMatchData, rnd(int'(MatchEntries)), entry, 1'b0);
      2, 3, 4: begin
        ternary_t t;
        t          = entry[EntryBits-1 -: TernaryWidth];
        t.valid    = rnd(4) != 0;
        t.not_bank = not_bank();
        t.vid      = vid_of(v);
        t.key      = keys[rnd(int'(Keys))];
        // Bits that count: all, those of a prefix, any few, none.
        case (rnd(8))
          0: t.care = '0;
          1, 2: t.care = ~(KeyWidth'('1) >> rnd(int'(KeyWidth) + 1));
          3: t.care = KeyWidth'(1) << rnd(int'(KeyWidth));
          default: t.care = '1;
        endcase
        entry = {t, {(EntryBits-TernaryWidth){1'b0}}};
        begin_write(TableTernary, rnd(int'(TernaryEntries)), entry, 1'b0);
      end
      5: begin
        default_action_t d;
        d = entry[EntryBits-1 -: DefaultActionWidth];
        d.valid = rnd(2) != 0;
        entry = {d, {(EntryBits-DefaultActionWidth){1'b0}}};
        begin_write(TableDefaultAction, int'({1'(rnd(2)), row_t'(vid_of(v))}), entry, 1'b0);
      end
      default: begin
        c          = entry[EntryBits-1 -: CuckooWidth];
        c.valid    = rnd(6) != 0;
        c.not_bank = not_bank();
        c.vid      = vid_of(v);
        c.key      = keys[rnd(int'(Keys))];
        to         = rnd(4);
        index      = to * int'(Buckets) + bucket_of(c.vid, c.key, to);
        if (rnd(16) == 0) index = (index + 1 + rnd(3) * int'(Buckets)) % int'(CuckooEntries);
        // An entry that is there and found alone: move it.
        else if (cuckoo[index].valid && cuckoo[index].key == c.key && cuckoo[index].vid == c.vid
                 && cuckoo[index].wide == c.wide
                 && cuckoo[index].not_bank != 2'b11) begin
          moved      = cuckoo[index];
          move_place = index;
          to         = (to + 1 + rnd(3)) % 4;
          index      = to * int'(Buckets) + bucket_of(c.vid, c.key, to);
          c          = moved;
          move_lookup = '{valid: 1'b1, bank: c.not_bank[0], vid: c.vid, wide: c.wide,
                          key: c.key};
          move_step   = 1;
          moved_until = 1 << 30;
          if (mutant == 6) begin
            move_step = 2;
            {index, move_place} = {move_place, index};
            c = '0;
          end
        end
        begin_write(TableCuckoo, index, {c, {(EntryBits-CuckooWidth){1'b0}}}, 1'b0);
      end
    endcase
  endtask

  // ---- lookups under way, by their cycle
  typedef struct packed {
    lookup_t k;
    logic    must_find;
    len_t    len;
  } sent_t;
  sent_t sent [8];
  int    met_new = 0;                            // a lookup has seen the last write
  int    found [4], lookups, races, moves_seen, reads, words_checked;

  task automatic check();
    int      at;
    sent_t   s;
    result_t after, old, ternary_after, ternary_old;
    bit      may_be_old, is_new, is_old;
    int      by, by_old;
    at = now - int'(Late);
    s  = sent[at & 7];
    after         = result(s.k);
    ternary_after = ternary_result(s.k);
    may_be_old    = at < written_at + 3;
    by            = winner(s.k);
    exchange(written, written_index);
    old         = result(s.k);
    ternary_old = ternary_result(s.k);
    by_old      = winner(s.k);
    exchange(written, written_index);
    if (!may_be_old) {old, ternary_old, by_old} = {after, ternary_after, by};
    is_new = got.valid == after.valid && (!after.valid || got == after);
    is_old = got.valid == old.valid && (!old.valid || got == old);
    if (is_new && is_old && by != by_old) begin
      unsure[by >> 16][by & 65535]         = 1'b1;
      unsure[by_old >> 16][by_old & 65535] = 1'b1;
    end else count_hit(is_new ? by : by_old, s.len);
    if (!is_new && !is_old)
      fail($sformatf("lookup of %0d: hit %b default %b row %0d data %h, expected %b %b %0d %h", at,
                     got.valid, got.by_default, got.row, got.data, after.valid,
                     after.by_default, after.row, after.data));
    if (after !== old) begin
      races++;
      if (got.valid == after.valid && (!after.valid || got == after)) met_new = 1;
      else if (met_new != 0) fail("a lookup sees the old entry, though one ahead of it did not");
    end
    for (int c = 1; c < int'(Late); c++)
      if (ternary_got[c] !== ternary_after && ternary_got[c].valid | ternary_after.valid
          && (ternary_got[c] !== ternary_old && ternary_got[c].valid | ternary_old.valid))
        fail($sformatf("ternary engine of %0d cycles, lookup of cycle %0d", c, at));
    if (s.must_find) begin
      moves_seen++;
      if (!got.valid || got.by_default) fail("an entry that is moved was not found");
    end
    if (s.k.valid) lookups++;
    if (after.valid)
      found[after.by_default ? 3 : after.data == cuckoo_data(s.k) ? 2
            : after == ternary_after ? 1 : 0]++;
  endtask

  function automatic data_t cuckoo_data(lookup_t k);
    cuckoo_t c;
    for (int w = 0; w < 4; w++) begin
      c = cuckoo[w * int'(Buckets) + bucket_of(k.vid, k.key, w)];
      if (c.valid && !c.not_bank[k.bank] && c.vid == k.vid && c.wide == k.wide
          && c.key == k.key) return c.data;
    end
    return '0;
  endfunction

  // ---- control reads
  logic        asked, other_copy;
  logic [63:0] word_expected;
  task automatic next_read();
    logic [EntryBits-1:0] entry;
    table_e               which;
    int                   index, rows, words;
    read = '0;
    asked = 1'b0;
    if (now < written_at + 8) return;
    case (rnd(5))
      0: begin which = TableMatch; rows = int'(MatchEntries); words = 4; end
      1: begin which = TableMatchData; rows = int'(MatchEntries); words = 2; end
      2: begin which = TableTernary; rows = int'(TernaryEntries); words = 9; end
      3: begin which = TableCuckoo; rows = int'(CuckooEntries); words = 6; end
      default: begin which = TableDefaultAction; rows = int'(Banks * NumModules); words = 3; end
    endcase
    index = rnd(4) != 0 && which == written ? written_index : rnd(rows);
    other_copy = rnd(8) == 0;
    put_read(which, index, rnd(words));
    read.header.copy = 8'(other_copy);
    asked             = read.header.copy == '0;
    reads++;
    case (which)
      TableMatch: entry = match_used[index] ? {match[index], {(EntryBits-MatchWidth){1'b0}}} : '0;
      TableMatchData: entry = {match_data[index], {(EntryBits-MatchDataWidth){1'b0}}};
      TableTernary:   entry = {ternary[index], {(EntryBits-TernaryWidth){1'b0}}};
      TableCuckoo:    entry = {cuckoo[index], {(EntryBits-CuckooWidth){1'b0}}};
      default: entry = {default_action[index], {(EntryBits-DefaultActionWidth){1'b0}}};
    endcase
    word_expected = entry[EntryBits-1-64*int'(read.word) -: 64];
  endtask

  task automatic check_read();
    if (answer.valid != asked || (asked && answer.data != word_expected)
        || (!asked && answer.data != '0))
      fail($sformatf("read of table %0d index %0d word %0d: %b %h, expected %b %h", read.which,
                     read.header.index, read.word, answer.valid, answer.data, asked,
                     word_expected));
    for (int c = 1; c < int'(Late); c++)
      if (ternary_answer[c].valid != (asked && read.which == TableTernary)
          || (ternary_answer[c].valid && ternary_answer[c].data != word_expected))
        fail($sformatf("read of the ternary engine of %0d cycles", c));
    if (asked) words_checked++;
  endtask

  // ---- the run
  task automatic next_lookup();
    lookup_t k;
    logic [KeyWidth-1:0] noise;
    bit must_find;
    noise = KeyWidth'(bits());
    k = '{valid: rnd(8) != 0, bank: 1'(rnd(2)), vid: vid_of(rnd(int'(Vids))), wide: 1'(rnd(2)),
          key: rnd(8) == 0 ? noise : keys[rnd(int'(Keys))]};
    if (rnd(16) == 0) k.key[rnd(int'(KeyWidth))] ^= 1'b1;
    if (moved_until > now && rnd(2) != 0) k = move_lookup;
    // An exact row or a ternary entry may stand before the one that is moved; it is found as well.
    must_find = moved_until > now && k == move_lookup;
    lookup = k;
    sent[now & 7] = '{k: k, must_find: must_find, len: len_t'(64 + rnd(9153))};
    len = sent[(now - int'(MatchCycles) + (mutant == 13 ? 0 : 1)) & 7].len;
    // Packets that are not looked up come as well: nothing is found for them.
    ahead     = sent[(now - int'(MatchCycles) + 2) & 7].k.valid || rnd(4) == 0;
    ahead_row = {sent[(now - int'(MatchCycles) + 2) & 7].k.bank,
                 row_t'(sent[(now - int'(MatchCycles) + 2) & 7].k.vid)};
  endtask

  int           counted [3];                     // entries that have counted what they should, of each table
  entry_count_t from [3][CuckooEntries];         // what they had at the last check
  task automatic check_counts();
    table_e tables [3];
    int     rows;
    tables  = '{TableMatchCount, TableTernaryCount, TableCuckooCount};
    counted = '{0, 0, 0};
    lookup.valid = 1'b0;
    read  = '0;
    asked = 1'b0;
    for (int i = 0; i < int'(Late); i++) begin          // those that are under way
      check();
      sent[now & 7] = '0;
      len = sent[(now - int'(Late) + 1) & 7].len;
      ahead = sent[(now - int'(Late) + 2) & 7].k.valid;
      ahead_row = {sent[(now - int'(Late) + 2) & 7].k.bank,
                   row_t'(sent[(now - int'(Late) + 2) & 7].k.vid)};
      tick();
    end
    ahead = 1'b0;
    repeat (4) @(negedge clk);
    for (int t = 0; t < 3; t++) begin
      rows = t == 0 ? int'(MatchEntries) : t == 1 ? int'(TernaryEntries) : int'(CuckooEntries);
      for (int i = 0; i < rows; i++) begin
        read_word(tables[t], i);
        for (int wait_for = 0; !answer.valid && wait_for < 10; wait_for++) @(negedge clk);
        if (!answer.valid || (answer.data != count[t][i] && !unsure[t][i]))
          fail($sformatf("counters of table %0d entry %0d: %b {%0d, %0d}, expected {%0d, %0d}", t, i,
                         answer.valid, answer.data[63:36], answer.data[35:0],
                         count[t][i].packets, count[t][i].bytes));
        if (!unsure[t][i] && count[t][i] != '0 && answer.data != from[t][i]) counted[t]++;
        // From here on it is known.
        count[t][i]  = answer.data;
        from[t][i]   = answer.data;
        unsure[t][i] = 1'b0;
        repeat (2) @(negedge clk);
      end
    end
  endtask

  initial begin
    logic [63:0] h;
    read_arguments(Cycles);
    h = '0;
    for (int i = 0; i < 9; i++) h = crc64(h, 8'(32'h31 + i));
    if (h != 64'h6c40df5f0b497347) fail("the check value of CRC-64/ECMA-182");
    settings = '0;
    lookup = '0;
    ahead = 1'b0;
    ahead_row = '0;
    second = 1'b0;
    asked = 1'b0;
    written = TableMatch;
    written_index = 0;
    undo = '0;
    undo_used = 1'b0;
    len = '0;
    for (int i = 0; i < 8; i++) sent[i] = '0;
    for (int t = 0; t < 4; t++)
      for (int i = 0; i < int'(CuckooEntries); i++) {count[t][i], unsure[t][i]} = '0;
    for (int t = 0; t < 3; t++)
      for (int i = 0; i < int'(CuckooEntries); i++) from[t][i] = '0;
    for (int i = 0; i < int'(MatchEntries); i++) {match_used[i], match[i], match_data[i]} = '0;
    for (int i = 0; i < int'(TernaryEntries); i++) ternary[i] = '0;
    for (int i = 0; i < int'(CuckooEntries); i++) cuckoo[i] = '0;
    for (int i = 0; i < int'(Banks * NumModules); i++) default_action[i] = '0;
    // Keys that differ in one bit or few: pairs that only the whole comparison tells apart.
    for (int i = 0; i < int'(Keys); i++) begin
      keys[i] = KeyWidth'(bits());
      if (i % 2 == 1) begin
        keys[i] = keys[i-1];
        keys[i][rnd(int'(KeyWidth))] ^= 1'b1;
      end
    end
    release_reset(3);
    sweep(256);
    settings.init_index = '0;                    // nobody looks at it behind the sweep
    repeat (4) @(negedge clk);
    now = 1;
    for (int quiet = 0; quiet < 2; quiet++) begin
      for (int left = quiet == 1 ? int'(cycles) / 10 : int'(cycles); left > 0; left--) begin
        // What stands now was asked for in the cycle before.
        check_read();
        if (now > 8) check();
        next_lookup();
        second = write_left > 0;
        if (write_left > 0) write_left--;
        else begin
          write.valid = 1'b0;
          second = 1'b0;
          if (now > written_at + int'(Pause) && now + 8 < int'(cycles) && rnd(6) == 0) begin
            met_new = 0;
            next_write();
            write_left--;
          end
        end
        next_read();
        tick();
      end
      if (cycles == Cycles) check_counts();
    end
    if (cycles == Cycles && (counted[1] < 3 || counted[2] < 8))
      fail($sformatf("%0d, %0d and %0d entries have counted", counted[0], counted[1], counted[2]));
    if (cycles >= 10_000 && (moves_seen == 0 || races == 0))
      fail($sformatf("nothing tested: %0d moves, %0d races", moves_seen, races));
    for (int i = 0; i < 4; i++)
      if (cycles >= 10_000 && found[i] == 0) fail($sformatf("source %0d never won", i));
    pass({$sformatf("%0d lookups (exact %0d, ternary %0d, cuckoo %0d, default %0d), %0d beside a write, ",
                    lookups, found[0], found[1], found[2], found[3], races),
          $sformatf("%0d of a moved entry, %0d words read, %0d counters", moves_seen, words_checked,
                    counted[0] + counted[1] + counted[2])});
  end

  logic unused_bits;
  assign unused_bits = ^{dut_read, hit_q[2], default_q[2], data_q};
endmodule : tb_sluice_match_engines
/* verilator lint_on UNUSEDSIGNAL */
