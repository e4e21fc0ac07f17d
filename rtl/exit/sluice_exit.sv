// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// From the last back stage to the traffic manager, lane by lane: exit queue, deparser, checksums
/// or congestion mark, and where the packet goes.
/// Latency 5 cycles (6 with capsules) from transit_i to valid_o with the first step of the header;
/// ports_o a cycle before. Every lane takes a packet per cycle (in narrow chips in four).
/// Invariant: between transit_i and valid_o nothing ever waits but for its turn, so credits always
/// come back, and packets of a lane leave in the order in which they left the exit queue.
module sluice_exit
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_order_pkg::*;
  import sluice_exit_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_table_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_buffer_pkg::*;
(
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  exit_settings_t                      settings_i,
  // from the last back stage: `pipe` is the lane
  input  transit_t [NumPipes-1:0]             transit_i,
  output logic [NumPipes-1:0][NumPipes-1:0]   freed_o,       // [lane][source pipeline]
  output logic [NumPipes-1:0]                 departed_o,
  input  logic [31:0]                         next_ticket_i,
  // packet buffers of the lanes
  output header_req_t [NumPipes-1:0]          header_req_o,
  input  logic [NumPipes-1:0][StepBits-1:0]   header_i,
  // to the traffic manager: the ports that a packet asks for; a cycle later the packet, and the
  // first step of its header; the others come in the cycles behind it
  output logic [NumPipes-1:0][NumPorts-1:0]   ports_o,
  output logic [NumPipes-1:0]                 valid_o,
  output fate_t [NumPipes-1:0]                fate_o,
  output logic [NumPipes-1:0]                 again_o,       // with ports_o: recirculate it
  output queue_class_t [NumPipes-1:0]         queue_class_o, // with ports_o
  // with classes: packets that the output queues hold, [output lane][lane][class]
  input  held_t [NumPipes-1:0][NumPipes-1:0][OutputQueues-1:0] held_i,
  output logic [NumPipes-1:0][StepBits-1:0]   header_o,
  // all tables have been read for a packet
  output bank_event_t [NumPipes-1:0]          leave_o,
  // control
  input  chain_t                              chain_i,
  output logic                                chain_ready_o,
  output chain_t                              chain_o,
  input  logic                                chain_ready_i,
  input  csr_req_t                            csr_req_i,
  output csr_rsp_t                            csr_rsp_o
);
  // ---- chain node
  table_write_t write;
  table_read_t  read;
  word_answer_t answer;
  word_answer_t [NumPipes-1:0] answers;
  sluice_table_node #(.Owned(tables_of(ScopeExit))) u_node (
    .clk_i, .rst_ni, .stage_i('0), .chain_i, .chain_ready_o, .chain_o, .chain_ready_i,
    .refuse_i(1'b0),
    .write_o(write), .write_ready_i('{ready: 1'b1, refused: 1'b0}), .read_o(read), .answer_i(answer)
  );
  always_comb begin
    answer = '0;
    for (int unsigned l = 0; l < NumPipes; l++) answer |= answers[l];
  end

  // ---- what comes in. The ticket is worked out here from the tag: the next ticket is 1 ..
  // 2^TagBits - 1 ahead of it. Of those a window is needed while the packet is in flight, and
  // another one at most since the window let it go (TicketIsNear_A).
  exit_t [NumPipes-1:0] incoming;
  for (genvar s = 0; s < NumPipes; s++) begin : gen_incoming
    tag_t distance;
    capsule_end_bits_t leaving;
    continued_bits_t   registers;
    logic              more;               // a capsule that is not done, and has a round left
    again_bits_t       beside;
    if (Active != 0) begin : gen_capsule
      carried_t             capsule;
      capsule_end_t         left;
      assign capsule = transit_i[s].packet.phv.capsule;
      assign left    = '{
        valid:    capsule.valid,
        complete: capsule.complete,
        returned: capsule.returned,
        fault:    capsule.fault && capsule.report && capsule.known,
        first_fault: capsule.first_fault,
        forked:   capsule.forked,
        id:       capsule.id,
        length:   capsule.length,
        data:     capsule.data,
        src:      capsule.tuple.src,
        dst:      capsule.tuple.dst
      };
      assign leaving = left;
      continued_t           going_on;
      assign more      = Recirculation != 0 && capsule.more && !capsule.complete
                      && 32'(capsule.length) > BackStages + 1;
      assign going_on  = '{
        valid:         more,
        skip:          capsule.skip,
        skip_numbered: capsule.skip_numbered,
        skip_label:    capsule.skip_label,
        returned:      capsule.returned && !capsule.forked,
        fault:         capsule.fault,
        late:          capsule.late,
        mar:           capsule.mar,
        mbr:           capsule.mbr,
        mbr2:          capsule.mbr2,
        hash:          capsule.hash
      };
      assign registers = going_on;
    end else begin : gen_passive
      assign leaving   = '0;
      assign more      = 1'b0;
      assign registers = '0;
    end
    if (Recirculation != 0) begin : gen_again
      meta_t  meta;
      again_t again;
      assign meta   = transit_i[s].packet.phv.meta;
      assign again  = '{
        round:     8'(meta.round),
        row:       row_t'(meta.overlay),
        port_in:   meta.port_in,
        dest:      meta.dest,
        waited:    '0,
        continued: registers
      };
      assign beside = again;
    end else begin : gen_once
      assign beside           = '0;
    end
    assign distance = next_ticket_i[TagBits-1:0] - transit_i[s].packet.tag;
    assign incoming[s] = '{
      vid_high: EgressStages != 0 ? vid_bits_t'(transit_i[s].packet.phv.meta.vid_high) : '0,
      ticket:  next_ticket_i - {{(31-TagBits){1'b0}}, 1'b0, distance},
      overlay: transit_i[s].packet.phv.meta.overlay,
      len:     transit_i[s].packet.phv.meta.len,
      dest:    transit_i[s].packet.phv.meta.dest,
      discard: transit_i[s].packet.phv.meta.discard,
      mark:    transit_i[s].packet.phv.meta.mark,
      hdr:     transit_i[s].packet.phv.meta.hdr,
      capsule: leaving,
      more:    more,
      beside:  beside,
      array:   transit_i[s].packet.phv.array,
      cont:    transit_i[s].packet.phv.cont
    };
    `SLUICE_ASSERT(TicketIsNear_A, !transit_i[s].valid || transit_i[s].escape
        || (distance != '0 && 32'(distance) <= TagSpan))
    `SLUICE_ASSERT(LeavesThroughItsLane_A,
      !transit_i[s].valid || transit_i[s].pipe == transit_i[s].packet.phv.meta.lane)
  end

  // ---- lanes
  csr_rsp_t                  registers_rsp, faults_rsp;
  logic                      faults_read;
  id_t                       faults_id;
  logic [NumPipes-1:0][31:0] faults;
  logic [NumPipes-1:0][15:0] waiting;
  for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
    logic [NumPipes-1:0] push;
    held_t [NumPipes-1:0][OutputQueues-1:0] held;    // [output lane]
    for (genvar o = 0; o < NumPipes; o++) begin : gen_held
      assign held[o] = held_i[o][l];
    end
    for (genvar s = 0; s < NumPipes; s++) begin : gen_source
      assign push[s] = transit_i[s].valid && transit_i[s].pipe == pipe_t'(l);
      `SLUICE_ASSERT(NothingEscapesToTheExit_A, !transit_i[s].valid || !transit_i[s].escape)
    end

    sluice_exit_lane u_lane (
      .clk_i, .rst_ni, .lane_i(pipe_t'(l)), .settings_i,
      .push_i(push), .packet_i(incoming),
      .freed_o(freed_o[l]), .departed_o(departed_o[l]), .waiting_o(waiting[l]),
      .header_req_o(header_req_o[l]), .header_i(header_i[l]),
      .ports_o(ports_o[l]), .valid_o(valid_o[l]), .fate_o(fate_o[l]), .again_o(again_o[l]),
      .queue_class_o(queue_class_o[l]), .held_i(held),
      .header_o(header_o[l]), .leave_o(leave_o[l]),
      .faults_re_i(faults_read), .faults_id_i(faults_id), .faults_o(faults[l]),
      .write_i(write), .read_i(read), .answer_o(answers[l])
    );
  end

  sluice_exit_registers u_registers (
    .clk_i, .rst_ni, .clear_i(settings_i.clear),
    .valid_i(valid_o), .fate_i(fate_o), .waiting_i(waiting), .csr_req_i,
    .csr_rsp_o(registers_rsp)
  );

  // ---- register CAPSULES.FAULTS: the lanes' counts of an id together. It answers in two cycles.
  assign csr_rsp_o = registers_rsp | faults_rsp;
  if (Active != 0) begin : gen_faults
    logic [19:0] offset;
    logic [31:0] sum;
    logic        read_q;
    assign offset      = csr_req_i.addr - BlockCapsulesBase;
    assign faults_id   = offset[$clog2(BlockCapsulesStride) +: IdBits];
    assign faults_read = csr_req_i.valid && csr_req_i.addr >= BlockCapsulesBase
        && 32'(offset) < ActiveIds * 32'(BlockCapsulesStride)
        && 12'(offset % BlockCapsulesStride) == RegCapsulesFaults;
    always_comb begin
      sum = '0;
      for (int unsigned l = 0; l < NumPipes; l++) sum = sum + faults[l];
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        read_q     <= 1'b0;
        faults_rsp <= '0;
      end else begin
        read_q     <= faults_read;
        faults_rsp <= read_q ? '{valid: 1'b1, refused: 1'b0, rdata: sum} : '0;
      end
    end
  end else begin : gen_no_faults
    assign faults_read   = 1'b0;
    assign faults_id     = '0;
    assign faults_rsp    = '0;
  end
endmodule : sluice_exit
