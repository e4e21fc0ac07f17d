// SPDX-License-Identifier: Apache-2.0

/// sluice_checksum against a C model that also makes the cases: IPv4 or not, options, source routes,
/// fragments, odd and false lengths of IPv4 and of UDP, UDP without a checksum, checksums
/// overwritten by the deparser, words of 0 and 0xffff, congestion marks, IPv6.
/// +seed=N, +cycles=N.
/// +break=N: 1 the options change places, 2 the length is two too large, 3 the protocol field
/// before the deparser is wrong, 4 an address byte after it is wrong, 5 the header length is one
/// too large, 6 marks get lost, 7 the ECN field after the deparser is wrong,
/// 8 version 6 is taken for another, 9 the length of UDP is not looked at, 10 an odd length of IPv4
/// is one longer, 11 a source route is taken for another option, 12 one that is used up is not,
/// 13 a UDP length below 8 is 8.
module tb_sluice_checksum
  import sluice_pkg::*;
  import sluice_layout_pkg::*;
;
  import "DPI-C" function void checksum_seed(input int seed);
  import "DPI-C" function int checksum_case(
    output bit [13:0] len, output bit [7:0] opt, output int mark, output bit [1023:0] old_bits,
    output bit [1023:0] now_bits, output bit [1023:0] expected_bits);

  `include "bench.svh"

  logic          valid, mark;
  deparse_opt_t  opt, dut_opt;
  len_t          len;
  logic [1023:0] old_header, dut_ahead, now_header, dut_now, result;

  int unsigned udp_at;          // bit at which the length of UDP begins
  assign udp_at = 8 * (18 + 4 * 32'(old_header[8*18 +: 4]) + 4);
  always_comb begin
    dut_opt   = opt;
    dut_ahead = old_header;
    dut_now   = now_header;
    if (mutant == 1) begin
      dut_opt.ip_checksum = opt.l4_checksum;
      dut_opt.l4_checksum = opt.ip_checksum;
    end
    if (mutant == 3) dut_ahead[8*27 +: 8] = old_header[8*27 +: 8] ^ 8'd23;   // UDP for TCP
    if (mutant == 4) dut_now[8*31] = ~now_header[8*31];
    if (mutant == 7) dut_now[8*19] = ~now_header[8*19];
    if (mutant == 8) dut_ahead[8*18+4] = old_header[8*18+4] ^ (old_header[8*16 +: 16] == 16'hdd86);
    if (mutant == 9)  dut_ahead[udp_at +: 16] = '1;
    if (mutant == 10) dut_ahead[8*20 +: 16] = {old_header[8*21 +: 8] + 8'(old_header[8*21]),
                                               old_header[8*20 +: 8]};
    if (mutant == 11) dut_ahead[8*38 +: 8] = old_header[8*38 +: 8] & 8'h7f;
    if (mutant == 12) dut_ahead[8*40 +: 8] = 8'd0;
    if (mutant == 13 && dut_ahead[udp_at +: 8] == '0 && dut_ahead[udp_at+8 +: 8] < 8'd8)
      dut_ahead[udp_at+8 +: 8] = 8'd8;
    if (mutant == 5) dut_ahead[8*18 +: 4] = old_header[8*18 +: 4] + 4'd1;
  end

  // The packet comes one cycle after what says which of its words count.
  logic          valid_q = 1'b0, mark_q;
  logic [1023:0] old_q, now_q;
  always_ff @(posedge clk) begin
    valid_q <= valid;
    mark_q  <= mark;
    old_q   <= old_header;
    now_q   <= dut_now;
  end

  sluice_checksum u_dut (
    .clk_i(clk), .ahead_valid_i(valid), .ahead_opt_i(dut_opt),
    .ahead_len_i(mutant == 2 ? len + 14'd2 : len), .ahead_old_i(dut_ahead),
    .valid_i(valid_q), .mark_i(mutant == 6 ? 1'b0 : mark_q), .old_i(old_q), .header_i(now_q),
    .header_o(result)
  );

  typedef struct packed {
    logic          valid;
    len_t          len;
    deparse_opt_t  opt;
    logic [3:0]    ihl;
    logic [1023:0] now, expected;
  } case_t;
  case_t gone [2];

  initial begin
    int          checked, updated, next_mark;
    bit [13:0]   next_len;
    bit [7:0]    next_opt;
    bit [1023:0] next_old, next_now, expected;
    read_arguments(100_000);
    checksum_seed(seed);
    checked = 0;
    updated = 0;
    valid = 1'b0;
    {mark, opt, len, old_header, now_header} = '0;
    expected = '0;
    gone[0]  = '0;
    gone[1]  = '0;
    for (int c = 0; c < cycles; c++) begin
      @(negedge clk);
      // what was put in two cycles ago has come out
      gone[1] = gone[0];
      gone[0] = '{valid: valid, len: len, opt: opt, ihl: old_header[8*18 +: 4], now: now_header,
                  expected: expected};
      if (gone[1].valid) begin
        for (int b = 0; b < 128; b++)
          if (result[8*b +: 8] != gone[1].expected[8*b +: 8])
            $fatal(1, "case %0d: byte %0d is %02x, not %02x (length %0d, options %0d, IHL %0d)",
                   checked, b, result[8*b +: 8], gone[1].expected[8*b +: 8], gone[1].len,
                   gone[1].opt, gone[1].ihl);
        checked++;
        if (gone[1].expected != gone[1].now) updated++;
      end
      valid = $urandom_range(7) != 0;
      if (valid) begin
        if (checksum_case(next_len, next_opt, next_mark, next_old, next_now, expected) == 0)
          $fatal(1, "the model is wrong");
        len        = next_len;
        opt        = deparse_opt_t'(next_opt);
        mark       = next_mark != 0;
        old_header = next_old;
        now_header = next_now;
      end
    end
    pass($sformatf("%0d packets, %0d updated", checked, updated));
  end
endmodule : tb_sluice_checksum
