// SPDX-License-Identifier: Apache-2.0

/// Proof: the oldest packet in flight does not stay at a boundary.
///
/// The boundary of watched_boundary.sv, in any stage: the one before the exit, where a packet needs
/// room, and one before another boundary, where the oldest needs none. Assumed: the oldest in
/// flight is older than all others here, by less than a window, and stays the oldest until it
/// leaves; an escape slot holds nobody else then; no phantom is in front of its own in the order
/// queue (proof_order_queue), only moves, at most QueueMoves (proof_order_moves); and its phantom
/// comes before the packet. Counted are the cycles in which the environment does not hold it: it
/// does while control holds issue; if the packet has an access, while a move lands or its slot
/// waits for the value of one; and at the last boundary while its lane has no room at the exit.
/// Shown: it waits for at most Depth of these cycles without an access here, and for at most
/// QueueMoves + 1 with one. So if the environment holds it for at most M cycles it leaves at most
/// max(Depth, QueueMoves + 1) + M cycles after the one in which it is here and known as the oldest.
/// BREAK: 1 an older one is here, 2 more moves come, 3 another packet is in the escape slot, 4 the
/// boundary is not told which is the oldest.

// Tag is younger than the watched one, and within the window of it.
`define YOUNGER(Tag) (tag_t'((Tag) - watched_i) < tag_t'(Window))
`ifndef BREAK
`define BREAK 0
`endif
module proof_oldest
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
(
  input logic                     clk_i,
  input logic                     rst_ni,
  input stage_t                   stage_i,
  input pipe_t                    pipe_i,
  input tag_t                     watched_i,
  input pipe_t                    set_mask_i,
  input transit_t  [NumPipes-1:0] transit_i,
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
  input slot_t                    stamp_slot_i
);
  localparam int unsigned Depth = BankDepth;
  typedef logic [3:0] count_t;

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);

  logic  here, fixed, enters, leaves, unused_valid, unused_granted, unused_read, unused_land;
  tag_t  unused_tag;
  slot_t unused_slot, unused_unit_slot;
  watched_boundary u_here (
    .clk_i, .rst_ni, .stage_i, .pipe_i, .watched_i, .set_mask_i, .transit_i,
    .oldest_i(`BREAK == 4 && oldest_i == watched_i ? tag_t'(watched_i - tag_t'(Window / 2))
                                                   : oldest_i),
    .phantom_i, .phantom_tag_i, .phantom_slot_i, .move_i,
    .pending_i, .land_i, .land_slot_i, .room_fixed_i, .room_any_i, .hold_i,
    .stamp_fixed_i, .stamp_slot_i, .slip_i(1'b0),
    .inside_o(here), .fixed_o(fixed), .slot_o(unused_slot), .enters_o(enters),
    .leaves_o(leaves), .valid_o(unused_valid), .tag_o(unused_tag), .granted_o(unused_granted),
    .unit_slot_o(unused_unit_slot), .read_o(unused_read), .land_o(unused_land)
  );

  // ---- the oldest in flight: as the boundary knows it, a cycle late
  tag_t   oldest, oldest_told_q;
  logic   waits;                          // the watched one is here, and the oldest
  always_ff @(posedge clk_i) oldest_told_q <= oldest_i;
  assign oldest = u_here.u_unit.oldest;
  assign waits  = here && oldest_told_q == watched_i;
  for (genvar s = 0; s < NumPipes; s++) begin : gen_bank
    for (genvar i = 0; i < Depth; i++) begin : gen_slot
      always_comb
        if (rst_ni)
          assume (`BREAK == 1 || !waits || !u_here.gen_bank[s].valid[i] || u_here.here[s][i]
                  || `YOUNGER(u_here.u_unit.gen_bank[s].u_bank.tag_q[i]));
    end
  end
  logic waited_q, settled_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {waited_q, settled_q} <= '0;
    else         {waited_q, settled_q} <= {waits && !leaves, 1'b1};
  end

  // ---- the order queue while it waits with an access: moves, and its own phantom
  count_t moves_q;                        // that have left the queue
  logic   head_moves;
  assign head_moves = u_here.head && !u_here.head_phantom;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                         moves_q <= '0;
    else if (!waits || !fixed || leaves) moves_q <= '0;
    else                                 moves_q <= moves_q + count_t'(u_here.u_unit.read);
  end
  always_comb
    if (rst_ni) begin
      assume (!waited_q || waits);                      // it stays the oldest
      assume (!waits || !u_here.u_unit.escape_valid_q || u_here.here_escape || `BREAK == 3);
      if (waits && fixed) begin
        assume (!u_here.head_phantom || u_here.head_watched
                || (u_here.loaded_q && !u_here.second_watched));
        assume (u_here.loaded_q || u_here.second || u_here.load);
        assume (u_here.loaded_q || !u_here.load_phantom || u_here.enters_phantom);
        assume (u_here.loaded_q || !u_here.second_phantom);
        assume (u_here.head_watched || !head_moves || 32'(moves_q) < QueueMoves || `BREAK == 2);
      end
      // a phantom that is here is not older, either
      assume (`BREAK == 1 || !waits || !u_here.head_phantom || u_here.head_watched
              || `YOUNGER(u_here.head_tag));
    end

  // ---- what holds it
  logic   held, no_room, exits;
  route_t where_next;                     // the route of the watched packet
  route_t [NumPipes-1:0][Depth-1:0] next;
  assign exits   = u_here.u_unit.exit_next;
  assign no_room = exits && u_here.u_unit.u_issue.room[where_next] == 1'b0;
  always_comb begin
    where_next = u_here.here_escape ? u_here.u_unit.escape_next_q : '0;
    for (int unsigned s = 0; s < NumPipes; s++)
      for (int unsigned i = 0; i < Depth; i++)
        if (u_here.here[s][i]) where_next |= next[s][i];
  end
  for (genvar s = 0; s < NumPipes; s++) begin : gen_next
    for (genvar i = 0; i < Depth; i++) begin : gen_slot
      assign next[s][i] = u_here.u_unit.gen_bank[s].u_bank.next_q[i];
    end
  end
  always_comb begin
    held = hold_i;
    if (fixed) held = held || land_i || (u_here.head_watched && (pending_i || no_room));
    else       held = held || no_room;
  end

  // ---- how long it waits, in cycles in which nothing holds it
  count_t wait_q, patience_q;
  logic   offered;
  logic [NumPipes-1:0] offered_by, in_turn;
  for (genvar s = 0; s < NumPipes; s++) begin : gen_offer
    assign offered_by[s] = u_here.u_unit.offer[s] && u_here.u_unit.offer_tag[s] == watched_i;
    // the bank's pointer comes round to it in time
    logic [$clog2(Depth)-1:0] slot;
    always_comb begin
      slot = '0;
      for (int unsigned i = 0; i < Depth; i++)
        if (u_here.here[s][i]) slot |= ($clog2(Depth))'(i);
    end
    assign in_turn[s] = 32'(patience_q)
        + 32'(($clog2(Depth))'(slot - u_here.u_unit.gen_bank[s].u_bank.scan_q)) < Depth;
    always_comb
      if (rst_ni)
        assert (!(waits && !fixed && u_here.here[s] != '0) || offered_by[s] || in_turn[s]
                || `BREAK != 0);
  end
  assign offered = offered_by != '0 || u_here.here_escape;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {wait_q, patience_q} <= '0;
    else begin
      if (!waits || leaves) wait_q <= '0;
      else if (!held)       wait_q <= wait_q + count_t'(wait_q != '1);
      patience_q <= waits && !offered ? patience_q + 1'b1 : '0;
      if (fixed) patience_q <= '0;
    end
  end
  always_comb
    if (rst_ni) begin
      OpenLeaves_A  : assert (!waits || fixed || 32'(wait_q) <= Depth);
      FixedLeaves_A : assert (!waits || !fixed || 32'(wait_q) <= QueueMoves + 1);
      // and if nothing holds it in the last of them it goes
      OpenGoes_A    : assert (!waits || fixed || held || leaves || 32'(wait_q) < Depth);
      FixedGoes_A   : assert (!waits || !fixed || held || leaves || 32'(wait_q) < QueueMoves + 1);
      // helpers
      assert (waits || wait_q == '0 || waited_q);
      assert (settled_q ? oldest == oldest_told_q || `BREAK == 4 : !here);
      assert (waits || patience_q == '0);
      assert (waits || moves_q == '0);
      assert (!waits || fixed || wait_q <= patience_q || offered || `BREAK != 0);
      assert (!waits || !fixed || wait_q <= moves_q + count_t'(u_here.head) || `BREAK != 0);
      assert (32'(moves_q) <= QueueMoves || `BREAK == 2);
    end

  // ---- reached: it waits as long as it may, without an access and with one
  always_ff @(posedge clk_i)
    if (rst_ni) begin
      Open_C  : cover (waits && !fixed && leaves && 32'(wait_q) == Depth && !exits);
      Fixed_C : cover (waits && fixed && leaves && 32'(moves_q) == QueueMoves && exits);
    end
endmodule : proof_oldest
