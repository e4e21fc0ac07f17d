// SPDX-License-Identifier: Apache-2.0
`include "sluice_tag.svh"

/// What one operation of a state unit is (sluice_state_unit), from the tables to the cycle in which
/// its entry comes: instruction, operands, the slot it reads, and whether it may. Cycles are those
/// of the unit:
///   hit - 1  (StateLookupCycle) SEGMENT and ACCESS are read at the overlay row
///   hit      (HitCycle)         STATE_INSTR is read at the match row; the index that ACCESS names
///   read     (StateReadCycle)   operands; slot_o
///   entry    (StateEntryCycle)  *_entry_o: what the update needs; bounds: refused_o
/// Example: SEGMENT is {BASE 8, RANGE 4}, ACCESS is pinned and names a container with 3. In the
/// cycle of the read slot_o is 11. With 4 in the container it is 12, and refused_o is 1 in the next
/// cycle: the unit has read a slot of another module, and shows zeros instead.
/// Latency: as above; an operation a cycle; nothing stalls. Reset: no operation is under way (the
/// unit holds that); tables hold what they held.
/// Invariant: an operation that is not refused has a slot of its own module's segment, or the one
/// that the order point resolved for it.
module sluice_state_operation
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_stage_pkg::*;
#(
  parameter bit Egress = 1'b0             // of an egress stage: entries of the lane, no resolution
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  pipe_t           pipe_i,
  input  stage_settings_t settings_i,
  // the packet, cycle by cycle
  input  logic            granted_i,         // cycle 0: it has a resolved access here
  input  slot_t           slot_i,            // ... that of a sharded one, or of a move
  input  side_t           side_i,
  input  capsule_access_t capsule_i,         // StateReadCycle
  // read
  output logic            op_read_o,         // there is an operation
  output logic            instr_read_o,      // ... of STATE_INSTR, not Menshen's
  output logic            granted_read_o,
  output slot_t           slot_o,            // of the operation, or of the move
  // entry, of the operation that was there in the read; held until the next one
  output state_instr_t    instr_entry_o,
  output logic [3:0]      opcode_entry_o,
  output logic [31:0]     p1_entry_o,
  output logic [31:0]     p2_entry_o,
  output logic            capsule_entry_o,   // a capsule's
  output logic            refused_o,         // it sees zeros and writes nothing
  // control: SEGMENT, ACCESS, STATE_INSTR; see sluice_state_tables
  input  table_write_t    write_i,
  input  table_read_t     read_i,
  output word_answer_t    answer_o,
  input  logic            lookup_i,
  output segment_t        segment_readback_o,
  output access_t         access_readback_o
);
  // ---- tables
  segment_t     segment;
  access_t      access;
  state_instr_t instr;
  sluice_state_tables u_tables (
    .clk_i, .rst_ni, .pipe_i, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .c1_valid_i(side_i.ahead), .c1_row_i(side_i.ahead_row),
    .segment_o(segment), .access_o(access),
    .c2_hit_i(side_i.hit.valid), .c2_action_row_i(side_i.hit.row), .instr_o(instr),
    .write_i, .read_i, .answer_o,
    .lookup_i, .segment_readback_o, .access_readback_o
  );

  // ---- hit: the index that ACCESS names
  logic [47:0] hit_index;
  logic        valid_hit_q, pinned_read_q, late_read_q;
  logic [47:0] index_read_q;
  logic [15:0] offset_read_q;            // from the segment's base, of an index in bounds
  segment_t    segment_read_q;

  sluice_operand_wide u_index (
    .en_i(valid_hit_q), .cont_i(side_i.hit_cont), .operand_i(access.index), .value_o(hit_index)
  );

  // Without phantoms nothing was resolved ahead, and the index of a sharded access is read here.
  logic late;
  assign late = !Egress && settings_i.mode.no_phantoms && !access.pinned;

  always_ff @(posedge clk_i) begin
    valid_hit_q <= side_i.ahead;
    if (valid_hit_q) begin
      index_read_q   <= hit_index;
      offset_read_q  <= hit_index[15:0]
                        >> (late ? `SLUICE_SET_LOG(settings_i.set_mask) : 3'd0);
      segment_read_q <= segment;
      pinned_read_q  <= Egress || access.pinned;
      late_read_q    <= late;
    end
  end

  // ---- whether there is an access: as it was resolved; at the egress ACCESS says so
  // [c]: c cycles after the PHV, or the move, came
  logic  granted_q [1:StateEntryCycle];
  slot_t slot_q [1:StateReadCycle];
  logic  granted_read, granted_entry;    // StateReadCycle, StateEntryCycle
  if (Egress) begin : gen_enabled
    logic enabled_read_q, enabled_entry_q;
    always_ff @(posedge clk_i) begin
      enabled_read_q  <= valid_hit_q && access.enable;
      enabled_entry_q <= enabled_read_q;
    end
    assign granted_read   = enabled_read_q;
    assign granted_entry  = enabled_entry_q;
  end else begin : gen_resolved
    assign granted_read  = granted_q[StateReadCycle];
    assign granted_entry = granted_q[StateEntryCycle];
  end
  assign granted_read_o = granted_read;
  always_ff @(posedge clk_i) begin
    granted_q[1] <= granted_i;
    slot_q[1]    <= slot_i;
    for (int unsigned c = 2; c <= StateEntryCycle; c++) granted_q[c] <= granted_q[c-1];
    for (int unsigned c = 2; c <= StateReadCycle; c++) slot_q[c] <= slot_q[c-1];
  end

  // ---- read: operands, slot
  logic [47:0] value_p1, value_p2, value_b;
  logic [31:0] operand_b;
  logic        mem_op, by_access, computed_read;
  logic [16:0] found_access, found_operand, found;

  // Menshen's operations name 4-byte containers, whatever the type tag says.
  sluice_operand_wide u_p1 (
    .en_i(side_i.action), .cont_i(side_i.action_cont),
    .operand_i(instr.valid ? instr.p1 : {TypeB4, side_i.action_slot16.a[2:0]}), .value_o(value_p1)
  );
  sluice_operand_wide u_p2 (
    .en_i(side_i.action), .cont_i(side_i.action_cont), .operand_i(instr.p2), .value_o(value_p2)
  );
  sluice_operand_wide u_b (
    .en_i(side_i.action), .cont_i(side_i.action_cont),
    .operand_i({TypeB4, side_i.action_slot16.b[2:0]}), .value_o(value_b)
  );
  logic unused_high;
  assign unused_high = ^{value_p1[47:32], value_p2[47:32], value_b[47:32]};

  assign mem_op = side_i.action_slot16.op == OpLoad || side_i.action_slot16.op == OpStore
               || side_i.action_slot16.op == OpLoadd;
  assign op_read_o  = capsule_i.takes ? capsule_i.valid : side_i.action && (instr.valid || mem_op);
  assign instr_read_o = side_i.action && instr.valid && !capsule_i.takes;
  assign operand_b     = value_b[31:0];
  assign by_access     = instr.valid || late_read_q;
  assign found_access  = 17'(segment_read_q.base) + 17'(offset_read_q);
  assign found_operand = 17'(segment_read_q.base) + 17'(operand_b[15:0]);
  assign found         = by_access ? found_access : found_operand;

  assign computed_read = granted_read
      && (capsule_i.takes ? capsule_i.computed : pinned_read_q || late_read_q);
  // What the order point resolved is pinned or sharded as ACCESS, or REGION, said then. If the
  // entry that stands here says otherwise, slot or pipeline are not those of the access.
  logic other_read, other_entry_q;
  assign other_read = !Egress && !settings_i.mode.no_phantoms && granted_read
      && (capsule_i.takes ? capsule_i.computed : pinned_read_q)
         != (slot_q[StateReadCycle] == slot_t'(PinnedSlot));
  assign slot_o       = !computed_read ? slot_q[StateReadCycle]
      : capsule_i.takes ? capsule_i.slot : found[SlotBits-1:0];

  logic [47:0] index_entry_q;
  logic [15:0] range_entry_q;
  logic [16:0] found_entry_q;
  logic        computed_entry_q;         // the slot was computed here
  logic        bounded_entry_q;          // a capsule's is in its region
  always_ff @(posedge clk_i) begin
    if (op_read_o) begin
      instr_entry_o    <= capsule_i.takes ? capsule_i.instr : instr;
      opcode_entry_o   <= side_i.action_slot16.op;
      p1_entry_o       <= capsule_i.takes ? capsule_i.p1 : value_p1[31:0];
      p2_entry_o       <= capsule_i.takes ? capsule_i.p2 : value_p2[31:0];
      index_entry_q    <= by_access ? index_read_q : 48'(operand_b);
      range_entry_q    <= segment_read_q.range;
      found_entry_q    <= found;
      computed_entry_q <= computed_read;
      other_entry_q    <= other_read;
      capsule_entry_o  <= capsule_i.takes;
      bounded_entry_q  <= capsule_i.bounded;
    end
  end

  // ---- entry: bounds
  logic in_bounds, no_bounds;
  assign no_bounds = settings_i.fault[FaultNoBounds];
  assign in_bounds = capsule_entry_o ? bounded_entry_q
      : no_bounds || (index_entry_q < 48'(range_entry_q) && 32'(found_entry_q) < SlotsPerPipe);
  assign refused_o = !granted_entry || other_entry_q || (computed_entry_q && !in_bounds);
endmodule : sluice_state_operation
