// SPDX-License-Identifier: Apache-2.0

/// Counters and high-water marks of one pipeline of a back stage (register block BOUNDARY).
/// Latency: an event counts two cycles later, a level one; `rdata_o` follows `reg_i` in the same
/// cycle. Throughput: every event in every cycle.
module sluice_boundary_counters
  import sluice_layout_pkg::*;
  import sluice_stage_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  // one count for each cycle in which the event is high
  input  logic        issued_i,
  input  logic        idle_i,
  input  logic        wait_data_i,
  input  logic        wait_credit_i,
  input  logic        stateful_i,
  input  logic        escape_i,
  input  unit_event_t unit_i,
  input  logic        move_i,
  input  logic        move_wait_i,
  // levels
  input  logic [15:0] queue_i,      // phantoms in the order queue
  input  logic [15:0] bank_i,       // packets in the fullest bank
  input  logic [15:0] waiting_i,    // packets in all banks
  // read
  input  logic [3:0]  reg_i,        // word in the block
  output logic [31:0] rdata_o
);
  localparam int unsigned NumEvents = 11;
  typedef enum logic [3:0] {
    EvIssued, EvIdle, EvWaitData, EvWaitCredit, EvStateful, EvEscape, EvStateOp, EvRefused, EvHit,
    EvMove, EvMoveWait
  } event_e;
  logic [NumEvents-1:0] event_d, event_q;
  logic [15:0]          high_queue_q, high_bank_q, high_waiting_q;

  always_comb begin
    event_d               = '0;
    event_d[EvIssued]     = issued_i;
    event_d[EvIdle]       = idle_i;
    event_d[EvWaitData]   = wait_data_i;
    event_d[EvWaitCredit] = wait_credit_i;
    event_d[EvStateful]   = stateful_i;
    event_d[EvEscape]     = escape_i;
    event_d[EvStateOp]    = unit_i.state_op;
    event_d[EvRefused]    = unit_i.refused;
    event_d[EvHit]        = unit_i.hit;
    event_d[EvMove]       = move_i;
    event_d[EvMoveWait]   = move_wait_i;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) event_q <= '0;
    else         event_q <= event_d;
  end

  event_e      counter;
  logic [31:0] word, counted;
  logic [3:0]  own;
  sluice_counters #(.Count(NumEvents)) u_counters (
    .clk_i, .rst_ni, .clear_i, .event_i(event_q), .index_i(counter), .word_o(word), .own_o(own)
  );
  assign counted = word + 32'(own);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {high_queue_q, high_bank_q, high_waiting_q} <= '0;
    end else if (clear_i) begin
      {high_queue_q, high_bank_q, high_waiting_q} <= '0;
    end else begin
      if (queue_i   > high_queue_q)   high_queue_q   <= queue_i;
      if (bank_i    > high_bank_q)    high_bank_q    <= bank_i;
      if (waiting_i > high_waiting_q) high_waiting_q <= waiting_i;
    end
  end

  always_comb begin
    counter = EvIssued;
    rdata_o = counted;
    case ({6'd0, reg_i, 2'd0})
      RegBoundaryIssued:      counter = EvIssued;
      RegBoundaryIdle:        counter = EvIdle;
      RegBoundaryWaitData:    counter = EvWaitData;
      RegBoundaryWaitCredit:  counter = EvWaitCredit;
      RegBoundaryStateful:    counter = EvStateful;
      RegBoundaryEscapes:     counter = EvEscape;
      RegBoundaryHighQueue:   rdata_o = {16'd0, high_queue_q};
      RegBoundaryHighBank:    rdata_o = {16'd0, high_bank_q};
      RegBoundaryHighWaiting: rdata_o = {16'd0, high_waiting_q};
      RegBoundaryStateOps:    counter = EvStateOp;
      RegBoundaryRefusedOps:  counter = EvRefused;
      RegBoundaryHits:        counter = EvHit;
      RegBoundaryMoves:       counter = EvMove;
      RegBoundaryMoveWait:    counter = EvMoveWait;
      default:                rdata_o = '0;
    endcase
  end
endmodule : sluice_boundary_counters
