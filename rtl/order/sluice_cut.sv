// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"
`include "sluice_tag.svh"

/// Takes cuts at the order point (docs/marks.md, Cuts): chooses the ticket, tells all stages, and
/// says when what they keep for the cut can be read, and when the next one can be taken.
///
/// Example: CHIP.CUT becomes 0x08. From then on no index of module 3 begins a move (rows_o), and
/// moves that have begun go out (StSettle). In the first cycle behind that without a message on the
/// chain the next ticket is 1,000: one cycle later cut_o = {open, young, tag of 1,000, epoch 1}.
/// When 999 has left the last stage, and the indices that were on their way have landed (StLand),
/// the cut is ready (StReady): where an index of module 3 is, it stays. CHIP.CUT becomes 0: when no
/// message is under way, which may be a read of the cut, it is closed (StClose), and all units go
/// through their slots (StSweep). When the last one is done (busy_i falls) the next cut can begin.
/// Latency: SettleCycles and the wait for the chain to the ticket; one window, MatchCycles and what
/// landings take to ready. Reset: no cut, epoch 0, as the epoch bits of all entries.
/// Not there in a chip without CutStages: no cut is taken.
/// Invariant: a stage that registers cut_o knows the ticket before the packet that has it can have
/// a state operation; and as long as its young is up no ticket is admitted that is so far behind
/// the cut's that its tag would be taken for an older one (TellsSides_A).
module sluice_cut
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
  import sluice_probe_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [NumModules-1:0] want_i,        // CHIP.CUT
  input  logic                  chain_busy_i,  // messages are on the chain
  // window
  input  tag_t                  after_tag_i,   // behind all packets that are shown as admitted
  input  logic [31:0]           next_ticket_i, // ... one cycle later
  input  tag_t                  oldest_i,
  // stages
  output cut_t                  cut_o,
  input  logic                  busy_i,        // some unit is not through with its slots
  output logic [NumModules-1:0] rows_o,        // of these modules no index begins a move
  input  logic                  moving_i,      // an index of rows_o is on its way
  output cut_status_t           status_o,
  output cut_event_t            event_o
);
  if (CutStages == 0) begin : gen_none
    assign cut_o    = '0;
    assign rows_o   = '0;
    assign status_o = '0;
    assign event_o  = '0;
  end else begin : gen_cut
    // Until a move that was chosen in the first cycle of rows_o is on the bus; until the landing of
    // one that met an open cut is written; until busy_i shows what cut_o asks for.
    localparam int unsigned SettleCycles = 32;

    typedef enum logic [2:0] {StIdle, StSettle, StYoung, StLand, StReady, StClose, StSweep} state_e;
    state_e      state_d, state_q;
    logic [5:0]  wait_q;                         // cycles in this state, up to SettleCycles
    logic        settled, take, take_q;
    // oldest_i passes a packet when the last stage takes it; its state operation comes later, and
    // with a longer match engine later still. Example: with MatchCycles 1 the cut is ready a cycle
    // after oldest_i has passed its tag, with MatchCycles 3 three cycles after.
    logic [MatchCycles-1:0] past_q;
    assign settled = 32'(wait_q) == SettleCycles;
    assign take    = state_q == StSettle && settled && !chain_busy_i;

    always_comb begin
      state_d = state_q;
      case (state_q)
        StIdle:   if (want_i != '0) state_d = StSettle;
        StSettle: if (take) state_d = StYoung;
        StYoung:  if (past_q[MatchCycles-1]) state_d = StLand;
        StLand:   if (!moving_i) state_d = StReady;
        StReady:  if (want_i == '0 && !chain_busy_i) state_d = StClose;
        StClose:  if (settled) state_d = StSweep;
        default:  if (settled && !busy_i) state_d = StIdle;
      endcase
    end

    logic [31:0] ticket_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        state_q  <= StIdle;
        wait_q   <= '0;
        take_q   <= 1'b0;
        past_q   <= '0;
        rows_o   <= '0;
        cut_o    <= '0;
        ticket_q <= '0;
      end else begin
        state_q <= state_d;
        if (state_d != state_q) wait_q <= '0;
        else if (!settled)      wait_q <= wait_q + 1'b1;
        take_q <= take;
        past_q <= state_q == StYoung && !take_q ?
          MatchCycles'({past_q, !`SLUICE_OLDER(oldest_i, cut_o.tag)}) : '0;
        if (state_q == StIdle)       rows_o <= want_i;
        else if (state_d == StClose) rows_o <= '0;
        cut_o.open  <= state_d == StYoung || state_d == StLand || state_d == StReady;
        cut_o.young <= state_d == StYoung;
        cut_o.sweep <= state_d == StSweep;
        if (take) begin
          cut_o.epoch <= !cut_o.epoch;
          cut_o.tag   <= after_tag_i;
        end
        if (take_q) ticket_q <= next_ticket_i;
      end
    end
    assign status_o = '{ready: state_q == StReady, busy: state_q != StIdle, ticket: ticket_q};
    assign event_o  = '{valid: take_q, rows: rows_o, ticket: next_ticket_i};

    `SLUICE_ASSERT(TicketOfTag_A, !take_q || tag_t'(next_ticket_i) == cut_o.tag)
    `SLUICE_ASSERT(ReadyIsStill_A, state_q != StReady || !moving_i)
`ifdef SLUICE_SIM
    // Stages compare one cycle later than cut_o says, and the oldest were admitted a window before.
    logic young_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) young_q <= 1'b0;
      else         young_q <= cut_o.young && !take_q;
    end
    `SLUICE_ASSERT(TellsSides_A, !young_q || next_ticket_i - ticket_q <= TagSpan)
`endif
  end
endmodule : sluice_cut
