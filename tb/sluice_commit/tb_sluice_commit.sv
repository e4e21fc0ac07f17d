// SPDX-License-Identifier: Apache-2.0

/// Test that a control access to ACCESS, SEGMENT and state is decided once, at the order point, and that
/// the stage does what was decided. The DUT is the order point and back stage 0, joined as in the chip by
/// packets, moves and the daisy chain. Module 5 sends packets whose indices are mostly of pipeline 0, so that
/// indices move; every 1,000 cycles moves are switched off or on, so that all come home and leave again.
/// Meanwhile control rewrites segments and access entries, fills and reads the state of modules 5 and 6.
/// Checked after every message: the copies of the order point's lanes and of the stage's pipelines are
/// equal, and new if and only if the message came back as done; a message for module 6, which sends no packets, is
/// never refused, also while indices of module 5 are away; what was filled is what is read, so no index of module 5
/// was away, or left, during a fill that was done. In a chip with two banks packets and messages take now this, now that one; both
/// have the same array, so what counts is the module, whichever bank a message names.
/// +seed=N, +cycles=N, +break=N (see the file `breaks`).
module tb_sluice_commit
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_probe_pkg::*;
;
  localparam int K = int'(NumPipes);
  localparam int Busy = 5, Quiet = 6, Switch = 1000, Latency = 4;
  localparam logic [15:0] Range = 16'd64;        // entries of a segment, as the traffic has it at least

  localparam int unsigned Cycles = 240000;
  `include "bench.svh"

  // ---- order point and stage 0
  typedef struct packed {
    order_settings_t order;
    move_settings_t  moves;
    stage_settings_t stage;
  } taken_t;
  taken_t                         settings;
  logic     [K-1:0]               arrive;
  item_t    [K-1:0]               item;
  transit_t [K-1:0]               transit, transit_out;
  logic     [K-1:0][K-1:0]        freed, exit_freed;
  logic     [K-1:0]               departed, exit_departed, done_valid;
  phantom_t [K-1:0]               phantom, unused_phantom;
  move_t                          move, unused_move;
  landed_t  [StateStages-1:0]     landed;
  report_t  [StateStages-1:0][K-1:0]       report;
  logic     [StateStages-1:0][K-1:0][15:0] waiting;
  tag_t     [K-1:0]               done_tag;
  chain_t                         chain_in, chain_between, chain_out;
  logic                           chain_in_ready, chain_between_ready, unused_fill_busy;
  csr_rsp_t                       unused_order_rsp, unused_stage_rsp;
  mark_request_t [StateStages-1:0] mark;
  error_t                         error;
  probe_state_t [K-1:0]           unused_state;

  cut_t                           cut;
  logic                           cut_busy;
  logic [NumPipes-1:0]            unused_matched_pop;
  popped_t                          popped;
  order_status_t                  status;
  order_events_t                  unused_event;
  probe_point_t                   unused_probe;
  sluice_order u_order (
    .clk_i(clk), .rst_ni(rst_n), .settings_i(settings.order), .moves_i(settings.moves),
    .arrive_i(arrive), .item_i(item), .matched_i('0), .matched_pop_o(unused_matched_pop), .fill_i('0), .popped_o(popped),
    .transit_o(transit), .freed_i(freed), .departed_i(departed), .phantom_o(phantom), .move_o(move),
    .landed_i(landed), .mark_i(mark), .cut_o(cut), .report_i(report), .waiting_i(waiting),
    .ended_i('{valid: done_valid, tag: done_tag}),
    .chain_i(chain_in), .chain_ready_o(chain_in_ready), .chain_o(chain_between), .chain_ready_i(chain_between_ready),
    .busy_i('{chain: busy && mutant != 3, cut: cut_busy, default: '0}), .status_o(status),
    .csr_req_i('0), .csr_rsp_o(unused_order_rsp), .event_o(unused_event), .probe_o(unused_probe)
  );
  sluice_back_stage u_stage (
    .clk_i(clk), .rst_ni(rst_n), .stage_i('0), .settings_i(settings.stage),
    .transit_i(transit), .phantom_i(phantom), .phantom_o(unused_phantom),
    .move_i(move), .move_o(unused_move), .landed_o(landed[0]), .cut_i(cut), .cut_busy_o(cut_busy), .mark_o(mark[0]),
    .oldest_i(status.oldest), .freed_o(freed), .departed_o(departed), .report_o(report[0]), .waiting_o(waiting[0]),
    .done_valid_o(done_valid), .done_tag_o(done_tag),
    .transit_o(transit_out), .freed_i(exit_freed), .departed_i(exit_departed), .fill_busy_o(unused_fill_busy),
    .chain_i(chain_between), .chain_ready_o(chain_between_ready), .chain_o(chain_out), .chain_ready_i(1'b1),
    .csr_req_i('0), .csr_rsp_o(unused_stage_rsp), .error_o(error), .probe_o(unused_state)
  );
  if (StateStages > 1) begin : gen_others
    assign landed[StateStages-1:1]  = '0;
    assign mark[StateStages-1:1]    = '0;
    assign report[StateStages-1:1]  = '0;
    assign waiting[StateStages-1:1] = '0;
  end

  // The module's entry of a bank.
  function automatic int entry_of(int row);
    return Banks == 1 ? row : row + rnd(2) * int'(NumModules);
  endfunction

  // ---- packets: items follow their arrivals; the exit gives one place a cycle back
  item_t [K-1:0] later [Latency];
  int            in_lane [K], at_exit [K][K], packets = 0;
  bit            traffic = 1'b0;
  task automatic run_traffic();
    for (int i = Latency - 1; i > 0; i--) later[i] = later[i-1];
    later[0] = '0;
    arrive        = '0;
    exit_freed    = '0;
    exit_departed = '0;
    for (int l = 0; l < K; l++) begin
      in_lane[l] -= int'(popped.pop[l]);
      if (traffic && in_lane[l] < int'(LaneDepth) - 8 && rnd(2) == 0) begin
        arrive[l]            = 1'b1;
        in_lane[l]++;
        packets++;
        later[0][l].valid    = 1'b1;
        later[0][l].reason   = DropNone;
        later[0][l].phv      = '0;
        later[0][l].phv.meta.overlay = overlay_t'(entry_of(Busy));
        later[0][l].phv.meta.lane = pipe_t'(l);
        later[0][l].phv.cont.b4[0] = rnd(4) == 0 ? 32'(rnd(60)) : 32'(K * rnd(4));
      end
    end
    for (int l = 0; l < K; l++) begin
      bit gone;
      gone = 1'b0;
      for (int d = 0; d < K; d++) begin
        if (!gone && at_exit[l][d] > 0) begin
          gone = 1'b1;
          at_exit[l][d]--;
          exit_freed[l][d] = 1'b1;
          exit_departed[l] = 1'b1;
        end
        if (transit_out[d].valid && transit_out[d].pipe == pipe_t'(l)) at_exit[l][d]++;
      end
    end
    if (error.code != ErrorNone) fail("internal error");
  endtask
  assign item = later[Latency-1];

  // ---- one message on the chain; what comes back
  chain_header_t reply;
  logic [63:0]   reply_word;
  int            back_q = 0, since;            // messages that came back
  logic [1:0]    send_q = '0;                    // words left to send
  bit            start = 1'b0, busy = 1'b0;
  chain_header_t message;
  logic [63:0]   word;
  logic          header_sent_q;
  // What stands there while there is no word says nothing.
  chain_t        idle = '0;
  always @(negedge clk) idle <= '{valid: 1'b0, first: $urandom_range(1) == 1, last: $urandom_range(1) == 1,
                                  data: {$urandom, $urandom}};
  assign chain_in = send_q == '0 ? idle
                  : '{valid: 1'b1, first: !header_sent_q, last: send_q == 2'd1,
                      data: header_sent_q ? word : message};
  always_ff @(posedge clk) begin
    if (start) begin
      send_q        <= message.op == ChainWrite ? 2'd2 : 2'd1;
      header_sent_q <= 1'b0;
    end else if (chain_in.valid && chain_in_ready) begin
      send_q        <= send_q - 2'd1;
      header_sent_q <= 1'b1;
    end
    if (chain_out.valid) begin
      if (chain_out.first) reply <= chain_header_t'(chain_out.data);
      else                 reply_word <= chain_out.data;
      if (chain_out.last) back_q <= back_q + 1;
    end
  end

  typedef logic [3:0] op_t;
  bit  is_quiet = 1'b0;                        // the message is for the module without packets
  logic [NumModules-1:0] held;                 // by the message
  int  seen_beside = 0, seen_done = 0, seen_refused = 0, seen_moves = 0;
  // Where there are marks, state is read where the index is, and nobody is held.
  task automatic exchange(op_t op, logic [2:0] resource, logic [3:0] sub, logic [15:0] index, logic [7:0] row, logic [63:0] data);
    since         = back_q;
    held          = '0;
    message       = '{op: op, resource: resource, sub: sub, index: index, row: row, count: 8'd1, default: '0};
    word          = data;
    busy          = 1'b1;
    start         = 1'b1;
    @(negedge clk);
    start         = 1'b0;
    for (int n = 0; back_q == since; n++) begin
      @(negedge clk);
      held |= u_order.u_tables.u_commit.gen_commit.rows_q;
      if (n > 3000) fail("a message does not come back");
    end
    busy = 1'b0;
    repeat (6) @(negedge clk);                   // snooped writes take a few cycles more
    if (reply.op == ChainRefused) seen_refused++;
    else                          seen_done++;
    if (reply.op != ChainRefused && (op != ChainRead || Marks == 0) && !$onehot(held))
      fail("a message that is done held no module, or two");
    if (is_quiet) begin
      if (reply.op == ChainRefused) fail("a module that has no index away is refused");
      if (u_order.u_changes.u_moves.gen_moves.used[0] >= 4) seen_beside++;
    end
  endtask

  // ---- the copies, [lane or pipeline]
  segment_t order_segment [K], stage_segment [K];
  access_t  order_access [K], stage_access [K];
  overlay_t look = '0;
  for (genvar p = 0; p < K; p++) begin : gen_copies
    assign order_segment[p] = u_order.gen_lane[p].u_lane.u_resolve.gen_stage[0].u_access.u_segment.mem_q[look];
    assign order_access[p]  = u_order.gen_lane[p].u_lane.u_resolve.gen_stage[0].u_access.u_access.mem_q[look];
    assign stage_segment[p] = u_stage.gen_pipe[p].u_unit.gen_state.u_state.u_operation.u_tables.u_segment.gen_memory.u_memory.mem_q[look];
    assign stage_access[p]  = u_stage.gen_pipe[p].u_unit.gen_state.u_state.u_operation.u_tables.u_access.gen_memory.u_memory.mem_q[look];
  end

  bit          segments_only;                    // +segments: control writes nothing else
  localparam int Entries = int'(Banks * NumModules);
  segment_t    segment [Entries];
  access_t     access [Entries];
  logic [63:0] filled [NumModules];
  task automatic compare(int row);
    look = overlay_t'(row);
    #1;
    for (int p = 0; p < K; p++) begin
      if (order_segment[p] != stage_segment[p] || order_access[p] != stage_access[p])
        fail($sformatf("row %0d, copy %0d: the order point has %h %h, the stage %h %h", row, p, order_segment[p],
                       order_access[p], stage_segment[p], stage_access[p]));
      if (stage_segment[p] != segment[row] || stage_access[p] != access[row])
        fail($sformatf("row %0d, copy %0d: %h %h, the messages said %h %h", row, p, stage_segment[p], stage_access[p],
                       segment[row], access[row]));
    end
  endtask

  task automatic write_segment(int row, segment_t value);
    exchange(ChainWrite, TableSegmentModule, TableSegmentSub, 16'(row), 0, {value, 32'd0});
    if (reply.op == ChainWrite) segment[row] = value;
    compare(row);
  endtask
  task automatic write_access(int row, access_t value);
    exchange(ChainWrite, TableAccessModule, TableAccessSub, 16'(row), 0, {value, 32'd0});
    if (reply.op == ChainWrite) access[row] = value;
    compare(row);
  endtask
  task automatic fill(overlay_t row, logic [63:0] value);
    exchange(ChainWrite, TableFillModule, TableFillSub, 0, 8'(row), value);
    if (reply.op == ChainWrite) filled[row_t'(row)] = value;
  endtask
  task automatic read_state(int row, int index);
    exchange(ChainRead, TableStateModule, TableStateSub, 16'(index), 8'(row), '0);
    if (reply.op == ChainAnswer && reply_word != filled[row_t'(row)])
      fail($sformatf("row %0d, entry %0d: %h, filled was %h", row, index, reply_word, filled[row_t'(row)]));
  endtask

  always_ff @(posedge clk) if (move.valid) seen_moves <= seen_moves + 1;

  bit          init = 1'b1;
  logic [15:0] init_index = '0, move_period;
  always_ff @(posedge clk) move_period <= traffic && (now / Switch) % 2 == 1 ? 16'd90 : 16'd0;
  always_comb begin
    settings             = '0;
    settings.order.init        = init;
    settings.stage.init        = init;
    settings.order.init_index  = init_index;
    settings.stage.init_index  = init_index;
    settings.order.brake       = 16'd1000;
    settings.moves.move_least  = 8'd2;
    settings.moves.move_period = move_period;
  end

  initial forever begin
    @(negedge clk);
    now++;
    run_traffic();
  end

  logic unused_bits;
  assign unused_bits = ^{error, reply, status, popped};

  // ---- while a module is held for a message that was accepted, none of its indices is away
  for (genvar e = 0; e < int'(Relocations); e++) begin : gen_entry
    relocation_t entry;
    logic        unused_entry;
    assign unused_entry = ^entry;
    assign entry = u_order.u_changes.u_moves.gen_moves.gen_stage[0].u_stage.u_relocations.table_q[e];
    always @(negedge clk)
      if (u_order.u_tables.u_commit.gen_commit.rows_q[entry.row] && entry.valid)
        fail($sformatf("an index of module %0d leaves during a control access", entry.row));
  end

  // ---- mutants: moves do not hear of a hold; nobody hears that indices are away, or which
  for (genvar s = 0; s < StateStages; s++) begin : gen_unheld
    always @(negedge clk)
      if (mutant == 1) force u_order.u_changes.u_moves.gen_moves.gen_stage[s].hold_rows = '0;
  end
  always @(negedge clk) if (mutant == 2) force u_order.away = '0;
  always @(negedge clk) if (mutant == 4) force u_order.away_row = row_t'(Busy);
  // Messages of bank 1 are nobody's.
  always @(negedge clk)
    if (mutant == 5) begin
      if (32'(u_order.u_tables.u_commit.gen_commit.entry) >= NumModules) force u_order.u_tables.u_commit.gen_commit.guarded = 1'b0;
      else                                                                release u_order.u_tables.u_commit.gen_commit.guarded;
    end

  initial begin
    read_arguments(Cycles);
    segments_only = $test$plusargs("segments") != 0;
    release_reset(3);
    for (int i = 0; i < 400; i++) begin
      init_index = 16'(i);
      @(negedge clk);
    end
    init = 1'b0;
    for (int r = 0; r < int'(NumModules); r++) filled[r] = '0;
    for (int e = 0; e < Entries; e++) begin
      segment[e] = '0;
      access[e]  = '0;
    end
    for (int e = 0; e < Entries; e++) begin
      int r;
      r = e % int'(NumModules);
      if (r != Busy && r != Quiet) continue;
      write_segment(e, '{range: Range, base: 16'(int'(Range) / K * (r - Busy))});
      write_access(e, '{enable: 1'b1, index: {TypeB4, 3'd0}, predicate: {TypeConst, 3'd0}, default: '0});
    end
    traffic = 1'b1;
    while (now < int'(cycles)) begin
      int row, kind;
      row = !segments_only && rnd(2) == 0 ? Quiet : Busy;
      is_quiet = row == Quiet;
      row = entry_of(row);
      // A segment or access entry makes moves begin anew, so of the quiet module they are rare.
      kind = segments_only ? 0 : is_quiet && rnd(16) != 0 ? 2 + rnd(2) : rnd(4);
      case (kind)
        0: write_segment(row, '{range: Range - 16'(rnd(4)), base: segment[row].base});
        1: begin
          access_t a;
          a = access[row];
          a.pipe = 4'(rnd(16));                  // of a sharded access without sets: nobody's business
          write_access(row, a);
        end
        2: fill(overlay_t'(row), {32'(rnd(1 << 20)), 32'(now)});
        default: read_state(row, rnd(60));
      endcase
      repeat (rnd(30)) @(negedge clk);
    end
    if (cycles >= Cycles && !segments_only && (seen_beside < 20 || seen_moves < 100 || seen_done < 300 || seen_refused < 100)) fail("too tame");
    pass($sformatf("%0d packets, %0d moves, %0d messages done, %0d refused, %0d of module 6 beside four indices away",
             packets, seen_moves, seen_done, seen_refused, seen_beside));
  end
endmodule : tb_sluice_commit
