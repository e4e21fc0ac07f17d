// SPDX-License-Identifier: Apache-2.0

/// Proof: a packet comes to the pipeline, and with the slot, that the order point resolved.
///
/// The steering that brings the packets of a stage, and the boundary of watched_boundary.sv with
/// banks, escape slot, meeting and issue, up to what it tells the state unit. The order point has
/// stamped the watched packet with its access here: none, or a pipeline and a slot; a pinned one
/// has PinnedSlot, which no memory has, and its pipeline. The packet carries the pipeline (its
/// route), the phantom the slot. Free: all other packets and phantoms; moves at the head of the
/// order queue, landings, and what they wait for, so indices may move at any time between the stamp
/// and the access. Assumed: what watched_boundary.sv says; between its source's issue and steering
/// a packet keeps its route (a shift register in sluice_back_stage). Shown: a packet with an access
/// comes to the pipeline of its stamp; as it leaves the boundary the unit is told of an access if
/// it is stamped with one, with the stamped slot, and of none otherwise; and a move is neither read
/// nor landed in that cycle. What the unit then does with the slot is shown by proof_segment.
/// BREAK: 1 two phantoms have one tag, 2 two packets have one tag, 3 steering takes packets with an
/// access for others, 4 the unit hears of the slot a cycle late.
`ifndef BREAK
`define BREAK 0
`endif
module proof_accesses
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
  import sluice_stage_pkg::*;
(
  input logic                     clk_i,
  input logic                     rst_ni,
  input stage_t                   stage_i,
  input pipe_t                    pipe_i,
  input tag_t                     watched_i,
  input pipe_t                    set_mask_i,
  // packets that leave the stage before: in the cycle in which they are steered, and in the next
  input course_t   [NumPipes-1:0] known_i,
  input packet_t   [NumPipes-1:0] packet_i,
  input logic      [NumPipes-1:0][NumPipes-1:0] freed_i,
  input logic      [NumPipes-1:0] departed_i,
  // the boundary
  input tag_t                     oldest_i,
  input logic      [NumPipes-1:0] phantom_i,
  input tag_t      [NumPipes-1:0] phantom_tag_i,
  input slot_t     [NumPipes-1:0] phantom_slot_i,
  input move_t                    move_i,
  input logic                     pending_i,
  input logic                     land_i,
  input slot_t                    land_slot_i,
  input logic      [NumPipes-1:0] room_fixed_i,
  input logic      [NumPipes-1:0] room_any_i,
  input logic                     hold_i,
  input logic                     stamp_fixed_i,
  input slot_t                    stamp_slot_i,
  input logic                     slip_i          // when a broken twin goes wrong
);
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);

  // ---- steering: what leaves in this cycle was known in the one before, and chosen for in between
  course_t  [NumPipes-1:0] leave_q, gone_q;
  pipe_t    [NumPipes-1:0] to;
  transit_t [NumPipes-1:0] transit;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {leave_q, gone_q} <= '0;
    else         {leave_q, gone_q} <= {known_i, leave_q};
  end
  logic [NumPipes-1:0][NumPipes-1:0] unused_room_fixed, unused_room_any;
  course_t [NumPipes-1:0] known, leave;
  always_comb begin
    known = known_i;
    leave = leave_q;
    if (`BREAK == 3)
      for (int unsigned s = 0; s < NumPipes; s++) {known[s].fixed, leave[s].fixed} = '0;
  end
  sluice_steer u_steer (
    .clk_i, .rst_ni, .each_i(1'b0), .set_mask_i, .ignore_credits_i(1'b0),
    .room_fixed_o(unused_room_fixed), .room_any_o(unused_room_any),
    .claim_i('0), .known_i(known), .leave_i(leave), .to_o(to), .freed_i, .departed_i
  );
  for (genvar s = 0; s < NumPipes; s++) begin : gen_source
    route_t route;
    assign route = packet_i[s].route[($clog2(BackStages + 1))'(stage_i)];
    assign transit[s] = '{valid: gone_q[s].valid, escape: gone_q[s].escape, pipe: to[s],
                          packet: packet_i[s]};
    always_comb
      if (rst_ni) begin
        assume (!gone_q[s].valid || gone_q[s].fixed == route.fixed);
        assume (!gone_q[s].valid || !route.fixed || gone_q[s].pipe == route.pipe);
        Home_A : assert (!gone_q[s].valid || !route.fixed || to[s] == route.pipe);
      end
  end

  // ---- the boundary
  logic  here, unused_fixed, unused_enters, leaves, valid, granted, read, land;
  tag_t  tag;
  slot_t unused_slot, unit_slot;
  watched_boundary #(.Twins(`BREAK <= 2 ? `BREAK : 0)) u_here (
    .clk_i, .rst_ni, .stage_i, .pipe_i, .watched_i, .set_mask_i, .transit_i(transit), .oldest_i,
    .phantom_i, .phantom_tag_i, .phantom_slot_i, .move_i,
    .pending_i, .land_i, .land_slot_i, .room_fixed_i, .room_any_i, .hold_i,
    .stamp_fixed_i, .stamp_slot_i, .slip_i,
    .inside_o(here), .fixed_o(unused_fixed), .slot_o(unused_slot), .enters_o(unused_enters),
    .leaves_o(leaves),
    .valid_o(valid), .tag_o(tag), .granted_o(granted), .unit_slot_o(unit_slot), .read_o(read),
    .land_o(land)
  );

  // ---- what the state unit is told
  slot_t told_slot, late_slot_q;
  logic  left, left_fixed;
  slot_t left_slot;
  always_ff @(posedge clk_i) late_slot_q <= unit_slot;
  assign told_slot  = `BREAK == 4 ? late_slot_q : unit_slot;
  assign left       = u_here.left_q;
  assign left_fixed = u_here.left_fixed_q;
  assign left_slot  = u_here.left_slot_q;
  always_comb
    if (rst_ni) begin
      Told_A  : assert (!left || (valid && tag == watched_i && granted == left_fixed
                        && (!left_fixed || told_slot == left_slot)));
      Alone_A : assert (!(left && left_fixed) || !(read || land));
    end
  // helpers: steering
  for (genvar s = 0; s < NumPipes; s++) begin : gen_helper
    always_comb
      if (rst_ni)
        assert (`BREAK == 3 || !gone_q[s].valid || !(gone_q[s].fixed || gone_q[s].escape)
                || to[s] == gone_q[s].pipe);
  end

  // ---- reached: it leaves after a move was read in front of it, with an access that is not pinned
  // and with one that is; and from the escape slot
  logic moved_q, escaped_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {moved_q, escaped_q} <= '0;
    else begin
      moved_q   <= here && (moved_q || u_here.u_unit.read);
      escaped_q <= leaves && u_here.here_escape;
    end
  end
  logic moved_left_q;
  always_ff @(posedge clk_i) moved_left_q <= leaves && moved_q;
  always_ff @(posedge clk_i)
    if (rst_ni) begin
      Sharded_C : cover (left && left_fixed && moved_left_q && left_slot != slot_t'(PinnedSlot));
      Pinned_C  : cover (left && left_fixed && moved_left_q && left_slot == slot_t'(PinnedSlot));
      Escape_C  : cover (left && left_fixed && escaped_q);
    end
endmodule : proof_accesses
