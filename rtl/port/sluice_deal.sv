// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Deals the packets of one fast port to its lanes: up to Lanes beats come in a cycle, a lane takes
/// one. Each packet goes to one lane whole (sluice_deal_turn says which), and waits in front of it
/// in a queue of beats.
/// Latency 3 cycles from the bus to an idle lane; up to Lanes beats, and packets, a cycle.
/// dealt_o comes 2 cycles after the beat with which the packet began, begun_o with it.
/// Example, two lanes: one cycle brings the end of a packet that lane 0 has, and the first beat of
/// the next packet. That one goes to lane 1; its second and third beat come in the next cycle, and
/// lane 1 takes the three beats in three cycles.
///
/// Beats lose what the receiver (sluice_rx) need not see: a beat with a gap is marked bad; and of a
/// packet longer than any legal one only the last beat enters behind the first MaxBeats and some,
/// and says whether one of the others was bad. So a packet without an end fills no queue.
/// A packet that comes to a queue that is nearly full loses the rest of its beats but the last one,
/// which is marked bad: so it is dropped as MALFORMED, and all others are whole. docs/tm.md says
/// how full a queue gets: 239 beats of 256 at most in a model of the rule; 240 is nearly full.
/// Invariant: a queue never overflows.
module sluice_deal
  import sluice_pkg::*;
  import sluice_cfg_pkg::*;
#(
  parameter int unsigned Lanes = 4,    // and streams: a power of two, at least 2
  parameter int unsigned Depth = 256,  // beats in front of each lane
  localparam int unsigned LaneBits  = $clog2(Lanes),
  localparam int unsigned MoveBits  = $clog2(Lanes + 1)
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic [7:0]                      port_i,      // its number
  // the wire: streams of a cycle in their order
  input  rx_beat_t                        rx_i [Lanes],  // their port does not count
  // the lanes, a beat each
  output rx_beat_t                        lane_o [Lanes],
  // packets that began, in the order of the wire, and their lanes
  output logic [MoveBits-1:0]             begun_o,
  output logic [Lanes-1:0][LaneBits-1:0]  begun_lane_o,
  // the same by stream, for the test harness
  output logic [Lanes-1:0]                dealt_o,
  output logic [Lanes-1:0][LaneBits-1:0]  dealt_lane_o
);
  localparam int unsigned CountBits = $clog2(Depth + 1);
  typedef logic [LaneBits-1:0]    lane_t;
  typedef logic [MoveBits-1:0]    move_t;
  typedef logic [CountBits-1:0]   count_t;
  typedef struct packed {
    logic                   last;
    logic                   bad;
    logic [BeatIdxBits-1:0] bytes;     // modulo BeatBytes
    logic [BeatBits-1:0]    data;
  } beat_t;

  // ---- 1: the bus, registered
  logic [Lanes-1:0]                valid_q, last_q, err_q;
  logic [Lanes-1:0][BeatBits-1:0]  data_q;
  logic [Lanes-1:0][BeatBytes-1:0] keep_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else         for (int unsigned s = 0; s < Lanes; s++) valid_q[s] <= rx_i[s].valid;
  end
  always_ff @(posedge clk_i)
    for (int unsigned s = 0; s < Lanes; s++) if (rx_i[s].valid) begin
      last_q[s] <= rx_i[s].last;
      err_q[s]  <= rx_i[s].err;
      data_q[s] <= rx_i[s].data;
      keep_q[s] <= rx_i[s].keep;
    end

  // ---- which lane: the one of the packet that goes on, or the next of the list
  lane_t [Lanes-1:0] list, to, begun_lane;
  logic  [Lanes-1:0] begins, goes_on;      // goes_on: of a packet that began in an earlier cycle
  move_t             begun;
  logic              open_d, open_q;       // a packet has begun and not ended
  lane_t             lane_d, lane_q;       // that of this packet
  always_comb begin
    open_d     = open_q;
    lane_d     = lane_q;
    begun      = '0;
    begun_lane = list;
    for (int unsigned s = 0; s < Lanes; s++) begin
      begins[s]  = valid_q[s] && !open_d;
      goes_on[s] = valid_q[s] && open_d && begun == '0;
      if (begins[s]) begin
        lane_d = list[lane_t'(begun)];
        begun  = begun + 1'b1;
      end
      to[s] = lane_d;
      if (valid_q[s]) open_d = !last_q[s];
    end
  end

  // ---- queues that are nearly full. One cycle late: what comes in that cycle, in this one, and is
  // between has room.
  logic [Lanes-1:0] tight_q;

  // ---- beats: what is bad, and what is too much
  logic   [Lanes-1:0] bad, enters, cut;
  logic               cut_d, cut_q;        // the packet that is open lost beats for a full queue
  logic               over, worse;         // beats are left out; one of them is bad
  logic               bad_q;               // one of those left out before was
  beats_t             beats_d, beats_q;    // of the packet that is open, at most about MaxBeats
  assign over = open_q && beats_q >= beats_t'(MaxBeats);
  always_comb begin
    worse   = bad_q;
    beats_d = beats_q;
    cut_d   = cut_q;
    for (int unsigned s = 0; s < Lanes; s++) begin
      if (begins[s]) cut_d = 1'b0;
      if (valid_q[s] && !last_q[s] && !(goes_on[s] && over) && tight_q[to[s]]) cut_d = 1'b1;
      cut[s] = cut_d;
      bad[s] = err_q[s] || !(last_q[s] ? keep_q[s][0] && (keep_q[s] & (keep_q[s] + 1'b1)) == '0
                                       : &keep_q[s]);
      enters[s] = valid_q[s] && (last_q[s] || !((goes_on[s] && over) || cut[s]));
      if (goes_on[s] && over) worse = worse || bad[s];
      if (begins[s])                       beats_d = beats_t'(1);
      else if (valid_q[s] && !over)        beats_d = beats_d + 1'b1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q  <= 1'b0;
      lane_q  <= '0;
      beats_q <= '0;
      bad_q   <= 1'b0;
      cut_q   <= 1'b0;
    end else begin
      open_q  <= open_d;
      lane_q  <= lane_d;
      beats_q <= beats_d;
      cut_q   <= cut_d;
      bad_q   <= over && begun == '0 && open_d && worse;
    end
  end

  // ---- 2: beats on their way to the queues, each with its place among those for the lane
  logic  [Lanes-1:0] enters_q, begins_q;
  lane_t [Lanes-1:0] to_q, place_d, place_q;
  beat_t [Lanes-1:0] beat_q;
  move_t [Lanes-1:0] coming_d, coming_q;   // for each lane
  move_t             begun_q;
  lane_t [Lanes-1:0] begun_lane_q;
  always_comb begin
    coming_d = '0;
    for (int unsigned s = 0; s < Lanes; s++) begin
      place_d[s] = lane_t'(coming_d[to[s]]);
      if (enters[s]) coming_d[to[s]] = coming_d[to[s]] + 1'b1;
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      enters_q <= '0;
      begins_q <= '0;
      coming_q <= '0;
      begun_q  <= '0;
    end else begin
      enters_q <= enters;
      begins_q <= begins;
      coming_q <= coming_d;
      begun_q  <= begun;
    end
  end
  always_ff @(posedge clk_i) begin
    to_q         <= to;
    place_q      <= place_d;
    begun_lane_q <= begun_lane;
    for (int unsigned s = 0; s < Lanes; s++) if (valid_q[s])
      beat_q[s] <= '{last: last_q[s], bad: bad[s] || cut[s] || (goes_on[s] && over && worse),
                     bytes: BeatIdxBits'($countones(keep_q[s])), data: data_q[s]};
  end
  assign begun_o      = begun_q;
  assign begun_lane_o = begun_lane_q;
  assign dealt_o      = begins_q;
  assign dealt_lane_o = to_q;

  // ---- queues, and what waits in them; what comes counts when it is there
  count_t [Lanes-1:0] waiting;
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    beat_t [Lanes-1:0] comes, heads;
    always_comb begin
      comes = '0;
      for (int unsigned n = 0; n < Lanes; n++)
        for (int unsigned s = n; s < Lanes; s++)
          if (enters_q[s] && to_q[s] == lane_t'(l) && place_q[s] == lane_t'(n))
            comes[n] = comes[n] | beat_q[s];
    end
    sluice_banked_fifo #(.Depth(Depth), .Width($bits(beat_t)), .Banks(Lanes)) u_beats (
      .clk_i, .rst_ni,
      .push_i(coming_q[l]), .data_i(comes),
      .count_o(waiting[l]), .data_o(heads), .pop_i(move_t'(waiting[l] != '0))
    );
    assign lane_o[l] = '{
      valid: waiting[l] != '0, last: heads[0].last, err: heads[0].bad, port: port_i,
      keep: heads[0].last && heads[0].bytes != '0
          ? ~({BeatBytes{1'b1}} << heads[0].bytes) : '1,
      data: heads[0].data
    };
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) tight_q[l] <= 1'b0;
      else         tight_q[l] <= waiting[l] > count_t'(Depth - 4 * Lanes);
    end
    `SLUICE_ASSERT(RoomForAll_A, 32'(waiting[l]) + 32'(coming_q[l]) <= Depth)
  end

  sluice_deal_turn #(.Lanes(Lanes), .Dealt(Lanes), .CountBits(CountBits)) u_turn (
    .clk_i, .rst_ni, .waiting_i(waiting), .list_o(list), .dealt_i(begun)
  );
endmodule : sluice_deal
