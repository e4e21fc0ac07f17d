// SPDX-License-Identifier: Apache-2.0

/// Recirculation of one lane: budget, queue and entry in a row (sluice_budget,
/// sluice_recirculation, sluice_reentry), between a bus that cannot be stopped and a receiver.
/// Packets of 64 to 1,500 bytes ask for a token and are queued if there is room. They must come to
/// the receiver whole, in the order in which they were queued, each with what was put beside it;
/// packets of the bus in their order, and no beat of them is lost, but for packets that give way:
/// each whole, only while recirculated ones wait for room, and at most one beat in eight. Phases:
/// random load on both sides; a bus without a gap, of packets of all lengths and then of 64 bytes,
/// beside which the queue must go on; a silent bus, in which all that waits must enter. The test
/// knows the level of each bucket, so it knows who gets a token. In a chip with capsules and egress
/// stages something is taken out of every second packet that is queued.
/// +seed=N. +break=N: see breaks.
module tb_sluice_recirculation
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_exit_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_buffer_pkg::*;
;
  localparam int unsigned Entries = 1 << $bits(overlay_t);

  `include "bench.svh"
  `include "tables.svh"

  // ---- the devices under test
  exit_settings_t       settings;
  logic                 want, paid, promised, full, push, take, entered;
  overlay_t             row;
  output_t              packet;
  again_t               beside, dut_beside, last_beside;
  body_req_t            body_req, body_req_dut;
  body_rsp_t            body_rsp;
  reentry_t             reentry;
  logic [15:0]          waiting;
  logic                 rx_valid, rx_last, valid, last, err;
  logic [BeatBits-1:0]  rx_data, data;
  logic [BeatBytes-1:0] rx_keep, keep;
  logic [7:0]           port;
  logic                 gives_way_dut, gives_way;
  drop_t                gave_way_dut, gave_way;
  reentry_t             reentry_in;

  sluice_budget u_budget (
    .clk_i(clk), .rst_ni(rst_n), .lane_i('0), .settings_i(settings),
    .want_i(want && mutant != 7), .row_i(row), .paid_o(paid), .write_i(write), .read_i('0)
  );
  sluice_recirculation #(.AheadBeats(32)) u_queue (
    .clk_i(clk), .rst_ni(rst_n), .lane_i('0),
    .promised_i(promised), .full_o(full), .push_i(push), .packet_i(packet),
    .beside_i(again_bits_t'(dut_beside)), .body_req_o(body_req_dut), .body_rsp_i(body_rsp),
    .reentry_o(reentry), .take_i(take || (mutant == 10 && reentry.valid && now % 256 == 0)),
    .entered_o(entered), .waiting_o(waiting)
  );
  sluice_reentry u_reentry (
    .clk_i(clk), .rst_ni(rst_n),
    .rx_i({rx_valid && !(mutant == 4 && now % 64 == 0), rx_last, 1'b0, 8'd3, rx_keep, rx_data}),
    .reentry_i(reentry_in), .take_o(take), .gives_way_o(gives_way_dut), .gave_way_o(gave_way_dut),
    .beat_o({valid, last, err, port, keep, data})
  );
  assign body_req = body_req_dut;
  always_comb begin
    reentry_in = reentry;
    gives_way  = gives_way_dut;
    gave_way   = gave_way_dut;
    case (mutant)
      14: gave_way.valid = gave_way_dut.valid && next_wire % 4 != 0;
      15: gave_way.row   = gave_way_dut.row ^ row_t'(next_wire[1]);
      16: if (wire_waits >= Room && !(in_again && in_beat != 0)) reentry_in.valid = 1'b0;
      17: gives_way = gives_way_dut || (rx_valid && now % 512 == 0);
      18: gives_way = gives_way_dut && !(rx_beat == 0 && rx_len > int'(BeatBytes));
      default: ;
    endcase
  end

  // ---- packets: their bytes follow from kind, number and place
  function automatic logic [BeatBits-1:0] beat_of(int kind, int number, int beat);
    for (int w = 0; w < int'(BeatBits) / 32; w++)
      beat_of[32*w +: 32] = 32'(number * 1000003 + beat * 4099 + w * 77 + kind * 1299709)
          ^ 32'h5a17_c3e9;
    // half of the packets of the bus have a VLAN tag
    if (kind == 0 && beat == 0 && number % 2 == 0) beat_of[8*12 +: 16] = 16'h0081;
  endfunction
  function automatic int beats_of(int len);
    return (len + int'(BeatBytes) - 1) / int'(BeatBytes);
  endfunction
  function automatic logic [BeatBytes-1:0] keep_of(int len, int beat);
    int bytes = len - beat * int'(BeatBytes);
    return bytes >= int'(BeatBytes) ? '1 : ~({BeatBytes{1'b1}} << bytes);
  endfunction
  // Of a capsule its instructions, or the first of them, are taken out from this byte on. What is
  // then shorter than 64 bytes is filled up.
  localparam bit Cuts = Active != 0 && EgressStages != 0;
  function automatic int any_cut(int len);
    int list = 2 * int'($urandom_range(int'(CapsuleInstrs), 1));
    int most = (len - int'(CapsuleHead) + 1) / 2 * 2;
    return !Cuts || $urandom_range(1) == 0 ? 0 : list < most ? list : most;
  endfunction
  function automatic int left_of(int len, int cut);
    return len - cut < int'(MinBytes) ? int'(MinBytes) : len - cut;
  endfunction
  // Byte n of what is left of a packet of the queue.
  function automatic logic [7:0] again_byte(int number, int len, int cut, int n);
    int                  at = n < int'(CapsuleHead) ? n : n + cut;
    logic [BeatBits-1:0] beat = beat_of(1, number, at / int'(BeatBytes));
    if (cut != 0 && n >= int'(CapsuleHead) && at >= len) return '0;
    return beat[8 * (at % int'(BeatBytes)) +: 8];
  endfunction
  bit short_only = 1'b0;
  function automatic int any_len();
    if (short_only) return 64;
    case ($urandom_range(3))
      0:       return 64;
      1:       return 64 + int'($urandom_range(80));
      default: return 64 + int'($urandom_range(1436));
    endcase
  endfunction

  // ---- bodies: the slot of a packet is its number, modulo the slots
  int   len_of [HeaderSlots], number_of [HeaderSlots];
  hdr_t asked [$];
  int   body_beat = 2;                 // HeaderBytes are two beats
  task automatic answer_body();
    hdr_t slot = asked.size() > 0 ? asked[0] : '0;
    if (mutant == 3 && asked.size() > 1 && now[6]) slot = asked[1];
    body_rsp = '{ready: asked.size() < 4, beat_valid: body_there,
                 beat_last: body_beat == beats_of(len_of[slot]) - 1,
                 beat: beat_of(1, number_of[slot], body_beat)};
  endtask
  logic body_there = 1'b0;

  // ---- what must come to the receiver
  int     wire_len [$], wire_number [$], again_len [$], again_number [$], again_cut [$];
  again_t again_beside [$];
  int     again_pushed [$];            // cycle in which it came to the queue
  int     next_wire = 0, next_again = 0, rx_beat = 0, in_beat = 0, unpaid = 0, refused = 0;
  int     entered_count = 0, wire_count = 0, longest = 0;
  int     rx_len = 0, rx_number = 0;
  bit     in_again, rx_pending = 1'b0;
  int     level [Entries];
  recirculate_t entries [Entries];

  // ---- who gives way. Room: so many beats of the bus wait that a longest packet has none.
  localparam int Room = (1 << $clog2(MaxBeats)) - int'(MaxBeats);
  int    wire_waits = 0, kept = 0, gave = 0, gave_packets = 0, waited = 0, again_beats = 0;
  // Beats of the bus that came while a packet of the queue waited for room, since the last time
  // that nothing of the bus waited; one that gives way takes seven back.
  int    denied = 0;
  bit    waits_for_room = 1'b0;
  bit    way = 1'b0, way_told = 1'b0;
  drop_t told = '0;
  task automatic check_way(bit begins);
    if (gave_way.valid != way_told || (way_told && gave_way != told))
      $fatal(1, "cycle %0d: a packet that gave way is told wrong", now);
    way_told = 1'b0;
    if (gives_way && !rx_valid) $fatal(1, "cycle %0d: nothing gives way", now);
    waits_for_room = reentry.valid && wire_waits >= Room && !(in_again && in_beat != 0);
    if (!rx_valid) return;
    if (begins) begin
      way = gives_way;
      if (way) begin
        void'(wire_len.pop_back());
        void'(wire_number.pop_back());
        if (again_len.size() == 0 || wire_waits < Room)
          $fatal(1, "cycle %0d: a packet gives way for nothing", now);
      end
      if (way != (waits_for_room && denied >= 8 * int'(MaxBeats)))
        $fatal(1, "cycle %0d: gives way %b, after %0d beats", now, way, denied);
    end
    if (gives_way != way) $fatal(1, "cycle %0d: a part of a packet gives way", now);
    if (way) denied = denied < 7 ? 0 : denied - 7;
    else if (waits_for_room && denied < 16 * int'(MaxBeats)) denied++;
    kept += int'(!way);
    gave += int'(way);
    if (7 * gave > kept) $fatal(1, "cycle %0d: %0d beats gave way, beside %0d", now, gave, kept);
    if (!way || !rx_last) return;
    gave_packets++;
    way_told = 1'b1;
    told     = '{valid: 1'b1, known: rx_number % 2 == 0, reason: DropGaveWay,
                 row: row_t'(beat_of(0, rx_number, 0) >> 8 * 15)};
  endtask
  // Nobody waits for ever, as long as the bus goes on.
  task automatic check_wait();
    if (take || !reentry.valid) waited = 0;
    else if (rx_valid)          waited++;
    if (waited > 20 * int'(MaxBeats))
      $fatal(1, "cycle %0d: a recirculated packet waits, %0d beats", now, waited);
    wire_waits  += int'(rx_valid && !way) - int'(valid && !take);
    if (wire_waits == 0) denied = 0;
    again_beats += int'(take);
  endtask

  int wire_load = 50, again_load = 50;  // percent
  bit begins = 1'b0;                    // a packet was promised a place
  int begin_len = 0;

  task automatic check();
    int                  len, number, kind, cut;
    logic [BeatBits-1:0] bytes;
    again_t              came, expected;
    logic [BeatBits-1:0] mask;
    if (!valid) return;
    if (in_beat == 0) in_again = take;
    if (in_again != take) $fatal(1, "cycle %0d: packets are interleaved", now);
    if (in_again ? again_len.size() == 0 : wire_len.size() == 0)
      $fatal(1, "cycle %0d: a packet that nobody sent", now);
    len    = in_again ? again_len[0] : wire_len[0];
    number = in_again ? again_number[0] : wire_number[0];
    kind   = in_again ? 1 : 0;
    cut    = in_again ? again_cut[0] : 0;
    bytes  = beat_of(kind, number, in_beat);
    if (cut != 0) for (int b = 0; b < int'(BeatBytes); b++)
      bytes[8*b +: 8] = again_byte(number, len, cut, in_beat * int'(BeatBytes) + b);
    len    = cut != 0 ? left_of(len, cut) : len;
    if (last != (in_beat == beats_of(len) - 1)) $fatal(1, "cycle %0d: wrong last beat", now);
    if (keep != keep_of(len, in_beat)) $fatal(1, "cycle %0d: wrong bytes in a beat", now);
    for (int b = 0; b < int'(BeatBytes); b++) mask[8*b +: 8] = {8{keep[b]}};
    if ((data & mask) != (bytes & mask))
      $fatal(1, "cycle %0d: wrong data, beat %0d of packet %0d, kind %0d", now, in_beat, number,
             kind);
    if (err) $fatal(1, "cycle %0d: an error mark", now);
    came = reentry.again;
    if (mutant == 11) came.waited.depth = '0;
    if (mutant == 12) came.waited.delay = came.waited.delay + 1'b1;
    if (in_again) begin
      expected = again_beside[0];
      expected.waited.delay = WaitDelayBits'(now - again_pushed[0]);
    end
    if (in_again && (came != expected || reentry.ticket != 32'(number)
        || port != again_beside[0].port_in))
      $fatal(1, "cycle %0d: what is beside packet %0d is another one's", now, number);
    if (!in_again && port != 8'd3) $fatal(1, "cycle %0d: wrong port", now);
    in_beat++;
    if (!last) return;
    in_beat = 0;
    if (in_again) begin
      void'(again_len.pop_front());
      void'(again_cut.pop_front());
      void'(again_number.pop_front());
      void'(again_beside.pop_front());
      void'(again_pushed.pop_front());
      entered_count++;
    end else begin
      void'(wire_len.pop_front());
      void'(wire_number.pop_front());
      wire_count++;
    end
  endtask

  // One cycle: what is driven, then what is seen.
  task automatic step();
    bit   has, body_taken, body_asked, wire_begins;
    int   cut;
    hdr_t slot, asked_slot;
    // a packet that was promised a place comes
    push = begins;
    if (begins) begin
      slot            = hdr_t'(next_again);
      len_of[slot]    = begin_len;
      number_of[slot] = next_again;
      cut             = any_cut(begin_len);
      packet          = '{ticket: 32'(next_again), len: len_t'(begin_len),
                          cutout: cutout_t'(mutant == 13 && cut == 20 ? 18 : cut), hdr: slot,
                          queue_class: '0, ports: PortsPerLane'(1),
                          egress: '0,
                          header: StepBits'({beat_of(1, next_again, 1),
                                              beat_of(1, next_again, 0)})};
      if (mutant == 1 && next_again % 16 == 0) packet.header[100] = !packet.header[100];
      beside          = again_t'({$urandom, $urandom, $urandom, $urandom});
      dut_beside      = mutant == 2 && next_again % 16 == 0 ? last_beside : beside;
      if (mutant == 8) dut_beside.round = '0;
      last_beside     = beside;
      // Others that have not entered before this cycle.
      beside.waited = '{delay: '0, depth: WaitDepthBits'(again_len.size())};
      again_len.push_back(begin_len);
      again_cut.push_back(cut);
      again_pushed.push_back(now);
      again_number.push_back(next_again);
      again_beside.push_back(beside);
      next_again++;
    end
    begins = 1'b0;
    // one more asks
    want     = again_load != 0 && int'($urandom_range(99)) < again_load;
    row      = overlay_t'($urandom_range(3));
    promised = 1'b0;
    #1;
    if (want) begin
      has = level[row] >= 256;
      if (paid != has) $fatal(1, "cycle %0d: token of row %0d: %0d, level %0d", now, row, paid,
                              level[row]);
      if (has) level[row] -= 256;
      else     unpaid++;
      if (has && full && mutant != 6) refused++;
      else if (has) begin
        promised  = 1'b1;
        begins    = 1'b1;
        begin_len = any_len();
      end
    end
    // the bus
    rx_valid    = 1'b0;
    wire_begins = rx_beat == 0;
    if (rx_pending || int'($urandom_range(99)) < wire_load) begin
      if (!rx_pending) begin
        rx_pending = 1'b1;
        rx_len    = any_len();
        rx_number = next_wire++;
        wire_len.push_back(rx_len);
        wire_number.push_back(rx_number);
      end
      if (wire_load >= 100 || $urandom_range(7) != 0) begin
        rx_valid = 1'b1;
        rx_last  = rx_beat == beats_of(rx_len) - 1;
        rx_data  = beat_of(0, rx_number, rx_beat);
        rx_keep  = keep_of(rx_len, rx_beat);
        rx_beat  = rx_last ? 0 : rx_beat + 1;
        if (rx_last) rx_pending = 1'b0;
        if (mutant == 5 && rx_beat == 3 && now[4]) rx_beat--;
      end
    end
    if (wire_len.size() > longest) longest = wire_len.size();
    body_there = asked.size() > 0 && $urandom_range(3) != 0;
    answer_body();
    #1;
    check_way(wire_begins);
    check();
    check_wait();
    body_taken = body_there && body_req.beat_ready;
    body_asked = body_req.valid && body_rsp.ready;
    asked_slot = body_req.slot;
    @(posedge clk);
    if (body_taken) begin
      body_beat++;
      if (body_beat == beats_of(len_of[asked[0]])) begin
        body_beat = 2;
        void'(asked.pop_front());
      end
    end
    if (body_asked) asked.push_back(asked_slot);
    #1;
    if (rst_n && now > 1) begin
      // the bucket that was seen to at this edge: the first entry was in its register in cycle 2
      automatic overlay_t e = overlay_t'(now - 2);
      level[e] += int'(entries[e].rate);
      if (level[e] > 256 * int'(entries[e].burst)) level[e] = 256 * int'(entries[e].burst);
    end
    now++;
  endtask
  task automatic write_row(overlay_t e, recirculate_t value);
    put_write(TableRecirculate, 32'(e), {value, (EntryBits-RecirculateWidth)'(0)});
    if (mutant == 9) write.data[EntryBits-9 -: 8] = value.burst + 8'd1;
    repeat (2) @(posedge clk);
    #1;
    write.valid = 1'b0;
    @(posedge clk); #1;
    entries[e] = value;
  endtask

  initial begin
    int left;
    read_arguments();
    settings = '0;
    body_rsp = '0;
    {want, promised, push, rx_valid, rx_last} = '0;
    {row, packet, beside, dut_beside, last_beside, rx_data, rx_keep} = '0;
    repeat (2) @(posedge clk);
    #1;
    rst_n = 1'b1;
    // Tables are swept to 0, as in the chip; buckets are seen to from then on.
    settings.init = 1'b1;
    for (int i = 0; i < int'(Entries); i++) begin
      settings.init_index = 16'(i);
      @(posedge clk); #1;
    end
    settings.init = 1'b0;
    // Buckets are empty behind the sweep, also that whose entry was written last.
    settings.ready = 1'b1;
    row = overlay_t'(Entries - 1);
    repeat (2) begin
      @(posedge clk); #1;
      if (paid) $fatal(1, "a token in row %0d behind the sweep", row);
    end
    settings.ready = 1'b0;
    write_row(0, '{rounds: 8'd3, burst: 8'd255, rate: 16'hffff});
    write_row(1, '{rounds: 8'd3, burst: 8'd2, rate: 16'd128});
    write_row(2, '{rounds: 8'd3, burst: 8'd8, rate: 16'd1024});
    write_row(3, '{rounds: 8'd3, burst: 8'd0, rate: 16'd1000});
    // Level and cycle start where the device stands: its number of cycles since reset.
    rst_n = 1'b0;
    repeat (2) @(posedge clk);
    #1;
    rst_n = 1'b1;
    settings.ready = 1'b1;
    now = 0;
    for (int i = 0; i < int'(Entries); i++) level[i] = 0;
    repeat (6000) step();
    again_load = 100;
    wire_load  = 20;
    repeat (3000) step();
    if (refused == 0) $fatal(1, "the queue never became full");
    // A bus without a gap: 7 of its beats, then one of the queue
    wire_load = 100;
    repeat (8000) step();
    short_only = 1'b1;
    repeat (4000) step();
    if (gave_packets < 100) $fatal(1, "%0d packets gave way", gave_packets);
    again_beats = 0;
    repeat (4096) step();
    if (again_beats < 4096 / 8 - 64)
      $fatal(1, "%0d beats of recirculated packets in 4096 cycles", again_beats);
    wire_load  = 0;
    again_load = 0;
    while (rx_pending) step();
    repeat (64) step();
    left = 0;
    while ((again_len.size() != 0 || wire_len.size() != 0) && left < 20000) begin
      step();
      left++;
    end
    if (again_len.size() != 0 || wire_len.size() != 0)
      $fatal(1, "%0d recirculated packets and %0d of the bus did not come", again_len.size(),
             wire_len.size());
    if (waiting != '0) $fatal(1, "%0d places are taken for nobody", waiting);
    if (unpaid == 0) $fatal(1, "everybody had a token");
    pass($sformatf("%0d entered, %0d of the bus, %0d gave way, %0d full, %0d no token, %0d waited",
                   entered_count, wire_count, gave_packets, refused, unpaid, longest));
  end
  logic unused_bits;
  assign unused_bits = ^{entered, waiting, settings};
endmodule : tb_sluice_recirculation
