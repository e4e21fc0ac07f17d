// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// State memory of one unit, with what was written to it of late: a read and a write a cycle, and
/// a read sees all writes in front of it although they reach the memory later. Cycles are those of
/// the operation (sluice_state_unit):
///   c3  read_i, and the memory is read
///   c4  the entry: value_o, or (follow_o) what the operation now in c5 makes of its own
///   c5  write_i, with the value of a move or of control; that of a packet is made now
///   c6  ... and is given here (updated_i); the memory is written
/// Seen from a read in c4, a write in front of it is one cycle ahead (in c5), two (in c6, being
/// written), three (was written in the cycle of the read) or in the memory. Nearer ones are newer.
/// With StatePairs = 0 an entry is its first word; the second is 0.
/// The compared slots, and all values but that of a packet one cycle ahead, come from registers.
module sluice_state_memory
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_layout_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  settings_t    settings_i,
  // c3
  input  logic         read_i,
  input  slot_t        read_slot_i,
  // c4
  output logic         value_valid_o,
  output state_entry_t value_o,
  output logic         follow_o,
  // c5
  input  logic         write_i,
  input  logic         write_packet_i,   // the value comes in c6
  input  slot_t        write_slot_i,
  input  state_entry_t write_value_i,
  // c6
  input  state_entry_t updated_i
);
  state_entry_t write_value;
  always_comb begin
    write_value = write_value_i;
    if (StatePairs == 0) write_value.s2 = '0;
  end

  logic         read_q4, write_q6, write_q7, packet_q6;
  slot_t        read_slot_q4, slot_q6, slot_q7;
  state_entry_t value_q6, value_q7, value_c6, rdata;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q4  <= 1'b0;
      write_q6 <= 1'b0;
      write_q7 <= 1'b0;
    end else begin
      read_q4  <= read_i;
      write_q6 <= write_i;
      write_q7 <= write_q6;
    end
  end

  always_ff @(posedge clk_i) begin
    if (read_i) read_slot_q4 <= read_slot_i;
    if (write_i) begin
      packet_q6 <= write_packet_i;
      slot_q6   <= write_slot_i;
      if (!write_packet_i) value_q6 <= write_value;
    end
    if (write_q6) begin
      slot_q7  <= slot_q6;
      value_q7 <= value_c6;
    end
  end
  assign value_c6 = packet_q6 ? updated_i : value_q6;

  // ---- the memory
  logic         we;
  slot_t        waddr;
  state_entry_t wdata;
  always_comb begin
    we    = write_q6;
    waddr = slot_q6;
    wdata = value_c6;
    if (settings_i.init) begin
      we    = 32'(settings_i.init_index) < SlotsPerPipe;
      waddr = settings_i.init_index[SlotBits-1:0];
      wdata = '0;
    end
  end

  localparam int unsigned Kept = StatePairs != 0 ? StateEntryWidth : StateEntryWidth / 2;
  logic [Kept-1:0] kept;
  sluice_ram #(.Depth(MemorySlots), .Width(Kept)) u_ram (
    .clk_i, .we_i(we), .waddr_i(waddr), .wdata_i(wdata[StateEntryWidth-1 -: Kept]),
    .re_i(read_i), .raddr_i(read_slot_i), .rdata_o(kept)
  );
  assign rdata = StateEntryWidth'(kept) << (StateEntryWidth - Kept);

  // ---- c4
  logic forward, ahead_1, ahead_2, ahead_3;
  assign forward = !settings_i.fault[FaultNoForward];
  assign ahead_1 = forward && write_i  && write_slot_i == read_slot_q4;
  assign ahead_2 = forward && write_q6 && slot_q6      == read_slot_q4;
  assign ahead_3 = forward && write_q7 && slot_q7      == read_slot_q4;

  assign value_valid_o = read_q4;
  assign follow_o      = ahead_1 && write_packet_i;
  assign value_o       = ahead_1 ? write_value : ahead_2 ? value_c6 : ahead_3 ? value_q7 : rdata;

  logic unused_bits;
  assign unused_bits = &{1'b0, settings_i, wdata};

  `SLUICE_ASSERT(InitIsQuiet_A, !(settings_i.init && (write_i || write_q6)))
endmodule : sluice_state_memory
