// SPDX-License-Identifier: Apache-2.0

/// The hash of capsules against a CRC bit by bit in C, of which the check values are looked at
/// first: for each of the ten polynomials the messages with one bit set, which with that of zeros
/// say all of a linear function, and random ones, at most one a cycle; the output holds in between.
/// +seed=N +cycles=N +break=N (see the file breaks).
module tb_sluice_capsule_hash;
  `include "bench.svh"

  import "DPI-C" function int hash_reference(input int number, input int h0, input int h1,
                                             input int h2, input int h3, input int h4);
  import "DPI-C" function int hash_known();

  logic             en;
  logic [4:0][31:0] words, dut_words;
  logic [3:0]       number, dut_number;
  logic [15:0]      crc, expected;

  always_comb begin
    dut_words  = words;
    dut_number = number;
    case (mutant)
      1: dut_number = number == 4'd9 ? 4'd0 : number + 4'd1;
      2: if (number == 4'd2) dut_number = 4'd1;        // its start value, of the same polynomial
      3: if (number == 4'd8) dut_number = 4'd9;
      4: dut_words = {words[0], words[1], words[2], words[3], words[4]};
      5: dut_words[4][0] = 1'b0;
      6: if (number > 4'd9) dut_number = number - 4'd10;
      default: ;
    endcase
  end

  sluice_capsule_hash dut (
    .clk_i(clk), .en_i(en), .words_i(dut_words), .number_i(dut_number), .crc_o(crc)
  );

  initial begin
    int hashes, bits;
    read_arguments(20000);
    if (hash_known() == 0) fail("the reference is wrong");
    hashes = 0;
    en     = 1'b1;
    words  = '0;
    number = '0;
    @(negedge clk);
    expected = 16'(hash_reference(0, 0, 0, 0, 0, 0));
    for (now = 0; now < int'(cycles); now++) begin
      if (crc !== expected)
        fail($sformatf("polynomial %0d of %h: %h, not %h", number, words, crc, expected));
      bits   = now % 161;
      en     = now < 1610 || rnd(4) != 0;
      number = now < 1610 ? 4'(now / 161) : 4'(rnd(16));
      words  = {rnd(1 << 28), rnd(1 << 28), rnd(1 << 28), rnd(1 << 28), rnd(1 << 28)}
             ^ {160{1'(rnd(2))}};
      if (now < 1610) words = bits == 160 ? '0 : 160'd1 << bits;
      if (en) begin
        hashes++;
        expected = 16'(hash_reference(int'(number), int'(words[0]), int'(words[1]), int'(words[2]),
                                      int'(words[3]), int'(words[4])));
      end
      @(negedge clk);
    end
    pass($sformatf("%0d hashes of %0d cycles", hashes, cycles));
  end
endmodule : tb_sluice_capsule_hash
