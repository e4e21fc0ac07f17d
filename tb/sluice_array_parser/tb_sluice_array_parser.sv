// SPDX-License-Identifier: Apache-2.0

/// sluice_array_parser with its table ARRAY, and sluice_array_exit before the deparser, against a C
/// model: random frames of all lengths, entries with any place and count. What is parsed is
/// compared, changed, and put back, with a container that is often in its way. A packet a cycle.
/// +seed=N +cycles=N +break=N (see the file breaks).
module tb_sluice_array_parser
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
;
  import "DPI-C" function void ap_open(input int number_of_words);
  import "DPI-C" function int ap_words(
    input int entry, input int length, input bit [1023:0] header,
    output bit [32*ArrayWords-1:0] out);
  import "DPI-C" function void ap_exit(
    input int entry, input int length, input bit [1023:0] header,
    input bit [32*ArrayWords-1:0] in, input int offset, input int value,
    output bit [1023:0] out);

  localparam int unsigned Entries = 1 << $bits(overlay_t);
  localparam int unsigned Latency = 3;

  `include "bench.svh"
  `include "tables.svh"

  typedef struct packed {
    logic                  valid;
    overlay_t              row;
    len_t                  len;
    logic [HeaderBits-1:0] header;
    logic [6:0]            offset;             // of the container's action
    logic [15:0]           value;
    words_t                change;
  } in_t;
  in_t k, k_q [1:Latency+2];
  always_ff @(posedge clk) begin
    k_q[1] <= k;
    for (int unsigned c = 2; c <= Latency + 2; c++) k_q[c] <= k_q[c-1];
  end

  // ---- the parser
  logic           init;
  logic [15:0]    init_index;
  table_write_t   write_seen;
  word_answer_t   unused_answer;
  array_bits_t    parsed;
  always_comb begin
    write_seen = write;
    if (mutant == 5)  write_seen.data[EntryBits-1] = 1'b1;
    if (mutant == 10) write_seen.data[EntryBits-4 -: 2] = '0;
  end
  sluice_array_parser u_parser (
    .clk_i(clk), .rst_ni(rst_n), .init_i(init), .init_index_i(init_index),
    .valid_i(k.valid), .row_i(mutant == 2 ? k_q[1].row : k.row),
    .header_i(mutant == 3 ? k_q[2].header
              : mutant == 4 ? k_q[1].header ^ (HeaderBits'(1) << 555) : k_q[1].header),
    .len_i(mutant == 1 ? k_q[1].len - 1'b1 : k_q[1].len), .array_o(parsed),
    .copy_i('0), .write_i(write_seen), .read_i('0), .answer_o(unused_answer)
  );

  // ---- the exit, right behind it
  carried_array_t array, changed;
  assign array = carried_array_t'(parsed);
  always_comb begin
    changed       = array;
    changed.words = array.words ^ k_q[Latency + 32'(mutant == 9)].change;
    if (mutant == 6) changed.half = array.half + 6'd1;
    if (mutant == 7 && array.count != '0) changed.count = array.count + 1'b1;
  end
  logic [HeaderBytes/2-1:0]       over;
  logic [HeaderBits-1:0]          over_header, out, unused_ahead, unused_old;
  logic [TableDeparserWidth-1:0]  entry;
  parse_action_t                  action;
  containers_t                    cont;
  logic                           out_valid;
  sluice_array_exit u_exit (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(k_q[Latency].valid), .array_i(array_bits_t'(changed)),
    .over_o(over), .over_header_o(over_header)
  );
  always_comb begin
    action = '{valid: 1'b1, kind: TypeB2, idx: 3'd0, offset: k_q[Latency].offset, default: '0};
    entry  = {action, (TableDeparserWidth-ParseActionWidth)'(0)};
    cont   = '0;
    cont.b2[0] = k_q[Latency].value;
  end
  logic [7:0] bytes;                             // of the packet, in the header
  assign bytes = k_q[Latency].len < len_t'(HeaderBytes) ? 8'(k_q[Latency].len) : 8'(HeaderBytes);
  sluice_deparser u_deparser (
    .clk_i(clk), .rst_ni(rst_n), .valid_i(k_q[Latency].valid), .entry_i(entry), .cont_i(cont),
    .bytes_i(bytes), .header_i(k_q[Latency].header),
    .over_i(mutant == 8 ? '0 : over), .over_header_i(over_header),
    .valid_o(out_valid), .ahead_o(unused_ahead), .old_o(unused_old), .header_o(out)
  );

  // ---- what is expected
  logic [15:0] entries [Entries];
  int          packets = 0, full = 0, cut = 0;

  task automatic check();
    bit [32*ArrayWords-1:0] words;
    bit [1023:0]            expected;
    int                     count;
    if (k_q[Latency].valid) begin
      count = ap_words(32'(entries[k_q[Latency].row]), 32'(k_q[Latency].len), k_q[Latency].header,
                       words);
      packets++;
      full += int'(count == int'(ArrayWords));
      cut  += int'(count != 0 && count < int'(entries[k_q[Latency].row][12:8]));
      if (int'(array.count) != count || array.words !== words
          || (count != 0 && array.half != entries[k_q[Latency].row][6:1]))
        $fatal(1, "entry %h, length %0d:\n  is       %0d words %h\n  expected %0d words %h",
               entries[k_q[Latency].row], k_q[Latency].len, array.count, array.words, count, words);
    end
    if (out_valid != k_q[Latency+2].valid) $fatal(1, "latency of the exit");
    if (out_valid) begin
      void'(ap_words(32'(entries[k_q[Latency+2].row]), 32'(k_q[Latency+2].len),
                     k_q[Latency+2].header, words));
      ap_exit(32'(entries[k_q[Latency+2].row]), 32'(k_q[Latency+2].len), k_q[Latency+2].header,
              words ^ k_q[Latency+2].change, 32'(k_q[Latency+2].offset),
              32'(k_q[Latency+2].value), expected);
      if (out !== expected)
        $fatal(1, "entry %h, length %0d: header\n  is       %h\n  expected %h",
               entries[k_q[Latency+2].row], k_q[Latency+2].len, out, expected);
    end
  endtask

  task automatic drive();
    k.valid = $urandom_range(7) != 0;
    k.row   = overlay_t'($urandom);
    k.len   = len_t'($urandom_range(2) == 0 ? 64 + $urandom_range(9) : 64 + $urandom_range(100));
    for (int i = 0; i < int'(HeaderBits) / 32; i++) k.header[32*i +: 32] = $urandom;
    for (int b = 0; b < int'(HeaderBytes); b++)
      if (b >= int'(k.len)) k.header[8*b +: 8] = '0;
    k.offset = $urandom_range(1) == 0 ? entries[k.row][6:0] + 7'($urandom_range(32))
                                      : 7'($urandom);
    k.value  = 16'($urandom);
    for (int w = 0; w < int'(ArrayWords); w++) k.change[w] = $urandom;
  endtask

  initial begin
    read_arguments(30000);
    ap_open(int'(ArrayWords));
    {k, init_index} = '0;
    init = 1'b1;
    release_reset(4);
    for (int unsigned i = 0; i < Entries; i++) begin
      @(negedge clk);
      init_index = 16'(i);
    end
    @(negedge clk);
    init = 1'b0;
    for (int phase = 0; phase < 10; phase++) begin
      for (int unsigned i = 0; i < Entries; i++) begin
        entries[i] = 16'($urandom);
        if ($urandom_range(3) != 0) {entries[i][15], entries[i][12]} = 2'b10;
        write_entry(TableArray, int'(i), {entries[i], (EntryBits-16)'(0)});
        @(negedge clk);
      end
      for (int c = 0; c < cycles / 10; c++) begin
        @(negedge clk);
        check();
        drive();
      end
      k.valid = 1'b0;
      repeat (Latency + 2) begin
        @(negedge clk);
        check();
      end
    end
    if (mutant == 0 && (full < 100 || cut < 100)) $fatal(1, "too few whole arrays, or cut ones");
    pass($sformatf("%0d packets, %0d with all words, %0d cut off", packets, full, cut));
  end
endmodule : tb_sluice_array_parser
