// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// The waiting packets of one lane: a deep queue, resolution, and a short queue of resolved packets
/// whose head the order point looks at.
/// Latency 5 cycles from item to head when nothing waits, one packet a cycle sustained. Items never
/// stall: the lane has LaneDepth places, and `pop_i` gives one back.
/// In a chip with an array match an item starts when its words have been looked up, and goes on
/// with what became of them.
/// A packet goes from resolution to the short queue with the places that the relocation tables say
/// in that cycle; there `patch_i` keeps them true.
/// Invariant: packets in resolution and in the short queue together never exceed its depth.
module sluice_order_lane
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
(
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  order_settings_t              settings_i,
  input  pipe_t                        lane_i,
  input  item_t                        item_i,
  // array match: what became of the words of the oldest item that is not started
  input  logic                         matched_valid_i,
  input  matched_bits_t                matched_i,
  output logic                         matched_pop_o,
  // the oldest packet
  output head_t                        head_o,
  output logic                         void_o,            // not to be admitted
  output logic        [StateStages-1:0][NumPipes-1:0] need_o,   // [s][d]: an access at s in d
  // [d]: no access at stage 0, and head_o.open is d
  output logic        [NumPipes-1:0]   free_o,
  input  logic                         pop_i,
  // overlay row of the next cycle's oldest packet, without and with a pop
  output row_t                         stay_row_o,
  output row_t                         next_row_o,
  // relocation tables: where what has its home there lives, in the same cycle
  output place_t      [StateStages-1:0] home_o,
  input  place_t      [StateStages-1:0] place_i,
  input  patch_t                       patch_i,
  // writes of the tables
  input  copy_valid_t                  write_valid_i,
  input  copy_write_t                  write_i
);
  // A place is taken when a packet goes into resolution, and free the cycle after its pop: 5
  // cycles.
  localparam int unsigned HeadDepth = 5;
  localparam int unsigned ItemBits  = ReasonBits + $bits(phv_t);
  localparam int unsigned HeadBits  = ItemBits + StageBits;

  // ---- waiting packets
  logic       wait_valid, start;
  logic [ReasonBits-1:0] wait_reason;
  phv_t       wait_phv, start_phv;
  sluice_prefetch_fifo #(.Depth(LaneDepth), .Width(ItemBits)) u_items (
    .clk_i, .rst_ni,
    .push_i (item_i.valid), .data_i({item_i.reason, item_i.phv}),
    .valid_o(wait_valid),   .data_o({wait_reason, wait_phv}), .pop_i(start)
  );

  logic [2:0] places_d, places_q, started;    // taken; before a pop, which comes late
  // With an array match both are there, in the same order, whichever comes first.
  matched_t   matched;
  assign matched       = matched_t'(matched_i);
  assign start         = wait_valid && (ArrayEntries == 0 || matched_valid_i)
                      && places_q != 3'(HeadDepth);
  assign matched_pop_o = ArrayEntries != 0 && start;
  always_comb begin
    carried_array_t array;
    start_phv   = wait_phv;
    array       = carried_array_t'(wait_phv.array);
    array.words = matched.words;
    if (ArrayEntries != 0) begin
      start_phv.array = array_bits_t'(array);
      for (int unsigned c = 0; c < Num2B; c++)
        if (matched.write && matched.index == 3'(c)) start_phv.cont.b2[c] = 16'(matched.found);
    end
  end
  assign started = places_q + 3'(start);
  sluice_late_choice #(.Width(3)) u_places (
    .late_i(pop_i), .without_i(started), .with_i(started - 3'd1), .value_o(places_d)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) places_q <= '0;
    else         places_q <= places_d;
  end

  // ---- resolution
  logic                         resolved;
  drop_e                        resolved_reason;
  phv_t                         resolved_phv;
  logic        [StateStages-1:0] wanted, pinned;
  resolution_t [StateStages-1:0] resolved_access;
  logic [StageBits-1:0]         resolved_out;
  sluice_resolve u_resolve (
    .clk_i, .rst_ni, .settings_i,
    .valid_i        (start),
    .reason_i       (drop_e'(wait_reason)),
    .phv_i          (start_phv),
    .valid_o        (resolved),
    .reason_o       (resolved_reason),
    .phv_o          (resolved_phv),
    .access_o       (wanted),
    .pinned_o       (pinned),
    .home_o,
    .out_of_bounds_o(resolved_out),
    .write_valid_i, .write_i
  );

  // The home of a pinned access is no slot, so nothing is known of it.
  for (genvar s = 0; s < StateStages; s++) begin : gen_stage
    assign resolved_access[s].valid = wanted[s];
    assign resolved_access[s].pipe  = pinned[s] ? home_o[s].pipe : place_i[s].pipe;
    assign resolved_access[s].slot  = pinned[s] ? home_o[s].slot : place_i[s].slot;
  end

  // ---- resolved packets
  logic       phv_valid;
  logic [2:0] count;
  logic [ReasonBits-1:0] head_reason;
  sluice_fifo #(.Depth(HeadDepth), .Width(HeadBits)) u_heads (
    .clk_i, .rst_ni,
    .push_i (resolved),
    .data_i ({resolved_reason, resolved_phv, resolved_out}),
    .full_o (),
    .valid_o(phv_valid),
    .data_o ({head_reason, head_o.phv, head_o.out_of_bounds}),
    .pop_i,
    .count_o(count)
  );
  // Without an access a packet may go to its set; or stays: the lane's place in it.
  pipe_t open;
  assign open = (resolved_phv.meta.pipe_set & settings_i.set_mask)
      | (lane_i & ~settings_i.set_mask);

  sluice_head_accesses #(.Depth(HeadDepth)) u_accesses (
    .clk_i, .rst_ni,
    .push_i  (resolved),
    .void_i  (resolved_reason != DropNone),
    .access_i(resolved_access),
    .pinned_i(pinned),
    .open_i  (open),
    .valid_o (head_o.valid),
    .access_o(head_o.access),
    .pinned_o(head_o.pinned),
    .open_o  (head_o.open),
    .void_o, .need_o, .free_o, .pop_i, .patch_i
  );
  assign head_o.reason = drop_e'(head_reason);

  // ---- their rows once more, the oldest at 0, so that what depends on the row can be looked up
  // ahead
  row_t                 resolved_row;
  row_t [HeadDepth-1:0] rows_q;
  assign resolved_row = row_t'(resolved_phv.meta.overlay);
  assign stay_row_o   = count == 3'd0 ? resolved_row : rows_q[0];
  assign next_row_o   = count <= 3'd1 ? resolved_row : rows_q[1];

  always_ff @(posedge clk_i) begin
    for (int unsigned n = 0; n < HeadDepth; n++) begin
      if (resolved && count == 3'(n) + 3'(pop_i)) rows_q[n] <= resolved_row;
      else if (pop_i && n + 1 < HeadDepth)        rows_q[n] <= rows_q[(n+1)%HeadDepth];
    end
  end

  `SLUICE_ASSERT(HeadsAgree_A, head_o.valid == phv_valid
      && (!phv_valid || void_o == (head_o.reason != DropNone)))
  `SLUICE_ASSERT(RowsKept_A, !phv_valid || rows_q[0] == row_t'(head_o.phv.meta.overlay))
  `SLUICE_ASSERT(PlacesKept_A, places_q <= 3'(HeadDepth))
endmodule : sluice_order_lane
