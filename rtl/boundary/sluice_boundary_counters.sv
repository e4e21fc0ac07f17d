// SPDX-License-Identifier: Apache-2.0

/// Counters and high-water marks of one pipeline of a back stage (register block BOUNDARY).
/// Latency: an event counts two cycles later, a level one; `rdata_o` follows `reg_i` in the same
/// cycle. Throughput: every event in every cycle.
module sluice_boundary_counters
  import sluice_layout_pkg::*;
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
  input  logic        state_op_i,
  input  logic        refused_i,
  input  logic        hit_i,
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
  logic [NumEvents-1:0] event_q;
  logic [31:0] issued_q, idle_q, wait_data_q, wait_credit_q, stateful_q, escapes_q;
  logic [31:0] state_ops_q, refused_q, hits_q, moves_q, move_wait_q;
  logic [15:0] high_queue_q, high_bank_q, high_waiting_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) event_q <= '0;
    else event_q <= {move_i, move_wait_i, issued_i, idle_i, wait_data_i, wait_credit_i, stateful_i,
                     escape_i, state_op_i, refused_i, hit_i};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {issued_q, idle_q, wait_data_q, wait_credit_q, stateful_q, escapes_q} <= '0;
      {state_ops_q, refused_q, hits_q, moves_q, move_wait_q} <= '0;
      {high_queue_q, high_bank_q, high_waiting_q} <= '0;
    end else if (clear_i) begin
      {issued_q, idle_q, wait_data_q, wait_credit_q, stateful_q, escapes_q} <= '0;
      {state_ops_q, refused_q, hits_q, moves_q, move_wait_q} <= '0;
      {high_queue_q, high_bank_q, high_waiting_q} <= '0;
    end else begin
      if (event_q[10]) moves_q      <= moves_q + 32'd1;
      if (event_q[9]) move_wait_q   <= move_wait_q + 32'd1;
      if (event_q[8]) issued_q      <= issued_q + 32'd1;
      if (event_q[7]) idle_q        <= idle_q + 32'd1;
      if (event_q[6]) wait_data_q   <= wait_data_q + 32'd1;
      if (event_q[5]) wait_credit_q <= wait_credit_q + 32'd1;
      if (event_q[4]) stateful_q    <= stateful_q + 32'd1;
      if (event_q[3]) escapes_q     <= escapes_q + 32'd1;
      if (event_q[2]) state_ops_q   <= state_ops_q + 32'd1;
      if (event_q[1]) refused_q     <= refused_q + 32'd1;
      if (event_q[0]) hits_q        <= hits_q + 32'd1;
      if (queue_i   > high_queue_q)   high_queue_q   <= queue_i;
      if (bank_i    > high_bank_q)    high_bank_q    <= bank_i;
      if (waiting_i > high_waiting_q) high_waiting_q <= waiting_i;
    end
  end

  always_comb begin
    case ({6'd0, reg_i, 2'd0})
      RegBoundaryIssued:      rdata_o = issued_q;
      RegBoundaryIdle:        rdata_o = idle_q;
      RegBoundaryWaitData:    rdata_o = wait_data_q;
      RegBoundaryWaitCredit:  rdata_o = wait_credit_q;
      RegBoundaryStateful:    rdata_o = stateful_q;
      RegBoundaryEscapes:     rdata_o = escapes_q;
      RegBoundaryHighQueue:   rdata_o = {16'd0, high_queue_q};
      RegBoundaryHighBank:    rdata_o = {16'd0, high_bank_q};
      RegBoundaryHighWaiting: rdata_o = {16'd0, high_waiting_q};
      RegBoundaryStateOps:    rdata_o = state_ops_q;
      RegBoundaryRefusedOps:  rdata_o = refused_q;
      RegBoundaryHits:        rdata_o = hits_q;
      RegBoundaryMoves:       rdata_o = moves_q;
      RegBoundaryMoveWait:    rdata_o = move_wait_q;
      default:                rdata_o = '0;
    endcase
  end
endmodule : sluice_boundary_counters
