// SPDX-License-Identifier: Apache-2.0

/// Proof: a cut is linearizable. What a READ of CUT of an entry gives is what the last operation
/// with a ticket below the cut's left there, and no operation behind it; as often as it is read, and
/// whatever operations, walks and other entries do meanwhile. And a home knows whether its index is
/// away: so the cut is read where the index is.
///
/// State memory and shadow as in the state unit, with the unit's entry register; one slot that the
/// solver chooses is watched, a home or a spare one. Free, in each read cycle: an operation of any
/// slot that writes or not, a landing, the read of a move that takes an index away from its home, a
/// read of the cut, the walk, or nothing; what operations make of their entries; when a cut is
/// taken, closed and swept. Assumed, as others show: an operation of a slot with an old ticket
/// comes before those with young ones (C1, proof_order_queue); a landing was decided before the cut
/// (docs/marks.md), so for the watched slot it comes before the young ones, too, and so was the
/// read of a move; between that and a landing nobody accesses the home; a spare slot that nobody
/// has used holds 0; the cut is read when no old one is left, no landing and no move of the watched
/// slot; a landing that met an open cut is written when the walk begins. The harness keeps the
/// watched entry (value_q) and what it was at the cut (cut_q). Cycles are named as in
/// sluice_state_memory: read, entry, update, result.
/// BREAK: 1 an old operation has the new epoch, 2 the first young write is not saved, 3 the shadow is
/// written again by the second one, 4 the walk misses a slot, 5 a write of the cycle before is not
/// forwarded, 6 a move's read leaves no note.
`include "sluice_assert.svh"
`ifndef BREAK
`define BREAK 0
`endif
module proof_cut
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
(
  input logic         clk_i,
  input logic         rst_ni,
  input logic [2:0]   kind_i,       // of what reads in this cycle
  input logic         old_i,        // an operation: its ticket is below the cut's
  input slot_t        slot_i,
  input logic         writes_i,     // update: the operation writes
  input state_entry_t made_i,       // update: what an operation or a landing writes
  input logic         next_i,       // the cut goes on to its next phase
  input slot_t        watched_i     // the solver's choice, held by an assumption
);
  typedef enum logic [2:0] {None, Operation, Landing, CutRead, Walk, Leave} kind_e;
  // Of the cut: none, for some cycles; taken, old operations come; ready; closed; the walk.
  typedef enum logic [2:0] {Idle, Young, Ready, Close, Sweep} phase_e;

  logic started_q = 1'b0;
  slot_t watched_q;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    watched_q <= watched_i;
  end
  always_comb begin
    assume (rst_ni == started_q);
    assume (!started_q || watched_i == watched_q);
    assume (32'(watched_i) < MemorySlots);
  end

  // ---- the sweep after reset
  logic        ready_q;
  logic [15:0] init_q;
  stage_settings_t   settings;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ready_q <= 1'b0;
      init_q  <= '0;
    end else if (!ready_q) begin
      ready_q <= init_q == 16'(SlotsPerPipe - 1);
      init_q  <= init_q + 16'd1;
    end
  end
  always_comb begin
    settings            = '0;
    settings.init       = !ready_q;
    settings.init_index = init_q;
    settings.fault[FaultNoForward] = `BREAK == 5;
  end

  // ---- the cut
  phase_e     phase_q;
  cut_t       cut;
  logic [2:0] wait_q;
  logic       epoch_q, busy, takes, walked, young_q;       // young_q: a young one of the watched slot has been read
  assign takes = phase_q == Idle && next_i && ready_q && wait_q == 3'd4;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= Idle;
      epoch_q <= 1'b0;
      wait_q  <= '0;
    end else begin
      wait_q <= phase_q != Close && phase_q != Idle ? '0 : wait_q == 3'd4 ? wait_q : wait_q + 3'd1;
      case (phase_q)
        Idle:    if (takes) phase_q <= Young;
        Young:   if (next_i) phase_q <= Ready;
        Ready:   if (next_i) phase_q <= Close;
        Close:   if (wait_q == 3'd4) phase_q <= Sweep;
        default: if (next_i && walked) phase_q <= Idle;
      endcase
      if (takes) epoch_q <= !epoch_q;
    end
  end
  assign walked = u_shadow.done_q && u_shadow.walk_q;
  always_comb begin
    cut       = '0;
    cut.open  = phase_q == Young || phase_q == Ready;
    cut.young = phase_q == Young;
    cut.epoch = epoch_q;
    cut.sweep = phase_q == Sweep;
  end

  // ---- what reads, and what becomes of it. An epoch is that of the cycle of the read: the unit's is
  // some cycles older, which makes it an old one in more cases.
  kind_e        kind, kind_entry_q, kind_update_q;
  slot_t        slot, slot_entry_q, slot_update_q;
  logic         away_q;                        // nobody accesses the watched home
  logic         op_epoch, epoch_entry_q, epoch_update_q, want, take;
  logic         due_epoch, due_entry_q, due_update_q;     // that of the ticket; twin 1 has another one
  slot_t        walk_slot;
  logic         of_watched;
  assign take       = ready_q && kind_e'(kind_i) == Walk && want;
  assign kind       = !ready_q || (kind_e'(kind_i) == Walk && !want)
                   || (`BREAK == 4 && take && walk_slot == watched_i) ? None : kind_e'(kind_i);
  assign slot       = take ? walk_slot : slot_i;
  assign due_epoch  = kind == Landing ? epoch_q ^ cut.open
                    : kind == Operation && old_i ? !epoch_q : epoch_q;
  assign op_epoch   = kind == Operation && `BREAK == 1 ? epoch_q : due_epoch;
  assign of_watched = kind inside {Operation, Landing} && slot == watched_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      kind_entry_q  <= None;
      kind_update_q <= None;
      young_q       <= 1'b0;
      away_q        <= 1'b0;
    end else begin
      kind_entry_q  <= kind;
      kind_update_q <= kind_entry_q;
      if (slot == watched_i && kind == Leave) away_q <= 1'b1;
      if (slot == watched_i && kind == Landing) away_q <= 1'b0;
      young_q       <= !takes && (young_q || (of_watched && cut.open && kind == Operation && !old_i));
    end
  end
  always_ff @(posedge clk_i) begin
    slot_entry_q   <= slot;
    slot_update_q  <= slot_entry_q;
    epoch_entry_q  <= op_epoch;
    epoch_update_q <= epoch_entry_q;
    due_entry_q    <= due_epoch;
    due_update_q   <= due_entry_q;
  end
  always_comb begin
    assume (kind_i <= 3'd5);
    assume (32'(slot_i) < MemorySlots);
    assume (!old_i || (kind == Operation && phase_q == Young));
    assume (!(of_watched && (old_i || (kind == Landing && cut.open))) || !young_q);
    assume (kind != Leave || (32'(slot) < SlotsPerPipe && phase_q != Ready && !(slot == watched_i
            && (away_q || (cut.open && young_q)))));
    assume (kind != Operation || slot != watched_i || !away_q);
    assume (kind != CutRead || phase_q == Ready);
    assume (!(kind == Landing && phase_q == Ready && slot == watched_i));
    // A fault that shows behind a whole cut is found faster with little beside it.
    assume (`BREAK != 4 || (next_i && kind inside {None, Leave, Walk}));
    // Closed when no read of the cut is on its way.
    assume (!(phase_q == Ready && next_i)
            || !(kind == CutRead || kind_entry_q == CutRead || kind_update_q == CutRead));
  end

  // ---- memory, entry register, shadow
  logic         found, follow, write, packet_write, saves, read_update, saved;
  state_entry_t found_value, entry_q, updated_q, shadow, cut_value_q;
  assign packet_write = kind_update_q == Operation && writes_i;
  assign write        = packet_write || kind_update_q inside {Landing, Walk}
                     || (kind_update_q == Leave && `BREAK != 6);
  assign saves        = packet_write;
  assign read_update  = kind_update_q == CutRead;
  logic write_epoch;
  logic [1:0] found_note, note_q;
  assign write_epoch = kind_update_q == Walk ? epoch_q : kind_update_q == Leave ? note_q[0]
      : epoch_update_q;
  sluice_state_memory #(.Cut(1'b1)) u_memory (
    .clk_i, .rst_ni, .settings_i(settings),
    .read_i(kind inside {Operation, CutRead, Walk, Leave}), .read_slot_i(slot),
    .value_valid_o(found), .value_o(found_value), .follow_o(follow), .note_o(found_note),
    .write_i(write), .write_packet_i(packet_write), .write_slot_i(slot_update_q),
    .write_value_i(kind_update_q inside {Walk, Leave} ? entry_q : made_i),
    .write_note_i({kind_update_q == Leave || (kind_update_q == Walk && note_q[1]),
                   write_epoch}),
    .updated_i(updated_q)
  );
  always_ff @(posedge clk_i) begin
    if (found) note_q <= found_note;
    if (found) entry_q <= follow ? made_i : found_value;
    updated_q   <= made_i;
    cut_value_q <= entry_q;
  end
  sluice_state_shadow u_shadow (
    .clk_i, .rst_ni, .lose_i(1'b0), .cut_i(cut),
    .want_o(want), .walk_slot_o(walk_slot), .take_i(take),
    .busy_o(busy),
    .found_i(found), .found_epoch_i(found_note[0]),
    .write_i(saves && `BREAK != 2), .write_epoch_i(`BREAK == 3 ? !u_shadow.epoch_q : write_epoch),
    .write_slot_i(slot_update_q), .old_i(entry_q),
    .read_i(read_update), .read_slot_i(slot_update_q), .saved_o(saved), .value_o(shadow)
  );

  // ---- the watched entry, and what it was at the cut
  state_entry_t value_q, cut_q, value_d;
  logic         tag_q, writes_watched, read_result_q, note_result_q;
  assign writes_watched = write && slot_update_q == watched_i;
  assign value_d        = !writes_watched || kind_update_q inside {Walk, Leave} ? value_q : made_i;
  always_ff @(posedge clk_i) begin
    value_q       <= ready_q ? value_d : '0;
    note_result_q <= note_q[1];
    tag_q   <= !ready_q ? 1'b0 : writes_watched ? write_epoch : tag_q;
    if (takes)                                              cut_q <= value_d;
    else if (writes_watched && !(kind_update_q inside {Walk, Leave}) && due_update_q != epoch_q && cut.open)
      cut_q <= made_i;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) read_result_q <= 1'b0;
    else         read_result_q <= read_update && slot_update_q == watched_i;
  end
  always_comb if (rst_ni && ready_q) begin
    Cut_A  : assert (!read_result_q || (saved ? shadow : cut_value_q) == cut_q);
    Away_A : assert (!read_result_q || note_result_q == away_q);
  end

  // ---- the watched entry and its shadow a cycle ago
  localparam int unsigned ShadowBits = $clog2(MemorySlots);
  state_entry_t value_before_q, shadow_before_q;
  logic         tag_before_q;
  always_ff @(posedge clk_i) begin
    value_before_q  <= value_q;
    tag_before_q    <= tag_q;
    shadow_before_q <= u_shadow.u_ram.mem_q[ShadowBits'(watched_i)];
  end

  // ---- helpers: what the memory and its registers hold of the watched entry
  logic in_result, in_written;
  assign in_result  = u_memory.write_result_q && u_memory.slot_result_q == watched_i;
  assign in_written = u_memory.written_q && u_memory.slot_written_q == watched_i;
  logic [StateEntryWidth+1:0] held, kept;
  logic                       noted_q;           // the note of the watched slot, as of its last write
  assign held = u_memory.u_ram.mem_q[watched_i];
  assign kept = {noted_q, tag_q, value_q};
  always_ff @(posedge clk_i)
    noted_q <= ready_q && (writes_watched ? u_memory.write_note_i[1] : noted_q);
  // reads of moves and landings of the watched slot that are not written yet, the younger one counts
  logic away_written, away_update;
  always_comb begin
    away_update = noted_q;
    if (kind_update_q == Leave && slot_update_q == watched_i)   away_update = 1'b1;
    if (kind_update_q == Landing && slot_update_q == watched_i) away_update = 1'b0;
    away_written = away_update;
    if (kind_entry_q == Leave && slot_entry_q == watched_i)     away_written = 1'b1;
    if (kind_entry_q == Landing && slot_entry_q == watched_i)   away_written = 1'b0;
  end
  always_comb assume (ready_q || 32'(watched_i) < SlotsPerPipe || held == '0);
  // A broken twin is to fail for what is shown, not for a step toward it.
  always_comb if (rst_ni && `BREAK == 0) begin
    assert (ready_q ? init_q == 16'(SlotsPerPipe) : init_q < 16'(SlotsPerPipe));
    assert (init_q < 16'd2 || (due_entry_q == epoch_entry_q && due_update_q == epoch_update_q));
    if (!ready_q) begin
      assert (phase_q == Idle && kind_entry_q == None && kind_update_q == None && !epoch_q);
      assert (!u_memory.write_result_q && !u_memory.written_q && !u_memory.read_entry_q && !young_q);
      assert (!u_shadow.walk_q && !u_shadow.done_q && !read_result_q);
      assert (16'(watched_i) >= init_q || held == '0);
      assert (!away_q);
    end else begin
      assert (!in_result || {u_memory.note_result_q, u_memory.value_result} == kept);
      assert (in_result || held == kept);
      assert (in_result || !in_written
              || {u_memory.note_written_q, u_memory.value_written_q} == kept);
      assert (away_written == away_q);
      assert (!noted_q || 32'(watched_i) < SlotsPerPipe);
      assert (kind_entry_q != Leave || 32'(slot_entry_q) < SlotsPerPipe);
      assert (kind_update_q != Leave || 32'(slot_update_q) < SlotsPerPipe);
      assert (!(kind_entry_q == Operation && slot_entry_q == watched_i && away_update));
      assert (!(kind_update_q == Operation && slot_update_q == watched_i && noted_q));
      assert (u_memory.read_entry_q == (kind_entry_q inside {Operation, CutRead, Walk, Leave}));
      assert (!u_memory.read_entry_q || u_memory.slot_entry_q == slot_entry_q);
      // what was read and is in nobody's register
      if (u_memory.read_entry_q && slot_entry_q == watched_i && !in_result && !in_written)
        assert ({u_memory.kept_note, u_memory.rdata} == kept);
      if (kind_update_q inside {Operation, CutRead, Walk, Leave} && slot_update_q == watched_i)
        assert ({note_q, entry_q} == kept && u_shadow.epoch_q == tag_q);
      if (read_result_q) assert (phase_q == Ready && saved == (tag_before_q == epoch_q) && cut_value_q == value_before_q);
    end
  end
  // ---- helpers: the shadow
  // in flight: an operation or a landing of the watched slot
  logic flies_entry, flies_update;
  assign flies_entry  = kind_entry_q inside {Operation, Landing} && slot_entry_q == watched_i;
  assign flies_update = kind_update_q inside {Operation, Landing} && slot_update_q == watched_i;
  // a landing of the old epoch behind the end of the cut; the walk's write of the watched slot
  logic flies_late, walk_flies;
  assign flies_late = (flies_entry && epoch_entry_q != epoch_q) || (flies_update && epoch_update_q != epoch_q);
  assign walk_flies = (kind_entry_q == Walk && slot_entry_q == watched_i)
                   || (kind_update_q == Walk && slot_update_q == watched_i);
  // Behind the walk every entry has the epoch of the cut, so the next cut tells old ones from young ones.
  always_comb if (rst_ni && ready_q) Swept_A : assert (phase_q != Idle || tag_q == epoch_q || walk_flies);
  always_comb if (rst_ni && ready_q && `BREAK == 0) begin
    if (cut.open) begin
      assert (kind_entry_q != Landing || epoch_entry_q != epoch_q);
      assert (kind_update_q != Landing || epoch_update_q != epoch_q);
      // no young write yet: the entry is what it was; else the shadow is
      if (tag_q != epoch_q) begin
        assert (value_q == cut_q);
      end else begin
        assert (u_shadow.u_ram.mem_q[ShadowBits'(watched_i)] == cut_q);
      end
      if (tag_q == epoch_q) assert (young_q);
      // an old one is not behind a young one
      if (flies_update && epoch_update_q == epoch_q) assert (young_q);
      if (flies_entry && epoch_entry_q == epoch_q) assert (young_q);
      if (flies_entry && epoch_entry_q != epoch_q) begin
        assert (!(flies_update && epoch_update_q == epoch_q));
        assert (tag_q != epoch_q);
      end
      if (flies_update && epoch_update_q != epoch_q) assert (tag_q != epoch_q);
    end
    if (read_result_q && saved) assert (shadow == shadow_before_q && shadow == cut_q);
    if (read_result_q && !saved) assert (cut_value_q == cut_q);
    // no walk while a cut is open; behind it, all slots have the epoch
    assert (!u_shadow.walk_q || phase_q == Sweep || (phase_q == Idle && wait_q == '0));
    assert (!u_shadow.done_q || u_shadow.walk_q || (phase_q == Idle && wait_q == 3'd1));
    assert (phase_q != Close || wait_q < 3'd3 || !(flies_late));
    if (phase_q == Sweep || phase_q == Idle) begin
      assert (!(flies_entry && epoch_entry_q != epoch_q) && !(flies_update && epoch_update_q != epoch_q));
      if (u_shadow.walk_q && !u_shadow.done_q && u_shadow.slot_q > watched_i)
        assert (tag_q == epoch_q || walk_flies);
      if (u_shadow.walk_q && u_shadow.done_q) assert (tag_q == epoch_q || walk_flies);
    end
    assert (kind_entry_q != Walk || phase_q == Sweep || (phase_q == Idle && wait_q <= 3'd1));
    assert (kind_update_q != Walk || phase_q == Sweep || (phase_q == Idle && wait_q <= 3'd2));
    assert (u_shadow.done_q ? 32'(u_shadow.slot_q) == MemorySlots % (1 << SlotBits)
                            : 32'(u_shadow.slot_q) < MemorySlots);
    assert (phase_q != Sweep || u_shadow.walk_q || (!u_shadow.done_q && u_shadow.slot_q == '0));
    assert (!(kind_entry_q == CutRead || kind_update_q == CutRead) || phase_q == Ready);
  end

  // ---- covers: a read of what was saved; a second cut
  logic once_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) once_q <= 1'b0;
    else         once_q <= once_q || (read_result_q && saved && shadow != value_q);
  end
  always_comb begin
    Saved_C  : cover (rst_ni && once_q);
    Second_C : cover (rst_ni && once_q && phase_q == Young && !epoch_q);
    Away_C   : cover (rst_ni && read_result_q && note_result_q);
  end

  logic unused;
  assign unused = ^{busy, cut};
endmodule : proof_cut
