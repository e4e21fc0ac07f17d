// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Places of one queue (source lane, output lane) with classes: which are free, and which classes
/// may take one. A class may hold at most as many places as are free: so one that floods leaves
/// room for the others, and takes all that they leave.
/// Latency: full_o knows all that was promised in the cycle before, and what was given back two
/// cycles before: the choice of a copy comes late, so what it gives back is kept for a cycle. A
/// place in and a place out a cycle. place_o is the place of a packet that comes now.
/// Example, 64 places: class 0 alone gets 32, then as many are free. Class 1 comes: 32 are free, so
/// it gets 16, and 16 are free; when class 0 has sent some of its own, both stand at 21, and 22 are
/// free.
/// sum_q is what the class and all classes together hold, so it tells at once: the class holds
/// less than is free as long as sum_q is less than all places.
/// held_o is how many each class holds: a promise counts in the next cycle.
/// Invariant: never more places are promised than there are, since no class may when none is free.
module sluice_class_places
  import sluice_cfg_pkg::*;
  import sluice_exit_pkg::*;
#(
  localparam int unsigned PtrBits = $clog2(OutputDepth)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // a place is promised, by class; the packet comes in the next cycle
  input  logic [OutputQueues-1:0]    promised_i,
  output logic [OutputQueues-1:0]    full_o,
  output held_t [OutputQueues-1:0]   held_o,
  input  logic                       push_i,
  output logic [PtrBits-1:0]         place_o,
  // a place is given back
  input  logic                       gone_i,
  input  queue_class_t               gone_class_i,
  input  logic [PtrBits-1:0]         gone_place_i
);
  // ---- what was given back in the cycle before
  logic               gone_q;
  queue_class_t       gone_class_q;
  logic [PtrBits-1:0] gone_place_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) gone_q <= 1'b0;
    else         gone_q <= gone_i;
  end
  always_ff @(posedge clk_i) {gone_class_q, gone_place_q} <= {gone_class_i, gone_place_i};

  // ---- free places: those never used first, then those that came back
  logic [PtrBits:0]   fresh_q;
  logic               fresh, back_valid;
  logic [PtrBits-1:0] back;
  assign fresh   = !fresh_q[PtrBits];
  assign place_o = fresh ? fresh_q[PtrBits-1:0] : back;
  sluice_ram_fifo #(.Depth(OutputDepth), .Width(PtrBits)) u_back (
    .clk_i, .rst_ni, .push_i(gone_q), .data_i(gone_place_q), .full_o(),
    .valid_o(back_valid), .data_o(back), .pop_i(push_i && !fresh), .count_o()
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)              fresh_q <= '0;
    else if (push_i && fresh) fresh_q <= fresh_q + 1'b1;
  end

  // ---- who may take one; all that may become of a sum is there before it is known
  localparam int unsigned SumBits = $clog2(2 * OutputDepth + 1);
  typedef logic [SumBits-1:0] sum_t;
  logic any_in;
  assign any_in = promised_i != '0;
  for (genvar c = 0; c < OutputQueues; c++) begin : gen_class
    sum_t       sum_q;
    held_t      held_q;
    logic       own_in, own_out;
    logic [4:0] over;                          // [n]: with n - 2 more it may not
    logic [2:0] more;                          // n
    assign own_in  = promised_i[c];
    assign own_out = gone_q && gone_class_q == queue_class_t'(c);
    assign more    = 3'd2 + 3'(own_in) + 3'(any_in) - 3'(own_out) - 3'(gone_q);
    for (genvar n = 0; n < 5; n++) begin : gen_over
      assign over[n] = sum_q >= sum_t'(OutputDepth + 2 - n);
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        sum_q     <= '0;
        held_q    <= '0;
        full_o[c] <= 1'b0;
      end else begin
        sum_q     <= sum_q + sum_t'(more) - sum_t'(2);
        full_o[c] <= over[more];
        if (own_in != own_out) held_q <= own_in ? held_q + 1'b1 : held_q - 1'b1;
      end
    end
    assign held_o[c] = held_q;
    `SLUICE_ASSERT(HeldIsInTheSum_A, 32'(held_q) <= OutputDepth && sum_t'(held_q) <= sum_q)
    `SLUICE_ASSERT(GivesBackWhatItHolds_A, !own_out || held_q != '0)
  end

  `SLUICE_ASSERT(PlaceIsFree_A, !push_i || fresh || back_valid)
  `SLUICE_ASSERT(PromisedIsNotFull_A, (promised_i & full_o) == '0)
  `SLUICE_ASSERT(OneComes_A, $onehot0(promised_i))
endmodule : sluice_class_places
