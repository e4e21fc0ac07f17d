// SPDX-License-Identifier: Apache-2.0

/// One lane: from the bus to the order point's items, with the lane's tables. What comes in goes to
/// the lane's packet buffer as well, which stands beside the lane in sluice_inputs.
///
/// Constant latency, no stalls, one packet a cycle. With the last beat on the bus in cycle 0:
///   1  beat checked and stored, verdict      (sluice_rx)
///   2  arrive_o, probe_o; filter, table read (sluice_filter, sluice_parser)
///   3  rates (sluice_rate_limits); drop_o, enter_o; windows
///   4  containers
///   5  item_o
/// In a narrow chip, where a packet takes at least four cycles, the windows take four: item_o in
/// cycle 8.
/// Beside the parser, in its cycles: sluice_capsule_parser, sluice_array_parser. From item_o on, in
/// a chip with an array match: sluice_array_match, which tells the order point what became of the
/// words. In a chip with recirculation its packets enter in front of sluice_rx, in turn with those
/// of the bus (sluice_reentry); "on the bus" above is then the beat behind it.
/// Packets dropped on the bus pass through the filter for their module's name: one drop a cycle.
module sluice_lane
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_probe_pkg::*;
  import sluice_buffer_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  input  pipe_t        lane_i,               // number of this lane
  input  lane_settings_t settings_i,
  input  logic [31:0]  cycle_i,
  // bus
  input  rx_beat_t     rx_i,
  // recirculated packets
  input  reentry_t     reentry_i,
  output logic         take_o,               // a beat of it enters
  // to the order point, and back
  output logic         arrive_o,
  output item_t        item_o,
  input  logic         pop_i,
  input  row_t         pop_row_i,            // the overlay row of the packet; with BufferShares
  output logic         over_limit_o,
  output logic         deep_o,
  // array match: what became of the words of the oldest item that the order point has not started
  output logic         matched_valid_o,
  output matched_bits_t matched_o,
  input  logic         matched_pop_i,
  // packet buffer
  output buffer_write_t write_o,
  input  buffer_room_t room_i,
  input  buffer_used_t used_i,
  // control
  input  table_write_t table_write_i,        // for a table of the lane
  input  table_read_t  table_read_i,
  output word_answer_t answer_o,
  input  csr_req_t     csr_req_i,
  output csr_rsp_t     csr_rsp_o,
  output lane_drop_t   drop_o,
  output bank_event_t  enter_o,              // the filter lets a packet pass
  output logic         done_o,               // a packet has ended on the bus: stored, or dropped
  output probe_lane_t  probe_o
);
  // ---- cycle 1: receive and store
  logic [7:0]            from;
  logic [12:0]           waiting;
  logic                  done, stored;
  drop_e                 reason;
  len_t                  len;
  logic [31:0]           arrival;
  logic [HeaderBits-1:0] header;

  rx_beat_t              beat;
  logic                  came_again, gives_way;
  again_bits_t           beside;
  drop_t                 gave_way;
  sluice_reentry u_reentry (
    .clk_i, .rst_ni, .rx_i, .reentry_i, .take_o, .gives_way_o(gives_way), .gave_way_o(gave_way),
    .beat_o(beat)
  );

  logic [NumModules-1:0] places_full;
  row_t                  place_row;
  sluice_rx u_rx (
    .clk_i, .rst_ni, .ready_i(settings_i.ready), .lane_limit_i(settings_i.lane_limit),
    .ecn_lane_i(settings_i.ecn_lane), .cycle_i,
    .rx_i(beat), .rx_again_i(take_o), .rx_beside_i(reentry_i.again),
    .pop_i, .over_limit_o, .deep_o, .waiting_o(waiting),
    .places_full_i(places_full), .place_row_o(place_row),
    .write_o, .room_i,
    .done_o(done), .reason_o(reason), .len_o(len), .port_o(from), .arrival_o(arrival),
    .again_o(came_again), .beside_o(beside), .header_o(header)
  );

  // ---- places of the lane, by module
  sluice_place_shares #(
    .Modules(NumModules), .Places(BufferShares != 0 ? LaneDepth : 0)
  ) u_shares (
    .clk_i, .rst_ni, .taken_i(write_o.slot_take), .taken_row_i(place_row),
    .freed_i(pop_i), .freed_row_i(pop_row_i), .full_o(places_full)
  );

  assign stored   = write_o.stored;
  assign arrive_o = stored;
  assign done_o   = done;
  assign probe_o  = '{
    done: done, reason: reason,
    again: take_o, again_last: take_o && reentry_i.last, again_ticket: reentry_i.ticket,
    gives_way: gives_way, dealt: 1'b0, dealt_lane: '0
  };

  // ---- tables: PARSER in the parser, MODULE in the filter, TENANT with the capsules, ARRAY with
  // the arrays, ARRAY_KEYS and ARRAY_MATCH with the array match, RATE_LIMIT with the rates
  word_answer_t parser_answer, module_answer, tenant_answer, array_answer, match_answer;
  word_answer_t rate_answer;
  overlay_t     overlay_2;
  assign answer_o = parser_answer | module_answer | tenant_answer | array_answer | match_answer
      | rate_answer;

  // ---- cycle 2: what came beside a recirculated packet; filter
  row_t            again_row;
  round_t          round_q3;
  continued_bits_t continued;
  waited_t         waited;
  logic            goes_on_q3;               // a capsule: it keeps its destination
  logic [7:0]      dest_q3, first_dest;
  if (Recirculation != 0) begin : gen_again
    // Test fault: what was beside the packet before.
    again_t      again;
    again_bits_t before_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                   before_q <= '0;
      else if (done && came_again)   before_q <= beside;
    end
    assign again     = came_again && settings_i.fault[FaultBesideOther] ? before_q : beside;
    assign again_row = again.row;
    assign continued = again.continued;
    assign waited    = again.waited;
    always_ff @(posedge clk_i) if (stored) begin
      round_q3   <= came_again ? again.round + 8'(!settings_i.fault[FaultRoundSame]) : '0;
      goes_on_q3 <= Active != 0 && again.continued[ContinuedBits-1];
      dest_q3    <= again.dest;
    end
  end else begin : gen_once
    assign again_row    = '0;
    assign continued    = '0;
    assign waited       = '0;
    assign round_q3     = '0;
    assign goes_on_q3   = 1'b0;
    assign dest_q3      = '0;
  end
  logic       filtered, known;
  drop_e      filter_reason, reason_3;
  logic [7:0] dest;
  logic [7:RowBits] vid_high;
  overlay_t   overlay_3;
  pipe_t      pipe_set;
  logic       active;

  sluice_filter u_filter (
    .clk_i, .rst_ni, .bitmap_i(settings_i.bitmap), .bank_i(settings_i.bank),
    .valid_i(done), .reason_i(reason), .bytes_i(header[8*42-1:0]),
    .again_i(came_again), .again_row_i(again_row), .overlay_o(overlay_2),
    .valid_o(filtered), .reason_o(filter_reason), .known_o(known), .vid_high_o(vid_high),
    .overlay_q_o(overlay_3),
    .dest_o(dest),
    .set_o(pipe_set), .active_o(active),
    .copy_i(lane_i), .write_i(table_write_i), .read_i(table_read_i), .answer_o(module_answer)
  );

  // ---- cycle 3: rates of the modules. Recirculated packets are not new to the chip.
  logic again_q3, refused;
  always_ff @(posedge clk_i) if (done) again_q3 <= came_again;
  sluice_rate_limits u_rates (
    .clk_i, .rst_ni, .lane_i, .settings_i, .ahead_i(done), .len_i(len),
    .row_i(row_t'(overlay_2)), .want_i(filtered && filter_reason == DropNone && !again_q3),
    .refused_o(refused),
    .write_i(table_write_i), .read_i(table_read_i), .answer_o(rate_answer)
  );
  assign reason_3 = refused ? DropRate : filter_reason;

  // ---- cycle 3: drop, metadata
  logic        stored_q3, stored_q4, stored_q5;
  logic [HeaderSteps-1:0] windowed_q;        // shifts stored_q3 by the steps of the windows
  len_t        len_q3;
  logic [7:0]  port_q3;
  logic [31:0] arrival_q3;
  hdr_t        slot_q3;
  metadata_t   metadata;
  meta_t       meta_q4, meta_q5;
  drop_e       reason_q4, reason_q5;

  // The bytes of a bad packet name nobody.
  assign drop_o.filter = '{valid: filtered && reason_3 != DropNone, known: known
      && reason_3 > DropOversized,
                    row: row_t'(overlay_3), reason: reason_3};
  assign drop_o.gave_way = gave_way;
  assign first_dest = goes_on_q3 ? dest_q3 : dest;
  assign enter_o = '{valid: filtered && reason_3 == DropNone, overlay: overlay_3};

  always_comb begin
    metadata             = '0;
    metadata.module_id   = {vid_high, row_t'(overlay_3), 4'd0};
    metadata.port_in     = port_q3;
    metadata.arrival     = arrival_q3;
    metadata.dest        = first_dest;
    metadata.round       = 8'(round_q3);
    metadata.port_in_set = port_q3 < 8'd8 ? 8'd1 << port_q3[2:0] : '0;
    metadata.length      = 16'(len_q3);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stored_q3  <= 1'b0;
      windowed_q <= '0;
      stored_q5  <= 1'b0;
    end else begin
      stored_q3  <= stored;
      windowed_q <= HeaderSteps'({windowed_q, stored_q3});
      stored_q5  <= stored_q4;
    end
  end
  assign stored_q4 = windowed_q[HeaderSteps-1];
  always_ff @(posedge clk_i) begin
    if (stored) begin
      len_q3     <= len;
      port_q3    <= from;
      arrival_q3 <= arrival;
      slot_q3    <= write_o.slot;
    end
    if (stored_q3) begin
      meta_q4   <= '{vid_high: vid_high, overlay: overlay_3, len: len_q3, port_in: port_q3,
          dest: first_dest, discard: 1'b0, mark: 1'b0, round: round_q3,
                     pipe_set: pipe_set,
                     lane: lane_i, hdr: slot_q3};
      reason_q4 <= reason_3;
    end
    if (stored_q4) begin
      meta_q5   <= meta_q4;
      reason_q5 <= reason_q4;
    end
  end

  // ---- cycles 2 to 5: parser
  containers_t           containers;
  logic [HeaderBits-1:0] header_q3;          // the header that the parser keeps
  if (HeaderSteps > 1) begin : gen_steps
    sluice_parser_steps u_parser (
      .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
      .stale_i(settings_i.fault[FaultPhvStale]),
      .we_i(write_o.head_we || write_o.tail_we), .step_i(write_o.step), .beat_i(write_o.beat),
      .valid_i(stored), .row_i(overlay_2), .metadata_i(metadata),
      .containers_o(containers),
      .copy_i(lane_i), .write_i(table_write_i), .read_i(table_read_i), .answer_o(parser_answer)
    );
    assign header_q3     = '0;
  end else begin : gen_whole
    sluice_parser u_parser (
      .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
      .stale_i(settings_i.fault[FaultPhvStale]),
      .valid_i(stored), .row_i(overlay_2), .header_i(header), .metadata_i(metadata),
      .containers_o(containers), .header_o(header_q3),
      .copy_i(lane_i), .write_i(table_write_i), .read_i(table_read_i), .answer_o(parser_answer)
    );
  end

  // ---- cycles 2 to 5, beside it: capsules
  capsule_bits_t capsule;
  sluice_capsule_parser u_capsule (
    .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .valid_i(stored), .row_i(overlay_2), .header_i(header),
    .continued_i(continued), .waited_i(waited), .round_i(8'(round_q3)), .active_i(active),
    .passes_i(enter_o.valid), .kept_i(header_q3),
    .capsule_o(capsule),
    .copy_i(lane_i), .write_i(table_write_i), .read_i(table_read_i), .answer_o(tenant_answer)
  );

  // ---- cycles 2 to 5, beside it: arrays
  array_bits_t array;
  sluice_array_parser u_array (
    .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .valid_i(stored), .row_i(overlay_2), .header_i(header_q3), .len_i(len_q3), .array_o(array),
    .copy_i(lane_i), .write_i(table_write_i), .read_i(table_read_i), .answer_o(array_answer)
  );

  // ---- cycle 5
  assign item_o = '{valid: stored_q5, reason: reason_q5, phv: '{meta: meta_q5, capsule: capsule,
      array: array, cont: containers}};

  // ---- from cycle 5 on, beside the front stages: array match
  sluice_array_match u_match (
    .clk_i, .rst_ni, .settings_i, .lane_i,
    .ahead_i(stored_q4), .row_i(meta_q4.overlay), .item_i(item_o),
    .valid_o(matched_valid_o), .matched_o, .pop_i(matched_pop_i),
    .write_i(table_write_i), .read_i(table_read_i), .answer_o(match_answer)
  );

  sluice_lane_registers u_registers (
    .clk_i, .rst_ni, .lane_i, .clear_i(settings_i.clear),
    .done_i(done), .arrived_i(stored), .len_i(len), .drop_i(drop_o.filter),
    .used_i, .waiting_i(waiting),
    .csr_req_i, .csr_rsp_o
  );
endmodule : sluice_lane
