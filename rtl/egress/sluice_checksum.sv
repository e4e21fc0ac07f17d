// SPDX-License-Identifier: Apache-2.0

/// Brings the IPv4 header checksum and the UDP or TCP checksum up to date after the deparser, from
/// the words that it changed (RFC 1624, eqn. 3): new = ~(~old + sum of ~m + m').
/// Before that, a packet that is marked gets CE in its ECN field, if it is IPv4 and says ECT (RFC
/// 3168); the header checksum follows that always, whether the module asked for checksums or not.
/// Latency 1 cycle (the outputs are combinational from its registers), one packet per cycle.
///
/// Words are the 16-bit words from byte 18, where the IPv4 header starts, to byte 127. All sums are
/// made on words as they lie in the header, first byte low: ones' complement addition gives the
/// same result in either byte order (RFC 1071), swapped. An unchanged word must not be added,
/// though it adds "nothing": ~m + m is 0xffff, the other zero, and turns a sum of 0 into 0xffff.
module sluice_checksum
  import sluice_pkg::*;
  import sluice_layout_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  valid_i,
  input  deparse_opt_t          opt_i,
  input  logic                  mark_i,
  input  len_t                  len_i,
  input  logic [HeaderBits-1:0] old_i,      // before the deparser: its fields say what is what
  input  logic [HeaderBits-1:0] header_i,   // after it
  output logic [HeaderBits-1:0] header_o
);
  localparam int unsigned FirstByte = 18;
  localparam int unsigned NumWords  = (HeaderBytes - FirstByte) / 2;
  localparam int unsigned IpSumWord = 5;            // bytes 28, 29
  localparam int unsigned AddressFirst = 6;         // source and destination address: words 6..9
  localparam int unsigned MinIpWords = 10;
  localparam int unsigned MaxIpWords = 30;
  localparam int unsigned FirstL4Sum = MinIpWords + 3;
  localparam int unsigned LastL4Sum  = MaxIpWords + 8;
  localparam int unsigned SumBits    = 23;          // 56 words of 17 bits, and the old checksum

  // ---- cycle 1: fields and sums
  logic [15:0] total;          // bytes of the IPv4 packet
  logic [7:0]  protocol;
  logic [3:0]  ihl;
  logic        is_ip, is_udp, is_l4;
  logic [5:0]  ip_words, l4_sum_word, words, l4_end;

  assign ihl      = old_i[8*18 +: 4];
  assign total    = {old_i[8*20 +: 8], old_i[8*21 +: 8]};
  assign protocol = old_i[8*27 +: 8];
  assign is_ip    = old_i[8*16 +: 16] == 16'h0008 && old_i[8*18+4 +: 4] == 4'd4 && ihl >= 4'd5;
  assign is_udp   = protocol == 8'd17;
  assign is_l4    = is_ip && (is_udp || protocol == 8'd6)
                    && old_i[8*24 +: 5] == '0 && old_i[8*25 +: 8] == '0;   // fragment offset 0
  assign ip_words = {1'b0, ihl, 1'b0};
  assign l4_sum_word = ip_words + (is_udp ? 6'd3 : 6'd8);

  // Words that lie wholly in packet and header; a packet has 64 bytes at least.
  assign words  = len_i < len_t'(HeaderBytes) ? 6'((len_i[6:0] - 7'(FirstByte)) >> 1)
                                              : 6'(NumWords);
  // Of an odd IPv4 length the last word counts: what the byte behind the end adds cancels out, as
  // long as nobody writes there.
  assign l4_end = total < {9'd0, words, 1'b0} ? 6'((total[6:0] + 7'd1) >> 1) : words;

  logic unused_opt;
  assign unused_opt = ^opt_i.reserved;

  logic                do_ip, do_l4;
  logic                ip_changed, l4_changed;
  logic [SumBits-1:0]  ip_sum, l4_sum;
  logic [15:0]         ip_old, l4_old;
  assign do_ip = valid_i && opt_i.ip_checksum && is_ip;
  assign do_l4 = valid_i && opt_i.l4_checksum && is_l4 && l4_sum_word < words;

  // Congestion: the ECN field is the low end of byte 19, so of the high half of word 0. The sum of
  // ~m + m' is 0xffff and what m' is more.
  logic        set_ce;
  logic [1:0]  ecn;
  logic [16:0] ce_delta;
  assign ecn      = header_i[8*19 +: 2];
  assign set_ce   = valid_i && mark_i && is_ip && (ecn == 2'd1 || ecn == 2'd2);
  assign ce_delta = set_ce ? 17'h0ffff + {7'd0, 2'd3 - ecn, 8'd0} : '0;

  always_comb begin
    logic [15:0] was, now;
    logic [16:0] delta;
    logic        changed, in_ip, in_l4;
    ip_changed = 1'b0;
    l4_changed = 1'b0;
    ip_old     = header_i[8*FirstByte + 16*IpSumWord +: 16];
    l4_old     = '0;
    ip_sum     = SumBits'(16'(~ip_old)) + SumBits'(ce_delta);
    l4_sum     = '0;
    {was, now, delta, changed, in_ip, in_l4} = '0;
    if (do_ip || do_l4) begin
      for (int unsigned w = 0; w < NumWords; w++) begin
        was     = old_i[8*FirstByte + 16*w +: 16];
        now     = header_i[8*FirstByte + 16*w +: 16];
        changed = was != now && 6'(w) < words;
        delta   = changed ? {1'b0, ~was} + {1'b0, now} : 17'd0;
        in_ip   = do_ip && w < MaxIpWords && 6'(w) < ip_words && w != IpSumWord;
        in_l4   = w >= AddressFirst && (w < MinIpWords
                  || 6'(w) >= ip_words && 6'(w) < l4_end && 6'(w) != l4_sum_word);
        ip_changed |= changed && in_ip;
        l4_changed |= changed && in_l4;
        ip_sum = ip_sum + (in_ip ? SumBits'(delta) : '0);
        l4_sum = l4_sum + (in_l4 ? SumBits'(delta) : '0);
        if (w >= FirstL4Sum && w <= LastL4Sum && 6'(w) == l4_sum_word) l4_old = now;
      end
      l4_sum = l4_sum + SumBits'(16'(~l4_old));
    end
  end

  logic                  set_ce_q, set_ip_q, set_l4_q, is_udp_q;
  logic [SumBits-1:0]    ip_sum_q, l4_sum_q;
  logic [5:0]            l4_sum_word_q;
  logic [HeaderBits-1:0] header_q;

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      set_ip_q      <= ip_changed || set_ce;
      set_ce_q      <= set_ce;
      set_l4_q      <= do_l4 && l4_changed && !(is_udp && l4_old == '0);
      is_udp_q      <= is_udp;
      ip_sum_q      <= ip_sum;
      l4_sum_q      <= l4_sum;
      l4_sum_word_q <= l4_sum_word;
      header_q      <= header_i;
    end
  end

  // ---- cycle 2: fold and insert
  logic [16:0] ip_once, l4_once;             // one fold leaves a carry at most
  assign ip_once = 17'(ip_sum_q[15:0]) + 17'(ip_sum_q[SumBits-1:16]);
  assign l4_once = 17'(l4_sum_q[15:0]) + 17'(l4_sum_q[SumBits-1:16]);

  logic [15:0] ip_new;
  assign ip_new = ~(ip_once[15:0] + 16'(ip_once[16]));
  logic [15:0] l4_new;
  always_comb begin
    l4_new = ~(l4_once[15:0] + 16'(l4_once[16]));
    if (is_udp_q && l4_new == '0) l4_new = '1;
    header_o = header_q;
    if (set_ce_q) header_o[8*19 +: 2] = 2'd3;
    if (set_ip_q)
      header_o[8*FirstByte + 16*IpSumWord +: 16] = ip_new;
    if (set_l4_q)
      for (int unsigned w = FirstL4Sum; w <= LastL4Sum; w++)
        if (l4_sum_word_q == 6'(w)) header_o[8*FirstByte + 16*w +: 16] = l4_new;
  end
endmodule : sluice_checksum
