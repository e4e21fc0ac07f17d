// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"
`include "sluice_tag.svh"

/// One column of back stages: the boundary before it, k match-action units with state, the steering
/// to the next boundary, and the column's node of the daisy chain. All columns with state are the
/// same module but for shadow memories, rows and engines; the stage number is a port. Without state
/// (State = 0) there are no order queues, no moves and no state units, and all packets are
/// stateless. The contract is docs/boundary.md.
/// Latency: issue in t, `transit_o` in t + TransitCycle, HopCycles from issue to issue at best
/// (sluice_stage_pkg; 7 and 8 with a match engine of one cycle); phantoms pass in one cycle.
/// Throughput: one packet a pipeline and cycle. Invariant: nothing that comes is ever refused: the
/// sender has reserved room, see the contract.
module sluice_back_stage
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_probe_pkg::*;
  import sluice_table_pkg::*;
  import sluice_stage_pkg::*;
#(
  parameter int unsigned Depth = BankDepth,      // slots of a bank, here and at the next boundary
  parameter bit          State = 1'b1            // the stage holds state
) (
  input  logic                                    clk_i,
  input  logic                                    rst_ni,
  input  stage_t                                  stage_i,
  input  stage_settings_t                         settings_i,
  // from the boundary's sources and the order point
  input  transit_t     [NumPipes-1:0]             transit_i,
  input  phantom_t     [NumPipes-1:0]             phantom_i,      // [lane]
  output phantom_t     [NumPipes-1:0]             phantom_o,
  input  move_t                                   move_i,         // comes with the phantoms
  output move_t                                   move_o,
  output landed_t                                 landed_o,
  output mark_request_t                           mark_o,         // asks the order point for a mark
  input  cut_t                                    cut_i,
  output logic                                    cut_busy_o,     // some unit walks its slots
  input  tag_t                                    oldest_i,
  output logic         [NumPipes-1:0][NumPipes-1:0] freed_o,      // [pipeline][source]
  output logic         [NumPipes-1:0]             departed_o,
  output report_t      [NumPipes-1:0]             report_o,
  output logic         [NumPipes-1:0][15:0]       waiting_o,
  output logic         [NumPipes-1:0]             done_valid_o,
  output tag_t         [NumPipes-1:0]             done_tag_o,
  // to and from the next boundary, or the exit
  output transit_t     [NumPipes-1:0]             transit_o,
  input  logic         [NumPipes-1:0][NumPipes-1:0] freed_i,      // [destination][pipeline]
  input  logic         [NumPipes-1:0]             departed_i,
  // control
  output logic                                    fill_busy_o,
  input  chain_t                                  chain_i,
  output logic                                    chain_ready_o,
  output chain_t                                  chain_o,
  input  logic                                    chain_ready_i,
  input  csr_req_t                                csr_req_i,
  output csr_rsp_t                                csr_rsp_o,
  output error_t                                  error_o,
  output probe_state_t [NumPipes-1:0]             probe_o
);
  localparam bit Cut   = State && CutStages != 0;             // it has shadow memories
  localparam bit Array = State && ArrayWords != 0;            // ... and rows of words

  // ---- phantoms: every stage takes what is meant for it and passes all on
  localparam int unsigned AccessBits = index_bits(StateStages);
  resolution_t [NumPipes-1:0] access;
  tag_t        [NumPipes-1:0] phantom_tag;
  slot_t       [NumPipes-1:0] phantom_slot;
  logic        [NumPipes-1:0] phantom_here;
  for (genvar l = 0; l < NumPipes; l++) begin : gen_phantom
    assign access[l]       = phantom_i[l].access[AccessBits'(stage_i)];
    assign phantom_here[l] = State && phantom_i[l].valid && access[l].valid;
    assign phantom_tag[l]  = phantom_i[l].tag;
    assign phantom_slot[l] = access[l].slot;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                                       phantom_o[l] <= '0;
      else if (phantom_i[l].valid || phantom_o[l].valid) phantom_o[l] <= phantom_i[l];
    end
  end

  // ---- moves: likewise; those of this stage are in its buffer while they are under way
  move_t                        move;
  logic         [NumPipes-1:0]  hold, pending, move_read, land;
  tag_t         [NumPipes-1:0]  head_tag;
  slot_t        [NumPipes-1:0]  head_slot;
  move_name_t   [NumPipes-1:0]  move_read_id;
  moved_t       [NumPipes-1:0]  moved;
  slot_t                        land_slot;
  grant_value_t                 grant_value;
  always_comb begin
    move       = move_i;
    move.valid = State && move_i.valid && move_i.stage == stage_i;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                           move_o <= '0;
    else if (move_i.valid || move_o.valid) move_o <= move_i;
  end

  sluice_move_buffer #(.State(State), .Array(Array)) u_moves (
    .clk_i, .rst_ni, .early_i(settings_i.fault[FaultMoveEarly]), .move_i(move),
    .head_tag_i(head_tag), .head_slot_i(head_slot), .pending_o(pending),
    .read_i(move_read), .read_id_i(move_read_id), .moved_i(moved),
    .hold_i(hold), .land_o(land), .land_slot_o(land_slot), .land_value_o(grant_value.land),
    .landed_o
  );

  // ---- the daisy chain's node
  localparam table_set_t Tables = tables_of(ScopeStage) | (State ? tables_of(ScopeState) : '0);
  table_write_t write;
  table_read_t  read;
  table_ready_t ready;
  word_answer_t answer;
  sluice_table_node #(.Owned(Tables)) u_node (
    .clk_i, .rst_ni, .stage_i, .chain_i, .chain_ready_o, .chain_o, .chain_ready_i, .refuse_i(1'b0),
    .write_o(write), .write_ready_i(ready), .read_o(read), .answer_i(answer)
  );

  // A write is done when all units have done their part; a unit that has stays ready.
  logic          [NumPipes-1:0] unit_ready, unit_refused, read_busy, fill_busy;
  word_answer_t  [NumPipes-1:0] unit_answer;
  word_answer_t                 leave_answer, row_answer;
  row_read_t     [NumPipes-1:0] row_read;
  assign ready       = '{ready: unit_ready == '1, refused: unit_refused != '0};
  assign fill_busy_o = fill_busy != '0;
  always_comb begin
    answer = leave_answer | row_answer;
    for (int unsigned d = 0; d < NumPipes; d++) answer |= unit_answer[d];
  end

  sluice_stage_rows #(.Array(Array)) u_rows (
    .clk_i, .rst_ni, .read_i(row_read), .moved_i(moved), .answer_o(row_answer)
  );

  // ---- marks
  mark_request_t [NumPipes-1:0] ask;
  logic                         marked;
  sluice_stage_marks #(.State(State)) u_marks (
    .clk_i, .rst_ni, .write_i(write), .read_i(read), .answer_o(leave_answer),
    .ask_i(ask), .moved_i(moved), .marked_o(marked), .value_o(grant_value.mark),
    .row_o(grant_value.mark_row), .request_o(mark_o)
  );

  // ---- cuts: known here a cycle before the first packet behind it can be issued
  cut_t                cut;
  logic [NumPipes-1:0] walks;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cut        <= '0;
      cut_busy_o <= 1'b0;
    end else begin
      cut        <= Cut ? cut_i : '0;
      cut_busy_o <= walks != '0;
    end
  end
  // What comes to the boundary now is issued in the next cycle at the earliest.
  for (genvar d = 0; d < NumPipes; d++) begin : gen_check
    `SLUICE_ASSERT(CutComesFirst_A,
      !(Cut && cut_i.young && !cut.young && transit_i[d].valid)
      || `SLUICE_OLDER(transit_i[d].packet.tag, cut_i.tag))
  end

  // ---- pipelines
  logic     [NumPipes-1:0][NumPipes-1:0] room_fixed, room_any;
  pipe_t    [NumPipes-1:0]               to;
  course_t  [NumPipes-1:0]               claim, known, leave;
  logic     [31:0]                       rdata [NumPipes];
  error_e                                unit_error [NumPipes];
  for (genvar d = 0; d < NumPipes; d++) begin : gen_pipe
    logic         valid, left;
    grant_t       grant;
    unit_event_t  events;
    move_t        move_mine;
    packet_t      packet, packet_left;
    table_ready_t write_ready;
    logic [NumPipes-1:0] phantom_mine;
    for (genvar l = 0; l < NumPipes; l++) begin : gen_mine
      assign phantom_mine[l] = phantom_here[l] && access[l].pipe == pipe_t'(d);
    end

    always_comb begin
      move_mine       = move;
      move_mine.valid = move.valid && move.from == pipe_t'(d);
    end

    sluice_boundary_unit #(.Depth(Depth), .State(State)) u_boundary (
      .clk_i, .rst_ni, .settings_i, .stage_i, .pipe_i(pipe_t'(d)),
      .transit_i, .phantom_i(phantom_mine), .phantom_tag_i(phantom_tag),
      .phantom_slot_i(phantom_slot), .oldest_i,
      .move_i(move_mine), .head_tag_o(head_tag[d]), .head_slot_o(head_slot[d]),
      .pending_i(pending[d]), .land_i(land[d]), .land_slot_i(land_slot),
      .room_fixed_i(room_fixed[d]), .room_any_i(room_any[d]), .claim_o(claim[d]),
      .hold_i(hold[d]), .valid_o(valid), .packet_o(packet), .grant_o(grant),
      .freed_o(freed_o[d]), .report_o(report_o[d]), .waiting_o(waiting_o[d]),
      .done_tag_o(done_tag_o[d]), .event_i(events),
      .reg_i(csr_req_i.addr[5:2]), .rdata_o(rdata[d]), .error_o(unit_error[d])
    );

    assign {move_read[d], move_read_id[d]} = {grant.read, grant.id};
    assign {departed_o[d], done_valid_o[d]} = {2{valid}};

    cut_t cut_here;
    always_comb begin
      cut_here = cut;
      if (settings_i.fault[FaultCutLate] && d == 1) cut_here.tag = cut.tag + tag_t'(4);
    end
    sluice_back_unit #(.State(State)) u_unit (
      .clk_i, .rst_ni, .stage_i, .pipe_i(pipe_t'(d)), .settings_i,
      .valid_i(valid), .packet_i(packet), .grant_i(grant), .value_i(grant_value),
      .moved_o(moved[d]), .cut_i(cut_here), .walks_o(walks[d]),
      .valid_o(left), .packet_o(packet_left), .hold_o(hold[d]),
      .write_i(write), .write_ready_o(write_ready), .read_i(read),
      .ask_o(ask[d]), .marked_i(marked), .answer_o(unit_answer[d]),
      .row_read_o(row_read[d]),
      .read_busy_o(read_busy[d]), .read_busy_i(read_busy != '0),
      .event_o(events), .fill_busy_o(fill_busy[d]), .probe_o(probe_o[d])
    );
    assign unit_ready[d]   = write_ready.ready;
    assign unit_refused[d] = write_ready.refused;

    // Where the packet goes next travels beside the unit; [c]: c cycles after its issue.
    course_t course_q [1:TransitCycle];
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) for (int unsigned c = 1; c <= TransitCycle; c++) course_q[c] <= '0;
      else begin
        course_q[1] <= claim[d];
        for (int unsigned c = 2; c <= TransitCycle; c++) course_q[c] <= course_q[c-1];
      end
    end

    // It is steered in LeaveCycle, so that it leaves from registers in TransitCycle.
    assign known[d] = course_q[KnownCycle];
    assign leave[d] = course_q[LeaveCycle];
    course_t course;
    assign course       = course_q[TransitCycle];
    assign transit_o[d] = '{valid: left, escape: course.escape, pipe: to[d], packet: packet_left};
    `SLUICE_ASSERT(LeavesInTime_A, left == course.valid)
  end

  // ---- steering to the next boundary
  sluice_steer #(.Depth(Depth)) u_steer (
    .clk_i, .rst_ni, .each_i(settings_i.mode.steer == SteerEach),
    .set_mask_i(settings_i.set_mask), .ignore_credits_i(settings_i.fault[FaultSteerFull]),
    .room_fixed_o(room_fixed), .room_any_o(room_any), .claim_i(claim),
    .known_i(known), .leave_i(leave), .to_o(to), .freed_i, .departed_i
  );

  // ---- errors; of those of one cycle, that of the lowest pipeline
  error_t error_d;
  always_comb begin
    error_d = '{code: ErrorNone, pipe: 4'd0};
    for (int d = int'(NumPipes) - 1; d >= 0; d--)
      if (unit_error[d] != ErrorNone) error_d = '{code: unit_error[d], pipe: 4'(d)};
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) error_o <= '{code: ErrorNone, pipe: 4'd0};
    else         error_o <= error_d;
  end

  // ---- registers: block BOUNDARY, 16 places of a stage, one a pipeline
  localparam logic [11:0] LastReg = RegBoundaryMoveWait;
  logic [19:0] offset;
  logic [3:0]  csr_pipe;
  logic        csr_hit, unused_csr;
  assign offset     = csr_req_i.addr - BlockBoundaryBase;
  assign csr_pipe   = offset[9:6];
  assign csr_hit    = csr_req_i.valid && offset[19:10] == 10'(stage_i) && 32'(csr_pipe) < NumPipes
                   && offset[5:2] <= LastReg[5:2];
  assign unused_csr = ^offset;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                              csr_rsp_o <= '0;
    else if (csr_hit || csr_rsp_o.valid) begin
      csr_rsp_o.valid   <= csr_hit;
      csr_rsp_o.refused <= 1'b0;
      csr_rsp_o.rdata   <= csr_hit && !csr_req_i.write ? rdata[PipeBits'(csr_pipe)] : '0;
    end
  end

  `SLUICE_ASSERT(StageExists_A, 32'(stage_i) < BackStages)
endmodule : sluice_back_stage
