// SPDX-License-Identifier: Apache-2.0

/// A boundary before one pipeline, and one packet that the solver watches in it: a part of the
/// proofs `accesses` and `oldest`. It holds what both assume, and what both need to know of the
/// boundary's registers.
///
/// Whole are sluice_boundary_unit and all below it but the FIFOs of its order queue
/// (free_queues.sv). Of these is assumed, as proof_order_queue and proof_order_moves show it: they
/// give each phantom once, with the slot with which it came, and the phantoms inside differ in
/// their tags. Of packets is assumed, as proof_credits and docs/boundary.md say: tags of those
/// inside together differ, a bank has room for what comes, and an escape slot too.
/// The watched packet has a stamp: whether it has an access here, and its slot. That is the order
/// point's, and both packet and phantom bring it. Tags come again: as soon as a packet has left the
/// next one with its tag may come, with another stamp.
/// TWINS, in the cycles of slip_i: 1 two phantoms have one tag, 2 two packets have one tag.

// What the registers must be for the induction. With a twin it need not be so.
`define HELPER(Fact) assert (Twins != 0 || (Fact))
module watched_boundary
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_stage_pkg::*;
#(
  parameter int unsigned Twins = 0
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  stage_t                   stage_i,       // held by an assumption, as the next two
  input  pipe_t                    pipe_i,
  input  tag_t                     watched_i,
  input  pipe_t                    set_mask_i,
  input  transit_t  [NumPipes-1:0] transit_i,
  // at the heads of the order queue's FIFOs
  input  logic      [NumPipes-1:0] phantom_i,
  input  tag_t      [NumPipes-1:0] phantom_tag_i,
  input  slot_t     [NumPipes-1:0] phantom_slot_i,
  input  move_t                    move_i,
  input  tag_t                     oldest_i,
  input  logic                     pending_i,
  input  logic                     land_i,
  input  slot_t                    land_slot_i,
  input  logic      [NumPipes-1:0] room_fixed_i,
  input  logic      [NumPipes-1:0] room_any_i,
  input  logic                     hold_i,
  input  logic                     stamp_fixed_i, // of the next one
  input  slot_t                    stamp_slot_i,
  input  logic                     slip_i,
  // the watched packet
  output logic                     inside_o,
  output logic                     fixed_o,
  output slot_t                    slot_o,
  output logic                     enters_o,
  output logic                     leaves_o,
  // what the boundary gives to the state unit
  output logic                     valid_o,
  output tag_t                     tag_o,
  output logic                     granted_o,
  output slot_t                    unit_slot_o,
  output logic                     read_o,
  output logic                     land_o
);
  localparam int unsigned Depth     = BankDepth;
  localparam int unsigned CountBits = $clog2(Depth + 1);
  typedef logic [CountBits-1:0] count_t;

  stage_settings_t settings;
  always_comb begin
    settings          = '0;
    settings.set_mask = set_mask_i;
  end
  packet_t packet;
  grant_t  grant;
  assign {tag_o, granted_o, unit_slot_o} = {packet.tag, grant.access, grant.slot};
  assign {read_o, land_o} = {grant.read, grant.land};
  sluice_boundary_unit u_unit (
    .clk_i, .rst_ni, .settings_i(settings), .stage_i, .pipe_i, .transit_i,
    .phantom_i, .phantom_tag_i, .phantom_slot_i, .oldest_i, .move_i,
    .head_tag_o(), .head_slot_o(), .pending_i, .land_i, .land_slot_i, .room_fixed_i, .room_any_i,
    .claim_o(), .hold_i, .valid_o, .packet_o(packet), .grant_o(grant),
    .freed_o(), .report_o(), .waiting_o(), .done_tag_o(), .event_i('0),
    .reg_i('0), .rdata_o(), .error_o()
  );

  // ---- held
  tag_t   watched_q;
  stage_t stage_q;
  pipe_t  pipe_q, set_mask_q;
  always_ff @(posedge clk_i)
    {watched_q, stage_q, pipe_q, set_mask_q} <= {watched_i, stage_i, pipe_i, set_mask_i};
  always_comb begin
    assume ({watched_i, stage_i, pipe_i, set_mask_i} == {watched_q, stage_q, pipe_q, set_mask_q});
    assume (32'(stage_i) < BackStages);
    if (rst_ni) assert (u_unit.mode == '0);
  end

  // ---- the order queue's two registers
  logic  head, second, load, head_watched, second_watched, enters_phantom;
  tag_t  head_tag, second_tag;
  assign head           = u_unit.gen_queue.u_order_queue.valid_q;
  assign second         = u_unit.gen_queue.u_order_queue.second_valid_q;
  assign load           = u_unit.gen_queue.u_order_queue.load;
  assign head_tag       = u_unit.gen_queue.u_order_queue.head_q.tag;
  assign second_tag     = u_unit.gen_queue.u_order_queue.second_q.tag;
  logic  head_phantom, second_phantom, load_phantom;
  tag_t  load_tag;
  slot_t load_slot;
  assign head_phantom   = head && !u_unit.gen_queue.u_order_queue.head_q.is_move;
  assign second_phantom = second && !u_unit.gen_queue.u_order_queue.second_q.is_move;
  assign load_phantom   = u_unit.gen_queue.u_order_queue.enter_o;
  assign load_tag       = u_unit.gen_queue.u_order_queue.enter_tag_o;
  assign load_slot      = u_unit.gen_queue.u_order_queue.oldest.slot;
  assign head_watched   = head_phantom && head_tag == watched_i;
  assign second_watched = second_phantom && second_tag == watched_i;
  assign enters_phantom = load_phantom && load_tag == watched_i;

  // ---- the watched packet
  logic  came_q, loaded_q, fixed_q, left_q, left_fixed_q;
  slot_t slot_q, left_slot_q;
  logic [NumPipes-1:0] comes;
  for (genvar s = 0; s < NumPipes; s++) begin : gen_comes
    assign comes[s] = u_unit.mine[s] && transit_i[s].packet.tag == watched_i;
  end
  assign enters_o = comes != '0;
  assign leaves_o = (u_unit.issue_a && head_tag == watched_i)
                 || (u_unit.go != '0 && u_unit.b_tag == watched_i);
  assign inside_o = came_q;
  assign fixed_o  = fixed_q;
  assign slot_o   = slot_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {came_q, loaded_q, left_q, left_fixed_q} <= '0;
    else begin
      came_q       <= enters_o || (came_q && !leaves_o);
      loaded_q     <= enters_phantom || (loaded_q && !leaves_o);
      left_q       <= leaves_o;
      left_fixed_q <= leaves_o && fixed_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!(came_q || loaded_q || enters_o || enters_phantom))
      {fixed_q, slot_q} <= {stamp_fixed_i, stamp_slot_i};
    left_slot_q <= slot_q;
  end

  // ---- where it is
  logic [NumPipes-1:0][Depth-1:0] here;
  logic                           here_escape;
  assign here_escape = u_unit.escape_valid_q && u_unit.escape_q.tag == watched_i;
  for (genvar s = 0; s < NumPipes; s++) begin : gen_bank
    logic [Depth-1:0]         valid, fixed;
    logic [Depth-1:0]         in_list;
    count_t                   open, listed;
    logic [$clog2(Depth)-1:0] offered;
    assign valid   = u_unit.gen_bank[s].u_bank.valid_q;
    assign fixed   = u_unit.gen_bank[s].u_bank.fixed_q;
    assign listed  = u_unit.gen_bank[s].u_bank.listed_q;
    assign offered = u_unit.gen_bank[s].u_bank.offer_q.slot;
    always_comb begin
      open = '0;
      for (int unsigned i = 0; i < Depth; i++) begin
        open      += count_t'(valid[i] && !fixed[i]);
        in_list[i] = count_t'(i) < listed && u_unit.gen_bank[s].u_bank.list_q[i] == offered;
      end
    end
    logic is_head, is_second;              // what the meeting says of this bank
    assign is_head   = u_unit.gen_meeting.u_meeting.head_place_q[s];
    assign is_second = second && u_unit.gen_meeting.u_meeting.second_place_q[s];
    always_comb
      if (rst_ni) begin
        assume (!u_unit.bank_store[s] || valid != '1);
        `HELPER(listed == open);
        `HELPER(listed == '0 || (valid[offered] && !fixed[offered] && in_list != '0
            && u_unit.gen_bank[s].u_bank.offer_q.tag == u_unit.gen_bank[s].u_bank.tag_q[offered]
            && u_unit.gen_bank[s].u_bank.offer_q.next
               == u_unit.gen_bank[s].u_bank.next_q[offered]));
        // what the meeting knows is so
        `HELPER(!is_head || (head_phantom
            && valid[u_unit.a_slot] && fixed[u_unit.a_slot]
            && u_unit.gen_bank[s].u_bank.tag_q[u_unit.a_slot] == head_tag
            && u_unit.gen_bank[s].u_bank.next_q[u_unit.a_slot] == u_unit.a_next));
        `HELPER(!is_second || (second_phantom
            && valid[u_unit.gen_meeting.u_meeting.second_q.slot]
            && fixed[u_unit.gen_meeting.u_meeting.second_q.slot]
            && u_unit.gen_bank[s].u_bank.tag_q[u_unit.gen_meeting.u_meeting.second_q.slot]
               == second_tag
            && u_unit.gen_bank[s].u_bank.next_q[u_unit.gen_meeting.u_meeting.second_q.slot]
               == u_unit.gen_meeting.u_meeting.second_q.next));
      end
    for (genvar i = 0; i < Depth; i++) begin : gen_slot
      tag_t tag;
      assign tag        = u_unit.gen_bank[s].u_bank.tag_q[i];
      assign here[s][i] = valid[i] && tag == watched_i;
      always_comb
        if (rst_ni) begin
          // tags inside differ
          for (int unsigned o = 0; o < NumPipes; o++)
            assume (!u_unit.mine[o] || !valid[i] || transit_i[o].packet.tag != tag
                    || (Twins == 2 && slip_i));
          `HELPER(!(valid[i] && u_unit.escape_valid_q) || tag != u_unit.escape_q.tag);
          for (int unsigned o = i + 1; o < Depth; o++)
            `HELPER(!(valid[i] && valid[o]) || tag != u_unit.gen_bank[s].u_bank.tag_q[o]);
          for (int unsigned o = 0; o < Depth; o++) begin
            `HELPER(i <= o || count_t'(i) >= listed
                || u_unit.gen_bank[s].u_bank.list_q[i] != u_unit.gen_bank[s].u_bank.list_q[o]);
          end
          `HELPER(count_t'(i) >= listed || (valid[u_unit.gen_bank[s].u_bank.list_q[i]]
                                            && !fixed[u_unit.gen_bank[s].u_bank.list_q[i]]));
          // the meeting knows all that is there
          `HELPER(!(head_phantom && valid[i] && fixed[i] && tag == head_tag) || is_head);
          `HELPER(!(second_phantom && valid[i] && fixed[i] && tag == second_tag) || is_second);
          // the memory holds what its tag says
          `HELPER(!valid[i]
              || u_unit.gen_bank[s].u_bank.u_packets.mem_q[i][$bits(packet_t)-1 -: TagBits] == tag);
          `HELPER(!here[s][i] || fixed[i] == fixed_q);
        end
    end
  end
  for (genvar i = 0; i < Depth; i++) begin : gen_across
    always_comb
      if (rst_ni)
        for (int unsigned o = 0; o < Depth; o++)
          `HELPER(!(gen_bank[0].valid[i] && gen_bank[1].valid[o])
              || u_unit.gen_bank[0].u_bank.tag_q[i] != u_unit.gen_bank[1].u_bank.tag_q[o]);
  end

  always_comb
    if (rst_ni) begin
      assume (!(u_unit.mine[0] && u_unit.mine[1])
              || transit_i[0].packet.tag != transit_i[1].packet.tag);
      for (int unsigned s = 0; s < NumPipes; s++) begin
        assume (!u_unit.mine[s] || !u_unit.escape_valid_q
                || transit_i[s].packet.tag != u_unit.escape_q.tag);
        // its stamp
        assume (!comes[s] || u_unit.ordered[s] == fixed_q);
      end
      assume (u_unit.escape_free);
      // phantoms inside differ; that of the watched packet comes once, with its slot
      assume (!(load_phantom && head_phantom) || load_tag != head_tag || (Twins == 1 && slip_i));
      assume (!(load_phantom && second_phantom) || load_tag != second_tag
              || (Twins == 1 && slip_i));
      assume (!enters_phantom || (fixed_q && !loaded_q && load_slot == slot_q)
              || (Twins == 1 && slip_i));
      // ---- helpers
      `HELPER(!second || head);
      `HELPER(!(head_phantom && second_phantom) || head_tag != second_tag);
      `HELPER($onehot0({here, here_escape}));
      `HELPER(({here, here_escape} != '0) == came_q);
      `HELPER(!here_escape || u_unit.escape_fixed_q == fixed_q);
      `HELPER((head_watched || second_watched) == loaded_q);
      `HELPER(!loaded_q || fixed_q);
      `HELPER(!head_watched || u_unit.head_slot == slot_q);
      `HELPER(!second_watched || u_unit.gen_queue.u_order_queue.second_q.slot == slot_q);
      `HELPER($onehot0(u_unit.gen_meeting.u_meeting.head_place_q));
      `HELPER(!second || $onehot0(u_unit.gen_meeting.u_meeting.second_place_q));
      `HELPER(!head || u_unit.gen_meeting.u_meeting.head_place_q != '0
              || {u_unit.a_slot, u_unit.a_next} == '0);
      `HELPER(!second || u_unit.gen_meeting.u_meeting.second_place_q != '0
              || u_unit.gen_meeting.u_meeting.second_q == '0);
      // escape slot and meeting
      `HELPER(!u_unit.a_where[NumPipes] || (head_phantom && u_unit.escape_valid_q
          && u_unit.escape_fixed_q && u_unit.escape_q.tag == head_tag
          && u_unit.escape_next_q == u_unit.a_next && u_unit.a_slot == '0));
      `HELPER(!(second && u_unit.gen_meeting.u_meeting.second_place_q[NumPipes]) || (second_phantom
          && u_unit.escape_valid_q && u_unit.escape_fixed_q && u_unit.escape_q.tag == second_tag
          && u_unit.gen_meeting.u_meeting.second_q
             == {{$clog2(Depth){1'b0}}, u_unit.escape_next_q}));
      `HELPER(!(head_phantom && u_unit.escape_valid_q && u_unit.escape_fixed_q
                && u_unit.escape_q.tag == head_tag) || u_unit.a_where[NumPipes]);
      `HELPER(!(second_phantom && u_unit.escape_valid_q && u_unit.escape_fixed_q
                && u_unit.escape_q.tag == second_tag)
              || u_unit.gen_meeting.u_meeting.second_place_q[NumPipes]);
    end

  // ---- shown of what leaves
  always_comb
    if (rst_ni) begin
      Leaves_A  : assert (!leaves_o || came_q);
      Packet_A  : assert (!left_q || (valid_o && tag_o == watched_i));
      Nobody_A  : assert (left_q || !(valid_o && tag_o == watched_i));
      Granted_A : assert (!left_q || granted_o == left_fixed_q);
      Slot_A    : assert (!(left_q && left_fixed_q) || unit_slot_o == left_slot_q);
      Alone_A   : assert (!granted_o || !(read_o || land_o));
    end
endmodule : watched_boundary
