// SPDX-License-Identifier: Apache-2.0

/// sluice_exit and sluice_tm as in the chip, one behind the other, against a C model of tables, packets, packet buffer and output queues.
/// Tables are written and read back over the chain; then phases, each drained: random traffic, the
/// same with an output limit, 64-byte packets as fast as lanes take them, a stream of long packets,
/// single packets; packets of one size after the other from every lane to one output lane, to all
/// output lanes, and of random sizes to random ones, at the full rate of the wires; at the end all
/// registers are compared. +seed=N, +cycles=N (of a random phase).
/// +break=N: 1 a header bit of lane 0 is wrong, 2 a tag is one too large, 3 a body bit is wrong, 4
/// the DUT believes that the line is always ready, 5 its output limit is one too large, 6 a length
/// is one too large, 7 the discard flag is lost, 8 a bit of what the chain writes is wrong, 9
/// credits are ignored, 10 a body is asked for when the one before it has ended, 11 a body store
/// gives a beat every second cycle, 12 two bodies that were asked for come in the wrong order,
/// 13 congestion marks of pipeline 0 get lost, 14 another step of a header is read, 15 a packet has another module's row, 16 that a packet has read all tables is
/// not always told, 17 of packets of lane 0 nothing is taken out, 18 a capsule's list is
/// longer, 19 a fault is not to be reported, 20 a packet of lane 0 goes to the queue of another class at times,
/// 21 packets of lane 0 are admitted as if they were of class 0, 22 the thresholds of the marks are one too large, 23 the exit sees the queues of
/// another class, 24 of another output lane, 25 what output lane 0 holds gets lost.
module tb_sluice_tm
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_order_pkg::*;
  import sluice_exit_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_probe_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_buffer_pkg::*;
;
  import "DPI-C" function void output_setup(
    input int lanes, input int ports, input int depth, input int slots, input int header_bytes,
    input int beat_bytes, input int rows, input int modules, input int actions, input int checksums,
    input int longest, input int stages, input int again, input int classes, input int seed);
  import "DPI-C" function void output_limit(input int value);
  import "DPI-C" function void output_ecn(input int number, input int value);
  import "DPI-C" function int output_marked();
  import "DPI-C" function void output_table(
    input int kind, input int row, input int kept, output bit [191:0] bits);
  import "DPI-C" function int output_new(
    input int lane, input int source, input int len, input int to, input int b2, input int b4,
    input int b6, output bit [191:0] fields, output bit [767:0] cont,
    output bit [255:0] capsule);
  import "DPI-C" function void output_header(
    input int lane, input int slot, output bit [1023:0] bits);
  import "DPI-C" function int output_request(input int lane, input int slot);
  import "DPI-C" function int output_body(
    input int lane, input int slot, input int beat, output bit [511:0] bits);
  import "DPI-C" function int output_released(input int lane, input int slot);
  import "DPI-C" function int output_fate(
    input int lane, input int reason, input bit [31:0] ticket, input bit [63:0] accepted,
    input bit [63:0] refused, input int slot, input int copies, input int drop_row, input int drop_reason,
    input int drop_full, input int deep, input int most);
  import "DPI-C" function int output_admitted();
  import "DPI-C" function int output_beat(
    input int lane, input int port, input int last, input bit [31:0] ticket, input bit [63:0] keep,
    input bit [511:0] data);
  import "DPI-C" function int output_count(input int block, input int index, input int number);
  import "DPI-C" function int output_left();
  import "DPI-C" function int output_waits(input int lane);
  import "DPI-C" function int output_room(input int lane, input int to);
  import "DPI-C" function int output_drops();

  localparam int CapsuleCycles = Active != 0 ? 2 : 0;       // at the exit, and on the way to the wire
  localparam int Overlays    = 1 << $bits(overlay_t);
  localparam int StartCycles = 12 + CapsuleCycles;          // from a packet's fate to its first beat, at most
  localparam int unsigned Slots = HeaderSlots < 256 ? HeaderSlots : 256;   // of a lane in use
  localparam int unsigned Lanes = NumPipes > 1 ? NumPipes : 2;   // arrays of one queue do not compile (Verilator 5.006)
  localparam int Steps = int'(HeaderSteps), Beat = int'(BeatBytes), Head = int'(HeaderBytes);
  // A copy with a body is followed by a cycle of rest where no bodies are read ahead (sluice_body_ahead).
  localparam int Rest = BodyCells * BeatBytes < 4096 ? 1 : 0;
  function automatic int cycles_of(int len);
    return (len + Beat - 1) / Beat + (len > Head ? Rest : 0);
  endfunction
  // The longest packet that a packet buffer holds.
  localparam int Held    = Head + int'(BodyCells) * Beat;
  localparam int Longest = Held < int'(MaxBytes) ? Held : int'(MaxBytes);

  `include "bench.svh"
  `include "chain.svh"
  logic running = 1'b0;                     // rst_n for the bench's own registers

  // ---- DUT
  typedef struct packed {
    exit_settings_t exit;
    tm_settings_t   tm;
  } taken_t;
  taken_t                                  settings, dut_settings;
  transit_t [NumPipes-1:0]                 transit, dut_transit;
  logic [NumPipes-1:0][NumPipes-1:0]       freed;
  logic [NumPipes-1:0]                     departed;
  logic [31:0]                             next_ticket;
  header_req_t [NumPipes-1:0]              header_req;
  logic [NumPipes-1:0][StepBits-1:0]       header, dut_header;
  buffer_req_t [NumPipes-1:0]              req;
  buffer_rsp_t [NumPipes-1:0]              rsp, dut_rsp;
  logic [NumPipes-1:0][NumPorts-1:0]       exit_ports;
  logic [NumPipes-1:0]                     exit_valid, exit_again;
  queue_class_t [NumPipes-1:0]             exit_class, tm_class;
  held_t [NumPipes-1:0][NumPipes-1:0][OutputQueues-1:0] tm_held, exit_held;
  reentry_t [NumPipes-1:0]                 reentry;
  fate_t [NumPipes-1:0]                    exit_fate, tm_fate;
  logic [NumPipes-1:0][StepBits-1:0]       exit_header;
  tx_beat_t tx [NumPipes];
  logic [NumPipes-1:0]                     tx_ready;
  chain_t                                  dut_chain_in;
  csr_req_t                                csr_req;
  csr_rsp_t                                csr_rsp, exit_rsp, tm_rsp;
  probe_exit_t [NumPipes-1:0]              probe;
  exit_drop_t [NumPipes-1:0]               drop;
  bank_event_t [NumPipes-1:0]              leave, dut_leave;
  start_t [NumPipes-1:0]                   unused_start;
  logic [NumPipes-1:0][LinePorts-1:0]      unused_accepted;
  sent_t [NumPipes-1:0]                    unused_left;
  logic [NumPorts-1:0][15:0]               unused_waiting;

  always_comb begin
    dut_settings  = settings;
    dut_transit   = transit;
    dut_header    = header;
    dut_rsp       = rsp;
    dut_chain_in  = chain_in;
    leave = dut_leave;
    tm_fate = exit_fate;
    tm_class = exit_class;
    if (mutant == 20 && cycle[3:0] == '0) tm_fate[0].queue_class = ~exit_fate[0].queue_class;
    if (mutant == 21) tm_class[0] = '0;
    exit_held = tm_held;
    if (mutant == 22)
      for (int c = 0; c < int'(OutputQueues); c++)
        dut_settings.exit.class_ecn[c] += 11'(settings.exit.class_ecn[c] != '0);
    for (int o = 0; o < NumPipes; o++)
      for (int s = 0; s < NumPipes; s++)
        for (int c = 0; c < int'(OutputQueues); c++) begin
          if (mutant == 23) exit_held[o][s][c] = tm_held[o][s][(c + 1) % OutputQueues];
          if (mutant == 24) exit_held[o][s][c] = tm_held[(o + 1) % NumPipes][s][c];
        end
    if (mutant == 25) exit_held[0] = '0;
    if (mutant == 17) tm_fate[0].cutout = '0;
    if (mutant == 16) leave[0].valid = dut_leave[0].valid && cycle[4:0] != '0;
    if (mutant == 1) dut_header[0][100] = ~header[0][100];
    if (mutant == 2) dut_transit[0].packet.tag = transit[0].packet.tag + 1'b1;
    if (mutant == 3) dut_rsp[0].body[0].beat[300 % BeatBits] = ~rsp[0].body[0].beat[300 % BeatBits];
    if (mutant == 5) dut_settings.tm.output_limit = settings.tm.output_limit + 11'd1;
    if (mutant == 6) dut_transit[0].packet.phv.meta.len = transit[0].packet.phv.meta.len + 14'd1;
    if (mutant == 13) dut_transit[0].packet.phv.meta.mark = 1'b0;
    if (mutant == 15) dut_transit[0].packet.phv.meta.overlay[0] = 1'b0;
    if (mutant == 7) dut_transit[0].packet.phv.meta.discard = 1'b0;
    if (mutant == 8) dut_chain_in.data[60] = chain_in.data[60] ^ !chain_in.first;
  end

  sluice_exit u_exit (
    .clk_i(clk), .rst_ni(rst_n), .settings_i(dut_settings.exit),
    .transit_i(dut_transit), .freed_o(freed), .departed_o(departed), .next_ticket_i(next_ticket),
    .header_req_o(header_req), .header_i(dut_header),
    .ports_o(exit_ports), .valid_o(exit_valid), .fate_o(exit_fate), .again_o(exit_again),
    .queue_class_o(exit_class), .held_i(exit_held), .header_o(exit_header),
    .leave_o(dut_leave),
    .chain_i(dut_chain_in), .chain_ready_o(chain_in_ready),
    .chain_o(chain_out), .chain_ready_i(chain_out_ready),
    .csr_req_i(csr_req), .csr_rsp_o(exit_rsp)
  );
  sluice_tm u_tm (
    .clk_i(clk), .rst_ni(rst_n), .settings_i(dut_settings.tm),
    .queue_class_i(tm_class), .ports_i(exit_ports), .valid_i(exit_valid), .fate_i(tm_fate), .again_i(exit_again),
    .header_i(exit_header), .before_i('0), .accepted_o(unused_accepted), .held_o(tm_held), .reentry_o(reentry), .reentry_rsp_i('0),
    .req_o(req), .rsp_i(dut_rsp),
    .tx_o(tx), .tx_ready_i(mutant == 4 ? '1 : tx_ready),
    .cycle_i('0), .room_i('1), .start_o(unused_start), .left_o(unused_left),
    .waiting_o(unused_waiting), .wire_i('0), .discarded_i('0),
    .csr_req_i(csr_req), .csr_rsp_o(tm_rsp), .drop_o(drop), .probe_o(probe)
  );
  assign csr_rsp = exit_rsp | tm_rsp;

  // Nobody may recirculate: table RECIRCULATE is 0.
  logic unused_reentry;
  assign unused_reentry = ^reentry;
  always @(posedge clk) if (rst_n && exit_again != '0) $fatal(1, "a packet recirculates");

  // The bench keeps its books beside the registers that drive the DUT: blocking assignments in
  // clocked processes, to variables that no other process reads in the same time step.
  /* verilator lint_off BLKSEQ */

  // ---- traffic
  // The last three offer every wire all that it can carry: packets of `size` bytes from each lane
  // to the output lane behind it, the same to all output lanes, and both kinds of sizes to random
  // ones.
  typedef enum int {
    ModeOff, ModeAny, ModeShort, ModeLong, ModeSingle, ModeTurned, ModeEach, ModeSpread
  } mode_e;
  mode_e mode = ModeOff;
  int credits [NumPipes][NumPipes];         // [lane][source]
  int cycle = 0, departures = 0, pushed = 0, rotate = 0;
  int ready_of_8 = 8;                       // how often the line is ready
  int first_push = 0, first_beat = -1, last_beat = 0;
  int beats = 0, copies_sent = 0;
  localparam int Long = 10 * Beat;          // bytes of a long packet
  int size = 64;                            // of a packet in the rate phases
  int busy_cycles = 0;                      // summed over output lanes: a copy waited, for a while
  int backlog [NumPipes];                   // how long there has been something to send
  int next_at [NumPipes];                   // cycle in which the next packet has come in
  int unsigned faults [1 << $bits(id_t)];   // capsules of an id that were the first to have a fault
  initial foreach (faults[id]) faults[id] = 0;

  always_ff @(posedge clk) begin
    automatic int tickets = 0;
    cycle <= cycle + 1;
    transit <= '0;
    for (int s = 0; s < NumPipes; s++) begin
      automatic bit [191:0] fields;
      automatic bit [767:0] cont;
      automatic bit [255:0] program_end;
      automatic carried_t     capsule;
      automatic transit_t   t;
      automatic int         lane, to, len;
      automatic bit         go, unused_bits;
      // Random traffic goes to one lane for a while, so that its exit queue fills.
      lane = mode == ModeLong || mode == ModeAny && cycle[10] ? 0
             : mode == ModeAny ? $urandom_range(NumPipes - 1) : (s + rotate) % int'(NumPipes);
      to   = mode == ModeTurned ? (lane + 1) % int'(NumPipes)
             : mode == ModeSpread ? $urandom_range(NumPipes - 1) : mode == ModeEach ? -1 : lane;
      len  = mode == ModeAny ? 0 : mode == ModeLong ? Long : mode < ModeTurned ? 64
             : mode != ModeSpread ? size
             : $urandom_range(1) == 0 ? $urandom_range(250, 150)
             : $urandom_range(Longest < 1500 ? Longest : 1500, Longest < 1500 ? Longest - 200 : 1300);
      go     = running && (credits[lane][s] > 0 || mutant == 9);
      case (mode)
        ModeAny:    go &= cycle[9:8] == 0 ? $urandom_range(15) < 12          // in bursts
                                          : $urandom_range(16 * HeaderSteps - 1) == 0;
        ModeShort:  go &= cycle % Steps == 0;
        ModeLong:   go &= s == 0;
        ModeSingle: go &= s == 0 && cycle % 64 == 0;
        ModeOff:    go = 1'b0;
        default:    go &= cycle >= next_at[s];
      endcase
      // Not in one condition: Verilator calls functions whether && needs them or not.
      if (go && mode == ModeSpread) go = 0 != output_room(lane, to);
      if (go)
        go = 0 != output_new(lane, s, len, to, int'(Num2B), int'(Num4B), int'(Num6B), fields, cont,
                             program_end);
      if (go && mode >= ModeTurned)
        next_at[s] = cycle + cycles_of(len) * (mode == ModeEach ? int'(NumPipes) : 1);
      if (go) begin
        unused_bits = ^{fields, cont, program_end};
        t = '0;
        t.valid   = 1'b1;
        t.pipe    = pipe_t'(lane);
        t.packet.tag = tag_t'(fields[160 +: 32]);
        t.packet.phv.meta.lane    = pipe_t'(lane);
        t.packet.phv.meta.hdr     = hdr_t'(fields[31:0]);
        t.packet.phv.meta.len     = len_t'(fields[63:32]);
        t.packet.phv.meta.dest    = fields[71:64];
        t.packet.phv.meta.discard = fields[96];
        t.packet.phv.meta.mark    = fields[97];
        t.packet.phv.meta.vid_high = (8-RowBits)'($urandom);
        t.packet.phv.meta.overlay  = overlay_t'(fields[135:128]);
        t.packet.phv.cont         = cont[$bits(containers_t)-1:0];
        capsule = $bits(capsule)'({64{$urandom}});
        {capsule.known, capsule.report, capsule.fault, capsule.returned, capsule.complete, capsule.valid} = program_end[5:0];
        capsule.length    = program_end[13:8] + 6'(mutant == 18 && program_end[13:8] != 6'd42);
        if (mutant == 19) capsule.report = 1'b0;
        capsule.more      = 1'b0;                  // nothing goes on in a further pass
        capsule.id          = id_t'($urandom);
        capsule.first_fault = $urandom_range(3) == 0;
        if (capsule.valid && capsule.first_fault) faults[capsule.id]++;
        capsule.data      = program_end[159:32];
        capsule.tuple.src = program_end[191:160];
        capsule.tuple.dst = program_end[223:192];
        t.packet.phv.capsule = capsule_bits_t'(capsule);
        unused_bits = ^{unused_bits, capsule};
        transit[s] <= t;
        next_ticket <= fields[160 +: 32] + 1 + $urandom_range(int'(TagSpan) - int'(NumPipes) - 1);
        tickets++;
        pushed <= pushed + tickets;
        credits[lane][s]--;
        if (mode == ModeSingle) first_push <= cycle;
      end
    end
    for (int l = 0; l < NumPipes; l++)
      for (int s = 0; s < NumPipes; s++)
        if (running && freed[l][s]) credits[l][s]++;
    for (int l = 0; l < NumPipes; l++) if (running && departed[l]) departures++;
    if (mode == ModeShort && cycle % Steps == 0) rotate <= rotate + 1;
  end

  // ---- packet buffers: one body reader for each (lane, output lane). As in the chip,
  // a reader has one body in work and one that waits; the readers of a lane share its body store,
  // which gives one beat a cycle, body after body in turn; the first beat comes 5 cycles after an
  // idle reader's request.
  hdr_t  asked [Lanes][Lanes][$];     // slots asked for; the first is in work
  int    due [Lanes][Lanes][$];       // cycle in which it can be read
  hdr_t  sent_slot [NumPipes][NumPipes];    // whose beat is on rsp
  int    next_beat [NumPipes][NumPipes];
  int    read_turn [NumPipes];
  always_ff @(posedge clk) begin
    if (!running) begin
      for (int l = 0; l < NumPipes; l++) begin
        read_turn[l] = 0;
        for (int o = 0; o < NumPipes; o++) begin
          next_beat[l][o] = 0;
          rsp[l].body[o] <= '0;
        end
      end
    end else begin
      for (int l = 0; l < NumPipes; l++) begin
        automatic bit read = 1'b0;
        automatic int first;
        // A store that rests, or one that has given its beat.
        if (mode == ModeAny && $urandom_range(3) == 0 || mutant == 11 && cycle[0]) read = 1'b1;
        first = read_turn[l];
        for (int i = 0; i < NumPipes; i++) begin
          automatic int         o = (first + i) % int'(NumPipes);
          automatic bit [511:0] data;
          automatic bit         last, unused_bits;
          if (rsp[l].body[o].beat_valid && req[l].body[o].beat_ready && rsp[l].body[o].beat_last)
            if (output_released(l, 32'(sent_slot[l][o])) != 0) $fatal(1, "cycle %0d", cycle);
          if (req[l].body[o].valid && rsp[l].body[o].ready) begin
            if (output_request(l, 32'(req[l].body[o].slot)) != 0) $fatal(1, "cycle %0d", cycle);
            asked[l][o].push_back(req[l].body[o].slot);
            due[l][o].push_back(cycle + 4);
            if (mutant == 12 && l == 0 && next_beat[l][o] == 0 && asked[l][o].size() == 2)
              asked[l][o].push_back(asked[l][o].pop_front());
          end
          if (!rsp[l].body[o].beat_valid || req[l].body[o].beat_ready) begin
            rsp[l].body[o].beat_valid <= 1'b0;
            if (!read && asked[l][o].size() != 0) if (cycle >= due[l][o][0]) begin
              read = 1'b1;
              read_turn[l] = o;
              sent_slot[l][o] = asked[l][o][0];
              last = 1'(output_body(l, 32'(sent_slot[l][o]), next_beat[l][o], data));
              next_beat[l][o]++;
              if (last) begin
                read_turn[l] = (o + 1) % int'(NumPipes);
                void'(asked[l][o].pop_front());
                void'(due[l][o].pop_front());
                next_beat[l][o] = 0;
              end
              rsp[l].body[o].beat_valid <= 1'b1;
              rsp[l].body[o].beat_last  <= last;
              rsp[l].body[o].beat  <= data[BeatBits-1:0];
              unused_bits = ^data;
            end
          end
          rsp[l].body[o].ready <= asked[l][o].size() < (mutant == 10 ? 1 : 2)
                             && (mode != ModeAny || $urandom_range(1) == 0);
        end
      end
    end
  end

  // ---- header reads, fates, beats: in this order, as the model counts
  hdr_t header_of_slot [NumPipes];          // that is read, step by step
  int   next_step [NumPipes];
  hdr_t headers_read [Lanes][$];         // all steps read, fate not told
  row_t rows_left [Lanes][$];            // all tables read, fate not told

  // The steps of a header are read one after the other, without a gap; the next cycle has the data,
  // and only that one.
  task automatic read_header(int l);
    bit [1023:0] whole;
    bit          unused_bits;
    header[l] <= {StepBits/32{$urandom}};
    if (next_step[l] != 0 && !header_req[l].valid)
      $fatal(1, "cycle %0d, lane %0d: step %0d of a header is not read", cycle, l, next_step[l]);
    if (!header_req[l].valid) return;
    if (next_step[l] == 0) header_of_slot[l] = header_req[l].slot;
    if (32'(header_req[l].step) != next_step[l] || header_req[l].slot != header_of_slot[l])
      $fatal(1, "cycle %0d, lane %0d: step %0d of slot %0d is read, should be %0d of %0d", cycle, l,
             header_req[l].step, header_req[l].slot, next_step[l], header_of_slot[l]);
    output_header(l, 32'(header_req[l].slot), whole);
    unused_bits = ^whole;
    header[l] <= whole[StepBits*(next_step[l] ^ 32'(mutant == 14)) +: StepBits];
    next_step[l] = (next_step[l] + 1) % Steps;
    if (next_step[l] == 0) headers_read[l].push_back(header_req[l].slot);
  endtask

  always_ff @(posedge clk) begin
    if (running) begin
      for (int l = 0; l < NumPipes; l++) begin
        read_header(l);
        if (req[l].copies.valid != probe[l].done || drop[l].valid != probe[l].done)
          $fatal(1, "cycle %0d: copies, or a count, without fate", cycle);
        if (leave[l].valid) rows_left[l].push_back(row_t'(leave[l].overlay));
        if (probe[l].done) begin
          if (rows_left[l].size() == 0) $fatal(1, "cycle %0d, lane %0d: a fate before all tables were read", cycle, l);
          if (rows_left[l].pop_front() != drop[l].row) $fatal(1, "cycle %0d, lane %0d: tables are read of another row", cycle, l);
          if (headers_read[l].size() == 0)
            $fatal(1, "cycle %0d, lane %0d: a fate before its header was read", cycle, l);
          if ((req[l].copies.none && mutant != 26) != (req[l].copies.count == '0))
            $fatal(1, "cycle %0d, lane %0d: none is not told as a count of 0 is", cycle, l);
          if (headers_read[l].pop_front() != req[l].copies.slot)
            $fatal(1, "cycle %0d, lane %0d: fates in another order than headers", cycle, l);
          if (output_fate(l, 32'(probe[l].reason), probe[l].ticket, 64'(probe[l].accepted),
                          64'(probe[l].refused), 32'(req[l].copies.slot), 32'(req[l].copies.count),
                          32'(drop[l].row), 32'(drop[l].reason), 32'(drop[l].full),
                          32'(probe[l].deep), 32'(probe[l].held)) != 0)
            $fatal(1, "cycle %0d", cycle);
        end
      end
      if (output_admitted() != 0) $fatal(1, "cycle %0d", cycle);
      for (int l = 0; l < NumPipes; l++) begin
        if (tx[l].valid) begin
          last_beat <= cycle;
          if (first_beat < 0) first_beat <= cycle;
        end
        if (tx[l].valid && tx_ready[l]) begin
          beats++;
          if (tx[l].last) copies_sent++;
          if (output_beat(l, 32'(tx[l].port), 32'(tx[l].last), tx[l].ticket,
                          64'(tx[l].keep), 512'(tx[l].data)) != 0)
            $fatal(1, "cycle %0d", cycle);
        end
        tx_ready[l] <= $urandom_range(7) < ready_of_8;
        // A copy that has just come needs a moment.
        backlog[l] = output_waits(l) == 0 ? 0 : backlog[l] + 1;
        if (backlog[l] > StartCycles) busy_cycles++;
      end
    end else begin
      tx_ready <= '1;
      for (int l = 0; l < NumPipes; l++) next_step[l] = 0;
    end
  end

  /* verilator lint_on BLKSEQ */

  // ---- control
  function automatic chain_header_t header_of(
    chain_e op, logic [2:0] resource, logic [3:0] sub, int index, int copy);
    chain_header_t h;
    if (index > 65535 || copy > 255) $fatal(1, "no such index or copy");
    h = '0;
    h.op       = op;
    h.resource = resource;
    h.sub      = sub;
    h.index    = 16'(index);
    h.copy     = 8'(copy);
    h.count    = 8'd1;
    return h;
  endfunction

  task automatic refused(string what, chain_header_t message);
    exchange(message, no_words);
    if (reply_words.size() != 0 || reply.op != ChainRefused) fail(what);
  endtask

  task automatic table_test(
    int kind, logic [2:0] resource, logic [3:0] sub, int from, int rows, int words);
    bit [191:0]  bits;
    logic [63:0] entry [$];
    for (int r = from; r < rows; r++) begin
      output_table(kind, r, 0, bits);
      entry.delete();
      for (int w = 0; w < words; w++) entry.push_back(bits[191-64*w -: 64]);
      exchange(header_of(ChainWrite, resource, sub, r, 0), entry);
      if (reply_words.size() != 0 || reply.op != ChainWrite)
        $fatal(1, "table %0d: write refused", kind);
    end
    for (int r = 0; r < rows; r += mutant == 8 || r < 8 ? 1 : 13) begin
      output_table(kind, r, 1, bits);
      exchange(header_of(ChainRead, resource, sub, r, r % int'(NumPipes)), no_words);
      if (reply_words.size() != words || reply.op != ChainAnswer)
        $fatal(1, "table %0d row %0d: no answer of %0d words", kind, r, words);
      for (int w = 0; w < words; w++)
        if (reply_words[w] != bits[191-64*w -: 64])
          $fatal(1, "table %0d row %0d: reads %x, should be %x", kind, r, reply_words[w],
                 bits[191-64*w -: 64]);
    end
    refused($sformatf("table %0d: row too many", kind),
            header_of(ChainRead, resource, sub, rows, 0));
    refused($sformatf("table %0d: copy too many", kind),
            header_of(ChainRead, resource, sub, 0, int'(NumPipes)));
  endtask

  task automatic csr_check(logic [19:0] base, int n, int block, int registers);
    for (int r = 0; r < registers; r++) if (block == 0 || r != 3) begin   // EXIT.HIGH_QUEUE is not in the model
      int waited = 0;
      csr_req = '{valid: 1'b1, write: 1'b0, addr: base + 20'(64 * n + 4 * r), wdata: '0};
      @(negedge clk);
      csr_req = '0;
      do begin
        @(negedge clk);
        waited++;
        if (waited > 32) $fatal(1, "no answer from register %0d of %0d, block %0d", r, n, block);
      end while (!csr_rsp.valid);
      if (csr_rsp.refused || csr_rsp.rdata != output_count(block, n, r))
        $fatal(1, "block %0d, %0d: register %0d is %0d, should be %0d", block, n, r, csr_rsp.rdata,
               output_count(block, n, r));
    end
  endtask

  // What CAPSULES.FAULTS says of each id; and nothing is answered that is not asked.
  task automatic faults_check();
    for (int id = 0; id < int'(ActiveIds); id++) begin
      csr_req = '{valid: 1'b1, write: 1'b0, wdata: '0,
                  addr: BlockCapsulesBase + BlockCapsulesStride * 20'(id) + 20'(RegCapsulesFaults)};
      for (int waited = 0; waited < 8; waited++) begin
        @(negedge clk);
        csr_req.valid = 1'b0;
        if (csr_rsp.valid != (waited == 1)
            || (waited == 1 && (csr_rsp.refused || csr_rsp.rdata != faults[id])))
          $fatal(1, "id %0d: %0d faults, should be %0d (valid %b)", id, csr_rsp.rdata, faults[id],
                 csr_rsp.valid);
      end
    end
  endtask

  task automatic drain();
    int waited = 0;
    mode = ModeOff;
    repeat (12) @(negedge clk);
    while (output_left() != 0) begin
      @(negedge clk);
      waited++;
      if (waited > 40000) $fatal(1, "%0d packets are left", output_left());
    end
    repeat (4) @(negedge clk);
  endtask

  // Offers the wires all they can carry; in the cycles in which a copy waits for a wire, it must be
  // busy to so many parts of 1,000, rests apart.
  task automatic rate_test(mode_e which, int bytes, int cycles_each, int wanted);
    int sent_then, busy_then, drops_before;
    drops_before = output_drops();
    size = bytes;
    mode = which;
    repeat (400) @(negedge clk);
    sent_then = beats;
    busy_then = busy_cycles;
    repeat (cycles_each) @(negedge clk);
    sent_then = beats - sent_then;
    busy_then = busy_cycles - busy_then;
    if (bytes != 0) wanted = wanted * ((bytes + Beat - 1) / Beat) / cycles_of(bytes);
    $display("%s, %0d bytes: %0d beats in %0d busy cycles of %0d", which.name(), bytes, sent_then,
             busy_then, cycles_each * int'(NumPipes));
    if (sent_then * 1000 < busy_then * wanted || busy_then * 10 < cycles_each * int'(NumPipes) * 8)
      $fatal(1, "%s, %0d bytes: %0d beats in %0d busy cycles of %0d", which.name(), bytes,
             sent_then, busy_then, cycles_each * int'(NumPipes));
    if (output_drops() != drops_before) $fatal(1, "%s, %0d bytes: drops", which.name(), bytes);
    drain();
  endtask

  initial begin
    int drops_then, short_rate, long_gap, latency;
    int sizes [9] = '{64, 65, Head, Head + 1, Head + Beat, Head + Beat + 1, Head + 2 * Beat,
                      Longest < 1472 ? Longest / 2 : 1472, Longest};
    read_arguments(4000 * int'(HeaderSteps));
    output_setup(int'(NumPipes), int'(NumPorts), int'(OutputDepth), int'(Slots), Head, Beat,
                 Overlays, int'(NumModules), int'(ParseActions), int'(Checksums), Longest,
                 Active != 0 ? int'(BackStages) : 0, int'(Recirculation),
                 int'(OutputQueues), seed);
    settings = '0;
    chain_in = '0;
    csr_req  = '0;
    next_ticket = '0;
    for (int l = 0; l < NumPipes; l++)
      for (int s = 0; s < NumPipes; s++) credits[l][s] = int'(BankDepth);
    release_reset(4);
    running = 1'b1;
    settings.exit.init = 1'b1;
    for (int i = 0; i < 300; i++) begin
      settings.exit.init_index = 16'(i);
      @(negedge clk);
    end
    settings.exit.init = 1'b0;
    settings.exit.ready = 1'b1;
    @(negedge clk);

    table_test(0, TableDeparserModule, 4'd7, 0, Overlays, 3);
    table_test(1, TableDeparseOptModule, TableDeparseOptSub, 0, Overlays, 1);
    table_test(2, TablePortMaskModule, TablePortMaskSub, int'(NumPorts), 256, 1);
    // The first rows keep their reset value: all ports.
    table_test(3, TableModulePortsModule, TableModulePortsSub, (Overlays + 1) / 2, Overlays, 1);
    if (OutputClasses != 0)
      table_test(4, TableOutputClassModule, TableOutputClassSub, 4, int'(NumModules), 1);

    // Class 0 has no threshold.
    for (int c = 1; c < int'(OutputQueues); c++) begin
      settings.exit.class_ecn[c] = 11'(1 + 4 * (c - 1));
      output_ecn(c, 1 + 4 * (c - 1));
    end

    // random traffic: more than the lines can carry, so that queues fill
    ready_of_8 = 6;
    mode = ModeAny;
    repeat (cycles) @(negedge clk);
    drain();
    drops_then = output_drops();
    if (drops_then == 0) $fatal(1, "random traffic never filled a queue");
    if (OutputClasses != 0 && output_marked() == 0) $fatal(1, "random traffic met no deep queue");

    settings.tm.output_limit = 11'd5;
    output_limit(5);
    ready_of_8 = 3;
    mode = ModeAny;
    repeat (cycles) @(negedge clk);
    drain();
    settings.tm.output_limit = '0;
    output_limit(0);

    // one 64-byte packet a lane and cycle, or as often as headers are read
    ready_of_8 = 8;
    drops_then = output_drops();
    repeat (2) @(negedge clk);
    mode = ModeShort;
    repeat (40) @(negedge clk);
    short_rate = copies_sent;
    repeat (400 * Steps) @(negedge clk);
    short_rate = copies_sent - short_rate;
    drain();
    if (output_drops() != drops_then) $fatal(1, "drops at the rate of the lanes");
    if (short_rate != 400 * int'(NumPipes)) $fatal(1, "%0d copies in %0d cycles", short_rate, 400 * Steps);

    // long packets: no gap between the first beat and the last but one
    mode = ModeLong;
    first_beat = -1;
    beats = 0;
    repeat (30 * Steps) @(negedge clk);
    mode = ModeOff;
    drain();
    long_gap = last_beat - first_beat + 1 - beats;
    if (long_gap > Rest * (beats / 10 - 1)) $fatal(1, "%0d beats in %0d cycles", beats, last_beat - first_beat + 1);

    // alone
    @(negedge clk);
    mode = ModeSingle;
    first_beat = -1;
    do @(negedge clk); while (first_beat < 0);
    latency = first_beat - first_push - 1;   // it was set up in the cycle before it was seen
    drain();
    if (latency > 8 + CapsuleCycles) $fatal(1, "latency %0d", latency);

    for (int i = 0; i < 9; i++) rate_test(ModeTurned, sizes[i], 1000, 1000);
    for (int i = 0; i < 8; i++) rate_test(ModeEach, sizes[i], 1000, 990);
    // Without bodies ahead two output lanes that send bodies of one lane share its store as they go.
    rate_test(ModeSpread, 0, 32000, Rest == 0 ? 980 : 750);   // of any length: long runs

    if (Active != 0) faults_check();
    for (int p = 0; p < NumPorts; p++) csr_check(BlockPortBase, p, 0, 4);
    for (int l = 0; l < NumPipes; l++) csr_check(BlockExitBase, l, 1, OutputClasses == 0 ? 6 : 8 + int'(OutputQueues));
    for (int l = 0; l < NumPipes; l++)
      for (int s = 0; s < NumPipes; s++)
        if (credits[l][s] != int'(BankDepth))
          $fatal(1, "lane %0d, source %0d: %0d credits", l, s, credits[l][s]);
    if (departures != pushed) $fatal(1, "%0d departures of %0d packets", departures, pushed);
    pass($sformatf("%0d packets, %0d copies, %0d drops, latency %0d",
                   pushed, copies_sent, output_drops(), latency));
  end
endmodule : tb_sluice_tm
