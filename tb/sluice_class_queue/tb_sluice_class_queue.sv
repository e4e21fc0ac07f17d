// SPDX-License-Identifier: Apache-2.0

/// Test of the queues by class of one source lane, behind the transmitter of one output lane. Packets name themselves in header and
/// body. Phases: anything (order of each class and port, bytes, places); classes that always have something to send, with costs
/// (what their beats count stays together); a strict class; a class that floods with long packets beside one with a packet of one
/// beat in 8 cycles, which never finds its queue full; the same with the line stopped: there is room for the others.
/// Plusargs: +seed=N, +cycles=N (of the first phase), +break=N (see the file breaks).
module tb_sluice_class_queue
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_exit_pkg::*;
  import sluice_buffer_pkg::*;
;
  localparam int G = int'(OutputQueues), P = int'(PortsPerLane), Depth = int'(OutputDepth);
  localparam int Lane = int'(NumPipes) - 1;   // the last one: all its ports have other numbers there
  localparam int Beat = int'(BeatBytes), Head = int'(HeaderBytes), Longest = int'(MaxBytes) / Beat;
  `include "bench.svh"

  // ---- DUT
  logic [G-1:0][3:0]  costs, dut_costs;
  logic [G-1:0]       strict, dut_strict, promised, dut_promised, full;
  logic               push, tx_ready;
  output_t            packet, dut_packet;
  body_req_t          req;
  body_rsp_t          rsp;
  tx_beat_t             tx;
  sent_t                unused_sent, unused_left;
  start_t               unused_start;
  logic                 unused_next;
  held_t [0:0][G-1:0]   held;

  function automatic queue_class_t told(queue_class_t c);
    return mutant == 1 ? '0 : mutant == 5 && c < queue_class_t'(2) ? c ^ queue_class_t'(1) : c;
  endfunction
  queue_class_t promised_class;
  logic [HeaderBits-1:0] last_header;
  always_comb begin
    dut_costs    = costs;
    dut_strict   = strict;
    dut_packet   = packet;
    dut_promised = promised == '0 ? '0 : G'(1) << told(promised_class);
    dut_packet.queue_class = told(packet.queue_class);
    if (mutant == 2) dut_costs[1] = costs[1] ^ 4'd1;
    if (mutant == 3) dut_strict[2] = 1'b0;
    if (mutant == 7) dut_strict[3] = 1'b1;
    if (mutant == 6) dut_packet.header = last_header;
  end
  sluice_transmit #(.AheadBeats(32), .Sources(1), .HasClasses(1'b1)) dut (
    .clk_i(clk), .rst_ni(rst_n), .lane_i(pipe_t'(Lane)), .costs_i(dut_costs), .strict_i(dut_strict), .next_i('0), .next_pop_o(unused_next),
    .promised_i(dut_promised), .full_o(full), .held_o(held), .push_i(push), .packet_i(dut_packet),
    .body_req_o(req), .body_rsp_i(rsp),
    .tx_o(tx), .tx_ready_i(tx_ready), .sent_o(unused_sent),
    .room_i(1'b1), .start_o(unused_start), .left_o(unused_left)
  );

  // ---- packets, by ticket
  typedef struct packed {
    queue_class_t of_class;
    logic [P-1:0] left;
    int           len, born;
  } known_t;
  known_t known [int];
  int     in_slot [HeaderSlots];      // ticket
  int  next_ticket = 0, alive = 0, places [G], used = 0, last_sent [G][P];
  int  beats_sent [G], copies [G], refused [G], slowest [G];

  function automatic logic [HeaderBits-1:0] header_of(int ticket);
    return {(HeaderBits/32){32'(ticket)}};
  endfunction
  function automatic logic [BeatBits-1:0] body_of(int ticket, int beat);
    return {(BeatBits/64){32'(ticket), 32'(beat)}};
  endfunction

  // ---- one cycle: what comes (class -1: nothing), what leaves
  int  coming_len, at = 0;
  logic [P-1:0] coming_ports;
  bit  offered;
  int  asked [$], body_beat = 0;
  // Offers a packet; takes it if its class is not full.
  task automatic cycle(int of_class, int len, logic [P-1:0] ports);
    known_t k;
    bit     sends;
    int     ticket, tickets_beat, slot, port;
    // the packet promised in the cycle before
    push = promised != '0;
    if (push) begin
      last_header = packet.header;
      packet = '0;
      packet.queue_class = promised_class;
      packet.ticket = 32'(next_ticket);
      packet.len    = len_t'(coming_len);
      slot = next_ticket;
      while (known.exists(in_slot[int'(hdr_t'(slot))]) != 0) slot++;
      packet.hdr    = hdr_t'(slot);
      in_slot[int'(packet.hdr)] = next_ticket;
      packet.ports  = coming_ports;
      packet.header = header_of(next_ticket);
      known[next_ticket] = '{of_class: promised_class, left: coming_ports, len: coming_len, born: now};
      next_ticket++;
    end
    promised = '0;
    offered  = of_class >= 0;
    if (offered) begin
      if (full[told(queue_class_t'(of_class))]) refused[of_class]++;
      else begin
        promised       = G'(1) << of_class;
        promised_class = queue_class_t'(of_class);
        coming_len     = len;
        coming_ports   = ports;
        places[of_class]++;
        used++;
        alive++;
      end
    end
    // A place is free a little before its last copy is sent: of two packets.
    for (int c = 0; c < G; c++)
      if (mutant == 0 && full[c] && places[c] - int'(promised[c]) + used - int'(promised != '0) < Depth)
        fail($sformatf("class %0d is full with %0d of %0d places", c, places[c], used));
    // A place is given back when the line chooses the last copy: that, and the one on the line, are still to end.
    for (int c = 0; c < G; c++)
      if (int'(held[0][c]) > places[c] - int'(promised[c]) || int'(held[0][c]) + 2 < places[c] - int'(promised[c]))
        fail($sformatf("class %0d holds %0d packets, %0d have not left", c, held[0][c], places[c] - int'(promised[c])));
    if (promised != '0 && places[of_class] - 1 + used - 1 > Depth + 3)
      fail($sformatf("class %0d takes a place beside %0d of %0d", of_class, places[of_class], used));
    #1;
    sends = tx.valid && tx_ready;
    if (sends) begin
      ticket = int'(tx.ticket);
      if (known.exists(ticket) == 0) fail($sformatf("ticket %0d is not there", ticket));
      k = known[ticket];
      port = int'(tx.port) / int'(NumPipes);
      if (int'(tx.port) != port * int'(NumPipes) + Lane || port >= P || !k.left[port])
        fail($sformatf("ticket %0d leaves at port %0d", ticket, tx.port));
      if (tx.data != (at < Head / Beat ? BeatBits'(header_of(ticket)) : body_of(ticket, at - Head / Beat)))
        fail($sformatf("beat %0d of ticket %0d", at, ticket));
      beats_sent[k.of_class]++;
      at++;
      if (tx.last != (at == (k.len + Beat - 1) / Beat)) fail($sformatf("ticket %0d ends at beat %0d", ticket, at));
      if (tx.keep != (tx.last && k.len % Beat != 0 ? ~({BeatBytes{1'b1}} << (k.len % Beat)) : '1)) fail("keep");
      if (tx.last) begin
        at = 0;
        if (last_sent[k.of_class][port] >= ticket)
          fail($sformatf("class %0d, port %0d: ticket %0d behind %0d", k.of_class, port, ticket, last_sent[k.of_class][port]));
        last_sent[k.of_class][port] = ticket;
        copies[k.of_class]++;
        if (now - k.born > slowest[k.of_class]) slowest[k.of_class] = now - k.born;
        k.left[port] = 1'b0;
        known[ticket] = k;
        if (k.left == '0) begin
          known.delete(ticket);
          places[k.of_class]--;
          used--;
          alive--;
        end
      end
    end
    // the body reader
    if (req.valid && rsp.ready) asked.push_back(int'(req.slot));
    if (rsp.beat_valid && req.beat_ready) begin
      body_beat++;
      if (rsp.beat_last) begin
        void'(asked.pop_front());
        body_beat = 0;
      end
    end
    @(posedge clk);
    #1;
    rsp = '0;
    rsp.ready = asked.size() < 2;
    if (asked.size() != 0) begin
      ticket = in_slot[asked[0]];
      if (known.exists(ticket) != 0) begin
        tickets_beat = (known[ticket].len - Head + Beat - 1) / Beat;
        rsp.beat_valid = 1'b1;
        rsp.beat_last  = body_beat == tickets_beat - 1;
        rsp.beat       = body_of(mutant == 4 && body_beat == 2 ? ticket + 1 : ticket, body_beat);
      end
    end
    tick();
  endtask

  task automatic drain();
    tx_ready = 1'b1;
    for (int n = 0; alive != 0; n++) begin
      if (n > 100 * Depth * Longest) fail($sformatf("%0d packets stay", alive));
      cycle(-1, 0, '0);
    end
    for (int c = 0; c < G; c++) {beats_sent[c], copies[c], refused[c], slowest[c]} = '0;
  endtask

  function automatic logic [P-1:0] some_ports();
    return rnd(4) == 0 ? P'(1 + rnd((1 << P) - 1)) : P'(1 << rnd(P));
  endfunction

  // ---- classes that always have something to send: what the beats of two of them counted. Two of them
  // with packets of any size, or all with long ones: what is chosen ahead is then not all that they have.
  task automatic shares(int active);
    int size [G], low, high, dearest = 1, first;
    first = rnd(G);
    for (int c = 0; c < G; c++) begin
      size[c]  = active > 2 || rnd(2) == 0 ? 1000 + rnd(500) : 64 + rnd(300);
      costs[c] = 4'(rnd(3) == 0 ? 0 : rnd(2) == 0 ? 1 + rnd(3) : rnd(16));
      if (int'(costs[c]) >= dearest) dearest = 1 + int'(costs[c]);
    end
    for (int n = 0; n < 22000; n++) begin
      automatic int least = first;
      for (int a = 1; a < active; a++)
        if (places[(first + a) % G] < places[least]) least = (first + a) % G;
      if (n == 2000) for (int c = 0; c < G; c++) beats_sent[c] = 0;
      cycle(least, size[least], P'(1 << rnd(P)));
    end
    low  = beats_sent[first] * (1 + int'(costs[first]));
    high = low;
    for (int a = 1; a < active; a++) begin
      automatic int c = (first + a) % G, counted = beats_sent[c] * (1 + int'(costs[c]));
      if (counted < low) low = counted;
      if (counted > high) high = counted;
    end
    // two packets of 24 beats, each with what was chosen ahead of it and not yet counted
    if (high - low > (2 * (24 + 16 + 24) + 8) * dearest)
      fail($sformatf("beats counted %0d and %0d, the dearest class %0d", low, high, dearest));
    drain();
    costs = '0;
  endtask

  initial begin
    read_arguments(40000);
    {costs, strict, promised, promised_class, push, packet, rsp, last_header} = '0;
    for (int n = 0; n < int'(HeaderSlots); n++) in_slot[n] = -1;
    for (int c = 0; c < G; c++) begin
      {places[c], beats_sent[c], copies[c], refused[c], slowest[c]} = '0;
      for (int p = 0; p < P; p++) last_sent[c][p] = -1;
    end
    tx_ready = 1'b0;
    release_reset(3);
    @(negedge clk);

    // anything
    for (int n = 0; n < int'(cycles); n++) begin
      if (n % 1000 == 0) for (int c = 0; c < G; c++) begin
        costs[c]  = 4'(rnd(16));
        strict[c] = rnd(6) == 0;
      end
      tx_ready = (n / 700) % 2 == 0 || rnd(3) == 0;
      cycle(rnd(8) < ((n / 300) % 3 + 1) * 2 ? rnd(G) : -1,
            rnd(2) == 0 ? 64 + rnd(65) : rnd(20) == 0 ? 64 + rnd(int'(MaxBytes) - 63) : 64 + rnd(600), some_ports());
    end
    for (int c = 0; c < G; c++) if (refused[c] == 0) fail($sformatf("class %0d was never full", c));
    costs  = '0;
    strict = '0;
    drain();

    for (int n = 0; n < 8; n++) begin
      shares(2);
      shares(G);
    end

    // A strict class beside three that flood: at most the copy on the line, those chosen, and its own before it.
    strict = G'(4);
    for (int n = 0; n < 30000; n++)
      if (n % 50 == 0) cycle(2, 64, P'(1));
      else cycle(n % 4 == 2 ? -1 : n % 4, 1500, P'(1));
    if (slowest[2] > 24 + 16 + 24 + 12) fail($sformatf("a strict packet waits %0d cycles", slowest[2]));
    if (refused[2] != 0) fail("a strict class that sends little was full");
    // And it takes all of the line if it can, whatever its beats count.
    costs[2] = '1;
    for (int n = 0; n < 3000; n++) begin
      if (n == 200) for (int c = 0; c < G; c++) beats_sent[c] = 0;
      cycle(n % 4 == 3 ? 1 : 2, 300, P'(1));
    end
    if (beats_sent[1] != 0) fail($sformatf("%0d beats beside a strict class", beats_sent[1]));
    {strict, costs} = '0;
    drain();

    // One that floods with packets of the largest size, and one with a packet in 8 cycles.
    for (int n = 0; n < 30000; n++)
      if (n % 8 == 0) cycle(0, 64, P'(1));
      else cycle(1, 1500, P'(1 << rnd(P)));
    if (refused[0] != 0 || refused[1] == 0) fail($sformatf("class 0 was full %0d times", refused[0]));
    if (slowest[0] > 24 + 16 + 24 + 12) fail($sformatf("class 0 waits %0d cycles", slowest[0]));
    drain();

    // A line that stands still: three classes take what they may, and the fourth still finds room.
    tx_ready = 1'b0;
    for (int n = 0; n < 40 * Depth; n++) cycle(1 + n % (G - 1), 300, P'(1));
    cycle(0, 64, P'(1));
    if (refused[0] != 0) fail("no place left");
    drain();
    pass($sformatf("%0d packets", next_ticket));
  end
endmodule : tb_sluice_class_queue
