// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Hash unit of one lane of a front stage. One hash a cycle; c0 is the cycle in which the item
/// comes, whatever the core beside it does with it:
///   c0  HASH_INSTR is read at the overlay row
///   c1  operands, in the places that a CRC of so many words gives them
///   c2  CRC (or magnitude of the signed operand)
///   c3  products of the reciprocal's bytes
///   c4  their sum: quotient
///   c5  products of the modulus' bytes
///   c6  remainder, without and with one correction
///   c7  the right one with its sign, 0 if nothing is hashed: a register that is read in c8
/// (HashCycles). The result waits for the core HashWait cycles more.
/// A CRC is linear: each of its bits is the parity of some bits of the words, so c2 is a matrix of
/// constants and not a chain. Remainder without a divider: M = floor((2^32 - 1) / N), q = x * M >>
/// 32. M is at least 2^32 / N - 1, so x * M / 2^32 is above x / N - 1: q is the quotient or one
/// less, and one correction does.
/// In a chip without HashUnits every hash is 0; its table HASH_INSTR is there, and keeps nothing.
module sluice_hash_unit
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_stage_pkg::*;
(
  input  logic          clk_i,
  input  logic          rst_ni,
  input  pipe_t         pipe_i,
  input  logic          init_i,
  input  logic [15:0]   init_index_i,
  input  side_t         side_i,       // as the item comes
  output result_t       result_o,     // when the core wants it: FrontCycles after that
  input  table_write_t  write_i,      // taken at once
  input  table_read_t   read_i,
  output word_answer_t  answer_o      // after 1 cycle
);
  localparam logic [31:0] Poly16 = 32'h0000a001;   // 0x8005 reflected
  localparam logic [31:0] Poly32 = 32'hedb88320;   // 0x04c11db7 reflected

  // [n][b]: the bits of a word with n words behind it of which bit b of the CRC is the parity. Low
  // byte first, reflected: one bit at a time, from the least significant on.
  typedef logic [2:0][31:0][31:0] matrix_t;
  function automatic matrix_t matrix(logic [31:0] poly);
    logic [31:0] crc;
    for (int unsigned i = 0; i < 32; i++) begin
      crc = 32'd1 << i;
      for (int unsigned n = 0; n < 3; n++) begin
        for (int unsigned step = 0; step < 32; step++) crc = (crc >> 1) ^ (crc[0] ? poly : '0);
        for (int unsigned b = 0; b < 32; b++) matrix[n][b][i] = crc[b];
      end
    end
  endfunction

  // ---- c0: instruction
  hash_instr_t instr;
  sluice_config_table #(.Which(TableHashInstr)) u_instr (
    .clk_i, .rst_ni, .init_i, .init_index_i,
    .copy_i(pipe_i),
    .re_i(side_i.come), .row_i(side_i.come_row), .entry_o(instr), .write_i, .read_i, .answer_o
  );

  if (HashUnits == 0) begin : gen_none
    assign result_o = '0;
  end else begin : gen_hash
    `SLUICE_TAKES(HashCycles, 8)
    localparam matrix_t Matrix16 = matrix(Poly16);
    localparam matrix_t Matrix32 = matrix(Poly32);

    // ---- registers, named after the cycle in which they are read
    logic             valid_q1;
    logic [7:2]       hash_q;              // there is something to hash
    logic [2:0][31:0] word_q2;             // [n]: the one with n words behind it, or 0
    logic             identity_q2, crc32_q2, invert_q2;
    logic [31:0]      modulus_q2, modulus_q3, modulus_q4, modulus_q5, reciprocal_q2, reciprocal_q3;
    logic             negative_q3, negative_q4, negative_q5, negative_q6, negative_q7;
    logic [31:0]      x_q3, x_q4, x_q5, quotient_q5, rest_q7, less_q7;
    logic [3:0][39:0] part_q4;
    logic [3:0][32:0] part_q6;
    logic [32:0]      x_q6, y_q6;
    logic             small_q7;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        valid_q1 <= 1'b0;
        hash_q   <= '0;
      end else begin
        valid_q1 <= side_i.come;
        hash_q   <= {hash_q[6:2], valid_q1 && instr.valid};
      end
    end

    logic [31:0] value [32];
    sluice_operand_values u_values (.en_i(valid_q1), .cont_i(side_i.came_cont), .value_o(value));

    // ---- c1: operands. CRC-32 starts from all ones: that inverts its first word.
    logic             identity, crc32, crc;
    logic [1:0]       words;
    logic [2:0][4:0]  operand;             // as word_q2
    logic [31:0]      start;
    assign identity = instr.algorithm == HashIdentity;
    assign crc32    = instr.algorithm == HashCrc32;
    assign crc      = instr.algorithm == HashCrc16 || crc32;
    assign words    = identity ? 2'd1 : crc ? instr.num_words : 2'd0;
    assign start    = {32{crc32}};
    assign operand  = {instr.a, words == 2'd3 ? instr.b : instr.a,
                       words == 2'd3 ? instr.c : words == 2'd2 ? instr.b : instr.a};

    always_ff @(posedge clk_i) begin
      if (valid_q1 && instr.valid) begin
        word_q2[0]    <= words == 2'd0 ? '0 : value[operand[0]] ^ (words == 2'd1 ? start : '0);
        word_q2[1]    <= words <= 2'd1 ? '0 : value[operand[1]] ^ (words == 2'd2 ? start : '0);
        word_q2[2]    <= words <= 2'd2 ? '0 : value[operand[2]] ^ start;
        identity_q2   <= identity;
        crc32_q2      <= crc32;
        invert_q2     <= crc32 && words != 2'd0;
        modulus_q2    <= instr.modulus;
        reciprocal_q2 <= instr.reciprocal;
      end
    end

    // ---- c2: hash
    logic        negative;
    logic [31:0] hash;
    assign negative = identity_q2 && word_q2[0][31];

    always_comb begin
      hash = '0;
      if (hash_q[2]) begin
        if (identity_q2) begin
          hash = negative ? -word_q2[0] : word_q2[0];
        end else if (crc32_q2) begin
          for (int unsigned b = 0; b < 32; b++)
            hash[b] = invert_q2 ^ (^((Matrix32[0][b] & word_q2[0]) ^ (Matrix32[1][b] & word_q2[1])
                                     ^ (Matrix32[2][b] & word_q2[2])));
        end else begin
          for (int unsigned b = 0; b < 16; b++)
            hash[b] = ^((Matrix16[0][b] & word_q2[0]) ^ (Matrix16[1][b] & word_q2[1])
                        ^ (Matrix16[2][b] & word_q2[2]));
        end
      end
    end

    always_ff @(posedge clk_i) begin
      if (hash_q[2]) begin
        x_q3          <= hash;
        negative_q3   <= negative;
        modulus_q3    <= modulus_q2;
        reciprocal_q3 <= reciprocal_q2;
      end
    end

    // ---- c3, c4: quotient
    logic [63:0] product;
    assign product = 64'(part_q4[0]) + {16'd0, part_q4[1], 8'd0} + {8'd0, part_q4[2], 16'd0}
                   + {part_q4[3], 24'd0};

    always_ff @(posedge clk_i) begin
      if (hash_q[3]) begin
        for (int unsigned i = 0; i < 4; i++)
          part_q4[i] <= 40'(x_q3) * 40'(reciprocal_q3[8*i +: 8]);
        x_q4        <= x_q3;
        negative_q4 <= negative_q3;
        modulus_q4  <= modulus_q3;
      end
      if (hash_q[4]) begin
        quotient_q5 <= product[63:32];
        x_q5        <= x_q4;
        negative_q5 <= negative_q4;
        modulus_q5  <= modulus_q4;
      end
    end

    // ---- c5, c6: remainder, modulo 2^33. Modulus 0 gives quotient 0, and the correction changes
    // nothing.
    logic [32:0] taken, rest, less;
    assign taken = part_q6[0] + {part_q6[1][24:0], 8'd0} + {part_q6[2][16:0], 16'd0}
                 + {part_q6[3][8:0], 24'd0};
    assign rest  = x_q6 - taken;
    assign less  = y_q6 - taken;

    always_ff @(posedge clk_i) begin
      if (hash_q[5]) begin
        for (int unsigned i = 0; i < 4; i++)
          part_q6[i] <= 33'(quotient_q5) * 33'(modulus_q5[8*i +: 8]);
        x_q6        <= 33'(x_q5);
        y_q6        <= 33'(x_q5) - 33'(modulus_q5);
        negative_q6 <= negative_q5;
      end
      if (hash_q[6]) begin
        rest_q7     <= rest[31:0];
        less_q7     <= less[31:0];
        small_q7    <= less[32];
        negative_q7 <= negative_q6;
      end
    end

    // ---- c7: of a negative operand the remainder changes sign
    logic [31:0] remainder;
    assign remainder = small_q7 ? rest_q7 : less_q7;

    logic [31:0] hash_q8 [HashWait+1];    // [n]: n cycles later
    always_ff @(posedge clk_i) begin
      hash_q8[0] <= !hash_q[7] ? '0 : negative_q7 ? -remainder : remainder;
      for (int unsigned n = 1; n <= HashWait; n++) hash_q8[n] <= hash_q8[n-1];
    end
    assign result_o = '{ext: 256'(hash_q8[HashWait]), slot16_write: 1'b0, slot16: '0};

    logic unused_fields;
    assign unused_fields = ^{product[31:0], rest[32]};
  end
endmodule : sluice_hash_unit
