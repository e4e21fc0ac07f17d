// SPDX-License-Identifier: Apache-2.0

/// sluice_ctl_entry against what docs/tables.md (RECONFIG) says of an entry of so many bits: it
/// comes byte by byte, 64 bytes in a block, and as 64-bit words on the daisy chain. All names of
/// tables in random order, one a cycle; the answer comes a cycle later.
/// +seed=N, +cycles=N, +break=N (see the file `breaks`).
module tb_sluice_ctl_entry
  import sluice_layout_pkg::*;
;
  `include "bench.svh"

  logic [6:0] asked, asked_dut, asked_q = '0;    // {module, sub}
  logic       none, wide;
  logic [3:0] words;
  logic [6:0] first_bytes, second_bytes;
  assign asked_dut = mutant == 1 ? asked & 7'h7e : mutant == 2 ? asked_q : asked;
  sluice_ctl_entry u_dut (
    .clk_i(clk), .resource_i(asked_dut[6:4]), .sub_i(asked_dut[3:0]), .none_o(none),
    .wide_o(wide), .words_o(words), .first_bytes_o(first_bytes), .second_bytes_o(second_bytes)
  );

  // tables that are none, of one block, of a full one, of two
  int seen_none = 0, seen_one = 0, seen_full = 0, seen_two = 0;
  task automatic look;
    /* verilator lint_save */
    /* verilator lint_off UNUSEDSIGNAL */
    table_info_t info;
    /* verilator lint_restore */
    int          bits, bytes, all;
    info  = table_info(table_of(asked[6:4], asked[3:0]));
    bits  = int'(info.width);
    bytes = 0;
    all   = 0;
    while (8 * bytes < bits) bytes++;
    while (64 * all < bits) all++;
    if (none != (bits == 0)) fail($sformatf("table %h: none is %0d", asked, none));
    seen_none += 32'(bits == 0);
    if (bits == 0) return;
    seen_one  += 32'(bytes < 64);
    seen_full += 32'(bytes == 64);
    seen_two  += 32'(bytes > 64);
    if (mutant == 3 && bytes > 64) bytes++;
    if (wide != (bytes > 64) || int'(words) != all
        || int'(first_bytes) != (bytes > 64 ? 64 : bytes)
        || (bytes > 64 && int'(second_bytes) != bytes - 64))
      fail($sformatf("table %h of %0d bits: wide %0d, %0d words, %0d and %0d bytes", asked, bits,
                     wide, words, first_bytes, second_bytes));
  endtask

  initial begin
    read_arguments(20000);
    release_reset(3);
    while (now < int'(cycles)) begin
      asked_q = asked;
      asked   = 7'(rnd(128));
      tick();
      look();
    end
    if (seen_none < 100 || seen_one < 100 || seen_full < 100 || seen_two < 100) fail("too tame");
    pass($sformatf("%0d entries of one block, %0d that fill it, %0d of two", seen_one, seen_full,
                   seen_two));
  end
endmodule : tb_sluice_ctl_entry
