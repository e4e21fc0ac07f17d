// SPDX-License-Identifier: Apache-2.0

/// Which of several source lanes a transmitter serves: three of them, whose packets leave whole
/// and in their order. Phases: a lane whose bodies come slowly, beside lanes whose copies can be
/// sent at once: there is never a gap within a copy, since those come first that can be sent
/// without one; a lane that was silent for long: from then on it gets as much as the others, and no
/// credit for before; packets of the same length in all lanes: each choice is that of the lane that
/// has sent least, and of equal ones that of the lane that was chosen longest ago.
/// +seed=N +break=N (see file breaks).
// Numbers have bits that nobody here looks at.
/* verilator lint_off UNUSEDSIGNAL */
module tb_sluice_transmit
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_exit_pkg::*;
  import sluice_buffer_pkg::*;
;
  localparam int S = 3, Beat = int'(BeatBytes), Head = int'(HeaderBytes);
  `include "bench.svh"

  logic [S-1:0][OutputQueues-1:0]  promised, full;
  held_t [S-1:0][OutputQueues-1:0] unused_held;
  logic [S-1:0]        push;
  output_t [S-1:0]     packet;
  body_req_t [S-1:0]   req;
  body_rsp_t [S-1:0]   rsp;
  tx_beat_t            tx;
  logic                unused_next;
  sent_t               unused_sent, unused_left;
  start_t              unused_start;
  sluice_transmit #(.AheadBeats(32), .Sources(S), .HasClasses(OutputClasses != 0)) u_dut (
    .clk_i(clk), .rst_ni(rst_n), .lane_i('0), .costs_i('0), .strict_i('0),
    .next_i('0), .next_pop_o(unused_next), .promised_i(promised), .full_o(full),
    .held_o(unused_held), .push_i(push), .packet_i(packet), .body_req_o(req),
    .body_rsp_i(rsp), .tx_o(tx), .tx_ready_i(1'b1),
    .sent_o(unused_sent), .room_i(1'b1), .start_o(unused_start), .left_o(unused_left)
  );

  // ---- packets: number n of lane s has the ticket {s, n}, and stands in slot n modulo the slots
  int  length [S];                               // 0: nothing comes
  int  period [S];                               // a beat of a body in so many cycles
  int  coming [S];                               // length of the packet that was promised a place
  int  number [S], body_beat [S];
  int  len_of [S][HeaderSlots];
  int  asks [S], asked [S], behind [S];          // bodies to be read: how many, the first two
  int  beats [S], copies [S], last_number [S];   // on the line
  int  from = -1, at = 0;                         // lane and beat of the copy on the line
  // Beats that had left one cycle ago, and two and three; when the lane was chosen last.
  int  ago_1 [S], ago_2 [S], ago_3 [S], turn [S];
  bit  alike = 1'b0;
  int  gaps = 0, turns = 0;

  function automatic int beats_of(int len);
    return (len + Beat - 1) / Beat;
  endfunction
  function automatic logic [BeatBits-1:0] beat_of(int s, int n, int b);
    return {(BeatBits/64){8'(s), 24'(n), 32'(b)}};
  endfunction

  task automatic line();
    int s, n;
    if (!tx.valid) begin
      if (from >= 0) gaps++;
      return;
    end
    s = int'(tx.ticket[31:24]);
    n = int'(tx.ticket[23:0]);
    if (from < 0) begin
      if (s >= S || n != last_number[s] + 1) fail($sformatf("packet %0d of lane %0d", n, s));
      // Of those that have counted least the one that was chosen longest ago.
      if (alike)
        for (int o = 0; o < S; o++)
          if (ago_3[o] < ago_3[s] || (ago_3[o] == ago_3[s] && turn[o] < turn[s]))
            fail($sformatf("lane %0d is chosen, not lane %0d", s, o));
      turn[s] = now;
      turns++;
      last_number[s] = n;
      from = s;
      at   = 0;
    end
    if (s != from || n != last_number[s]) fail("copies are interleaved");
    if (tx.data != beat_of(s, n, at))
      fail($sformatf("beat %0d of packet %0d of lane %0d", at, n, s));
    if (tx.last != (at == beats_of(len_of[s][int'(hdr_t'(n))]) - 1)) fail("where a copy ends");
    beats[s]++;
    at++;
    if (tx.last) begin
      copies[s]++;
      from = -1;
    end
  endtask

  task automatic run(int count);
    int   n;
    hdr_t slot;
    repeat (count) begin
      for (int s = 0; s < S; s++) begin
        slot = hdr_t'(number[s]);
        // The packet that was promised a place comes.
        push[s]   = promised[s] != '0;
        packet[s] = '0;
        if (push[s]) begin
          len_of[s][int'(slot)] = coming[s];
          packet[s].ticket = {8'(s), 24'(number[s])};
          packet[s].len    = len_t'(coming[s] - Beat * int'(mutant == 2 && number[s] % 8 == 7));
          packet[s].hdr    = slot;
          packet[s].ports  = PortsPerLane'(1);
          packet[s].header = {beat_of(s, number[s], 1), beat_of(s, number[s], 0)};
          number[s]++;
        end
        promised[s] = '0;
        if (length[s] != 0 && !full[s][0]) begin
          promised[s][0] = 1'b1;
          coming[s]      = length[s];
        end
        // The reader of its bodies.
        rsp[s] = '0;
        rsp[s].ready = asks[s] < 2;
        if (asks[s] != 0 && now % period[s] == 0
            && !(mutant == 3 && s == 0 && body_beat[s] == 30)) begin
          n = asked[s];
          rsp[s].beat_valid = 1'b1;
          rsp[s].beat_last  = Head / Beat + body_beat[s]
                              == beats_of(len_of[s][int'(hdr_t'(n))]) - 1;
          rsp[s].beat       = beat_of(s, mutant == 1 ? n - 1 : n, Head / Beat + body_beat[s]);
        end
      end
      #1;
      line();
      ago_3 = ago_2;
      ago_2 = ago_1;
      ago_1 = beats;
      for (int s = 0; s < S; s++) begin
        if (rsp[s].beat_valid && req[s].beat_ready) begin
          body_beat[s]++;
          if (rsp[s].beat_last) begin
            asked[s] = behind[s];
            asks[s]--;
            body_beat[s] = 0;
          end
        end
        if (req[s].valid && rsp[s].ready) begin
          // Of the packets that have come and have this slot the last one.
          n = number[s] - 1;
          while (hdr_t'(n) != req[s].slot) n--;
          if (asks[s] == 0) asked[s]  = n;
          else              behind[s] = n;
          asks[s]++;
        end
      end
      tick();
    end
  endtask

  task automatic drain();
    length = '{default: 0};
    run(6000);
    for (int s = 0; s < S; s++)
      if (last_number[s] != number[s] - 1) fail($sformatf("packets of lane %0d stay", s));
  endtask

  initial begin
    read_arguments();
    {promised, push, packet, rsp} = '0;
    for (int s = 0; s < S; s++) begin
      {length[s], coming[s], number[s], asks[s], asked[s], behind[s]} = '0;
      {body_beat[s], beats[s], copies[s]} = '0;
      period[s]      = 1;
      last_number[s] = -1;
    end
    release_reset(3);
    tick();
    repeat (3) begin
      // Bodies of lane 0 come slowly: 20 beats, of 32 that are read ahead.
      length = '{64 * 20 - rnd(64), 64, 1500};
      period = '{4, 1, 1};
      if (mutant == 3) length[0] = 64 * 40;
      run(200);
      gaps   = 0;
      copies = '{default: 0};
      run(3000);
      if (gaps != 0) fail($sformatf("%0d gaps within copies", gaps));
      for (int s = 0; s < S; s++)
        if (copies[s] < 20) fail($sformatf("%0d copies of lane %0d", copies[s], s));
      drain();
      // Lane 2 is silent, then it is not.
      length = '{300 + rnd(1000), 64 + rnd(1000), 0};
      period = '{default: 1};
      run(3000);
      beats     = '{default: 0};
      length[2] = 64 + rnd(1000);
      if (mutant == 4) run(200);
      if (mutant != 4) run(2000);
      else begin
        length[2] = 0;
        run(1800);
      end
      for (int s = 0; s < 2; s++)
        if (beats[s] - beats[2] > 100 || beats[2] - beats[s] > 100)
          fail($sformatf("lane %0d sent %0d beats, lane 2 %0d", s, beats[s], beats[2]));
      drain();
      // All alike, from a reset on, so that nothing is left of what was counted. A beat counts two
      // cycles after it went to the line register, which is three cycles before the line sees the
      // first beat of the next copy.
      {promised, push} = '0;
      rst_n = 1'b0;
      tick();
      rst_n = 1'b1;
      beats     = '{default: 0};
      turn      = '{default: 0};
      {ago_1[0], ago_1[1], ago_1[2], ago_2[0], ago_2[1], ago_2[2]} = '0;
      length[0] = 64 * (1 + rnd(6));
      length[1] = length[0];
      length[2] = length[0];
      run(40);
      alike = 1'b1;
      turns = 0;
      run(1000);
      alike = 1'b0;
      if (turns < 100) fail("few turns");
      drain();
    end
    pass($sformatf("%0d packets", number[0] + number[1] + number[2]));
  end
endmodule : tb_sluice_transmit
/* verilator lint_on UNUSEDSIGNAL */
