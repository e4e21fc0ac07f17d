// SPDX-License-Identifier: Apache-2.0

/// A column of back units (one a pipeline) with its chain node and table map against the model in
/// stage_model.h: random tables, packets at up to one a cycle, most of them on few state slots;
/// control reads, writes and fills of state in between. Every packet, reply and event is compared,
/// and at the end the whole memory. +seed=N  +phases=N  +break=N (see file breaks): 1 a packet
/// without an access gets one, 2 the slot is off by one, 3 the state unit does not forward, 4
/// segments are not checked, 5 one bit of table writes is wrong, 6 only unit 0 says when a write is
/// done, 7 units do not wait for each other's reads, 8 one bit of a container is wrong, 9 unit 0
/// believes that it is pipeline 1, 10 refused writes are not reported, 11 nobody heeds hold,
/// 13 packets of unit 0 say bank 0.
module tb_sluice_back_unit;
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_probe_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_table_pkg::*;
  import sluice_stage_pkg::*;

  import "DPI-C" function void st_start(input int back, input int pipes, input int ports,
    input int n2, input int n4, input int n6, input int rows, input int modules, input int banks, input int slots, input int granule,
    input int pairs, input int shifters, input int multipliers, input int wide, input int stage, input int cycles, input int seed, input int phases);
  import "DPI-C" function int st_begin();
  import "DPI-C" function int st_expect(input int pipe);
  import "DPI-C" function longint st_result(input int pipe, input int kind, input int i);
  import "DPI-C" function void st_event(input int pipe, input int kind);
  import "DPI-C" function void st_seen(input int first, input int last, input longint data);
  import "DPI-C" function int st_drive(input int pipe, input int hold);
  import "DPI-C" function longint st_packet(input int pipe, input int kind, input int i);
  import "DPI-C" function int st_word(input int taken, output longint data);
  import "DPI-C" function void st_report();

  localparam stage_t Stage = 5'd1;
  localparam int unsigned Deepest = SlotsPerPipe > MatchEntries ? SlotsPerPipe : MatchEntries;   // at least the entries of both banks

  int phases = 24;
  `include "bench.svh"
  `include "chain.svh"

  // ---- the column
  stage_settings_t settings;
  `include "sweep.svh"
  logic    [NumPipes-1:0] in_valid, in_granted, out_valid, hold, fill_busy;
  unit_event_t [NumPipes-1:0] events;
  packet_t [NumPipes-1:0] in_packet, out_packet;
  slot_t   [NumPipes-1:0] in_slot;
  probe_state_t [NumPipes-1:0] probe;
  logic    [NumPipes-1:0] read_busy, ready, refusal, ctl_read, ctl_write;
  logic                   any_read_busy;
  table_write_t  write, write_seen;
  table_read_t   read;
  table_ready_t  write_ready;
  word_answer_t  answer;
  word_answer_t  answers [NumPipes];

  sluice_table_node #(.Owned(tables_of(ScopeStage) | tables_of(ScopeState))) u_node (
    .clk_i(clk), .rst_ni(rst_n), .stage_i(Stage),
    .chain_i(chain_in), .chain_ready_o(chain_in_ready), .chain_o(chain_out),
    .chain_ready_i(chain_out_ready), .refuse_i(1'b0),
    .write_o(write), .write_ready_i(write_ready), .read_o(read), .answer_i(answer)
  );

  for (genvar p = 0; p < NumPipes; p++) begin : gen_unit
    table_ready_t unit_ready;
    moved_t       unused_moved;
    mark_request_t unused_ask;
    logic unused_walks;
    row_read_t unused_row_read;
    sluice_back_unit dut (
      .clk_i(clk), .rst_ni(rst_n), .stage_i(stage_t'(Stage)),
      .pipe_i(mutant == 9 && p == 0 ? pipe_t'(1) : pipe_t'(p)), .settings_i(settings),
      .valid_i(in_valid[p]), .packet_i(in_packet[p]),
      .grant_i('{access: in_granted[p] || mutant == 1, slot: in_slot[p] ^ slot_t'(mutant == 2), default: '0}),
      .value_i('0), .moved_o(unused_moved), .row_read_o(unused_row_read),
      .cut_i('0), .walks_o(unused_walks), .ask_o(unused_ask), .marked_i(1'b0),
      .valid_o(out_valid[p]), .packet_o(out_packet[p]), .hold_o(hold[p]),
      .write_i(write_seen), .write_ready_o(unit_ready), .read_i(read), .answer_o(answers[p]),
      .read_busy_o(read_busy[p]), .read_busy_i(any_read_busy && mutant != 7),
      .event_o(events[p]), .fill_busy_o(fill_busy[p]),
      .probe_o(probe[p])
    );
    assign ready[p]     = unit_ready.ready;
    assign refusal[p]   = unit_ready.refused;
    // When control uses the memory: the model follows in the same order. A read is two cycles in
    // front of a write.
    assign ctl_write[p] = dut.gen_state.u_state.u_ctl.mem_write_o.valid && dut.gen_state.u_state.u_ctl.mem_write_free_i;
    assign ctl_read[p]  = dut.gen_state.u_state.u_ctl.pop && dut.gen_state.u_state.u_ctl.head_home;
  end

  assign any_read_busy = |read_busy;
  assign write_ready   = '{ready: mutant == 6 ? ready[0] : &ready,
                           refused: |refusal && mutant != 10};

  always_comb begin
    write_seen = write;
    if (mutant == 5) write_seen.data[EntryBits-3] = !write.data[EntryBits-3];
    answer = '0;
    for (int unsigned p = 0; p < NumPipes; p++) answer |= answers[p];
  end

  // ---- what happened in the cycle before, a read in the one before that
  logic [NumPipes-1:0] read_asked, read_event, write_event;
  always_ff @(posedge clk) begin
    read_asked  <= ctl_read;
    read_event  <= read_asked;
    write_event <= ctl_write;
  end

  function automatic packet_t with_containers(int p, packet_t base, bit result);
    packet_t k;
    k = base;
    k.phv.capsule = '0;
    k.phv.cont = '0;
    for (int i = 0; i < int'(Num2B); i++)
      k.phv.cont.b2[i] = 16'(result ? st_result(p, 1, i) : st_packet(p, 1, i));
    for (int i = 0; i < int'(Num4B); i++)
      k.phv.cont.b4[i] = 32'(result ? st_result(p, 2, i) : st_packet(p, 2, i));
    for (int i = 0; i < int'(Num6B); i++)
      k.phv.cont.b6[i] = 48'(result ? st_result(p, 3, i) : st_packet(p, 3, i));
    k.phv.meta.dest    = 8'(result ? st_result(p, 0, 0) : st_packet(p, 0, 0));
    k.phv.meta.discard = 1'(result ? st_result(p, 0, 1) : st_packet(p, 0, 1));
    return k;
  endfunction

  packet_t sent [NumPipes][16];
  bit      sent_valid [NumPipes][16];
  int      hits = 0, hits_expected = 0;

  task automatic check(int p, int cycle);
    int      e;
    packet_t expected;
    if (out_valid[p] !== sent_valid[p][(cycle - int'(CoreCycles)) & 15])
      $fatal(1, "cycle %0d: valid of pipeline %0d", cycle, p);
    hits += int'(events[p].hit);
    if (!out_valid[p]) begin
      if (events[p].state_op || events[p].refused || probe[p].valid)
        $fatal(1, "cycle %0d: operation without a packet", cycle);
      return;
    end
    e        = st_expect(p);
    hits_expected += int'(e[0]);
    expected = with_containers(p, sent[p][(cycle - int'(CoreCycles)) & 15], 1'b1);
    if (out_packet[p] !== expected)
      $fatal(1, "cycle %0d: packet of pipeline %0d\n  is       %h\n  expected %h", cycle, p,
             out_packet[p], expected);
    if (events[p].state_op != (e[1] && !e[2]) || events[p].refused != e[2] || probe[p].valid != e[1])
      $fatal(1, "cycle %0d: events of pipeline %0d: op %b refused %b, expected %b", cycle, p,
             events[p].state_op, events[p].refused, e[2:0]);
    if (e[1] && (probe[p].refused != e[2] || probe[p].tag != expected.tag
                 || (!e[2] && int'(probe[p].slot) != e >> 8)))
      $fatal(1, "cycle %0d: probe of pipeline %0d", cycle, p);
  endtask

  task automatic drive(int p, int cycle);
    int      d;
    logic [$bits(packet_t)-1:0] noise;
    logic [7:0] vid;
    packet_t k;
    d = st_drive(p, int'(hold[p] && mutant != 11));
    for (int i = 0; i < $bits(packet_t); i++) noise[i] = 1'($urandom);
    k = packet_t'(noise);
    k.phv = kept_phv(k.phv);
    if (d[0]) begin
      k = with_containers(p, k, 1'b0);
      vid = 8'(st_packet(p, 0, 2));
      k.phv.meta.vid_high = vid[7:RowBits];
      k.phv.meta.overlay  = overlay_t'({1'(st_packet(p, 0, 3)), row_t'(vid)});
    end
    sent[p][cycle & 15]       = k;
    sent_valid[p][cycle & 15] = d[0];
    in_valid[p]   = d[0];
    in_packet[p]  = k;
    if (mutant == 13 && p == 0)
      in_packet[p].phv.meta.overlay = overlay_t'(row_t'(k.phv.meta.overlay));
    if (mutant == 8) in_packet[p].phv.cont.b4[1][3] = !k.phv.cont.b4[1][3];
    in_granted[p] = d[1];
    in_slot[p]    = d[3] ? slot_t'(PinnedSlot) : slot_t'(d >> 8);
  endtask

  initial begin
    int         state;
    logic [2:0] w;
    longint     data;
    read_arguments();
    void'($value$plusargs("phases=%d", phases));
    if (CoreCycles >= 16) $fatal(1, "packets are kept for 16 cycles");
    st_start(1, int'(NumPipes), int'(NumPorts), int'(Num2B), int'(Num4B), int'(Num6B),
             int'(MatchEntries), int'(NumModules), int'(Banks), int'(SlotsPerPipe), int'(Granule), int'(StatePairs), int'(Shifters), int'(Multipliers), int'(WideCompare), int'(Stage), int'(CoreCycles), seed, phases);
    settings = '0;
    in_valid = '0;
    in_granted = '0;
    in_slot  = '0;
    for (int p = 0; p < int'(NumPipes); p++) for (int i = 0; i < 16; i++) sent_valid[p][i] = 1'b0;
    release_reset(3);
    sweep(int'(Deepest));
    settings.fault[FaultNoForward] = mutant == 3;
    settings.fault[FaultNoBounds]  = mutant == 4;
    state = 0;
    for (int cycle = 1; state == 0; cycle++) begin
      @(negedge clk);
      state = st_begin();
      for (int p = 0; p < int'(NumPipes); p++) check(p, cycle);
      for (int p = 0; p < int'(NumPipes); p++) begin
        if (write_event[p]) st_event(p, 1);
        if (read_event[p])  st_event(p, 2);
      end
      if (chain_came.size() != 0) begin
        st_seen(int'(chain_came[0].first), int'(chain_came[0].last), longint'(chain_came[0].data));
        void'(chain_came.pop_front());
      end
      for (int p = 0; p < int'(NumPipes); p++) drive(p, cycle);
      w = 3'(st_word(int'(chain_taken), data));
      chain_in = '{valid: w[0], first: w[1], last: w[2], data: data};
      chain_out_ready = $urandom_range(3) != 0;
      if (|fill_busy && !write.valid) $fatal(1, "fill without a write");
    end
    if (state == 2) $fatal(1, "failed");
    if (hits != hits_expected) $fatal(1, "%0d hits counted, %0d expected", hits, hits_expected);
    st_report();
    $finish;
  end
endmodule : tb_sluice_back_unit
