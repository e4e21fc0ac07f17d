// SPDX-License-Identifier: Apache-2.0

/// Wide compare against the comparisons of the simulator, at one a cycle with gaps: operands of all
/// spellings (containers that are there and that are not, constants), immediates, all operations
/// and the numbers of none, values that are equal, beside each other, and around the sign; entries
/// written anew between runs. +seed=N +break=N (see file breaks).
module tb_sluice_wide_compare;
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_stage_pkg::*;

  localparam int Rows = int'(Banks * NumModules);

  `include "bench.svh"
  `include "tables.svh"

  logic          begins, valid, wide;
  overlay_t      row;
  containers_t   cont;

  sluice_wide_compare dut (
    .clk_i(clk), .rst_ni(rst_n), .pipe_i('0), .init_i(1'b0), .init_index_i('0),
    .begin_i(begins), .row_i(row ^ overlay_t'(mutant == 3)), .valid_i(valid), .cont_i(cont),
    .wide_o(wide), .write_i(write), .read_i(read), .answer_o(answer)
  );

  key_compare_t entry [Rows];

  // Few values, so that two often are equal or beside each other.
  function automatic logic [31:0] number();
    case ($urandom_range(5))
      0: return 32'($urandom_range(3));
      1: return 32'hffff_ffff - 32'($urandom_range(1));
      2: return 32'h8000_0000 - 32'($urandom_range(1));
      3: return 32'h0001_0000 - 32'($urandom_range(1));
      4: return 32'd1 << $urandom_range(31);
      default: return $urandom;
    endcase
  endfunction

  // Mostly 4-byte containers, whose values say most.
  function automatic logic [4:0] operand();
    if ($urandom_range(3) != 0) return {TypeB4, 3'($urandom_range(int'(Num4B) - 1))};
    return 5'($urandom);
  endfunction

  function automatic logic [31:0] value_of(logic [4:0] name, containers_t c);
    int unsigned i;
    i = 32'(name[2:0]);
    case (name[4:3])
      TypeB2:  return i < Num2B ? 32'(c.b2[i]) : '0;
      TypeB4:  return i < Num4B ? c.b4[i] : '0;
      TypeB6:  return i < Num6B ? c.b6[i][31:0] : '0;
      default: return 32'(i);
    endcase
  endfunction

  function automatic logic result(key_compare_t e, containers_t c);
    logic [31:0] a, b;
    a = value_of(e.a, c);
    b = e.immediate ? e.k : value_of(e.b, c);
    case (e.op)
      3'd1:    return a == b;
      3'd2:    return a > b;
      3'd3:    return a >= b;
      3'd4:    return $signed(a) > $signed(b);
      3'd5:    return $signed(a) >= $signed(b);
      default: return 1'b0;
    endcase
  endfunction

  task automatic write_row(int r);
    key_compare_t e;
    entry[r] = '{op: 3'($urandom_range($urandom_range(7) == 0 ? 7 : 5)), a: operand(),
                 b: operand(), immediate: 1'($urandom), k: number()};
    e = entry[r];
    if (mutant == 7) e.k[0]  = !e.k[0];
    if (mutant == 8) e.op[0] = !e.op[0];
    write_entry(TableKeyCompare, r, {e, (EntryBits-KeyCompareWidth)'(0)});
    read_word(TableKeyCompare, r);
    if (!answer.valid || answer.data != {e, {(64-KeyCompareWidth){1'b0}}})
      $fatal(1, "row %0d reads back wrong", r);
  endtask

  // [c]: of the PHV that came c + 1 cycles ago.
  logic        was    [3];
  overlay_t    row_of [2];
  logic        wanted [2];
  containers_t cont_before;
  int          compares = 0, ones = 0;

  task automatic compare(int count);
    was = '{default: 1'b0};
    for (int n = 0; n < count + 3; n++) begin
      @(negedge clk);
      if (was[mutant == 5 ? 2 : 1]
          && wide != (wanted[mutant == 5 ? 1 : 0] ^ (mutant == 6 && compares == 100)))
        $fatal(1, "the result is %b, expected %b", wide, !wide);
      compares += int'(was[1]);
      ones     += int'(was[1] && wide);
      // a PHV came a cycle ago: its containers
      valid       = was[0];
      cont_before = cont;
      for (int i = 0; i < int'(Num2B); i++) cont.b2[i] = 16'(number());
      for (int i = 0; i < int'(Num4B); i++) cont.b4[i] = number();
      for (int i = 0; i < int'(Num6B); i++) cont.b6[i] = {16'($urandom), number()};
      wanted[1] = wanted[0];
      wanted[0] = result(entry[32'(row_of[0])], cont);
      if (mutant == 1) cont.b4[0][0]       = !cont.b4[0][0];
      if (mutant == 2) cont.b4[Num4B-1][0] = !cont.b4[Num4B-1][0];
      if (mutant == 4) cont = cont_before;
      was[2]    = was[1];
      was[1]    = was[0];
      was[0]    = n < count && $urandom_range(4) != 0;
      row_of[1] = row_of[0];
      row_of[0] = overlay_t'($urandom_range(Rows - 1));
      begins    = was[0];
      row       = row_of[0];
    end
  endtask

  initial begin
    read_arguments();
    begins = 1'b0;
    valid  = 1'b0;
    row    = '0;
    cont   = '0;
    wanted = '{default: 1'b0};
    row_of = '{default: '0};
    release_reset(3);
    for (int r = 0; r < Rows; r++) write_row(r);
    for (int round = 0; round < 200; round++) begin
      compare(300);
      write_row($urandom_range(Rows - 1));
    end
    if (compares < 10000 || ones < 1000 || ones > compares - 1000)
      $fatal(1, "only %0d compares, of which %0d hold", compares, ones);
    pass($sformatf("%0d compares, %0d hold", compares, ones));
  end
endmodule : tb_sluice_wide_compare
