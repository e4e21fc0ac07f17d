// SPDX-License-Identifier: Apache-2.0

/// Proof: whatever is written to the registers that admission reads, and whenever, no packet gets
/// lost without being counted.
///
/// The three places where a packet may be dropped for want of room, side by side: the end of a bus
/// (sluice_rx), the decision of the order point (sluice_admit), and that of the outputs
/// (sluice_output_admit). Free in every cycle is what comes from registers: the chip is ready or
/// not, LIMIT and ECN of a lane, modes and faults of the order point, the threshold, shares, pacing
/// and brake, the room that sets of pipelines and the window leave, the limit of an output.
/// Assumed: a slot of the packet buffer that was free when a packet began stays so until its end
/// (sluice_packet_buffer: only sluice_rx takes them), and only what waits is popped; arrival masks
/// show a lane once (sluice_arrival_masks); a copy leaves an output only if one waits there,
/// and fewer than 2^15 wait, since the queues have fewer places.
/// Shown: a packet whose last beat comes has two cycles later its verdict: it is stored, with a
/// slot, a place in the lane and a cell for each beat behind its header, or it has a reason. The
/// count of packets in a lane is what was stored less what was popped, and never goes below 0 or
/// above LaneDepth. At the order point a packet that is there stays, or has one end: admitted, void
/// or dropped; only packets that are there; and none before an older one. At an output each copy is
/// accepted or refused in the next cycle; the count is what was accepted less what has left, also
/// while the limit is below it; then nothing is accepted; and a limit that stands for two cycles is
/// never exceeded by what comes.
/// BREAK: 1 the slot of a packet goes while it comes, 2 a packet is popped that is not there.
`ifndef BREAK
`define BREAK 0
`endif
module proof_admission
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_order_pkg::*;
  import sluice_exit_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_buffer_pkg::*;
#(
  localparam int unsigned NumShown = NumPipes < 4 ? NumPipes : 4
) (
  input logic                     clk_i,
  input logic                     rst_ni,
  // a bus, and its lane
  input logic                     ready_i,
  input logic [12:0]              lane_limit_i,
  input logic [12:0]              ecn_lane_i,
  input rx_beat_t                 rx_i,
  input logic                     pop_i,
  input logic [NumModules-1:0]    places_full_i,
  input buffer_room_t             room_i,
  // the order point
  input order_settings_t          settings_i,
  input logic [NumShown-1:0][NumPipes-1:0] mask_i,
  input logic                     overload_i,
  input logic [NumPipes-1:0]      valid_i,
  input logic [NumPipes-1:0]      void_i,
  input logic [NumPipes-1:0][StateStages-1:0][NumPipes-1:0] need_i,
  input blocks_t                  blocks_i,
  input logic [NumPipes-1:0][NumPipes-1:0] room_fixed_i,
  input logic [NumPipes-1:0][NumPipes-1:0] room_any_i,
  input logic [NumPipes-1:0][NumPipes-1:0] fixed_i,
  input logic [NumPipes-1:0][NumPipes-1:0] open_i,
  input logic                     room_window_i,
  // the outputs
  input logic [10:0]              limit_i,
  input logic [NumPipes-1:0][LinePorts-1:0] ports_i,
  input queue_class_t [NumPipes-1:0] queue_class_i,
  input logic [NumPipes-1:0][NumPipes-1:0][OutputQueues-1:0] queue_full_i,
  input logic [LinePorts-1:0]     sent_i
);
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);

  // ---- a bus, and its lane
  logic          done, deep, over, unused_again;
  drop_e         reason;
  len_t          unused_len;
  logic [7:0]    unused_port;
  logic [31:0]   unused_arrival;
  logic [12:0]   waiting;
  row_t          unused_row;
  buffer_write_t write;
  again_bits_t   unused_beside;
  logic [HeaderBits-1:0] unused_header;
  buffer_room_t  room;
  logic          open_q;                    // between the first and the last beat, in sluice_rx
  logic          slot_kept_q;
  sluice_rx u_rx (
    .clk_i, .rst_ni, .ready_i, .lane_limit_i, .ecn_lane_i, .cycle_i('0),
    .rx_i, .rx_again_i(1'b0), .rx_beside_i('0),
    .pop_i, .over_limit_o(over), .deep_o(deep), .waiting_o(waiting),
    .places_full_i, .place_row_o(unused_row), .write_o(write), .room_i(room),
    .done_o(done), .reason_o(reason), .len_o(unused_len), .port_o(unused_port),
    .arrival_o(unused_arrival), .again_o(unused_again), .beside_o(unused_beside),
    .header_o(unused_header)
  );
  assign room = room_i;

  // What came: packets end with a last beat. cells_q: beats behind the header, of this packet.
  logic        beat_q, last_q, ended_q;
  beats_t      beats_q, cells, ended_cells_q;
  logic [12:0] inside_q;                    // stored, and not popped
  logic        takes;                       // a packet is stored with this beat
  assign takes = write.slot_take;
  assign cells = beats_q < beats_t'(HeaderBeats) ? '0 : beats_q - beats_t'(HeaderBeats);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {beat_q, ended_q, open_q, slot_kept_q} <= '0;
      beats_q  <= '0;
      inside_q <= '0;
    end else begin
      beat_q      <= rx_i.valid;
      ended_q     <= beat_q && last_q;
      open_q      <= beat_q ? !last_q : open_q;
      slot_kept_q <= beat_q ? !last_q && room.slot_valid && (slot_kept_q || !open_q) : slot_kept_q;
      if (beat_q) beats_q <= last_q ? '0 : beats_q + beats_t'(beats_q != '1);
      inside_q    <= inside_q + 13'(takes) - 13'(pop_i);
    end
  end
  always_ff @(posedge clk_i) begin
    if (rx_i.valid) last_q <= rx_i.last;
    if (beat_q && last_q)
      ended_cells_q <= beats_q < beats_t'(HeaderBeats) ? '0
                     : beats_q - beats_t'(HeaderBeats) + 1'b1;
  end
  always_comb
    if (rst_ni) begin
      assume (!slot_kept_q || room.slot_valid || `BREAK == 1);
      assume (!pop_i || inside_q != '0 || `BREAK == 2);
      Verdict_A  : assert (done == ended_q);
      Stored_A   : assert (!done || write.stored == (reason == DropNone));
      StoredEnds_A : assert (!write.stored || ended_q);
      Slot_A     : assert (!takes || (room.slot_valid && beat_q && last_q));
      Place_A    : assert (waiting == inside_q && 32'(waiting) <= LaneDepth);
      PlaceFree_A: assert (!takes || 32'(waiting) < LaneDepth);
      Cells_A    : assert (!write.stored || write.body.cells == ended_cells_q);
      Over_A     : assert (over == (lane_limit_i != '0 && waiting >= lane_limit_i)
                           && deep == (ecn_lane_i != '0 && waiting >= ecn_lane_i));
      // helpers
      assert (u_rx.valid_q == beat_q && u_rx.inside_q == open_q);
      assert (!beat_q || u_rx.last_q == last_q);
      assert (open_q == (beats_q != '0));
      assert (!open_q || beats_q == u_rx.beats_q
              || (u_rx.beats_q == beats_t'(MaxBeats) && beats_q > beats_t'(MaxBeats)));
      assert (!open_q || u_rx.beats_q <= beats_t'(MaxBeats));
      assert (!open_q || u_rx.bad_q || u_rx.lane_full_q || u_rx.buffer_full_q
              || beats_q > beats_t'(MaxBeats) || (u_rx.cells_q == cells && slot_kept_q));
      assert (u_rx.done_q == ended_q);
      assert (!write.stored || u_rx.good_q);
      assert (!open_q || u_rx.lane_full_q || 32'(waiting) < LaneDepth);
      assert (!(ended_q && u_rx.reason_q == DropNone) || u_rx.cells_q == ended_cells_q);
      assert (!ended_q || u_rx.good_q == (u_rx.reason_q == DropNone));
    end

  // ---- the order point
  decision_t [NumPipes-1:0] decision;
  logic [NumPipes-1:0] take, unused_stop;
  sluice_admit u_order (
    .clk_i, .rst_ni, .settings_i, .mask_i, .overload_i, .valid_i, .void_i, .need_i, .blocks_i,
    .room_fixed_i, .room_any_i, .fixed_i, .open_i, .room_window_i, .decision_o(decision), .stop_o(unused_stop)
  );
  logic [NumPipes-1:0] shown;
  always_comb begin
    shown = '0;
    for (int unsigned w = 0; w < NumShown; w++) begin
      assume ((shown & mask_i[w]) == '0);
      shown |= mask_i[w];
    end
  end
  for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
    logic admit, drop, drop_above;
    logic [4:0] waits;
    assign {take[l], admit, drop, drop_above, waits} = {decision[l].take, decision[l].admit,
        decision[l].drop, decision[l].drop_above, decision[l].waits};
    // Which packets come before it: those of older masks, and of its own those of lower lanes.
    logic [NumPipes-1:0] older;
    always_comb begin
      older = '0;
      for (int unsigned w = 0; w < NumShown; w++)
        for (int unsigned v = 0; v < NumShown; v++)
          for (int unsigned m = 0; m < NumPipes; m++)
            if (mask_i[v][l] && mask_i[w][m] && (w < v || (w == v && m < l))) older[m] = 1'b1;
    end
    always_comb begin
      OneEnd_A    : assert (!take[l] || $onehot({admit, drop, void_i[l]}));
      Stays_A     : assert (take[l] || !(admit || drop || drop_above));
      There_A     : assert (!take[l] || (valid_i[l] && shown[l]));
      InOrder_A   : assert (!take[l] || settings_i.fault[FaultLaneSwap] || (older & ~take) == '0);
      Above_A     : assert (!drop_above || drop);
      OneCause_A  : assert ($onehot0(waits) && (waits == '0 || !take[l]));
      // A packet with nothing that blocks it, and nothing ahead that stays, goes.
      Goes_A      : assert (!(shown[l] && valid_i[l] && void_i[l] && older == '0)
                            || settings_i.fault[FaultLaneSwap] || take[l]);
    end
  end

  // ---- the outputs
  logic [NumPipes-1:0][NumPipes-1:0][OutputQueues-1:0] unused_promised;
  logic [NumPipes-1:0][LinePorts-1:0] accepted, refused, asked_q;
  logic [LinePorts-1:0][15:0]         copies;
  sluice_output_admit u_outputs (
    .clk_i, .rst_ni, .limit_i, .ports_i, .queue_class_i, .full_i(queue_full_i),
    .sent_i, .promised_o(unused_promised),
    .accepted_o(accepted), .refused_o(refused), .waiting_o(copies)
  );
  logic [1:0][10:0] limit_q;                // of the cycle before, and of the one before that
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      asked_q <= '0;
      limit_q <= '0;
    end else begin
      asked_q <= ports_i;
      limit_q <= {limit_q[0], limit_i};
    end
  end
  for (genvar p = 0; p < LinePorts; p++) begin : gen_port
    logic [15:0]         copies_q;            // accepted, and not sent
    logic [NumPipes-1:0] comes, told, asked, not_told;
    for (genvar s = 0; s < NumPipes; s++) begin : gen_source
      assign comes[s]    = u_outputs.accept[s][p];
      assign told[s]     = accepted[s][p];
      assign not_told[s] = refused[s][p];
      assign asked[s]    = asked_q[s][p];
    end
    logic [NumPipes-1:0] comes_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        copies_q <= '0;
        comes_q  <= '0;
      end else begin
        copies_q <= copies_q + 16'($countones(comes)) - 16'(sent_i[p]);
        comes_q  <= comes;
      end
    end
    logic standing;                         // the limit that counts: of two cycles before
    assign standing = limit_q[1] != '0;
    always_comb
      if (rst_ni) begin
        assume (!sent_i[p] || copies_q != '0);
        assume (copies_q < 16'h8000);
        Told_A    : assert ((told & not_told) == '0 && (told | not_told) == asked);
        ToldIt_A  : assert (told == comes_q);
        Count_A   : assert (copies[p] == copies_q);
        Limit_A   : assert (!(standing && comes != '0)
                            || 32'(copies_q) + $countones(comes) <= 32'(limit_q[1]));
        // helpers
        assert (u_outputs.limit_q == 17'(limit_q[0]) && u_outputs.limited_q == standing);
        assert (u_outputs.gen_port[p].room_q == 17'(limit_q[1]) - 17'(copies_q));
      end
  end

  // ---- reached: a lane was full and a packet is stored in the place of one that was popped; the
  // limit of a port falls below what waits there, which leaves, and then one comes again
  logic full_q, below_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {full_q, below_q} <= '0;
    else begin
      full_q  <= full_q || 32'(waiting) == LaneDepth;
      below_q <= below_q || (limit_q[1] != '0 && 16'(limit_q[1]) + 16'd1 < copies[0]);
    end
  end
  always_ff @(posedge clk_i)
    if (rst_ni) begin
      Stored_C  : cover (full_q && write.stored && write.body.cells == beats_t'(1));
      Limited_C : cover (below_q && limit_q[1] != '0 && gen_port[0].comes != '0);
    end
endmodule : proof_admission
