// SPDX-License-Identifier: Apache-2.0

/// Stand-in for the match-action unit in the test of the boundary: a delay line of its latency,
/// that asks for a pause now and then. It reports the order in which state is accessed. An access
/// mixes what it finds in its slot into a container, and the tag into the slot; moves read and
/// write slots in the same cycle as an access issued beside them would.
/// Faults of the test: NO_FORWARD: a move's read does not see what was written in the cycle before;
/// NO_BOUNDS: a landing is written a cycle late.
module sluice_back_unit
  import sluice_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_probe_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_stage_pkg::*;
#(
  parameter bit State = 1'b1             // tried with state only
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  stage_t        stage_i,
  input  pipe_t         pipe_i,
  input  stage_settings_t  settings_i,
  input  logic          valid_i,
  input  packet_t       packet_i,
  input  grant_t        grant_i,
  input  grant_value_t  value_i,
  output moved_t        moved_o,
  input  cut_t          cut_i,
  output logic          walks_o,
  output logic          valid_o,
  output packet_t       packet_o,
  output logic          hold_o,
  input  table_write_t  write_i,
  output table_ready_t  write_ready_o,
  input  table_read_t   read_i,
  output mark_request_t ask_o,
  input  logic          marked_i,
  output word_answer_t  answer_o,
  output row_read_t     row_read_o,
  output logic          read_busy_o,
  input  logic          read_busy_i,
  output unit_event_t   event_o,
  output logic          fill_busy_o,
  output probe_state_t  probe_o
);
  packet_t               packet_q [1:CoreCycles];
  logic [CoreCycles:1]   valid_q;
  logic [9:0]            pause_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      pause_q <= 10'(pipe_i) << 5;
    end else begin
      valid_q <= {valid_q[CoreCycles-1:1], valid_i};
      pause_q <= pause_q + 10'd1;
    end
  end
  always_ff @(posedge clk_i) begin
    packet_q[1] <= packet_i;
    for (int unsigned c = 2; c <= CoreCycles; c++) packet_q[c] <= packet_q[c-1];
    if (granted_q[StateUpdateCycle])
      packet_q[StateResultCycle].phv.cont.b4[0] <= packet_q[StateUpdateCycle].phv.cont.b4[0] * 32'd3 + (old.s1 ^ old.s2);
  end

  // ---- state: an access, or a move, happens in StateUpdateCycle
  logic         granted_q [1:StateUpdateCycle], read_q [1:StateUpdateCycle], land_q [1:StateUpdateCycle];
  slot_t        slot_q [1:StateUpdateCycle];
  move_name_t   id_q [1:StateUpdateCycle];
  state_entry_t mem_q [MemorySlots];
  state_entry_t old, late_value_q, before_q;
  logic         late_q, write, wrote_q;
  slot_t        late_slot_q, write_slot, wrote_slot_q;
  state_entry_t write_value;
  initial for (int unsigned i = 0; i < MemorySlots; i++) mem_q[i] = '0;
  assign old = mem_q[slot_q[StateUpdateCycle]];

  always_comb begin
    write       = granted_q[StateUpdateCycle] || land_q[StateUpdateCycle];
    write_slot  = slot_q[StateUpdateCycle];
    write_value = '{s1: old.s1 * 32'd5 + 32'(packet_q[StateUpdateCycle].tag) + 32'd1, s2: old.s2 + 32'd1};
    if (land_q[StateUpdateCycle]) write_value = value_i.land;
    if (settings_i.fault[FaultNoBounds] && land_q[StateUpdateCycle]) write = 1'b0;
    if (late_q) begin
      write       = 1'b1;
      write_slot  = late_slot_q;
      write_value = late_value_q;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int unsigned c = 1; c <= StateUpdateCycle; c++) begin
        granted_q[c] <= 1'b0;
        read_q[c]    <= 1'b0;
        land_q[c]    <= 1'b0;
      end
      late_q  <= 1'b0;
      wrote_q <= 1'b0;
      moved_o <= '0;
    end else begin
      granted_q[1] <= grant_i.access;
      read_q[1]    <= grant_i.read;
      land_q[1]    <= grant_i.land;
      for (int unsigned c = 2; c <= StateUpdateCycle; c++) begin
        granted_q[c] <= granted_q[c-1];
        read_q[c]    <= read_q[c-1];
        land_q[c]    <= land_q[c-1];
      end
      late_q  <= settings_i.fault[FaultNoBounds] && land_q[StateUpdateCycle];
      wrote_q <= write;
      moved_o <= '{valid: read_q[StateUpdateCycle], id: id_q[StateUpdateCycle],
                   value: settings_i.fault[FaultNoForward] && wrote_q && wrote_slot_q == slot_q[StateUpdateCycle]
                          ? before_q : old};
    end
  end
  always_ff @(posedge clk_i) begin
    if (write && rst_ni) mem_q[write_slot] <= write_value;   // what is random before the reset writes nothing
    slot_q[1] <= grant_i.slot;
    id_q[1]   <= grant_i.id;
    for (int unsigned c = 2; c <= StateUpdateCycle; c++) begin
      slot_q[c] <= slot_q[c-1];
      id_q[c]   <= id_q[c-1];
    end
    late_slot_q  <= slot_q[StateUpdateCycle];
    late_value_q <= value_i.land;
    wrote_slot_q <= write_slot;
    before_q     <= mem_q[write_slot];
  end

  assign valid_o       = valid_q[CoreCycles];
  assign packet_o      = packet_q[CoreCycles];
  assign hold_o        = pause_q == '1;
  assign write_ready_o = '{ready: 1'b1, refused: 1'b0};
  assign answer_o      = '0;
  assign ask_o         = '0;
  assign row_read_o    = '0;
  assign walks_o       = 1'b0;
  assign read_busy_o   = 1'b0;
  assign event_o       = '{hit: valid_i, state_op: valid_i && grant_i.access, refused: 1'b0};
  assign fill_busy_o   = 1'b0;
  assign probe_o       = '{valid: valid_i && grant_i.access, refused: 1'b0, tag: packet_i.tag,
                           slot: grant_i.slot};

  logic unused_inputs;
  assign unused_inputs = ^{stage_i, State, grant_i, value_i, cut_i, settings_i, write_i, read_i, read_busy_i, marked_i};
endmodule : sluice_back_unit
