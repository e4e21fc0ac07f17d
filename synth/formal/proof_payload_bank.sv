// SPDX-License-Identifier: Apache-2.0

/// Proof: a payload bank loses, doubles and mixes up nothing.
///
/// The solver chooses one tag to watch. Assumed: the source has a credit (room) for what it sends,
/// tags that are inside together differ, what is taken is a fixed packet or offered, and the oldest
/// in flight stays so while it is inside. Shown: the watched packet is in exactly one slot from its
/// store to its take; when it is fixed, a search for its tag finds it, and nothing else; when it is
/// not, it stands in the list once, is offered only after those that came before it (unless it is
/// the oldest in flight), and as the oldest in flight it is offered after at most Depth cycles.
/// BREAK: 1 stores into a full bank, 2 a store gets lost, 3 the same tag comes twice, 4 a take is
/// not done.
`ifndef BREAK
`define BREAK 0
`endif
module proof_payload_bank
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
#(
`ifdef OTHER
  localparam int unsigned Depth = 2
`else
  localparam int unsigned Depth = 4
`endif
) (
  input logic    clk_i,
  input logic    rst_ni,
  input logic    store_i,
  input logic    fixed_i,
  input route_t  next_i,
  input packet_t packet_i,
  input tag_t    search_tag_i,
  input tag_t    oldest_i,
  input logic    take_fixed_i,
  input logic [$clog2(Depth)-1:0] take_slot_i,
  input logic    take_offer_i,
  input tag_t    watched_i,      // the solver's choice, held by an assumption
  input logic    slip_i          // when a broken twin goes wrong
);
  localparam int unsigned CountBits = $clog2(Depth + 1);
  typedef logic [$clog2(Depth)-1:0] index_t;
  typedef logic [CountBits-1:0]     count_t;

  logic    match, offer, take_fixed, take_offer;
  index_t  match_slot, store_slot;
  route_t  match_next, offer_next;
  tag_t    offer_tag;
  packet_t packet;
  count_t  count;
  assign take_fixed = take_fixed_i && !(`BREAK == 4 && slip_i);
  assign take_offer = take_offer_i && !(`BREAK == 4 && slip_i);

  sluice_payload_bank #(.Depth(Depth)) u_dut (
    .clk_i, .rst_ni,
    .store_i(store_i && !(`BREAK == 2 && slip_i)), .store_fixed_i(fixed_i), .store_next_i(next_i),
    .store_packet_i(packet_i),
    .store_slot_o(store_slot), .search_tag_i, .match_o(match), .match_slot_o(match_slot),
    .match_next_o(match_next),
    .oldest_i, .offer_o(offer), .offer_tag_o(offer_tag), .offer_next_o(offer_next),
    .take_fixed_i(take_fixed), .take_slot_i, .take_offer_i(take_offer),
    .packet_o(packet), .count_o(count), .overflow_o()
  );

  // ---- what is in the bank, read out of it
  logic   [Depth-1:0] valid, fixed;
  tag_t   [Depth-1:0] tag;
  route_t [Depth-1:0] next;
  packet_t            stored_packet [Depth];
  index_t [Depth-1:0] list;
  count_t             listed, stored, free_to_go;
  assign valid  = u_dut.valid_q;
  assign fixed  = u_dut.fixed_q;
  assign list   = u_dut.list_q;
  assign listed = u_dut.listed_q;
  index_t           offered;             // slot of what is offered
  logic [Depth-1:0] offered_places;      // and where it stands in the list
  assign offered = u_dut.offer_q.slot;
  for (genvar p = 0; p < Depth; p++) begin : gen_place
    assign offered_places[p] = count_t'(p) < listed && list[p] == offered;
  end
  for (genvar i = 0; i < Depth; i++) begin : gen_slot
    assign tag[i]  = u_dut.tag_q[i];
    assign next[i] = u_dut.next_q[i];
    assign stored_packet[i] = u_dut.u_packets.mem_q[i];
  end
  always_comb begin
    stored     = '0;
    free_to_go = '0;
    for (int unsigned i = 0; i < Depth; i++) begin
      stored     += count_t'(valid[i]);
      free_to_go += count_t'(valid[i] && !fixed[i]);
    end
  end

  // ---- what the source and the issue do
  tag_t watched_q;
  always_ff @(posedge clk_i) watched_q <= watched_i;
  always_comb begin
    assume (watched_i == watched_q);
    if (rst_ni) begin
      assume (!store_i || stored < count_t'(Depth) || `BREAK == 1);
      for (int unsigned i = 0; i < Depth; i++)
        assume (!store_i || !valid[i] || tag[i] != packet_i.tag || `BREAK == 3);
      assume (!take_fixed_i || (valid[take_slot_i] && fixed[take_slot_i]));
      assume (!take_offer_i || offer);
      assume (!(take_fixed_i && take_offer_i));
    end
  end

  // ---- the watched packet
  logic   enters, leaves, inside_q, fixed_q;
  route_t next_q;
  logic    left_q;        // left in the cycle before
  packet_t packet_q;
  assign enters = store_i && packet_i.tag == watched_i;
  assign leaves = inside_q && ((take_fixed_i && tag[take_slot_i] == watched_i)
                               || (take_offer_i && offer_tag == watched_i));
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      inside_q <= 1'b0;
      left_q   <= 1'b0;
    end else begin
      inside_q <= enters || (inside_q && !leaves);
      left_q   <= leaves;
    end
  end
  always_ff @(posedge clk_i) if (enters) begin
    fixed_q <= fixed_i;
    next_q  <= next_i;
    packet_q <= packet_i;
  end

  packet_t gone_q;        // what left
  always_ff @(posedge clk_i) if (leaves) gone_q <= packet_q;

  // Where it is; how many wait before it; how long it has been the oldest without an offer.
  logic [Depth-1:0]     here, place;
  index_t               slot;
  logic                 is_oldest;
  logic [CountBits-1:0] before_q, patience_q;
  assign is_oldest = inside_q && !fixed_q && oldest_i == watched_i;
  always_comb begin
    slot = '0;
    for (int unsigned i = 0; i < Depth; i++) begin
      here[i] = valid[i] && tag[i] == watched_i;
      if (here[i]) slot |= index_t'(i);
    end
    for (int unsigned p = 0; p < Depth; p++) place[p] = inside_q && count_t'(p) < listed
        && list[p] == slot;
  end
  // what is offered overtakes others; what is taken stood before the watched one
  logic overtakes, passes;
  logic [Depth-1:0] offered_place;
  always_comb begin
    for (int unsigned p = 0; p < Depth; p++)
      offered_place[p] = count_t'(p) < listed && tag[list[p]] == offer_tag;
    passes = 1'b0;
    for (int unsigned p = 0; p < Depth; p++)
      for (int unsigned o = p + 1; o < Depth; o++) passes = passes || (offered_place[p]
          && place[o]);
  end
  assign overtakes = offer && offer_tag == oldest_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      before_q   <= '0;
      patience_q <= '0;
    end else begin
      if (enters) before_q <= listed - count_t'(take_offer_i);
      else        before_q <= before_q - count_t'(take_offer_i && passes);
      patience_q <= is_oldest && offer_tag != watched_i ? patience_q + 1'b1 : '0;
    end
  end

  always_comb begin
    if (rst_ni) begin
      OnePlace_A : assert ($onehot0(here));
      Inside_A   : assert ((here != '0) == inside_q);
      Count_A    : assert (count_t'(count + count_t'(u_dut.stored_q))
                           == count_t'(stored + count_t'(u_dut.taken_q)));
      Kept_A     : assert (!inside_q || (fixed[slot] == fixed_q && next[slot] == next_q));
      Found_A    : assert (search_tag_i != watched_i || match == (inside_q && fixed_q));
      FoundNext_A: assert (!(match && search_tag_i == watched_i)
                           || (match_next == next_q && match_slot == slot));
      FreeSlot_A : assert (!store_i || !valid[store_slot] || `BREAK == 1);
      Packet_A   : assert (!left_q || packet == gone_q);
      InList_A   : assert ($onehot0(place) && (place != '0) == (inside_q && !fixed_q));
      Offered_A  : assert (!(offer && inside_q && offer_tag == watched_i)
                           || (!fixed_q && offer_next == next_q && (before_q == '0 || overtakes)));
      // helpers: the list
      assert (listed == free_to_go);
      assert (!offer || (valid[offered] && !fixed[offered] && offer_tag == tag[offered]
                         && offer_next == next[offered] && offered_places != '0
                         && (offered_places[0] || offer_tag == oldest_i)));
      for (int unsigned i = 0; i < Depth; i++) assert (!here[i] || stored_packet[i] == packet_q);
      for (int unsigned p = 0; p < Depth; p++) begin
        assert (count_t'(p) >= listed || (valid[list[p]] && !fixed[list[p]]));
        assert (!place[p] || before_q == count_t'(p));
        for (int unsigned o = 0; o < Depth; o++) begin
          assert (p == o || count_t'(p) >= listed || count_t'(o) >= listed || list[p] != list[o]);
          assert (p == o || !valid[p] || !valid[o] || tag[p] != tag[o]);
        end
      end
      // the pointer comes round to the oldest in flight
      Patience_A : assert (patience_q <= count_t'(Depth) && (patience_q < count_t'(Depth)
          || offer_tag == watched_i));
    end
  end
  // It waits at most until the pointer has come to it, and then it is offered.
  logic [CountBits:0] due;
  assign due = (CountBits + 1)'(patience_q) + (CountBits + 1)'(index_t'(slot - u_dut.scan_q));
  tag_t oldest_q;
  logic old_inside;       // the oldest of the cycle before is (still) inside
  always_ff @(posedge clk_i) oldest_q <= oldest_i;
  always_comb begin
    old_inside = 1'b0;
    for (int unsigned i = 0; i < Depth; i++)
      old_inside = old_inside || (valid[i] && !fixed[i] && tag[i] == oldest_q);
  end
  always_comb
    if (rst_ni) begin
      assume (!old_inside || oldest_q == oldest_i);
      assert (patience_q == '0 || (inside_q && !fixed_q && oldest_q == watched_i));
      assert (patience_q == '0 || due < (CountBits + 1)'(Depth) || offer_tag == watched_i);
    end

  // ---- reset comes once, at the start
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);

  // ---- reached: the bank was full, and the watched packet overtakes
  logic full_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) full_q <= 1'b0;
    else         full_q <= full_q || stored == count_t'(Depth);
  end
  always_ff @(posedge clk_i)
    if (rst_ni) Overtaken_C : cover (full_q && take_offer_i && leaves && before_q > count_t'(1));
endmodule : proof_payload_bank
