// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"
`include "sluice_tag.svh"

/// State unit of one pipeline of a back stage: the slots of the state arrays that live here, and
/// one operation a cycle on them, also back to back on the same slot. It stands beside the
/// match-action core. Its cycles are counted from the hit; in brackets their names in
/// sluice_stage_pkg, which count from the PHV's coming:
///   hit - 1  (StateLookupCycle) SEGMENT and ACCESS are read at the overlay row
///   hit      (HitCycle)         STATE_INSTR is read at the match row; the index that ACCESS names
///   read     (StateReadCycle)   operands; slot: the memory is read
///   entry    (StateEntryCycle)  the entry comes; sums of packet fields (sluice_pairs); bounds
///   update   (StateUpdateCycle) the new entry is made
///   result   (StateResultCycle) results to the core; the memory is written
/// What a read cannot have seen is forwarded to its entry: what is made in that cycle by the
/// operation before, what is written in it, and what was written in the cycle of the read. So it is
/// right also when the three operations before wrote the same slot; everything older is in the
/// memory. Control reads like an operation's read and writes like an update, so each comes wholly
/// before or wholly after each operation. No module reaches beyond its segment: a sharded slot was
/// checked at the order point, a pinned one is checked with its entry, while it is read. Without a
/// resolved access, out of bounds, or if the access was resolved as sharded and is pinned by now
/// (or the other way round), the operation sees zeros and writes nothing.
/// Moves of indices between pipelines (docs/moves.md) read and write like an operation that is
/// issued in their cycle: a slot comes with the PHV, in cycle 0; the value of a read leaves in
/// StateResultCycle, that of a write comes in StateUpdateCycle. Beside one there is no packet with
/// a resolved access. Marks (docs/marks.md) do as moves, and read and write in one pass if they
/// write. With Cut the entries of a past moment can be read (docs/marks.md, Cuts): each operation
/// has an epoch, and the first one of a new epoch saves its entry in the shadow, in its update. A
/// move that reads a home leaves there the note that the index is away.
/// At the egress (Egress) nothing is resolved and nothing moves: ACCESS says at the stage whether
/// there is an access, and every index is found as that of a pinned one.
module sluice_state_unit
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_stage_pkg::*;
#(
  parameter bit Cut   = 1'b0,             // there is a shadow memory
  parameter bit Array = 1'b0,             // there are rows of words: sluice_array_unit, beside it
  parameter bit Egress = 1'b0             // of an egress stage: entries of the lane, no resolution
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  pipe_t                pipe_i,
  input  stage_settings_t      settings_i,
  // the packet, cycle by cycle, and what the operation gives
  input  grant_t               grant_i,          // cycle 0
  input  grant_value_t         value_i,          // StateUpdateCycle
  input  side_t                side_i,
  output result_t              result_o,
  // a capsule's memory instruction (sluice_capsule_unit): StateReadCycle; its word: CoreCycles
  input  capsule_access_t      capsule_i,
  output logic [31:0]          old_word_o,
  output logic [31:0]          new_word_o,
  output moved_t               moved_o,          // StateResultCycle, of a read
  // cuts
  input  tag_t                 tag_i,            // cycle 0, of the packet
  input  cut_t                 cut_i,
  output logic                 walks_o,          // see sluice_state_shadow
  // rows
  output row_access_t          row_access_o,
  input  words_t               row_i,            // StateUpdateCycle: what was read
  output logic [3:0]           pred_o,           // StateResultCycle
  output row_read_t            row_read_o,
  // one pulse an operation, with its result
  output logic                 op_o,
  output logic                 op_refused_o,     // with op_o
  output slot_t                op_slot_o,
  // control
  input  table_write_t         write_i,
  output table_ready_t         write_ready_o,
  input  table_read_t          read_i,
  output mark_request_t        ask_o,            // see sluice_state_ctl
  input  logic                 marked_i,
  output word_answer_t         answer_o,
  output logic                 read_busy_o,      // see sluice_state_ctl
  input  logic                 read_busy_i,
  output logic                 hold_o,
  output logic                 fill_busy_o
);
  `SLUICE_TAKES(StateReadCycles, 1)
  `SLUICE_TAKES(StateEntryCycles, 1)
  `SLUICE_TAKES(StateUpdateCycles, 1)
  `SLUICE_TAKES(StateResultCycles, 1)
  // The core takes the action word in the cycle of the read, and the results when the PHV leaves.
  if (StateReadCycle != ActionCycle || StateResultCycle != CoreCycles)
    $fatal(1, "sluice_state_unit: core and state unit take different times from the hit");

  // There are no marks at the egress.
  localparam bit HasMarks = Marks != 0 && !Egress;

  // Nothing of a chip without capsules, whatever stands outside.
  capsule_access_t capsule;
  assign capsule = Active != 0 ? capsule_i : '0;

  // ---- hit, read, entry: what the operation is
  segment_t     segment_readback;
  access_t      access_readback;
  logic         lookup, op_read, instr_read, granted_read, capsule_entry, refused;
  word_answer_t table_answer;
  slot_t        slot;
  state_instr_t instr_entry;
  logic [3:0]   opcode_entry;
  logic [31:0]  p1_entry, p2_entry;
  sluice_state_operation #(.Egress(Egress)) u_operation (
    .clk_i, .rst_ni, .pipe_i, .settings_i,
    .granted_i(grant_i.access), .slot_i(grant_i.slot), .side_i, .capsule_i(capsule),
    .op_read_o(op_read), .instr_read_o(instr_read), .granted_read_o(granted_read), .slot_o(slot),
    .instr_entry_o(instr_entry), .opcode_entry_o(opcode_entry),
    .p1_entry_o(p1_entry), .p2_entry_o(p2_entry),
    .capsule_entry_o(capsule_entry), .refused_o(refused),
    .write_i, .read_i, .answer_o(table_answer), .lookup_i(lookup),
    .segment_readback_o(segment_readback), .access_readback_o(access_readback)
  );

  // ---- the walk behind a cut, in read cycles that nobody needs
  logic          walk_want, walk_entry, walk_update;
  slot_request_t walk, ctl_read, ctl_write;

  // ---- what is under way
  logic       op_entry_q, op_update_q;
  logic       is_instr_update_q, refused_update_q, loads_result_q;
  logic [3:0] opcode_update_q;
  logic       capsule_update_q, capsule_result_q;          // a capsule's
  slot_t      slot_entry_q, slot_update_q;
  // [c]: c cycles after the PHV, or the move, came
  logic       [StateUpdateCycle:1] move_read_q, move_land_q, mark_write_q;
  move_name_t [StateUpdateCycle:1] move_id_q;
  always_ff @(posedge clk_i) begin
    slot_entry_q <= walk.valid ? walk.slot : slot;
    move_id_q    <= {move_id_q[StateUpdateCycle-1:1], grant_i.id};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      op_entry_q <= 1'b0;
      op_update_q <= 1'b0;
      op_o  <= 1'b0;
      {move_read_q, move_land_q, mark_write_q} <= '0;
    end else begin
      op_entry_q <= op_read;
      op_update_q <= op_entry_q;
      op_o  <= op_update_q;
      move_read_q  <= {move_read_q[StateUpdateCycle-1:1], grant_i.read};
      move_land_q  <= {move_land_q[StateUpdateCycle-1:1], grant_i.land};
      mark_write_q <= {mark_write_q[StateUpdateCycle-1:1], grant_i.mark_write};
    end
  end

  always_ff @(posedge clk_i) begin
    if (op_entry_q) begin
      is_instr_update_q <= instr_entry.valid;
      capsule_update_q  <= capsule_entry;
      opcode_update_q   <= opcode_entry;
      refused_update_q  <= refused;
    end
    if (op_entry_q || move_land_q[StateEntryCycle] || mark_write_q[StateEntryCycle] || walk_entry
        || (Cut && move_read_q[StateEntryCycle]))
      slot_update_q <= slot_entry_q;
    if (op_update_q) begin
      op_refused_o <= refused_update_q;
      capsule_result_q <= capsule_update_q;
      op_slot_o    <= slot_update_q;
      loads_result_q     <= !is_instr_update_q && opcode_update_q != OpStore;
    end
  end

  // ---- read; update: what will be written
  logic         unit_read, unit_write, packet_write;
  logic         leaves;                            // a home: its index goes away
  logic         entry_valid, follow;
  state_entry_t entry_found, entry_update, old_result, new_result;
  logic [3:0]   pred_result;

  // A packet with a resolved access has the port, whether its action uses it or not.
  assign unit_read    = granted_read || move_read_q[StateReadCycle];
  assign packet_write = op_update_q && !refused_update_q
                     && (is_instr_update_q || opcode_update_q != OpLoad);
  assign unit_write   = packet_write || move_land_q[StateUpdateCycle]
      || mark_write_q[StateUpdateCycle] || walk_update || leaves;
  assign leaves       = Cut && HasMoves && move_read_q[StateUpdateCycle]
      && !`SLUICE_IS_MARK(move_id_q[StateUpdateCycle]) && 32'(slot_update_q) < SlotsPerPipe;

  state_entry_t write_value;
  always_comb begin
    write_value = write_i.data[EntryBits-1 -: StateEntryWidth];
    if (move_land_q[StateUpdateCycle])  write_value = `SLUICE_VALUE_PAIR(value_i.land);
    if (mark_write_q[StateUpdateCycle]) write_value = value_i.mark;
    if (walk_update || leaves)          write_value = entry_update;
  end

  // What leaves the pair alone: a mark of a row, a write of STATE_ROW.
  logic mark_pair, row_alone, ctl_takes;           // control's turn: no unit's write
  assign ctl_takes = ctl_write.valid && !unit_write;
  assign mark_pair = mark_write_q[StateUpdateCycle] && !(Array && value_i.mark_row);
  assign row_alone = Array && ((mark_write_q[StateUpdateCycle] && value_i.mark_row)
      || (ctl_takes && write_i.which == TableStateRow));

  // ---- cuts
  logic         write_epoch, cut_read, cut_away, was_away;
  logic [1:0]   note_found;                        // {away, epoch}
  state_entry_t cut_value;

  sluice_state_memory #(
    .Cut(Cut), .Slots(Egress ? SlotsPerPipe : MemorySlots)
  ) u_memory (
    .clk_i, .rst_ni, .settings_i,
    .read_i(unit_read || ctl_read.valid || walk.valid),
    .read_slot_i(unit_read ? slot : walk.valid ? walk.slot : ctl_read.slot),
    .value_valid_o(entry_valid), .value_o(entry_found), .follow_o(follow), .note_o(note_found),
    .write_i((unit_write || ctl_write.valid) && !row_alone), .write_packet_i(packet_write),
    .write_slot_i(unit_write ? slot_update_q : ctl_write.slot),
    .write_value_i(write_value),
    .write_note_i({leaves || (walk_update && was_away), write_epoch}),
    .updated_i(new_result)
  );

  logic marked_cut;
  assign marked_cut = move_read_q[StateUpdateCycle]
      && `SLUICE_MARK_OF_CUT(move_id_q[StateUpdateCycle]);
  sluice_state_cut #(.Cut(Cut)) u_cut (
    .clk_i, .rst_ni, .settings_i, .cut_i,
    .granted_i(grant_i.access), .tag_i, .land_i(grant_i.land),
    .unit_read_i(unit_read), .slot_i(slot), .ctl_read_i(ctl_read), .cut_read_i(cut_read),
    .busy_i(op_read || move_land_q[StateReadCycle] || mark_write_q[StateReadCycle]),
    .walk_want_o(walk_want), .walk_o(walk), .walks_o,
    .walk_entry_o(walk_entry), .entry_valid_i(entry_valid), .note_i(note_found),
    .walk_update_o(walk_update), .entry_i(entry_update), .write_slot_i(slot_update_q),
    .write_i(packet_write || mark_pair), .land_write_i(move_land_q[StateUpdateCycle]),
    .leaves_i(leaves), .marked_i(marked_cut),
    .was_away_o(was_away), .write_epoch_o(write_epoch), .away_o(cut_away),
    .value_o(cut_value)
  );

  // ---- entry, update
  if (SharedSums != 0) begin : gen_shared
    sluice_pairs_shared #(.Pairs(StatePairs != 0)) u_pairs (
      .clk_i,
      .en_i(op_entry_q), .instr_i(instr_entry), .instr_valid_i(instr_entry.valid),
      .op_i(opcode_entry),
      .p1_i(p1_entry), .p2_i(p2_entry), .refused_i(refused),
      .entry_en_i(entry_valid), .entry_i(entry_found), .follow_i(follow),
      .entry_o(entry_update), .old_o(old_result), .new_o(new_result), .pred_o(pred_result)
    );
  end else begin : gen_pairs
    sluice_pairs #(.Pairs(StatePairs != 0)) u_pairs (
      .clk_i,
      .en_i(op_entry_q), .instr_i(instr_entry), .instr_valid_i(instr_entry.valid),
      .op_i(opcode_entry),
      .p1_i(p1_entry), .p2_i(p2_entry), .refused_i(refused),
      .entry_en_i(entry_valid), .entry_i(entry_found), .follow_i(follow),
      .entry_o(entry_update), .old_o(old_result), .new_o(new_result), .pred_o(pred_result)
    );
  end

  // ---- rows
  logic ctl_row_read;                   // a read of STATE_ROW, without marks
  row_read_t row_due;
  if (Array) begin : gen_rows
    logic [StateResultCycle-StateReadCycle-1:0] row_read_q;
    words_t                                     row_written;
    for (genvar w = 0; w < WordsOfRow; w++) begin : gen_word
      assign row_written[w] = write_i.data[EntryBits-1-32*w -: 32];
    end
    always_comb begin
      row_access_o = '{
        op: instr_read,
        read: unit_read || ctl_read.valid, read_slot: unit_read ? slot : ctl_read.slot,
        refused: refused_update_q,
        write: move_land_q[StateUpdateCycle]
            || (mark_write_q[StateUpdateCycle] && value_i.mark_row)
            || (ctl_takes && write_i.which != TableState),
        write_slot: unit_write ? slot_update_q : ctl_write.slot,
        value: write_i.which == TableFill ? '0 : row_written
      };
      if (move_land_q[StateUpdateCycle]) row_access_o.value = `SLUICE_VALUE_ROW(value_i.land);
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) row_read_q <= '0;
      else         row_read_q <= (StateResultCycle-StateReadCycle)'({row_read_q, ctl_row_read});
    end
    always_comb begin
      row_read_o      = row_due;
      row_read_o.come = HasMarks ? moved_o.valid && `SLUICE_IS_MARK(moved_o.id)
          : row_read_q[StateResultCycle-StateReadCycle-1];
    end
  end else begin : gen_no_rows
    assign row_access_o = '0;
    assign row_read_o   = '0;
    logic unused_rows;
    assign unused_rows = ^{ctl_row_read, row_due, instr_read};
  end
  assign pred_o = pred_result;

  // ---- result: the value of a move; without marks also what control reads
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      moved_o <= '0;
    end else begin
      moved_o.valid <= move_read_q[StateUpdateCycle];
      if (move_read_q[StateUpdateCycle] || (Array && !HasMarks)) begin
        moved_o.id    <= move_id_q[StateUpdateCycle];
        moved_o.value <= `SLUICE_STATE_VALUE(Array ? row_i : '0, entry_update);
      end
    end
  end

  // ---- result: to the core
  always_comb begin
    result_o = '0;
    if (op_o && !capsule_result_q) begin
      result_o.ext[ExtOld1[2:0]]  = old_result.s1;
      result_o.ext[ExtOld2[2:0]]  = old_result.s2;
      result_o.ext[ExtNew1[2:0]]  = new_result.s1;
      result_o.ext[ExtNew2[2:0]]  = new_result.s2;
      result_o.ext[ExtPred1[2:0]] = 32'(pred_result[0]);
      result_o.ext[ExtPred2[2:0]] = 32'(pred_result[1]);
      result_o.ext[ExtPred3[2:0]] = 32'(pred_result[2]);
      result_o.ext[ExtPred4[2:0]] = 32'(pred_result[3]);
    end
    result_o.slot16_write = op_o && loads_result_q;
    result_o.slot16       = new_result.s1;
  end
  assign old_word_o = old_result.s1;
  assign new_word_o = new_result.s1;

  // ---- control accesses to state
  logic         state_answer, state_answer_zero, cut_answer, cut_answer_zero;

  sluice_state_ctl #(.Cut(Cut), .Array(Array), .Egress(Egress)) u_ctl (
    .clk_i, .rst_ni, .pipe_i, .set_mask_i(settings_i.set_mask),
    .write_i, .write_ready_o, .read_i, .read_busy_o, .read_busy_i, .hold_o, .fill_busy_o,
    .ask_o, .marked_i, .marked_here_i(moved_o.valid && `SLUICE_IS_MARK(moved_o.id)),
    .lookup_o(lookup), .segment_i(segment_readback), .access_i(access_readback),
    .mem_read_free_i(!unit_read), .mem_read_o(ctl_read),
    .cut_read_o(cut_read), .cut_away_i(cut_away), .walk_wait_i(walk_want && !walk.valid),
    .cut_answer_o(cut_answer), .cut_zero_o(cut_answer_zero),
    .mem_write_free_i(!unit_write), .mem_write_o(ctl_write),
    .answer_valid_o(state_answer), .answer_zero_o(state_answer_zero),
    .row_read_o(ctl_row_read), .row_due_o(row_due)
  );

  always_comb begin
    answer_o = table_answer;
    if (state_answer)
      answer_o = '{valid: 1'b1, data: state_answer_zero ? '0
          : HasMarks ? `SLUICE_VALUE_PAIR(moved_o.value) : entry_update};
    if (cut_answer) answer_o = '{valid: 1'b1, data: cut_answer_zero ? '0 : cut_value};
  end

  `SLUICE_ASSERT(InitIsQuiet_A, !(settings_i.init && (op_entry_q || op_update_q)))
  `SLUICE_ASSERT(OneStateAccess_A, $onehot0({grant_i.access, grant_i.read, grant_i.land}))
  `SLUICE_ASSERT(MarkWritesAlone_A,
      $onehot0({grant_i.access, grant_i.mark_write, grant_i.land}))
  `SLUICE_ASSERT(MoveAlone_A, !((move_land_q[StateUpdateCycle] || mark_write_q[StateUpdateCycle])
      && packet_write))
  `SLUICE_ASSERT(LeavesAlone_A, !(leaves
      && (packet_write || move_land_q[StateUpdateCycle] || walk_update)))
endmodule : sluice_state_unit
