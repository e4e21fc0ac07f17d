// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// State unit of one pipeline of a back stage: the slots of the state arrays that live here, and
/// one operation a cycle on them, also back to back on the same slot. It stands beside the
/// match-action core and counts cycles as that does:
///   c1  SEGMENT and ACCESS are read at the overlay row
///   c2  STATE_INSTR is read at the match row; the index that ACCESS names
///   c3  operands; slot: the memory is read
///   c4  the entry comes; sums of packet fields (sluice_pairs); bounds
///   c5  update
///   c6  results to the core; the memory is written
/// What a read cannot have seen is forwarded to it in c4: what is made in that cycle by the
/// operation before, what is written in it, and what was written in the cycle of the read. So it is
/// right also when the three operations before wrote the same slot; everything older is in the
/// memory. Control reads in c3 and writes from c5 on like an operation does, so each comes wholly
/// before or wholly after each operation. No module reaches beyond its segment: a sharded slot was
/// checked at the order point, a pinned one is checked in c4, while it is read. Without a resolved
/// access, or out of bounds, the operation sees zeros and writes nothing.
/// Moves of indices between pipelines (docs/moves.md) read and write like an operation that is
/// issued in their cycle: a slot comes in c0, the value of a read leaves in c6, that of a write
/// comes in c5. Beside one there is no packet with a resolved access.
module sluice_state_unit
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_layout_pkg::*;
#(
  localparam int unsigned MatchBits = index_bits(MatchEntries)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  pipe_t                pipe_i,
  input  settings_t            settings_i,
  // the packet, cycle by cycle
  input  logic                 c0_granted_i,     // it has a resolved access here
  input  slot_t                c0_slot_i,        // that of a sharded one, or of a move
  input  logic                 c1_valid_i,
  input  overlay_t             c1_row_i,
  input  containers_t          c2_cont_i,
  input  logic                 c2_hit_i,
  input  logic [MatchBits-1:0] c2_match_row_i,
  input  logic                 c3_hit_i,
  input  containers_t          c3_cont_i,
  input  instr_t               c3_slot16_i,
  output logic [7:0][31:0]     c6_ext_o,
  output logic                 c6_slot16_write_o,
  output logic [31:0]          c6_slot16_o,
  // moves
  input  logic                 c0_read_i,
  input  move_id_t             c0_read_id_i,
  output moved_t               c6_moved_o,
  input  logic                 c0_land_i,
  input  state_entry_t         c5_land_value_i,
  // one pulse an operation, in c6
  output logic                 op_o,
  output logic                 op_refused_o,     // with op_o
  output slot_t                op_slot_o,
  // control
  input  table_write_t         write_i,
  output table_ready_t         write_ready_o,
  input  table_read_t          read_i,
  output word_answer_t         answer_o,
  output logic                 read_busy_o,      // see sluice_state_ctl
  input  logic                 read_busy_i,
  output logic                 hold_o,
  output logic                 fill_busy_o
);
  // ---- c1, c2: tables
  segment_t             segment, segment_readback;
  access_t              access, access_readback;
  state_instr_t         instr;
  logic                 lookup;
  word_answer_t         table_answer;
  sluice_state_tables u_tables (
    .clk_i, .rst_ni, .pipe_i, .settings_i,
    .c1_valid_i, .c1_row_i, .segment_o(segment), .access_o(access),
    .c2_hit_i, .c2_match_row_i, .instr_o(instr),
    .write_i, .read_i, .answer_o(table_answer),
    .lookup_i(lookup), .segment_readback_o(segment_readback), .access_readback_o(access_readback)
  );

  // ---- c2: the index that ACCESS names
  localparam int unsigned PipeShift = $clog2(NumPipes);
  logic [31:0] c2_value [32];
  logic [15:0] c2_high [8];
  operand_t    c2_index;
  logic [2:0]  sets;                 // log2 of their number
  logic        valid_q2, pinned_q3, late_q3;
  logic [47:0] index_q3;
  logic [15:0] offset_q3;            // from the segment's base, of an index in bounds
  segment_t    segment_q3;

  sluice_operand_values u_c2_values (.en_i(valid_q2), .cont_i(c2_cont_i), .value_o(c2_value));

  always_comb begin
    for (int unsigned i = 0; i < 8; i++) c2_high[i] = '0;
    for (int unsigned i = 0; i < Array6B; i++) c2_high[i] = c2_cont_i.b6[i][47:32];
  end
  assign c2_index = access.index;
  assign sets     = 3'($countones(settings_i.set_mask));

  // Without phantoms nothing was resolved ahead, and the index of a sharded access is read here.
  logic late;
  assign late = settings_i.mode.no_phantoms && !access.pinned;

  always_ff @(posedge clk_i) begin
    valid_q2 <= c1_valid_i;
    if (valid_q2) begin
      index_q3   <= {c2_index.kind == TypeB6 ? c2_high[c2_index.idx] : 16'd0,
                     c2_value[c2_index]};
      offset_q3  <= 16'(c2_value[c2_index]) >> (late ? 3'(PipeShift) - sets : 3'd0);
      segment_q3 <= segment;
      pinned_q3  <= access.pinned;
      late_q3    <= late;
    end
  end

  // ---- c3: operands, slot
  logic [31:0] value [32];
  logic [31:0] operand_b;
  logic        op_c3, mem_op, by_access, computed_c3;
  logic [16:0] found_access, found_operand, found;
  slot_t       slot;

  sluice_operand_values u_values (.en_i(c3_hit_i), .cont_i(c3_cont_i), .value_o(value));

  assign mem_op = c3_slot16_i.op == OpLoad || c3_slot16_i.op == OpStore
               || c3_slot16_i.op == OpLoadd;
  assign op_c3  = c3_hit_i && (instr.valid || mem_op);
  // Menshen's operations name 4-byte containers, whatever the type tag says.
  assign operand_b     = value[{TypeB4, c3_slot16_i.b[2:0]}];
  assign by_access     = instr.valid || late_q3;
  assign found_access  = 17'(segment_q3.base) + 17'(offset_q3);
  assign found_operand = 17'(segment_q3.base) + 17'(operand_b[15:0]);
  assign found         = by_access ? found_access : found_operand;

  logic         op_q4, op_q5;
  state_instr_t instr_q4;
  logic         is_instr_q5;
  logic [3:0]   opcode_q4, opcode_q5;
  logic [31:0]  p1_q4, p2_q4;
  logic [47:0]  index_q4;
  logic [15:0]  range_q4;
  logic [16:0]  found_q4;
  logic         computed_q4;           // the slot was computed here
  slot_t        slot_q4, slot_q5;
  logic         granted_q [1:4];
  slot_t        slot_q [1:3];
  logic         move_read_q [1:5], move_land_q [1:5];
  move_id_t     move_id_q [1:5];
  assign computed_c3 = granted_q[3] && (pinned_q3 || late_q3);
  assign slot        = computed_c3 ? found[SlotBits-1:0] : slot_q[3];

  always_ff @(posedge clk_i) begin
    granted_q[1] <= c0_granted_i;
    slot_q[1]    <= c0_slot_i;
    for (int unsigned c = 2; c <= 4; c++) granted_q[c] <= granted_q[c-1];
    for (int unsigned c = 2; c <= 3; c++) slot_q[c] <= slot_q[c-1];
    slot_q4      <= slot;
    move_id_q[1] <= c0_read_id_i;
    for (int unsigned c = 2; c <= 5; c++) move_id_q[c] <= move_id_q[c-1];
    if (op_c3) begin
      instr_q4    <= instr;
      opcode_q4   <= c3_slot16_i.op;
      p1_q4       <= value[instr.valid ? instr.p1 : {TypeB4, c3_slot16_i.a[2:0]}];
      p2_q4       <= value[instr.p2];
      index_q4    <= by_access ? index_q3 : 48'(operand_b);
      range_q4    <= segment_q3.range;
      found_q4    <= found;
      computed_q4 <= computed_c3;
    end
  end

  // ---- c4: bounds
  logic in_bounds, no_bounds, refused, refused_q5, loads_q6;

  assign no_bounds = settings_i.fault[FaultNoBounds];
  assign in_bounds = no_bounds || (index_q4 < 48'(range_q4) && 32'(found_q4) < SlotsPerPipe);
  assign refused   = !granted_q[4] || (computed_q4 && !in_bounds);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      op_q4 <= 1'b0;
      op_q5 <= 1'b0;
      op_o  <= 1'b0;
      for (int unsigned c = 1; c <= 5; c++) begin
        move_read_q[c] <= 1'b0;
        move_land_q[c] <= 1'b0;
      end
    end else begin
      op_q4 <= op_c3;
      op_q5 <= op_q4;
      op_o  <= op_q5;
      move_read_q[1] <= c0_read_i;
      move_land_q[1] <= c0_land_i;
      for (int unsigned c = 2; c <= 5; c++) begin
        move_read_q[c] <= move_read_q[c-1];
        move_land_q[c] <= move_land_q[c-1];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (op_q4) begin
      is_instr_q5 <= instr_q4.valid;
      opcode_q5   <= opcode_q4;
      refused_q5  <= refused;
    end
    if (op_q4 || move_land_q[4]) slot_q5 <= slot_q4;
    if (op_q5) begin
      op_refused_o <= refused_q5;
      op_slot_o    <= slot_q5;
      loads_q6     <= !is_instr_q5 && opcode_q5 != OpStore;
    end
  end

  // ---- c3: read; c5: what will be written
  logic         unit_read, unit_write, packet_write, ctl_read, ctl_write;
  slot_t        ctl_read_slot, ctl_write_slot;
  logic         entry_valid, follow;
  state_entry_t entry_c4, entry_c5, old_c6, new_c6;
  logic [3:0]   pred_c6;

  // A packet with a resolved access has the port, whether its action uses it or not.
  assign unit_read    = granted_q[3] || move_read_q[3];
  assign packet_write = op_q5 && !refused_q5 && (is_instr_q5 || opcode_q5 != OpLoad);
  assign unit_write   = packet_write || move_land_q[5];

  sluice_state_memory u_memory (
    .clk_i, .rst_ni, .settings_i,
    .read_i(unit_read || ctl_read), .read_slot_i(unit_read ? slot : ctl_read_slot),
    .value_valid_o(entry_valid), .value_o(entry_c4), .follow_o(follow),
    .write_i(unit_write || ctl_write), .write_packet_i(packet_write),
    .write_slot_i(unit_write ? slot_q5 : ctl_write_slot),
    .write_value_i(move_land_q[5] ? c5_land_value_i
                                  : write_i.data[EntryBits-1 -: StateEntryWidth]),
    .updated_i(new_c6)
  );

  // ---- c4, c5: update
  if (SharedSums != 0) begin : gen_shared
    sluice_pairs_shared #(.Pairs(StatePairs != 0)) u_pairs (
      .clk_i,
      .en_i(op_q4), .instr_i(instr_q4), .instr_valid_i(instr_q4.valid), .op_i(opcode_q4),
      .p1_i(p1_q4), .p2_i(p2_q4), .refused_i(refused),
      .entry_en_i(entry_valid), .entry_i(entry_c4), .follow_i(follow),
      .entry_o(entry_c5), .old_o(old_c6), .new_o(new_c6), .pred_o(pred_c6)
    );
  end else begin : gen_pairs
    sluice_pairs u_pairs (
      .clk_i,
      .en_i(op_q4), .instr_i(instr_q4), .instr_valid_i(instr_q4.valid), .op_i(opcode_q4),
      .p1_i(p1_q4), .p2_i(p2_q4), .refused_i(refused),
      .entry_en_i(entry_valid), .entry_i(entry_c4), .follow_i(follow),
      .entry_o(entry_c5), .old_o(old_c6), .new_o(new_c6), .pred_o(pred_c6)
    );
  end

  // ---- c6: the value of a move
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)              c6_moved_o <= '0;
    else if (move_read_q[5])  c6_moved_o <= '{valid: 1'b1, id: move_id_q[5], value: entry_c5};
    else                      c6_moved_o.valid <= 1'b0;
  end

  // ---- c6: results
  always_comb begin
    c6_ext_o = '0;
    if (op_o) begin
      c6_ext_o[ExtOld1[2:0]]  = old_c6.s1;
      c6_ext_o[ExtOld2[2:0]]  = old_c6.s2;
      c6_ext_o[ExtNew1[2:0]]  = new_c6.s1;
      c6_ext_o[ExtNew2[2:0]]  = new_c6.s2;
      c6_ext_o[ExtPred1[2:0]] = 32'(pred_c6[0]);
      c6_ext_o[ExtPred2[2:0]] = 32'(pred_c6[1]);
      c6_ext_o[ExtPred3[2:0]] = 32'(pred_c6[2]);
      c6_ext_o[ExtPred4[2:0]] = 32'(pred_c6[3]);
    end
  end
  assign c6_slot16_write_o = op_o && loads_q6;
  assign c6_slot16_o       = new_c6.s1;

  // ---- control accesses to state
  logic         state_answer, state_answer_zero;

  sluice_state_ctl u_ctl (
    .clk_i, .rst_ni, .pipe_i, .set_mask_i(settings_i.set_mask),
    .write_i, .write_ready_o, .read_i, .read_busy_o, .read_busy_i, .hold_o, .fill_busy_o,
    .lookup_o(lookup), .segment_i(segment_readback), .access_i(access_readback),
    .mem_read_free_i(!unit_read), .mem_read_o(ctl_read), .mem_read_slot_o(ctl_read_slot),
    .mem_write_free_i(!unit_write), .mem_write_o(ctl_write), .mem_write_slot_o(ctl_write_slot),
    .answer_valid_o(state_answer), .answer_zero_o(state_answer_zero)
  );

  always_comb begin
    answer_o = table_answer;
    if (state_answer) answer_o = '{valid: 1'b1, data: state_answer_zero ? '0 : entry_c5};
  end

  logic unused_fields;
  assign unused_fields = &{1'b0, settings_i, write_i, c3_slot16_i, access};

  `SLUICE_ASSERT(InitIsQuiet_A, !(settings_i.init && (op_q4 || op_q5)))
  `SLUICE_ASSERT(OneStateAccess_A, $onehot0({c0_granted_i, c0_read_i, c0_land_i}))
  `SLUICE_ASSERT(MoveAlone_A, !(move_land_q[5] && packet_write))
endmodule : sluice_state_unit
