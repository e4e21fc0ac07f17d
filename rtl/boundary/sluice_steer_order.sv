// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Order of the pipelines by occupancy, for steering: the emptiest of a set first, the turn breaks
/// ties. Occupancy is arrivals, from their choice on or from when they are known, less departures.
/// Latency: the order for a cycle is made in the cycle before. What is chosen in that cycle comes
/// late, so a comparison is made for each outcome of it; of several that choose the same pipeline
/// in one cycle, the order sees one for two cycles, and then all.
/// Invariant: each bit of a pair is the inverse of the other, so places in a set are a permutation.
module sluice_steer_order
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
#(
  parameter int unsigned Depth = BankDepth   // slots of a bank of the next boundary
) (
  input  logic                                   clk_i,
  input  logic                                   rst_ni,
  input  pipe_t                                  turn_i,       // of the next cycle
  input  logic     [NumPipes-1:0][NumPipes-1:0]  members_i,    // [d][e]: of the same set
  // what goes where: known from this cycle on; chosen in this cycle, in the last:
  // [destination][source]
  input  course_t  [NumPipes-1:0]                known_i,
  input  logic     [NumPipes-1:0][NumPipes-1:0]  chosen_i,
  input  logic     [NumPipes-1:0][NumPipes-1:0]  chosen_last_i,
  input  logic     [NumPipes-1:0]                departed_i,
  // for the next cycle, of the pipelines of a set
  output logic     [NumPipes-1:0][NumPipes-1:0]  before_o,     // [d][e]: e comes before d
  output logic     [NumPipes-1:0][NumPipes-1:0]  place_o       // [d][n]: more than n come before d
);
  localparam int unsigned LoadBits = $clog2(NumPipes * Depth + 3);   // banks, escape slot, 1
  typedef logic [LoadBits-1:0] load_t;

  // ---- load: what was chosen in the last cycle is not in load_q yet. For the order !departed is
  // added instead of departed being subtracted, so that all terms are ones: load[d] is one too high
  // for every d, and differences between them are right.
  load_t [NumPipes-1:0] load;                    // for the order: one too many
  logic  [NumPipes-1:0] grows;                   // by what chooses in this cycle
  for (genvar d = 0; d < NumPipes; d++) begin : gen_load
    load_t               load_q;
    logic [NumPipes-1:0] knows;
    for (genvar s = 0; s < NumPipes; s++) begin : gen_known
      assign knows[s] = known_i[s].valid && (known_i[s].fixed || known_i[s].escape)
                     && known_i[s].pipe == pipe_t'(d);
    end
    assign grows[d] = chosen_i[d] != '0;
    assign load[d]  = load_q + load_t'($countones({knows, chosen_last_i[d] != '0, !departed_i[d]}));
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) load_q <= '0;
      else         load_q <= load_q + load_t'($countones({knows, chosen_last_i[d]}))
                           - load_t'(departed_i[d]);
    end

    `SLUICE_ASSERT(DepartedWasThere_A, !departed_i[d] || load_q != '0)
    `SLUICE_ASSERT(LoadFitsBanks_A, load_q <= load_t'(NumPipes * Depth + 1))
  end

  // ---- order
  for (genvar d = 0; d < NumPipes; d++) begin : gen_order
    for (genvar e = d + 1; e < NumPipes; e++) begin : gen_pair
      logic [LoadBits:0] more;                   // by how much e has more than d, signed
      logic              tie, less, less_d_grows, less_e_grows, first;
      assign more = {1'b0, load[e]} - {1'b0, load[d]};
      assign tie  = pipe_t'(e) - turn_i < pipe_t'(d) - turn_i;         // e's turn comes first
      assign less         = more[LoadBits] || (more == '0 && tie);
      assign less_d_grows = more[LoadBits] || more == '0 || (more == (LoadBits + 1)'(1) && tie);
      assign less_e_grows = more[LoadBits] && (more != '1 || tie);
      assign first = grows[d] == grows[e] ? less : grows[d] ? less_d_grows : less_e_grows;
      always_ff @(posedge clk_i) begin
        before_o[d][e] <= first && members_i[d][e];
        before_o[e][d] <= !first && members_i[d][e];
      end
    end
    always_ff @(posedge clk_i) before_o[d][d] <= 1'b0;
    sluice_ones_unary #(.Width(NumPipes)) u_place (.bits_i(before_o[d]), .more_o(place_o[d]));
  end

  logic unused_order;                            // of one pipeline
  assign unused_order = ^members_i;
endmodule : sluice_steer_order
