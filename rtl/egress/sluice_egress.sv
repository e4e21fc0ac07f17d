// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// The egress of one output lane: parser, EgressStages match-action stages with state, deparser and
/// checksums for each copy between the queues and the wire (docs/egress.md).
///
/// Cycles, counted from the one in which the first beat of a copy leaves its queue:
///   0   PARSER is read, the header is kept; metadata
///   1   the beat is on the line: header and beats go to their FIFOs; windows
///   3   containers: stage 0, then CoreCycles a stage. N = 3 + EgressStages * CoreCycles
///   N   tables of the deparser are read; the discard flag is known
///   N+1 deparser, two cycles; checksums, one
///   N+4 the header is done, and waits for the wire
///   N+5 its first beat on the wire, if that is free
/// In a chip with capsules their instructions are taken out behind that: sluice_header_move in
/// cycle N+4, then sluice_cutout, a cycle more. Parser, stages and deparser see the packet with all
/// of them, and its whole length.
/// Latency: a beat that would be on the wire in cycle 1 is there in EgressCycles more
/// (sluice_stage_pkg). Throughput: a beat a cycle, so a 64-byte copy a cycle.
/// Nothing in it stalls but the last FIFOs, in front of sluice_egress_wire.
/// Reset: no copy is inside.
/// Invariant: copies leave in the order in which they came, whole or not at all.
module sluice_egress
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_exit_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_probe_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_stage_pkg::*;
#(
  // stages behind one another; the chip has EgressStages
  parameter int unsigned Stages = EgressStages > 0 ? EgressStages : 1
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  pipe_t                               lane_i,
  input  stage_settings_t                     settings_i,
  input  logic [31:0]                         cycle_i,
  // from the queues: see sluice_transmit
  output logic                                room_o,
  input  start_t                              start_i,
  input  sent_t                               left_i,
  input  logic [PortsPerLane-1:0][15:0]       waiting_i,    // copies, with the one that starts
  input  tx_beat_t                            line_i,       // a cycle after they have left
  // wire
  output tx_beat_t                            tx_o,
  input  logic                                tx_ready_i,
  output sent_t                               sent_o,
  // events
  output drop_t                               drop_o,
  output bank_event_t                         past_o,       // of a copy all tables have been read
  output lane_set_t                           discarded_o,
  output probe_egress_t                       probe_o,
  // control: the tables of the egress
  input  table_write_t                        write_i,
  input  table_read_t                         read_i,
  output word_answer_t                        answer_o,
  // ... and of its stages: see sluice_egress_stage
  input  table_write_t [Stages-1:0]           stage_write_i,
  output table_ready_t [Stages-1:0]           stage_ready_o,
  input  table_read_t  [Stages-1:0]           stage_read_i,
  output word_answer_t [Stages-1:0]           stage_answer_o,
  output logic         [Stages-1:0]           read_busy_o,
  input  logic         [Stages-1:0]           read_busy_i,
  output logic         [Stages-1:0]           fill_busy_o
);
  localparam int unsigned PortBits = index_bits(PortsPerLane);
  typedef logic [PortBits-1:0] lane_port_t;

  // What goes with a copy beside its PHV.
  typedef struct packed {
    logic [31:0] ticket;
    lane_port_t  port;                          // of the lane
    len_t        len;
    cutout_t     cutout;
    overlay_t    overlay;
  } about_t;

  // ---- cycle 0: metadata
  beside_copy_t      beside;
  egress_metadata_t  metadata, metadata_q, before_q;
  about_t            about, about_q;
  logic [7:0]       bytes_q;                    // of the packet, in the header
  meta_t             meta, meta_q [1:3];
  logic [3:1]        valid_q;
  port_set_t         below;                     // copies to lower ports
  assign beside = start_i.egress;

  always_comb begin
    metadata = '0;
    about    = '{ticket: start_i.ticket, port: '0, len: start_i.len, cutout: start_i.cutout,
                 overlay: beside.overlay};
    for (int unsigned p = 0; p < PortsPerLane; p++)
      if (start_i.port[p]) begin
        about.port         = about.port | lane_port_t'(p);
        metadata.depth_in  = metadata.depth_in | 16'(beside.depth_in[p]);
        metadata.depth_out = metadata.depth_out | waiting_i[p];
      end
    metadata.module_id = {beside.vid_high, row_t'(beside.overlay), 4'd0};
    metadata.delay     = cycle_i - beside.accepted;
    metadata.port_out  = 16'(NumPipes) * 16'(about.port) + 16'(lane_i);
    for (int unsigned p = 0; p < LinePorts; p++)
      below[p] = beside.copies[p] && 16'(p) < metadata.port_out;
    metadata.copy      = 16'($countones(below));
    metadata.cycle     = cycle_i;
    metadata.depth_out = metadata.depth_out - 16'd1;
    metadata.length    = 16'(start_i.len);
    meta          = '0;
    meta.vid_high = beside.vid_high;
    meta.overlay  = beside.overlay;
    meta.len      = start_i.len;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else         valid_q <= {valid_q[2:1], start_i.valid};
  end
  always_ff @(posedge clk_i) begin
    if (start_i.valid) begin
      metadata_q <= metadata;
      before_q   <= metadata_q;
      about_q    <= about;
      bytes_q    <= start_i.len < len_t'(HeaderBytes) ? {1'b0, start_i.len[6:0]}
                                                      : 8'(HeaderBytes);
      meta_q[1]  <= meta;
    end
    for (int unsigned c = 2; c <= 3; c++) if (valid_q[c-1]) meta_q[c] <= meta_q[c-1];
  end

  // ---- cycles 0 to 3: parser
  containers_t           containers;
  logic [HeaderBits-1:0] parsed_header;         // in cycle 1
  word_answer_t          parser_answer;
  sluice_parser #(.Egress(1'b1)) u_parser (
    .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .stale_i(1'b0),
    .valid_i(start_i.valid), .row_i(beside.overlay), .header_i(start_i.header),
    .metadata_i(settings_i.fault[FaultEgressStale] ? before_q : metadata_q),
    .containers_o(containers), .header_o(parsed_header),
    .copy_i(lane_i), .write_i, .read_i, .answer_o(parser_answer)
  );

  // ---- cycle 1: headers wait for the stages, the other beats for the wire. What is said of a
  // header is in a memory of its own: a narrow one is read sooner.
  logic                  head_valid;
  about_t                head;
  logic [7:0]            head_bytes;
  logic [HeaderBits-1:0] head_header;
  logic                  head_pop;
  sluice_ram_fifo #(.Depth(EgressHeaders), .Width(8 + $bits(about_t))) u_heads (
    .clk_i, .rst_ni,
    .push_i(valid_q[1]), .data_i({about_q, bytes_q}), .full_o(),
    .valid_o(head_valid), .data_o({head, head_bytes}), .pop_i(head_pop),
    .count_o()
  );
  sluice_ram_fifo #(.Depth(EgressHeaders), .Width(HeaderBits)) u_headers (
    .clk_i, .rst_ni,
    .push_i(valid_q[1]), .data_i(parsed_header), .full_o(),
    .valid_o(), .data_o(head_header), .pop_i(head_pop),
    .count_o()
  );

  logic                in_header;               // the beat on the line is one of the header
  logic                body_valid, body_last, body_pop;
  logic [BeatBits-1:0] body_data;
  if (HeaderBeats > 1) begin : gen_header_beats
    logic second_q;                             // the next beat is the second of a copy
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)           second_q <= 1'b0;
      else if (line_i.valid) second_q <= valid_q[1];
    end
    assign in_header = valid_q[1] || second_q;
  end else begin : gen_header_beat
    assign in_header = valid_q[1];
  end
  sluice_ram_fifo #(.Depth(EgressRoom), .Width(BeatBits + 1)) u_bodies (
    .clk_i, .rst_ni,
    .push_i(line_i.valid && !in_header), .data_i({line_i.last, line_i.data}),
    .full_o(),
    .valid_o(body_valid), .data_o({body_last, body_data}), .pop_i(body_pop),
    .count_o()
  );

  // ---- cycles 3 to N: stages
  logic [Stages:0] valid;                       // [s]: into stage s
  phv_t            phv [Stages+1];
  logic [Stages-1:0] hold;
  assign valid[0] = valid_q[3];
  assign phv[0]   = '{meta: meta_q[3], capsule: '0, array: '0, cont: containers};
  for (genvar s = 0; s < Stages; s++) begin : gen_stage
    sluice_egress_stage u_stage (
      .clk_i, .rst_ni, .lane_i, .settings_i,
      .valid_i(valid[s]), .phv_i(phv[s]), .valid_o(valid[s+1]), .phv_o(phv[s+1]),
      .hold_o(hold[s]),
      .write_i(stage_write_i[s]), .write_ready_o(stage_ready_o[s]), .read_i(stage_read_i[s]),
      .answer_o(stage_answer_o[s]),
      .read_busy_o(read_busy_o[s]), .read_busy_i(read_busy_i[s]), .fill_busy_o(fill_busy_o[s])
    );
  end

  // ---- cycle N: discard; what the deparser reads
  logic [2:0]                    keep_q;        // test fault: one in eight stays
  logic                          discards, drop_q1;
  logic [TableDeparserWidth-1:0] entry;
  deparse_opt_t                  opt;
  containers_t                   cont_q1;
  logic                          valid_q1, valid_q2, valid_q4;
  word_answer_t                  deparser_answer, opt_answer;
  overlay_t                      deparse_row;
  assign discards    = valid[Stages] && phv[Stages].meta.discard;
  assign deparse_row = phv[Stages].meta.overlay;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                          keep_q <= '0;
    else if (TestFaults != 0 && discards) keep_q <= keep_q + 3'd1;
  end
  sluice_config_table #(.Which(TableEgressDeparser)) u_entries (
    .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .copy_i(lane_i),
    .re_i(valid[Stages]), .row_i(deparse_row), .entry_o(entry),
    .write_i, .read_i, .answer_o(deparser_answer)
  );
  sluice_config_table #(.Which(TableEgressOpt)) u_opts (
    .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .copy_i(lane_i),
    .re_i(valid[Stages]), .row_i(deparse_row), .entry_o(opt),
    .write_i, .read_i, .answer_o(opt_answer)
  );
  assign answer_o = parser_answer | deparser_answer | opt_answer;

  // ---- cycles N + 1 to N + 4: deparser, checksums. [q1]: in cycle N + 1
  logic                  deparsed, drop_q2, drop_q3, drop_q4;
  about_t                about_q2, about_q3, about_q4;
  deparse_opt_t          opt_q2;
  logic [StepBits-1:0]   header_ahead, header_old, header_new, header_q4;
  assign head_pop = valid_q1;
  sluice_deparser u_deparser (
    .clk_i, .rst_ni, .valid_i(valid_q1), .entry_i(entry), .cont_i(cont_q1), .bytes_i(head_bytes),
    .header_i(head_header), .over_i('0), .over_header_i('0),
    .valid_o(deparsed), .ahead_o(header_ahead), .old_o(header_old), .header_o(header_new)
  );
  if (Checksums != 0) begin : gen_checksum
    sluice_checksum u_checksum (
      .clk_i, .ahead_valid_i(valid_q2), .ahead_opt_i(opt_q2), .ahead_len_i(about_q2.len),
      .ahead_old_i(header_ahead),
      .valid_i(deparsed), .mark_i(1'b0), .old_i(header_old), .header_i(header_new),
      .header_o(header_q4)
    );
  end else begin : gen_no_checksum
    always_ff @(posedge clk_i) if (deparsed) header_q4 <= header_new;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q1 <= 1'b0;
      valid_q2 <= 1'b0;
      valid_q4 <= 1'b0;
    end else begin
      valid_q1 <= valid[Stages];
      valid_q2 <= valid_q1;
      valid_q4 <= deparsed;
    end
  end
  always_ff @(posedge clk_i) begin
    if (valid[Stages]) begin
      cont_q1 <= phv[Stages].cont;
      drop_q1 <= discards && !(settings_i.fault[FaultEgressKeep] && keep_q == '1);
    end
    if (valid_q1) begin
      drop_q2  <= drop_q1;
      about_q2 <= head;
      opt_q2   <= opt;
    end
    if (valid_q2) begin
      drop_q3  <= drop_q2;
      about_q3 <= about_q2;
    end
    if (deparsed) begin
      drop_q4  <= drop_q3;
      about_q4 <= about_q3;
    end
  end

  // ---- its fate
  logic [7:0] port_q2;
  assign port_q2 = 8'(NumPipes) * 8'(about_q2.port) + 8'(lane_i);
  assign drop_o  = '{valid: valid_q2 && drop_q2, known: 1'b1, row: row_t'(about_q2.overlay),
                     reason: DropEgress};
  assign past_o  = '{valid: valid_q1, overlay: head.overlay};
  always_comb begin
    discarded_o = '0;
    for (int unsigned p = 0; p < PortsPerLane; p++)
      discarded_o[p] = valid_q2 && drop_q2 && about_q2.port == lane_port_t'(p);
    probe_o = '0;
    probe_o.enter = start_i.valid;
    probe_o.left  = left_i.valid;
    probe_o.done  = valid_q2;
    if (start_i.valid) {probe_o.ticket, probe_o.port} = {start_i.ticket, metadata.port_out[7:0]};
    if (valid_q2) {probe_o.done_ticket, probe_o.done_port, probe_o.dropped}
        = {about_q2.ticket, port_q2, drop_q2};
  end

  // ---- cycle N + 4: headers that are done wait for the wire; what is to be taken out of a capsule
  // is first in it
  logic [HeaderBits-1:0] ready_q4;
  sluice_header_move u_move (
    .header_i(header_q4), .cutout_i(about_q4.cutout), .header_o(ready_q4)
  );
  logic                  done_valid, done_drop, done_pop;
  about_t                leaves_q4, done;        // their len: of the bytes that leave
  logic [1:0]            beats_q4, done_beats;   // [0]: one beat is all of it; [1]: two are
  logic [HeaderBits-1:0] done_header;
  always_comb begin
    leaves_q4     = about_q4;
    leaves_q4.len = about_q4.len - len_t'(about_q4.cutout);
  end
  assign beats_q4 = {about_q4.len <= len_t'(HeaderBytes), about_q4.len <= len_t'(BeatBytes)};
  sluice_ram_fifo #(.Depth(EgressRoom), .Width(3 + $bits(about_t))) u_done (
    .clk_i, .rst_ni,
    .push_i(valid_q4), .data_i({drop_q4, beats_q4, leaves_q4}), .full_o(),
    .valid_o(done_valid), .data_o({done_drop, done_beats, done}), .pop_i(done_pop), .count_o()
  );
  sluice_ram_fifo #(.Depth(EgressRoom), .Width(HeaderBits)) u_done_headers (
    .clk_i, .rst_ni,
    .push_i(valid_q4), .data_i(ready_q4), .full_o(),
    .valid_o(), .data_o(done_header), .pop_i(done_pop), .count_o()
  );

  // ---- the wire
  logic wire_room;
  sluice_egress_wire u_wire (
    .clk_i, .rst_ni, .comes_i(line_i.valid), .room_o(wire_room),
    .valid_i(done_valid), .drop_i(done_drop), .cutout_i(done.cutout), .left_i(done.len),
    .beats_i(done_beats),
    .port_i(8'(NumPipes) * 8'(done.port) + 8'(lane_i)), .ticket_i(done.ticket),
    .header_i(done_header), .pop_o(done_pop),
    .body_valid_i(body_valid), .body_last_i(body_last), .body_i(body_data), .body_pop_o(body_pop),
    .tx_o, .tx_ready_i, .sent_o
  );
  assign room_o = wire_room && hold == '0;

  `SLUICE_ASSERT(OneCopyAtATime_A, $onehot0(start_i.port) || !start_i.valid)
  `SLUICE_ASSERT(StartIsOnTheLine_A, !valid_q[1] || line_i.valid)
  `SLUICE_ASSERT(HeaderWaits_A, !valid_q1 || head_valid)
endmodule : sluice_egress
