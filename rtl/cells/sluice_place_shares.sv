// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Shares of a number of places (of a lane in front of the order point, or of packets in its
/// buffer): which modules may take one more. A module may hold at most as many as are free: so one
/// that takes all it gets leaves room for the others.
/// Latency 2 cycles from an event to full_o: a module may take two places more than it should. How
/// many there are its owner knows.
/// Example, 128 places: module 6 alone gets 64. Module 5 comes and finds 64 free: it may take 32;
/// when module 6 has sent some of its own, both stand at 43.
/// For each module one sum says it all: what it holds, and what all hold. It may take more as long
/// as that is less than there is. An event of the module itself counts twice in its sum.
/// Reset: nobody holds a place.
/// Invariant: when no place is taken, every sum is 0.
module sluice_place_shares
#(
  parameter  int unsigned Modules = 32,
  parameter  int unsigned Places  = 128,   // 0: they are not shared, all may take what there is
  localparam int unsigned RowBits = Modules > 1 ? $clog2(Modules) : 1
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               taken_i,
  input  logic [RowBits-1:0] taken_row_i,
  input  logic               freed_i,
  input  logic [RowBits-1:0] freed_row_i,
  output logic [Modules-1:0] full_o
);
  if (Places == 0) begin : gen_none
    assign full_o = '0;
  end else begin : gen_shares
    typedef logic [RowBits-1:0]        row_t;
    typedef logic [$clog2(Places)+1:0] sum_t;  // at most twice what there is

    logic taken_q, freed_q;
    row_t taken_row_q, freed_row_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {taken_q, freed_q} <= '0;
      else         {taken_q, freed_q} <= {taken_i, freed_i};
    end
    always_ff @(posedge clk_i) {taken_row_q, freed_row_q} <= {taken_row_i, freed_row_i};

    logic [Modules-1:0] any;
    for (genvar r = 0; r < Modules; r++) begin : gen_module
      sum_t sum_q;
      logic takes, frees;
      assign takes = taken_row_q == row_t'(r);
      assign frees = freed_row_q == row_t'(r);
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) sum_q <= '0;
        else         sum_q <= sum_q + sum_t'({taken_q && takes, taken_q && !takes})
                              - sum_t'({freed_q && frees, freed_q && !frees});
      end
      assign full_o[r] = sum_q >= sum_t'(Places);
      assign any[r]    = sum_q != '0;
    end

    // ---- what is taken, for the invariant and the rows of what goes
`ifdef SLUICE_SIM
    sum_t                  used_q;
    sum_t [Modules-1:0] held_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        used_q <= '0;
        held_q <= '0;
      end else begin
        used_q <= used_q + sum_t'(taken_q) - sum_t'(freed_q);
        for (int unsigned r = 0; r < Modules; r++)
          held_q[r] <= held_q[r] + sum_t'(taken_q && taken_row_q == row_t'(r))
                       - sum_t'(freed_q && freed_row_q == row_t'(r));
      end
    end
    `SLUICE_ASSERT(WhatGoesWasThere_A, !freed_q || held_q[freed_row_q] != '0)
    `SLUICE_ASSERT(NothingIsHeldOfNothing_A, used_q != '0 || any == '0)
`endif
  end
endmodule : sluice_place_shares
