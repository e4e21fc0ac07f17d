// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Tickets: the next one, the oldest packet in flight, and room in the window between them.
///
/// A packet that finishes leaves the lap of its tag (the bit above its place) in a bitmap of one bit
/// for each place of the window (sluice_window_piece); for the tag one lap later the place then
/// reads as not finished, so nothing is cleared. The oldest tag advances to the first unfinished one, within
/// an aligned row of 2k places a cycle: a catch-up runs at twice the rate at which packets can be
/// admitted.
/// Latency: a finished packet shows in `oldest_o` 2 cycles later; up to k admitted and k finished a
/// cycle.
/// Invariant: next ticket - oldest <= Window.
module sluice_window
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  // lanes that had a packet admitted in the cycle before
  input  logic [NumPipes-1:0] admitted_i,
  output logic [31:0]         next_ticket_o,    // ticket of the first of them
  output tag_t [NumPipes-1:0] next_tag_o,       // [n]: tag of the one after n of them
  output tag_t                after_tag_o,      // tag of the one after all of them
  output logic                room_o,           // k packets may be admitted in this cycle
  input  logic [NumPipes-1:0] done_valid_i,
  input  tag_t [NumPipes-1:0] done_tag_i,
  output tag_t                oldest_o,         // the next ticket's tag when nothing is in flight
  output logic [15:0]         in_flight_o
);
  localparam int unsigned Row       = 2 * NumPipes < Window ? 2 * NumPipes : Window;
  localparam int unsigned RowShift  = $clog2(Row);
  // The bitmap is kept in pieces of at least 8 places: for few pipelines there would be hundreds of
  // rows to drive.
  localparam int unsigned Piece     = Row > 8 ? Row : 8;
  localparam int unsigned PlaceBits = $clog2(Piece);
  localparam int unsigned WinBits   = $clog2(Window);
  localparam int unsigned CountBits = $clog2(NumPipes + 1);

  typedef logic [WinBits-1:0] place_t;

  tag_t                 oldest_d, oldest_q, span_d;
  logic [CountBits-1:0] num_admitted, num_done;
  logic [15:0]          in_flight_q;
  logic                 room_one_q, room_two_q;

  assign num_admitted = CountBits'($countones(admitted_i));
  assign num_done     = CountBits'($countones(done_valid_i));

  // ---- finished packets
  logic [Window/Row-1:0][Row-1:0] lap;        // of the last packet that finished in the place
  logic [NumPipes-1:0][Piece-1:0] done_place; // place in its piece, one-hot
  always_comb
    for (int unsigned d = 0; d < NumPipes; d++) done_place[d] = Piece'(1)
      << (place_t'(done_tag_i[d]) & place_t'(Piece - 1));
  for (genvar p = 0; p < Window / Piece; p++) begin : gen_piece
    logic [NumPipes-1:0] done;
    always_comb
      for (int unsigned d = 0; d < NumPipes; d++)
        done[d] = done_valid_i[d] && place_t'(done_tag_i[d]) >> PlaceBits == place_t'(p);
    sluice_window_piece #(.Places(Piece)) u_piece (
      .clk_i, .rst_ni, .done_i(done), .place_i(done_place), .lap_o(lap[p*(Piece/Row) +: Piece/Row])
    );
  end

  // ---- the oldest
  place_t         row;                      // that of the oldest tag
  logic [Row-1:0] finished;
  tag_t           advance;

  assign row      = place_t'(oldest_q) >> RowShift;
  assign finished = lap[row] ~^ {Row{oldest_q[WinBits]}};

  // Places of the row before the oldest count as finished: their packets are.
  always_comb begin
    advance = tag_t'(Row);
    for (int i = Row - 1; i >= 0; i--)
      if (!finished[i] && tag_t'(i) >= (oldest_q & tag_t'(Row - 1))) advance = tag_t'(i);
  end
  assign oldest_d = (oldest_q & ~tag_t'(Row - 1)) + advance;

  // ---- the next ticket
  sluice_tickets u_tickets (.clk_i, .rst_ni, .admitted_i, .next_ticket_o, .next_tag_o,
      .after_tag_o);

  // ---- room: the packets admitted in the cycle before are not in the span yet, and may be k
  assign span_d = after_tag_o - oldest_d;
  assign room_o = room_two_q || (room_one_q && admitted_i == '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      oldest_q    <= '0;
      in_flight_q <= '0;
      room_one_q  <= 1'b0;
      room_two_q  <= 1'b0;
    end else begin
      oldest_q    <= oldest_d;
      in_flight_q <= in_flight_q + 16'(num_admitted) - 16'(num_done);
      room_one_q  <= 32'(span_d) + NumPipes <= Window;
      room_two_q  <= 32'(span_d) + 2 * NumPipes <= Window;
    end
  end

  assign oldest_o    = oldest_q;
  assign in_flight_o = in_flight_q;

  tag_t span;
  assign span = next_tag_o[0] + tag_t'(num_admitted) - oldest_q;
  `SLUICE_ASSERT(WithinWindow_A, 32'(span) <= Window)
  `SLUICE_ASSERT(InFlightInSpan_A, in_flight_q <= 16'(Window))
  for (genvar d = 0; d < NumPipes; d++) begin : gen_done
    logic [Window-1:0] laps;
    assign laps = lap;
    `SLUICE_ASSERT(FinishesOnce_A, !done_valid_i[d]
        || laps[place_t'(done_tag_i[d])] != done_tag_i[d][WinBits])
  end
endmodule : sluice_window
