// SPDX-License-Identifier: Apache-2.0

/// sluice_egress_lanes against a C model of parser, stages with state, deparser and checksums:
/// random copies of 64 to 700 bytes from the queues of all lanes, whose bytes, fate and order are
/// compared. Phases: one copy alone (latency); 64-byte copies and a wire that is always ready
/// (rate); random copies and a wire that rests; the same with long rests. Each begins with new
/// tables, has control accesses to state and tables beside the copies, and ends with a read of all
/// state of all lanes. In a chip with capsules something is taken out of every second copy.
/// +seed=N, +phases=N.
/// +break=N: see breaks.
module tb_sluice_egress
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_exit_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_probe_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_stage_pkg::*;
;
  import "DPI-C" function void egress_open(
    input int lanes, input int ports, input int stages, input int first_stage, input int modules,
    input int b2, input int b4, input int b6, input int rows, input int slots, input int actions,
    input int shifters, input int checksums, input int capsules, input int seed);
  import "DPI-C" function void egress_phase(input int quiet);
  import "DPI-C" function void egress_control();
  import "DPI-C" function void egress_read_all();
  import "DPI-C" function int egress_word(
    input int taken, output int first, output int last, output bit [63:0] data);
  import "DPI-C" function int egress_answer(input int first, input int last, input bit [63:0] data);
  import "DPI-C" function int egress_messages();
  import "DPI-C" function void egress_new(
    input int lane, input int brief, input int cycle, output bit [6:0][31:0] fields,
    output bit [7:0][31:0] depth_in, output bit [7:0][31:0] waiting, output bit [1023:0] header);
  import "DPI-C" function int egress_in(input int lane, output bit [511:0] data);
  import "DPI-C" function int egress_fate(
    input int lane, input int ticket, input int port, input int dropped, input int row,
    input int counted);
  import "DPI-C" function int egress_out(
    input int lane, input int port, input int last, input int ticket, input bit [63:0] keep,
    input int len, input bit [511:0] data);
  import "DPI-C" function int egress_left();
  import "DPI-C" function void egress_totals(output bit [3:0][31:0] totals);

  `include "bench.svh"
  `include "chain.svh"
  int   phases = 12;

  // ---- DUT
  stage_settings_t                    settings;
  logic [NumPipes-1:0]                room;
  start_t [NumPipes-1:0]              start, dut_start;
  sent_t [NumPipes-1:0]               left, sent;
  logic [NumPorts-1:0][15:0]          waiting, dut_waiting;
  tx_beat_t line [NumPipes], dut_line [NumPipes], tx [NumPipes];
  logic [NumPipes-1:0]                tx_ready;
  drop_t [NumPipes-1:0]               drop;
  bank_event_t [NumPipes-1:0]         past, past_q;      // and what it was a cycle before
  logic [NumPorts-1:0]                discarded;
  probe_egress_t [NumPipes-1:0]       probe;
  chain_t                             dut_chain_in;
  logic                               fill_busy;
  start_t [NumPipes-1:0]              earlier;           // the copy before
  logic [NumPipes-1:0]                lose;             // a copy was dropped: the next beat is lost

  always_comb begin
    chain_header_t header;
    bit            unused_bits;
    dut_start      = start;
    dut_waiting    = waiting;
    dut_line       = line;
    dut_chain_in   = chain_in;
    header         = chain_header_t'(chain_in.data);
    for (int l = 0; l < NumPipes; l++) begin
      beside_copy_t mine, last;
      mine = start[l].egress;
      last = earlier[l].egress;
      unused_bits = ^last;
      if (mutant == 1) dut_start[l].header = earlier[l].header;
      if (mutant == 16) dut_start[l].cutout = earlier[l].cutout;
      if (mutant == 17) dut_start[l].header = moved[l];
      if (mutant == 5) mine.accepted = last.accepted;
      if (mutant == 12) mine.depth_in = {mine.depth_in[0], mine.depth_in[PortsPerLane-1:1]};
      if (mutant == 13) mine.copies[0] = 1'b1;
      dut_start[l].egress = mine;
      if (mutant == 2 && lose[l] && !was_start[l]) dut_line[l].valid = 1'b0;
    end
    if (mutant == 4) dut_waiting = {waiting[0], waiting[NumPorts-1:1]};
    if (mutant == 7 && chain_in.first && header.resource == 3'd4 && header.sub == 4'd3
        && header.op == ChainRead) begin
      header.copy[0]    = !header.copy[0];
      dut_chain_in.data = header;
    end
    if (mutant == 11 && !chain_in.first) dut_chain_in.data[60] = !chain_in.data[60];
  end

  logic [NumPipes-1:0][HeaderBits-1:0] moved;
  for (genvar l = 0; l < NumPipes; l++) begin : gen_moved
    sluice_header_move u_move (
      .header_i(start[l].header), .cutout_i(start[l].cutout), .header_o(moved[l])
    );
  end

  sluice_egress_lanes u_dut (
    .clk_i(clk), .rst_ni(rst_n), .settings_i(settings), .cycle_i(now),
    .room_o(room), .start_i(dut_start), .left_i(left), .waiting_i(dut_waiting),
    .line_i(dut_line),
    .tx_o(tx), .tx_ready_i(mutant == 10 ? '1 : tx_ready),
    .sent_o(sent), .drop_o(drop), .past_o(past), .discarded_o(discarded), .probe_o(probe),
    .chain_i(dut_chain_in), .chain_ready_o(chain_in_ready),
    .chain_o(chain_out), .chain_ready_i(chain_out_ready), .fill_busy_o(fill_busy)
  );

  // ---- what is offered
  int  load, rests, brief;              // of 16 cycles, about: a beat comes, the wire rests
  bit  copies;                          // copies may begin
  bit [NumPipes-1:0] in_copy, loads, was_start;
  int  started, first_start, first_beat, messages, wait_cycles;
  int  rate_beats, rate_cycles, missing [NumPipes];
  int  sent_beats [NumPipes];           // that have left the queues

  task automatic offer(int l);
    bit [6:0][31:0] fields;
    bit [7:0][31:0] depth_in, depths;
    bit [1023:0]    header;
    bit [511:0]     data;
    beside_copy_t   beside;
    bit             go, unused_bits;
    // what has left the queues is on the line a cycle later
    line[l].valid = loads[l];
    was_start[l]  = start[l].valid;
    if (start[l].valid) earlier[l] = start[l];
    start[l].valid = 1'b0;
    left[l]        = '0;
    for (int p = l; p < NumPorts; p += NumPipes) waiting[p] = 16'($urandom);
    go = room[l];
    if (mutant == 3) begin              // one beat more than there is room for
      missing[l] = room[l] ? 0 : missing[l] + 1;
      go = go || missing[l] == 3;
    end
    go = go && $urandom_range(15) < load && (copies || in_copy[l]);
    loads[l] = go;
    if (!go) return;
    sent_beats[l]++;
    if (!in_copy[l]) begin
      egress_new(l, brief, now, fields, depth_in, depths, header);
      unused_bits = ^{fields, depth_in, depths, header};
      beside.vid_high = fields[2][7:RowBits];
      beside.overlay  = overlay_t'(row_t'(fields[2]));
      beside.accepted = fields[3];
      beside.copies   = fields[4][NumPorts-1:0];
      for (int n = 0; n < PortsPerLane; n++) begin
        beside.depth_in[n] = depth_t'(depth_in[n]);
        if (n * NumPipes + l < NumPorts) waiting[n*NumPipes+l] = depths[n][15:0];
      end
      start[l] = '{valid: 1'b1, ticket: fields[5], len: len_t'(fields[0]),
                   cutout: cutout_t'(fields[6]),
                   port: fields[1][PortsPerLane-1:0], egress: beside,
                   header: header[StepBits-1:0]};
      started++;
      if (first_start < 0) first_start = now;
    end
    // The beat is driven in the next cycle: line_data is what the line register takes.
    in_copy[l]    = egress_in(l, data) == 0;
    next_last[l] = !in_copy[l];
    next_data[l] = data;
    left[l]      = '{valid: !in_copy[l], port: '0, len: start[l].len};
  endtask
  bit [NumPipes-1:0]               next_last;
  bit [NumPipes-1:0][BeatBits-1:0] next_data;

  // One cycle: what is seen in it, what is driven in the next.
  task automatic step();
    int            first, last;
    bit [63:0]     data;
    chain_header_t header;
    bit            unused_bits;
    @(negedge clk);
    for (int l = 0; l < NumPipes; l++) begin
      // All tables have been read for a copy a cycle before its fate is told.
      if (past_q[l].valid != probe[l].done
          || (drop[l].valid && (row_t'(past_q[l].overlay) != drop[l].row || !drop[l].known
                                || drop[l].reason != DropEgress)))
        $fatal(1, "cycle %0d, lane %0d: past the tables", now, l);
      past_q[l] = past[l];
      if (mutant == 15) past_q[l].overlay = past[l].overlay ^ overlay_t'(1);
      if (probe[l].done) begin
        if (egress_fate(l, probe[l].done_ticket, 32'(probe[l].done_port), 32'(probe[l].dropped),
                        32'(drop[l].row), 32'(drop[l].valid)) != 0)
          $fatal(1, "cycle %0d: a fate", now);
        lose[l] = lose[l] || probe[l].dropped;
      end
      if (tx[l].valid && first_beat < 0) first_beat = now;
      if (tx[l].valid && tx_ready[l]) begin
        if (egress_out(l, 32'(tx[l].port), 32'(tx[l].last), tx[l].ticket, tx[l].keep,
                       32'(sent[l].len), tx[l].data) != 0)
          $fatal(1, "cycle %0d: a beat", now);
        rate_beats++;
      end
      if (sent[l].valid != (tx[l].valid && tx_ready[l] && tx[l].last)
          || (sent[l].valid && sent[l].port != tx[l].port)
          || probe[l].enter != start[l].valid || probe[l].left != left[l].valid)
        $fatal(1, "cycle %0d: an event", now);
      for (int p = l; p < NumPorts; p += NumPipes)
        if (discarded[p] != (drop[l].valid && probe[l].done_port == 8'(p)))
          $fatal(1, "cycle %0d: a count of a port", now);
    end
    rate_cycles++;
    // the chain
    if (chain_out.valid && chain_out_ready) begin
      data   = chain_out.data;
      header = chain_header_t'(data);
      if (mutant == 7 && chain_out.first && header.resource == 3'd4 && header.sub == 4'd3
          && header.op == ChainAnswer) data[16] = !data[16];
      if (egress_answer(32'(chain_out.first), 32'(chain_out.last), data) != 0)
        $fatal(1, "cycle %0d: an answer", now);
      wait_cycles = 0;
    end
    wait_cycles = egress_messages() == 0 ? 0 : wait_cycles + 1;
    if (wait_cycles > 3000) $fatal(1, "cycle %0d: control waits too long", now);
    @(posedge clk);
    #1;
    now++;
    for (int l = 0; l < NumPipes; l++) begin
      line[l].last = next_last[l];
      line[l].data = next_data[l];
      if (dut_line[l].valid != line[l].valid) lose[l] = 1'b0;
      offer(l);
      tx_ready[l] = $urandom_range(15) >= rests;
    end
    chain_in = '0;
    if (egress_word(32'(chain_taken), first, last, data) != 0)
      chain_in = '{valid: 1'b1, first: 1'(first), last: 1'(last), data: data};
    unused_bits = ^{first, last, header};
    chain_out_ready = $urandom_range(3) != 0;
  endtask

  task automatic drain();
    int waited = 0, left_over, asked;
    copies = 1'b0;
    load   = 16;
    forever begin
      left_over = egress_left();
      asked     = egress_messages();
      if (left_over == 0 && asked == 0 && in_copy == '0) break;
      step();
      waited++;
      if (waited > 40000) $fatal(1, "cycle %0d: %0d copies and %0d messages are left", now,
                                 egress_left(), egress_messages());
    end
    // A FILL goes on behind its answer.
    waited = 0;
    while (fill_busy) begin
      step();
      waited++;
      if (waited > 40000) $fatal(1, "cycle %0d: a FILL does not end", now);
    end
  endtask

  task automatic traffic(int count, int control);
    int begun = now;
    copies = 1'b1;
    while (now < begun + count) begin
      step();
      if (control != 0 && egress_messages() == 0 && $urandom_range(control) == 0) begin
        egress_control();
        messages++;
      end
    end
  endtask

  initial begin
    bit [3:0][31:0] totals;
    past_q = '0;
    read_arguments();
    void'($value$plusargs("phases=%d", phases));
    settings = '0;
    if (mutant == 6)  settings.fault[FaultNoForward]   = 1'b1;
    if (mutant == 8)  settings.fault[FaultEgressStale] = 1'b1;
    if (mutant == 9)  settings.fault[FaultEgressKeep]  = 1'b1;
    if (mutant == 14) settings.fault[FaultNoBounds]    = 1'b1;
    {start, left, waiting, earlier, lose} = '0;
    line = '{default: '0};
    {in_copy, loads, was_start, next_last, next_data} = '0;
    {tx_ready, chain_out_ready} = '0;
    {load, rests, brief, copies, started, messages, wait_cycles} = '0;
    egress_open(int'(NumPipes), int'(NumPorts), int'(EgressStages), int'(BackStages + FrontStages),
                int'(NumModules), int'(Num2B), int'(Num4B), int'(Num6B), int'(MatchEntries),
                int'(SlotsPerPipe), int'(ParseActions), int'(Shifters), int'(Checksums),
                int'(Active), seed);
    repeat (3) @(posedge clk);
    #1;
    rst_n = 1'b1;
    settings.init = 1'b1;
    for (int i = 0; i < 1024; i++) begin
      settings.init_index = 16'(i);
      @(posedge clk);
      #1;
    end
    settings.init = 1'b0;
    for (int phase = 0; phase < phases; phase++) begin
      first_start = -1;
      first_beat  = -1;
      egress_phase(32'(phase % 5 < 2));
      drain();
      case (phase % 5)
        0: begin                        // one copy
          {load, rests, brief} = {32'd16, 32'd0, 32'd1};
          copies = 1'b1;
          while (started == 0 || first_start < 0) step();
          drain();
          if (first_beat - first_start != int'(EgressCycles + 1 + Active))
            $fatal(1, "a copy is on the wire after %0d cycles", first_beat - first_start);
        end
        1: begin                        // a 64-byte copy a cycle
          {load, rests, brief} = {32'd16, 32'd0, 32'd1};
          traffic(100, 0);
          {rate_beats, rate_cycles} = '0;
          traffic(1000, 0);
          if (rate_beats != rate_cycles * int'(NumPipes))
            $fatal(1, "%0d beats in %0d cycles", rate_beats, rate_cycles);
          traffic(1000, 50);
        end
        2: begin
          {load, rests, brief} = {32'd14, 32'd3, 32'(phase % 10 < 5)};
          traffic(2500, 20);
        end
        3: begin
          {load, rests, brief} = {32'd15, 32'd11, 32'd0};
          traffic(2500, 20);
        end
        default: begin                  // bodies that come late
          {load, rests, brief} = {32'd1, 32'd1, 32'd0};
          traffic(6000, 200);
        end
      endcase
      drain();
      egress_read_all();
      drain();
    end
    // The wire stands still: the queues send as many beats as there is room for
    // (docs/blocks/tm.md). In a chip with capsules some more wait in front of the wire.
    egress_phase(1);
    drain();
    {load, rests, brief} = {32'd16, 32'd16, 32'd0};
    sent_beats = '{default: 0};
    traffic(8 * int'(EgressRoom), 0);
    for (int l = 0; l < int'(NumPipes); l++)
      if (sent_beats[l] < int'(EgressRoom) || (Active == 0 && sent_beats[l] > int'(EgressRoom)))
        $fatal(1, "lane %0d: %0d beats, there is room for %0d", l, sent_beats[l], EgressRoom);
    rests = 0;
    drain();
    egress_totals(totals);
    pass($sformatf("%0d copies, %0d discarded, %0d operations, %0d accesses, %0d cut, latency %0d",
                   totals[0], totals[1], totals[2], messages, totals[3], int'(EgressCycles)));
  end
endmodule : tb_sluice_egress
