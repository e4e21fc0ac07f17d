// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Ternary match engine: a masked key against all entries at once, each of which says which bits
/// count (CARE); the lowest entry that matches wins (docs/machine.md, Match engines). One lookup a
/// cycle, answered Cycles - 1 later: with Cycles 2 there are registers behind the comparison, with
/// 3 also behind the choice of the lowest. The data words come a cycle after the hit.
///
/// Keys and numbers of actions are flip-flops, data words a memory. A write comes into force piece
/// by piece, each in the cycle in which the first packet that was compared with the new key gets
/// there, so a packet sees all of the old entry or all of the new one. Example, Cycles 3: a write
/// begins in cycle 10. Keys are compared with it from 11 on, the action's number is new from 12
/// on, and data words that are read from 13 on (sluice_table_timed).
/// After reset, and its sweep, all entries are 0. Control reads answer after 1 cycle.
/// Not there in a chip without ternary entries: nothing matches.
module sluice_match_ternary
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_table_pkg::*;
  import sluice_stage_pkg::*;
#(
  parameter int unsigned Cycles = MatchCycles,   // 1..3
  localparam int unsigned NumberBits = index_bits(TernaryEntries)
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         init_i,
  input  logic [15:0]  init_index_i,
  input  pipe_t        copy_i,         // number of this copy
  // lookup
  input  lookup_t      lookup_i,
  output hit_t         hit_o,          // all zero without a hit
  output logic [NumberBits-1:0] entry_o,         // ... and the number of the entry
  output data_t        data_o,         // a cycle later
  // control: see sluice_config_table
  input  table_write_t write_i,
  input  table_read_t  read_i,
  output word_answer_t answer_o
);
  if (Cycles < 1 || Cycles > 3)
    $fatal(1, "sluice_match_ternary: Cycles is %0d; it takes 1 to 3", Cycles);
  if (TernaryEntries == 0) begin : gen_none
    assign {hit_o, entry_o, data_o, answer_o} = '0;
  end else begin : gen_engine
    localparam int unsigned Entries = TernaryEntries;
    // From the comparison to the hit.
    localparam int unsigned HitWait = Cycles - 1;

    typedef logic [NumberBits-1:0] entry_t;
    typedef logic [Entries-1:0]             entries_t;
    typedef struct packed {
      logic       valid;
      logic [1:0] not_bank;
      logic       wide;
      logic       care_wide;
      logic [7:0] vid;
      key_t       key;
      key_t       care;
    } compared_t;

    compared_t   compared_q [Entries];
    action_row_t action_q [Entries];

    // ---- whether an entry was ever written: until then nothing is looked up, and nothing moves
    logic write, used_q;                         // of a write in this cycle none is compared yet
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)     used_q <= 1'b0;
      else if (init_i) used_q <= 1'b0;
      else if (write)  used_q <= 1'b1;
    end

    // ---- lookup
    lookup_t lookup;
    always_comb begin
      lookup       = lookup_i;
      lookup.valid = lookup_i.valid && used_q;
    end

    // ---- entries that match
    entries_t equal_d, equal;
    always_comb begin
      equal_d = '0;
      if (lookup.valid)
        for (int unsigned i = 0; i < Entries; i++)
          if (compared_q[i].valid)
            equal_d[i] = !compared_q[i].not_bank[lookup.bank] && compared_q[i].vid == lookup.vid
                && !((lookup.wide ^ compared_q[i].wide) && compared_q[i].care_wide)
                && ((lookup.key ^ compared_q[i].key) & compared_q[i].care) == '0;
    end
    if (Cycles >= 2) begin : gen_equal
      entries_t equal_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) equal_q <= '0;
        else         equal_q <= equal_d;
      end
      assign equal = equal_q;
    end else begin : gen_no_equal
      assign equal = equal_d;
    end

    // ---- the lowest of them: in each group of eight, in the first group that has one
    localparam int unsigned Groups = (Entries + 7) / 8;
    entries_t                lowest;
    logic [Groups-1:0]       any, earlier;       // in a group; in one of those before it
    logic [Groups-1:0][7:0]  group, first_of;
    hit_t                    hit;
    entry_t                  number;
    always_comb begin
      group    = (8*Groups)'(equal);
      any      = '0;
      earlier   = '0;
      first_of = '0;
      lowest   = '0;
      hit      = '{valid: equal != '0, row: '0};
      number   = '0;
      if (equal != '0) begin
        for (int unsigned g = 0; g < Groups; g++) begin
          any[g] = group[g] != '0;
          for (int unsigned e = 0; e < g; e++) earlier[g] |= any[e];
          first_of[g] = earlier[g] ? '0 : group[g] & (~group[g] + 8'd1);
        end
        lowest = entries_t'(first_of);
        for (int unsigned i = 0; i < Entries; i++)
          if (lowest[i]) begin
            hit.row |= action_q[i];
            number  |= entry_t'(i);
          end
      end
    end
    if (Cycles >= 3) begin : gen_hit
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) hit_o <= '0;
        else         hit_o <= hit;
      end
      always_ff @(posedge clk_i) if (hit.valid) entry_o <= number;
    end else begin : gen_no_hit
      assign hit_o   = hit;
      assign entry_o = number;
    end

    // ---- control: keys are written in the first cycle of a write, numbers of actions when the
    // first packet that was compared with them wants its own
    localparam logic [EntryBits-1:0] AllKept = table_kept(TableTernary);
    logic     write_q, first, asked;
    entry_t   index;
    ternary_t wdata, readback;
    assign write = write_i.valid && write_i.which == TableTernary
                && write_i.header.op == ChainWrite;
    assign first = write && !write_q;
    assign index = entry_t'(init_i ? init_index_i : write ? write_i.header.index
                                                          : read_i.header.index);
    assign wdata = write_i.data[EntryBits-1 -: TernaryWidth] & AllKept[EntryBits-1 -: TernaryWidth];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) write_q <= 1'b0;
      else         write_q <= write;
    end

    logic sweep;
    assign sweep = init_i && 32'(init_index_i) < Entries;
    always_ff @(posedge clk_i) begin
      if (sweep || first)
        compared_q[index] <= sweep ? '0 : '{valid: wdata.valid, not_bank: wdata.not_bank,
                                            wide: wdata.wide, care_wide: wdata.care_wide,
                                            vid: wdata.vid, key: wdata.key, care: wdata.care};
      if (sweep || (Cycles == 1 ? first : write && write_q))
        action_q[index] <= sweep ? '0 : action_row_t'(wdata.action);
    end

    // ---- data words
    logic [$bits(data_t)-1:0] data_back;
    if (ActionData != 0) begin : gen_data
      sluice_table_timed #(.Depth(Entries), .Width($bits(data_t)), .Wait(1 + HitWait)) u_data (
        .clk_i, .rst_ni, .init_i, .init_index_i,
        .re_i(hit_o.valid), .raddr_i(entry_o), .rdata_o(data_o),
        .write_i(first), .read_i(asked), .addr_i(index), .wdata_i(wdata.data),
        .ctl_rdata_o(data_back)
      );
    end else begin : gen_no_data
      assign data_o    = '0;
      assign data_back = '0;
    end

    // ---- control reads
    compared_t   compared_back_q;
    action_row_t action_back_q;
    always_ff @(posedge clk_i)
      if (asked) begin
        compared_back_q <= compared_q[index];
        action_back_q   <= action_q[index];
      end
    assign readback = '{valid: compared_back_q.valid, not_bank: compared_back_q.not_bank,
                        wide: compared_back_q.wide, care_wide: compared_back_q.care_wide,
                        reserved: '0, action: 16'(action_back_q), vid: compared_back_q.vid,
                        key: compared_back_q.key, care: compared_back_q.care, data: data_back};
    sluice_table_answer #(.Which(TableTernary)) u_answer (
      .clk_i, .rst_ni, .copy_i, .read_i, .asked_o(asked), .entry_i(readback), .answer_o
    );

    `SLUICE_ASSERT(OneWins_A, $onehot0(lowest))
    `SLUICE_ASSERT(IndexInRange_A, !write || 32'(write_i.header.index) < Entries)
`ifdef SLUICE_SIM
    // The number of the action is taken in the second cycle of a write. Not $past: its values have
    // the instance's full name (tb/sluice/shared_modules).
    logic was_first_q;
    always_ff @(posedge clk_i) was_first_q <= first;
    `SLUICE_ASSERT(WriteLastsTwoCycles_A, write || !was_first_q)
`endif
  end
endmodule : sluice_match_ternary
