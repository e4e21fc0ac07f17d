// SPDX-License-Identifier: Apache-2.0

/// Hash unit against a C reference that is first checked with the catalogue's check values. All
/// rows are given instructions (all algorithms, 0 to 3 words, moduli from 1 to 2^31 and edge
/// cases), then hashed at one a cycle. The reciprocal is computed here as the layout says. +seed=N
/// +break=N (see file breaks): 1 reciprocal one too large, 2 reciprocal too small by 3, 3 one bit
/// of the PHV is wrong, 4 the row is off by one, 5 the modulus is off by one.
module tb_sluice_hash_unit;
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_stage_pkg::*;

  import "DPI-C" function int hash_check(input int which);
  import "DPI-C" function int hash_reference(input int algorithm, input int words, input int a,
    input int b, input int c, input int modulus);

  `include "bench.svh"
  `include "tables.svh"

  logic          valid, next_valid;
  row_t          row;
  containers_t   cont;
  side_t         side;
  result_t       result;

  sluice_hash_unit dut (
    .clk_i(clk), .rst_ni(rst_n), .pipe_i('0), .init_i(1'b0), .init_index_i('0),
    .side_i(side), .result_o(result),
    .write_i(write), .read_i(read), .answer_o(answer)
  );

  always_comb begin
    side           = '0;
    side.come      = valid;
    side.come_row  = row + row_t'(mutant == 4);
    side.came_cont = cont;
  end

  hash_instr_t instr [NumModules];

  function automatic logic [31:0] modulus();
    case ($urandom_range(9))
      0: return '0;
      1: return 32'd1;
      2: return 32'd1 << $urandom_range(31);
      3: return 32'h7fff_ffff;
      4: return 32'h8000_0000;
      5: return 32'h4000_0001;
      6, 7: return 32'($urandom_range(5000, 2));
      default: return ($urandom & 32'h7fff_ffff) | 32'd1;
    endcase
  endfunction

  task automatic configure();
    for (int r = 0; r < int'(NumModules); r++) begin
      hash_instr_t i;
      i = {$urandom, $urandom, $urandom};
      i.valid      = 1'($urandom_range(9) != 0);
      i.a          = {TypeB4, 3'd0};
      i.b          = {TypeB4, 3'd1};
      i.c          = {TypeB4, 3'd2};
      i.modulus    = modulus();
      i.reciprocal = i.modulus == '0 ? '0 : 32'hffff_ffff / i.modulus;
      instr[r] = i;
      if (mutant == 1) i.reciprocal += 32'd1;
      if (mutant == 2) i.reciprocal -= 32'd3;
      if (mutant == 5) i.modulus += 32'd1;
      write_entry(TableHashInstr, r, {i, (EntryBits-HashInstrWidth)'(0)});
      for (int w = 0; w < 2; w++) begin
        read_word(TableHashInstr, r, w);
        if (!answer.valid || answer.data != 64'({i, 32'd0} >> (64 - 64 * w)))
          $fatal(1, "row %0d, word %0d reads back wrong", r, w);
      end
    end
  endtask

  // What must come out, by cycle; row and containers of the packet that is a cycle under way.
  localparam int Last = int'(FrontCycles) - 1;
  logic [31:0]   expected [Last+1];
  logic [Last:0] expect_valid;
  row_t        row_c1;
  int          hashes = 0;

  initial begin
    read_arguments();
    if (hash_check(16) != 32'hbb3d || hash_check(32) != 32'hcbf4_3926)
      $fatal(1, "the reference is wrong");
    valid = 1'b0;
    row = '0;
    cont = '0;
    expect_valid = '0;
    release_reset(3);
    for (int round = 0; round < 40; round++) begin
      configure();
      for (int n = 0; n < 600; n++) begin
        @(negedge clk);
        // the packet of FrontCycles ago
        if (expect_valid[Last] && result != result_t'{ext: 256'(expected[Last]), default: '0})
          $fatal(1, "hash is %h, expected %h", result, expected[Last]);
        for (int i = Last; i > 0; i--) expected[i] = expected[i-1];
        // the packet of the cycle before: its containers
        row_c1 = row;
        for (int i = 0; i < int'(Num4B); i++) begin
          cont.b4[i] = $urandom;
          if ($urandom_range(4) == 0) cont.b4[i] = 32'h8000_0000 - 32'($urandom_range(1));
          if ($urandom_range(4) == 0) cont.b4[i] = 32'($signed(-32'($urandom_range(3))));
        end
        expected[1] = !instr[row_c1].valid ? '0
                    : hash_reference(int'(instr[row_c1].algorithm), int'(instr[row_c1].num_words),
                                     cont.b4[0], cont.b4[1], cont.b4[2], instr[row_c1].modulus);
        hashes += int'(valid);
        if (mutant == 3) cont.b4[0][17] = !cont.b4[0][17];
        next_valid   = $urandom_range(5) != 0 && n < 590;
        expect_valid = {expect_valid[Last-1:0], next_valid};
        valid        = next_valid;
        row          = row_t'($urandom);
      end
    end
    pass($sformatf("%0d hashes", hashes));
  end
endmodule : tb_sluice_hash_unit
