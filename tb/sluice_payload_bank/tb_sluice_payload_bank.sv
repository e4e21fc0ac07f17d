// SPDX-License-Identifier: Apache-2.0

/// Test of sluice_payload_bank: random stores while there is room, searches by tag, takes of found
/// and of offered packets. The model keeps the packets in the order in which they came: a fixed one
/// must be found exactly when it is inside, the first that is not fixed must be offered, or the
/// oldest in flight (within Depth cycles after it is told); a taken packet must come out whole.
/// +seed=N, +cycles=N, +break=N (see the file `breaks`).
module tb_sluice_payload_bank;
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;

  localparam int Depth = 8;

  logic apply = 1'b0;
  `include "bench.svh"
  // ---- DUT
  typedef logic [$clog2(Depth)-1:0] index_t;
  logic    store, store_dut = 1'b0, fixed, fixed_dut = 1'b0;
  logic    take_fixed, take_fixed_dut = 1'b0, take_offer, take_offer_dut = 1'b0;
  index_t  store_slot, match_slot, take_slot, take_slot_dut = '0;
  route_t  next, next_dut = '0, match_next, offer_next;
  packet_t packet, packet_dut = '0, packet_out;
  tag_t    search_tag, search_tag_dut = '0, oldest, oldest_dut = '0, offer_tag;
  logic    match, offer, overflow;
  logic [$clog2(Depth+1)-1:0] count;
  sluice_payload_bank #(.Depth(Depth)) u_dut (
    .clk_i(clk), .rst_ni(rst_n),
    .store_i(store_dut), .store_fixed_i(fixed_dut), .store_next_i(next_dut),
    .store_packet_i(packet_dut), .store_slot_o(store_slot),
    .search_tag_i(search_tag_dut),
    .match_o(match), .match_slot_o(match_slot), .match_next_o(match_next),
    .oldest_i(oldest_dut), .offer_o(offer), .offer_tag_o(offer_tag), .offer_next_o(offer_next),
    .take_fixed_i(take_fixed_dut), .take_slot_i(take_slot_dut), .take_offer_i(take_offer_dut),
    .packet_o(packet_out),
    .count_o(count), .overflow_o(overflow)
  );

  always_ff @(posedge apply) begin
    store_dut      <= store && !(mutant == 5 && now % 32 == 0);
    fixed_dut      <= fixed && !(mutant == 1 && now % 32 == 0);
    next_dut       <= next;
    packet_dut     <= packet;
    search_tag_dut <= search_tag ^ tag_t'(mutant == 2 && now % 32 == 0);
    oldest_dut     <= mutant == 3 ? '1 : oldest;
    take_fixed_dut <= take_fixed || (mutant == 6 && take_offer);
    take_slot_dut  <= take_slot ^ index_t'(mutant == 7 && now % 32 == 0);
    take_offer_dut <= take_offer && mutant != 6;
    if (mutant == 4 && now % 32 == 0) next_dut.fixed <= !next.fixed;
  end

  // ---- model
  typedef struct packed {packet_t packet; logic fixed; route_t next; index_t slot;} stored_t;
  stored_t kept [$];
  packet_t taken;
  bit      was_taken = 1'b0;
  int      known = 0;                            // packets inside in the cycle before
  int      told = 0, stores = 0, overtakes = 0, found = 0, offers = 0, at, first, old;
  int      store_rate, take_rate;
  tag_t    next_tag = '0;
  bit      used [1 << TagBits];

  initial begin
    read_arguments(50000);
    oldest = '1;
    release_reset(1);
    for (now = 0; now < int'(cycles); now++) begin
      if (now % 300 == 0) begin
        store_rate = 10 + rnd(91);
        take_rate  = 10 + rnd(91);
      end
      // what was taken comes out; what is stored and searched
      if (was_taken && packet_out != taken) fail("another packet came out");
      if (int'(count) != known) fail("count");
      known = kept.size();
      if (overflow) fail("overflow");
      store = kept.size() < Depth && rnd(100) < store_rate;
      do next_tag = tag_t'(rnd(1 << TagBits)); while (used[next_tag]);
      packet = '0;
      packet.tag = next_tag;
      packet.phv.cont.b4[0] = 32'(now);
      packet.phv.cont.b6[0] = 48'(rnd(1 << 28));
      fixed  = rnd(2) == 0;
      next   = '{fixed: rnd(2) == 0, pipe: pipe_t'(rnd(1 << PipeBits))};
      at     = kept.size() == 0 ? 0 : rnd(kept.size());
      search_tag = kept.size() == 0 || rnd(4) == 0 ? tag_t'(rnd(1 << TagBits))
                                                   : kept[at].packet.tag;
      // Now and then another packet becomes the oldest; it may be behind in the list, or not inside.
      // It stays so while it is inside.
      if (rnd(10) == 0 && !used[oldest]) begin
        oldest = kept.size() == 0 || kept[at].fixed ? tag_t'(rnd(1 << TagBits))
                                                    : kept[at].packet.tag;
        told   = now;
      end
      take_fixed = 1'b0;
      take_offer = 1'b0;
      was_taken  = 1'b0;
      #1 apply = 1'b1;
      #1 apply = 1'b0;
      at    = -1;
      first = -1;
      old   = -1;
      for (int i = kept.size() - 1; i >= 0; i--) begin
        if (kept[i].fixed && kept[i].packet.tag == search_tag) at = i;
        if (!kept[i].fixed) first = i;
        if (!kept[i].fixed && kept[i].packet.tag == oldest) old = i;
      end
      if (match != (at >= 0)) fail("match");
      if (match && match_next != kept[at].next) fail("next route of the match");
      if (match && match_slot != kept[at].slot) fail("slot of the match");
      if (!match && (match_slot != '0 || match_next != '0)) fail("something of no match");
      if (offer != (first >= 0)) fail("offer");
      if (offer) begin
        if (old >= 0 && offer_tag == oldest) begin
          if (old != first) overtakes++;
          first = old;
        end else if (old >= 0 && now - told > Depth) fail("the oldest is not offered");
        if (offer_tag != kept[first].packet.tag) fail("another packet is offered");
        if (offer_next != kept[first].next) fail("next route of the offer");
      end
      if (rnd(100) < take_rate) begin
        take_fixed = match && rnd(2) == 0;
        take_slot  = match_slot;
        take_offer = offer && !take_fixed;
        found   += int'(take_fixed);
        offers    += int'(take_offer);
        if (take_fixed || take_offer) begin
          if (!take_fixed) at = first;
          taken     = kept[at].packet;
          was_taken = 1'b1;
          used[taken.tag] = 1'b0;
          kept.delete(at);
        end
      end
      if (store) begin
        // into a slot that is free
        for (int i = 0; i < kept.size(); i++) if (kept[i].slot == store_slot) fail("slot in use");
        kept.push_back(stored_t'({packet, fixed, next, store_slot}));
        used[packet.tag] = 1'b1;
        if (packet.tag == oldest) told = now;
        stores++;
      end
      #1 apply = 1'b1;
      #1 apply = 1'b0;
      @(negedge clk);
    end
    if (overtakes < 10 || found < 1000 || offers < 1000) fail("the traffic was too tame");
    pass($sformatf("%0d stored, %0d found, %0d offered, %0d overtook",
                   stores, found, offers, overtakes));
  end
endmodule : tb_sluice_payload_bank
