// SPDX-License-Identifier: Apache-2.0

/// Test of sluice_bank_guard. Messages of all tables and operations, through entries of either
/// bank, while packets come and go: those of banks that are taken as they like, of the others some
/// are still inside, and leave. What must be refused is written from docs/banks.md: what changes a
/// table for a bank that is not taken, while its packets are inside when the message comes. A
/// header goes on in its second cycle at the earliest, and is judged by its first; words follow at
/// once. Once, at the start, a reset comes while a header waits that was refused: behind it the
/// header must be refused again, from what is inside then.
/// +seed=N, +cycles=N, +break=N (see the file `breaks`).
module tb_sluice_bank_guard
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_ctrl_pkg::*;
;
  `include "bench.svh"

  localparam int Entries = int'(Banks * NumModules);
  logic [NumModules-1:0] bank = '0, bank_dut;
  logic [Entries-1:0]    some = '1, inside_dut;
  chain_t                in, in_dut, out;
  logic                  in_ready, out_ready = 1'b1, busy = 1'b1, refuse, refuse_seen;
  always_comb begin
    in_dut = in;
    if (mutant == 1 && in.first && now % 16 == 0) in_dut.data[63:60] = ChainAnswer;
    if (mutant == 5 && !in.first && now % 64 == 0) in_dut.data[7] = !in.data[7];
  end
  assign bank_dut    = mutant == 2 ? ~bank : bank;
  assign inside_dut  = mutant == 3 ? {some[NumModules-1:0], some[Entries-1:NumModules]} : some;
  assign refuse_seen = mutant == 4 && now % 16 == 0 ? 1'b0 : refuse;
  sluice_bank_guard u_dut (
    .clk_i(clk), .rst_ni(rst_n), .chain_i(in_dut), .chain_ready_o(in_ready), .chain_o(out),
    .chain_ready_i(out_ready), .busy_i(busy), .refuse_o(refuse), .bank_i(bank_dut),
    .inside_i(inside_dut)
  );

  /* verilator lint_save */
  /* verilator lint_off UNUSEDSIGNAL */
  // What a message changes: an entry {bank, row}, or none that packets read (-1).
  function automatic int entry_of(chain_header_t h);
    table_e      which;
    table_info_t info;
    which = table_of(h.resource, h.sub);
    info  = table_info(which);
    if (h.op == ChainWrite) begin
      if (info.width != '0 && info.rows == RowsOverlay) return int'(h.index);
      if (info.width != '0 && info.rows == RowsIds) return int'(h.row);
      if (which inside {TableState, TableFill}) return int'(h.row);
      if (which == TableStateRow && ArrayWords != 0) return int'(h.row);
    end
    if (h.op == ChainRead && which == TableTake && Marks != 0) return int'(h.row);
    return -1;
  endfunction
  /* verilator lint_restore */
  function automatic bit must_refuse(chain_header_t h);
    int e;
    e = entry_of(h);
    if (e < 0 || e >= Entries) return 1'b0;
    return bank[e%int'(NumModules)] != 1'(e / int'(NumModules)) && some[e];
  endfunction

  // Packets: of a bank that is taken they come and go, of the other one they only go.
  task automatic packets;
    logic [Entries-1:0] next;
    next = some;
    for (int e = 0; e < Entries; e++) begin
      if (some[e]) next[e] = rnd(60) != 0;
      else if (bank[e%int'(NumModules)] == 1'(e / int'(NumModules)))
        next[e] = rnd(4) == 0;
    end
    some = next;
  endtask

  chain_header_t header;
  int            words = 0, judged = 0;          // words to come; cycles that the header has waited
  bit            expected;
  int            refused = 0, passed = 0;
  int            went = 0;                       // refused, and the packets were gone in time
  task automatic new_header;
    header       = {$urandom, $urandom};
    header.op    = rnd(3) != 0 ? ChainWrite : rnd(2) == 0 ? ChainRead : 4'($urandom);
    // Tables of every kind of entries; most have overlay rows.
    case (rnd(8))
      0: {header.resource, header.sub} = {TableStateRowModule, TableStateRowSub};
      1: {header.resource, header.sub} = {TableStateModule, TableStateSub};
      2: {header.resource, header.sub} = {TableFillModule, TableFillSub};
      3: {header.resource, header.sub} = {TableTenantModule, TableTenantSub};
      4: begin
        {header.resource, header.sub} = {TableTakeModule, TableTakeSub};
        if (rnd(4) != 0) header.op = ChainRead;
      end
      default: ;
    endcase
    header.index = 16'(rnd(rnd(4) == 0 ? 256 : Entries));
    header.row   = 8'(rnd(rnd(4) == 0 ? 256 : Entries));
    words        = rnd(3);
    in           = '{valid: 1'b1, first: 1'b1, last: words == 0, data: header};
    judged       = 0;
  endtask

  task automatic look;
    if (in.valid && in.first) begin
      if (judged == 0) begin
        expected = must_refuse(header);
        if (out.valid || in_ready) fail("a header goes on in its first cycle");
      end else begin
        if (!out.valid || in_ready != out_ready) fail("a header waits");
        if (refuse_seen != expected)
          fail($sformatf("header %h: refused is %0d, not %0d", header, refuse_seen, expected));
        if (expected && !must_refuse(header)) went++;
      end
    end else if (out.valid != in.valid || in_ready != out_ready) fail("a word waits");
    if (out.valid && (out.first != in.first || out.last != in.last || out.data != in.data))
      fail("another word");
  endtask

  initial begin
    read_arguments(60000);
    in = '0;
    new_header();
    // A bank that is not taken, and that packets are inside of.
    header.op       = ChainWrite;
    header.resource = TableParserModule;
    header.index    = 16'(NumModules);
    in.data         = header;
    // A header that has been judged waits, and a reset comes: it is judged anew.
    out_ready = 1'b0;
    release_reset(3);
    repeat (3) @(negedge clk);
    rst_n = 1'b0;
    release_reset(2);
    while (now < int'(cycles)) begin
      #1 look();
      @(posedge clk);
      #1;
      if (in.valid && in.first && !(judged != 0 && out_ready)) judged++;
      else if (in.valid && out_ready) begin
        if (in.first && expected) refused++;
        else if (in.first) passed++;
        in.valid = 1'b0;
        judged   = 0;
      end
      packets();
      out_ready = rnd(3) != 0;
      // One word, or none, behind another; when nothing is under way modules go over.
      if (!in.valid && words != 0 && rnd(3) != 0) begin
        words--;
        in = '{valid: 1'b1, first: 1'b0, last: words == 0, data: {$urandom, $urandom}};
      end else if (!in.valid && words == 0 && busy && rnd(2) == 0) new_header();
      else if (!in.valid && words == 0) begin
        busy = rnd(6) != 0;
        if (!busy) begin
          @(posedge clk);
          #1;
          bank ^= NumModules'($urandom) & NumModules'($urandom);
          @(posedge clk);
          #1;
        end
      end
      now++;
    end
    if (refused < int'(cycles) / 100 || passed < int'(cycles) / 20 || went < 5)
      fail($sformatf("too tame: %0d refused, %0d passed, %0d gone in time", refused, passed, went));
    pass($sformatf("%0d messages refused, %0d passed, of %0d the packets left while they waited",
                   refused, passed, went));
  end

  logic unused_bits;
  assign unused_bits = ^{in, header};
endmodule : tb_sluice_bank_guard
