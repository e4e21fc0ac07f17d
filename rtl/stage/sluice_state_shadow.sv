// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// What one state unit keeps for a cut (docs/marks.md): the entries as they were before the first
/// operation behind the cut, in a memory of their own, and a walk over all slots when the cut has
/// ended. Cycles are those of an operation (sluice_state_unit).
///
/// Example: epoch 1. An operation on slot 10 finds {17, epoch bit 0} and writes {18, 1}: in its
/// update cycle save_i, and slot 10 of the shadow is 17. A read of the cut finds {18, 1} in its
/// update (read_i): one cycle later value_o is 17, and saved_o says that it counts.
/// The walk offers a slot (want_o) until the unit has a free read cycle for it (take_i); the entry
/// is written back as it is, with the epoch.
/// Latency: 1 cycle from read_i. Throughput: a save or a read a cycle. Reset: no walk.
/// Invariant: of each slot the first operation behind a cut, and no other, is saved.
module sluice_state_shadow
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         lose_i,         // fault: odd slots are not saved
  input  cut_t         cut_i,
  // the walk
  output logic         want_o,
  output slot_t        walk_slot_o,
  input  logic         take_i,
  output logic         busy_o,         // not through with it
  // entry: the epoch bit that was found, of an operation or a read
  input  logic         found_i,
  input  logic         found_epoch_i,
  // update
  input  logic         write_i,        // an operation that has read its entry writes it
  input  logic         write_epoch_i,
  input  slot_t        write_slot_i,
  input  state_entry_t old_i,          // the entry that was found
  input  logic         read_i,         // a read of the cut
  input  slot_t        read_slot_i,
  // result: of a read
  output logic         saved_o,
  output state_entry_t value_o
);
  localparam int unsigned Kept = StatePairs != 0 ? StateEntryWidth : StateEntryWidth / 2;
  // Of homes, and of the spare slots, where something moves: a cut has indices that are away, too.
  localparam int unsigned Slots = HasMoves ? MemorySlots : SlotsPerPipe;
  localparam int unsigned ShadowBits = index_bits(Slots);

  // ---- the shadow
  logic            epoch_q, save;
  logic [Kept-1:0] kept;
  always_ff @(posedge clk_i) if (found_i) epoch_q <= found_epoch_i;
  assign save = write_i && epoch_q != write_epoch_i
      && !(lose_i && write_slot_i[0]);

  sluice_ram #(.Depth(Slots), .Width(Kept)) u_ram (
    .clk_i,
    .we_i(save), .waddr_i(ShadowBits'(write_slot_i)), .wdata_i(old_i[StateEntryWidth-1 -: Kept]),
    .re_i(read_i), .raddr_i(ShadowBits'(read_slot_i)), .rdata_o(kept)
  );
  always_ff @(posedge clk_i) if (read_i) saved_o <= epoch_q == cut_i.epoch;
  assign value_o = StateEntryWidth'(kept) << (StateEntryWidth - Kept);

  // ---- the walk
  logic  walk_q, done_q;
  slot_t slot_q;
  assign want_o      = walk_q && !done_q;
  assign walk_slot_o = slot_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      walk_q <= 1'b0;
      done_q <= 1'b0;
      slot_q <= '0;
      busy_o <= 1'b0;
    end else begin
      walk_q <= cut_i.sweep;
      busy_o <= cut_i.sweep && !done_q;
      if (!walk_q) begin
        slot_q <= '0;
        done_q <= 1'b0;
      end else if (take_i) begin
        slot_q <= slot_q + 1'b1;
        done_q <= 32'(slot_q) == Slots - 1;
      end
    end
  end

  `SLUICE_ASSERT(TakenIsWanted_A, !take_i || want_o)
  `SLUICE_ASSERT(ReadOrSave_A, !(read_i && write_i))
endmodule : sluice_state_shadow
