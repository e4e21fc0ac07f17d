// SPDX-License-Identifier: Apache-2.0

/// Multiplier against the product that the simulator computes, at one a cycle with gaps: operands
/// of all spellings (containers that are there and that are not, constants), values at the edges of
/// both halves, rows written anew between runs. +seed=N +break=N (see file breaks): 1, 2 one bit of
/// the first and of the last container of 4 bytes is wrong, 3 the row is off by one, 4 containers
/// come a cycle late, 5 the product is looked at a cycle late, 6 one bit of it is wrong, 7 one bit
/// of what is written is wrong.
module tb_sluice_multiplier;
  import sluice_cfg_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_stage_pkg::*;

  `include "bench.svh"
  `include "tables.svh"

  hit_t          hit;
  logic          action;
  containers_t   cont;
  logic [31:0]   product;

  sluice_multiplier dut (
    .clk_i(clk), .rst_ni(rst_n), .pipe_i('0), .init_i(1'b0), .init_index_i('0),
    .hit_i(hit), .action_i(action), .cont_i(cont), .product_o(product),
    .write_i(write), .read_i(read), .answer_o(answer)
  );

  multiply_t entry [MatchEntries];

  // Values at which carries between the halves begin and end.
  function automatic logic [31:0] number();
    case ($urandom_range(7))
      0: return 32'($urandom_range(3));
      1: return 32'hffff_ffff - 32'($urandom_range(3));
      2: return 32'h0000_ffff + 32'($urandom_range(2));
      3: return 32'h8000_0000 - 32'($urandom_range(1));
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

  task automatic write_row(int r);
    entry[r] = {operand(), operand()};
    write_entry(TableMultiply, r, {entry[r] ^ MultiplyWidth'(mutant == 7),
                                   (EntryBits-MultiplyWidth)'(0)});
    read_word(TableMultiply, r);
    if (!answer.valid || answer.data != {entry[r], {(64-MultiplyWidth){1'b0}}})
      $fatal(1, "row %0d reads back wrong", r);
  endtask

  // [c]: whether there was a hit c + 1 cycles ago, and its product, which comes CoreCycles -
  // HitCycle cycles after it.
  localparam int Far = int'(CoreCycles) - int'(HitCycle) - 1;
  logic        was    [Far+2];
  logic [31:0] wanted [Far+2];
  match_row_t  row;
  containers_t cont_before;
  int          products = 0;
  logic [2:0]  look;

  task automatic multiply(int count);
    for (int i = 0; i < Far + 2; i++) was[i] = 1'b0;
    for (int n = 0; n < count + Far + 2; n++) begin
      @(negedge clk);
      look = 3'(Far + int'(mutant == 5));
      if (was[look] && (product ^ 32'(mutant == 6 && products == 100)) != wanted[look])
        $fatal(1, "the product is %h, expected %h", product, wanted[look]);
      products += int'(was[Far]);
      // a hit a cycle ago: its containers
      action      = was[0];
      cont_before = cont;
      for (int i = 0; i < int'(Num2B); i++) cont.b2[i] = 16'(number());
      for (int i = 0; i < int'(Num4B); i++) cont.b4[i] = number();
      for (int i = 0; i < int'(Num6B); i++) cont.b6[i] = {16'($urandom), number()};
      wanted[0] = value_of(entry[row].a, cont) * value_of(entry[row].b, cont);
      if (mutant == 1) cont.b4[0][9]  = !cont.b4[0][9];
      if (mutant == 2) cont.b4[Num4B-1][12] = !cont.b4[Num4B-1][12];
      if (mutant == 4) cont = cont_before;
      for (int i = Far + 1; i > 0; i--) begin
        was[i]    = was[i-1];
        wanted[i] = wanted[i-1];
      end
      was[0]    = n < count && $urandom_range(4) != 0;
      row       = match_row_t'($urandom_range(int'(MatchEntries) - 1));
      hit.valid = was[0];
      hit.row   = row + match_row_t'(mutant == 3);
    end
  endtask

  initial begin
    read_arguments();
    hit = '0;
    action = 1'b0;
    cont = '0;
    release_reset(3);
    for (int r = 0; r < int'(MatchEntries); r++) write_row(r);
    for (int round = 0; round < 200; round++) begin
      multiply(300);
      write_row($urandom_range(int'(MatchEntries) - 1));
    end
    if (products < 10000) $fatal(1, "only %0d products", products);
    pass($sformatf("%0d products", products));
  end
endmodule : tb_sluice_multiplier
