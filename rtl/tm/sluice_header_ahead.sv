// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Headers of one output queue in a chip with HeaderPool: the next eight, in the order of the
/// packets, and what the choice looks at of these (brief). Headers of the others are in the pool of
/// the source lane (sluice_tm_pool); here is the queue of what will be fetched.
/// Latency 1 cycle from push_i to valid_o for a header that passes the pool; one that does not is
/// asked for in the cycle after push_i at the earliest, and is here 2 cycles after taken_i. A
/// header in and one out a cycle.
///
/// A header passes the pool if it is the next: none of the queue is in the pool or promised to it,
/// and there is room here. Example: eight packets come to a queue whose line stands still, in the
/// cycles 1 to 8; all pass. The ninth, in cycle 9, goes to the pool, as would any behind it. The
/// first leaves in cycle 20: the ninth is asked for in cycle 21, and taken. A tenth, promised in
/// cycle 22, finds no room here, and goes to the pool, too.
/// Four would do for the wires; eight words are what makes a memory of them, not flip-flops.
/// A packet to several ports is here once, until the last of its copies was chosen.
/// Invariants: headers come here in the order of push_i, so that the first here is that of the
/// queue's first packet; two never come in one cycle.
module sluice_header_ahead
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_exit_pkg::*;
#(
  parameter int unsigned BriefBits = 8
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // a packet comes in the next cycle; whether its header will pass the pool
  input  logic                promised_i,
  output logic                passes_o,
  input  logic                push_i,
  input  logic [BriefBits-1:0] brief_i,     // what the choice looks at
  input  logic [StepBits-1:0] header_i,
  input  pool_entry_t         entry_i,      // where it is in the pool, if it does not pass
  // the pool: a request was answered; its header comes in the next cycle
  output fetch_t              fetch_o,
  input  logic                taken_i,
  input  logic [StepBits-1:0] fetched_i,
  // the queue's first packet, if its header is here
  output logic                valid_o,
  output logic [BriefBits-1:0] brief_o,
  input  logic                choose_i,     // it is read
  input  logic                pop_i,        // for the last time
  output logic [StepBits-1:0] header_o      // a cycle after choose_i
);
  localparam int unsigned BehindBits = $clog2(OutputDepth + 1);
  localparam int unsigned AheadBits  = $clog2(PoolAhead + 1);
  localparam int unsigned PtrBits    = $clog2(PoolAhead);
  typedef logic [AheadBits-1:0] ahead_t;

  // ---- which headers pass, and which are to be fetched
  ahead_t                ahead_q;             // here or on its way here
  logic [BehindBits-1:0] behind_q;            // in the pool or on its way there, and not yet taken
  logic                  passes, waits, passing_q, arriving_q, comes;
  logic [BehindBits-1:0] fetches;
  pool_entry_t           next;
  logic [BriefBits-1:0]  next_brief, arriving_brief_q, comes_brief;
  assign passes   = promised_i && passes_o;
  assign waits    = promised_i && !passes_o;
  assign comes    = (push_i && passing_q) || arriving_q;

  logic keeps;
  assign keeps = push_i && !passing_q;
  sluice_ram_fifo #(.Depth(OutputDepth), .Width(BriefBits + PoolBits)) u_fetches (
    .clk_i, .rst_ni, .push_i(keeps), .data_i({brief_i, entry_i}), .full_o(),
    .valid_o(), .data_o({next_brief, next}), .pop_i(taken_i), .count_o(fetches)
  );
  // What the pool and the admission look at stands in registers, known a cycle before.
  logic more_ahead, full, full_q, asks_q, last_behind, none_behind;
  assign more_ahead  = passes || taken_i;
  assign full        = more_ahead == pop_i ? ahead_q == ahead_t'(PoolAhead)
                       : more_ahead && ahead_q == ahead_t'(PoolAhead - 1);
  assign none_behind = !waits && (taken_i ? last_behind : behind_q == '0);
  assign last_behind = behind_q == BehindBits'(1);
  assign fetch_o = '{valid: asks_q && !full_q, entry: next, ahead: ahead_q[PtrBits-1:0]};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ahead_q    <= '0;
      behind_q   <= '0;
      passing_q  <= 1'b0;
      arriving_q <= 1'b0;
      passes_o   <= 1'b1;
      full_q     <= 1'b0;
      asks_q     <= 1'b0;
    end else begin
      passes_o   <= none_behind && !full;
      full_q     <= full;
      asks_q     <= keeps || (taken_i ? fetches > BehindBits'(1) : fetches != '0);
      passing_q  <= passes;
      arriving_q <= taken_i;
      if (more_ahead != pop_i) ahead_q <= pop_i ? ahead_q - 1'b1 : ahead_q + 1'b1;
      if (waits != taken_i) behind_q <= waits ? behind_q + 1'b1 : behind_q - 1'b1;
    end
  end

  always_ff @(posedge clk_i) if (taken_i) arriving_brief_q <= next_brief;

  // ---- the packets whose headers are here
  ahead_t there;
  logic   no_room;
  assign comes_brief = arriving_q ? arriving_brief_q : brief_i;
  sluice_ram_fifo #(.Depth(PoolAhead), .Width(BriefBits)) u_briefs (
    .clk_i, .rst_ni, .push_i(comes), .data_i(comes_brief), .full_o(no_room),
    .valid_o, .data_o(brief_o), .pop_i, .count_o(there)
  );

  // ---- the headers
  logic [PtrBits-1:0] read_q, write_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q  <= '0;
      write_q <= '0;
    end else begin
      if (pop_i) read_q  <= read_q + 1'b1;
      if (comes) write_q <= write_q + 1'b1;
    end
  end
  sluice_ram #(.Depth(PoolAhead), .Width(StepBits)) u_headers (
    .clk_i, .we_i(comes), .waddr_i(write_q), .wdata_i(arriving_q ? fetched_i : header_i),
    .re_i(choose_i), .raddr_i(read_q), .rdata_o(header_o)
  );

  `SLUICE_ASSERT(PassesIsKnown_A,
    passes_o == (behind_q == '0 && ahead_q != ahead_t'(PoolAhead)))
  `SLUICE_ASSERT(AsksIsKnown_A, asks_q == (fetches != '0))
  `SLUICE_ASSERT(OneComes_A, !(push_i && passing_q && arriving_q))
  `SLUICE_ASSERT(ComesToRoom_A, !comes || !no_room)
  `SLUICE_ASSERT(HereWasPromised_A, there <= ahead_q)
  `SLUICE_ASSERT(TakesARequest_A, !taken_i || fetch_o.valid)
  `SLUICE_ASSERT(ChosenIsThere_A, !choose_i || valid_o)
`ifdef SLUICE_SIM
  logic        asked_q;
  pool_entry_t asked_entry_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) asked_q <= 1'b0;
    else         asked_q <= fetch_o.valid && !taken_i;
  end
  always_ff @(posedge clk_i) asked_entry_q <= fetch_o.entry;
  `SLUICE_ASSERT(RequestHolds_A,
    !asked_q || (fetch_o.valid && fetch_o.entry == asked_entry_q))
`endif
endmodule : sluice_header_ahead
