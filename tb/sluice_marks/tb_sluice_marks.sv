// SPDX-License-Identifier: Apache-2.0

/// Test of marks and cuts (docs/marks.md): order point and back stage 0, joined as in the chip by packets, moves, marks and the daisy
/// chain. Packets count: those of module 5 in a sharded array, mostly in entries of one pipeline, so that indices move; those of module 6 in a
/// pinned one. Meanwhile control reads, writes and takes entries, up to four a message, writes and reads LEAVE, and asks for entries that do not
/// exist. Every 400 cycles moves are switched off or on. Now and then a cut is taken of some of the modules, with their indices called home or not,
/// or just as one leaves home; from then on control reads it, too, again and again, until it ends.
/// The model counts in the order of tickets, at admission, and does a mark when the probe shows it: there every answer must be
/// what the model has, and at the end the array. At the probe of a cut the model keeps a copy, which reads of the cut must give, wherever
/// its entries are; one of a module that is not in the cut, or before it is ready, is refused. The ticket of the probe must be the next one; home
/// and order must be those of the message.
/// Without packets the time from request to answer is the least: it is measured there, and under load.
/// +seed=N, +cycles=N, +break=N (see the file `breaks`).
module tb_sluice_marks
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_probe_pkg::*;
  import sluice_table_pkg::*;
;
  localparam int K = int'(NumPipes);
  localparam int Sharded = 5, Pinned = 6, Edge = 7, Switch = 400, Latency = 4, Most = 4;
  localparam int Range = 64, PinnedPipe = K - 1;

  localparam int unsigned Cycles = 150000;
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
  mark_request_t [StateStages-1:0] mark;
  report_t  [StateStages-1:0][K-1:0]       report;
  logic     [StateStages-1:0][K-1:0][15:0] waiting;
  tag_t     [K-1:0]               done_tag;
  chain_t                         chain_in, chain_between, chain_out;
  logic                           chain_in_ready, chain_between_ready, unused_fill_busy;
  csr_rsp_t                       unused_order_rsp, unused_stage_rsp;
  error_t                         error;
  probe_state_t [K-1:0]           unused_state;
  bit                             busy = 1'b0;

  cut_t                           cut;
  logic                           cut_busy;
  logic [NumPipes-1:0]            unused_matched_pop;
  popped_t                          popped;
  order_status_t                  status;
  order_events_t                  unused_event;
  probe_point_t                   probe;
  sluice_order u_order (
    .clk_i(clk), .rst_ni(rst_n), .settings_i(settings.order), .moves_i(settings.moves),
    .arrive_i(arrive), .item_i(item), .matched_i('0), .matched_pop_o(unused_matched_pop), .fill_i('0), .popped_o(popped),
    .transit_o(transit), .freed_i(freed), .departed_i(departed), .phantom_o(phantom), .move_o(move),
    .landed_i(landed), .mark_i(mark), .cut_o(cut), .report_i(report), .waiting_i(waiting),
    .ended_i('{valid: done_valid, tag: done_tag}),
    .chain_i(chain_in), .chain_ready_o(chain_in_ready), .chain_o(chain_between), .chain_ready_i(chain_between_ready),
    .busy_i('{chain: busy, cut: cut_busy && mutant != 13, default: '0}), .status_o(status),
    .csr_req_i('0), .csr_rsp_o(unused_order_rsp), .event_o(unused_event), .probe_o(probe)
  );
  sluice_back_stage u_stage (
    .clk_i(clk), .rst_ni(rst_n), .stage_i('0), .settings_i(settings.stage),
    .transit_i(transit), .phantom_i(phantom), .phantom_o(unused_phantom),
    .move_i(move), .move_o(unused_move), .landed_o(landed[0]), .mark_o(mark[0]),
    .cut_i(cut), .cut_busy_o(cut_busy),
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

  // ---- the model
  logic [63:0] state [8][Range];                 // [module][index]
  logic [63:0] leave = '0;
  // The cut: what was there, and which modules it is of; wanted: CHIP.CUT.
  logic [63:0] kept [8][Range];
  logic [7:0]  cut_rows, wanted = '0, recall = '0;
  logic [31:0] cut_ticket;
  int          cuts = 0, cut_reads = 0, cut_away = 0, cut_leaving = 0, cut_saved = 0, lands_open = 0;
  function automatic int range_of(int row);
    return row == Sharded ? Range : row == Pinned ? 32 : 16;
  endfunction
  function automatic int base_of(int row);       // the last entries of Edge have no slot
    return row == Sharded ? 0 : row == Pinned ? 40 : int'(SlotsPerPipe) - 4;
  endfunction
  function automatic place_t home_of(int row, int index);
    return row == Pinned ? '{pipe: pipe_t'(PinnedPipe), slot: slot_t'(base_of(row) + index)}
                         : '{pipe: pipe_t'(index % K), slot: slot_t'(base_of(row) + index / K)};
  endfunction
  function automatic bit exists(int row, int index);
    return row != Edge || index / K < 4;
  endfunction

  // ---- packets: items follow their arrivals; the exit gives one place a cycle back
  typedef struct {int row, index;} target_t;
  item_t [K-1:0] later [Latency];
  target_t       lane_target [K][$];
  int            in_lane [K], at_exit [K][K], escaped [K], packets = 0, rate = 0;   // rate: packets of 16 cycles and lane
  task automatic run_traffic();
    for (int i = Latency - 1; i > 0; i--) later[i] = later[i-1];
    later[0] = '0;
    arrive        = '0;
    exit_freed    = '0;
    exit_departed = '0;
    for (int l = 0; l < K; l++) begin
      in_lane[l] -= int'(popped.pop[l]);
      if (in_lane[l] < int'(LaneDepth) - 8 && rnd(16) < rate) begin
        target_t t;
        item_t   i;
        t.row   = rnd(4) == 0 ? Pinned : Sharded;
        t.index = t.row == Pinned ? rnd(4) : rnd(4) == 0 ? rnd(60) : K * rnd(3);
        arrive[l]            = 1'b1;
        in_lane[l]++;
        packets++;
        lane_target[l].push_back(t);
        i        = '0;
        i.valid  = 1'b1;
        i.reason = DropNone;
        i.phv.meta.overlay = overlay_t'(t.row);
        i.phv.meta.lane    = pipe_t'(l);
        i.phv.cont.b4[0]   = 32'(t.index);
        later[0][l] = i;
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
        if (transit_out[d].valid && transit_out[d].pipe == pipe_t'(l)) begin
          if (transit_out[d].escape) escaped[l]++;
          else                       at_exit[l][d]++;
        end
      end
      if (!gone && escaped[l] > 0) begin         // from the escape slot: it took no credit
        escaped[l]--;
        exit_departed[l] = 1'b1;
      end
    end
    if (error.code != ErrorNone) fail("internal error");
  endtask
  always_ff @(posedge clk) item <= rst_n ? later[Latency-1] : '0;

  // ---- the message under way: its entries are marked one after the other
  chain_header_t message;
  int            row_asked, index_asked, entries_asked, marked = 0;
  bit            writes_asked, takes_asked;
  logic [63:0]   words [10], expected [Most];
  int            marks = 0, marks_away = 0, marks_waited = 0, writes = 0, takes = 0;
  // Entries without a slot read 0, and there is no mark.
  task automatic pass_missing();
    while (marked < entries_asked && !exists(row_asked, index_asked + marked)) begin
      expected[marked % Most] = '0;
      marked++;
    end
  endtask
  task automatic run_model();
    if (probe.mark.valid) begin
      place_t home;
      pass_missing();
      if (marked >= entries_asked) fail("a mark that nobody asked for");
      home = home_of(row_asked, index_asked + marked);
      if (probe.mark.stage != '0 || probe.mark.pipe != home.pipe || probe.mark.slot != home.slot) fail("a mark of another entry");
      if (probe.mark.write != (writes_asked || takes_asked)) fail("a mark of another kind");
      if (probe.mark.ticket - 32'(mutant == 9) != status.next_ticket) fail($sformatf("ticket %0d, the next is %0d", probe.mark.ticket, status.next_ticket));
      expected[marked % Most] = state[row_asked][index_asked + marked];
      if (takes_asked)  state[row_asked][index_asked + marked] = leave;
      if (writes_asked) state[row_asked][index_asked + marked] = words[0];
      marked++;
      marks++;
      writes += int'(writes_asked);
      takes  += int'(takes_asked);
    end
    if (probe.cut.valid) begin
      if (probe.cut.ticket - 32'(mutant == 9) != status.next_ticket) fail("the ticket of a cut is not the next");
      kept       = state;
      cut_rows   = probe.cut.rows[7:0];
      cut_ticket = probe.cut.ticket;
      cuts++;
      if (cut_rows != wanted) fail("a cut of other modules");
    end
    for (int l = 0; l < K; l++)
      if (probe.lane[l].done) begin
        target_t t;
        if (probe.lane[l].reason != DropNone) fail("a packet is dropped");
        t = lane_target[l].pop_front();
        state[t.row][t.index][63:32] += 32'd1;
      end
  endtask

  // ---- one message on the chain; what comes back
  chain_header_t reply;
  logic [63:0]   reply_word [Most];
  int            reply_words = 0, back_q = 0, since, num_words = 0, sent_q = 0;
  bit            start = 1'b0, sending_q = 1'b0;
  assign chain_in = '{valid: sending_q, first: sent_q == 0, last: sent_q == num_words,
                      data: sent_q == 0 ? message : words[sent_q == 0 ? 0 : sent_q-1]};
  always_ff @(posedge clk) begin
    if (start) begin
      sending_q   <= 1'b1;
      sent_q      <= 0;
      reply_words <= 0;
    end else if (chain_in.valid && chain_in_ready) begin
      sent_q    <= sent_q + 1;
      sending_q <= !chain_in.last;
    end
    if (chain_out.valid) begin
      if (chain_out.first) reply <= chain_header_t'(chain_out.data);
      else begin
        reply_word[reply_words] <= chain_out.data;
        reply_words             <= reply_words + 1;
      end
      if (chain_out.last) back_q <= back_q + 1;
    end
  end
  task automatic exchange(logic [3:0] op, table_e which, logic [15:0] index, logic [7:0] row, logic [7:0] count, int data_words);
    since       = back_q;
    message     = '{op: op, resource: which == TableMatch || which == TableAction ? 3'd2 : which == TableKeyMask ? 3'd1
                        : which == TableSegment ? 3'd3 : 3'd4,
                    sub: '0, index: index, row: row, count: count, default: '0};
    case (which)
      TableKeyMask: message.sub = TableKeyMaskSub;
      TableAction:  message.sub = TableActionSub;
      TableSegment: message.sub = TableSegmentSub;
      TableAccess:  message.sub = TableAccessSub;
      TableState:   message.sub = TableStateSub;
      TableTake:    message.sub = TableTakeSub;
      TableLeave:   message.sub = TableLeaveSub;
      TableCut:     message.sub = TableCutSub;
      TableFill:    message.sub = TableFillSub;
      default:      message.sub = TableMatchSub;
    endcase
    num_words   = data_words;
    busy        = 1'b1;
    start       = 1'b1;
    @(negedge clk);
    start       = 1'b0;
    for (int n = 0; back_q == since; n++) begin
      @(negedge clk);
      if (n > 5000) fail("a message does not come back");
    end
    busy = 1'b0;
    repeat (6) @(negedge clk);                   // snooped writes take a few cycles more
  endtask

  // ---- configuration: one match row a module, which hits always, and counts
  task automatic configure(int row, logic [15:0] match_row);
    segment_t segment;
    access_t  access;
    match_t   entry;
    logic [EntryBits-1:0] data;
    segment  = '{range: 16'(range_of(row)), base: 16'(base_of(row))};
    words[0] = {segment, 32'd0};
    exchange(ChainWrite, TableSegment, 16'(row), 0, 1, 1);
    access   = '{enable: 1'b1, pinned: row == Pinned, pipe: 4'(PinnedPipe), index: {TypeB4, 3'd0},
                 predicate: {TypeConst, 3'd0}, default: '0};
    words[0] = {access, 32'd0};
    exchange(ChainWrite, TableAccess, 16'(row), 0, 1, 1);
    for (int w = 0; w < 4; w++) words[w] = '1;
    exchange(ChainWrite, TableKeyMask, 16'(row), 0, 1, 4);
    entry = '{vid: 8'(row), default: '0};
    data  = EntryBits'(entry) << (EntryBits - MatchWidth);
    for (int w = 0; w < 4; w++) words[w] = data[EntryBits-1-64*w -: 64];
    exchange(ChainWrite, TableMatch, match_row, 0, 1, 4);
    data = '0;
    data[EntryBits-ActionBits+InstrWidth*StateSlot +: InstrWidth] = {OpLoadd, 5'd0, {TypeB4, 3'd0}, 11'd0};
    for (int w = 0; w < 10; w++) words[w] = data[EntryBits-1-64*w -: 64];
    exchange(ChainWrite, TableAction, match_row, 0, 1, 10);
    if (reply.op != ChainWrite) fail("a table is not written");
  endtask

  // ---- control accesses to state
  task automatic ask(logic [3:0] op, table_e which, int row, int index, int count);
    row_asked     = row;
    index_asked   = index;
    marked        = 0;
    writes_asked  = op == ChainWrite;
    takes_asked   = which == TableTake;
    entries_asked = index + count <= range_of(row) ? count : 0;
    if (writes_asked) words[0] = {32'(rnd(1 << 20)), 32'(now)};
    exchange(op, which, 16'(index), 8'(row), 8'(count), writes_asked ? 1 : 0);
    pass_missing();
    if (marked != entries_asked) fail("a mark is missing");
    if (entries_asked == 0 || (writes_asked && !exists(row, index))) begin
      if (reply.op != ChainRefused) fail("not refused");
    end else if (writes_asked) begin
      if (reply.op != ChainWrite) fail("a write is refused");
    end else begin
      if (reply.op != ChainAnswer || reply_words != count) fail("no answer");
      for (int n = 0; n < count; n++)
        if (reply_word[n] != expected[n])
          fail($sformatf("row %0d, entry %0d: %h, at its ticket it is %h", row, index + n, reply_word[n], expected[n]));
    end
  endtask

  // ---- cuts
  relocation_t [Relocations-1:0] entries;
  assign entries = u_order.u_changes.u_moves.gen_moves.gen_stage[0].u_stage.u_relocations.table_q;
  logic [7:0] away;
  assign away = u_order.u_changes.u_moves.gen_moves.away_rows[0][7:0];
  // Moves land within SettleCycles here, where queues are short. So some cuts are taken at once, while indices are called home: no other move begins
  // then, but the last one is under way.
  // Or as one sets out from its home.
  bit hurry = 1'b0, leaving = 1'b0;
  logic leaves;
  assign leaves = u_order.u_changes.u_moves.move_take[0] && u_order.u_changes.u_moves.move_offer[0].from.slot < slot_t'(SlotsPerPipe);
  always @(negedge clk)
    if ((hurry || leaving) && settings_cut != '0 && u_order.u_changes.u_cut.gen_cut.state_q == 1 && u_order.u_changes.u_cut.gen_cut.wait_q >= 6'd1)
      force u_order.u_changes.u_cut.gen_cut.settled = 1'b1;
    else release u_order.u_changes.u_cut.gen_cut.settled;
  task automatic begin_cut();
    wanted = 8'(1 << Sharded | 1 << Pinned | 1 << Edge);
    if (rnd(4) == 0) wanted[rnd(2) == 0 ? Sharded : Pinned] = 1'b0;
    // Called home and waited for, or not; or the cut is asked for as the last index sets out for home.
    hurry   = rnd(2) == 0;
    leaving = !hurry && rnd(2) == 0;
    if (hurry || (!leaving && rnd(2) == 0)) recall = wanted;
    for (int n = 0; leaving && n < 600 && !leaves; n++) @(negedge clk);
    cut_leaving += int'(leaving && leaves);
    for (int n = 0; hurry && n < 600 && u_order.u_changes.u_moves.gen_moves.used[0] != 0 && !(u_order.u_changes.u_moves.gen_moves.used[0] == 1 && u_order.u_changes.u_moves.move_take[0]); n++) @(negedge clk);
    for (int n = 0; !hurry && (recall & away) != '0; n++) begin
      @(negedge clk);
      if (n > 20000) fail("indices do not come home");
    end
    settings_cut = wanted;
    if (rnd(2) == 0) for (int n = 0; !status.cut.ready; n++) begin
      @(negedge clk);
      if (n > 5000) fail("a cut is not ready");
    end
  endtask
  task automatic end_cut();
    settings_cut = '0;
    wanted       = '0;
    if (rnd(2) == 0) recall = '0;
    for (int n = 0; status.cut.busy; n++) begin
      @(negedge clk);
      if (n > 20000) fail("a cut does not end");
    end
    recall = '0;
  endtask
  task automatic ask_cut(int row, int index, int count);
    bit ready, none;
    ready = status.cut.ready;
    none  = index + count > range_of(row);
    entries_asked = 0;
    exchange(ChainRead, TableCut, 16'(index), 8'(row), 8'(count), 0);
    if (!wanted[row] || !status.cut.ready || none) begin
      if (reply.op != ChainRefused) fail("a read of what is not in the cut is not refused");
    end else if (reply.op == ChainRefused) begin
      if (ready) fail("a read of the cut is refused");
    end else begin
      if (reply.op != ChainAnswer || reply_words != count) fail("no answer from the cut");
      if (status.cut.ticket != cut_ticket) fail("another ticket than was shown");
      for (int n = 0; n < count; n++) begin
        logic [63:0] was;
        was = exists(row, index + n) ? kept[row][index+n] : '0;
        if (reply_word[n] != was)
          fail($sformatf("row %0d, entry %0d: %h, at the cut it was %h", row, index + n, reply_word[n], was));
        cut_reads++;
        cut_saved += int'(was != state[row][index+n]);
      end
    end
  endtask

  // ---- how long a mark takes, from the request of the state unit to the answer
  function automatic bit moving_of_cut();
    moving_of_cut = 1'b0;
    for (int e = 0; e < int'(Relocations); e++)
      moving_of_cut |= entries[e].valid && entries[e].moving && wanted[entries[e].row[2:0]];
  endfunction
  int cycles_under_way = 0, marks_timed = 0, cycles_timed = 0;
  logic any_ask;
  always_comb begin
    any_ask = 1'b0;
    for (int d = 0; d < K; d++) any_ask |= u_stage.ask[d].valid;
  end
  task automatic run_times();
    if (status.cut.ready && moving_of_cut()) fail("a cut is ready, and an index of its modules is on its way");
    cycles_under_way++;
    if (any_ask) cycles_under_way = 0;
    if (u_stage.marked) begin
      marks_timed++;
      cycles_timed += cycles_under_way;
    end
    lands_open += int'(u_stage.land != '0 && u_stage.cut.open);
    if (u_order.u_changes.u_moves.mark_take[0] && u_order.u_changes.u_moves.mark_to[0] != u_order.u_changes.u_moves.mark_home[0]) begin
      marks_away += int'(!u_order.u_changes.u_moves.mark_of_cut[0]);
      cut_away   += int'(u_order.u_changes.u_moves.mark_of_cut[0]);
    end
    marks_waited += int'(u_order.u_changes.u_moves.gen_mark[0].u_mark.gen_mark.wait_q && u_order.u_changes.u_moves.mark_moving[0]);
  endtask

  bit          init = 1'b1, moves_on = 1'b0;
  logic [7:0]  settings_cut = '0;
  logic [15:0] init_index = '0, move_period;
  always_ff @(posedge clk) move_period <= moves_on && (now / Switch) % 2 == 1 ? 16'd90 : 16'd0;
  always_comb begin
    settings             = '0;
    settings.order.init        = init;
    settings.stage.init        = init;
    settings.order.init_index  = init_index;
    settings.stage.init_index  = init_index;
    settings.order.brake       = 16'd1000;
    settings.moves.move_least  = 8'd2;
    settings.moves.move_period = move_period;
    settings.order.cut         = NumModules'(settings_cut);
    settings.moves.recall      = NumModules'(recall);
    settings.moves.fault[FaultMarkEarly] = mutant == 1;
    settings.moves.fault[FaultMarkHome]  = mutant == 2;
    settings.stage.fault[FaultTakeOpen]  = mutant == 3;
    settings.stage.fault[FaultNoForward] = mutant == 4;
    settings.stage.fault[FaultCutLate]   = mutant == 10;
    settings.stage.fault[FaultCutLost]   = mutant == 11;
    settings.stage.fault[FaultCutAway]   = mutant == 12;
  end

  initial forever begin
    @(negedge clk);
    now++;
    if (!init) run_model();
    if (!init) run_times();
    run_traffic();
  end

  always @(negedge clk) if (mutant == 5) force u_order.u_changes.u_moves.mark_moving = '0;
  always @(negedge clk) if (mutant == 6) force u_stage.u_marks.gen_marks.message_q = 1'b0;
  always @(negedge clk) if (mutant == 7) force u_stage.read_busy = '0;
  always @(negedge clk) if (mutant == 14) force u_order.u_changes.cut_rows_o = '0;
  always @(negedge clk) if (mutant == 15) force u_stage.cut.young = 1'b0;
  always @(negedge clk) if (mutant == 18) force u_order.u_changes.cut_moving = 1'b0;
  always @(negedge clk) if (mutant == 19) force u_stage.gen_pipe[0].u_unit.gen_state.u_state.leaves = 1'b0;
  always @(negedge clk) if (mutant == 20) force u_stage.gen_pipe[1].u_unit.gen_state.u_state.marked_cut = 1'b0;
  always @(negedge clk) if (mutant == 17) force u_stage.cut.open = 1'b0;
  always @(negedge clk) if (mutant == 16) force u_order.u_tables.cut_refuse = 1'b0;
  always @(negedge clk)
    if (mutant == 8) force u_stage.gen_pipe[0].u_unit.gen_state.u_state.u_ctl.gen_marks.asked_q = 1'b0;

  initial begin
    int idle_marks, idle_cycles;
    read_arguments(Cycles);
    for (int i = 0; i < Latency; i++) later[i] = '0;
    for (int r = 0; r < 8; r++)
      for (int i = 0; i < Range; i++) state[r][i] = '0;
    release_reset(3);
    for (int i = 0; i < 400; i++) begin
      init_index = 16'(i);
      @(negedge clk);
    end
    init = 1'b0;
    configure(Sharded, 0);
    configure(Pinned, 1);
    configure(Edge, 2);
    for (int i = 0; i < 60; i++) ask(ChainRead, rnd(2) == 0 ? TableState : TableTake, Sharded, rnd(60), 1);
    idle_marks   = marks_timed;
    idle_cycles  = cycles_timed;
    marks_timed  = 0;
    cycles_timed = 0;
    moves_on = 1'b1;
    while (now < int'(cycles)) begin
      int row;
      if (now % 4000 < 100) rate = rnd(3) == 0 ? 16 : 2 + rnd(14);
      row = rnd(8) == 0 ? Edge : rnd(3) == 0 ? Pinned : Sharded;
      if (now / 700 % 2 == 1 && wanted == '0) begin_cut();
      if (now / 700 % 2 == 0 && wanted != '0 && status.cut.ready) end_cut();
      if (rnd(wanted != '0 ? 2 : 32) == 0) begin
        ask_cut(row, row == Edge ? rnd(16) : rnd(5), 1 + rnd(Most));
        continue;
      end
      if (wanted != '0 && rnd(16) == 0) begin
        entries_asked = 0;
        row = wanted[Sharded] ? Sharded : Pinned;
        words[0] = '1;
        exchange(ChainWrite, TableFill, 0, 8'(row), 1, 1);
        if (reply.op != ChainRefused) fail("a fill over a cut");
      end
      case (rnd(16))
        0: begin
          words[0] = rnd(2) == 0 ? '0 : {32'(rnd(1 << 20)), 32'(rnd(1 << 20))};
          entries_asked = 0;
          exchange(ChainWrite, TableLeave, 0, 8'(Sharded), 1, 1);
          if (reply.op != ChainWrite) fail("LEAVE is not written");
          leave = words[0];
        end
        1: begin
          entries_asked = 0;
          exchange(ChainRead, TableLeave, 0, 8'(Sharded), 1, 0);
          if (reply.op != ChainAnswer || reply_words != 1 || reply_word[0] != leave) fail("LEAVE reads wrong");
        end
        2, 3, 4: ask(ChainWrite, TableState, row, rnd(row == Edge ? 18 : 5), 1);
        5, 6, 7, 8, 9: ask(ChainRead, TableTake, row, row == Edge ? rnd(16) : rnd(6), 1 + rnd(Most));
        default: ask(ChainRead, TableState, row, row == Edge ? rnd(16) : rnd(6), 1 + rnd(Most));
      endcase
      repeat (rnd(20)) @(negedge clk);
    end
    // The end: all packets have counted, and every entry is what the model has.
    rate = 0;
    repeat (300) @(negedge clk);
    if (status.in_flight != '0) fail("packets stay inside");
    for (int i = 0; i < Range; i++) ask(ChainRead, TableState, Sharded, i, 1);
    for (int i = 0; i < 32; i++) ask(ChainRead, TableState, Pinned, i, 1);
    if (cycles >= Cycles && (cuts < 20 || cut_reads < 1000 || cut_away < 15 || cut_leaving < 5 || cut_saved < 300))
      fail($sformatf("too tame: %0d cuts, %0d entries of them read, of these %0d had changed, %0d were away; %0d taken as an index left home", cuts, cut_reads, cut_saved, cut_away, cut_leaving));
    if (cycles >= Cycles && (marks_away < 40 || marks_waited < 10 || writes < 100 || takes < 300))
      fail($sformatf("too tame: %0d of indices away, %0d cycles waiting for a move, %0d writes, %0d takes", marks_away, marks_waited, writes, takes));
    pass($sformatf("%0d packets, %0d marks (%0d writes, %0d takes), %0d of indices away, %0d cycles waiting for a move; %0d cuts, %0d entries of them read, of these %0d had changed, %0d were away, %0d taken as an index left home, %0d landings into one; %0d.%02d cycles from request to answer, without packets %0d.%02d",
             packets, marks, writes, takes, marks_away, marks_waited, cuts, cut_reads, cut_saved, cut_away, cut_leaving, lands_open, cycles_timed / marks_timed,
             cycles_timed * 100 / marks_timed % 100, idle_cycles / idle_marks, idle_cycles * 100 / idle_marks % 100));
  end

  logic unused_bits;
  assign unused_bits = ^{error, reply, status, probe, popped};
endmodule : tb_sluice_marks
