// SPDX-License-Identifier: Apache-2.0

/// Test of sluice_cut_guard: messages to the tables CUT and FILL and to others, with gaps, and with
/// anything on the chain where there is no word; a node that takes words now and then. Checked: all
/// words come out once, in their order; a header is there for a cycle before it is taken, and
/// `refuse_o` belongs to it; words behind a header do not wait.
/// +seed=N, +cycles=N, +break=N (see the file `breaks`).
module tb_sluice_cut_guard;
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_ctrl_pkg::*;

  logic apply = 1'b0;
  `include "bench.svh"
  // ---- DUT; inputs move at a pulse of `apply`
  chain_t                in, in_dut = '0, out;
  logic                  in_ready, out_ready, out_ready_dut = 1'b0, ready, ready_dut = 1'b0, refuse;
  logic [NumModules-1:0] rows, rows_dut = '0;
  sluice_cut_guard u_dut (
    .clk_i(clk), .rst_ni(rst_n), .chain_i(in_dut), .chain_ready_o(in_ready), .chain_o(out),
    .chain_ready_i(out_ready_dut), .rows_i(rows_dut), .ready_i(ready_dut), .refuse_o(refuse)
  );
  always_ff @(posedge apply) begin
    in_dut        <= in;
    out_ready_dut <= out_ready;
    ready_dut     <= ready || mutant == 1;
    rows_dut      <= mutant == 3 ? '0 : mutant == 2 ? rows | NumModules'(8) : rows;
    if (mutant == 4 && now % 64 == 0) in_dut.valid <= 1'b0;
    if (mutant == 5 && !in.first) in_dut.first <= 1'b1;
  end

  int  left = 0, waits = 0, headers = 0;
  int  refused [3], passed [3];                  // by kind_of
  int  taken = 0, sent = 0, gap_rate = 0, ready_rate = 0;
  bit  have = 1'b0;

  function automatic chain_header_t new_header();
    chain_header_t h;
    h = chain_header_t'({$urandom, $urandom});
    h.op    = rnd(2) == 0 ? ChainRead : ChainWrite;
    h.stage = stage_t'(rnd(int'(StateStages) + 1));
    h.row   = 8'(rnd(2 * int'(NumModules)));
    case (rnd(4))
      0: {h.resource, h.sub} = {TableCutModule, TableCutSub};
      1: {h.resource, h.sub} = {TableFillModule, TableFillSub};
      2: {h.resource, h.sub} = {TableStateModule, TableStateSub};
      default: ;
    endcase
    return h;
  endfunction

  // What it is: 1 a read of CUT, 2 a write of FILL in a stage with state, 0 another one. And
  // whether it must be refused; modules are rows, in either bank.
  /* verilator lint_save */
  /* verilator lint_off UNUSEDSIGNAL */
  function automatic int kind_of(chain_header_t h);
    if (h.resource == TableCutModule && h.sub == TableCutSub && h.op == ChainRead) return 1;
    if (h.resource == TableFillModule && h.sub == TableFillSub && h.op == ChainWrite)
      return int'(h.stage) < int'(StateStages) ? 2 : 0;
    return 0;
  endfunction
  function automatic bit refuses(chain_header_t h);
    bit in_cut;
    in_cut = rows[row_t'(h.row)];
    return kind_of(h) == 1 ? !in_cut || !ready : kind_of(h) == 2 ? in_cut : 1'b0;
  endfunction
  /* verilator lint_restore */

  initial begin
    read_arguments(40000);
    {in, out_ready, ready, rows} = '0;
    for (int k = 0; k < 3; k++) {refused[k], passed[k]} = '0;
    release_reset(2);
    while (now < int'(cycles)) begin
      if (now % 100 == 0) begin
        gap_rate   = rnd(2) == 0 ? 0 : rnd(80);
        ready_rate = rnd(2) == 0 ? 100 : 20 + rnd(80);
      end
      // the next word, or a gap
      if (!have) begin
        // nothing of a message is there: the cut may change
        if (left == 0 && !in.valid) begin
          rows  = NumModules'($urandom);
          ready = rnd(2) == 0;
        end
        have = rnd(100) >= gap_rate;
        if (left == 0) begin
          in.data = new_header();
          if (have) left = 1 + rnd(3);
          in.first = have || rnd(2) == 0;
        end else begin
          in.data  = {$urandom, $urandom};
          if (rnd(2) == 0) in.data = new_header();
          in.first = !have && rnd(2) == 0;
        end
        in.valid = have;
        in.last  = have ? left == 1 : rnd(2) == 0;
        waits    = 0;
        sent    += int'(have);
      end
      out_ready = rnd(100) < ready_rate;
      #1 apply = 1'b1;
      #1 apply = 1'b0;
      if (out.valid && !have) fail("a word that nobody sent");
      if (in_ready && have && !(out.valid && out_ready)) fail("a word is taken and does not go on");
      if (have) begin
        if (out.valid && (out.data != in.data || out.first != in.first || out.last != in.last))
          fail("another word");
        if (out.valid != (!in.first || waits > 0))
          fail($sformatf("a word after %0d cycles: %0d", waits, out.valid));
        if (out.valid && out_ready && !in_ready) fail("a word goes on and is not taken");
        if (out.valid && in.first && refuse != refuses(chain_header_t'(in.data)))
          fail($sformatf("header %h is refused: %0d", in.data, refuse));
        waits++;
        if (out.valid && out_ready) begin
          taken++;
          if (in.first) begin
            headers++;
            passed[kind_of(chain_header_t'(in.data))]  += int'(!refuse);
            refused[kind_of(chain_header_t'(in.data))] += int'(refuse);
          end
          left--;
          have = 1'b0;
        end
      end
      tick();
    end
    if (refused[1] < 100 || passed[1] < 100 || refused[2] < 100 || passed[2] < 100
        || taken + 1 < sent)
      fail("the traffic was too tame");
    pass($sformatf("%0d words, %0d headers, %0d refused", taken, headers, refused[1] + refused[2]));
  end
endmodule : tb_sluice_cut_guard
