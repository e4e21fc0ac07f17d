// SPDX-License-Identifier: Apache-2.0

/// sluice_port_registers against sums kept here: random packets sent, refused and discarded, at
/// ports of one line and of several, and packets that wait. From time to time nothing happens for
/// some cycles, and all registers are compared; then, at times, all are cleared.
/// +seed=N +cycles=N +break=N (see file breaks).
module tb_sluice_port_registers
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_exit_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
;
  localparam int Lines = int'(LinePorts) / int'(NumPorts);   // of a port
  localparam int K     = int'(NumPipes);

  `include "bench.svh"

  logic                               clear;
  logic [NumPipes-1:0][LinePorts-1:0] refused, dut_refused;
  sent_t [NumPipes-1:0]               sent, dut_sent;
  logic [LinePorts-1:0]               sent_port, dut_sent_port, discarded;
  logic [LinePorts-1:0][15:0]         waiting, dut_waiting;
  csr_req_t                           req;
  csr_rsp_t                           rsp;
  always_comb begin
    dut_refused   = refused;
    dut_sent      = sent;
    dut_sent_port = sent_port;
    dut_waiting   = waiting;
    case (mutant)
      1: dut_sent[0].len = sent[0].len + 1'b1;
      2: if (NumPipes > 1) dut_refused[NumPipes-1] = refused[NumPipes-1] & ~refused[0];
      4: dut_waiting[0] = '0;
      5: dut_sent_port[1:0] = {1'b0, sent_port[0] || sent_port[1]};
      default: ;
    endcase
  end
  sluice_port_registers u_dut (
    .clk_i(clk), .rst_ni(rst_n), .clear_i(clear && mutant != 3), .refused_i(dut_refused),
    .sent_i(dut_sent), .sent_port_i(dut_sent_port), .waiting_i(dut_waiting),
    .discarded_i(discarded), .csr_req_i(req), .csr_rsp_o(rsp)
  );

  // ---- sums, a port each
  int unsigned packets [NumPorts], bytes [NumPorts], drops [NumPorts], highest [NumPorts],
               egress [NumPorts];
  int          compared = 0, clears = 0, together = 0;

  // Port p has the lines p * Lines and so on; line l is one of lane l modulo NumPipes.
  function automatic int waits(int p);
    waits = 0;
    for (int l = p * Lines; l < (p + 1) * Lines; l++) waits += int'(waiting[l]);
  endfunction

  task automatic sum_up();
    for (int p = 0; p < int'(NumPorts); p++) begin
      int sending = 0;
      for (int l = p * Lines; l < (p + 1) * Lines; l++) begin
        if (sent_port[l]) begin
          packets[p]++;
          bytes[p] += 32'(sent[l % K].len);
          sending++;
        end
        for (int s = 0; s < int'(NumPipes); s++) drops[p] += 32'(refused[s][l]);
        egress[p] += 32'(discarded[l]);
      end
      if (sending > 1) together++;
      if (waits(p) > int'(highest[p])) highest[p] = waits(p);
    end
  endtask

  task automatic compare(int p, logic [11:0] register, int unsigned expected);
    req = '{valid: 1'b1, write: 1'b0, wdata: '0,
            addr: BlockPortBase + 20'(p) * BlockPortStride + 20'(register)};
    tick();
    req = '0;
    repeat (2) tick();
    if (!rsp.valid || rsp.refused || rsp.rdata != expected)
      fail($sformatf("port %0d, register %h is %0d, should be %0d", p, register, rsp.rdata,
                     expected));
    compared++;
  endtask

  task automatic rests();
    refused   = '0;
    sent_port = '0;
    discarded = '0;
    for (int s = 0; s < int'(NumPipes); s++) sent[s].valid = 1'b0;
    repeat (5) tick();
  endtask

  initial begin
    int left;
    read_arguments(40_000);
    {clear, refused, sent, sent_port, discarded, waiting, req} = '0;
    foreach (packets[p]) {packets[p], bytes[p], drops[p], highest[p], egress[p]} = '0;
    release_reset(3);
    tick();
    while (now < int'(cycles)) begin
      // At the first time nothing has happened yet.
      rests();
      for (int p = 0; p < int'(NumPorts); p++) begin
        compare(p, RegPortPackets, packets[p]);
        compare(p, RegPortBytes, bytes[p]);
        compare(p, RegPortDrops, drops[p]);
        compare(p, RegPortHighQueue, highest[p]);
        compare(p, RegPortQueue, waits(p));
        compare(p, RegPortEgress, egress[p]);
      end
      if (rnd(3) == 0) begin
        clear = 1'b1;
        tick();
        clear = 1'b0;
        clears++;
        foreach (packets[p]) {packets[p], bytes[p], drops[p], egress[p]} = '0;
        for (int p = 0; p < int'(NumPorts); p++) highest[p] = waits(p);
        repeat (2) tick();
      end
      left = 1 + rnd(200);
      while (left > 0) begin
        left--;
        // An output lane sends one packet at a time.
        sent_port = '0;
        for (int s = 0; s < int'(NumPipes); s++) begin
          sent[s] = '{valid: rnd(2) != 0, port: 8'(rnd(256)), len: len_t'(64 + rnd(9153))};
          if (sent[s].valid)
            sent_port[s + K * rnd((int'(LinePorts) - s + K - 1) / K)] = 1'b1;
          refused[s] = rnd(3) == 0 ? LinePorts'($urandom) : '0;
        end
        discarded = EgressStages != 0 && rnd(2) != 0 ? LinePorts'($urandom) : '0;
        for (int l = 0; l < int'(LinePorts); l++)
          if (rnd(30) == 0) waiting[l] = 16'(rnd(rnd(2) != 0 ? 1000 : 65536 / Lines));
        sum_up();
        tick();
      end
    end
    if (cycles >= 20_000 && (clears < 10 || (Lines > 1 && together < 1000)))
      fail($sformatf("little tested: %0d clears, %0d packets together", clears, together));
    pass($sformatf("%0d registers read, %0d clears, %0d times a port sends several packets",
                   compared, clears, together));
  end
endmodule : tb_sluice_port_registers
