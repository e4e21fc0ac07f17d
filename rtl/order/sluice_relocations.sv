// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Relocation table of one back stage: the indices that live away from home, by their homes, and
/// the numbers of the moves that are under way (docs/moves.md).
///
/// Entry e owns spare slot e of every pipeline, so a place is never searched. An entry is taken
/// when an index leaves home and is free again when its value has landed at home.
/// Lookups are combinational, from the registers of the table: a lookup of cycle t knows all
/// changes up to cycle t - 1. One change and one landing a cycle.
/// `away_o`: in cycle t + 1, whether the table of cycle t has an entry of the module whose overlay
/// row `away_row_i` named in cycle t: one of its indices is away, or a move of it is under way.
/// A mark's lookup (docs/marks.md) tells in the same cycle where its index lives, and whether a
/// move of it is under way.
/// Invariant: no two entries have one home; a spare slot of a pipeline belongs to one index.
module sluice_relocations
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
#(
  localparam int unsigned EntryIdxBits = $clog2(Relocations)
) (
  input  logic                                 clk_i,
  input  logic                                 rst_ni,
  // lanes: where lives what has its home there
  input  place_t      [NumPipes-1:0]           home_i,
  output place_t      [NumPipes-1:0]           place_o,
  // scan: two homes
  input  place_t      [1:0]                    scan_home_i,
  output logic        [1:0]                    scan_found_o,     // has an entry
  output logic        [1:0][EntryIdxBits-1:0]  scan_entry_o,
  output logic        [1:0]                    scan_moving_o,
  output pipe_t       [1:0]                    scan_pipe_o,      // lives there
  // a mark: the home of its index
  input  place_t                               mark_home_i,
  output place_t                               mark_place_o,     // lives there
  output logic                                 mark_moving_o,
  // all entries
  output relocation_t [Relocations-1:0]        table_o,
  output logic        [EntryIdxBits:0]         used_o,           // 1 cycle behind
  // a module: has it entries
  input  row_t                                 away_row_i,
  output logic                                 away_o,           // 1 cycle behind
  // modules of a cut: an index of one is under way
  input  logic        [NumModules-1:0]         cut_rows_i,
  output logic                                 cut_moving_o,     // 1 cycle behind
  // a move is decided
  input  logic                                 change_i,
  input  logic        [EntryIdxBits-1:0]       change_entry_i,
  input  row_t                                 change_row_i,     // of its module
  input  place_t                               change_home_i,
  input  pipe_t                                change_to_i,
  // next of each; of entries 1 cycle behind
  output logic                                 entry_free_o,
  output logic        [EntryIdxBits-1:0]       entry_o,
  output logic                                 id_free_o,
  output logic                                 id_spare_o,       // more than one
  output logic        [MoveIdBits-1:0]         id_o,             // of a change in this cycle
  input  landed_t                              landed_i
);
  relocation_t [Relocations-1:0]               table_q;
  logic        [MoveIds-1:0]                   id_busy_q;
  logic        [MoveIds-1:0][EntryIdxBits-1:0] id_entry_q;
  assign table_o = table_q;

  // ---- lookups of the lanes: only who is away differs from home
  for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
    logic [Relocations-1:0]  hit;
    logic [EntryIdxBits-1:0] entry;
    pipe_t                   pipe;
    always_comb begin
      hit   = '0;
      entry = '0;
      pipe  = '0;
      for (int unsigned e = 0; e < Relocations; e++) begin
        if (table_q[e].away) begin
          if (table_q[e].home == home_i[l]) hit[e] = 1'b1;
        end
      end
      if (hit != '0) begin
        for (int unsigned e = 0; e < Relocations; e++) begin
          entry = entry | (hit[e] ? EntryIdxBits'(e) : '0);
          pipe  = pipe | (hit[e] ? table_q[e].pipe : '0);
        end
      end
    end
    assign place_o[l] = hit == '0 ? home_i[l]
                      : '{pipe: pipe, slot: slot_t'(SlotsPerPipe) + slot_t'(entry)};
    `SLUICE_ASSERT(OneHit_A, (hit & (hit - 1'b1)) == '0)
  end

  // ---- lookups of the scan
  for (genvar b = 0; b < 2; b++) begin : gen_scan
    logic [Relocations-1:0]  hit;
    logic [EntryIdxBits-1:0] entry;
    logic                    moving;
    pipe_t                   pipe;
    always_comb begin
      hit    = '0;
      entry  = '0;
      moving = 1'b0;
      pipe   = '0;
      for (int unsigned e = 0; e < Relocations; e++) begin
        if (table_q[e].valid) begin
          if (table_q[e].home == scan_home_i[b]) hit[e] = 1'b1;
        end
      end
      if (hit != '0) begin
        for (int unsigned e = 0; e < Relocations; e++) begin
          entry  = entry | (hit[e] ? EntryIdxBits'(e) : '0);
          moving = moving | (hit[e] && table_q[e].moving);
          pipe   = pipe | (hit[e] ? table_q[e].pipe : '0);
        end
      end
    end
    assign scan_found_o[b]  = hit != '0;
    assign scan_entry_o[b]  = entry;
    assign scan_moving_o[b] = moving;
    assign scan_pipe_o[b]   = hit != '0 ? pipe : scan_home_i[b].pipe;
  end

  // ---- lookup of a mark
  if (Marks != 0) begin : gen_mark
    logic [Relocations-1:0] hit;
    logic                   away;
    logic [EntryIdxBits-1:0] entry;
    pipe_t                  pipe;
    always_comb begin
      away          = 1'b0;
      entry         = '0;
      pipe          = '0;
      mark_moving_o = 1'b0;
      for (int unsigned e = 0; e < Relocations; e++) begin
        hit[e] = table_q[e].valid && table_q[e].home == mark_home_i;
        away          |= hit[e] && table_q[e].away;
        mark_moving_o |= hit[e] && table_q[e].moving;
        entry         |= hit[e] ? EntryIdxBits'(e) : '0;
        pipe          |= hit[e] ? table_q[e].pipe : '0;
      end
    end
    assign mark_place_o = away ? '{pipe: pipe, slot: slot_t'(SlotsPerPipe) + slot_t'(entry)}
        : mark_home_i;
    `SLUICE_ASSERT(OneEntry_A, $onehot0(hit))
  end else begin : gen_no_mark
    assign mark_place_o  = '0;
    assign mark_moving_o = 1'b0;
  end

  // ---- numbers
  always_comb begin
    id_o = '0;
    for (int i = int'(MoveIds) - 1; i >= 0; i--)
      if (!id_busy_q[i]) id_o = MoveIdBits'(i);
  end
  logic [MoveIds-1:0] ids_free;
  assign ids_free   = ~id_busy_q;
  assign id_free_o  = ids_free != '0;
  assign id_spare_o = (ids_free & (ids_free - 1'b1)) != '0;

  logic                    changed_q;      // an entry did, in the cycle before
  logic                    entry_free_d;
  logic [EntryIdxBits-1:0] entry_d;
  logic [EntryIdxBits:0]   used_d;
  logic [Relocations-1:0]  taken;
  always_comb begin
    entry_free_d = 1'b0;
    entry_d      = '0;
    used_d       = '0;
    taken        = '0;
    if (changed_q) begin
      for (int unsigned e = 0; e < Relocations; e++) taken[e] = table_q[e].valid;
      used_d = (EntryIdxBits+1)'($countones(taken));
      for (int e = int'(Relocations) - 1; e >= 0; e--) begin
        if (!taken[e]) begin
          entry_free_d = 1'b1;
          entry_d      = EntryIdxBits'(e);
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      id_busy_q    <= '0;
      changed_q    <= 1'b1;
      entry_free_o <= 1'b0;
      used_o       <= '0;
    end else begin
      if (landed_i.valid) id_busy_q[landed_i.id] <= 1'b0;
      if (change_i)       id_busy_q[id_o] <= 1'b1;
      changed_q <= change_i || landed_i.valid;
      if (changed_q) begin
        entry_free_o <= entry_free_d;
        used_o       <= used_d;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (changed_q) entry_o <= entry_d;
    if (change_i) id_entry_q[id_o] <= change_entry_i;
  end

  // ---- of the modules of a cut: the moves under way, by their numbers
  if (CutStages != 0) begin : gen_cut
    row_t [MoveIds-1:0]   id_row_q;
    logic [MoveIds-1:0]   of_cut;
    always_ff @(posedge clk_i) if (change_i) id_row_q[id_o] <= change_row_i;
    always_comb begin
      for (int unsigned i = 0; i < MoveIds; i++)
        of_cut[i] = id_busy_q[i] && cut_rows_i[id_row_q[i]];
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) cut_moving_o <= 1'b0;
      else         cut_moving_o <= of_cut != '0;
    end
  end else begin : gen_no_cut
    assign cut_moving_o = 1'b0;
  end

  // ---- entries
  for (genvar e = 0; e < Relocations; e++) begin : gen_entry
    logic change, landed;
    assign change = change_i && change_entry_i == EntryIdxBits'(e);
    assign landed = landed_i.valid && id_entry_q[landed_i.id] == EntryIdxBits'(e);
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        table_q[e] <= '0;
      end else if (change) begin
        table_q[e] <= '{valid: 1'b1, away: change_to_i != change_home_i.pipe, moving: 1'b1,
                        row: change_row_i, home: change_home_i, pipe: change_to_i};
      end else if (landed) begin
        table_q[e].moving <= 1'b0;
        table_q[e].valid  <= table_q[e].away;
      end
    end
  end

  // ---- of one module
  logic [Relocations-1:0] of_row;
  always_comb begin
    for (int unsigned e = 0; e < Relocations; e++)
      of_row[e] = table_q[e].valid && table_q[e].row == away_row_i;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) away_o <= 1'b0;
    else         away_o <= of_row != '0;
  end

  // What must hold of all entries can only end with a change.
  logic sound, alone;
  always_comb begin
    sound = 1'b1;
    if (changed_q)
      for (int unsigned e = 0; e < Relocations; e++)
        sound = sound && table_q[e].valid == (table_q[e].away || table_q[e].moving);
    alone = 1'b1;                        // no other entry has the home of a change
    if (change_i)
      for (int unsigned e = 0; e < Relocations; e++)
        alone = alone && (change_entry_i == EntryIdxBits'(e) || !table_q[e].valid
            || table_q[e].home != change_home_i);
  end
  `SLUICE_ASSERT(ValidIsAwayOrMoving_A, sound)
  `SLUICE_ASSERT(OneHome_A, alone)
  `SLUICE_ASSERT(OneOwner_A, !change_i || !table_q[change_entry_i].valid
      || table_q[change_entry_i].home == change_home_i)
  `SLUICE_ASSERT(OneMove_A, !change_i || !table_q[change_entry_i].moving)
  `SLUICE_ASSERT(LandedWasMoving_A, !landed_i.valid || table_q[id_entry_q[landed_i.id]].moving)
  `SLUICE_ASSERT(IdFree_A, !change_i || id_free_o)
  `SLUICE_ASSERT(LandedWasUnderWay_A, !landed_i.valid || id_busy_q[landed_i.id])
endmodule : sluice_relocations
