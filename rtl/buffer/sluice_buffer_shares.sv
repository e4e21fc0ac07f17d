// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Shares of a lane's packet buffer: which modules may take a slot, and which a cell. A module may
/// hold at most as many slots as are free, and as many cells: so one whose output stands still
/// leaves room for the others.
/// Latency 2 cycles from an event to slots_full_o and cells_full_o: a module may take two more than
/// it should. What is really there the packet buffer says.
/// Example, 256 slots: module 5 alone gets 128. Module 6 comes and finds 128 free: it may take 64.
/// For each module one sum says it all: what it holds, and what all hold. It may take more as long
/// as that is less than there is. An event of the module itself counts twice in its sum.
/// Invariant: when nothing is in use, every sum is 0.
/// Not there in a chip without BufferShares: every module may take what there is.
module sluice_buffer_shares
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_buffer_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  slot_taken_i,
  input  logic                  cell_taken_i,
  input  share_row_t            taken_row_i,      // of both
  input  logic                  slot_freed_i,
  input  share_row_t            slot_row_i,
  input  logic                  chain_freed_i,    // cells of a packet
  input  beats_t                chain_cells_i,
  input  share_row_t            chain_row_i,
  output logic [ShareRows-1:0]  slots_full_o,
  output logic [ShareRows-1:0]  cells_full_o
);
  if (BufferShares == 0) begin : gen_none
    assign slots_full_o = '0;
    assign cells_full_o = '0;
  end else begin : gen_shares
    // ---- slots
    sluice_place_shares #(.Modules(NumModules), .Places(HeaderSlots)) u_slots (
      .clk_i, .rst_ni, .taken_i(slot_taken_i), .taken_row_i,
      .freed_i(slot_freed_i), .freed_row_i(slot_row_i), .full_o(slots_full_o)
    );

    // ---- cells: likewise, but many are given back at once
    typedef logic [CellBits+1:0] cell_sum_t;        // at most twice what there is
    logic       cell_taken_q;
    share_row_t taken_row_q, chain_row_q;
    beats_t     chain_cells_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        cell_taken_q  <= 1'b0;
        chain_cells_q <= '0;
      end else begin
        cell_taken_q  <= cell_taken_i;
        chain_cells_q <= chain_freed_i ? chain_cells_i : '0;
      end
    end
    always_ff @(posedge clk_i) begin
      taken_row_q <= taken_row_i;
      chain_row_q <= chain_row_i;
    end

    // ---- sums
    logic [NumModules-1:0] any;
    for (genvar r = 0; r < NumModules; r++) begin : gen_module
      cell_sum_t cells_q, freed;
      logic      takes, frees_chain;
      assign takes       = taken_row_q == share_row_t'(r);
      assign frees_chain = chain_row_q == share_row_t'(r);
      assign freed       = frees_chain ? cell_sum_t'({chain_cells_q, 1'b0})
                                       : cell_sum_t'(chain_cells_q);
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) cells_q <= '0;
        else
          cells_q <= cells_q + cell_sum_t'({cell_taken_q && takes, cell_taken_q && !takes}) - freed;
      end
      assign cells_full_o[r] = cells_q >= cell_sum_t'(BodyCells);
      assign any[r]          = cells_q != '0;
    end

    // ---- what is in use, for the invariant alone
`ifdef SLUICE_SIM
    cells_t cells_used_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) cells_used_q <= '0;
      else         cells_used_q <= cells_used_q + cells_t'(cell_taken_q) - cells_t'(chain_cells_q);
    end
    `SLUICE_ASSERT(NothingIsHeldOfNothing_A, cells_used_q != '0 || any == '0)
`endif
  end
endmodule : sluice_buffer_shares
