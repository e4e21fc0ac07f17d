// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// State memory of one unit, with what was written to it of late: a read and a write a cycle, and
/// a read sees all writes in front of it although they reach the memory later. Cycles are those of
/// the operation (sluice_state_unit):
///   read    read_i, and the memory is read
///   entry   value_o, or (follow_o) what the operation now in its update makes of its own
///   update  write_i, with the value of a move or of control; that of a packet is made now
///   result  ... and is given here (updated_i); the memory is written
/// Seen from the entry of a read, a write in front of it is one cycle ahead (in its update), two
/// (in its result, being written), three (was written in the cycle of the read) or in the memory.
/// Nearer ones are newer.
/// Of a value the first Kept bits are kept, the others are 0. Example: an entry of a chip with
/// StatePairs = 0 is its first word. Rows of words (sluice_array_unit) are kept here as well.
/// The compared slots, and all values but that of a packet one cycle ahead, come from registers.
/// Slots: with the spare ones for moves, or without (egress stages have none).
/// With Cut each entry has a note beside it, which takes the same way (docs/marks.md): {away,
/// epoch}. away is that of a home whose index has left it; nothing sets it where nothing moves.
module sluice_state_memory
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
#(
  parameter bit Cut = 1'b0,
  parameter int unsigned Slots = MemorySlots,
  parameter int unsigned Width = StateEntryWidth,
  parameter int unsigned Kept = StatePairs != 0 ? StateEntryWidth : StateEntryWidth / 2
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  stage_settings_t settings_i,
  // read
  input  logic            read_i,
  input  slot_t           read_slot_i,
  // entry
  output logic            value_valid_o,
  output logic [Width-1:0] value_o,
  output logic            follow_o,
  output logic [1:0]      note_o,           // also if follow_o
  // update
  input  logic            write_i,
  input  logic            write_packet_i,   // the value comes with the result
  input  slot_t           write_slot_i,
  input  logic [Width-1:0] write_value_i,
  input  logic [1:0]      write_note_i,
  // result
  input  logic [Width-1:0] updated_i
);
  localparam logic [Width-1:0] KeptBits = {Width{1'b1}} << (Width - Kept);
  logic [Width-1:0] write_value;
  assign write_value = write_value_i & KeptBits;

  logic         read_entry_q, write_result_q, written_q, packet_result_q;
  logic [1:0]   note_result_q, note_written_q;
  slot_t        slot_entry_q, slot_result_q, slot_written_q;
  logic [Width-1:0] value_result_q, value_written_q, value_result, rdata;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_entry_q  <= 1'b0;
      write_result_q <= 1'b0;
      written_q <= 1'b0;
    end else begin
      read_entry_q  <= read_i;
      write_result_q <= write_i;
      written_q <= write_result_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (read_i) slot_entry_q <= read_slot_i;
    if (write_i) begin
      packet_result_q <= write_packet_i;
      note_result_q   <= write_note_i;
      slot_result_q   <= write_slot_i;
      if (!write_packet_i) value_result_q <= write_value;
    end
    if (write_result_q) begin
      slot_written_q  <= slot_result_q;
      value_written_q <= value_result;
      note_written_q  <= note_result_q;
    end
  end
  assign value_result = packet_result_q ? updated_i : value_result_q;

  // ---- the memory
  localparam int unsigned NoteBits = !Cut ? 0 : HasMoves ? 2 : 1;
  logic         we;
  logic [1:0]   wnote, kept_note;
  slot_t        waddr;
  logic [Width-1:0] wdata;
  always_comb begin
    we    = write_result_q;
    waddr = slot_result_q;
    wdata = value_result;
    wnote = note_result_q;
    if (settings_i.init) begin
      we    = 32'(settings_i.init_index) < SlotsPerPipe;
      waddr = slot_t'(settings_i.init_index);
      wdata = '0;
      wnote = '0;
    end
  end

  logic [Kept-1:0] kept;
  logic [Kept+NoteBits-1:0] kept_bits;
  sluice_ram #(.Depth(Slots), .Width(Kept + NoteBits)) u_ram (
    .clk_i, .we_i(we), .waddr_i(index_bits(Slots)'(waddr)),
    .wdata_i((Kept + NoteBits)'({wnote, wdata[Width-1 -: Kept]})),
    .re_i(read_i), .raddr_i(index_bits(Slots)'(read_slot_i)), .rdata_o(kept_bits)
  );
  assign {kept_note, kept} = (Kept + 2)'(kept_bits);
  assign rdata = Width'(kept) << (Width - Kept);

  // ---- entry
  logic forward, ahead_1, ahead_2, ahead_3;
  assign forward = !settings_i.fault[FaultNoForward];
  assign ahead_1 = forward && write_i  && write_slot_i == slot_entry_q;
  assign ahead_2 = forward && write_result_q && slot_result_q      == slot_entry_q;
  assign ahead_3 = forward && written_q && slot_written_q      == slot_entry_q;

  assign value_valid_o = read_entry_q;
  assign follow_o      = ahead_1 && write_packet_i;
  assign value_o       = ahead_1 ? write_value : ahead_2 ? value_result : ahead_3 ? value_written_q
      : rdata;
  assign note_o        = !Cut ? '0 : ahead_1 ? write_note_i : ahead_2 ? note_result_q
      : ahead_3 ? note_written_q : kept_note;

  `SLUICE_ASSERT(InitIsQuiet_A, !(settings_i.init && (write_i || write_result_q)))
  `SLUICE_SWEPT(settings_i.init, settings_i.init_index, SlotsPerPipe)
endmodule : sluice_state_memory
