// SPDX-License-Identifier: Apache-2.0

/// Proof: no module's packets, and no control write, reach state outside the module's segment; and
/// an operation sees what the last write to its entry left.
///
/// One state unit with its tables and its memory. Free: packets of any module with any resolution
/// and any containers, reads and landings of moves and marks of any slot and value, and control messages that
/// write tables and state and fill segments at any time; indices that are away at any time. Assumed
/// of the boundary: beside a move there is no packet with a resolution, and one of the two. Assumed of the chain node: a message is held until it is taken, and the index of a STATE
/// message is less than the range. The harness keeps its own copy of the segment and access tables,
/// written from the messages by docs/tables.md. Shown: the slot of a pinned access is base +
/// something less than the range, as they were when the packet looked them up; that of a sharded
/// one is the slot that the order point resolved (proof_resolve shows that it is inside); without a
/// resolution, or out of bounds, nothing of what was read counts; a move reads and writes the slot
/// that it names, and its value is what it says; a mark that writes reads and writes its slot in one step (an exchange is
/// linearizable: it sees the last write before it, and the next read sees what it left); a fill or a STATE write stays in its segment, and
/// writes nothing while indices are away. For one slot that the solver chooses, spare ones included:
/// whoever reads it, an operation, a move or control, sees in c5 what was written last in c5 of any
/// cycle before, by whomever, although the memory is written later; also in each of the three
/// cycles in which it is not in the memory yet.
/// Cycles (c0 to c7) are those of a stage whose match engine takes one cycle: the hit is in c2. With
/// MATCH3 all but c0, in which a resolution or a move comes, are two cycles later.
/// BREAK: 1 segments are not checked, 2 the unit does not forward, 3 an access without resolution
/// counts as one, 4 landings are forgotten, 5 a mark writes a cycle after it has read.
`include "sluice_assert.svh"
`ifndef BREAK
`define BREAK 0
`endif
module proof_segment
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_stage_pkg::*;
(
  input logic                 clk_i,
  input logic                 rst_ni,
  input pipe_t                pipe_i,
  input logic                 granted_i,
  input slot_t                slot_i,
  input logic                 valid_i,      // c1
  input row_t                 row_i,
  input logic                 hit_i,        // c2
  input action_row_t          action_row_i,
  input containers_t          c2_cont_i,
  input containers_t          cont_i,       // c3
  input instr_t               slot16_i,
  input table_write_t         write_i,
  input table_read_t          read_i,
  input logic                 move_read_i,  // a move is read, or lands
  input logic                 land_i,
  input state_entry_t         land_value_i, // in c5
  input logic                 mark_write_i, // the read is that of a mark, which writes
  input state_entry_t         mark_value_i, // in c5
  input logic                 busy_i,       // another unit of the column holds up a read
  input slot_t                watched_i     // the solver's choice, held by an assumption
);
  localparam int unsigned C3 = StateReadCycle;
  localparam int unsigned C4 = StateEntryCycle;
  localparam int unsigned C5 = StateUpdateCycle;

  // ---- reset, then the sweep that clears the tables, then traffic
  logic        started_q = 1'b0;
  logic        ready_q;
  logic [15:0] sweep_q;
  stage_settings_t   settings;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ready_q <= 1'b0;
      sweep_q <= '0;
    end else if (!ready_q) begin
      ready_q <= sweep_q == 16'(SlotsPerPipe - 1);
      sweep_q <= sweep_q + 16'd1;
    end
  end
  always_comb begin
    settings            = '0;
    settings.init       = !ready_q;
    settings.init_index = sweep_q;
    settings.fault[FaultNoBounds]  = `BREAK == 1;
    settings.fault[FaultNoForward] = `BREAK == 2;
  end

  logic         valid_q, hit_q;
  table_ready_t ready;
  logic         op, refused, read_busy;
  slot_t        op_slot;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {valid_q, hit_q} <= '0;
    else         {valid_q, hit_q} <= {valid_i, hit_i};
  end
  side_t            side;
  result_t          unused_result;
  always_comb begin
    side               = '0;
    side.ahead         = valid_i;
    side.ahead_row     = row_i;
    side.hit           = '{valid: hit_i, row: action_row_i};
    side.hit_cont      = c2_cont_i;
    side.action        = hit_q;
    side.action_slot16 = slot16_i;
    side.action_cont   = cont_i;
  end
  word_answer_t     unused_answer;
  moved_t           moved;
  logic             unused_hold, unused_fill;
  mark_request_t    unused_ask;
  logic             unused_walks;
  logic             mark_c [1:C5];               // [c]: mark_write_i, c cycles later
  sluice_state_unit u_dut (
    .clk_i, .rst_ni, .pipe_i, .settings_i(settings),
    .grant_i('{access: granted_i || (`BREAK == 3 && !move_read_i && !land_i), read: move_read_i,
               land: land_i && `BREAK != 4, mark_write: `BREAK == 5 ? mark_c[1] : mark_write_i,
               id: '0, slot: slot_i}),
    .value_i('{land: land_value_i, mark: mark_value_i, mark_row: 1'b0}),
    .side_i(side), .result_o(unused_result),
    .capsule_i('0), .old_word_o(), .new_word_o(), .row_access_o(), .pred_o(), .row_read_o(),
    .moved_o(moved), .row_i('0), .tag_i('0), .cut_i('0), .walks_o(unused_walks), .ask_o(unused_ask), .marked_i(1'b0),
    .op_o(op), .op_refused_o(refused), .op_slot_o(op_slot),
    .write_i, .write_ready_o(ready), .read_i, .answer_o(unused_answer),
    .read_busy_o(read_busy), .read_busy_i(read_busy
        || busy_i), .hold_o(unused_hold), .fill_busy_o(unused_fill)
  );

  // ---- the tables, by the messages
  segment_t   [NumModules-1:0] segment_q, segment_d;
  access_t    [NumModules-1:0] access_q, access_d;
  logic       [NumModules-1:0] known_q;       // swept
  logic       table_write, state_write, fill_write;
  row_t       target;
  assign table_write = write_i.valid && write_i.header.op == ChainWrite;
  assign state_write = write_i.valid && write_i.which == TableState;
  assign fill_write  = write_i.valid && write_i.which == TableFill;
  assign target      = write_i.header.index[RowBits-1:0];
  always_comb begin
    segment_d = segment_q;
    access_d  = access_q;
    if (!ready_q && sweep_q < 16'(NumModules)) begin
      segment_d[sweep_q[RowBits-1:0]] = '0;
      access_d[sweep_q[RowBits-1:0]]  = '0;
    end else if (table_write) begin            // in which of its cycles, the table says (sluice_table)
      if (u_dut.u_operation.u_tables.u_segment.gen_memory.u_memory.write)
        segment_d[target] = write_i.data[EntryBits-1 -: SegmentWidth];
      if (u_dut.u_operation.u_tables.u_access.gen_memory.u_memory.write)
        access_d[target] = write_i.data[EntryBits-1 -: AccessWidth];
    end
  end
  always_ff @(posedge clk_i) begin
    segment_q <= segment_d;
    access_q  <= access_d;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                                         known_q <= '0;
    else if (!ready_q && sweep_q < 16'(NumModules)) known_q[sweep_q[RowBits-1:0]] <= 1'b1;
  end
  for (genvar r = 0; r < NumModules; r++) begin : gen_table
    always_comb if (rst_ni) assert (known_q[r] || (!ready_q && sweep_q <= 16'(r)));
    always_comb
      if (rst_ni && known_q[r]) begin
        assert (u_dut.u_operation.u_tables.u_segment.gen_memory.u_memory.mem_q[r] == segment_q[r]);
        assert (u_dut.u_operation.u_tables.u_access.gen_memory.u_memory.mem_q[r] == access_q[r]);
      end
  end

  // ---- what the chain node does
  table_write_t write_q;
  logic         taken_q;
  logic [16:0]  index;
  assign index = 17'(write_i.header.index);
  always_ff @(posedge clk_i) begin
    write_q <= write_i;
    taken_q <= ready.ready && write_i.valid && write_q.valid;    // two cycles at least
  end
  always_comb begin
    if (rst_ni) begin
      assume (!(valid_i || granted_i) || ready_q);
      assume (!hit_i || valid_q);
      assume ($onehot0({granted_i, move_read_i, land_i}));
      assume (!mark_write_i || move_read_i);
      assume (!(move_read_i || land_i) || ready_q);
      assume (!(write_i.valid || read_i.valid) || ready_q);
      assume (!(write_i.valid && read_i.valid));
      assume (!write_q.valid || !started_q || taken_q || write_i == write_q);
      assume (!(write_q.valid && taken_q) || !write_i.valid);
      assume (!write_i.valid || write_i.header.op == ChainWrite);
      // helpers: what was read when a write was late
      assert (!u_dut.u_operation.u_tables.u_segment.gen_memory.u_memory.late_q || (u_dut.u_operation.u_tables.u_segment.gen_memory.u_memory.second_q
              && u_dut.u_operation.segment == u_dut.u_operation.u_tables.u_segment.gen_memory.u_memory.mem_q[write_q.header.index[RowBits-1:0]]));
      assert (!u_dut.u_operation.u_tables.u_access.gen_memory.u_memory.late_q || (u_dut.u_operation.u_tables.u_access.gen_memory.u_memory.second_q
              && u_dut.u_operation.access == u_dut.u_operation.u_tables.u_access.gen_memory.u_memory.mem_q[write_q.header.index[RowBits-1:0]]));
      assume (!(u_dut.u_operation.u_tables.u_segment.gen_memory.u_memory.second_q || u_dut.u_operation.u_tables.u_access.gen_memory.u_memory.second_q) || write_i == write_q);
      assume (!state_write || index < 17'(segment_q[write_i.header.row[RowBits-1:0]].range));
      assume (!read_i.valid || u_dut.u_ctl.u_reads.count_q < 3'd2);
    end
  end

  // ---- what a packet may touch: tables as it looked them up (cycle 1), its resolution (cycle 0)
  segment_t segment_c2, segment_c3, segment_c4, segment_c5;
  logic     pinned_c2, pinned_c3, pinned_c4, pinned_c5;
  slot_t    slot_c   [1:C5];
  logic     granted_c [1:C5], move_c [1:C5], land_c [1:C5];
  always_ff @(posedge clk_i) begin
    if (valid_i) {segment_c2, pinned_c2} <= {segment_q[row_i], access_q[row_i].pinned};
    {segment_c3, pinned_c3} <= {segment_c2, pinned_c2};
    {segment_c4, pinned_c4} <= {segment_c3, pinned_c3};
    {segment_c5, pinned_c5} <= {segment_c4, pinned_c4};
    slot_c[1]    <= slot_i;
    granted_c[1] <= granted_i;
    for (int unsigned c = 2; c <= C5; c++) begin
      slot_c[c]    <= slot_c[c-1];
      granted_c[c] <= granted_c[c-1];
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int unsigned c = 1; c <= C5; c++) {move_c[c], land_c[c], mark_c[c]} <= '0;
    end else begin
      {move_c[1], land_c[1], mark_c[1]} <= {move_read_i, land_i, mark_write_i};
      for (int unsigned c = 2; c <= C5; c++) {move_c[c], land_c[c], mark_c[c]} <= {move_c[c-1], land_c[c-1], mark_c[c-1]};
    end
  end
`define WITHIN(Slot, Segment) \
  (17'(Slot) >= 17'(Segment.base) && 17'(Slot) < 17'(Segment.base) + 17'(Segment.range))

  // ---- what is written, in c5; and whether an operation in c5 counts
  logic         used, write, write_result, written;
  slot_t        write_slot;
  state_entry_t write_value;
  assign write_result    = u_dut.u_memory.write_result_q;
  assign written    = u_dut.u_memory.written_q;
  assign used        = u_dut.op_update_q && !u_dut.refused_update_q;
  assign write       = u_dut.u_memory.write_i;
  assign write_slot  = u_dut.u_memory.write_slot_i;
  assign write_value = u_dut.u_memory.write_packet_i ? u_dut.gen_pairs.u_pairs.updated
                                                     : u_dut.u_memory.write_value_i;

  segment_t ctl_segment;
  assign ctl_segment = segment_q[write_i.header.row[RowBits-1:0]];
  always_comb begin
    if (rst_ni && ready_q) begin
      ReadGranted_A : assert (u_dut.unit_read == (granted_c[C3] || move_c[C3]) || `BREAK == 3);
      ReadSharded_A : assert (!granted_c[C3] || !hit_q || pinned_c3
                              || u_dut.u_memory.read_slot_i == slot_c[C3]);
      MoveRead_A    : assert (!move_c[C3] || (u_dut.u_memory.read_i
                                             && u_dut.u_memory.read_slot_i == slot_c[C3]));
      UsedGranted_A : assert (!used || granted_c[C5]);
      UsedPinned_A  : assert (!used || !pinned_c5 || `WITHIN(u_dut.slot_update_q, segment_c5));
      UsedSharded_A : assert (!used || pinned_c5 || u_dut.slot_update_q == slot_c[C5]);
      UsedKind_A    : assert (!used || pinned_c5 == (32'(slot_c[C5]) == PinnedSlot));
      WriteUsed_A   : assert (!u_dut.packet_write || used);
      Place_A       : assert (!u_dut.packet_write || (write && write_slot == u_dut.slot_update_q));
      Landing_A     : assert (!land_c[C5] || (write && !u_dut.u_memory.write_packet_i
                              && write_slot == slot_c[C5] && write_value == land_value_i));
      Exchange_A    : assert (!mark_c[C5] || (move_c[C5] && write && !u_dut.u_memory.write_packet_i
                              && write_slot == slot_c[C5] && write_value == mark_value_i));
      Control_A     : assert (!write || u_dut.packet_write || land_c[C5] || mark_c[C5]
                              || ((state_write || fill_write) && `WITHIN(write_slot, ctl_segment)));
      // What a refused operation makes does not depend on what was read.
      Blind_A       : assert (!(u_dut.op_update_q && u_dut.refused_update_q)
          || (u_dut.gen_pairs.u_pairs.refused_q && u_dut.gen_pairs.u_pairs.keep_q == '0 && !u_dut.gen_pairs.u_pairs.arm[4]));
      BlindOld_A    : assert (!(op && refused) || u_dut.old_result == '0);
      for (int unsigned n = 0; n < 4; n++)
        assert (!(u_dut.op_update_q && u_dut.refused_update_q)
                              || u_dut.gen_pairs.u_pairs.test_q[n][3:0] == '0);
    end
  end
  // helpers: where a control write stands. `state_q` is sluice_state_ctl's: 0 idle, 1 place, 2 run,
  // 3 done.
  logic [16:0] next_slot, left;
  assign next_slot = u_dut.u_ctl.slot_q;
  assign left      = u_dut.u_ctl.left_q;
  always_comb begin
    if (rst_ni) begin
      assert (u_dut.u_ctl.u_reads.count_q <= 3'd3);
      assert (ready_q || (u_dut.u_ctl.u_reads.count_q == '0 && !u_dut.u_ctl.read_state_q
                          && u_dut.u_ctl.state_q == 2'd0));
      if (u_dut.u_ctl.state_q == 2'd1) begin
        assert (write_q.valid && ready_q && !taken_q);
        assert (u_dut.segment_readback == segment_q[write_q.header.row[RowBits-1:0]]);
        assert (u_dut.access_readback == access_q[write_q.header.row[RowBits-1:0]]);
        assert (u_dut.u_ctl.index_q == write_q.header.index);
      end
      if (u_dut.u_ctl.state_q == 2'd2) begin
        assert (write_q.valid && ready_q && !taken_q);
        assert (write_q.which == TableState || write_q.which == TableFill);
        assert (left == '0 || (next_slot >= 17'(ctl_segment.base)
                && 18'(next_slot) + 18'(left) <= 18'(ctl_segment.base) + 18'(ctl_segment.range)));
      end
      // helpers: what the pipeline holds
      assert (ready_q ? sweep_q == 16'(SlotsPerPipe) : sweep_q < 16'(SlotsPerPipe));
      assert (ready_q || !(valid_q || hit_q || u_dut.op_entry_q || u_dut.op_update_q || write_result || written));
      for (int unsigned c = 1; c <= C4; c++)
        assert (32'(sweep_q) < c || ((c == C4 || u_dut.u_operation.slot_q[c % C4] == slot_c[c])
                                     && (u_dut.u_operation.granted_q[c] == granted_c[c] || `BREAK == 3)));
      for (int unsigned c = 1; c <= C5; c++)
        assert (ready_q || 32'(sweep_q) < c || !granted_c[c]);
      assert (sweep_q == '0 || u_dut.u_operation.valid_hit_q == valid_q);
      if (valid_q) assert (u_dut.u_operation.segment == segment_c2 && u_dut.u_operation.access.pinned == pinned_c2);
      if (hit_q)
        assert (u_dut.u_operation.segment_read_q == segment_c3 && u_dut.u_operation.pinned_read_q == pinned_c3 && !u_dut.u_operation.late_read_q
                && u_dut.u_operation.offset_read_q == u_dut.u_operation.index_read_q[15:0]);
      if (u_dut.op_entry_q) begin
        assert (u_dut.u_operation.range_entry_q == segment_c4.range
                && u_dut.u_operation.found_entry_q == 17'(segment_c4.base) + 17'(u_dut.u_operation.index_entry_q[15:0])
                && u_dut.u_operation.computed_entry_q == (u_dut.u_operation.granted_q[C4] && pinned_c4)
                && u_dut.u_operation.other_entry_q == (u_dut.u_operation.granted_q[C4] && pinned_c4 != (32'(slot_c[C4]) == PinnedSlot)));
        assert (!u_dut.u_operation.granted_q[C4]
                || u_dut.slot_entry_q == (pinned_c4 ? u_dut.u_operation.found_entry_q[SlotBits-1:0] : slot_c[C4]));
      end
      if (move_c[C4] || land_c[C4]) assert (u_dut.slot_entry_q == slot_c[C4]);
      assert (u_dut.gen_pairs.u_pairs.en_q == u_dut.op_update_q);
      if (u_dut.op_update_q) assert (u_dut.gen_pairs.u_pairs.refused_q == u_dut.refused_update_q);
      for (int unsigned c = 1; c <= C5; c++)
        assert (u_dut.move_read_q[c] == move_c[c]
                && (u_dut.move_land_q[c] == land_c[c] || `BREAK == 4)
                && ((u_dut.mark_write_q[c] == mark_c[c] && (!mark_c[c] || move_c[c])) || `BREAK == 5)
                && $onehot0({granted_c[c], move_c[c], land_c[c]} & {ready_q, 2'b11})
                && (ready_q || !(move_c[c] || land_c[c])));
      if ((land_c[C5] && `BREAK != 4) || (mark_c[C5] && `BREAK != 5)) assert (u_dut.slot_update_q == slot_c[C5]);
      if (u_dut.op_update_q && !u_dut.refused_update_q) begin
        assert (granted_c[C5] && pinned_c5 == (32'(slot_c[C5]) == PinnedSlot));
        assert (pinned_c5 ? `WITHIN(u_dut.slot_update_q, segment_c5) : u_dut.slot_update_q == slot_c[C5]);
      end
    end
  end

  // ---- the watched slot: what was written to it last
  slot_t        watched_q;
  state_entry_t last_q;
  logic         swept_q;
  always_ff @(posedge clk_i) watched_q <= watched_i;
  always_comb assume (watched_i == watched_q && 32'(watched_i) < MemorySlots);
  logic         clears, watched_read_q;       // in c5: the slot was read
  assign clears = settings.init && watched_i == sweep_q[SlotBits-1:0];
  always_ff @(posedge clk_i) begin
    if (clears)                               last_q <= '0;
    else if (write && write_slot == watched_i) last_q <= write_value;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      swept_q        <= 1'b0;                 // a spare slot: once something was written to it
      watched_read_q <= 1'b0;
    end else begin
      swept_q        <= swept_q || clears || (write && write_slot == watched_i);
      watched_read_q <= ready_q && u_dut.u_memory.read_entry_q
                        && u_dut.u_memory.slot_entry_q == watched_i;
    end
  end
  // Where the last value is: in c6, of which one cycle later the memory and c7 have it.
  logic  in_result, in_written;
  assign in_result    = write_result && u_dut.u_memory.slot_result_q == watched_i;
  assign in_written    = written && u_dut.u_memory.slot_written_q == watched_i;
  always_comb begin
    if (rst_ni) begin
      assert (!in_result || !swept_q || u_dut.u_memory.value_result == last_q);
      assert (!(in_result || in_written) || swept_q);
      assert (in_result || !swept_q || u_dut.u_memory.u_ram.mem_q[watched_i] == last_q);
      assert (in_result || !in_written || u_dut.u_memory.value_written_q == last_q);
      assert (ready_q || 32'(sweep_q) < C4 || !u_dut.u_memory.read_entry_q || `BREAK == 3);
      assert (!(ready_q && u_dut.u_memory.read_entry_q && u_dut.u_memory.slot_entry_q == watched_i
                && swept_q)
              || in_result || in_written || u_dut.u_memory.rdata == last_q || `BREAK == 3);
      assert (swept_q || 32'(watched_i) >= SlotsPerPipe
              || (!ready_q && sweep_q <= 16'(watched_i)));
      // Who reads in c3 has the entry's place in c4.
      assert (!(u_dut.u_operation.granted_q[C4] || move_c[C4])
              || (u_dut.u_memory.read_entry_q && u_dut.u_memory.slot_entry_q == u_dut.slot_entry_q)
              || 32'(sweep_q) < C4 || `BREAK == 3);
      assert (`BREAK == 3 || !((used || move_c[C5]) && (used ? u_dut.slot_update_q : slot_c[C5]) == watched_i)
              || watched_read_q);
      SeesLast_A : assert (!(watched_read_q && swept_q) || u_dut.entry_update == last_q);
    end
  end

  // ---- reached: two pinned operations of one module in a row, the second on what the first wrote;
  // one on what was written two, and three cycles ahead of it
  logic ahead_1_q, ahead_2_q, ahead_3_q;
  always_ff @(posedge clk_i) begin
    ahead_1_q <= u_dut.u_memory.follow_o;
    ahead_2_q <= u_dut.u_memory.ahead_2 && !u_dut.u_memory.ahead_1;
    ahead_3_q <= u_dut.u_memory.ahead_3 && !u_dut.u_memory.ahead_2 && !u_dut.u_memory.ahead_1;
  end
  always_ff @(posedge clk_i)
    if (rst_ni && used && u_dut.packet_write && pinned_c5 && segment_c5.base != '0) begin
      Chased1_C : cover (op && !refused && u_dut.slot_update_q == op_slot && ahead_1_q);
      Chased2_C : cover (ahead_2_q);
      Chased3_C : cover (ahead_3_q);
    end
endmodule : proof_segment
