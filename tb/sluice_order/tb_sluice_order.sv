// SPDX-License-Identifier: Apache-2.0

/// Test of the order point against a model that knows the true order (model.c): the lanes' packets
/// in the order arrival cycle, then lane. In every cycle the packets disposed of must be the next
/// ones of it; of each the model checks disposition, ticket, resolutions, route, PHV, drop report
/// freed slot and congestion mark, and from the outside the limits: phantom FIFOs, payload banks, window, pace,
/// brake, drops only with a cause. This file owns clock, reset, DUT and mutants, and carries
/// signals to and from the model, one call a cycle.
/// Plusargs: +seed=N, +runs=N (random runs), +break=N (see the file breaks).
module tb_sluice_order
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_probe_pkg::*;
;
  localparam int unsigned K = NumPipes;
  localparam int unsigned S = StateStages;

  // Words of a PHV: 7 of metadata, then 8 containers of each type, 6-byte ones low word first.
  localparam int unsigned PhvWords  = 7 + 8 + 8 + 16;
  // Words that the model gets: per lane, then of the whole DUT. The model knows the same order.
  localparam int unsigned LaneOut   = 16 + PhvWords + 2 * (S + 1) + 3 * S;
  localparam int unsigned OutWords  = 20 + S * K + K * LaneOut;
  // Words that the model gives.
  localparam int unsigned InHead    = 20 + 2 * S;
  localparam int unsigned LaneIn    = 6 + PhvWords;
  localparam int unsigned InWords   = InHead + K * K + K + 3 * S * K + K * LaneIn;

  import "DPI-C" function void order_open(input int seed, input int runs, input int pipes, input int stages,
    input int bank_depth, input int phantom_depth, input int window, input int lane_depth, input int slots,
    input int relocations, input int granule, input int num2, input int num4, input int num6, input int tag_bits, input int hdr_bits);
  import "DPI-C" function int order_cycle(    // 0: go on, 1: passed, 2: failed
    input bit [32*OutWords-1:0] outs, output bit [32*InWords-1:0] ins);

  `include "bench.svh"

  // ---- DUT --------------------------------------------------------------------------------------
  typedef struct packed {
    order_settings_t order;
    move_settings_t  moves;
  } taken_t;
  taken_t                      settings, dut_settings;
  logic      [K-1:0]           arrive, over_limit, lane_deep, dut_arrive, dut_over;
  item_t     [K-1:0]           item, dut_item;
  transit_t  [K-1:0]           transit, dut_transit, transit_before;
  logic      [K-1:0][K-1:0]    freed, freed_before, dut_freed;
  logic      [K-1:0]           departed, departed_before, done_valid;
  phantom_t  [K-1:0]           phantom;
  move_t                       move;
  landed_t   [S-1:0]           landed;
  report_t   [S-1:0][K-1:0]    report, dut_report;
  logic      [S-1:0][K-1:0][15:0] waiting;
  tag_t      [K-1:0]           done_tag, dut_done_tag;
  chain_t                      chain_in, chain_out, dut_chain;
  logic                        chain_in_ready, chain_out_ready;
  csr_req_t                    csr_req;
  csr_rsp_t                    csr_rsp;

  cut_t        unused_cut;
  logic [K-1:0]                   unused_matched_pop;
  popped_t                          popped;
  order_status_t                  status;
  order_events_t                  told;
  probe_point_t                   probe;
  sluice_order dut (
    .clk_i(clk), .rst_ni(rst_n),
    .settings_i(dut_settings.order), .moves_i(dut_settings.moves),
    .arrive_i(dut_arrive), .item_i(dut_item), .matched_i('0), .matched_pop_o(unused_matched_pop),
    .fill_i('{over: dut_over, deep: mutant == 17 ? '0 : lane_deep}), .popped_o(popped),
    .transit_o(dut_transit), .freed_i(dut_freed), .departed_i(departed_before),
    .phantom_o(phantom), .move_o(move), .landed_i(landed), .mark_i('0), .cut_o(unused_cut),
    .report_i(dut_report), .waiting_i(waiting), .ended_i('{valid: done_valid, tag: dut_done_tag}),
    .chain_i(dut_chain), .chain_ready_o(chain_in_ready), .chain_o(chain_out), .chain_ready_i(chain_out_ready),
    .busy_i('{chain: send_q != '0 || words_in != words_out, default: '0}), .status_o(status),
    .csr_req_i(csr_req), .csr_rsp_o(csr_rsp), .event_o(told), .probe_o(probe)
  );

  // ---- Who counts the packets of a bank hears of those that had passed the filter, and of no others: what the drop
  // report says, which the model checks.
  for (genvar l = 0; l < int'(K); l++) begin : gen_lost
    always @(negedge clk)
      if (rst_n && (told.lost[l].valid != told.drop[l].valid
                    || (told.lost[l].valid && row_t'(told.lost[l].overlay) != told.drop[l].row)))
        $fatal(1, "lane %0d: a packet is lost and not told, or told and not lost", l);
  end

  // ---- The lane, which counts its places by module, hears the row of what leaves it.
  for (genvar l = 0; l < int'(K); l++) begin : gen_row
    row_t waiting_rows [$];
    always @(posedge clk) begin
      if (rst_n && popped.pop[l]) begin
        if (waiting_rows.size() == 0 || waiting_rows[0] != popped.row[l])
          $fatal(1, "lane %0d: a packet goes with another row than it came with", l);
        void'(waiting_rows.pop_front());
      end
      if (rst_n && item[l].valid) waiting_rows.push_back(row_t'(item[l].phv.meta.overlay));
    end
  end

  // ---- A packet comes out one cycle after its admission is told. The model looks at it while it is
  // steered; here it is seen that the same comes out. So what the model frees is told a cycle later.
  for (genvar l = 0; l < int'(K); l++) begin : gen_transit
    assign transit[l] = '{valid: dut.known[l].valid, escape: 1'b0,
                          pipe: dut.u_steer.gen_source[l].to_d, packet: dut.gen_send[l].u_send.packet_d};
    always @(negedge clk)
      if (dut_transit[l].valid != transit_before[l].valid
          || (dut_transit[l].valid && dut_transit[l] != transit_before[l]))
        $fatal(1, "lane %0d: another packet came out than was steered", l);
  end
  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      transit_before  <= '0;
      freed_before    <= '0;
      departed_before <= '0;
    end else begin
      transit_before  <= transit;
      freed_before    <= freed;
      departed_before <= departed;
    end
  end

  // ---- mutants: what the DUT gets instead
  logic [K-1:0] arrive_before;
  always_ff @(posedge clk) arrive_before <= arrive;
  always_comb begin
    dut_settings = settings;
    dut_arrive   = arrive;
    dut_item     = item;
    dut_over     = over_limit;
    dut_freed    = freed_before;
    dut_report   = report;
    dut_done_tag = done_tag;
    dut_chain    = chain_in;
    case (mutant)
      1: dut_arrive = (arrive & ~K'(1)) | (arrive_before & K'(1));
      2: dut_settings.order.fault[FaultLaneSwap] = 1'b1;
      3: dut_settings.order.fault[FaultQueueDeep] = 1'b1;
      4: dut_settings.order.fault[FaultNoBounds] = 1'b1;
      5: for (int l = 0; l < int'(K); l++) dut_item[l].phv.cont.b4[0][3] = 1'b0;
      6: for (int l = 0; l < int'(K); l++) dut_item[l].reason = DropNone;
      7: for (int l = 0; l < int'(K); l++) dut_item[l].phv.meta.discard = 1'b0;
      8: for (int d = 0; d < int'(K); d++) dut_report[0][d].lane = '0;
      9: for (int d = 0; d < int'(K); d++) dut_done_tag[d][2] = 1'b0;
      10: if (chain_in.first && chain_in.data[54:52] == TableSegmentModule)
            dut_chain.data[51:48] = TableSegmentSub;
      11: dut_over = '1;
      12: dut_settings.order.pace = '0;
      13: dut_settings.order.brake = '0;
      14: dut_freed = '0;
      15: for (int l = 0; l < int'(K); l++) dut_item[l].phv.meta.overlay[0] = 1'b0;
      18: dut_settings.order.ecn_queue = settings.order.ecn_queue + 16'd1;
      19: dut_settings.order.mode.steer = SteerEach;   // RANK agrees with STAY too often
      20: begin dut_settings.order.mode.no_phantoms = 1'b0; dut_settings.moves.mode.no_phantoms = 1'b0; end
      16: if (status.next_ticket == 32'd200) dut_arrive = '0;
      21: if (chain_in.last && is_share) dut_chain.data[63] = 1'b0;
      22: if (chain_in.last && is_share) dut_chain.data[62:57] = '0;
      23: if (chain_in.first && is_share) dut_chain.data[32] = !chain_in.data[32];
      24: if (chain_in.last && is_share) dut_chain.data[56] = 1'b1;
      25: dut_settings.moves.fault[FaultNoPatch] = 1'b1;
      27: begin dut_settings.order.set_mask = '0; dut_settings.moves.set_mask = '0; end
      28: for (int l = 0; l < int'(K); l++) dut_item[l].phv.meta.pipe_set = '0;
      29: dut_settings.order.mode.drop_full = 1'b0;
      30: dut_settings.order.mode.drop_full = 1'b1;
      default: ;
    endcase
  end

  // A patch that is one cycle late.
  patch_t patch_before;
  always_ff @(posedge clk) patch_before <= dut.u_changes.u_moves.patch_o;
  always @(negedge clk) if (mutant == 26) force dut.patch = patch_before;

  // Who else comes: always somebody, never anybody, nobody of the epoch before.
  always @(negedge clk) begin
    if (mutant == 31) force dut.u_guards.rivals = 1'b1;
    if (mutant == 32) force dut.u_guards.rivals = 1'b0;
    if (mutant == 33) force dut.u_guards.u_rivals.before_q = '0;
  end

  // ---- the daisy chain: sends the model's message, and adds up what goes in and comes out
  logic        [1:0]  send_q;            // 1: header, 2: entry
  logic        [31:0] words_in, words_out;
  logic        [63:0] sum_in, sum_out;
  logic               message_valid;
  chain_header_t      message_header;
  logic        [63:0] message_entry;
  logic               is_share;           // ends here; of it, one word goes on
  assign is_share = message_header.resource == TableShareModule && message_header.sub == TableShareSub;
  assign chain_in = '{valid: send_q != '0, first: send_q == 2'd1, last: send_q == 2'd2,
                      data: send_q == 2'd2 ? message_entry : message_header};
  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) begin
      send_q <= '0;
      {words_in, words_out, sum_in, sum_out} <= '0;
    end else begin
      // One after the other, as the control port does: the messages on the chain are all of one packet.
      if (send_q == '0 && message_valid && words_in == words_out) send_q <= 2'd1;
      if (chain_in.valid && chain_in_ready) begin
        send_q   <= send_q == 2'd1 ? 2'd2 : 2'd0;
        if (!(chain_in.last && is_share)) begin
          words_in <= words_in + 1;
          sum_in   <= sum_in + (chain_in.data ^ 64'(words_in));
        end
      end
      if (chain_out.valid && chain_out_ready) begin
        words_out <= words_out + 1;
        sum_out   <= sum_out + (chain_out.data ^ 64'(words_out));
      end
    end
  end

  // ---- carrying
  logic [OutWords-1:0][31:0] outs;
  bit   [InWords-1:0][31:0]  ins;

  always_comb begin
    int unsigned n;
    for (int unsigned i = 0; i < OutWords; i++) outs[i] = '0;
    outs[0] = status.next_ticket;
    outs[1] = 32'(status.oldest);
    outs[2] = 32'(status.in_flight);
    outs[3] = 32'(csr_rsp.valid);
    outs[4] = csr_rsp.rdata;
    outs[5] = 32'(send_q != '0);
    outs[6] = 32'(words_in == words_out && (sum_in == sum_out || mutant == 10 || mutant == 23));
    for (int unsigned l = 0; l < K; l++) begin
      outs[7][l] = probe.lane[l].mark;
      outs[8][l] = transit[l].packet.phv.meta.mark;
    end
    for (int unsigned s = 0; s < S; s++) outs[9][s] = dut.u_changes.u_moves.gen_moves.used[s] != '0;
    outs[10] = 32'(move.valid);
    outs[11] = 32'(move.stage);
    outs[12] = 32'(move.id);
    outs[13] = 32'(move.tag);
    outs[14] = 32'(move.from);
    outs[15] = 32'(move.from_slot);
    outs[16] = 32'(move.to);
    outs[17] = 32'(move.to_slot);
    for (int unsigned s = 0; s < S; s++)
      for (int unsigned d = 0; d < K; d++) outs[20 + s * K + d] = 32'(probe.depth[s][d]);
    for (int unsigned l = 0; l < K; l++) begin
      n = 20 + S * K + l * LaneOut;
      outs[n]    = 32'(popped.pop[l]);
      outs[n+1]  = 32'(popped.discard[l]);
      outs[n+2]  = 32'(popped.slot[l]);
      outs[n+3]  = 32'(probe.lane[l].done);
      outs[n+4]  = 32'(probe.lane[l].reason);
      outs[n+5]  = 32'(probe.lane[l].tag);
      outs[n+6]  = 32'(told.drop[l].valid);
      outs[n+7]  = 32'(told.drop[l].known);
      outs[n+8]  = 32'(told.drop[l].row);
      outs[n+9]  = 32'(told.drop[l].reason);
      outs[n+10] = 32'(transit[l].valid);
      outs[n+11] = 32'(transit[l].escape);
      outs[n+12] = 32'(transit[l].pipe);
      outs[n+13] = 32'(transit[l].packet.tag);
      outs[n+14] = 32'(phantom[l].valid);
      outs[n+15] = 32'(phantom[l].tag);
      n = n + 16;
      outs[n]   = 32'({transit[l].packet.phv.meta.vid_high, transit[l].packet.phv.meta.overlay});
      outs[n+1] = 32'(transit[l].packet.phv.meta.len);
      outs[n+2] = 32'(transit[l].packet.phv.meta.port_in);
      outs[n+3] = 32'(transit[l].packet.phv.meta.dest);
      outs[n+4] = 32'(transit[l].packet.phv.meta.discard);
      outs[n+5] = {16'd0, 8'(transit[l].packet.phv.meta.pipe_set), 8'(transit[l].packet.phv.meta.lane)};
      outs[n+6] = 32'(transit[l].packet.phv.meta.hdr);
      for (int unsigned i = 0; i < Num2B; i++) outs[n+7+i]  = 32'(transit[l].packet.phv.cont.b2[i]);
      for (int unsigned i = 0; i < Num4B; i++) outs[n+15+i] = transit[l].packet.phv.cont.b4[i];
      for (int unsigned i = 0; i < Array6B; i++) begin
        outs[n+23+2*i] = transit[l].packet.phv.cont.b6[i][31:0];
        outs[n+24+2*i] = 32'(transit[l].packet.phv.cont.b6[i][47:32]);
      end
      n = n + PhvWords;
      for (int unsigned s = 0; s <= S; s++) begin
        outs[n+2*s]   = 32'(transit[l].packet.route[s].fixed);
        outs[n+2*s+1] = 32'(transit[l].packet.route[s].pipe);
      end
      n = n + 2 * (S + 1);
      for (int unsigned s = 0; s < S; s++) begin
        outs[n+3*s]   = 32'(phantom[l].access[s].valid);
        outs[n+3*s+1] = 32'(phantom[l].access[s].pipe);
        outs[n+3*s+2] = 32'(phantom[l].access[s].slot);
      end
    end
  end

  always_comb begin
    int unsigned n;
    settings            = '0;
    settings.order.init       = ins[0][0];
    settings.order.init_index = ins[1][15:0];
    settings.order.pace       = ins[2][7:0];
    settings.order.brake      = ins[3][15:0];
    settings.order.ecn_queue  = ins[14][15:0];
    settings.order.mode       = mode_t'(ins[15][ModeWidth-1:0]);
    settings.moves.mode       = mode_t'(ins[15][ModeWidth-1:0]);
    lane_deep           = ins[15][16 +: K];
    csr_req             = '{valid: ins[4][0], write: 1'b0, addr: ins[5][19:0], wdata: '0};
    chain_out_ready     = ins[6][0];
    message_valid       = ins[7][0];
    message_header      = '{op: ChainWrite, resource: ins[8][2:0], sub: ins[9][3:0], stage: ins[10][4:0],
                            index: ins[11][15:0], row: '0, copy: '0, count: 8'd1, reserved: '0};
    message_entry       = {ins[12], ins[13]};
    settings.moves.move_period = ins[16][15:0];
    settings.moves.move_least  = ins[17][7:0];
    settings.order.set_mask    = ins[18][PipeBits-1:0];
    settings.moves.set_mask    = ins[18][PipeBits-1:0];
    for (int unsigned s = 0; s < S; s++)
      landed[s] = '{valid: ins[20 + 2 * s][0], id: ins[21 + 2 * s][MoveIdBits-1:0]};
    for (int unsigned d = 0; d < K; d++) begin
      for (int unsigned k = 0; k < K; k++) freed[d][k] = ins[InHead + d * K + k][0];
      departed[d] = ins[InHead + K * K + d][0];
    end
    for (int unsigned s = 0; s < S; s++)
      for (int unsigned d = 0; d < K; d++) begin
        n = InHead + K * K + K + 3 * (s * K + d);
        report[s][d]  = '{valid: ins[n][0], lane: ins[n+1][PipeBits-1:0]};
        waiting[s][d] = ins[n+2][15:0];
      end
    for (int unsigned l = 0; l < K; l++) begin
      n = InHead + K * K + K + 3 * S * K + l * LaneIn;
      arrive[l]      = ins[n][0];
      over_limit[l]  = ins[n+1][0];
      done_valid[l]  = ins[n+2][0];
      done_tag[l]    = ins[n+3][TagBits-1:0];
      item[l]        = '0;
      item[l].valid  = ins[n+4][0];
      item[l].reason = drop_e'(ins[n+5][3:0]);
      n = n + 6;
      item[l].phv.meta = '{vid_high: ins[n][7:RowBits], overlay: ins[n][RowBits-1:0], len: ins[n+1][LenBits-1:0], port_in: ins[n+2][7:0],
                           dest: ins[n+3][7:0], discard: ins[n+4][0], mark: 1'b0, round: '0, pipe_set: ins[n+5][8 +: PipeBits],
                           lane: ins[n+5][PipeBits-1:0],
                           hdr: ins[n+6][HdrBits-1:0]};
      for (int unsigned i = 0; i < Num2B; i++) item[l].phv.cont.b2[i] = ins[n+7+i][15:0];
      for (int unsigned i = 0; i < Num4B; i++) item[l].phv.cont.b4[i] = ins[n+15+i];
      for (int unsigned i = 0; i < Array6B; i++)
        item[l].phv.cont.b6[i] = {ins[n+24+2*i][15:0], ins[n+23+2*i]};
    end
  end

  // ---- the model sees the outputs of a cycle, then gives its inputs
  initial begin
    int runs = 60;                 // enough for every kind of drop, whatever the seed
    int verdict;
    read_arguments();
    void'($value$plusargs("runs=%d", runs));
    order_open(int'(seed), runs, int'(K), int'(S), int'(BankDepth), int'(PhantomDepth),
               int'(Window), int'(LaneDepth), int'(SlotsPerPipe), int'(Relocations),
               int'(Granule), int'(Num2B), int'(Num4B), int'(Num6B), int'(TagBits),
               int'(HdrBits));
    release_reset(3);
    verdict = 0;
    for (int cycle = 0; cycle < 1000000 && verdict == 0; cycle++) begin
      @(negedge clk);
      verdict = order_cycle(outs, ins);
    end
    if (verdict != 1) $fatal(1, "sluice_order: test failed");
    $finish;
  end

  logic unused_bits;
  assign unused_bits = ^{arrive_before, chain_out, ins, item, report, csr_rsp, status, told, probe};
endmodule : tb_sluice_order
