// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Sends indices of one back stage home, one entry of the relocation table after the other.
///
/// An entry goes home
///   - with moves off, and while its module is called home (CHIP.RECALL) or being reconfigured
///     (CHIP.BITMAP);
///   - if its module has more than its quota;
///   - if it is idle, and its module has 3/4 of its quota, or the table is 3/4 full.
/// Idle: no access was sampled in the whole of the last window; a window is four rounds of the
/// remap.
/// Example, period 256: an index is accessed for the last time in cycle 1,000. Windows end at 1,024
/// (it was accessed in this one) and at 2,048: idle. Entries are looked at every 2 cycles, so at
/// 2,178 at the latest, with 64 entries and a free id, it is offered.
/// One id is left to the remap.
/// Invariant: an offer names an entry that is away and does not move.
module sluice_homecoming
  import sluice_cfg_pkg::*;
  import sluice_order_pkg::*;
#(
  localparam int unsigned EntryIdxBits = $clog2(Relocations)
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic        [NumModules-1:0]   recall_i,     // modules whose indices come home
  input  logic        [NumModules-1:0]   hold_rows_i,  // no index of these modules begins a move
  input  logic                           on_i,         // moves are on
  input  logic                           window_i,     // a window ends
  input  logic                           touch_i,      // an access was sampled
  input  logic        [EntryIdxBits-1:0] touch_entry_i,
  input  logic        [NumModules-1:0]   near_i,       // modules: see sluice_move_quotas
  input  logic        [NumModules-1:0]   over_i,
  input  relocation_t [Relocations-1:0]  table_i,
  input  logic        [EntryIdxBits:0]   used_i,
  input  logic                           id_spare_i,   // an id is free that the remap need not have
  // a change of the table, of either kind
  input  logic                           change_i,
  input  logic        [EntryIdxBits-1:0] change_entry_i,
  // a move home, offered until taken
  output logic                           offer_o,
  output logic        [EntryIdxBits-1:0] entry_o,
  output relocation_t                    index_o
);
  localparam int unsigned MostUsed = Relocations - Relocations / 4;

  // ---- idle entries. An entry that changes begins as accessed.
  logic [Relocations-1:0] touched_q, idle_q;
  for (genvar e = 0; e < Relocations; e++) begin : gen_entry
    logic touch;
    assign touch = (touch_i && touch_entry_i == EntryIdxBits'(e))
                || (change_i && change_entry_i == EntryIdxBits'(e));
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        touched_q[e] <= 1'b0;
        idle_q[e]    <= 1'b0;
      end else begin
        touched_q[e] <= touch || (touched_q[e] && !window_i);
        idle_q[e]    <= !touch && (window_i ? !touched_q[e] : idle_q[e]);
      end
    end
  end

  // ---- one entry after the other: read, then judged
  typedef enum logic [1:0] {StRead, StJudge, StOffer} state_e;
  state_e                  state_q;
  logic [EntryIdxBits-1:0] entry_q;
  relocation_t             index_q;
  logic                    full_q, called, goes;
  assign called = !on_i || recall_i[index_q.row] || over_i[index_q.row];
  assign goes   = index_q.valid && index_q.away && !index_q.moving && id_spare_i
      && !hold_rows_i[index_q.row]
               && !(change_i && change_entry_i == entry_q)
               && (called || (idle_q[entry_q] && (near_i[index_q.row] || full_q)));
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StRead;
      entry_q <= '0;
      full_q  <= 1'b0;
    end else begin
      full_q <= used_i >= (EntryIdxBits+1)'(MostUsed);
      case (state_q)
        StRead:  state_q <= StJudge;
        StJudge: begin
          state_q <= goes ? StOffer : StRead;
          if (!goes) entry_q <= entry_q == EntryIdxBits'(Relocations - 1) ? '0 : entry_q + 1'b1;
        end
        // Taken; or the remap took it on; or it is held.
        default: if ((change_i && change_entry_i == entry_q)
            || hold_rows_i[index_q.row]) state_q <= StRead;
      endcase
    end
  end
  // What is read in the cycle of a change is not judged: it moves by now.
  always_ff @(posedge clk_i) begin
    if (state_q == StRead) begin
      index_q <= table_i[entry_q];
      if (change_i && change_entry_i == entry_q) index_q.moving <= 1'b1;
    end
  end

  assign offer_o = state_q == StOffer;
  assign entry_o = entry_q;
  assign index_o = index_q;

  `SLUICE_ASSERT(OfferIsAway_A, !offer_o || (table_i[entry_q].away && !table_i[entry_q].moving))
endmodule : sluice_homecoming
