// SPDX-License-Identifier: Apache-2.0

/// Test of a fast port on its way in: dealing, and the order of the wire. Packets of one beat, 24, 144, too many and of anything
/// come at the full rate, in bursts, with idle streams; some beats are bad or have a gap. Lanes are emulated: they take what
/// comes, and say two cycles after the last beat whether the packet is stored, by chance.
/// Checked: each packet is whole, in one lane, of those that it was told to go to (dealt); it is bad if and only if one of its
/// beats was; stored packets arrive in the order of the wire, and no others; all have arrived at the end. In the last part
/// packets of one beat come at the full rate: each arrives within 24 cycles of its beat. That the queues never overflow is an
/// assertion of the block; so sizes are often such as fill them most, 1 beat and more than any legal packet has. Of these
/// no more beats enter than a legal packet has, and those of two cycles.
/// Plusargs: +seed=N, +cycles=N, +break=N (see the file breaks).
/// With shorter queues (-GDepth=64) packets meet full ones: they lose beats, and only they are bad.
/// Of several ports the first one has packets.
module tb_sluice_deal
  import sluice_pkg::*;
  import sluice_cfg_pkg::*;
#(
  parameter int unsigned Depth = 256
);
  localparam int M = int'(FastLanes), W = int'(NumPipes), Bound = 24, Quiet = 2000, Last = 4000;
  `include "bench.svh"

  logic  [W-1:0]                rx_valid, rx_last, rx_err, valid_in, last_in, err_in;
  logic  [W-1:0][BeatBits-1:0]  rx_data, data_in, lane_data;
  logic  [W-1:0][BeatBytes-1:0] rx_keep, keep_in, lane_keep;
  logic  [W-1:0]                lane_valid, lane_last, lane_err, done, stored, done_in, stored_in, arrive, dealt;
  pipe_t [W-1:0]                dealt_lane;

  // ---- mutants change what the block sees
  always_comb begin
    valid_in  = rx_valid;
    last_in   = rx_last;
    err_in    = rx_err;
    data_in   = rx_data;
    keep_in   = rx_keep;
    done_in   = done;
    stored_in = stored;
    case (mutant)
      1: begin
        {done_in[0], done_in[1]}     = {done[1], done[0]};
        {stored_in[0], stored_in[1]} = {stored[1], stored[0]};
      end
      2: stored_in[M-2] = done[M-2];
      3: last_in[1] = rx_last[1] && now % 1000 != 7;
      4: if (rx_valid[0] && !rx_keep[0][1] && rx_keep[0][2]) keep_in[0] = '1;
      5: if (&rx_valid && now % 500 == 3) {data_in[1], data_in[2]} = {rx_data[2], rx_data[1]};
      6: if (now % 2000 == 1999) done_in[M-1] = 1'b0;
      7: err_in[M-1] = 1'b0;
      8: if (now % 700 == 5 && !rx_last[M-2]) valid_in[M-2] = 1'b0;
      default: ;
    endcase
  end

  logic [NumPipes-1:0][7:0] lane_port;
  rx_beat_t rx_in [NumPipes], lane_out [NumPipes];
  for (genvar l = 0; l < W; l++) begin : gen_lane
    assign rx_in[l] = {valid_in[l], last_in[l], err_in[l], 8'd0, keep_in[l], data_in[l]};
    assign {lane_valid[l], lane_last[l], lane_err[l], lane_port[l], lane_keep[l], lane_data[l]} = lane_out[l];
  end
  sluice_fast_in #(.Depth(Depth)) dut (
    .clk_i(clk), .rst_ni(rst_n),
    .rx_i(rx_in), .lane_o(lane_out),
    .done_i(done_in), .stored_i(stored_in), .arrive_o(arrive), .dealt_o(dealt), .dealt_lane_o(dealt_lane)
  );

  always @(negedge clk) begin
    for (int l = 0; l < int'(NumPipes); l++) if (int'(lane_port[l]) != l / int'(FastLanes)) fail("port of a lane");
    if (mutant == 9)  force dut.gen_ports.gen_port[0].u_deal.tight_q = '0;
    if (mutant == 10) force dut.gen_ports.gen_port[0].u_deal.cut_q = 1'b0;
  end

  // ---- packets: {bad, beats} of each, by number; the wire
  typedef struct {
    int beats, lane, came;
    bit bad, judged, stored, lost;      // lost: some of its beats
    logic [BeatBytes-1:0] keep;        // of its last beat
  } packet_t;
  packet_t packet[$];                  // numbers count from 0; the first ones are never taken out
  int      undealt = 0, next = 0;      // the oldest that was not dealt; that has not arrived
  int      current = -1, left = 0, beat = 0;

  // lanes
  int lane_packet [M], lane_beat [M];
  int ended [M][2];                    // packets that ended, one and two cycles ago; -1: none
  int waiting [M][$];                  // stored, and not arrived

  int kind = 0, load = 0, change = 0, longest = 0, most = 0, lost = 0, errors = 400;
  logic [M-1:0] used = '1;             // streams that have beats at all

  function automatic int size_of(int k);
    case (k)
      0:       return 1;
      1:       return 24;
      2:       return 144;
      3:       return rnd(40) == 0 ? 144 : 1;
      4:       return rnd(300) == 0 ? 144 : 1;
      5:       return rnd(8) == 0 ? 146 + rnd(60) : 1;
      6:       return rnd(2) == 0 ? 24 : 144;
      default: return 1 + rnd(rnd(8) == 0 ? 146 : 12);
    endcase
  endfunction

  // Streams of the next cycle.
  task automatic drive(bit steady);
    for (int s = 0; s < M; s++) begin
      rx_valid[s] = load == 3 ? 1'b1 : load == 2 ? rnd(8) != 0 : load == 1 ? now[6] : rnd(4) == 0;
      rx_valid[s] &= used[s];
      if (!rx_valid[s]) continue;
      if (current < 0) begin
        automatic packet_t p;
        p.beats  = steady ? 1 : size_of(kind);
        p.lane   = -1;
        p.came   = now;
        p.bad    = 1'b0;
        p.judged = 1'b0;
        p.lost   = 1'b0;
        p.stored = 1'b0;
        p.keep   = '0;
        current  = packet.size();
        left     = p.beats;
        beat     = 0;
        packet.push_back(p);
      end
      left--;
      rx_last[s] = left == 0;
      rx_err[s]  = rnd(errors) == 0;
      rx_keep[s] = rx_last[s] && rnd(2) == 0 ? {BeatBytes{1'b1}} >> rnd(int'(BeatBytes)) : '1;
      if (rnd(errors) == 0) rx_keep[s][1] = 1'b0;
      if (rx_keep[s] == BeatBytes'(1)) rx_keep[s] = BeatBytes'(3);
      rx_data[s] = BeatBits'({current, beat});
      if (rx_err[s] || (rx_last[s] ? !rx_keep[s][1] && rx_keep[s] != 1 : !(&rx_keep[s]))) packet[current].bad = 1'b1;
      if (rx_last[s]) packet[current].keep = rx_keep[s];
      beat++;
      if (left == 0) current = -1;
    end
  endtask

  task automatic watch();
    for (int s = 0; s < M; s++) if (dealt[s]) begin
      if (undealt >= packet.size()) fail("a packet was dealt that there is not");
      packet[undealt].lane = int'(dealt_lane[s]);
      undealt++;
    end
    for (int l = 0; l < M; l++) begin
      ended[l][1] = ended[l][0];
      ended[l][0] = -1;
      if (lane_valid[l]) begin
        automatic int p = int'(lane_data[l][63:32]), b = int'(lane_data[l][31:0]);
        if (p >= packet.size() || packet[p].lane != l) fail($sformatf("lane %0d has a beat of packet %0d", l, p));
        if (Depth < 256 && lane_last[l] && b != (lane_packet[l] < 0 ? 0 : lane_beat[l])
            && (lane_packet[l] < 0 || p == lane_packet[l])) begin
          if (lane_packet[l] < 0 || lane_beat[l] < 144) packet[p].lost = 1'b1;
        end else if (lane_packet[l] < 0 ? b != 0 : p != lane_packet[l])
          fail($sformatf("lane %0d has beat %0d of packet %0d after one of %0d", l, b, p, lane_packet[l]));
        if (lane_packet[l] >= 0 && b != lane_beat[l] && !packet[p].lost && !(lane_last[l] && lane_beat[l] >= 144))
          fail($sformatf("beat %0d of packet %0d follows %0d", b, p, lane_beat[l]));
        if (!lane_last[l] && b >= int'(MaxBeats) + 2 * M) fail($sformatf("beat %0d of packet %0d enters", b, p));
        if (lane_last[l] && b != packet[p].beats - 1) fail($sformatf("packet %0d ends with beat %0d", p, b));
        lane_packet[l] = p;
        lane_beat[l]   = b + 1;
        packet[p].judged |= lane_err[l];                  // here: some beat was bad
        if (lane_last[l]) begin
          lost += 32'(packet[p].lost);
          if (packet[p].lost ? !lane_err[l] : packet[p].judged != packet[p].bad) fail($sformatf("packet %0d: bad %0d", p, packet[p].judged));
          if (!packet[p].bad && !packet[p].lost && lane_keep[l] != packet[p].keep) fail($sformatf("packet %0d ends with other bytes", p));
          lane_packet[l] = -1;
          ended[l][0]    = p;
        end
      end
    end
    for (int l = 0; l < M; l++) if (arrive[l]) begin
      while (next < packet.size() && packet[next].lane >= 0 && !packet[next].stored && packet[next].came < 0) next++;
      if (waiting[l].size() == 0) fail($sformatf("lane %0d: nobody waits to arrive", l));
      if (waiting[l][0] != next) fail($sformatf("packet %0d arrives before %0d", waiting[l][0], next));
      if (now - packet[next].came > longest) longest = now - packet[next].came;
      void'(waiting[l].pop_front());
      next++;
    end
  endtask

  initial begin
    read_arguments(60000);
    {rx_valid, rx_last, rx_err, rx_data, rx_keep, done, stored} = '0;
    for (int l = 0; l < M; l++) begin
      lane_packet[l] = -1;
      ended[l][0]    = -1;
      ended[l][1]    = -1;
    end
    release_reset(1);
    for (now = 0; now < int'(cycles) + Quiet + Last + Quiet; now++) begin
      automatic bit steady = now >= int'(cycles) + Quiet;
      if (now == change) begin
        change = now + 20 + rnd(rnd(2) == 0 ? 100 : 1000);
        kind   = rnd(8);
        load   = rnd(4);
        used   = rnd(3) == 0 ? M'(1 + rnd((1 << M) - 1)) : '1;
        errors = rnd(3) == 0 ? 4 : rnd(2) == 0 ? 400 : 4000;
        if (!(&used) && rnd(2) == 0) kind = 5;
      end
      rx_valid = '0;
      if (steady) begin
        load   = 3;
        used   = '1;
        errors = 400;
      end
      if (now == int'(cycles) + Quiet) longest = 0;
      // A packet that has begun goes on; then it is quiet for a while.
      if (now < int'(cycles) || (steady && now < int'(cycles) + Quiet + Last) || current >= 0) drive(steady);
      // verdicts of packets that ended two cycles ago
      for (int l = 0; l < M; l++) begin
        automatic int p = ended[l][1];
        done[l]   = p >= 0;
        stored[l] = p >= 0 && rnd(8) != 0;
        if (p < 0) continue;
        packet[p].stored = stored[l];
        if (stored[l]) waiting[l].push_back(p);
        else           packet[p].came = -1;               // dropped
      end
      #1;
      watch();
      if (packet.size() - next > most) most = packet.size() - next;
      if (steady && longest > Bound) fail($sformatf("a packet of one beat took %0d cycles", longest));
      @(negedge clk);
    end
    for (int l = 0; l < M; l++) if (waiting[l].size() != 0) fail($sformatf("packet %0d never arrived", waiting[l][0]));
    if (Depth < 256 && lost < 20) fail($sformatf("only %0d packets met a full queue", lost));
    if (undealt != packet.size()) fail("a packet was not dealt");
    pass($sformatf("%0d packets, at most %0d on their way, %0d met a full queue",
                   packet.size(), most, lost));
  end
endmodule : tb_sluice_deal
