// SPDX-License-Identifier: Apache-2.0

/// Test of sluice_table_node with sluice_config_table and sluice_table_answer beside it, in two copies: the tables
/// of the exit, KEY_MASK and SEGMENT of stage Stage, and TENANT in a chip with capsules. Random messages, for tables and
/// columns that are here and that are not, in range and out of it, and answers and refusals of others; packets read at
/// random rows all the while. The model is written from docs/machine.md (Configuration): which bits are kept, what is
/// refused, what is there after reset. A second node behind it has no tables: it sees the writes of SEGMENT of the
/// columns with state.
module tb_sluice_table_node;
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_table_pkg::*;

  localparam stage_t      Stage  = 5'd3;
  localparam int unsigned Tables = 6 + Active;
  localparam int unsigned Copies = NumPipes > 1 ? 2 : 1;
  localparam int unsigned Words  = EntryBits / 64;
  typedef logic [EntryBits-1:0] entry_t;

  int break_no, seed, messages;
  logic clk = 1'b0, rst_n = 1'b0;
  initial forever #5 clk = !clk;

  // ---- the tables of this test: what a message names, rows, kept bits
  function automatic table_e which_of(int t);
    case (t)
      0: return TableDeparser;
      1: return TableDeparseOpt;
      2: return TablePortMask;
      3: return TableModulePorts;
      4: return TableKeyMask;
      5: return TableSegment;
      default: return TableTenant;
    endcase
  endfunction
  localparam int OverlayRows = int'(Banks * NumModules);
  localparam int Ports = int'(NumPorts + Recirculation);   // that of recirculation is the last

  function automatic int rows_of(int t);
    return t == 2 ? 256 : t == 6 ? int'(Banks * ActiveIds) : OverlayRows;
  endfunction

  function automatic int width_of(int t);
    case (t)
      0: return 160;
      1: return 8;
      2, 3: return 64;
      4: return 193;
      default: return 32;
    endcase
  endfunction

  function automatic entry_t kept_of(int t);
    entry_t k;
    k = '0;
    case (t)
      0: for (int a = 0; a < int'(ParseActions); a++) k[EntryBits-1-16*a -: 16] = '1;
      1: if (Checksums != 0) k[EntryBits-1 -: 8] = '1;
      2, 3: for (int p = 0; p < Ports; p++) k[EntryBits-64+p] = 1'b1;
      4: begin
        k[EntryBits-1 -: 193] = '1;
        if (Num6B == 0) k[EntryBits-1 -: 48] = '0;
        if (Num6B < 2)  k[EntryBits-49 -: 48] = '0;
        if (Num4B < 2)  k[EntryBits-129 -: 32] = '0;
        if (Num2B < 2)  k[EntryBits-177 -: 16] = '0;
      end
      default: k[EntryBits-1 -: 32] = '1;
    endcase
    return k;
  endfunction

  // ---- the node, its tables, packets that read
  chain_t       chain_in = '0, chain_seen, chain_node, chain_out;
  logic         in_ready, node_ready, out_ready = 1'b1, refuse = 1'b0;
  table_write_t write, write_seen;
  table_read_t  read, read_seen;
  word_answer_t answer, answer_seen;
  word_answer_t answers [Copies][Tables];
  logic         init = 1'b1;
  logic [15:0]  init_index = '0;
  logic         re [Copies][Tables];
  logic [7:0]   row [Copies][Tables];
  entry_t       entry [Copies][Tables];

  always_comb begin
    chain_seen = chain_in;
    if (break_no == 3 && chain_in.first) chain_seen.data[59:55] = Stage;
    if (break_no == 11 && chain_in.first && chain_in.data[54:52] == TableSegmentModule) chain_seen.data[51:48] = TableSegmentSub;
  end
  sluice_table_node #(
    .Owned(tables_of(ScopeExit) | table_set_t'(1) << TableKeyMask | table_set_t'(1) << TableSegment
           | table_set_t'(1) << TableSegment16 | table_set_t'(Active) << TableTenant)
  ) dut (
    .clk_i(clk), .rst_ni(rst_n), .stage_i(Stage),
    .chain_i(chain_seen), .chain_ready_o(in_ready), .chain_o(chain_node), .chain_ready_i(node_ready),
    .refuse_i(refuse && break_no != 12),
    .write_o(write), .write_ready_i('{ready: 1'b1, refused: 1'b0}), .read_o(read), .answer_i(answer_seen)
  );
  // What the second node sees.
  table_write_t watched;
  table_read_t  unused_read;
  sluice_table_node #(
    .Owned('0), .Seen(table_set_t'(1) << TableSegment | table_set_t'(1) << TableSegment16)
  ) u_watch (
    .clk_i(clk), .rst_ni(rst_n), .stage_i('0),
    .chain_i(chain_node), .chain_ready_o(node_ready), .chain_o(chain_out), .chain_ready_i(out_ready),
    .refuse_i(1'b0),
    .write_o(watched), .write_ready_i('0), .read_o(unused_read), .answer_i('0)
  );
  logic [52:0] to_see [$], sees;                 // {column, index, entry}
  int          seen = 0;
  assign sees = {watched.header.stage, watched.header.index, watched.data[EntryBits-1 -: 32]};
  always @(posedge clk) if (!init && watched.valid && !(break_no == 13 && seen == 5)) begin
    if (to_see.size() == 0) $fatal(1, "a write of column %0d is seen", watched.header.stage);
    if (watched.which != TableSegment || sees != to_see[0]) $fatal(1, "a write is seen as %h, not %h", sees, to_see[0]);
    void'(to_see.pop_front());
    seen <= seen + 1;
  end

  always_comb begin
    write_seen = write;
    read_seen  = read;
    if (break_no == 1) write_seen.data[EntryBits-3] = !write.data[EntryBits-3];
    if (break_no == 2) write_seen.header.index = write.header.index ^ 16'd1;
    if (break_no == 5) read_seen.word = '0;
    if (break_no == 6 && write.which == TablePortMask) write_seen.which = TableModulePorts;
    answer = '0;
    for (int c = 0; c < int'(Copies); c++) for (int t = 0; t < int'(Tables); t++) answer |= answers[c][t];
    answer_seen = answer;
    if (break_no == 7) answer_seen.data[61] = 1'b0;
  end

  for (genvar c = 0; c < Copies; c++) begin : gen_copy
    for (genvar t = 0; t < Tables; t++) begin : gen_table
      localparam int unsigned Width = table_width(which_of(t));
      localparam int unsigned Addr  = index_bits(table_rows(which_of(t)));
      logic [Width-1:0] data;
      sluice_config_table #(.Which(which_of(t)), .InitOnes(t == 3), .InitOneHot(t == 2)) u_table (
        .clk_i(clk), .rst_ni(rst_n), .init_i(init && !(break_no == 10 && t == 3)), .init_index_i(init_index),
        .copy_i(pipe_t'(break_no == 4 ? 0 : c)),
        .re_i(re[c][t]), .row_i(row[c][t][Addr-1:0] ^ Addr'(break_no == 8)), .entry_o(data),
        .write_i(write_seen), .read_i(read_seen), .answer_o(answers[c][t])
      );
      assign entry[c][t] = {data, {(EntryBits-Width){1'b0}}};
    end
  end

  // ---- model: what stands in every row, and what stood there before the write under way
  entry_t now_q [Tables][256], before_q [Tables][256];
  bit     writing = 1'b0;

  // Packets, against the model of the cycle in which they read.
  entry_t may_a [Copies][Tables], may_b [Copies][Tables];
  bit     was [Copies][Tables];
  int     packets = 0;
  task automatic packets_read();
    for (int c = 0; c < int'(Copies); c++)
      for (int t = 0; t < int'(Tables); t++) begin
        if (was[c][t] && entry[c][t] != may_a[c][t] && entry[c][t] != may_b[c][t])
          $fatal(1, "copy %0d of table %0d, row %0d: %h, expected %h", c, t, row[c][t], entry[c][t], may_a[c][t]);
        packets += int'(was[c][t]);
        re[c][t]  = $urandom_range(2) != 0;
        row[c][t] = 8'($urandom_range(rows_of(t) - 1));
        if (writing && $urandom_range(1) == 0) row[c][t] = 8'(target % rows_of(t));
        may_a[c][t] = now_q[t][row[c][t]];
        may_b[c][t] = writing ? before_q[t][row[c][t]] : may_a[c][t];
        was[c][t]   = re[c][t];
      end
    out_ready = $urandom_range(3) != 0;
  endtask
  initial forever begin
    @(negedge clk);
    if (rst_n && !init) packets_read();
  end

  // ---- messages
  int     target = 0;
  chain_t got [$];
  always @(posedge clk) if (!init && chain_out.valid && out_ready) got.push_back(chain_out);

  task automatic send(logic [63:0] data, bit first, bit last);
    chain_in = '{valid: 1'b1, first: first, last: last, data: data};
    do begin
      #1;
      if (in_ready) break;
      @(negedge clk);
    end while (1);
    @(posedge clk);
    @(negedge clk);
    chain_in = '0;
    while ($urandom_range(2) == 0) @(negedge clk);
  endtask

  task automatic want(logic [63:0] data, bit first, bit last);
    for (int n = 0; got.size() == 0; n++) begin
      if (n > 500) $fatal(1, "nothing comes out");
      @(negedge clk);
    end
    if (got[0].data != data || got[0].first != first || got[0].last != last)
      $fatal(1, "the chain has %h (%b%b), expected %h (%b%b)", got[0].data, got[0].first, got[0].last, data, first, last);
    void'(got.pop_front());
  endtask

  int refused = 0, passed = 0, done = 0;
  task automatic message();
    int            t, count, words;
    chain_header_t h, reply;
    entry_t        e, kept;
    bit            narrow, here, legal;
    segment16_t    short_form;
    logic [15:0]   wide_base, wide_range;
    t      = $urandom_range(int'(Tables) - 1);
    narrow = t == 5 && 1'($urandom);
    h      = '0;
    case ($urandom_range(19))
      0, 1:    h.op = ChainErase;
      2:       h.op = ChainAnswer;
      3:       h.op = ChainRefused;
      default: h.op = 1'($urandom) ? ChainRead : ChainWrite;
    endcase
    h.stage = 1'($urandom) ? Stage : 1'($urandom) ? 5'($urandom_range(int'(StateStages))) : 5'($urandom);
    case (t)
      0: {h.resource, h.sub} = {3'd5, 4'($urandom)};
      1: {h.resource, h.sub} = {3'd6, 4'd1};
      2: {h.resource, h.sub} = {3'd6, 4'd2};
      3: {h.resource, h.sub} = {3'd6, 4'd4};
      4: {h.resource, h.sub} = {3'd1, 4'($urandom_range(15, 1))};
      6: {h.resource, h.sub} = {3'd6, 4'd5};
      default: {h.resource, h.sub} = {3'd3, narrow ? 4'd8 : 4'd1};
    endcase
    here = t < 4 || t == 6 || h.stage == Stage;
    if ($urandom_range(9) == 0) begin            // KEY_EXTRACT, MODULE: not here
      {h.resource, h.sub} = 1'($urandom) ? {3'd1, 4'd0} : {3'd6, 4'd0};
      here = 1'b0;
    end
    words   = here ? (width_of(t) + 63) / 64 : 1;
    if (here && narrow) words = 1;
    if (h.op != ChainWrite && h.op != ChainRead) here = 1'b0;   // none of these can be erased
    count   = $urandom_range(3, 1);
    h.count = 8'(count);
    h.copy  = 8'($urandom_range(int'(Copies)));
    h.row   = 8'($urandom);
    if (t == 6 && 1'($urandom)) h.row = 8'($urandom_range(OverlayRows));
    h.index = 16'($urandom_range(9) == 0 ? rows_of(t) - 2 + $urandom_range(3) : $urandom_range(rows_of(t) - 1));
    refuse  = $urandom_range(15) == 0;
    for (int w = 0; w < int'(Words); w++) e[EntryBits-1-64*w -: 64] = {$urandom, $urandom};
    legal   = int'(h.index) + (h.op == ChainRead ? count - 1 : 0) < rows_of(t) && !refuse
           && (h.op != ChainRead || int'(h.copy) < int'(NumPipes));
    if (h.op == ChainRead && int'(h.copy) >= int'(Copies) && legal) h.copy = '0;    // there, but not in this test
    // Who writes an entry of ids names a module of the entry's bank.
    if (t == 6 && h.op == ChainWrite && (int'(h.row) >= OverlayRows || int'(h.row) / int'(NumModules) != int'(h.index) / int'(ActiveIds)))
      legal = 1'b0;
    if (h.op == ChainWrite && {h.resource, h.sub} inside {{3'd3, 4'd1}, {3'd3, 4'd8}} && h.stage != Stage && !refuse
        && int'(h.stage) < int'(StateStages) && int'(h.index) < OverlayRows) begin
      to_see.push_back({h.stage, h.index, h.sub == 4'd1 ? e[EntryBits-1 -: 32]
                        : {16'(int'(e[EntryBits-1 -: 8]) * int'(Granule)), 16'(int'(e[EntryBits-9 -: 8]) * int'(Granule))}});
    end
    kept = kept_of(t);
    if (h.op == ChainWrite && here && legal) begin
      target = int'(h.index);
      for (int i = 0; i < int'(Tables); i++) for (int r = 0; r < 256; r++) before_q[i][r] = now_q[i][r];
      writing = 1'b1;
      if (narrow) begin
        short_form = e[EntryBits-1 -: 16];
        wide_range = 16'(int'(short_form.range) * int'(Granule));
        wide_base  = 16'(int'(short_form.base) * int'(Granule));
        now_q[t][h.index[7:0]] = {wide_range, wide_base, {(EntryBits-32){1'b0}}};
      end else now_q[t][h.index[7:0]] = e & kept;
    end
    send(h, 1'b1, h.op != ChainWrite);
    if (h.op == ChainWrite)
      for (int w = 0; w < words; w++) send(e[EntryBits-1-64*w -: 64], 1'b0, w == words - 1);
    reply = h;
    if (!here && !refuse) begin
      passed++;
      want(h, 1'b1, h.op != ChainWrite);
      if (h.op == ChainWrite)
        for (int w = 0; w < words; w++) want(e[EntryBits-1-64*w -: 64], 1'b0, w == words - 1);
    end else if (!legal) begin
      refused++;
      reply.op = ChainRefused;
      want(reply, 1'b1, 1'b1);
    end else if (h.op == ChainWrite) begin
      done++;
      want(reply, 1'b1, 1'b1);
    end else begin
      done++;
      reply.op = ChainAnswer;
      want(reply, 1'b1, 1'b0);
      for (int n = 0; n < count; n++) begin
        e = now_q[t][h.index[7:0] + 8'(n)];
        if (narrow) e = {8'(int'(e[EntryBits-1 -: 16]) / int'(Granule)), 8'(int'(e[EntryBits-17 -: 16]) / int'(Granule)), {(EntryBits-16){1'b0}}};
        for (int w = 0; w < words; w++)
          want(e[EntryBits-1-64*w -: 64], 1'b0, n == count - 1 && w == words - 1);
      end
    end
    repeat (2) @(negedge clk);
    writing = 1'b0;
    if (got.size() != 0) $fatal(1, "more comes out than went in");
    if (to_see.size() != 0) $fatal(1, "a write of column %0d is not seen", h.stage);
  endtask

  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    if (!$value$plusargs("messages=%d", messages)) messages = 4000;
    if (!$value$plusargs("break=%d", break_no)) break_no = 0;
    $display("seed %0d", seed);
    void'($urandom(seed));
    for (int c = 0; c < int'(Copies); c++)
      for (int t = 0; t < int'(Tables); t++) begin
        re[c][t]  = 1'b0;
        row[c][t] = '0;
        was[c][t] = 1'b0;
      end
    for (int t = 0; t < int'(Tables); t++)
      for (int r = 0; r < 256; r++) begin
        now_q[t][r] = '0;
        if (t == 2) for (int p = 0; p < Ports; p++) now_q[t][r][EntryBits-64+p] = r == p;
        if (t == 3) now_q[t][r] = kept_of(t);
        before_q[t][r] = now_q[t][r];
      end
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    for (int r = 0; r < 256 - int'(break_no == 9); r++) begin
      init_index = 16'(r);
      @(negedge clk);
    end
    init = 1'b0;
    repeat (2000) @(negedge clk);                // packets see what the sweep left
    for (int m = 0; m < messages; m++) message();
    if (messages >= 4000 && seen < 20) $fatal(1, "too tame: %0d writes seen", seen);
    $display("PASS %0d messages done, %0d refused, %0d passed on, %0d of them seen; %0d packets", done, refused, passed, seen, packets);
    $finish;
  end
endmodule : tb_sluice_table_node
