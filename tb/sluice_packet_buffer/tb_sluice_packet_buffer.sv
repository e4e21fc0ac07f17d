// SPDX-License-Identifier: Apache-2.0

/// Test of sluice_packet_buffer between a lane, the exit and the output lanes, as their contracts
/// in sluice_buffer_pkg allow them: packets of random length come, some are lost on their way in or
/// for want of cells, some are discarded; of the others the header is read, and the body as often
/// as the exit says, by random readers. Slots and cells run out, and are all used again. Where
/// nothing is told anything may stand. Checked: each header and each beat of a body is the
/// packet's, each copy comes once, in the order of the requests, and at the end all slots and cells
/// are free. In the last part one reader reads alone: its first beat comes five cycles after the
/// request, and then a beat in every cycle.
/// +seed=N, +cycles=N, +break=N (see the file `breaks`).
module tb_sluice_packet_buffer;
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_buffer_pkg::*;

  localparam int Readers = int'(NumReaders), Packets = 4096, HeadBeats = int'(HeaderBeats),
      Steps = int'(HeaderSteps);

  logic apply = 1'b0;
  `include "bench.svh"
  // ---- DUT; inputs move at a pulse of `apply`
  typedef struct packed {
    buffer_write_t write;
    logic          discard;
    hdr_t          discard_slot;
    header_req_t   header;
    buffer_req_t   req;
  } inputs_t;
  inputs_t             in, dut = '0;
  buffer_room_t        room;
  buffer_used_t        used;
  logic [StepBits-1:0] header;
  buffer_rsp_t         rsp;
  sluice_packet_buffer u_dut (
    .clk_i(clk), .rst_ni(rst_n), .write_i(dut.write), .room_o(room), .used_o(used),
    .discard_i({dut.discard, dut.discard_slot}),
    .header_req_i(dut.header), .header_o(header), .req_i(dut.req), .rsp_o(rsp)
  );
  always_ff @(posedge apply) begin
    dut <= in;
    case (mutant)
      1: dut.write.tail_we <= 1'b0;
      2: if (in.req.copies.count > 7'd1) dut.req.copies.count <= in.req.copies.count - 7'd1;
      3: dut.discard <= 1'b0;
      4: dut.write.lost <= 1'b0;
      5: if (in.write.cell_want && now % 64 == 0) dut.write.beat <= ~in.write.beat;
      6: if (now % 64 == 0) dut.req.body[0].valid <= 1'b0;
      7: dut.req.body[0].beat_ready <= 1'b1;
      8: if (in.req.copies.count != '0 && now % 64 == 0) dut.req.copies.none <= 1'b1;
      default: ;
    endcase
  end

  // ---- packets by their numbers; a beat holds the number and its own
  int   cells_of [Packets], beats_of [Packets];
  hdr_t slot_of [Packets];
  int   stored [$];                              // and the exit has not seen them
  int   requests [4][$], reading [4][$];         // of each reader: not taken; taken
  int   position [4], started [4];               // beat of the body; cycle of the request
  function automatic logic [BeatBits-1:0] beat_of(int packet, int beat);
    return BeatBits'({packet, beat});
  endfunction

  // lane
  int    packet = 0, beat = 0, length = 0, cells = 0, lengths = 0;
  bit    writing = 1'b0, spoilt = 1'b0, full = 1'b0, ended = 1'b0, kept = 1'b0;
  cell_t first_cell, last_cell;
  // exit
  int    leaving = -1, step = 0, header_of = -1, header_step = 0;
  bit    headers_read = 1'b0;
  // rates
  int    rate_write = 0, rate_exit = 0, rate_discard = 0, rate_ready = 100, rate_lost = 0,
      only = -1;
  // burst: all that is stored is discarded
  bit    requests_wait = 1'b0, bursts = 1'b0, burst = 1'b0;
  int    stored_count = 0, lost_count = 0, no_cells = 0, discards = 0, copies = 0, beats_read = 0,
      no_slots = 0;
  int    first_beat = 0, last_beat = 0, part_beats = 0;

  function automatic int some_length();
    case (lengths)
      0:       return HeadBeats + 2 + rnd(8);    // all have a body of two beats or more
      1:       return HeadBeats + rnd(3);
      default: return Steps > 1 ? HeadBeats + rnd(rnd(3) == 0 ? 20 : 4)
          : 1 + rnd(rnd(3) == 0 ? 24 : 4);
    endcase
  endfunction

  task automatic write(bit traffic);
    in.write      = '0;
    in.write.beat = {BeatBits / 32{$urandom}};
    in.write.slot = hdr_t'($urandom);
    in.write.body.head = cell_t'($urandom);
    // the cycle behind a packet
    if (ended) begin
      in.write.body = '{row: '0, head: first_cell, tail: last_cell, cells: beats_t'(cells)};
      in.write.slot = slot_of[packet % Packets];
      if (kept) begin
        in.write.stored = 1'b1;
        cells_of[packet % Packets] = cells;
        stored.push_back(packet);
        stored_count++;
      end else begin
        in.write.lost = cells != 0;
        lost_count++;
      end
      packet++;
    end
    ended = 1'b0;
    if (!writing && traffic && rnd(100) < rate_write) begin
      no_slots += int'(!room.slot_valid);
      if (room.slot_valid) begin
        writing = 1'b1;
        {spoilt, full} = '0;
        beat    = 0;
        cells   = 0;
        length  = some_length();
      end
    end
    if (writing && rnd(100) < 10 + rate_write) begin
      in.write.beat = beat_of(packet, beat);
      if (beat == 0) begin
        in.write.head_we = 1'b1;
        slot_of[packet % Packets]  = room.slot;
        beats_of[packet % Packets] = length;
        spoilt = rnd(100) < rate_lost;
      end else if (beat < HeadBeats) begin
        in.write.tail_we = 1'b1;
      end else if (!full) begin
        in.write.cell_want  = 1'b1;
        in.write.cell_first = beat == HeadBeats;
        if (room.cell_valid) begin
          if (cells == 0) first_cell = room.next_cell;
          last_cell = room.next_cell;
          cells++;
        end else begin
          full = 1'b1;
          no_cells++;
        end
      end
      in.write.step = step_t'(Steps > 1 ? beat : 0);
      beat++;
      if (beat == length) begin
        writing = 1'b0;
        ended   = 1'b1;
        kept    = !spoilt && !full;
        in.write.slot_take = kept;
      end
    end
  endtask

  // The exit reads a header, and then says how often the body is read.
  task automatic leave();
    in.discard      = 1'b0;
    in.discard_slot = hdr_t'($urandom);
    in.header       = '{valid: 1'b0, slot: hdr_t'($urandom), step: step_t'($urandom)};
    in.req.copies   = '{valid: 1'b0, slot: hdr_t'($urandom), count: copies_t'($urandom), none: 1'($urandom)};
    header_of       = -1;
    if (stored.size() >= 6 && bursts && rnd(20) == 0) burst = 1'b1;
    if (stored.size() != 0 && (burst || rnd(100) < rate_discard)) begin
      in.discard      = 1'b1;
      in.discard_slot = slot_of[stored[0] % Packets];
      discards++;
      void'(stored.pop_front());
    end
    if (stored.size() == 0) burst = 1'b0;
    if (leaving < 0 && stored.size() != 0 && rnd(100) < rate_exit) begin
      leaving      = stored.pop_front();
      step         = 0;
      headers_read = 1'b0;
    end
    if (leaving >= 0 && !headers_read) begin
      in.header   = '{valid: 1'b1, slot: slot_of[leaving % Packets], step: step_t'(step)};
      header_of   = leaving;
      header_step = step;
      step++;
      headers_read = step == Steps;
    end else if (leaving >= 0 && rnd(4) != 0) begin
      int count;
      count = cells_of[leaving % Packets] == 0 ? 0 : only >= 0 ? 1 : rnd(5);
      in.req.copies = '{valid: 1'b1, slot: slot_of[leaving % Packets], count: copies_t'(count),
                         none: count == 0};
      for (int c = 0; c < count; c++) begin
        logic [1:0] r;
        r = 2'(only >= 0 ? only : rnd(Readers));
        requests[r].push_back(leaving);
        copies++;
      end
      leaving = -1;
    end
  endtask

  task automatic look_at_header(int of, int at);
    for (int b = 0; b < HeadBeats / Steps; b++) begin
      int n;
      n = at + b;
      if (header[int'(BeatBits)*b +: BeatBits] != (n < beats_of[of % Packets] ? beat_of(of, n)
          : '0))
        fail($sformatf("beat %0d of the header of packet %0d", n, of));
    end
  endtask

  int read_before = -1, step_before = 0;
  int waiting [4];                               // requests that may be made
  task automatic cycle(bit traffic);
    if (read_before >= 0) look_at_header(read_before, step_before);
    for (int r = 0; r < Readers; r++) waiting[r] = requests_wait ? 0 : requests[r].size();
    write(traffic);
    leave();
    for (int r = 0; r < Readers; r++) begin
      in.req.body[r] = '{valid: waiting[r] != 0, slot: hdr_t'($urandom),
          beat_ready: rnd(100) < rate_ready};
      if (waiting[r] != 0) in.req.body[r].slot = slot_of[requests[r][0] % Packets];
    end
    #1 apply = 1'b1;
    #1 apply = 1'b0;
    for (int r = 0; r < Readers; r++) begin
      if (rsp.body[r].beat_valid && in.req.body[r].beat_ready) begin
        int p, b;
        if (reading[r].size() == 0) fail("a beat that nobody asked for");
        p = reading[r][0];
        b = HeadBeats + position[r];
        if (rsp.body[r].beat != beat_of(p, b))
          fail($sformatf("beat %0d of packet %0d for reader %0d", b, p, r));
        position[r]++;
        if (rsp.body[r].beat_last != (position[r] == cells_of[p % Packets]))
          fail("the last beat of a body");
        beats_read++;
        part_beats++;
        if (part_beats == 1) first_beat = now;
        last_beat = now;
        if (rsp.body[r].beat_last) begin
          position[r] = 0;
          void'(reading[r].pop_front());
        end
      end
      if (in.req.body[r].valid && rsp.body[r].ready) begin
        if (reading[r].size() == 0) started[r] = now;
        reading[r].push_back(requests[r].pop_front());
      end
    end
    if ({room.slots_full, room.cells_full} != '0) fail("a share, and the chip has none");
    if (int'(used.slots) > int'(HeaderSlots) || int'(used.cells) > int'(BodyCells))
      fail("more is used than there is");
    read_before = header_of;
    step_before = header_step;
    tick();
  endtask

  function automatic bit busy();
    busy = writing || ended || leaving >= 0 || stored.size() != 0;
    for (int r = 0; r < Readers; r++) busy |= requests[r].size() != 0 || reading[r].size() != 0;
  endfunction

  task automatic finish();
    rate_exit  = 100;
    rate_ready = 100;
    requests_wait = 1'b0;
    for (int c = 0; busy(); c++) begin
      if (c > 40000) fail("a packet stays inside");
      cycle(1'b0);
    end
    repeat (int'(HeaderSlots) + 20) cycle(1'b0);
    if (used != '0) fail($sformatf("%0d slots and %0d cells are not free", used.slots, used.cells));
  endtask

  initial begin
    read_arguments(30000);
    in = '0;
    for (int r = 0; r < 4; r++) position[r] = 0;
    release_reset(2);
    while (now < int'(cycles)) begin
      if (now % 400 == 0) begin
        rate_write   = rnd(3) == 0 ? 90 : rnd(100);
        rate_exit    = rnd(4) == 0 ? 0 : rnd(101);
        rate_discard = rnd(4) == 0 ? 60 : rnd(3) == 0 ? 10 : 0;
        rate_ready   = rnd(3) == 0 ? 100 : 10 + rnd(90);
        rate_lost    = rnd(2) == 0 ? 0 : rnd(80);
        lengths      = 1 + rnd(3);
        bursts       = rnd(2) == 0;
      end
      cycle(1'b1);
    end
    rate_discard = 0;
    bursts       = 1'b0;
    finish();
    // ---- one reader alone, whose requests wait until all are there
    rate_lost = 0;
    lengths   = 0;
    for (int part = 0; part < 40; part++) begin
      only          = part % Readers;
      rate_write    = 100;
      requests_wait = 1'b1;
      for (int c = 0; c < 60; c++) cycle(c < 40 && stored.size() + requests[only].size() < 6);
      while (stored.size() != 0 || leaving >= 0) cycle(1'b0);
      part_beats    = 0;
      requests_wait = 1'b0;
      finish();
      if (part_beats == 0) fail("nothing was read");
      if (first_beat - started[only] != 5)
        fail($sformatf("the first beat came after %0d cycles", first_beat - started[only]));
      if (last_beat - first_beat + 1 != part_beats)
        fail($sformatf("%0d beats took %0d cycles", part_beats, last_beat - first_beat + 1));
    end
    if (cycles >= 30000
        && (stored_count < 500 || lost_count < 50 || discards < 50 || copies < 300
        || (no_cells < 5 && HeaderSlots < 64)))
      fail($sformatf("the traffic was too tame: %0d %0d %0d %0d %0d", stored_count, lost_count,
          discards, copies, no_cells));
    pass($sformatf("%0d stored, %0d lost, %0d discarded, %0d copies, %0d beats, %0d times no slot, %0d no cell",
                   stored_count, lost_count, discards, copies, beats_read, no_slots, no_cells));
  end
endmodule : tb_sluice_packet_buffer
