// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// The one place that decides whether a control access takes effect that moves of indices could
/// disturb (docs/moves.md): a WRITE of ACCESS, SEGMENT, STATE, STATE_ROW or FILL, and a READ of
/// STATE or STATE_ROW; without STATE and STATE_ROW in a chip with marks. It stands on the daisy
/// chain before the order point's own node. What it refuses never reaches a stage; what it
/// lets pass, the lanes' copies and the stage obey.
///
/// Example: FILL of module 6, stage 2. In cycle 0 its header is at `chain_i`. From cycle 1 on no
/// index of module 6 begins a move in stage 2 (`hold_rows_o[2][6]`). In cycle 3, when a
/// move that was decided in cycle 0 shows in `away_i`, the header goes on to the node, with
/// `refuse_o` if an index of module 6 is away or on its way; those of other modules do not matter.
/// If none is, module 6 stays held until the chain is empty, for then the fill is done.
/// Latency: 3 cycles for the header of such a message; 1 if its module is held already (the second
/// entry of a packet), and for the headers of other messages. One word a cycle.
/// Invariant: while a module is held, none of its indices is away.
module sluice_commit
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_table_pkg::*;
(
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // chain, to the node
  input  chain_t                 chain_i,
  output logic                   chain_ready_o,
  output chain_t                 chain_o,
  input  logic                   chain_ready_i,
  input  logic                   busy_i,         // messages are on the chain, here or behind
  output logic                   refuse_o,       // with the header at chain_o
  // moves
  // [stage]: no index of these modules begins a move
  output logic [StateStages-1:0][NumModules-1:0] hold_rows_o,
  output row_t                   away_row_o,     // of this module, that of the cycle before ...
  // ... in the cycle before an index was away or on its way, in that stage
  input  logic [StateStages-1:0] away_i
);
  // Cycles that a header waits. A move that is taken in its first one shows in away_i two cycles
  // later.
  localparam logic [1:0] AwayCycles = 2'd3;

  if (!HasMoves) begin : gen_none
    assign chain_o       = chain_i;
    assign chain_ready_o = chain_ready_i;
    assign refuse_o      = 1'b0;
    assign hold_rows_o   = '0;
    assign away_row_o    = '0;
  end else begin : gen_commit
    // ---- the header at the input, and whether it is one that moves could disturb
    chain_header_t header;
    table_e        which;
    table_info_t   info;
    logic          is_header, by_index, state, marked, guarded;
    // {bank, row}: moves are the module's, in either bank
    logic [15:0]   entry;
    assign header    = chain_header_t'(chain_i.data);
    assign is_header = chain_i.valid && chain_i.first;
    assign which     = table_e'(TableMap[{header.resource, header.sub}]);
    assign info      = TableInfos[which];
    assign by_index  = info.rows == RowsOverlay;
    assign entry     = by_index ? header.index : 16'(header.row);
    // goes where the index is (docs/marks.md)
    assign state     = which == TableState || (ArrayWords != 0 && which == TableStateRow);
    assign marked    = Marks != 0 && state;
    assign guarded   = 32'(header.stage) < StateStages && 32'(entry) < (1 << $bits(overlay_t))
        && info.order
                    && !marked && (header.op == ChainWrite || (header.op == ChainRead && state));

    // The header waits for longer than this register does, and the chain's data comes late.
    always_ff @(posedge clk_i) away_row_o <= row_t'(entry);

    // ---- what is held: the modules of accepted messages, and that of the one that waits
    logic [StateStages-1:0] stage_q, stage;
    logic [NumModules-1:0]  rows_q, asked;
    always_comb begin
      stage = '0;
      asked = '0;
      for (int unsigned s = 0; s < StateStages; s++) stage[s] = header.stage == stage_t'(s);
      for (int unsigned r = 0; r < NumModules; r++) asked[r] = is_header && guarded && row_t'(entry)
        == row_t'(r);
    end

    // ---- what the look in its first cycle found of the header at the input. It goes by registers:
    // the ready of the chain leads back into the node before, which is far.
    logic                   guarded_q, held_q, open, goes;
    logic [StateStages-1:0] in_stage_q;
    logic [NumModules-1:0]  asked_q;
    logic [1:0]             waited_q;            // cycles that it has been there
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        guarded_q  <= 1'b0;
        held_q     <= 1'b0;
        in_stage_q <= '0;
        asked_q    <= '0;
      end else begin
        guarded_q  <= guarded;
        held_q     <= (asked & rows_q) != '0;
        in_stage_q <= stage;
        asked_q    <= asked;
      end
    end
    assign open          = !is_header
                        || (waited_q != '0 && (!guarded_q || held_q || waited_q == AwayCycles));
    assign goes          = is_header && chain_ready_o;
    assign refuse_o      = guarded_q && !held_q && (away_i & in_stage_q) != '0;
    assign chain_ready_o = chain_ready_i && open;
    always_comb begin
      chain_o       = chain_i;
      chain_o.valid = chain_i.valid && open;
    end

    // The node looks at a header in one cycle and takes it in the next. If the last index comes
    // home between them, the message is refused and its module is held for nothing.
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        waited_q <= '0;
        rows_q   <= '0;
        stage_q  <= '0;
        hold_rows_o <= '0;
      end else begin
        if (!is_header || goes)          waited_q <= '0;
        else if (waited_q != AwayCycles) waited_q <= waited_q + 2'd1;
        if (!busy_i)                            rows_q <= '0;
        else if (goes && guarded_q && !refuse_o) rows_q <= rows_q | asked_q;
        if (asked != '0) stage_q <= stage;
        for (int unsigned s = 0; s < StateStages; s++)
          hold_rows_o[s] <= (asked != '0 ? stage[s] : stage_q[s]) ? rows_q | asked : '0;
      end
    end

`ifdef SLUICE_SIM
    // held_2q: away_i is of a module that is held.
    logic                   held_2q;
    logic [StateStages-1:0] stage_2q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) held_2q <= 1'b0;
      else         held_2q <= held_q;
    end
    always_ff @(posedge clk_i) stage_2q <= stage_q;
    `SLUICE_ASSERT(HeldIsHome_A, !held_2q || (away_i & stage_2q) == '0)
`endif
    `SLUICE_ASSERT(OneStage_A, rows_q == '0 || asked == '0 || stage == stage_q)
    `SLUICE_ASSERT(BusyWhileAsked_A, asked == '0 || busy_i)
  end
endmodule : sluice_commit
