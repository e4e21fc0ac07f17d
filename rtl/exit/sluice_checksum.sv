// SPDX-License-Identifier: Apache-2.0

/// Brings the IPv4 header checksum and the UDP or TCP checksum up to date after the deparser, from
/// the words that it changed (RFC 1624, eqn. 3): new = ~(~old + sum of ~m + m').
/// Before that, a packet that is marked gets CE in its ECN field, if it is IPv4 or IPv6 and says
/// ECT (RFC 3168); the IPv4 header checksum follows that always, whether the module asked for
/// checksums or not.
/// Latency 1 cycle (the outputs are combinational from its registers), one packet per cycle; what
/// says which words count comes one cycle before the packet.
///
/// Words are the 16-bit words from byte 18, where the IPv4 header starts, to the end of the header.
/// Of a word that the datagram's last byte begins, this byte alone counts, with 0 beside it: a
/// UDP datagram of 27 bytes from byte 38 on ends with byte 64, and nothing of byte 65 is summed.
/// All sums are made on words as they lie in the header, first byte low: ones' complement addition
/// gives the same result in either byte order (RFC 1071), swapped. An unchanged word must not
/// count, though it adds "nothing": ~m + m is 0xffff, the other zero, and turns a sum of 0 into
/// 0xffff. The sum of all words is wrong in that case only, so it is made, and the case found
/// beside it.
module sluice_checksum
  import sluice_cfg_pkg::HeaderBytes;
  import sluice_pkg::*;
  import sluice_layout_pkg::*;
(
  input  logic                  clk_i,
  // one cycle before the packet: options, length, header before the deparser: its fields say what
  // is what
  input  logic                  ahead_valid_i,
  input  deparse_opt_t          ahead_opt_i,
  input  len_t                  ahead_len_i,
  input  logic [HeaderBits-1:0] ahead_old_i,
  // the packet
  input  logic                  valid_i,
  input  logic                  mark_i,
  input  logic [HeaderBits-1:0] old_i,      // before the deparser
  input  logic [HeaderBits-1:0] header_i,   // after it
  output logic [HeaderBits-1:0] header_o
);
  localparam int unsigned FirstByte = 18;
  localparam int unsigned NumWords  = (HeaderBytes - FirstByte) / 2;
  localparam int unsigned IpSumWord = 5;            // bytes 28, 29
  localparam int unsigned AddressFirst = 6;         // source and destination address: words 6..9
  localparam int unsigned MinIpWords = 10;
  localparam int unsigned MaxIpWords = NumWords < 30 ? NumWords : 30;
  localparam int unsigned FirstL4Sum = MinIpWords + 3;
  localparam int unsigned LastL4Sum  = NumWords <= 38 ? NumWords - 1 : 38;
  localparam int unsigned L4Words    = NumWords - AddressFirst;

  // ---- cycle 0: which words count
  localparam int unsigned MinIhl = 5;
  localparam int unsigned MaxIhl = 15;
  localparam int unsigned OptionsAt = 38;           // byte at which IPv4 options begin
  localparam int unsigned MaxOptions = 40;
  typedef logic [6:0] bytes_t;                      // from byte 18 on; 127: at least that many

  logic [15:0] total;          // bytes of the IPv4 packet
  logic [7:0]  protocol;
  logic [3:0]  ihl;
  logic        is_ip, is_ip6, is_udp, is_l4;
  logic [5:0]  ip_words, l4_sum_word, words;

  assign ihl      = ahead_old_i[8*18 +: 4];
  assign total    = {ahead_old_i[8*20 +: 8], ahead_old_i[8*21 +: 8]};
  assign protocol = ahead_old_i[8*27 +: 8];
  assign is_ip    = ahead_old_i[8*16 +: 16] == 16'h0008 && ahead_old_i[8*18+4 +: 4] == 4'd4
                 && ihl >= 4'(MinIhl);
  assign is_ip6   = ahead_old_i[8*16 +: 16] == 16'hdd86 && ahead_old_i[8*18+4 +: 4] == 4'd6;
  assign is_udp   = protocol == 8'd17;
  assign is_l4    = is_ip && (is_udp || protocol == 8'd6)                  // fragment offset 0
                 && ahead_old_i[8*24 +: 5] == '0 && ahead_old_i[8*25 +: 8] == '0;
  assign ip_words = {1'b0, ihl, 1'b0};
  assign l4_sum_word = ip_words + (is_udp ? 6'd3 : 6'd8);

  // Where packet and header, the IPv4 packet and the UDP datagram end.
  bytes_t there, ip_end, udp_end;
  assign there  = ahead_len_i < len_t'(HeaderBytes) ? bytes_t'(ahead_len_i - len_t'(FirstByte))
                                                    : bytes_t'(HeaderBytes - FirstByte);
  assign words  = there[6:1];
  assign ip_end = total[15:7] == '0 ? total[6:0] : '1;

  // The length that the UDP header names stands 4 bytes behind the IPv4 header.
  logic [15:0] udp_len;
  logic [7:0]  udp_sum;
  always_comb begin
    udp_len = '0;
    for (int unsigned n = MinIhl; n <= MaxIhl; n++)
      if (FirstByte + 4*n + 6 <= HeaderBytes && ihl == 4'(n))
        udp_len |= {ahead_old_i[8*(FirstByte + 4*n + 4) +: 8],
                    ahead_old_i[8*(FirstByte + 4*n + 5) +: 8]};
  end
  assign udp_sum = {2'b0, ihl, 2'b0} + {1'b0, udp_len[6:0]};
  assign udp_end = udp_len[15:7] == '0 && !udp_sum[7] ? udp_sum[6:0] : '1;

  // A source route that is not used up: the first option behind NOPs, as far as the header reaches.
  logic routed;
  always_comb begin
    logic nops;                                      // all options before this byte are NOPs
    routed = 1'b0;
    nops   = 1'b1;
    for (int unsigned n = 0; n + 3 <= MaxOptions; n++) begin
      if (OptionsAt + n + 3 <= HeaderBytes) begin
        routed = routed || (nops && 6'(n + 3) <= {ihl - 4'(MinIhl), 2'b00}
              && (ahead_old_i[8*(OptionsAt+n) +: 8] == 8'd131
                  || ahead_old_i[8*(OptionsAt+n) +: 8] == 8'd137)
              && ahead_old_i[8*(OptionsAt+n+2) +: 8] <= ahead_old_i[8*(OptionsAt+n+1) +: 8]);
        nops = nops && ahead_old_i[8*(OptionsAt+n) +: 8] == 8'd1;
      end
    end
  end

  logic [MaxIpWords-1:0]          in_ip_q;
  logic [NumWords-1:AddressFirst] in_l4_q;
  logic [NumWords-1:MinIpWords]   in_l4_low_q;  // its second byte counts as well
  logic [LastL4Sum:FirstL4Sum]    l4_sum_at_q;  // where the checksum is, if it is to be updated
  logic                           is_ip_q, is_ip6_q, is_udp_q, do_l4;
  bytes_t                         sum_end;      // of the checksum
  assign sum_end = {l4_sum_word, 1'b0} + 7'd2;
  assign do_l4   = ahead_opt_i.l4_checksum && is_l4 && sum_end <= there && sum_end <= ip_end
                && (!is_udp || udp_len[15:3] != '0);

  always_ff @(posedge clk_i) begin
    if (ahead_valid_i) begin
      is_ip_q  <= is_ip;
      is_ip6_q <= is_ip6;
      is_udp_q <= is_udp;
      for (int unsigned w = 0; w < MaxIpWords; w++)
        in_ip_q[w] <= ahead_opt_i.ip_checksum && is_ip && 6'(w) < ip_words && 6'(w) < words
                   && w != IpSumWord;
      for (int unsigned w = AddressFirst; w < MinIpWords; w++)
        in_l4_q[w] <= do_l4 && !(routed && w >= AddressFirst + 2);
      for (int unsigned w = MinIpWords; w < NumWords; w++) begin
        in_l4_q[w]     <= do_l4 && 6'(w) >= ip_words && 6'(w) != l4_sum_word
                       && 7'(2*w) < there && 7'(2*w) < ip_end && (!is_udp || 7'(2*w) < udp_end);
        in_l4_low_q[w] <= 7'(2*w+1) < there && 7'(2*w+1) < ip_end
                       && (!is_udp || 7'(2*w+1) < udp_end);
      end
      for (int unsigned w = FirstL4Sum; w <= LastL4Sum; w++)
        l4_sum_at_q[w] <= do_l4 && 6'(w) == l4_sum_word;
    end
  end

  // ---- cycle 1: sums, left as a few words of ones' complement; and whether anything changed
  // Congestion: the ECN field is the low end of byte 19, so of the high half of word 0;
  // of IPv6, which has no checksum, two bits of it further up.
  logic       set_ce, set_ce6;
  logic [1:0] ecn, ecn6;
  assign ecn    = header_i[8*19 +: 2];
  assign ecn6   = header_i[8*19+4 +: 2];
  assign set_ce = mark_i && is_ip_q && (ecn == 2'd1 || ecn == 2'd2);
  assign set_ce6 = mark_i && is_ip6_q && (ecn6 == 2'd1 || ecn6 == 2'd2);

  localparam int unsigned IpTerms = 2 * MaxIpWords + 2;
  localparam int unsigned L4Terms = 2 * L4Words + 1;
  // Words that the first levels of a tree leave.
  localparam int unsigned IpLeft  = HeaderBytes == 64 ? 5 : 6;
  localparam int unsigned L4Left  = HeaderBytes == 64 ? 3 : 7;
  logic [15:0]                ip_old, l4_old;
  logic                       ip_changed, l4_changed;
  logic                       ip_adds, l4_adds;      // what changed adds more than nothing
  logic [IpTerms-1:0][15:0]   ip_term;
  logic [L4Terms-1:0][15:0]   l4_term;
  logic [IpLeft-1:0][15:0]    ip_left;
  logic [L4Left-1:0][15:0]    l4_left;

  always_comb begin
    logic [15:0] was, now;
    logic        changed, falls;                     // falls: 0xffff to 0 adds nothing
    {ip_changed, ip_adds, l4_changed, l4_adds} = '0;
    {was, now, changed, falls} = '0;
    ip_term = '0;
    l4_term = '0;
    l4_old  = '0;
    ip_old  = header_i[8*FirstByte + 16*IpSumWord +: 16];
    if (valid_i) begin
      for (int unsigned w = 0; w < NumWords; w++) begin
        was     = old_i[8*FirstByte + 16*w +: 16];
        now     = header_i[8*FirstByte + 16*w +: 16];
        changed = was != now;
        falls   = was == '1 && now == '0;
        if (w < MaxIpWords) begin
          ip_term[2*w]   = ~was & {16{in_ip_q[w]}};
          ip_term[2*w+1] = now & {16{in_ip_q[w]}};
          ip_changed     = ip_changed || (changed && in_ip_q[w]);
          ip_adds        = ip_adds || (changed && !falls && in_ip_q[w]);
        end
        if (w >= AddressFirst) begin
          // A byte that does not count is 0 before and after.
          if (w >= MinIpWords && !in_l4_low_q[w]) begin
            was[15:8] = '0;
            now[15:8] = '0;
            changed   = was != now;
            falls     = 1'b0;
          end
          l4_term[2*(w-AddressFirst)]   = ~was & {16{in_l4_q[w]}};
          l4_term[2*(w-AddressFirst)+1] = now & {16{in_l4_q[w]}};
          l4_changed = l4_changed || (changed && in_l4_q[w]);
          l4_adds    = l4_adds || (changed && !falls && in_l4_q[w]);
        end
        if (w >= FirstL4Sum && w <= LastL4Sum) l4_old |= now & {16{l4_sum_at_q[w]}};
      end
      // Last, as they come late. CE adds 0xffff, the other zero, and what it is more than ECT.
      ip_term[IpTerms-2] = ~ip_old;
      ip_term[IpTerms-1] = {6'd0, set_ce ? 2'd3 - ecn : 2'd0, 8'd0};
      l4_term[L4Terms-1] = ~l4_old;
    end
  end

  sluice_ones_tree #(.N(IpTerms), .Levels(6)) u_ip (.words_i(ip_term), .words_o(ip_left));
  sluice_ones_tree #(.N(L4Terms), .Levels(7)) u_l4 (.words_i(l4_term), .words_o(l4_left));

  logic [IpLeft-1:0][15:0]     ip_left_q;
  logic [L4Left-1:0][15:0]     l4_left_q;
  logic                        set_ip_q, set_l4_q, set_ce_q, set_ce6_q, udp_q;
  logic                        ip_zero_q, l4_zero_q;      // the sum is 0, not 0xffff
  logic [LastL4Sum:FirstL4Sum] place_q;
  logic [HeaderBits-1:0]       header_q;

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      set_ip_q  <= ip_changed || set_ce;
      set_l4_q  <= l4_changed && !(is_udp_q && l4_old == '0);
      set_ce_q  <= set_ce;
      set_ce6_q <= set_ce6;
      ip_zero_q <= ip_old == '1 && !ip_adds && !set_ce;
      l4_zero_q <= l4_old == '1 && !l4_adds;
      ip_left_q <= ip_left;
      l4_left_q <= l4_left;
      udp_q     <= is_udp_q;
      place_q   <= l4_sum_at_q;
      header_q  <= header_i;
    end
  end

  // ---- cycle 2: the last words; insertion
  logic [1:0][15:0] ip_two, l4_two;
  logic [15:0]      ip_sum, l4_sum, ip_new, l4_new;
  logic             l4_none;                 // the sum is 0xffff, the new checksum 0
  sluice_ones_tree #(.N(IpLeft), .Levels(3)) u_ip_last (.words_i(ip_left_q), .words_o(ip_two));
  sluice_ones_tree #(.N(L4Left), .Levels(4)) u_l4_last (.words_i(l4_left_q), .words_o(l4_two));
  sluice_ones_add u_ip_sum (.a_i(ip_two[0]), .b_i(ip_two[1]), .sum_o(ip_sum));
  sluice_ones_add u_l4_sum (.a_i(l4_two[0]), .b_i(l4_two[1]), .sum_o(l4_sum));
  assign ip_new  = ~ip_sum | {16{ip_zero_q}};
  assign l4_none = l4_two[0] == ~l4_two[1] || (l4_two[0] == '1 && l4_two[1] == '1);
  assign l4_new  = ~l4_sum | {16{l4_zero_q || (udp_q && l4_none)}};

  always_comb begin
    header_o = header_q;
    if (set_ce_q)  header_o[8*19 +: 2] = 2'd3;
    if (set_ce6_q) header_o[8*19+4 +: 2] = 2'd3;
    if (set_ip_q)
      header_o[8*FirstByte + 16*IpSumWord +: 16] = ip_new;
    if (set_l4_q)
      for (int unsigned w = FirstL4Sum; w <= LastL4Sum; w++)
        if (place_q[w]) header_o[8*FirstByte + 16*w +: 16] = l4_new;
  end
endmodule : sluice_checksum
