// SPDX-License-Identifier: Apache-2.0

/// Test of sluice_order_tables: writes of ACCESS, SEGMENT and REGION pass by on their way to the
/// stages, and of other tables; shares are written and read. Checked: each of the first is out at
/// its stage alone, for two cycles, with its index and its entry, and nothing else is; all that
/// passes by is what went in; shares are what was written, and give RATE ticks in 256 cycles,
/// evenly: in any 16 cycles a 16th of them, rounded up or down.
/// +seed=N, +cycles=N (messages), +break=N (see the file `breaks`).
module tb_sluice_order_tables;
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;

  localparam int S = int'(StateStages), Rows = int'(NumModules), Ids = int'(Banks * ActiveIds);
  `include "bench.svh"
  `include "chain.svh"

  logic                    init = 1'b1, busy = 1'b0;
  logic [15:0]             init_index = '0;
  chain_t                  chain_seen;
  logic [StateStages-1:0]  access_write, segment_write, region_write, region_seen;
  logic [StateStages-1:0][NumModules-1:0] hold_rows;
  row_t                    away_row;
  copy_write_t             write;
  share_t [NumModules-1:0] share;
  logic [NumModules-1:0]   tick_of;
  sluice_order_tables u_dut (
    .clk_i(clk), .rst_ni(rst_n), .init_i(init), .init_index_i(init_index),
    .chain_i(chain_seen), .chain_ready_o(chain_in_ready), .chain_o(chain_out),
    .chain_ready_i(chain_out_ready), .chain_busy_i(busy),
    .hold_rows_o(hold_rows), .away_row_o(away_row), .away_i('0),
    .cut_rows_i('0), .cut_ready_i(1'b0),
    .write_valid_o({access_write, segment_write, region_write}),
    .write_o(write), .share_o(share), .tick_o(tick_of)
  );
  always_comb begin
    chain_seen = chain_in;
    if (mutant == 2 && !chain_in.first && now % 16 == 0) chain_seen.data = ~chain_in.data;
  end
  assign region_seen = mutant == 3 ? '0 : mutant == 1 ? {region_write[StateStages-2:0],
      region_write[StateStages-1]}
                                        : region_write;

  // ---- what is seen: table 1 ACCESS, 2 SEGMENT, 3 REGION; how long
  int          seen_table = 0, seen_stage = 0, seen_cycles = 0, seen_index = 0, seen_writes = 0;
  logic [63:0] seen_entry;
  initial forever begin
    int stages;
    @(negedge clk);
    now++;
    stages = rst_n ? $countones({access_write, segment_write, region_seen}) : 0;
    if (stages > 1) fail("two writes at once");
    if (stages == 1) begin
      seen_cycles++;
      seen_writes++;
      for (int s = 0; s < S; s++) begin
        if (access_write[s])  {seen_table, seen_stage} = {32'd1, s};
        if (segment_write[s]) {seen_table, seen_stage} = {32'd2, s};
        if (region_seen[s])   {seen_table, seen_stage} = {32'd3, s};
      end
      seen_index = seen_table == 3 ? int'(write.id) : int'(write.row);
      seen_entry = seen_table == 3 ? 64'(write.region)
                 : seen_table == 1 ? {32'(write.access), 32'd0} : {32'(write.segment), 32'd0};
    end
  end

  int     ticks [Rows], passed = 0, snooped = 0;
  share_t shares [Rows];

  // Not of the task: Verilator 5.006 draws a random number again where such a variable is read.
  chain_header_t h;
  logic [63:0]   words [$];
  logic [63:0]   word;
  int            kind;
  task automatic message();
    words.delete();
    kind = rnd(5);
    word = {16'(rnd(65536)), 16'(rnd(65536)), 16'(rnd(65536)), 16'(rnd(65536))};
    h    = '{op: ChainWrite, stage: stage_t'(rnd(S)), count: 8'd1, default: '0};
    case (kind)
      0: {h.resource, h.sub, h.index} = {TableAccessModule, TableAccessSub,
          16'(rnd(int'(Banks) * Rows))};
      1: {h.resource, h.sub, h.index} = {TableSegmentModule, TableSegmentSub,
          16'(rnd(int'(Banks) * Rows))};
      2: begin
        {h.resource, h.sub, h.index} = {TableRegionModule, TableRegionSub, 16'(rnd(Ids))};
        h.row = 8'(rnd(Rows) + (int'(h.index) >= int'(ActiveIds) ? Rows : 0));
      end
      3: {h.resource, h.sub, h.index} = {TableShareModule, TableShareSub, 16'(rnd(Rows))};
      default: {h.resource, h.sub, h.index} = {TableMatchModule, TableMatchSub,
          16'(rnd(int'(MatchEntries)))};
    endcase
    if (kind < 2 || kind == 3) word[31:0] = '0;
    if (kind == 3) begin
      word[47:0] = '0;
      shares[h.index[RowBits-1:0]] = word[63 -: ShareWidth];
    end
    words.push_back(word);
    {seen_table, seen_cycles, seen_writes} = '0;
    busy = 1'b1;
    exchange(h, words);
    busy = 1'b0;
    repeat (6) @(negedge clk);
    if (reply.op == ChainRefused) fail("a message is refused");
    if (kind < 3) begin
      snooped++;
      if (seen_table != kind + 1 || seen_cycles != 2 || seen_stage != int'(h.stage)
          || seen_index != int'(h.index)
          || seen_entry != word)
        fail($sformatf("kind %0d stage %0d index %0d %h: seen table %0d stage %0d index %0d %h for %0d cycles", kind, h.stage,
                       h.index, word, seen_table, seen_stage, seen_index, seen_entry, seen_cycles));
    end else if (seen_writes != 0) fail("a write that is none of the lanes' is seen");
    // Messages to the stages pass by; a write of the node's own comes back without its words.
    if (kind != 3) begin
      passed++;
      if (reply != h || reply_words.size() != 1 || reply_words[0] != word)
        fail("a message changes on its way");
    end else begin
      h.op = ChainRead;
      exchange(h, no_words);
      if (reply.op != ChainAnswer || reply_words.size() != 1 || reply_words[0] != word)
        fail($sformatf("a share %h reads as %h", word, reply_words[0]));
    end
    for (int r = 0; r < Rows; r++) if (share[r] != shares[r])
      fail($sformatf("share of module %0d", r));
  endtask

  logic unused_bits;
  assign unused_bits = ^{hold_rows, away_row};

  initial begin
    read_arguments(300);
    release_reset(3);
    for (int i = 0; i < Rows; i++) begin
      init_index = 16'(i);
      @(negedge clk);
    end
    init = 1'b0;
    for (int r = 0; r < Rows; r++) shares[r] = '0;
    for (int m = 0; m < int'(cycles); m++) message();
    // ---- ticks: 16 times 16 cycles
    repeat (4) @(negedge clk);
    begin
      int all [Rows];
      for (int r = 0; r < Rows; r++) all[r] = 0;
      for (int part = 0; part < 16; part++) begin
        for (int r = 0; r < Rows; r++) ticks[r] = 0;
        repeat (16) begin
          @(negedge clk);
          for (int r = 0; r < Rows; r++) ticks[r] += int'(tick_of[r]) * (mutant == 4 ? 2 : 1);
        end
        for (int r = 0; r < Rows; r++) begin
          int rate;
          rate = shares[r].limit ? int'(shares[r].rate) : 0;
          if (rate > 256) rate = 256;
          all[r] += ticks[r];
          if (ticks[r] < rate / 16 || ticks[r] > (rate + 15) / 16)
            fail($sformatf("module %0d, rate %0d: %0d ticks in 16 cycles", r, rate, ticks[r]));
          if (part == 15 && all[r] != rate)
            fail($sformatf("module %0d, rate %0d: %0d ticks in 256 cycles", r, rate, all[r]));
        end
      end
    end
    if (cycles >= 300 && snooped < 100) fail("the traffic was too tame");
    pass($sformatf("%0d writes seen, %0d messages passed by", snooped, passed));
  end
endmodule : tb_sluice_order_tables
