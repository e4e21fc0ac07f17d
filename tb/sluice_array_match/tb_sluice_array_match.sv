// SPDX-License-Identifier: Apache-2.0

/// sluice_array_match against a C model: random entries of several modules in two banks, at their
/// places and at wrong ones; packets with few keys and with many, equal ones, dropped ones;
/// results taken at once or late; entries written and cleared while packets come. A packet that
/// came behind a write must see it. Then the rate: packets a cycle, all words keys, keys of a
/// uniform and of two Zipf distributions, none of them late.
/// +seed=N +cycles=N +break=N (see the file breaks).
module tb_sluice_array_match
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
;
  import "DPI-C" function void km_open(input int number_of_words, input int number_of_entries);
  import "DPI-C" function int km_place(input int vid, input int key, input int way);
  import "DPI-C" function int km_version();
  import "DPI-C" function void km_write(input int index, input int tag, input int key,
                                        input int data);
  import "DPI-C" function int km_check(
    input int keys, input int count, input int dropped, input int vid, input int bank,
    input int from, input bit [32*ArrayWords-1:0] came, input bit [32*ArrayWords-1:0] left,
    input int found);

  localparam int unsigned W = ArrayWords;
  localparam int unsigned Overlays = 1 << $bits(overlay_t);
  localparam int          Latency  = 11;
  // seven keys in eight places would be full: some have no place
  localparam int unsigned NumKeys  = ArrayEntries * 3 / 4;

  `include "bench.svh"
  `include "tables.svh"

  typedef struct packed {
    logic                    valid;
    overlay_t                row;
    logic [7:0]              vid;
    logic                    dropped;
    logic [$clog2(W+1)-1:0]  count;
    words_t                  words;
    logic [31:0]             version;
  } in_t;
  in_t k, k_q;                                 // k: the packet whose item comes in the next cycle
  always_ff @(posedge clk) k_q <= k;

  // ---- the lane's array match
  lane_settings_t settings;
  logic           init;
  logic [15:0]    init_index;
  table_write_t   write_seen;
  word_answer_t   unused_answer;
  item_t          item;
  carried_array_t array;
  logic           valid, pop;
  matched_bits_t  matched_bits;
  matched_t       matched, matched_q, seen;
  always_comb begin
    write_seen = write;
    if (mutant == 1 && write.which == TableArrayMatch)
      write_seen.header.index = write.header.index ^ 16'(ArrayEntries / 4 / 2 / W);
    if (mutant == 2 && write.which == TableArrayKeys)
      write_seen.data[EntryBits-2] = !write.data[EntryBits-2];
    if (mutant == 3 && write.which == TableArrayKeys)
      write_seen.data[EntryBits-4] = !write.data[EntryBits-4];
    if (mutant == 5 && write.which == TableArrayMatch) write_seen.data[EntryBits-2 -: 2] = '0;
    settings = '0;
    settings.init       = init;
    settings.init_index = init_index;
    settings.fault[FaultKeysSwap]  = mutant == 6;
    settings.fault[FaultKeptStale] = mutant == 7;
    array       = '0;
    array.words = k_q.words;
    array.count = mutant == 12 && k_q.count != '0 && 32'(k_q.count) != W ? k_q.count + 1'b1
                                                                         : k_q.count;
    if (mutant == 8) array.words[W/2][7] = !array.words[W/2][7];
    item                   = '0;
    item.valid             = k_q.valid;
    item.reason            = k_q.dropped && mutant != 9 ? DropRate : DropNone;
    item.phv.meta.overlay  = k_q.row;
    item.phv.meta.vid_high = k_q.vid[7:RowBits] ^ (8-RowBits)'(mutant == 4);
    item.phv.array         = array_bits_t'(array);
  end
  sluice_array_match u_match (
    .clk_i(clk), .rst_ni(rst_n), .settings_i(settings), .lane_i('0),
    .ahead_i(k.valid), .row_i(mutant == 10 ? k_q.row : k.row), .item_i(item),
    .valid_o(valid), .matched_o(matched_bits), .pop_i(pop),
    .write_i(write_seen), .read_i('0), .answer_o(unused_answer)
  );
  assign matched = matched_t'(matched_bits);
  assign seen    = mutant == 11 ? matched_q : matched;

  // ---- what waits for its result
  in_t         queue [$];
  logic [31:0] keys [Overlays];                // ARRAY_KEYS
  int          packets = 0, looked_up = 0, hits = 0, writes = 0;

  task automatic take();
    in_t p;
    int  bank, wrong;
    if (queue.size() == 0) $fatal(1, "a result without a packet");
    p     = queue.pop_front();
    if (!p.valid) $fatal(1, "a packet that never came");
    bank  = Banks == 2 ? int'(p.row[$bits(overlay_t)-1]) : 0;
    wrong = km_check(keys[p.row], int'(p.count), int'(p.dropped), int'(p.vid), bank,
                     int'(p.version), p.words, seen.words, int'(seen.found));
    if (wrong >= 0)
      $fatal(1, {"packet %0d, module %0d, bank %0d, ARRAY_KEYS %h: word %0d of\n  %h is\n  %h ",
             "found %b"}, packets, p.vid, bank, keys[p.row], wrong, p.words, seen.words,
             seen.found);
    if (!p.dropped && (seen.write != (keys[p.row][31] && keys[p.row][29])
                       || (seen.write && seen.index != keys[p.row][28:26])))
      $fatal(1, "packet %0d: container of FOUND", packets);
    packets++;
    looked_up += p.dropped || !keys[p.row][31] ? 0 : $countones(keys[p.row][W-1:0]);
    hits      += $countones(seen.found);
    matched_q = matched;
  endtask

  // A cycle: what was popped in it, and what comes in the next one.
  int late;                                    // of 16: results are not taken
  task automatic step();
    @(negedge clk);
    if (k_q.valid) queue.push_back(k_q);
    pop = valid && $urandom_range(15) >= late;
    if (pop) take();
    k       = '0;
  endtask

  // ---- entries: key n of a module stands at one of its places, if it stands at all
  localparam int unsigned Modules = 4;
  int         place [Modules][NumKeys];
  bit         used [ArrayEntries];
  function automatic logic [7:0] vid_of(int m);
    return 8'(m * 67 + 5);
  endfunction
  function automatic logic [31:0] key_of(int n);
    return 32'(n) * 32'd2654435761 ^ 32'(n >> 3);
  endfunction

  task automatic write_key(int index, logic [15:0] tag, logic [31:0] key, logic [31:0] data);
    put_write(TableArrayMatch, index, {tag, key, data, (EntryBits-80)'(0)});
    km_write(index, 32'(tag), key, data);
    writes++;
  endtask

  // Writes or clears an entry of a random key; sometimes at a place where it is not looked for.
  // The write lasts two cycles.
  task automatic change();
    int          m = $urandom_range(Modules - 1), at;
    int          n = $urandom_range($urandom_range(1) == 0 ? 5 : NumKeys - 1);   // often a hot one
    logic [15:0] tag;
    tag = {1'b1, 2'($urandom_range(5) == 0 ? $urandom : 0), 5'd0, vid_of(m)};
    if (place[m][n] >= 0) begin
      at = place[m][n];
      if ($urandom_range(1) == 0) begin        // other data
        write_key(at, tag, key_of(n), $urandom);
        return;
      end
      write_key(at, '0, '0, '0);
      used[at]    = 1'b0;
      place[m][n] = -1;
      return;
    end
    at = km_place(int'(vid_of(m)), key_of(n), $urandom_range(3));
    if ($urandom_range(20) == 0) at = $urandom_range(ArrayEntries - 1);
    if (used[at]) return;
    used[at]    = 1'b1;
    place[m][n] = at;
    write_key(at, tag, key_of(n), $urandom);
  endtask

  // ---- packets
  real cumulated [NumKeys];
  function automatic int draw();
    real x;
    int  low, high, middle;
    x    = real'($urandom) / 4294967296.0 * cumulated[NumKeys-1];
    low  = 0;
    high = NumKeys - 1;
    while (low < high) begin
      middle = (low + high) / 2;
      if (cumulated[middle] > x) high = middle;
      else                       low  = middle + 1;
    end
    return low;
  endfunction
  task automatic distribute(real exponent);
    real sum = 0.0;
    for (int n = 0; n < int'(NumKeys); n++) begin
      sum          = sum + 1.0 / ($itor(n + 1) ** exponent);
      cumulated[n] = sum;
    end
  endtask

  task automatic packet(int kinds);
    int m;
    m         = kinds == 0 ? 0 : $urandom_range(Modules - 1);
    k.valid   = 1'b1;
    k.vid     = vid_of(m);
    k.row     = overlay_t'({1'($urandom), row_t'(vid_of(m))});
    k.dropped = kinds != 0 && $urandom_range(7) == 0;
    k.count   = $bits(k.count)'(kinds != 0 && $urandom_range(3) == 0 ? $urandom_range(W) : W);
    for (int unsigned w = 0; w < W; w++) begin
      if (kinds == 0) k.words[w] = key_of(draw());
      else case ($urandom_range(3))
        0:       k.words[w] = key_of($urandom_range(NumKeys - 1));
        1:       k.words[w] = key_of($urandom_range(5));
        2:       k.words[w] = w == 0 ? '0 : k.words[$urandom_range(w - 1)];
        default: k.words[w] = $urandom_range(4) == 0 ? $urandom : key_of(m);
      endcase
      if (w >= 32'(k.count)) k.words[w] = '0;
    end
    k.version = km_version();
  endtask

  bit second;                                  // a write is in its second cycle
  int busy_packets;                            // results taken until packets stopped to come
  task automatic traffic(int steps, int busy, int kinds, int changes);
    for (int c = 0; c < steps; c++) begin
      step();
      if (second) second = 1'b0;
      else begin
        write = '0;
        if ($urandom_range(999) < changes) begin
          change();
          second = write.valid;
        end
      end
      if (int'($urandom_range(15)) < busy && queue.size() + int'(k_q.valid) < int'(LaneDepth) - 1)
        packet(kinds);
    end
    busy_packets = packets;
    step();
    write = '0;
    second = 1'b0;
    late  = 0;
    repeat (40 * W + 40) step();
    if (queue.size() != 0) $fatal(1, "%0d packets never came", queue.size());
  endtask

  // Packets a cycle, in 1/1000, with keys of a distribution.
  function automatic int rate(int start, int steps);
    return (busy_packets - start) * 1000 / steps;
  endfunction

  initial begin
    int longest = 0, start, uniform, zipf_9, zipf_11;
    read_arguments(40000);
    km_open(int'(W), int'(ArrayEntries));
    {k, init_index, pop} = '0;
    foreach (place[m, n]) place[m][n] = -1;
    foreach (used[i]) used[i] = 1'b0;
    init = 1'b1;
    release_reset(4);
    for (int unsigned i = 0; i < ArrayEntries || i < Overlays; i++) begin
      @(negedge clk);
      init_index = 16'(i);
    end
    @(negedge clk);
    init = 1'b0;
    for (int phase = 0; phase < 8; phase++) begin
      for (int unsigned i = 0; i < Overlays; i++) begin
        keys[i] = $urandom & ~32'h03ff_0000;
        if ($urandom_range(5) != 0) keys[i][31] = 1'b1;
        write_entry(TableArrayKeys, int'(i), {keys[i], (EntryBits-32)'(0)});
        @(negedge clk);
      end
      late = phase == 2 ? 12 : phase == 5 ? 15 : 1;
      traffic(cycles / 8, phase == 4 ? 5 : 14, 1, phase == 0 ? 300 : phase == 7 ? 100 : 20);
    end

    // ---- from here on every word is a key
    for (int unsigned i = 0; i < Overlays; i++) begin
      keys[i] = 32'h8000_0000 | 32'((1 << W) - 1);
      write_entry(TableArrayKeys, int'(i), {keys[i], (EntryBits-32)'(0)});
      @(negedge clk);
    end
    // ---- a packet alone with one key: how long it takes, unless its bank keeps the key
    repeat (30) begin
      int waited = 0;
      packet(1);
      k.words[0] = $urandom;
      k.count    = $bits(k.count)'(1);
      step();
      while (!valid) begin
        step();
        waited++;
      end
      if (waited > longest) longest = waited;
      step();
    end
    if (mutant == 0 && longest != Latency)
      $fatal(1, "a packet alone took %0d cycles from its item on", longest);

    // ---- rate
    distribute(0.0);
    start = packets;
    traffic(4000, 16, 0, 0);
    uniform = rate(start, 4000);
    distribute(0.9);
    start = packets;
    traffic(4000, 16, 0, 0);
    zipf_9 = rate(start, 4000);
    distribute(1.1);
    start = packets;
    traffic(4000, 16, 0, 0);
    zipf_11 = rate(start, 4000);

    if (mutant == 0 && (uniform < 980 || zipf_9 < (W == 8 ? 989 : 950)
                        || zipf_11 < (W == 8 ? 989 : 900)))
      $fatal(1, "%0d, %0d, %0d of 1000 packets a cycle", uniform, zipf_9, zipf_11);
    if (mutant == 0 && (hits < 1000 || writes < 200)) $fatal(1, "too few hits, or writes");
    $display("packets a cycle, in 1/1000, %0d keys each: uniform %0d, Zipf 0.9 %0d, Zipf 1.1 %0d",
             W, uniform, zipf_9, zipf_11);
    pass($sformatf("%0d packets, %0d keys, %0d found, %0d writes",
                   packets, looked_up, hits, writes));
  end
endmodule : tb_sluice_array_match
