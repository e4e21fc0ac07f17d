// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// State unit of one pipeline of a back stage: the slots of the state arrays that live here, and
/// one operation a cycle on them, also back to back on the same slot. It stands beside the
/// match-action core and counts cycles as that does:
///   c2  STATE_INSTR is read at the match row, SEGMENT and ACCESS at the overlay row
///   c3  operands
///   c4  sums of packet fields (sluice_pairs); slot, bounds; the memory is read
///   c5  update, results to the core; the memory is written
/// Right also when the operation before wrote the same slot, because what is written in the cycle
/// of a read is forwarded to it; everything older is in the memory. Control writes are forwarded
/// likewise, so each comes wholly before or wholly after each operation. No module reaches beyond
/// its segment: a sharded slot was checked at the order point, a pinned one is checked in c4.
/// Without a resolved access, or out of bounds, the operation sees zeros and writes nothing.
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
  input  logic                 c2_hit_i,
  input  logic [MatchBits-1:0] c2_match_row_i,
  input  row_t                 c2_row_i,
  input  logic                 c3_hit_i,
  input  containers_t          c3_cont_i,
  input  instr_t               c3_slot16_i,
  output logic [7:0][31:0]     c5_ext_o,
  output logic                 c5_slot16_write_o,
  output logic [31:0]          c5_slot16_o,
  // moves
  input  logic                 c0_read_i,
  input  move_id_t             c0_read_id_i,
  output moved_t               c6_moved_o,
  input  logic                 c0_land_i,
  input  state_entry_t         c5_land_value_i,
  input  logic                 away_i,           // indices are away: no control access to state
  // one pulse an operation, in c6
  output logic                 op_o,
  output logic                 op_refused_o,     // with op_o
  output slot_t                op_slot_o,
  // control
  input  table_write_t         write_i,
  output table_ready_t         write_ready_o,
  input  table_read_t          read_i,
  output table_answer_t        answer_o,
  output logic                 read_busy_o,      // see sluice_state_ctl
  input  logic                 read_busy_i,
  output logic                 hold_o,
  output logic                 fill_busy_o
);
  // ---- control: which table a message is for
  typedef enum logic [2:0] {SelNone, SelSegment16, SelSegment, SelInstr, SelAccess} select_e;

  chain_header_t header;
  logic          write, read, lookup;
  select_e       sel, answer_q;
  row_t          ctl_row;
  assign header  = write_i.valid ? write_i.header : read_i.header;
  assign write   = write_i.valid && header.op == ChainWrite;
  assign read    = read_i.valid && header.copy == 8'(pipe_i);
  always_comb begin
    sel = SelNone;
    if (write || read) begin
      if (header.resource == TableSegmentModule)
        sel = header.sub == TableSegmentSub ? SelSegment : SelSegment16;
      if (header.resource == TableStateInstrModule) begin
        if (header.sub == TableStateInstrSub) sel = SelInstr;
        if (header.sub == TableAccessSub)     sel = SelAccess;
      end
    end
  end
  assign ctl_row = lookup ? header.row[RowBits-1:0] : header.index[RowBits-1:0];

  segment16_t segment16, segment16_readback;
  segment_t   segment, segment_wdata, segment_readback;
  access_t    access, access_readback;
  state_instr_t instr, instr_readback;

  assign segment16     = write_i.data[EntryBits-1 -: Segment16Width];
  assign segment_wdata = sel == SelSegment ? write_i.data[EntryBits-1 -: SegmentWidth]
                       : '{range: 16'(32'(segment16.range) * Granule),
                           base: 16'(32'(segment16.base) * Granule)};
  assign segment16_readback = '{range: 8'(32'(segment_readback.range) / Granule),
                                base: 8'(32'(segment_readback.base) / Granule)};

  sluice_table #(.Depth(NumModules), .Width(SegmentWidth)) u_segment (
    .clk_i, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .re_i(c2_hit_i), .raddr_i(c2_row_i), .rdata_o(segment),
    .ctl_valid_i(sel == SelSegment || sel == SelSegment16 || lookup),
    .ctl_write_i(write && !lookup && !away_i),
    .ctl_addr_i(ctl_row), .ctl_wdata_i(segment_wdata), .ctl_rdata_o(segment_readback)
  );

  sluice_table #(.Depth(NumModules), .Width(AccessWidth)) u_access (
    .clk_i, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .re_i(c2_hit_i), .raddr_i(c2_row_i), .rdata_o(access),
    .ctl_valid_i(sel == SelAccess || lookup), .ctl_write_i(write && !lookup), .ctl_addr_i(ctl_row),
    .ctl_wdata_i(write_i.data[EntryBits-1 -: AccessWidth]), .ctl_rdata_o(access_readback)
  );

  sluice_table #(.Depth(MatchEntries), .Width(StateInstrWidth)) u_instr (
    .clk_i, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .re_i(c2_hit_i), .raddr_i(c2_match_row_i), .rdata_o(instr),
    .ctl_valid_i(sel == SelInstr), .ctl_write_i(write), .ctl_addr_i(header.index[MatchBits-1:0]),
    .ctl_wdata_i(write_i.data[EntryBits-1 -: StateInstrWidth]), .ctl_rdata_o(instr_readback)
  );

  // ---- c3: operands
  logic [31:0] value [32];
  logic [15:0] high [8];
  operand_t    index_operand;
  logic        op_c3, mem_op, late, late_q4;

  sluice_operand_values u_values (.cont_i(c3_cont_i), .value_o(value));

  always_comb begin
    for (int unsigned i = 0; i < 8; i++) high[i] = '0;
    for (int unsigned i = 0; i < Num6B; i++) high[i] = c3_cont_i.b6[i][47:32];
  end

  assign mem_op = c3_slot16_i.op == OpLoad || c3_slot16_i.op == OpStore
               || c3_slot16_i.op == OpLoadd;
  assign op_c3  = c3_hit_i && (instr.valid || mem_op);
  // Menshen's operations name 4-byte containers, whatever the type tag says.
  // Without phantoms nothing was resolved ahead, and the index of a sharded access is read here.
  assign late          = settings_i.mode.no_phantoms && !access.pinned;
  assign index_operand = instr.valid || late ? access.index : {TypeB4, c3_slot16_i.b[2:0]};

  logic         op_q4, op_q5;
  state_instr_t instr_q4;
  logic         is_instr_q5;
  logic [3:0]   opcode_q4, opcode_q5;
  logic [31:0]  p1_q4, p2_q4;
  logic [47:0]  index_q4;
  segment_t     segment_q4;
  logic         pinned_q4;
  logic         granted_q [1:4];
  slot_t        slot_q [1:4];
  logic         move_read_q [1:5], move_land_q [1:5];
  move_id_t     move_id_q [1:5];

  always_ff @(posedge clk_i) begin
    granted_q[1] <= c0_granted_i;
    slot_q[1]    <= c0_slot_i;
    for (int unsigned c = 2; c <= 4; c++) begin
      granted_q[c] <= granted_q[c-1];
      slot_q[c]    <= slot_q[c-1];
    end
    move_id_q[1] <= c0_read_id_i;
    for (int unsigned c = 2; c <= 5; c++) move_id_q[c] <= move_id_q[c-1];
    if (op_c3) begin
      instr_q4   <= instr;
      opcode_q4  <= c3_slot16_i.op;
      p1_q4      <= value[instr.valid ? instr.p1 : {TypeB4, c3_slot16_i.a[2:0]}];
      p2_q4      <= value[instr.p2];
      index_q4   <= {index_operand.kind == TypeB6 ? high[index_operand.idx] : 16'd0,
                     value[index_operand]};
      segment_q4 <= segment;
      pinned_q4  <= access.pinned;
      late_q4    <= late;
    end
  end

  // ---- c4: slot and bounds
  localparam int unsigned PipeShift = $clog2(NumPipes);
  logic [16:0] found_slot;           // of an index that was read here
  logic [2:0]  sets;                 // log2 of their number
  logic        in_bounds, no_bounds, refused, refused_q5;
  slot_t       slot, slot_q5;

  assign sets        = 3'($countones(settings_i.set_mask));
  assign found_slot  = 17'(segment_q4.base)
                     + (17'(index_q4[15:0])
                        >> (late_q4 ? 3'(PipeShift) - sets : 3'd0));
  assign no_bounds   = settings_i.fault[FaultNoBounds];
  assign in_bounds   = no_bounds || (index_q4 < 48'(segment_q4.range)
                                     && 32'(found_slot) < SlotsPerPipe);
  assign refused     = !granted_q[4] || ((pinned_q4 || late_q4) && !in_bounds);
  assign slot        = (pinned_q4 || late_q4) && granted_q[4] ? found_slot[SlotBits-1:0] : slot_q[4];

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
    if (op_q4 || move_land_q[4]) slot_q5 <= slot;
    if (op_q5) begin
      op_refused_o <= refused_q5;
      op_slot_o    <= slot_q5;
    end
  end

  // ---- c4, c5: memory
  logic         mem_we, mem_re, packet_write, packet_read, ctl_read, ctl_write;
  logic         unit_read, unit_write;           // of a packet or a move
  slot_t        mem_waddr, mem_raddr, ctl_read_slot, ctl_write_slot;
  state_entry_t mem_wdata, mem_rdata, current, old, updated;
  logic         forward_q;
  state_entry_t forwarded_q;

  assign packet_read  = op_q4 && !refused;
  assign packet_write = op_q5 && !refused_q5 && (is_instr_q5 || opcode_q5 != OpLoad);
  assign unit_read    = packet_read || move_read_q[4];
  assign unit_write   = packet_write || move_land_q[5];
  assign mem_re       = unit_read || ctl_read;
  assign mem_raddr    = unit_read ? slot : ctl_read_slot;

  always_comb begin
    mem_we    = unit_write || ctl_write;
    mem_waddr = unit_write ? slot_q5 : ctl_write_slot;
    mem_wdata = packet_write ? updated : move_land_q[5] ? c5_land_value_i
              : write_i.data[EntryBits-1 -: StateEntryWidth];
    if (settings_i.init) begin
      mem_we    = 32'(settings_i.init_index) < SlotsPerPipe;
      mem_waddr = settings_i.init_index[SlotBits-1:0];
      mem_wdata = '0;
    end
  end

  sluice_ram #(.Depth(MemorySlots), .Width(StateEntryWidth)) u_memory (
    .clk_i,
    .we_i(mem_we), .waddr_i(mem_waddr), .wdata_i(mem_wdata),
    .re_i(mem_re), .raddr_i(mem_raddr), .rdata_o(mem_rdata)
  );

  always_ff @(posedge clk_i) begin
    if (mem_re) begin
      forward_q <= mem_we && mem_waddr == mem_raddr && !settings_i.fault[FaultNoForward];
      if (mem_we) forwarded_q <= mem_wdata;
    end
  end

  // ---- c6: the value of a move
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)              c6_moved_o <= '0;
    else if (move_read_q[5])  c6_moved_o <= '{valid: 1'b1, id: move_id_q[5], value: current};
    else                      c6_moved_o.valid <= 1'b0;
  end

  // ---- c5: update
  logic [3:0] pred;
  assign current = forward_q ? forwarded_q : mem_rdata;
  assign old     = refused_q5 ? '0 : current;

  sluice_pairs u_pairs (
    .clk_i,
    .en_i(op_q4), .instr_i(instr_q4), .instr_valid_i(instr_q4.valid), .op_i(opcode_q4),
    .p1_i(p1_q4), .p2_i(p2_q4),
    .old_i(old), .new_o(updated), .pred_o(pred)
  );

  always_comb begin
    c5_ext_o = '0;
    if (op_q5) begin
      c5_ext_o[ExtOld1[2:0]] = old.s1;
      c5_ext_o[ExtOld2[2:0]] = old.s2;
      c5_ext_o[ExtNew1[2:0]] = updated.s1;
      c5_ext_o[ExtNew2[2:0]] = updated.s2;
      c5_ext_o[ExtPred1[2:0]] = 32'(pred[0] && is_instr_q5);
      c5_ext_o[ExtPred2[2:0]] = 32'(pred[1] && is_instr_q5);
      c5_ext_o[ExtPred3[2:0]] = 32'(pred[2] && is_instr_q5);
      c5_ext_o[ExtPred4[2:0]] = 32'(pred[3] && is_instr_q5);
    end
  end
  assign c5_slot16_write_o = op_q5 && !is_instr_q5 && opcode_q5 != OpStore;
  assign c5_slot16_o       = updated.s1;

  // ---- control accesses to state
  logic state_answer, state_answer_zero;

  table_ready_t ctl_ready;
  assign write_ready_o = '{ready: ctl_ready.ready,
                           refused: ctl_ready.refused || (write && away_i
                                      && (sel == SelSegment || sel == SelSegment16))};

  sluice_state_ctl u_ctl (
    .clk_i, .rst_ni, .pipe_i, .set_mask_i(settings_i.set_mask), .away_i,
    .write_i, .write_ready_o(ctl_ready), .read_i, .read_busy_o, .read_busy_i, .hold_o, .fill_busy_o,
    .lookup_o(lookup), .segment_i(segment_readback), .access_i(access_readback),
    .mem_read_free_i(!unit_read), .mem_read_o(ctl_read), .mem_read_slot_o(ctl_read_slot),
    .mem_write_free_i(!unit_write), .mem_write_o(ctl_write), .mem_write_slot_o(ctl_write_slot),
    .answer_valid_o(state_answer), .answer_zero_o(state_answer_zero)
  );

  // ---- read back
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) answer_q <= SelNone;
    else         answer_q <= read ? sel : SelNone;
  end

  always_comb begin
    answer_o = '{valid: state_answer || answer_q != SelNone, data: '0};
    if (state_answer && !state_answer_zero) answer_o.data[EntryBits-1 -: StateEntryWidth] = current;
    case (answer_q)
      SelSegment16: answer_o.data[EntryBits-1 -: Segment16Width]  = segment16_readback;
      SelSegment:   answer_o.data[EntryBits-1 -: SegmentWidth]    = segment_readback;
      SelInstr:     answer_o.data[EntryBits-1 -: StateInstrWidth] = instr_readback;
      SelAccess:    answer_o.data[EntryBits-1 -: AccessWidth]     = access_readback;
      default: ;
    endcase
  end

  logic unused_fields;
  assign unused_fields = &{1'b0, settings_i, write_i, header, c3_slot16_i, access};

  `SLUICE_ASSERT(InitIsQuiet_A, !(settings_i.init && (op_q4 || op_q5 || mem_re || unit_write)))
  `SLUICE_ASSERT(OneStateAccess_A, $onehot0({c0_granted_i, c0_read_i, c0_land_i}))
  `SLUICE_ASSERT(MoveAlone_A, !(move_read_q[4] && packet_read) && !(move_land_q[5] && packet_write))
endmodule : sluice_state_unit
