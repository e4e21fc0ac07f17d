// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// The mark of one back stage at the order point (docs/marks.md): keeps what the stage asked for,
/// finds out where that index lives, and takes a turn of its stage on the bus of the moves.
///
/// Example: in cycle 0 the stage asks for {home: pipeline 0, slot 10}. In 1 the relocation table is
/// looked up (`home_o`, answered in the same cycle): the index lives in (3, 5). From 2 on the mark
/// to (3, 5) takes the next turn (`take_o`). While the index is moving it waits, and in the cycle
/// after a move of the stage has begun, which may be one of its index. Where a move wants the turn,
/// too, the one goes whose kind did not go last: neither keeps the other waiting for longer than
/// that.
/// Latency: 2 cycles from request to the first turn. Throughput: one mark at a time. Reset: nobody
/// asks.
/// Invariant: at take_o, place_o is where the index lives, and it is not moving.
/// Not there in a chip without marks: no turn is taken.
module sluice_marks
  import sluice_cfg_pkg::*;
  import sluice_order_pkg::*;
(
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic          home_fault_i,   // fault: goes to the home
  input  mark_request_t request_i,
  // relocation table
  output place_t        home_o,         // stays until the next request
  input  place_t        place_i,        // where its index lives ...
  input  logic          moving_i,       // ... or will, for it is under way
  // the bus
  input  logic          turn_i,         // of the stage
  input  logic          want_i,         // a move of the stage wants a turn
  input  logic          move_i,         // ... and takes this one, unless take_o
  output logic          take_o,         // the mark takes it
  output logic          writes_o,
  output logic          cut_o,          // reads a cut
  output place_t        place_o
);
  if (Marks == 0) begin : gen_none
    assign home_o   = '0;
    assign take_o   = 1'b0;
    assign writes_o = 1'b0;
    assign cut_o    = 1'b0;
    assign place_o  = '0;
  end else begin : gen_mark
    logic wait_q, ready_q, first_q, want_q;        // first: before a move
    assign take_o = turn_i && ready_q && (first_q || !want_q);
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        wait_q  <= 1'b0;
        ready_q <= 1'b0;
        first_q <= 1'b0;
        want_q  <= 1'b0;
      end else begin
        wait_q  <= request_i.valid || (wait_q && !take_o);
        ready_q <= wait_q && !take_o && !moving_i && !move_i;
        first_q <= move_i || (first_q && !take_o);
        want_q  <= want_i;
      end
    end
    always_ff @(posedge clk_i) begin
      if (request_i.valid) begin
        home_o   <= request_i.home;
        writes_o <= request_i.writes;
        cut_o    <= request_i.cut;
      end
      place_o <= home_fault_i ? home_o : place_i;
    end

    `SLUICE_ASSERT(OneRequest_A, !request_i.valid || !wait_q)
    `SLUICE_ASSERT(OneTakesTheTurn_A, !(take_o && move_i))
    `SLUICE_ASSERT(LivesThere_A, !take_o || home_fault_i
        || (wait_q && !moving_i && place_i == place_o))
  end
endmodule : sluice_marks
