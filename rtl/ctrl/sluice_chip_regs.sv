// SPDX-License-Identifier: Apache-2.0

/// Registers of block CHIP: identity and shape, settings, counts of the control port, and the
/// sweep after reset that clears tables and state. Answers in the cycle after a request. A write of
/// SETS or MODE while packets are inside changes nothing and is answered as refused; so is one of
/// SETS, or of MODE that changes NO_PHANTOMS, while indices are away from home; so is one of BANK
/// while a control packet is on its way, so that no packet enters a bank that a message on the
/// chain may change (sluice_bank_guard), and while a guarded flip is under way (sluice_flip_guard).
module sluice_chip_regs
  import sluice_pkg::*;
  import sluice_order_pkg::*;
  import sluice_exit_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_table_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  csr_req_t    req_i,
  output csr_rsp_t    rsp_o,
  output settings_t   settings_o,
  output logic [31:0] cycle_o,          // cycles since reset; 0 in the first
  input  logic        good_i,           // control packet took effect
  input  logic        bad_i,
  input  logic        ctl_busy_i,       // a control packet is on its way
  input  logic        fill_busy_i,
  input  logic [15:0] in_flight_i,
  input  logic [InsideBits-1:0] inside_i,
  input  logic        relocated_i,      // indices are away from home, or under way
  input  logic [1:0][NumModules-1:0] inside_bank_i,   // [bank][row]: packets are inside
  input  cut_status_t cut_i,
  input  flip_t       flip_i,           // a guarded flip
  input  logic        turning_i,        // ... has not reached all packets yet
  input  logic        error_i,          // an internal error, see FIRST_ERROR
  input  logic [31:0] error_code_i
);
  // The sweep reaches every word of the deepest memory that has a reset value: tables and state.
  localparam int unsigned InitDepth = TableDepth > SlotsPerPipe ? TableDepth : SlotsPerPipe;
  localparam logic [31:0] Version   = 32'h534c5501;

  logic [31:0] cycle_q, good_q, bad_q, first_error_q;
  logic [15:0] init_q;
  logic        ready_q, sweep_q;       // one is what the other is not: each goes to all of the chip
  logic        hit, clear_q;

  typedef struct packed {
    logic [NumModules-1:0]        bitmap;
    logic [7:0]                   pace;
    logic [15:0]                  brake;
    logic [12:0]                  lane_limit;
    logic [10:0]                  output_limit;
    logic [OutputQueues-1:0][3:0] class_costs;
    logic [OutputQueues-1:0]      class_strict;
    logic [OutputQueues-1:0][10:0] class_ecn;
    mode_t                        mode;
    logic [15:0]                  ecn_queue;
    logic [12:0]                  ecn_lane;
    logic [15:0]                  move_period;
    logic [7:0]                   move_least;
    logic [7:0]                   move_quota;
    logic [NumModules-1:0]        recall;
    logic [NumModules-1:0]        bank;
    logic [NumModules-1:0]        cut;
    logic [NumFaults-1:0]         fault;
  } set_t;
  set_t set_q, set;

  // Pipelines of one set have the same upper bits.
  localparam int unsigned PipeLog = $clog2(NumPipes);
  logic [2:0] sets, sets_q;
  pipe_t      set_mask;
  assign sets = 32'(req_i.wdata[2:0]) > PipeLog ? 3'(PipeLog) : req_i.wdata[2:0];
  assign set_mask = pipe_t'(NumPipes - (NumPipes >> sets_q));

  always_comb begin
    set = set_q;
    if (TestFaults == 0) set.fault = '0;
    if (Banks == 1)      set.bank  = '0;
  end
  always_comb begin
    settings_o.lane  = '{ready: ready_q, clear: clear_q, init: sweep_q, init_index: init_q,
                         bitmap: set.bitmap, bank: set.bank, lane_limit: set.lane_limit,
                         ecn_lane: set.ecn_lane, fault: set.fault};
    settings_o.order = '{clear: clear_q, init: sweep_q, init_index: init_q, mode: set.mode,
                         set_mask: set_mask, pace: set.pace, brake: set.brake,
                         ecn_queue: set.ecn_queue, bank: set.bank, cut: set.cut,
                         occupied: inside_i != '0, fault: set.fault};
    settings_o.moves = '{clear: clear_q, mode: set.mode, set_mask: set_mask,
                         move_period: set.move_period, move_least: set.move_least,
                         move_quota: set.move_quota, bitmap: set.bitmap, recall: set.recall,
                         fault: set.fault};
    settings_o.stage = '{clear: clear_q, init: sweep_q, init_index: init_q, mode: set.mode,
                         set_mask: set_mask, fault: set.fault};
    settings_o.exit  = '{ready: ready_q, clear: clear_q, init: sweep_q, init_index: init_q,
                         class_ecn: set.class_ecn, fault: set.fault};
    settings_o.tm    = '{clear: clear_q, output_limit: set.output_limit,
                         class_costs: set.class_costs, class_strict: set.class_strict,
                         fault: set.fault};
  end
  assign cycle_o = cycle_q;

  // The bridge asks only for registers that exist.
  assign hit = req_i.valid && req_i.addr[19:12] == BlockChipBase[19:12];

  // Thresholds of the classes: one register each.
  logic       ecn_hit;
  logic [2:0] ecn_class;
  assign ecn_hit   = OutputClasses != 0 && req_i.addr[11:5] == RegChipClassEcn[11:5]
      && 32'(ecn_class) < OutputQueues;
  assign ecn_class = req_i.addr[4:2];

  // Settings that packets on their way rely on do not change while there are any: a packet that was
  // resolved for one set of pipelines, or that has a phantom, must meet the same rules at every
  // stage. An index that is away is known by its home, which follows from SETS; and without
  // phantoms nothing would wait for the value of one that is under way.
  mode_t mode;
  logic steady, homes, bank, cut, refused;
  assign steady  = req_i.addr[11:0] == RegChipSets || req_i.addr[11:0] == RegChipMode;
  assign homes   = req_i.addr[11:0] == RegChipSets
      || (req_i.addr[11:0] == RegChipMode && mode.no_phantoms != set_q.mode.no_phantoms);
  assign mode    = mode_t'(req_i.wdata[ModeWidth-1:0]);
  assign bank    = req_i.addr[11:0] == RegChipBank;
  assign cut     = req_i.addr[11:0] == RegChipCut;
  // A cut begins when the one before has ended, and ends when it is ready.
  logic has_cut, cut_refused;
  assign has_cut     = cut_i.busy || set_q.cut != '0;
  assign cut_refused = CutStages == 0
      || (has_cut && (req_i.wdata[NumModules-1:0] != '0 || !cut_i.ready));
  assign refused     = hit && req_i.write
      && ((steady && inside_i != '0) || (homes && relocated_i)
          || (bank && (Banks == 1 || ctl_busy_i || turning_i)) || (cut && cut_refused));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cycle_q       <= '0;
      good_q        <= '0;
      bad_q         <= '0;
      first_error_q <= '0;
      init_q        <= '0;
      ready_q       <= 1'b0;
      sweep_q       <= 1'b1;
      clear_q       <= 1'b0;
      sets_q        <= '0;
      set_q         <= '{pace: 8'd24, brake: 16'(BankDepth * NumPipes * 3 / 4),
          lane_limit: 13'(LaneDepth - LaneDepth / 4),
                         output_limit: 11'(OutputDepth), move_least: 8'd2, default: '0};
    end else begin
      cycle_q <= cycle_q + 32'd1;
      clear_q <= 1'b0;
      if (sweep_q) begin
        init_q <= init_q + 16'd1;
        if (init_q == 16'(InitDepth - 1)) {ready_q, sweep_q} <= 2'b10;
      end
      good_q <= clear_q ? '0 : good_q + 32'(good_i);
      bad_q  <= clear_q ? '0 : bad_q + 32'(bad_i);
      if (clear_q) first_error_q <= '0;
      else if (error_i && first_error_q == '0) first_error_q <= error_code_i;
      if (FlipGuard != 0 && flip_i.valid) set_q.bank <= flip_i.bank;
      if (hit && req_i.write && ecn_hit)
        set_q.class_ecn[queue_class_t'(ecn_class)] <= req_i.wdata[10:0];
      if (hit && req_i.write && !refused)
        case (req_i.addr[11:0])
          RegChipControl:     clear_q            <= req_i.wdata[0];
          RegChipBitmap:      set_q.bitmap       <= req_i.wdata[NumModules-1:0];
          RegChipPace:        set_q.pace         <= req_i.wdata[7:0];
          RegChipBrake:       set_q.brake        <= req_i.wdata[15:0];
          RegChipLaneLimit:   set_q.lane_limit   <= req_i.wdata[12:0];
          RegChipOutputLimit: set_q.output_limit <= req_i.wdata[10:0];
          RegChipClassCosts:
            if (OutputClasses != 0) set_q.class_costs <= req_i.wdata[4*OutputQueues-1:0];
          RegChipClassStrict:
            if (OutputClasses != 0) set_q.class_strict <= req_i.wdata[OutputQueues-1:0];
          RegChipMovePeriod:  set_q.move_period  <= req_i.wdata[15:0];
          RegChipMoveLeast:   set_q.move_least   <= req_i.wdata[7:0];
          RegChipMoveQuota:   set_q.move_quota   <= req_i.wdata[7:0];
          RegChipRecall:      set_q.recall       <= req_i.wdata[NumModules-1:0];
          RegChipBank:        if (Banks == 2) set_q.bank <= req_i.wdata[NumModules-1:0];
          RegChipCut:         if (CutStages != 0) set_q.cut <= req_i.wdata[NumModules-1:0];
          RegChipFault:       set_q.fault        <= req_i.wdata[NumFaults-1:0];
          RegChipMode:        set_q.mode         <= mode;
          RegChipEcnQueue:    set_q.ecn_queue    <= req_i.wdata[15:0];
          RegChipEcnLane:     set_q.ecn_lane     <= req_i.wdata[12:0];
          RegChipSets:        sets_q             <= sets;
          default: ;
        endcase
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rsp_o <= '0;
    else begin
      rsp_o.valid   <= hit;
      rsp_o.refused <= refused;
      rsp_o.rdata   <= '0;
      if (hit && ecn_hit) rsp_o.rdata <= 32'(set_q.class_ecn[queue_class_t'(ecn_class)]);
      else if (hit)
        case (req_i.addr[11:0])
          RegChipId:            rsp_o.rdata <= LayoutHash;
          RegChipVersion:       rsp_o.rdata <= Version;
          RegChipShape0:        rsp_o.rdata <= {1'(Shifters), 7'(BackStages), 8'(FrontStages),
              8'(NumPorts), 8'(NumPipes)};
          RegChipShape1:        rsp_o.rdata <= {8'(NumModules), 1'(HashUnits), 1'(Checksums),
              1'(SharedSums), 1'(HeaderBytes == 128),
                                                1'(BeatBytes == 16), 19'(StateEntries)};
          RegChipShape2:        rsp_o.rdata <= {4'(ParseActions), 4'(Num6B), 4'(Num4B), 4'(Num2B),
              16'(MatchEntries)};
          RegChipShape3:        rsp_o.rdata <= {1'(StatePairs), 3'(MatchCycles), 4'($clog2(Window)),
              6'(StateStages),
                                                10'(PhantomDepth), 8'(BankDepth)};
          RegChipShape4:        rsp_o.rdata <= 32'({1'(WideCompare), 1'(Recirculation),
              4'(ActiveIds == 0 ? 0 : $clog2(ActiveIds)), 1'(Active), 20'(CutStages),
              1'(Multipliers), 1'(Marks), 2'(Banks)});
          RegChipShape5:        rsp_o.rdata <= {
              1'(TransmitStore), 1'(DefaultActions), 1'(ActionData),
              CuckooEntries == 0 ? 5'd0 : 5'($clog2(CuckooEntries)), 24'(TernaryStages)};
          RegChipShape6:
            rsp_o.rdata <= {1'(OrderedMerge), 2'(FastLanes == 0 ? 0 : $clog2(FastLanes)),
                            5'($clog2(ArrayEntries + 32'(ArrayEntries == 0))), 24'(CuckooStages)};
          RegChipShape7:        rsp_o.rdata <= {
              1'b0, 2'(OutputClasses == 0 ? 0 : $clog2(OutputClasses)), 17'(ExtraActions), 1'b0,
              11'(TernaryEntries)};
          RegChipShape8:        rsp_o.rdata <= {
              1'b0, 1'(FlipGuard), 1'(RateLimits), 1'(EntryCounters),
              3'(EgressStages), 5'(ArrayWords), 20'(ArrayStages)};
          RegChipStatus:        rsp_o.rdata <= {30'b0, fill_busy_i, ready_q};
          RegChipCycles:        rsp_o.rdata <= cycle_q;
          RegChipBitmap:        rsp_o.rdata <= 32'(set_q.bitmap);
          RegChipReconfigCount: rsp_o.rdata <= good_q;
          RegChipReconfigBad:   rsp_o.rdata <= bad_q;
          RegChipPace:          rsp_o.rdata <= 32'(set_q.pace);
          RegChipBrake:         rsp_o.rdata <= 32'(set_q.brake);
          RegChipLaneLimit:     rsp_o.rdata <= 32'(set_q.lane_limit);
          RegChipOutputLimit:   rsp_o.rdata <= 32'(set_q.output_limit);
          RegChipClassCosts:    rsp_o.rdata <= 32'(set_q.class_costs);
          RegChipClassStrict:   rsp_o.rdata <= 32'(set_q.class_strict);
          RegChipMovePeriod:    rsp_o.rdata <= 32'(set_q.move_period);
          RegChipMoveLeast:     rsp_o.rdata <= 32'(set_q.move_least);
          RegChipMoveQuota:     rsp_o.rdata <= 32'(set_q.move_quota);
          RegChipRecall:        rsp_o.rdata <= 32'(set_q.recall);
          RegChipBank:          rsp_o.rdata <= 32'(set.bank);
          RegChipInsideBank0:   rsp_o.rdata <= 32'(inside_bank_i[0]);
          RegChipInsideBank1:   rsp_o.rdata <= 32'(inside_bank_i[1]);
          RegChipFault:         rsp_o.rdata <= 32'(set.fault);
          RegChipFirstError:    rsp_o.rdata <= first_error_q;
          RegChipInFlight:      rsp_o.rdata <= 32'(in_flight_i);
          RegChipInside:        rsp_o.rdata <= 32'(inside_i);
          RegChipMode:          rsp_o.rdata <= 32'(set_q.mode);
          RegChipEcnQueue:      rsp_o.rdata <= 32'(set_q.ecn_queue);
          RegChipEcnLane:       rsp_o.rdata <= 32'(set_q.ecn_lane);
          RegChipSets:          rsp_o.rdata <= 32'(sets_q);
          RegChipCut:           rsp_o.rdata <= 32'(set_q.cut);
          RegChipCutStatus:     rsp_o.rdata <= {30'b0, cut_i.busy, cut_i.ready};
          RegChipCutTicket:     rsp_o.rdata <= cut_i.ticket;
          default: ;
        endcase
    end
  end
endmodule : sluice_chip_regs
