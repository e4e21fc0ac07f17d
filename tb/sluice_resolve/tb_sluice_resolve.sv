// SPDX-License-Identifier: Apache-2.0

/// Resolution of all accesses of a packet against a model in C (resolve.c): programs and capsules,
/// seven packets in eight cycles, and writes of ACCESS, SEGMENT and REGION in between. Of each
/// packet accesses, homes, what is out of bounds, PHV and reason are compared.
/// +seed=N +cycles=N +break=N (see the file breaks).
module tb_sluice_resolve;
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;

  `include "bench.svh"
  `include "capsule.svh"

  import "DPI-C" function void rs_start(input int pipes, input int n2, input int n4, input int n6,
    input int modules, input int banks, input int slots, input int ids, input int stages, input int state,
    input int seed);
  import "DPI-C" function int rs_drive();
  import "DPI-C" function int rs_sets();
  import "DPI-C" function longint rs_phv(input int kind, input int i);
  import "DPI-C" function int rs_expect(input int stage);
  import "DPI-C" function int rs_write(output longint data);
  import "DPI-C" function void rs_report();

  localparam int unsigned Overlays = Banks * NumModules;
  localparam int unsigned Deepest  = Banks * ActiveIds > Overlays ? Banks * ActiveIds : Overlays;

  order_settings_t settings, dut_settings;
  `include "sweep.svh"
  logic      in_valid, out_valid;
  drop_e     in_reason, out_reason;
  phv_t      in_phv, out_phv;
  logic   [StateStages-1:0] out_access, out_pinned, access_write, segment_write, region_write;
  place_t [StateStages-1:0] out_home;
  logic   [StageBits-1:0]   out_of_bounds;
  copy_write_t copy;

  sluice_resolve dut (
    .clk_i(clk), .rst_ni(rst_n), .settings_i(dut_settings), .valid_i(in_valid), .reason_i(in_reason),
    .phv_i(in_phv), .valid_o(out_valid), .reason_o(out_reason), .phv_o(out_phv),
    .access_o(out_access), .pinned_o(out_pinned), .home_o(out_home), .out_of_bounds_o(out_of_bounds),
    .write_valid_i({access_write, segment_write, region_write}),
    .write_i(copy)
  );

  always_comb begin
    dut_settings = settings;
    if (mutant == 9) dut_settings.set_mask = '0;
  end
  always @(negedge clk) if (mutant == 7) force dut.memory = '0;

  phv_t  sent [4];
  drop_e reason [4];
  bit    valid [4];

  // What the DUT gets instead, of a mutant.
  function automatic carried_t broken(carried_t c);
    broken = c;
    for (int n = 0; n < int'(BackStages); n++) begin
      if (mutant == 1 && c.ops[n].opcode inside {7'(OpcodeCjump), 7'(OpcodeCjumpi), 7'(OpcodeUjump)})
        broken.ops[n].opcode = 7'(OpcodeNop);
      if (mutant == 2 && c.ops[n].opcode == 7'(OpcodeHash)) broken.ops[n].opcode = 7'(OpcodeNop);
    end
    if (mutant == 3) broken.known   = 1'b1;
    if (mutant == 4) broken.data[0] = c.data[0] + 32'd1;
    if (mutant == 5) broken.preload = 1'b1;
  endfunction

  task automatic check();
    int         e;
    logic [1:0] at;
    drop_e      want;
    at = 2'(now + 1);                              // three cycles ago
    if (out_valid != valid[at]) fail("valid");
    if (!out_valid) return;
    want = reason[at] == DropNone && sent[at].meta.discard ? DropDiscardFront : reason[at];
    if (out_phv !== sent[at] || out_reason != want) fail("PHV or reason");
    for (int s = 0; s < int'(StateStages); s++) begin
      e = rs_expect(s);
      if (out_access[s] != e[0]) fail($sformatf("stage %0d: access %b", s, out_access[s]));
      if (e[0] && (out_pinned[s] != e[1] || int'(out_home[s].pipe) != int'(e[7:4])
                   || int'(out_home[s].slot) != (e[1] ? int'(PinnedSlot) : e >> 8)))
        fail($sformatf("stage %0d: pinned %b, pipeline %0d, slot %0d, not %b, %0d, %0d", s, out_pinned[s],
                       out_home[s].pipe, out_home[s].slot, e[1], e[7:4], e >> 8));
    end
    if (int'(out_of_bounds) != rs_expect(-1))
      fail($sformatf("%0d out of bounds, not %0d", out_of_bounds, rs_expect(-1)));
  endtask

  task automatic drive();
    logic [$bits(phv_t)-1:0] noise;
    logic [7:0] vid;
    carried_t   c;
    in_valid = 1'(rs_drive());
    for (int i = 0; i < $bits(phv_t); i++) noise[i] = 1'($urandom);
    in_phv = phv_t'(noise);
    if (in_valid) begin
      in_phv.cont = '0;
      for (int i = 0; i < int'(Num2B); i++) in_phv.cont.b2[i] = 16'(rs_phv(1, i));
      for (int i = 0; i < int'(Num4B); i++) in_phv.cont.b4[i] = 32'(rs_phv(2, i));
      for (int i = 0; i < int'(Num6B); i++) in_phv.cont.b6[i] = 48'(rs_phv(3, i));
      vid = 8'(rs_phv(0, 0));
      in_phv.meta.vid_high = vid[7:RowBits];
      in_phv.meta.overlay  = overlay_t'({1'(rs_phv(0, 1)), row_t'(vid)});
      c = capsule(0);
      in_phv.capsule = capsule_bits_t'(broken(c));
    end
    in_reason = drop_e'(rnd(2) * rnd(5));
    sent[now & 3]   = in_phv;
    reason[now & 3] = in_reason;
    valid[now & 3]  = in_valid;
  endtask

  task automatic write();
    int         w;
    longint     data;
    logic [7:0] stage;
    w = rs_write(data);
    {access_write, segment_write, region_write} = '0;
    stage         = 8'(w >> 4);
    copy.row     = overlay_t'(w >> 12);
    copy.id      = id_row_t'(w >> 12) ^ (mutant == 8 ? id_row_t'(ActiveIds) : '0);
    copy.access  = access_t'(data);
    copy.segment = segment_t'(data);
    copy.region  = region_t'(data);
    if (mutant == 6) copy.region.valid = 1'b1;
    case (w[3:0])
      4'd1: access_write  = StateStages'(1) << stage;
      4'd2: segment_write = StateStages'(1) << stage;
      4'd3: region_write  = StateStages'(1) << stage;
      default: ;
    endcase
  endtask

  initial begin
    int sets;
    read_arguments(30000);
    rs_start(int'(NumPipes), int'(Num2B), int'(Num4B), int'(Num6B), int'(NumModules), int'(Banks),
             int'(SlotsPerPipe), int'(ActiveIds), int'(BackStages), int'(StateStages), int'(seed));
    settings  = '0;
    in_valid  = 1'b0;
    in_reason = DropNone;
    in_phv    = '0;
    {access_write, segment_write, region_write} = '0;
    copy = '0;
    for (int i = 0; i < 4; i++) valid[i] = 1'b0;
    release_reset(3);
    sweep(int'(Deepest));
    for (now = 1; now < int'(cycles); now++) begin
      @(negedge clk);
      check();
      drive();
      write();
      sets = rs_sets();
      settings.set_mask = '0;
      for (int b = 0; b < sets; b++) settings.set_mask[PipeBits-1-b] = 1'b1;
    end
    rs_report();
    $finish;
  end
endmodule : tb_sluice_resolve
