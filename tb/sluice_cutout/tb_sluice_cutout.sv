// SPDX-License-Identifier: Apache-2.0

/// sluice_cutout against a C model: random packets of 64 to 9,216 bytes, of which 0 to 84 are taken
/// out. What leaves is compared byte for byte, with its length. Four phases: random stalls on both
/// sides; none, and all kinds of packets; none, and nothing is taken out; none, and something is
/// taken out of each. In the last three the rate is checked: a beat a cycle, and one cycle more
/// only where sluice_cutout says so. A packet of which nothing is taken out, and that finds nothing
/// before it, leaves with a latency of 1 cycle. +seed=N, +packets=N a phase.
/// +break=N: see breaks.
module tb_sluice_cutout
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
;
  import "DPI-C" function void cutout_open(input int seed);
  import "DPI-C" function void cutout_new(
    input int one, output int len, output int cutout, output int port, output int ticket);
  import "DPI-C" function void cutout_beat(input int beat, output bit [BeatBits-1:0] data);
  import "DPI-C" function int cutout_check(
    input int last, input int port, input int ticket, input int len, input bit [BeatBytes-1:0] keep,
    input bit [BeatBits-1:0] data);
  import "DPI-C" function int cutout_left();

  `include "bench.svh"

  int packets = 3000;

  logic                 in_valid, in_ready, in_last, out_valid, out_ready, out_last;
  logic [BeatBits-1:0]  in_data, dut_data, out_data;
  logic [7:0]           in_port, out_port;
  logic [31:0]          in_ticket, dut_ticket, out_ticket;
  len_t                 in_len, dut_len, out_len;
  cutout_t              in_cutout, dut_cutout;
  logic                 dut_last;
  logic [BeatBytes-1:0] out_keep;
  int                   beats, beat;

  always_comb begin
    dut_data   = in_data;
    dut_cutout = in_cutout;
    dut_len    = in_len;
    dut_ticket = in_ticket;
    dut_last   = in_last;
    if (mutant == 1 && in_cutout != '0 && in_cutout < 7'd20) dut_cutout = in_cutout + 7'd2;
    if (mutant == 2 && in_len[5:0] != '0) dut_len = in_len + 1'b1;
    if (mutant == 3) dut_data[500] = ~in_data[500];
    if (mutant == 5 && beats == 2) dut_last = beat == 0;
    if (mutant == 6) dut_cutout[2] = 1'b0;
    if (mutant == 7 && in_last) dut_ticket = in_ticket - 1;
    if (mutant == 9 && in_cutout[6]) dut_cutout[6] = 1'b0;
    if (mutant == 10 && beat == int'(in_cutout) / 64)
      dut_data[8*in_cutout[5:0]] = ~in_data[8*in_cutout[5:0]];
  end

  sluice_cutout u_dut (
    .clk_i(clk), .rst_ni(rst_n),
    .in_i({in_valid, dut_last, in_port, dut_ticket, BeatBytes'(0), dut_data}),
    .in_ready_o(in_ready), .in_left_i(dut_len - len_t'(dut_cutout)), .in_cutout_i(dut_cutout),
    .out_o({out_valid, out_last, out_port, out_ticket, out_keep, out_data}),
    .out_ready_i(out_ready || mutant == 4), .out_len_o(out_len)
  );

  int  sent;
  bit  shifted_before;       // something was taken out of the packet before
  int  due;                  // cycle in which the first beat of a whole packet must leave

  // The next packet comes to the line.
  task automatic next_packet(int one);
    int len, cutout, port, ticket;
    bit unused_bits;
    cutout_new(one, len, cutout, port, ticket);
    unused_bits = ^{len, cutout, port};
    in_len    = len_t'(len);
    in_cutout = cutout_t'(cutout);
    in_port   = 8'(port);
    in_ticket = ticket;
    beats     = (len + int'(BeatBytes) - 1) / int'(BeatBytes);
    beat      = 0;
    sent++;
  endtask

  // Packets that come and leave, until all of them have. stalls: of eight cycles, about.
  task automatic phase(int one, int stalls);
    bit [BeatBits-1:0] data;
    int waits, end_beat, wrong;
    sent     = 0;
    in_valid = 1'b0;
    shifted_before = 1'b1;   // nothing is said of the first packet of a phase
    due      = -1;
    while (sent < packets || in_valid || cutout_left() != 0) begin
      @(negedge clk);
      if (!in_valid && (stalls == 0 || $urandom_range(7) >= stalls)) begin
        if (beat == beats) begin
          if (sent < packets && cutout_left() < 60) next_packet(one);
        end
        if (beat < beats) begin
          cutout_beat(beat, data);
          in_data  = data;
          in_valid = 1'b1;
          in_last  = beat == beats - 1;
        end
      end
      out_ready = stalls == 0 || $urandom_range(7) >= stalls;
      if (mutant == 8 && now % 64 == 0) out_ready = 1'b0;
      #1;
      if (due == now && !out_valid) $fatal(1, "cycle %0d: a whole packet is late", now);
      if (out_valid && out_ready) begin
        wrong = cutout_check(int'(out_last), int'(out_port), int'(out_ticket), int'(out_len),
                             out_keep, out_data);
        if (wrong != 0) $fatal(1, "cycle %0d: what leaves is wrong", now);
      end
      if (stalls == 0 && !in_valid && sent < packets)
        $fatal(1, "cycle %0d: the line rests", now);
      // Only the first beat may wait, for one cycle, behind a packet that is shifted, if it leaves
      // at once.
      waits = in_valid && !in_ready ? waits + 1 : 0;
      end_beat = int'(in_cutout) == 0 || beats == 1 ? 1 : 0;
      if (stalls == 0 && waits > (beat == 0 && shifted_before && end_beat == 1 ? 1 : 0))
        $fatal(1, "cycle %0d: beat %0d of %0d waits for %0d cycles", now, beat, beats, waits);
      if (in_valid && in_ready) begin
        if (beat == 0 && in_cutout == '0) due = now + 1;
        if (in_last) shifted_before = in_cutout != '0;
        @(posedge clk);
        #1;
        beat++;
        in_valid = 1'b0;
      end
      now++;
    end
  endtask

  initial begin
    read_arguments();
    void'($value$plusargs("packets=%d", packets));
    cutout_open(seed);
    {in_valid, in_last, in_data, in_port, in_ticket, in_len, in_cutout, out_ready} = '0;
    beats = 0;
    beat  = 0;
    release_reset(4);
    phase(0, 3);
    phase(0, 0);
    phase(1, 0);
    phase(2, 0);
    pass($sformatf("%0d packets in %0d cycles", 4 * packets, now));
  end
endmodule : tb_sluice_cutout
