// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Payload bank: the packets that came from one source and wait for issue in one pipeline. A slot
/// store, because a source does not send in the order in which they leave (a FIFO would deadlock).
///
/// Packets that are fixed here are found by tag, when their phantom comes to the front of the order
/// queue; from then on its place is known outside (sluice_meeting). The others
/// stand in a list in the order in which they came; its head is offered. A packet that is the
/// oldest in flight is offered even from behind: one slot a cycle is looked at, in turn, so it is
/// found within Depth cycles. What is offered stands in registers.
/// Latency: stored at the end of t, found and offered in t+1; taken in t, it is on `packet_o` in
/// t+1 and its slot is free. Throughput: one in and one out a cycle.
/// Timing: the takes come late in their cycle; what they change is worked out for both cases
/// before.
/// Invariant: a slot is valid from the store to the take; every valid slot that is not fixed is in
/// the list once, and no other is. The source holds a credit for every free slot, so there is room.
module sluice_payload_bank
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
#(
  parameter int unsigned Depth = BankDepth,   // slots, a power of two, at least 2
  localparam int unsigned SlotIndexBits = $clog2(Depth),
  localparam int unsigned CountBits     = $clog2(Depth + 1)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // store
  input  logic                 store_i,
  input  logic                 store_fixed_i,   // fixed at this boundary
  input  route_t               store_next_i,    // route to the next boundary
  input  packet_t              store_packet_i,
  output logic [SlotIndexBits-1:0] store_slot_o,    // where it goes
  // a packet that is fixed
  input  tag_t                 search_tag_i,
  output logic                 match_o,         // stored before this cycle
  output logic [SlotIndexBits-1:0] match_slot_o,    // 0 if it is not here
  output route_t               match_next_o,    // likewise
  // the packet that is not fixed and has its turn
  input  tag_t                 oldest_i,        // oldest packet in flight
  output logic                 offer_o,
  output tag_t                 offer_tag_o,
  output route_t               offer_next_o,
  // issue: at most one of these
  input  logic                 take_fixed_i,
  input  logic [SlotIndexBits-1:0] take_slot_i,
  input  logic                 take_offer_i,
  output packet_t              packet_o,        // in the next cycle
  output logic [CountBits-1:0] count_o,         // packets inside in the cycle before
  // a packet came in the last cycle, and no slot was free
  output logic                 overflow_o
);
  typedef logic [SlotIndexBits-1:0] index_t;
  typedef logic [CountBits-1:0]     count_t;

  // ---- what is known of each slot
  logic [Depth-1:0] valid_q, fixed_q;
  tag_t             tag_q  [Depth];
  route_t           next_q [Depth];

  index_t free_slot;
  always_comb begin
    free_slot = '0;
    if (store_i)
      for (int i = int'(Depth) - 1; i >= 0; i--) if (!valid_q[i]) free_slot = index_t'(i);
  end

  assign store_slot_o = free_slot;

  // ---- search by tag
  logic [Depth-1:0] match;
  always_comb begin
    match_slot_o = '0;
    match_next_o = '0;
    for (int unsigned i = 0; i < Depth; i++) begin
      match[i] = valid_q[i] && fixed_q[i] && tag_q[i] == search_tag_i;
      if (match[i]) begin
        match_slot_o |= index_t'(i);
        match_next_o |= next_q[i];
      end
    end
  end
  assign match_o = match != '0;

  // ---- list of the packets that are not fixed, first come first, and which of them is offered
  typedef struct packed {
    index_t slot;
    tag_t   tag;
    route_t next;
  } offer_t;

  index_t [Depth-1:0] list_q, list_d, list_stay, list_gone;   // without a take, with one
  count_t             listed_q, listed_stay;
  offer_t             offer_q, offer_d, offer_stay, offer_gone, stored, scanned, second;
  index_t             scan_q, second_slot;
  logic               list_push, found;
  logic [Depth-1:0]   passed;                          // the offered entry is here or before
  assign list_push    = store_i && !store_fixed_i;
  assign listed_stay  = listed_q + count_t'(list_push);
  assign offer_o      = listed_q != '0;
  assign offer_tag_o  = offer_q.tag;
  assign offer_next_o = offer_q.next;

  // The oldest in flight, unless it is offered: it stays where it is until it goes.
  assign found = offer_o && valid_q[scan_q] && !fixed_q[scan_q] && tag_q[scan_q] == oldest_i
              && scan_q != offer_q.slot;

  always_comb begin
    logic past;
    past      = 1'b0;
    passed    = '0;                      // of an empty list nothing matters
    list_stay = list_q;
    list_gone = list_q;
    if (`SLUICE_WHEN(offer_o || list_push)) begin
      for (int unsigned p = 0; p < Depth; p++) begin
        past      = past || list_q[p] == offer_q.slot;
        passed[p] = past;
      end
      for (int unsigned p = 0; p < Depth; p++) begin
        list_stay[p] = list_push && listed_q == count_t'(p) ? free_slot : list_q[p];
        list_gone[p] = list_push && listed_q == count_t'(p + 1) ? free_slot
                     : passed[p] && p + 1 < Depth ? list_q[(p+1) % Depth] : list_q[p];
      end
    end
  end

  assign second_slot = passed[0] ? list_q[1] : list_q[0];
  assign stored  = '{slot: free_slot,   tag: store_packet_i.tag, next: store_next_i};
  assign scanned = '{slot: scan_q,      tag: tag_q[scan_q],      next: next_q[scan_q]};
  assign second  = '{slot: second_slot, tag: tag_q[second_slot], next: next_q[second_slot]};
  assign offer_stay = !offer_o ? stored : found ? scanned : offer_q;
  assign offer_gone = listed_q == count_t'(1) ? stored : found ? scanned : second;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      listed_q <= '0;
      scan_q   <= '0;
    end else begin
      listed_q <= take_offer_i ? listed_stay - 1'b1 : listed_stay;
      if (listed_q > count_t'(1)) scan_q <= scan_q + 1'b1;
    end
  end
  sluice_late_choice #(.Width($bits(offer_t))) u_offer (
    .late_i(take_offer_i), .without_i(offer_stay), .with_i(offer_gone), .value_o(offer_d)
  );
  sluice_late_choice #(.Width($bits(list_q))) u_list (
    .late_i(take_offer_i), .without_i(list_stay), .with_i(list_gone), .value_o(list_d)
  );
  always_ff @(posedge clk_i) begin
    list_q  <= list_d;
    offer_q <= offer_d;
  end

  // ---- slots
  logic             take;
  index_t           take_slot;
  logic [Depth-1:0] asked, offered;                    // the slot that is
  assign take       = take_fixed_i || take_offer_i;
  assign take_slot  = take_fixed_i ? take_slot_i : offer_q.slot;
  for (genvar i = 0; i < Depth; i++) begin : gen_taken
    assign asked[i]   = take_slot_i == index_t'(i);
    assign offered[i] = offer_q.slot == index_t'(i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
    end else begin
      for (int unsigned i = 0; i < Depth; i++)
        valid_q[i] <= (store_i && free_slot == index_t'(i))
          || (valid_q[i] && !(take_fixed_i && asked[i]) && !(take_offer_i && offered[i]));
    end
  end

  // ---- count, a cycle late, as a take is
  logic stored_q, taken_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stored_q <= 1'b0;
      taken_q  <= 1'b0;
      count_o  <= '0;
    end else begin
      stored_q <= store_i;
      taken_q  <= take;
      count_o  <= count_o + count_t'(stored_q) - count_t'(taken_q);
    end
  end

  always_ff @(posedge clk_i) begin
    if (store_i) begin
      fixed_q[free_slot] <= store_fixed_i;
      tag_q[free_slot]   <= store_packet_i.tag;
      next_q[free_slot]  <= store_next_i;
    end
  end

  sluice_ram #(.Depth(Depth), .Width($bits(packet_t))) u_packets (
    .clk_i,
    .we_i(store_i), .waddr_i(free_slot), .wdata_i(store_packet_i),
    .re_i(take),    .raddr_i(take_slot), .rdata_o(packet_o)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) overflow_o <= 1'b0;
    else         overflow_o <= store_i && valid_q == '1;
  end

  // ---- assertions
  `SLUICE_ASSERT(BankHasRoom_A, !store_i || valid_q != '1)
  `SLUICE_ASSERT(FoundOnce_A, $onehot0(match))
  `SLUICE_ASSERT(TakeIsThere_A,
    !(take_fixed_i && !fixed_q[take_slot_i]) && !(take_offer_i && !offer_o)
    && !(take_fixed_i && take_offer_i))
  `SLUICE_ASSERT(TakenWasValid_A, !take || valid_q[take_slot])
  `SLUICE_ASSERT(ListFits_A, listed_q <= count_t'($countones(valid_q)))
  `SLUICE_ASSERT(OfferIsListed_A,
    !offer_o || (valid_q[offer_q.slot] && !fixed_q[offer_q.slot] && passed[Depth-1]))
endmodule : sluice_payload_bank
