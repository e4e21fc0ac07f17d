// SPDX-License-Identifier: Apache-2.0

/// Counters of entries against counts kept here: hits in up to every cycle, mostly of few entries,
/// so that one entry is hit in many cycles in a row; reads of 1 to 8 entries, up to 4 of them
/// without an answer, and writes, all the time. Nothing is let be near: an answer in cycle c must
/// give exactly what has been counted up to cycle c - 3, and a write that begins in cycle c counts
/// before the hits of cycle c - 1 (they are read in cycle c).
/// Counts are near their ends, so that both wrap.
/// +seed=N +cycles=N +break=N (see file breaks).
module tb_sluice_entry_counts;
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_table_pkg::*;

  `include "bench.svh"
  `include "tables.svh"

  localparam table_e      Which   = TableTernaryCount;
  localparam int unsigned Entries = TernaryEntries;
  localparam int unsigned Number  = $clog2(Entries);
  localparam int unsigned Late    = 3;           // of an answer, behind what it has seen

  logic              init, dut_hit, hit;
  logic [15:0]       init_index, dut_init_index;
  logic [Number-1:0] entry, dut_entry;
  len_t              len, dut_len, len_q;
  table_write_t      dut_write;
  table_read_t       dut_read;

  sluice_entry_counts #(.Which(32'(Which))) dut (
    .clk_i(clk), .rst_ni(rst_n), .init_i(init), .init_index_i(dut_init_index),
    .copy_i(pipe_t'(1)), .lose_i(mutant == 1),
    .hit_i(dut_hit), .entry_i(dut_entry), .len_i(dut_len),
    .write_i(dut_write), .read_i(dut_read), .answer_o(answer)
  );

  // ---- mutants
  always_comb begin
    dut_hit        = hit;
    dut_entry      = entry;
    dut_len        = len;
    dut_write      = write;
    dut_read       = read;
    dut_init_index = init_index;
    case (mutant)
      2: dut_len = len_q;
      3: if (entry == 3) dut_entry = 2;
      4: dut_write.header.index[0] = !write.header.index[0];
      5: dut_write.data[EntryBits-1] = !write.data[EntryBits-1];
      6: dut_read.header.copy = 8'd1;
      7: if (write.valid) dut_hit = 1'b0;
      8: dut_read.header.index[0] = !read.header.index[0];
      9: if (init_index == 16'(Entries - 1)) dut_init_index = 16'(Entries);
      10: if (write_left == 0) dut_write.valid = 1'b0;
      default: ;
    endcase
  end
  always_ff @(posedge clk) if (hit) len_q <= len;

  // ---- what is counted, as an answer of this cycle sees it. [c]: of c cycles ago.
  typedef struct packed {
    logic              valid;
    logic [Number-1:0] entry;
    len_t              len;
  } hit_event_t;
  typedef struct packed {
    logic              valid;
    logic [Number-1:0] entry;
    entry_count_t      value;
  } write_event_t;
  hit_event_t   hits [Late+2];
  write_event_t writes [Late+1];
  entry_count_t count [Entries];
  int           hits_done = 0, in_a_row = 0, writes_done = 0, beside = 0, answers = 0;

  task automatic take_effect();
    hit_event_t   h;
    write_event_t w;
    w = writes[Late];
    h = hits[Late+1];
    if (w.valid) begin
      count[w.entry] = w.value;
      writes_done++;
      if (h.valid && h.entry == w.entry) beside++;
    end
    if (h.valid) begin
      count[h.entry].packets += 28'd1;
      count[h.entry].bytes   += 36'(h.len);
      hits_done++;
      if (hits[Late].valid && hits[Late].entry == h.entry) in_a_row++;
    end
  endtask

  // ---- control: one message at a time, as a node sends them
  int                write_left = 0;             // cycles that the write still stands
  int                to_ask = 0, to_answer = 0;  // entries of the read
  int                pause = 0;
  logic [Number-1:0] read_index, answer_index;
  logic              other_copy;

  task automatic check_answer();
    if (!answer.valid) begin
      if (answer.data != '0) fail("data without an answer");
      return;
    end
    if (to_answer == 0 || other_copy) fail("an answer that nobody asked for");
    if (answer.data != count[answer_index])
      fail($sformatf("entry %0d: {%0d, %0d}, expected {%0d, %0d}", answer_index,
                     answer.data[63:36], answer.data[35:0], count[answer_index].packets,
                     count[answer_index].bytes));
    answers++;
    answer_index++;
    to_answer--;
  endtask

  int silent = 0;
  task automatic next_control();
    read = '0;
    if (write_left > 0) write_left--;
    else write.valid = 1'b0;
    writes[0] = '0;
    if (to_answer != 0 && other_copy) begin      // nobody answers: these are all asked in time
      if (to_ask == 0) to_answer = 0;
    end else if (to_answer != 0) begin
      silent = answer.valid ? 0 : silent + 1;
      if (silent > 20) fail("no answer");
    end
    if (to_ask > 0) begin
      // At most ChainAhead without an answer; those of another copy are answered elsewhere.
      if ((other_copy || to_answer - to_ask < int'(ChainAhead)) && rnd(4) != 0) begin
        put_read(Which, 32'(read_index));
        read.header.copy  = other_copy ? 8'd0 : 8'd1;
        read_index++;
        to_ask--;
      end
    end else if (to_answer == 0 && !write.valid) begin
      if (pause > 0) pause--;
      else if (rnd(2) == 0) begin
        write = '{valid: 1'b1, which: rnd(8) == 0 ? TableMatchCount : Which, header: '0,
                  data: '0};
        for (int i = 0; i < 2; i++) write.data[EntryBits-64+32*i +: 32] = 32'($urandom);
        // Mostly values that wrap soon.
        if (rnd(4) != 0) begin
          write.data[EntryBits-1 -: 24]  = '1;
          write.data[EntryBits-29 -: 20] = '1;
        end
        write.header.op    = ChainWrite;
        write.header.index = 16'(rnd(2) == 0 ? int'(entry) : rnd(int'(Entries)));
        if (write.which == Which)
          writes[0] = '{valid: 1'b1, entry: write.header.index[Number-1:0],
                        value: write.data[EntryBits-1 -: 64]};
        write_left = 1;
        pause      = 1 + rnd(10);
      end else begin
        to_ask       = 1 + rnd(8);
        other_copy   = rnd(8) == 0;
        read_index   = Number'(rnd(int'(Entries) - to_ask + 1));
        answer_index = read_index;
        to_answer    = to_ask;
        silent       = 0;
        pause        = 6 + rnd(10);
      end
    end
  endtask

  int busy = 8;                                  // of 8 cycles, so many have a hit
  task automatic next_hit();
    if (rnd(64) == 0) busy = rnd(2) == 0 ? 8 : rnd(9);
    hit = rnd(8) < busy;
    if (rnd(3) == 0) entry = Number'(rnd(4) == 0 ? rnd(int'(Entries)) : 2 + rnd(3));
    len = len_t'(rnd(4) == 0 ? 64 : 64 + rnd(9153));
    hits[0] = '{valid: hit, entry: entry, len: len};
  endtask

  initial begin
    read_arguments(200_000);
    {hit, entry, len, init, init_index, other_copy, read_index, answer_index} = '0;
    for (int i = 0; i < int'(Late) + 2; i++) hits[i] = '0;
    for (int i = 0; i < int'(Late) + 1; i++) writes[i] = '0;
    for (int i = 0; i < int'(Entries); i++) count[i] = '0;
    release_reset(3);
    for (int i = 0; i < 256; i++) begin
      init       = 1'b1;
      init_index = 16'(i);
      @(negedge clk);
    end
    init = 1'b0;
    to_ask    = int'(Entries);                    // all are zero
    to_answer = to_ask;
    for (now = 1; now <= int'(cycles); now++) begin
      for (int c = int'(Late) + 1; c > 0; c--) hits[c] = hits[c-1];
      for (int c = int'(Late); c > 0; c--) writes[c] = writes[c-1];
      take_effect();
      check_answer();
      next_hit();
      next_control();
      @(negedge clk);
    end
    if (cycles >= 10_000 && (in_a_row < 1000 || beside == 0 || answers < 1000))
      fail($sformatf("little tested: %0d in a row, %0d beside a write, %0d answers", in_a_row,
                     beside, answers));
    pass($sformatf("%0d hits, %0d in a row, %0d writes, %0d beside a hit, %0d entries read",
                   hits_done, in_a_row, writes_done, beside, answers));
  end
endmodule : tb_sluice_entry_counts
