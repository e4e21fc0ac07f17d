// SPDX-License-Identifier: Apache-2.0

/// Test of sluice_ingress with the packet buffers of its lanes, as they stand in the chip. Clock, reset and wires are here; stimulus, model and checks are in C
/// (ingress.c, model.c), one call a cycle, which sees this cycle's outputs and sets the next
/// cycle's inputs.
///
/// +seed=N   seed of everything random
/// +break=N  mutants, each of which has to make the test fail:
///   1  keep: one byte enable of lane 0 is lost         9  the drop bitmap reads 0
///   2  data: bytes 14 and 15 change places             10 the arrival cycle is one off
///   3  one pop in 64 is lost                           11 containers keep values (FaultPhvStale)
///   4  one discard in 32 is lost                       12 a bit of the chain's data is wrong
///   5  the deparser's count is one too many            13 the chip says it is ready too early
///   6  the deparser's count is one too few             14 the port's error mark is lost
///   7  output lanes are always ready                   15 ingress port numbers are wrong
///   8  header reads name another slot                  16 the limit of a lane is one too high
///   17 ... for congestion marks                        18 beats before the last are told to be full
///   19 header reads name another step               20 the banks that packets take change a cycle late
///   21 the last lane has its banks a cycle late (FaultFlipLate)
module tb_sluice_ingress
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_probe_pkg::*;
  import sluice_buffer_pkg::*;
;
  // Words of the bundles per lane, then of the rest: ingress.c has the same numbers.
  localparam int unsigned BeatWords = BeatBits / 32;
  localparam int unsigned StepWords = StepBits / 32;
  localparam int unsigned OutBody = 29 + StepWords;
  localparam int unsigned OutLane = OutBody + BeatWords * NumPipes;
  localparam int unsigned InReq   = 6 + BeatWords;
  localparam int unsigned InLane  = InReq + NumPipes;
  localparam int unsigned OutAll  = OutLane * NumPipes + 6;
  localparam int unsigned InAll   = InLane * NumPipes + 12;

  import "DPI-C" function void ingress_open(
    input int seed, input int pipes, input int lane_depth, input int slots, input int cells,
    input int num2, input int num4, input int num6, input int rows, input int banks, input int actions,
    input int header_bytes, input int beat_bytes, input int steps);
  import "DPI-C" function int ingress_tick(   // 0: go on, 1: passed, else failed
    input bit [32*OutAll-1:0] outs, output bit [32*InAll-1:0] ins);

  `include "bench.svh"

  int          result;

  // ---- wires of the device
  lane_settings_t settings;
  logic [31:0] cycle;
  logic [NumPipes-1:0] arrive, pop, over_limit, deep, discard_valid;
  rx_beat_t rx [NumPipes];
  item_t [NumPipes-1:0] item;
  hdr_t [NumPipes-1:0] discard_slot;
  buffer_write_t [NumPipes-1:0] buffer_write;
  buffer_room_t [NumPipes-1:0] buffer_room;
  buffer_used_t [NumPipes-1:0] buffer_used;
  header_req_t [NumPipes-1:0] header_req;
  logic [NumPipes-1:0][StepBits-1:0] header;
  buffer_req_t [NumPipes-1:0] req;
  buffer_rsp_t [NumPipes-1:0] rsp;
  chain_t chain_in, chain_out;
  logic chain_in_ready, chain_out_ready;
  csr_req_t csr_req;
  csr_rsp_t csr_rsp;
  lane_drop_t [NumPipes-1:0] drop;
  bank_event_t [NumPipes-1:0] enter;
  probe_lane_t [NumPipes-1:0] probe;
  logic        [NumPipes-1:0] unused_done;

  // A chip without recirculation, array match and shares of the lane.
  logic [NumPipes-1:0] take, matched_valid;
  matched_bits_t [NumPipes-1:0] matched;
  logic unused_outputs;
  assign unused_outputs = ^{take, matched_valid, matched};
  sluice_ingress u_dut (
    .clk_i(clk), .rst_ni(rst_n), .settings_i(settings), .cycle_i(cycle),
    .rx_i(rx), .reentry_i('0), .take_o(take),
    .arrive_o(arrive), .item_o(item), .pop_i(pop), .pop_row_i('0),
    .over_limit_o(over_limit), .deep_o(deep),
    .matched_valid_o(matched_valid), .matched_o(matched), .matched_pop_i('0),
    .write_o(buffer_write), .room_i(buffer_room), .used_i(buffer_used),
    .chain_i(chain_in), .chain_ready_o(chain_in_ready),
    .chain_o(chain_out), .chain_ready_i(chain_out_ready),
    .csr_req_i(csr_req), .csr_rsp_o(csr_rsp), .refuse_i(1'b0), .drop_o(drop), .enter_o(enter),
    .done_o(unused_done), .probe_o(probe)
  );
  for (genvar l = 0; l < NumPipes; l++) begin : gen_buffer
    sluice_packet_buffer u_buffer (
      .clk_i(clk), .rst_ni(rst_n), .write_i(buffer_write[l]),
      .room_o(buffer_room[l]), .used_o(buffer_used[l]),
      .discard_i({discard_valid[l], discard_slot[l]}),
      .header_req_i(header_req[l]), .header_o(header[l]), .req_i(req[l]), .rsp_o(rsp[l])
    );
  end

  // ---- outputs to words
  bit [OutAll-1:0][31:0] outs;
  for (genvar l = 0; l < NumPipes; l++) begin : gen_out
    localparam int unsigned At = OutLane * l;
    logic bank;
    assign bank = Banks == 2 && item[l].phv.meta.overlay[$bits(overlay_t)-1];
    assign outs[At] = {1'b0, bank, item[l].phv.meta.discard, 5'(drop[l].filter.row), 4'(drop[l].filter.reason), 2'd0,
                       drop[l].filter.known, drop[l].filter.valid, 4'(item[l].reason), 2'd0, deep[l], item[l].valid,
                       4'(probe[l].reason), 1'b0, probe[l].done, over_limit[l], arrive[l]};
    assign outs[At+1] = {item[l].phv.meta.vid_high, row_t'(item[l].phv.meta.overlay), 4'(item[l].phv.meta.pipe_set),
                         4'(item[l].phv.meta.lane), 2'd0,
                         item[l].phv.meta.len};
    assign outs[At+2] = {16'(item[l].phv.meta.hdr), item[l].phv.meta.dest,
                         item[l].phv.meta.port_in};
    assign outs[At+3 +: 4]   = 128'(item[l].phv.cont.b2);
    assign outs[At+7 +: 8]   = 256'(item[l].phv.cont.b4);
    assign outs[At+15 +: 12] = 384'(item[l].phv.cont.b6);
    logic [NumPipes-1:0] req_ready, body_valid, body_last;
    for (genvar p = 0; p < NumPipes; p++) begin : gen_body
      assign req_ready[p]  = rsp[l].body[p].ready;
      assign body_valid[p] = rsp[l].body[p].beat_valid;
      assign body_last[p]  = rsp[l].body[p].beat_last;
      assign outs[At+OutBody+BeatWords*p +: BeatWords] = rsp[l].body[p].beat;
    end
    assign outs[At+27] = {enter[l].valid, 9'd0, 6'(enter[l].overlay), 16'(req_ready)};
    assign outs[At+28] = {16'(body_last), 16'(body_valid)};
    assign outs[At+29 +: StepWords] = header[l];
  end
  assign outs[OutAll-6 +: 6] = {csr_rsp.rdata, 31'd0, csr_rsp.valid, chain_out.data, 29'd0,
                                chain_out.last, chain_out.first, chain_out.valid, 31'd0,
                                chain_in_ready};

  // ---- words to inputs, registered
  bit [InAll-1:0][31:0] ins = '0;
  for (genvar l = 0; l < NumPipes; l++) begin : gen_in
    localparam int unsigned At = InLane * l;
    bit [63:0]           keep;
    bit [BeatBytes-1:0][7:0] data;
    always_comb begin
      keep = {ins[At+5], ins[At+4]};
      if (mutant == 1 && l == 0) keep[3] = 1'b0;
      if (mutant == 18 && !ins[At][1]) keep = '1;
      data = ins[At+6 +: BeatWords];
      if (mutant == 2) {data[14], data[15]} = ins[At+9][31:16];
    end
    logic unused_keep;
    assign unused_keep = ^keep;
    always_ff @(posedge clk) begin
      rx[l].valid <= ins[At][0];
      rx[l].last  <= ins[At][1];
      rx[l].err   <= ins[At][2] && mutant != 14;
      rx[l].port  <= ins[At][15:8] + 8'(mutant == 15);
      rx[l].keep  <= keep[BeatBytes-1:0];
      rx[l].data  <= data;
      pop[l]           <= ins[At][3] && !(mutant == 3 && now % 64 == 0);
      discard_valid[l] <= ins[At][4] && !(mutant == 4 && now % 32 == 0);
      discard_slot[l]  <= ins[At+1][HdrBits-1:0];
      header_req[l].valid <= ins[At][5];
      header_req[l].slot  <= ins[At+1][16 +: HdrBits] ^ (mutant == 8 ? HdrBits'(1) : '0);
      header_req[l].step  <= ins[At+3][16 +: $bits(step_t)] ^ (mutant == 19 ? step_t'(1) : '0);
      req[l].copies.valid <= ins[At][6];
      req[l].copies.slot  <= ins[At+2][HdrBits-1:0];
      req[l].copies.count <= ins[At][22:16] == '0 ? '0 :
                             ins[At][22:16] + 7'(mutant == 5) - 7'(mutant == 6);
      req[l].copies.none  <= ins[At][22:16] == '0 || (mutant == 6 && ins[At][22:16] == 7'd1);
      for (int p = 0; p < NumPipes; p++)
        req[l].body[p] <= '{valid: ins[At+3][p], slot: ins[At+InReq+p][HdrBits-1:0],
                            beat_ready: ins[At+2][16+p] || mutant == 7};
      // nothing is read for recirculation
      for (int p = NumPipes; p < NumReaders; p++) req[l].body[p] <= '0;
    end
  end

  localparam int unsigned Rest = InLane * NumPipes;
  logic [NumModules-1:0] bank_q;
  always_ff @(posedge clk) bank_q <= ins[Rest+10][NumModules-1:0];
  always_ff @(posedge clk) begin
    settings            <= '0;
    settings.ready      <= ins[Rest][0] || mutant == 13;
    settings.init       <= ins[Rest][1];
    settings.clear      <= ins[Rest][2];
    settings.init_index <= ins[Rest][31:16];
    settings.bitmap     <= mutant == 9 ? '0 : ins[Rest+1][NumModules-1:0];
    settings.lane_limit <= ins[Rest+2][12:0] + 13'(mutant == 16);
    settings.ecn_lane   <= ins[Rest+2][28:16] + 13'(mutant == 17);
    settings.bank       <= mutant == 20 ? bank_q : ins[Rest+10][NumModules-1:0];
    settings.fault[FaultPhvStale] <= mutant == 11;
    settings.fault[FaultFlipLate] <= mutant == 21;
    cycle <= ins[Rest+3] + 32'(mutant == 10);
    chain_in <= '{valid: ins[Rest+4][0], first: ins[Rest+4][1], last: ins[Rest+4][2],
                  data: {ins[Rest+6], ins[Rest+5]}
                        ^ (mutant == 12 && !ins[Rest+4][1] ? 64'h1_0000_0000_0000 : '0)};
    chain_out_ready <= ins[Rest+4][3];
    csr_req <= '{valid: ins[Rest+7][0], write: ins[Rest+7][1], addr: ins[Rest+8][19:0],
                 wdata: ins[Rest+9]};
  end

  initial begin
    read_arguments();
    ingress_open(int'(seed), NumPipes, LaneDepth, HeaderSlots, BodyCells, Num2B, Num4B, Num6B,
                 NumModules, Banks, ParseActions, HeaderBytes, BeatBytes, HeaderSteps);
    release_reset(4);
    forever begin
      // In the middle of a cycle all outputs stand; the answer becomes the next cycle's inputs.
      @(negedge clk);
      now++;
      result = ingress_tick(outs, ins);
      if (result == 1) $finish;
      if (result > 1) fail("the model says so");
    end
  end

  logic unused;
  assign unused = ^{ins, csr_rsp.refused};
endmodule : tb_sluice_ingress
