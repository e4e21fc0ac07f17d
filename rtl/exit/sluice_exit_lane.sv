// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// The exit of one lane: picks a packet, reads its header from the lane's packet buffer, writes the
/// containers and the array into it, brings its checksums up to date, and works out where it goes.
/// In a chip with capsules it ends with what their programs have left, and counts those that had a
/// fault, by their id. In a chip with recirculation it also decides whether the packet goes through
/// the chip again: rounds, then a token of its module (sluice_budget), in the cycle in which the
/// other ports are found.
/// With OutputClasses a packet is marked for congestion if an output queue that it asks for is deep
/// (sluice_depth_mark), in cycle 3, together with what the order point saw.
/// Latency 5 cycles from push_i to fate_o (of them 1 in the exit queue, 1 for the header to be
/// read, 3 for deparser and checksum), 6 with capsules (sluice_capsule_exit). With it comes the
/// first step of the header; the other steps follow it.
/// One packet in HeaderSteps cycles, so one per cycle but in narrow chips. Behind the exit queue
/// nothing ever waits.
module sluice_exit_lane
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_exit_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_buffer_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  pipe_t                 lane_i,
  input  exit_settings_t        settings_i,
  // from the last back stage
  input  logic [NumPipes-1:0]   push_i,
  input  exit_t [NumPipes-1:0]  packet_i,
  output logic [NumPipes-1:0]   freed_o,
  output logic                  departed_o,
  output logic [15:0]           waiting_o,
  // header of the packet, step by step, each one cycle after its request
  output header_req_t           header_req_o,
  input  logic [StepBits-1:0]   header_i,
  // to the traffic manager; its ports a cycle ahead
  output logic [NumPorts-1:0]   ports_o,
  output logic                  valid_o,
  output fate_t                 fate_o,
  output logic                  again_o,        // with ports_o: it is to be recirculated
  output queue_class_t          queue_class_o,  // with ports_o
  // with classes: packets that the output queues of the lane hold, [output lane][class]
  input  held_t [NumPipes-1:0][OutputQueues-1:0] held_i,
  output bank_event_t           leave_o,        // all tables have been read for a packet
  output logic [StepBits-1:0]   header_o,
  // capsules of an id that had a fault: the count, a cycle after the question
  input  logic                  faults_re_i,
  input  id_t                   faults_id_i,
  output logic [31:0]           faults_o,
  // chain node
  input  table_write_t          write_i,
  input  table_read_t           read_i,
  output word_answer_t          answer_o
);
  // ---- cycle 1 (after push_i): pick; reads header and tables
  logic  pick_valid, picked;                     // now, or before: a step of its header is read
  exit_t pick, packet_q2;
  step_t step_q;                                 // of the packet that was picked last, to be read
  assign picked = HeaderSteps > 1 && step_q != '0;
  sluice_exit_queue u_queue (
    .clk_i, .rst_ni, .push_i, .packet_i, .ready_i(!picked),
    .valid_o(pick_valid), .packet_o(pick), .freed_o, .departed_o, .waiting_o
  );
  logic  read_header;
  assign read_header  = pick_valid || picked;
  assign header_req_o = '{valid: read_header, slot: picked ? packet_q2.hdr : pick.hdr,
      step: step_q};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                            step_q <= '0;
    else if (HeaderSteps > 1 && read_header) step_q <= step_q + 1'b1;
  end

  logic [TableDeparserWidth-1:0] entry;
  deparse_opt_t                  opt;
  logic [AllPorts-1:0]           row_ports, module_ports;
  logic [7:0]                    rounds;
  queue_class_t                  queue_class;
  sluice_exit_tables u_tables (
    .clk_i, .rst_ni, .lane_i, .settings_i,
    .re_i(pick_valid), .row_i(pick.overlay), .dest_i(pick.dest),
    .entry_o(entry), .opt_o(opt), .ports_o(row_ports), .module_ports_o(module_ports),
    .rounds_o(rounds), .queue_class_o(queue_class),
    .write_i, .read_i, .answer_o
  );

  // ---- cycle 2: destination; first half of the deparser
  logic  valid_q2;
  fate_t fate;
  logic                forks;                    // it goes on, and leaves as well
  logic [AllPorts-1:0] named, ports, allowed, stays;

  assign named   = NumPorts <= 8 ? AllPorts'(packet_q2.dest) : row_ports;
  assign allowed = ports & module_ports;

  // Recirculation: rounds, then the budget. A capsule that goes on takes no other port, unless it
  // forks: then that of recirculation is one more of its ports, and has no rounds.
  logic goes_on, asks, paid;
  if (Recirculation != 0) begin : gen_again
    again_t came;
    assign came    = packet_q2.beside;
    assign goes_on = !packet_q2.discard && packet_q2.more && module_ports[NumPorts];
    always_comb begin
      ports = named;
      if (forks) ports[NumPorts] = 1'b1;
      stays = allowed;
      if (!forks && came.round >= rounds) stays[NumPorts] = 1'b0;
    end
    assign asks = !packet_q2.discard && (goes_on || stays[NumPorts]);
    sluice_budget u_budget (
      .clk_i, .rst_ni, .lane_i, .settings_i, .want_i(valid_q2 && asks),
      .row_i(packet_q2.overlay), .paid_o(paid), .write_i, .read_i
    );
  end else begin : gen_once
    assign ports   = named;
    assign stays   = allowed;
    assign goes_on = 1'b0;
    assign asks    = 1'b0;
    assign paid    = 1'b0;
  end
  always_comb begin
    fate.ticket = packet_q2.ticket;
    fate.len    = packet_q2.len;
    fate.cutout = '0;                        // told with the last step
    fate.hdr    = packet_q2.hdr;
    fate.overlay = packet_q2.overlay;
    fate.queue_class = queue_class;
    {fate.deep, fate.held} = '0;             // not known yet
    fate.vid_high = EgressStages != 0 ? packet_q2.vid_high : '0;
    fate.reason = packet_q2.discard ? DropDiscardBack : goes_on ? DropNone
                : ports == '0 ? DropNoDest : allowed == '0 ? DropForbidden
                : stays == '0 ? DropRounds : DropNone;
    fate.ports  = packet_q2.discard || (goes_on && !forks) ? '0 : stays[NumPorts-1:0];
    fate.some_forbidden = !packet_q2.discard && (!goes_on || forks) && stays != '0
        && allowed != ports;
    fate.again  = asks && paid;
    fate.unpaid = asks && !paid;
    fate.beside = packet_q2.beside;
  end

  assign leave_o = '{valid: valid_q2, overlay: packet_q2.overlay};

  logic                deparsed;
  logic [StepBits-1:0] header_ahead, header_old, header_new;
  logic [HeaderBytes/2-1:0] over;
  logic [HeaderBits-1:0]    over_header;
  logic [7:0]               bytes;           // of the packet, in the header
  assign bytes = packet_q2.len < len_t'(HeaderBytes) ? {1'b0, packet_q2.len[6:0]}
                                                     : 8'(HeaderBytes);
  sluice_array_exit u_array (
    .clk_i, .rst_ni, .valid_i(valid_q2), .array_i(packet_q2.array),
    .over_o(over), .over_header_o(over_header)
  );
  sluice_deparser u_deparser (
    .clk_i, .rst_ni, .valid_i(valid_q2), .entry_i(entry), .cont_i(packet_q2.cont),
    .bytes_i(bytes), .header_i(header_i), .over_i(over), .over_header_i(over_header),
    .valid_o(deparsed), .ahead_o(header_ahead), .old_o(header_old), .header_o(header_new)
  );

  // ---- cycles 3 and 4, and 5 for the insertion: deparser, checksum
  logic         valid_q3, valid_q5;
  fate_t        fate_q3, fate_q4, fate_q5;
  deparse_opt_t opt_q3;
  logic         mark_q3, mark_q4;
  logic [NumPorts-1:0] ports_q4;
  logic                again_q4;
  logic [StepBits-1:0] header_q5;

  // ---- cycle 3: are the queues deep that it asks for?
  logic  deep;
  held_t held;
  sluice_depth_mark u_depth (
    .class_ecn_i(settings_i.class_ecn), .ports_i(fate_q3.ports),
    .queue_class_i(fate_q3.queue_class), .held_i, .deep_o(deep), .held_o(held)
  );

  if (Checksums != 0) begin : gen_checksum
    sluice_checksum u_checksum (
      .clk_i, .ahead_valid_i(valid_q3), .ahead_opt_i(opt_q3), .ahead_len_i(fate_q3.len),
      .ahead_old_i(header_ahead),
      .valid_i(deparsed), .mark_i(mark_q4), .old_i(header_old), .header_i(header_new),
      .header_o(header_q5)
    );
  end else begin : gen_mark
    sluice_ecn_mark u_mark (
      .clk_i, .rst_ni, .ahead_old_i(header_ahead),
      .valid_i(deparsed), .mark_i(mark_q4), .header_i(header_new), .header_o(header_q5)
    );
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q2 <= 1'b0;
      valid_q3 <= 1'b0;
      valid_q5 <= 1'b0;
      ports_q4 <= '0;
      again_q4 <= 1'b0;
    end else begin
      valid_q2 <= pick_valid;
      valid_q3 <= valid_q2;
      valid_q5 <= deparsed;
      ports_q4 <= valid_q3 ? fate_q3.ports : '0;
      again_q4 <= valid_q3 && fate_q3.again;
    end
  end

  always_ff @(posedge clk_i) begin
    if (pick_valid) packet_q2 <= pick;
    if (valid_q2) begin
      fate_q3 <= fate;
      opt_q3  <= opt;
      mark_q3 <= packet_q2.mark;
    end
    if (valid_q3) begin
      fate_q4      <= fate_q3;
      fate_q4.deep <= deep;
      fate_q4.held <= held;
      mark_q4      <= mark_q3 || deep;
    end
    if (deparsed) fate_q5 <= fate_q4;
  end

  // ---- in a chip with capsules: faults; and in cycle 6 what their programs have left
  if (Active != 0) begin : gen_capsule
    capsule_end_t picked_end, end_q2;
    assign picked_end = pick.capsule;
    assign end_q2     = packet_q2.capsule;
    assign forks      = goes_on && end_q2.forked;
    sluice_id_counts u_faults (
      .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
      .re_i(pick_valid), .id_i(picked_end.id),
      .count_i(valid_q2 && end_q2.valid && end_q2.first_fault), .value_o(),
      .control_re_i(faults_re_i), .control_id_i(faults_id_i), .control_value_o(faults_o)
    );
    logic                valid_q6;
    logic [NumPorts-1:0] ports_q5;
    logic                again_q5;
    capsule_end_bits_t   capsule_q3, capsule_q4, capsule_q5;
    capsule_end_t        ending;             // one that goes on has not ended yet
    always_comb begin
      ending = packet_q2.capsule;
      if (goes_on && !forks) {ending.returned, ending.fault} = '0;
    end
    fate_t               fate_q6;
    cutout_t             cutout;
    sluice_capsule_exit u_capsule (
      .clk_i, .rst_ni, .valid_i(valid_q5), .capsule_i(capsule_q5), .len_i(fate_q5.len),
      .header_i(header_q5), .cutout_o(cutout), .header_o
    );
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        valid_q6 <= 1'b0;
        ports_q5 <= '0;
        again_q5 <= 1'b0;
      end else begin
        valid_q6 <= valid_q5;
        ports_q5 <= ports_q4;
        again_q5 <= again_q4;
      end
    end
    always_ff @(posedge clk_i) begin
      if (valid_q2) capsule_q3 <= ending;
      if (valid_q3) capsule_q4 <= capsule_q3;
      if (deparsed) capsule_q5 <= capsule_q4;
      if (valid_q5) fate_q6    <= fate_q5;
    end
    always_comb begin
      fate_o        = fate_q6;
      fate_o.cutout = cutout;
    end
    assign valid_o = valid_q6;
    assign ports_o = ports_q5;
    assign again_o = again_q5;
    assign queue_class_o = fate_q5.queue_class;
    `SLUICE_ASSERT(StillAsksForItsPorts_A, ports_o == (valid_q5 ? fate_q5.ports : '0))
  end else begin : gen_plain
    assign forks          = 1'b0;
    assign faults_o       = '0;
    assign valid_o  = valid_q5;
    assign ports_o  = ports_q4;
    assign again_o  = again_q4;
    assign queue_class_o = fate_q4.queue_class;
    assign fate_o   = fate_q5;
    assign header_o = header_q5;
  end

  `SLUICE_ASSERT(AsksForItsPorts_A, ports_q4 == (deparsed ? fate_q4.ports : '0))
  `SLUICE_ASSERT(AsksForItsPlace_A, again_q4 == (deparsed && fate_q4.again))
endmodule : sluice_exit_lane
