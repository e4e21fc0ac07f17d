// SPDX-License-Identifier: Apache-2.0

/// sluice_lane_registers against sums kept here: random packets that end, are stored, or are
/// dropped for every reason that there is. What is no drop of a lane (reasons behind PROTOCOL, but
/// for RATE) must count nowhere, and no reason may count without a drop.
/// +seed=N +cycles=N +break=N (see file breaks).
module tb_sluice_lane_registers
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_buffer_pkg::*;
;
  `include "bench.svh"

  logic         clear, done, arrived, dut_arrived;
  len_t         len, len_q, dut_len;
  drop_t        drop, dut_drop;
  buffer_used_t used, dut_used;
  logic [12:0]  waiting;
  csr_req_t     req;
  csr_rsp_t     rsp;
  always_ff @(posedge clk) len_q <= len;
  always_comb begin
    dut_drop    = drop;
    dut_len     = len;
    dut_used    = used;
    dut_arrived = arrived;
    case (mutant)
      1: dut_drop.reason = drop_e'(drop.reason + 5'd1);
      3: dut_len = len_q;
      4: dut_used.cells = cells_t'(used.slots);
      5: dut_arrived = arrived || (drop.valid && drop.reason == DropRate);
      default: ;
    endcase
  end
  sluice_lane_registers u_dut (
    .clk_i(clk), .rst_ni(rst_n), .lane_i(pipe_t'(1)), .clear_i(clear && mutant != 2), .done_i(done),
    .arrived_i(dut_arrived), .len_i(dut_len), .drop_i(dut_drop), .used_i(dut_used),
    .waiting_i(waiting), .csr_req_i(req), .csr_rsp_o(rsp)
  );

  int unsigned packets = 0, accepted = 0, bytes = 0, slots = 0, cells = 0, queue = 0;
  int unsigned drops [32];
  int          compared = 0, clears = 0;

  task automatic compare(logic [11:0] register, int unsigned expected);
    req = '{valid: 1'b1, write: 1'b0, addr: BlockLaneBase + BlockLaneStride + 20'(register),
            wdata: '0};
    tick();
    req = '0;
    repeat (2) tick();
    if (!rsp.valid || rsp.refused || rsp.rdata != expected)
      fail($sformatf("register %h is %0d, should be %0d", register, rsp.rdata, expected));
    compared++;
  endtask

  task automatic highest();
    if (32'(used.slots) > slots) slots = 32'(used.slots);
    if (32'(used.cells) > cells) cells = 32'(used.cells);
    if (32'(waiting) > queue)    queue = 32'(waiting);
  endtask

  initial begin
    int left;
    read_arguments(30_000);
    {clear, done, arrived, len, drop, used, waiting, req} = '0;
    foreach (drops[r]) drops[r] = 0;
    release_reset(3);
    tick();
    while (now < int'(cycles)) begin
      compare(RegLanePackets, packets);
      compare(RegLaneBytes, bytes);
      compare(RegLaneAccepted, accepted);
      compare(RegLaneHighSlots, slots);
      compare(RegLaneHighCells, cells);
      compare(RegLaneHighQueue, queue);
      for (int r = 0; r < 32; r++)
        compare(RegLaneDrop + 12'(4 * r),
                (r > 0 && r <= int'(DropProtocol)) || r == int'(DropRate) ? drops[r] : 0);
      if (rnd(3) == 0) begin
        clear = 1'b1;
        tick();
        clear = 1'b0;
        clears++;
        {packets, accepted, bytes, slots, cells, queue} = '0;
        foreach (drops[r]) drops[r] = 0;
        highest();
        tick();
      end
      left = 1 + rnd(200);
      while (left > 0) begin
        left--;
        done    = rnd(2) != 0;
        arrived = rnd(2) != 0;
        len     = len_t'(64 + rnd(9153));
        // Of half of them the reason stands there without a drop.
        drop    = '{valid: rnd(2) != 0, known: 1'b1, row: row_t'(rnd(int'(NumModules))),
                    reason: drop_e'(rnd(int'(DropGaveWay) + 1))};
        if (rnd(20) == 0) used = '{slots: slots_t'(rnd(int'(HeaderSlots) + 1)),
                                   cells: cells_t'(rnd(int'(BodyCells) + 1))};
        if (rnd(20) == 0) waiting = 13'(rnd(int'(LaneDepth) + 1));
        packets  += 32'(done);
        accepted += 32'(arrived);
        bytes    += arrived ? 32'(len) : 0;
        if (drop.valid) drops[drop.reason]++;
        highest();
        tick();
      end
      done       = 1'b0;
      arrived    = 1'b0;
      drop.valid = 1'b0;
    end
    if (cycles >= 20_000 && clears < 10) fail($sformatf("only %0d clears", clears));
    pass($sformatf("%0d registers read, %0d clears", compared, clears));
  end
endmodule : tb_sluice_lane_registers
