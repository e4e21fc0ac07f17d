// SPDX-License-Identifier: Apache-2.0
`include "sluice_tag.svh"

/// What a state unit (sluice_state_unit) does for cuts (docs/marks.md, Cuts): the epoch of each
/// operation, the shadow memory, and which cycles the walk behind a cut may have. Cycles are those
/// of the unit: 0, read, entry, update, result.
/// Example: epoch 1 begins while an operation with an older tag is in its read. That operation
/// keeps epoch 0 until its update, so what it writes still belongs to the past moment. The next one
/// on the slot has epoch 1 and finds an entry of epoch 0: in its update that entry goes to the
/// shadow.
/// Latency: value_o comes one cycle behind the update of a read. Nothing stalls; the walk waits for
/// a read cycle that nobody needs. Reset: no walk, no read.
/// Invariant: an operation has the epoch of its place in the order, whatever cut_i says by the time
/// it writes. Not there in a unit without a shadow memory: there is no walk, and no past.
module sluice_state_cut
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_stage_pkg::*;
#(
  parameter bit Cut = 1'b1                  // there is a shadow memory
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  stage_settings_t settings_i,
  input  cut_t            cut_i,
  // cycle 0
  input  logic            granted_i,        // a packet with a resolved access
  input  tag_t            tag_i,            // ... its tag
  input  logic            land_i,           // a move lands
  // read
  input  logic            unit_read_i,      // a packet or a move reads slot_i
  input  slot_t           slot_i,
  input  slot_request_t   ctl_read_i,       // control reads
  input  logic            cut_read_i,       // ... what the entry was at the cut
  input  logic            busy_i,           // no cycle for the walk, though nobody reads
  output logic            walk_want_o,
  output slot_request_t   walk_o,           // the walk reads
  output logic            walks_o,          // see sluice_state_shadow
  // entry
  output logic            walk_entry_o,     // of the walk
  input  logic            entry_valid_i,
  input  logic [1:0]      note_i,           // what stands beside the entry: {away, epoch}
  // update
  output logic            walk_update_o,    // the walk writes its entry back
  input  state_entry_t    entry_i,
  input  slot_t           write_slot_i,
  input  logic            write_i,          // a packet or a mark writes the pair
  input  logic            land_write_i,     // a landing writes
  input  logic            leaves_i,         // the index of the entry goes away
  input  logic            marked_i,         // a mark reads what the entry was at the cut
  output logic            was_away_o,       // the note that was found says away
  output logic            write_epoch_o,    // for the note that is written
  output logic            away_o,           // a read: the index was away, the value is elsewhere
  // result
  output state_entry_t    value_o           // a read: the entry as it was at the cut
);
  if (!Cut) begin : gen_none
    assign {walk_want_o, walk_o, walks_o, walk_entry_o, walk_update_o} = '0;
    assign {was_away_o, write_epoch_o, away_o, value_o} = '0;
  end else begin : gen_cut
    // [c]: the epoch of what came c cycles ago. A landing was decided before a cut that is open.
    logic         epoch_q [1:StateUpdateCycle];
    logic         cut_entry_q, cut_update_q, older, saved;
    logic [1:0]   note_update_q;
    slot_t        slot_entry_q, slot_update_q;
    state_entry_t value_q, shadow;
    assign older         = granted_i && cut_i.young && `SLUICE_OLDER(tag_i, cut_i.tag);
    assign write_epoch_o = write_i || land_write_i ? epoch_q[StateUpdateCycle]
        : leaves_i ? note_update_q[0] : cut_i.epoch;
    always_ff @(posedge clk_i) begin
      epoch_q[1] <= cut_i.epoch ^ (older || (land_i && cut_i.open));
      for (int unsigned c = 2; c <= StateUpdateCycle; c++) epoch_q[c] <= epoch_q[c-1];
      if (entry_valid_i) note_update_q <= note_i;
      slot_entry_q  <= unit_read_i ? slot_i : ctl_read_i.slot;
      slot_update_q <= slot_entry_q;
      value_q       <= entry_i;
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        cut_entry_q   <= 1'b0;
        cut_update_q  <= 1'b0;
        walk_entry_o  <= 1'b0;
        walk_update_o <= 1'b0;
      end else begin
        cut_entry_q   <= cut_read_i;
        cut_update_q  <= cut_entry_q;
        walk_entry_o  <= walk_o.valid;
        walk_update_o <= walk_entry_o;
      end
    end
    assign was_away_o  = note_update_q[1];
    assign away_o      = note_update_q[1] && !settings_i.fault[FaultCutAway];
    assign walk_o.valid = walk_want_o && !unit_read_i && !ctl_read_i.valid && !busy_i;

    sluice_state_shadow u_shadow (
      .clk_i, .rst_ni, .lose_i(settings_i.fault[FaultCutLost]), .cut_i,
      .want_o(walk_want_o), .walk_slot_o(walk_o.slot), .take_i(walk_o.valid), .busy_o(walks_o),
      .found_i(entry_valid_i), .found_epoch_i(note_i[0]),
      .write_i, .write_epoch_i(write_epoch_o), .write_slot_i, .old_i(entry_i),
      .read_i(cut_update_q || marked_i), .read_slot_i(slot_update_q),
      .saved_o(saved), .value_o(shadow)
    );
    assign value_o = saved ? shadow : value_q;
  end
endmodule : sluice_state_cut
