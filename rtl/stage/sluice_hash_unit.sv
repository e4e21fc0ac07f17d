// SPDX-License-Identifier: Apache-2.0

/// Hash unit of one lane of a front stage. One hash a cycle; cycles are counted as in the
/// match-action core:
///   c0  HASH_INSTR is read at the overlay row
///   c1  operands
///   c2  CRC (or magnitude of the signed operand)
///   c3  quotient, from the reciprocal
///   c4  remainder
///   c5  result_o, 0 if the module hashes nothing here
/// Remainder without a divider: M = floor((2^32 - 1) / N), q = x * M >> 32. M is at least
/// 2^32 / N - 1, so x * M / 2^32 is above x / N - 1: q is the quotient or one less, and one
/// correction does.
module sluice_hash_unit
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_layout_pkg::*;
(
  input  logic          clk_i,
  input  logic          rst_ni,
  input  pipe_t         pipe_i,
  input  settings_t     settings_i,
  input  logic          c0_valid_i,
  input  row_t          c0_row_i,
  input  containers_t   c1_cont_i,
  output logic [31:0]   c5_result_o,
  input  table_write_t  write_i,      // taken at once
  input  table_read_t   read_i,
  output table_answer_t answer_o      // after 1 cycle
);
  localparam logic [31:0] Poly16 = 32'h0000a001;   // 0x8005 reflected
  localparam logic [31:0] Poly32 = 32'hedb88320;   // 0x04c11db7 reflected

  // ---- c0, c1: instruction
  hash_instr_t instr, readback;
  logic        is_hash_write, is_hash_read, answer_q;
  assign is_hash_write = write_i.valid && write_i.header.op == ChainWrite
                      && write_i.header.resource == TableHashInstrModule
                      && write_i.header.sub == TableHashInstrSub;
  assign is_hash_read  = read_i.valid && read_i.header.copy == 8'(pipe_i)
                      && read_i.header.resource == TableHashInstrModule
                      && read_i.header.sub == TableHashInstrSub;

  row_t ctl_row;
  assign ctl_row = is_hash_write ? write_i.header.index[RowBits-1:0]
                                 : read_i.header.index[RowBits-1:0];

  sluice_table #(.Depth(NumModules), .Width(HashInstrWidth)) u_instr (
    .clk_i, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .re_i(c0_valid_i), .raddr_i(c0_row_i), .rdata_o(instr),
    .ctl_valid_i(is_hash_write || is_hash_read), .ctl_write_i(is_hash_write),
    .ctl_addr_i(ctl_row),
    .ctl_wdata_i(write_i.data[EntryBits-1 -: HashInstrWidth]), .ctl_rdata_o(readback)
  );

  logic [31:0] value [32];
  sluice_operand_values u_values (.cont_i(c1_cont_i), .value_o(value));

  // ---- registers, named after the cycle in which they are read
  logic        valid_q1, hash_q2, hash_q3, hash_q4, hash_q5;
  logic [31:0] a_q2, b_q2, c_q2;
  logic [1:0]  algorithm_q2, words_q2;
  logic [31:0] modulus_q2, modulus_q3, modulus_q4, reciprocal_q2, reciprocal_q3;
  logic        negative_q3, negative_q4;
  logic [31:0] x_q3, x_q4, quotient_q4, result_q5;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {valid_q1, hash_q2, hash_q3, hash_q4, hash_q5} <= '0;
    end else begin
      valid_q1 <= c0_valid_i;
      hash_q2  <= valid_q1 && instr.valid;
      hash_q3  <= hash_q2;
      hash_q4  <= hash_q3;
      hash_q5  <= hash_q4;
    end
  end

  // ---- c1: operands
  always_ff @(posedge clk_i) begin
    if (valid_q1 && instr.valid) begin
      a_q2          <= value[instr.a];
      b_q2          <= value[instr.b];
      c_q2          <= value[instr.c];
      algorithm_q2  <= instr.algorithm;
      words_q2      <= instr.num_words;
      modulus_q2    <= instr.modulus;
      reciprocal_q2 <= instr.reciprocal;
    end
  end

  // ---- c2: hash
  logic [2:0][31:0] word_q2;
  assign word_q2 = {c_q2, b_q2, a_q2};

  logic [31:0] crc_start, crc_poly, crc_value, hash;
  logic        negative;

  always_comb begin
    crc_start = algorithm_q2 == HashCrc32 ? '1 : '0;
    crc_poly  = algorithm_q2 == HashCrc32 ? Poly32 : Poly16;
    crc_value = crc_start;
    negative  = 1'b0;
    hash      = '0;
    if (hash_q2) begin
      case (algorithm_q2)
        HashIdentity: begin
          negative = a_q2[31];
          hash     = negative ? -a_q2 : a_q2;
        end
        HashCrc16, HashCrc32: begin
          // Low byte first, reflected: one bit at a time, from the least significant on. A CRC of
          // 16 bits stands in the low half.
          for (int unsigned w = 0; w < 3; w++)
            if (32'(words_q2) > w)
              for (int unsigned i = 0; i < 32; i++)
                crc_value = (crc_value >> 1) ^ (crc_value[0] ^ word_q2[w][i] ? crc_poly : '0);
          hash = crc_value ^ crc_start;
        end
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (hash_q2) begin
      x_q3          <= hash;
      negative_q3   <= negative;
      modulus_q3    <= modulus_q2;
      reciprocal_q3 <= reciprocal_q2;
    end
  end

  // ---- c3: quotient
  logic [63:0] product;
  assign product = 64'(x_q3) * 64'(reciprocal_q3);

  always_ff @(posedge clk_i) begin
    if (hash_q3) begin
      x_q4        <= x_q3;
      quotient_q4 <= product[63:32];
      negative_q4 <= negative_q3;
      modulus_q4  <= modulus_q3;
    end
  end

  // ---- c4: remainder; modulus 0 gives quotient 0 and no correction
  logic [31:0] rest, corrected;
  assign rest      = x_q4 - quotient_q4 * modulus_q4;
  assign corrected = modulus_q4 != '0 && rest >= modulus_q4 ? rest - modulus_q4 : rest;

  always_ff @(posedge clk_i) begin
    if (hash_q4) result_q5 <= negative_q4 ? -corrected : corrected;
  end

  assign c5_result_o = hash_q5 ? result_q5 : '0;

  // ---- read back
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) answer_q <= 1'b0;
    else         answer_q <= is_hash_read;
  end

  always_comb begin
    answer_o = '{valid: answer_q, data: '0};
    if (answer_q) answer_o.data[EntryBits-1 -: HashInstrWidth] = readback;
  end

  logic unused_fields;
  assign unused_fields = &{1'b0, settings_i, write_i, read_i, instr, product[31:0]};
endmodule : sluice_hash_unit
