// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Bus to packet: checks every beat, counts the length, asks the packet buffer for room while the
/// packet comes, and gives the verdict with its last beat.
///
/// Latency: the verdict leaves 2 cycles after the last beat, with the packet's first HeaderBytes
/// beside it; 1 beat a cycle, never any back pressure.
/// Invariant: a packet that was begun with a free place and a free slot keeps both, because only
/// this module takes them, and takes them at the good end of a packet: so nothing has to be given
/// back when a packet is dropped, except the body cells that it already holds (`write_o.lost`).
/// With BufferShares a packet also ends without room if its module may take no slot when it begins,
/// or no cell when it needs one (sluice_buffer_shares); and it finds the lane full if its module
/// may take no place there when it begins (sluice_place_shares).
module sluice_rx
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_buffer_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                ready_i,         // the chip is ready: else everything is dropped
  input  logic [12:0]         lane_limit_i,
  input  logic [12:0]         ecn_lane_i,
  input  logic [31:0]         cycle_i,
  // bus
  input  rx_beat_t            rx_i,
  input  logic                rx_again_i,      // it is a recirculated packet, with this beside it
  input  again_bits_t         rx_beside_i,
  // places on the way to the order point
  input  logic                pop_i,
  output logic                over_limit_o,
  output logic                deep_o,           // at least ecn_lane_i wait
  output logic [12:0]         waiting_o,
  // with BufferShares: these modules may take no place; with write_o.slot_take, who takes one
  input  logic [NumModules-1:0] places_full_i,
  output row_t                place_row_o,
  // packet buffer: in the cycle after the beat, and in the next what became of the packet
  output buffer_write_t       write_o,
  input  buffer_room_t        room_i,
  // verdict
  output logic                done_o,          // a packet has ended on the bus
  output drop_e               reason_o,        // DropNone: it is stored
  output len_t                len_o,
  output logic [7:0]          port_o,
  output logic [31:0]         arrival_o,       // cycle of its last beat
  output logic                again_o,
  output again_bits_t         beside_o,
  output logic [HeaderBits-1:0] header_o
);
  localparam int unsigned MinBeats = MinBytes / BeatBytes;

  // ---- the bus, registered
  logic                 valid_q, last_q, err_q, ready_q;
  logic [BeatBits-1:0]  data_q;
  logic [BeatBytes-1:0] keep_q;
  logic [7:0]           port_q;
  logic [31:0]          cycle_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 1'b0;
    else         valid_q <= rx_i.valid;
  end
  always_ff @(posedge clk_i) if (rx_i.valid) begin
    last_q  <= rx_i.last;
    err_q   <= rx_i.err;
    ready_q <= ready_i;
    data_q  <= rx_i.data;
    keep_q  <= rx_i.keep;
    port_q  <= rx_i.port;
    cycle_q <= cycle_i;
  end

  // ---- the beat: full, or a gapless piece from byte 0
  logic                   full, gapless;
  logic [BeatIdxBits-1:0] bytes;      // modulo BeatBytes: a full beat has 0
  assign full    = &keep_q;
  assign gapless = keep_q[0] && (keep_q & (keep_q + 1'b1)) == '0;
  assign bytes   = BeatIdxBits'($countones(keep_q));

  logic [BeatBits-1:0] beat;
  always_comb begin
    beat = data_q;
    if (valid_q && !full)
      for (int unsigned b = 0; b < BeatBytes; b++) if (!keep_q[b]) beat[8*b +: 8] = '0;
  end

  // ---- the packet so far
  logic        head_we, tail_we, cell_want, cell_first;   // see buffer_write_t
  logic        cell_due;                       // the beat needs a cell
  logic        slots_full, cells_full, places_full;  // its module may take none
  share_row_t  row;
  logic        inside_q;                       // between first and last beat
  beats_t      beats_q, beats;                 // beats before this one, at most MaxBeats
  logic        is_short;                       // it ends with this beat, before MinBytes
  logic        bad_q, bad, lane_full_q, lane_full, buffer_full_q, buffer_full, oversized;
  logic [12:0] waiting_q;                      // packets arrived and not yet popped

  assign beats       = inside_q ? beats_q : '0;
  assign bad         = (inside_q && bad_q) || err_q || !(last_q ? gapless : full);
  // All beats but the last are full (else the packet is malformed): counting beats is enough.
  assign oversized   = beats == beats_t'(MaxBeats);
  always_comb begin
    is_short = 1'b0;
    for (int unsigned b = 0; b < MinBeats; b++) if (beats == beats_t'(b))
      is_short = b + 1 < MinBeats || !full;
  end
  assign lane_full   = inside_q ? lane_full_q : waiting_q == 13'(LaneDepth) || places_full;
  assign buffer_full = inside_q ? buffer_full_q
      || (cell_due && (cells_full || !room_i.cell_valid)) : !room_i.slot_valid || slots_full;

  // A packet that is lost anyway takes no more cells; those it has wait for its end, since until
  // then no other packet of the lane could use them.
  assign head_we    = valid_q && !inside_q && room_i.slot_valid;
  assign tail_we    = valid_q && beats != '0 && beats < beats_t'(HeaderBeats) && !buffer_full_q;
  assign cell_due   = valid_q && beats >= beats_t'(HeaderBeats) && !oversized
                      && !(bad_q || lane_full_q || buffer_full_q);
  assign cell_want  = cell_due && !cells_full;
  assign cell_first = beats == beats_t'(HeaderBeats);

  // Shares: VID[7:0] is byte 15, so of the first beat; the row of a recirculated packet is beside
  // it. A place counts for the row that the packet names, since that is what the order point knows.
  share_row_t row_ended_q;
  if (BufferShares != 0) begin : gen_shares
    share_row_t row_q, first_row;
    row_t       named_row, named_row_q;
    assign named_row   = data_q[8*15 +: RowBits];
    assign place_row_o = inside_q ? named_row_q : named_row;
    assign places_full = places_full_i[named_row];
    always_ff @(posedge clk_i) if (valid_q && !inside_q) named_row_q <= named_row;
    if (Recirculation != 0) begin : gen_again
      logic   again_q;
      again_t beside;
      row_t   beside_q;
      assign beside        = rx_beside_i;
      always_ff @(posedge clk_i) if (rx_i.valid) {again_q, beside_q} <= {rx_again_i, beside.row};
      assign first_row = again_q ? beside_q : data_q[8*15 +: RowBits];
    end else begin : gen_once
      assign first_row = data_q[8*15 +: RowBits];
    end
    assign row        = inside_q ? row_q : first_row;
    assign slots_full = room_i.slots_full[row];
    assign cells_full = room_i.cells_full[row];
    always_ff @(posedge clk_i) if (valid_q) begin
      row_q <= row;
      if (last_q) row_ended_q <= row;
    end
  end else begin : gen_no_shares
    assign row         = '0;
    assign place_row_o = '0;
    assign places_full = 1'b0;
    assign slots_full  = 1'b0;
    assign cells_full  = 1'b0;
    assign row_ended_q = '0;
  end

  logic  good;
  drop_e reason;
  always_comb begin
    reason = DropNone;
    if (!ready_q)                         reason = DropNotReady;
    else if (bad || is_short)             reason = DropMalformed;
    else if (oversized)                   reason = DropOversized;
    else if (lane_full)                   reason = DropLaneFull;
    else if (buffer_full)                 reason = DropBufferFull;
  end
  assign good = valid_q && last_q && reason == DropNone;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      inside_q  <= 1'b0;
      waiting_q <= '0;
    end else begin
      if (valid_q) inside_q <= !last_q;
      waiting_q <= waiting_q + 13'(good) - 13'(pop_i);
    end
  end
  always_ff @(posedge clk_i) if (valid_q) begin
    beats_q       <= oversized ? beats : beats + 1'b1;
    bad_q         <= bad;
    lane_full_q   <= lane_full;
    buffer_full_q <= buffer_full;
  end

  assign waiting_o    = waiting_q;
  assign deep_o       = ecn_lane_i != '0 && waiting_q >= ecn_lane_i;
  assign over_limit_o = lane_limit_i != '0 && waiting_q >= lane_limit_i;

  // ---- verdict, chain and header, registered. The next packet's first beat may stand above in
  // that cycle; it changes these only at its end.
  logic                  done_q, good_q;
  drop_e                 reason_q;
  len_t                  len_q;
  logic [7:0]            from_q;
  beats_t                cells_q;
  logic [31:0]           arrival_q;
  hdr_t                  slot_q;
  cell_t                 first_cell_q, last_cell_q;
  logic [HeaderBits-1:0] header_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) done_q <= 1'b0;
    else         done_q <= valid_q && last_q;
  end
  always_ff @(posedge clk_i) if (valid_q) begin
    if (last_q) begin
      good_q    <= good;
      reason_q  <= reason;
      len_q     <= len_t'({beats + beats_t'(full), bytes});
      from_q    <= port_q;
      arrival_q <= cycle_q;
      slot_q    <= room_i.slot;
    end
    if (!inside_q) begin
      header_q <= HeaderBits'(beat);
      cells_q  <= '0;
    end else begin
      for (int unsigned b = 1; b < HeaderBeats; b++)
        if (beats == beats_t'(b)) header_q[BeatBits*b +: BeatBits] <= beat;
      if (cell_want && room_i.cell_valid) begin
        if (cell_first) first_cell_q <= room_i.next_cell;
        last_cell_q <= room_i.next_cell;
        cells_q     <= cells_q + 1'b1;
      end
    end
  end

  if (Recirculation != 0) begin : gen_again
    logic        again_q, from_again_q;
    again_bits_t beside_q, from_beside_q;
    always_ff @(posedge clk_i) begin
      if (rx_i.valid)        {again_q, beside_q}           <= {rx_again_i, rx_beside_i};
      if (valid_q && last_q) {from_again_q, from_beside_q} <= {again_q, beside_q};
    end
    assign again_o  = from_again_q;
    assign beside_o = from_again_q ? from_beside_q : '0;
  end else begin : gen_once
    assign again_o      = 1'b0;
    assign beside_o     = '0;
  end

  assign done_o    = done_q;
  assign reason_o  = reason_q;
  assign len_o     = len_q;
  assign port_o    = from_q;
  assign arrival_o = arrival_q;
  assign header_o  = header_q;

  assign write_o = '{
    head_we:    head_we,
    tail_we:    tail_we,
    step:       HeaderSteps > 1 ? step_t'(beats) : '0,
    cell_want:  cell_want,
    cell_first: cell_first,
    beat:       beat,
    slot_take:  good,
    row:        row,
    stored:     done_q && reason_q == DropNone,
    lost:       done_q && !good_q && cells_q != '0,
    slot:       slot_q,
    body:       '{row: row_ended_q, head: first_cell_q, tail: last_cell_q, cells: cells_q}
  };

  `SLUICE_ASSERT(PopNeedsPacket_A, !pop_i || waiting_q != '0)
  `SLUICE_ASSERT(PlacesSuffice_A, waiting_q <= 13'(LaneDepth))
  `SLUICE_ASSERT(StoredHasSlot_A, !good || room_i.slot_valid)
  `SLUICE_ASSERT(SlotStaysWithPacket_A, !(valid_q && inside_q && !buffer_full_q)
      || room_i.slot_valid)
endmodule : sluice_rx
