// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Reads the bodies that one output lane asks for from one lane's packet buffer, in order.
///
/// Latency 5 cycles from a request to its first beat when nothing is before it; the next request is
/// looked up while a body is read, so that beats follow one another without a gap (bodies of one
/// beat: every second cycle).
/// Invariant: a cell is read only if the beat has room in the output queue.
module sluice_body_reader
  import sluice_pkg::*;
  import sluice_buffer_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  body_req_t           req_i,
  output body_rsp_t           rsp_o,
  // look the slot up: answer one cycle after the grant
  output logic                info_want_o,
  output hdr_t                info_slot_o,
  input  logic                info_grant_i,
  input  cell_t               info_head_i,
  input  beats_t              info_cells_i,
  // read a cell: data and the next cell one cycle after the grant
  output logic                cell_want_o,
  output cell_t               cell_o,
  output logic                cell_last_o,    // the last of the body
  output hdr_t                cell_slot_o,
  input  logic                cell_grant_i,
  input  cell_t               next_i,
  input  logic [BeatBits-1:0] data_i
);
  // ---- the request that waits: wanted, looked up (answer in this cycle), known
  logic                wait_q, asked_q, known_q, move, req_ready;
  hdr_t                wait_slot_q;
  cell_t               wait_head_q, wait_head;
  beats_t              wait_cells_q, wait_cells;
  // ---- the body that is being read
  logic                active_q, walked_q, granted_q, granted_last_q;
  hdr_t                slot_q;
  cell_t               cell_q;
  beats_t              left_q;

  assign req_ready   = !wait_q || move;
  assign info_want_o = wait_q && !asked_q && !known_q;
  assign info_slot_o = wait_slot_q;
  assign wait_head   = known_q ? wait_head_q  : info_head_i;
  assign wait_cells  = known_q ? wait_cells_q : info_cells_i;
  assign move        = (asked_q || known_q) && (!active_q || (cell_grant_i && cell_last_o));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wait_q         <= 1'b0;
      asked_q        <= 1'b0;
      known_q        <= 1'b0;
      active_q       <= 1'b0;
      walked_q       <= 1'b0;
      granted_q      <= 1'b0;
      granted_last_q <= 1'b0;
    end else begin
      wait_q         <= (req_i.valid && req_ready) || (wait_q && !move);
      asked_q        <= info_grant_i;
      known_q        <= (asked_q || known_q) && !move;
      active_q       <= move || (active_q && !(cell_grant_i && cell_last_o));
      walked_q       <= cell_grant_i && !cell_last_o;
      granted_q      <= cell_grant_i;
      granted_last_q <= cell_last_o;
    end
  end
  always_ff @(posedge clk_i) begin
    if (req_i.valid && req_ready) wait_slot_q <= req_i.slot;
    if (asked_q) begin
      wait_head_q  <= info_head_i;
      wait_cells_q <= info_cells_i;
    end
    if (move) begin
      slot_q <= wait_slot_q;
      cell_q <= wait_head;
      left_q <= wait_cells;
    end else begin
      if (walked_q)     cell_q <= next_i;
      if (cell_grant_i) left_q <= left_q - 1'b1;
    end
  end

  // ---- output queue: counts what is on its way as well
  logic                pop, beat_valid, beat_last;
  logic [BeatBits-1:0] beat;
  logic [1:0]          count;
  assign rsp_o = '{
    ready: req_ready, beat_valid: beat_valid, beat_last: beat_last, beat: beat
  };
  assign pop         = beat_valid && req_i.beat_ready;
  assign cell_want_o = active_q && (3'(count) + 3'(granted_q) < 3'd2 + 3'(pop));
  assign cell_o      = walked_q ? next_i : cell_q;
  assign cell_last_o = left_q == beats_t'(1);
  assign cell_slot_o = slot_q;

  sluice_fifo #(.Depth(2), .Width(1 + BeatBits)) u_beats (
    .clk_i, .rst_ni,
    .push_i (granted_q), .data_i({granted_last_q, data_i}), .full_o(),
    .valid_o(beat_valid), .data_o({beat_last, beat}), .pop_i(pop), .count_o(count)
  );

  `SLUICE_ASSERT(BodyHasCells_A, !active_q || left_q != '0)
endmodule : sluice_body_reader
