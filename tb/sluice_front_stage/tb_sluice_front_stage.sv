// SPDX-License-Identifier: Apache-2.0

/// A front stage with all its lanes against the model in tb/sluice_back_unit/stage_model.h: random
/// tables, random items at up to one a lane and cycle, one in eight of them dropped before; tables
/// of other rows are written and all are read in between. Every item and every reply is compared.
/// +seed=N  +phases=N  +break=N (see file breaks): 1 one bit of a container is wrong, 2 one bit of
/// what is written over the chain is wrong, 3 an item is delayed by one cycle, 4 the VID is off by
/// one, 5 dropped items are taken for good ones, 6 lanes 0 and 1 are exchanged, 7 the column has
/// another stage number.
module tb_sluice_front_stage;
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_stage_pkg::*;

  import "DPI-C" function void st_start(input int back, input int pipes, input int ports,
    input int n2, input int n4, input int n6, input int rows, input int modules, input int banks, input int slots, input int granule,
    input int pairs, input int shifters, input int multipliers, input int wide, input int stage, input int cycles, input int seed, input int phases);
  import "DPI-C" function int st_begin();
  import "DPI-C" function int st_expect(input int pipe);
  import "DPI-C" function longint st_result(input int pipe, input int kind, input int i);
  import "DPI-C" function void st_seen(input int first, input int last, input longint data);
  import "DPI-C" function int st_drive(input int pipe, input int hold);
  import "DPI-C" function longint st_packet(input int pipe, input int kind, input int i);
  import "DPI-C" function int st_word(input int taken, output longint data);
  import "DPI-C" function void st_report();

  localparam stage_t Stage = 5'(BackStages);
  localparam int unsigned Deepest = NumModules > MatchEntries ? NumModules : MatchEntries;

  int phases = 24;
  `include "bench.svh"
  `include "chain.svh"

  stage_settings_t settings;
  `include "sweep.svh"
  item_t [NumPipes-1:0] in_item, late_item, dut_in, dut_out, out_item;
  chain_t chain_dut;

  always_ff @(posedge clk) late_item <= in_item;

  always_comb begin
    dut_in    = mutant == 3 ? late_item : in_item;
    out_item  = dut_out;
    chain_dut = chain_in;
    for (int unsigned p = 0; p < NumPipes; p++) begin
      if (mutant == 1) dut_in[p].phv.cont.b2[0][1] = !in_item[p].phv.cont.b2[0][1];
      if (mutant == 4) dut_in[p].phv.meta.overlay = in_item[p].phv.meta.overlay + 1'b1;
      if (mutant == 5) dut_in[p].reason = DropNone;
    end
    if (mutant == 2 && !chain_in.first) chain_dut.data[62] = !chain_in.data[62];
    if (mutant == 6) begin
      out_item[0] = dut_out[NumPipes-1];
      out_item[NumPipes-1] = dut_out[0];
    end
  end

  sluice_front_stage dut (
    .clk_i(clk), .rst_ni(rst_n), .stage_i(Stage + 5'(mutant == 7)), .settings_i(settings),
    .item_i(dut_in), .item_o(dut_out),
    .chain_i(chain_dut), .chain_ready_o(chain_in_ready), .chain_o(chain_out),
    .chain_ready_i(chain_out_ready)
  );

  function automatic item_t with_containers(int p, item_t base, bit result);
    item_t k;
    k = base;
    k.phv.capsule = '0;
    k.phv.cont = '0;
    for (int i = 0; i < int'(Num2B); i++)
      k.phv.cont.b2[i] = 16'(result ? st_result(p, 1, i) : st_packet(p, 1, i));
    for (int i = 0; i < int'(Num4B); i++)
      k.phv.cont.b4[i] = 32'(result ? st_result(p, 2, i) : st_packet(p, 2, i));
    for (int i = 0; i < int'(Num6B); i++)
      k.phv.cont.b6[i] = 48'(result ? st_result(p, 3, i) : st_packet(p, 3, i));
    k.phv.meta.dest    = 8'(result ? st_result(p, 0, 0) : st_packet(p, 0, 0));
    k.phv.meta.discard = 1'(result ? st_result(p, 0, 1) : st_packet(p, 0, 1));
    return k;
  endfunction

  item_t sent [NumPipes][16];

  task automatic check(int p, int cycle);
    item_t expected;
    expected = sent[p][(cycle - int'(FrontCycles)) & 15];
    if (out_item[p].valid !== expected.valid) $fatal(1, "cycle %0d: valid of lane %0d", cycle, p);
    if (!expected.valid) return;
    void'(st_expect(p));
    expected = with_containers(p, expected, 1'b1);
    if (out_item[p] !== expected)
      $fatal(1, "cycle %0d: item of lane %0d\n  is       %h\n  expected %h", cycle, p,
             out_item[p], expected);
  endtask

  task automatic drive(int p, int cycle);
    int                       d;
    logic                     valid, active;
    logic [$bits(item_t)-1:0] noise;
    logic [7:0]               vid;
    item_t                    k;
    d      = st_drive(p, 0);
    valid  = (d & 1) != 0;
    active = (d & 4) != 0;
    for (int i = 0; i < $bits(item_t); i++) noise[i] = 1'($urandom);
    k       = item_t'(noise);
    k.phv   = kept_phv(k.phv);
    k.valid = valid;
    if (valid) begin
      k = with_containers(p, k, 1'b0);
      vid = 8'(st_packet(p, 0, 2));
      k.phv.meta.vid_high = vid[7:RowBits];
      k.phv.meta.overlay  = overlay_t'({1'(st_packet(p, 0, 3)), row_t'(vid)});
      k.reason = active ? DropNone : DropProtocol;
    end
    sent[p][cycle & 15] = k;
    in_item[p]         = k;
  endtask

  initial begin
    int         state;
    logic [2:0] w;
    longint     data;
    read_arguments();
    void'($value$plusargs("phases=%d", phases));
    if (FrontCycles >= 16) $fatal(1, "packets are kept for 16 cycles");
    st_start(0, int'(NumPipes), int'(NumPorts), int'(Num2B), int'(Num4B), int'(Num6B),
             int'(MatchEntries), int'(NumModules), int'(Banks), 1, 1, 1, int'(Shifters), int'(Multipliers), int'(WideCompare), int'(Stage), int'(FrontCycles), seed, phases);
    settings = '0;
    in_item  = '0;
    for (int p = 0; p < int'(NumPipes); p++) for (int i = 0; i < 16; i++) sent[p][i] = '0;
    release_reset(3);
    sweep(int'(Deepest));
    state = 0;
    for (int cycle = 1; state == 0; cycle++) begin
      @(negedge clk);
      state = st_begin();
      for (int p = 0; p < int'(NumPipes); p++) check(p, cycle);
      if (chain_came.size() != 0) begin
        st_seen(int'(chain_came[0].first), int'(chain_came[0].last), longint'(chain_came[0].data));
        void'(chain_came.pop_front());
      end
      for (int p = 0; p < int'(NumPipes); p++) drive(p, cycle);
      w = 3'(st_word(int'(chain_taken), data));
      chain_in = '{valid: w[0], first: w[1], last: w[2], data: data};
      chain_out_ready = $urandom_range(3) != 0;
    end
    if (state == 2) $fatal(1, "failed");
    st_report();
    $finish;
  end
endmodule : tb_sluice_front_stage
