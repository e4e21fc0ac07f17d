// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Rows of words of one pipeline of a back stage (docs/machine.md, Arrays): one beside each entry
/// of the state unit, in the cycles of the pair, and the words of packets on their way through the
/// stage. Latency CoreCycles; one operation a cycle, also back to back on one row; nothing ever
/// stalls. Cycles by their names in sluice_stage_pkg:
///   0                 the packet's words come, and wait
///   HitCycle          ARRAY_INSTR is read at the action row
///   StateReadCycle    the row is read, in the slot of the pair
///   StateEntryCycle   it comes, or what was written of late (sluice_state_memory)
///   StateUpdateCycle  what ON_TRUE and what ON_FALSE make of it
///   StateResultCycle  the predicate of the state unit comes and chooses; the row is written, and
///                     the packet leaves with its words
/// The choice comes a cycle after the sums, so that no path is longer than a pair's: an operation
/// right behind another one on the same row takes in its update what is chosen then.
/// Example: row 5 is 100. Operations A (ON_TRUE SET 7, ON_FALSE ADD 7) and B (ADD 1) follow each
/// other. When A is in its update 7 and 107 are made; in the next cycle predicate 1 of A is 0, so
/// 107 is written, and B, now in its update, makes 108 of it.
/// Moves, marks and control read and write rows as they do entries. Reset: no operation is under
/// way; rows are 0 after the sweep.
/// Invariant: without a resolved access, or out of bounds, an operation sees zeros and writes
/// nothing.
module sluice_array_unit
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_stage_pkg::*;
(
  input  logic            clk_i,
  input  logic            rst_ni,
  input  pipe_t           pipe_i,
  input  stage_settings_t settings_i,
  // packets
  input  logic            valid_i,          // cycle 0
  input  array_bits_t     array_i,          // a carried_array_t
  input  hit_t            hit_i,            // HitCycle
  output array_bits_t     array_o,          // CoreCycles
  // the state unit
  input  row_access_t     access_i,
  input  logic [3:0]      pred_i,           // StateResultCycle; bit n - 1: predicate n
  output words_t          row_o,            // StateUpdateCycle: what was read
  // control: ARRAY_INSTR
  input  table_write_t    write_i,
  input  table_read_t     read_i,
  output word_answer_t    answer_o
);
  if (StateResultCycle != CoreCycles)
    $fatal(1, "sluice_array_unit: core and state unit take different times from the hit");

  // ---- words of the packets, [c]: c cycles after they came
  logic [StateUpdateCycle:1] valid_q;
  carried_array_t            came, update;
  assign came   = carried_array_t'(array_i);
  assign update = gen_cycle[StateUpdateCycle].array_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else         valid_q <= {valid_q[StateUpdateCycle-1:1], valid_i};
  end
  for (genvar c = 1; c <= StateUpdateCycle; c++) begin : gen_cycle
    carried_array_t array_q;
    if (c == 1) begin : gen_first
      always_ff @(posedge clk_i) if (valid_i) array_q <= came;
    end else begin : gen_next
      always_ff @(posedge clk_i) if (valid_q[c-1]) array_q <= gen_cycle[c-1].array_q;
    end
  end

  // ---- hit, read: the instruction
  array_instr_t instr;
  sluice_config_table #(.Which(TableArrayInstr)) u_instr (
    .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .copy_i(pipe_i),
    .re_i(hit_i.valid), .row_i(hit_i.row), .entry_o(instr), .write_i, .read_i, .answer_o
  );

  // ---- entry, update: decoded on the way. Operations by their number in ARRAY_OP.
  typedef struct packed {
    logic       is_true;                 // ON_TRUE, whatever the predicates are
    logic [3:0] select;                  // the predicate
    logic [7:0] on_true;
    logic [7:0] on_false;
    logic       is_old;                  // RESULT
    logic       is_new;
  } decoded_t;
  logic         op_entry_q, op_update_q;
  array_instr_t instr_entry_q;
  decoded_t     decoded, decoded_q;
  always_comb begin
    decoded = '{is_true: !(instr_entry_q.select inside {3'd1, 3'd2, 3'd3, 3'd4}),
                select: 4'b1 << (instr_entry_q.select[1:0] - 2'd1),
                on_true: 8'b1 << instr_entry_q.on_true, on_false: 8'b1 << instr_entry_q.on_false,
                is_old: instr_entry_q.result == 2'(ArrayResultOld),
                is_new: instr_entry_q.result[1]};
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      op_entry_q  <= 1'b0;
      op_update_q <= 1'b0;
    end else begin
      op_entry_q  <= access_i.op && instr.valid;
      op_update_q <= op_entry_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (access_i.op) instr_entry_q <= instr;
    if (op_entry_q)  decoded_q     <= decoded;
  end

  // ---- the rows
  localparam int unsigned Bits = $bits(words_t);
  logic   entry_valid, follow, follow_q, op_write;
  words_t entry_found, entry_q, chosen;
  assign op_write = op_update_q && !access_i.refused;
  sluice_state_memory #(.Width(Bits), .Kept(Bits)) u_memory (
    .clk_i, .rst_ni, .settings_i,
    .read_i(access_i.read), .read_slot_i(access_i.read_slot),
    .value_valid_o(entry_valid), .value_o(entry_found), .follow_o(follow), .note_o(),
    .write_i(access_i.write || op_write), .write_packet_i(op_write),
    .write_slot_i(access_i.write_slot), .write_value_i(access_i.value), .write_note_i('0),
    .updated_i(chosen)
  );
  always_ff @(posedge clk_i) if (entry_valid) begin
    follow_q <= follow;
    if (!follow) entry_q <= entry_found;
  end

  // ---- update. r comes from one of three registers: the entry's, or, if the operation in front is
  // on the same row, one of its two candidates.
  logic   choose_true;                   // of the operation in front
  words_t true_q, false_q, other_q;      // other: what the packet has if not the new row
  logic   take_entry, take_true, take_false;
  assign take_entry = !access_i.refused && !follow_q;
  assign take_true  = !access_i.refused && follow_q && choose_true;
  assign take_false = !access_i.refused && follow_q && !choose_true;
  assign row_o      = follow_q ? chosen : entry_q;

  words_t on_true, on_false, was;
  for (genvar w = 0; w < ArrayWords; w++) begin : gen_word
    logic [31:0] r, v, sum, limit, made;
    logic        less, over, keeps, takes, adds, limits;
    logic [7:0]  op;
    always_comb begin
      {v, r, sum, limit, less, over} = '0;
      if (`SLUICE_WHEN(op_update_q)) begin
        v     = update.words[w];
        r     = ({32{take_entry}} & entry_q[w]) | ({32{take_true}} & true_q[w])
              | ({32{take_false}} & false_q[w]);
        sum   = r + v;
        over  = r[31] == v[31] && sum[31] != r[31];
        limit = {r[31], {31{!r[31]}}};
        less  = $signed(r) < $signed(v);
      end
    end
    assign was[w] = r;
    always_comb begin
      {made, keeps, takes, adds, limits, op} = '0;
      on_true[w]  = '0;
      on_false[w] = '0;
      if (`SLUICE_WHEN(op_update_q)) begin
        // What one operation makes: r, v, both (OR), the sum or a limit.
        for (int unsigned f = 0; f < 2; f++) begin
          op     = f == 0 ? decoded_q.on_true : decoded_q.on_false;
          keeps  = op[ArrayOpKeep] || op[ArrayOpOr] || (op[ArrayOpMax] && !less)
                || (op[ArrayOpMin] && less);
          takes  = op[ArrayOpSet] || op[ArrayOpOr] || (op[ArrayOpMax] && less)
                || (op[ArrayOpMin] && !less);
          adds   = op[ArrayOpAdd] || (op[ArrayOpAdds] && !over);
          limits = op[ArrayOpAdds] && over;
          made   = ({32{keeps}} & r) | ({32{takes}} & v) | ({32{adds}} & sum)
                 | ({32{limits}} & limit);
          if (f == 0) on_true[w]  = made;
          else        on_false[w] = made;
        end
      end
    end
    logic unused_clear;
    assign unused_clear = op[ArrayOpClear];          // nothing is 0
  end

  // ---- result: the choice
  typedef struct packed {
    logic       is_true;
    logic [3:0] select;
    logic       is_new;
  } choice_t;
  choice_t        choice_q;
  carried_array_t leaves;
  logic [$bits(carried_array_t)-Bits-1:0] place_q;
  always_ff @(posedge clk_i) begin
    if (op_update_q) begin
      true_q           <= on_true;
      false_q          <= on_false;
      choice_q.is_true <= decoded_q.is_true;
      choice_q.select  <= decoded_q.select;
    end
    if (valid_q[StateUpdateCycle]) begin
      choice_q.is_new <= op_update_q && decoded_q.is_new;
      other_q         <= op_update_q && decoded_q.is_old ? was : update.words;
      place_q         <= {update.count, update.half};
    end
  end
  assign choose_true = choice_q.is_true || (choice_q.select & pred_i) != '0;
  assign chosen      = choose_true ? true_q : false_q;
  always_comb begin
    {leaves.count, leaves.half} = place_q;
    leaves.words = choice_q.is_new ? chosen : other_q;
  end
  assign array_o = array_bits_t'(leaves);

  `SLUICE_ASSERT(OneWrites_A, !(access_i.write && op_write))
  `SLUICE_ASSERT(OpOfPacket_A, !op_update_q || valid_q[StateUpdateCycle])
endmodule : sluice_array_unit
