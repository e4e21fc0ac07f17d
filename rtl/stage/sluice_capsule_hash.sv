// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Hash of a capsule: a 16-bit CRC of its five hash words, by one of ten polynomials
/// (docs/machine.md, Capsules). Latency 1 cycle, and a choice among registers; one hash a cycle;
/// crc_o holds while en_i is low.
/// A CRC is linear: each of its bits is the parity of some bits of the message, whatever the start
/// value, and one constant more for that. There are four polynomials, each with the bits of the
/// message's bytes in either order: four matrices of constants make all ten.
/// Example: H0 = 0x31323334, H1 = 0x35363738, the rest 0, is "12345678" and twelve bytes of 0.
module sluice_capsule_hash
  import sluice_cfg_pkg::*;
(
  input  logic             clk_i,
  input  logic             en_i,
  input  logic [4:0][31:0] words_i,        // H0 is words_i[0]; its most significant byte is first
  input  logic [3:0]       number_i,       // of the polynomial, 0..9; above: 9
  output logic [15:0]      crc_o
);
  localparam int unsigned Bits  = 160;
  localparam int unsigned Polys = 4;
  localparam int unsigned Crcs  = 10;
  localparam logic [Polys-1:0][15:0] Poly = {16'h1021, 16'h3d65, 16'h0589, 16'h8005};

  typedef struct packed {
    logic [1:0]  poly;
    logic        reflected;
    logic [15:0] start;
    logic [15:0] final_xor;
  } crc_info_t;
  localparam crc_info_t [Crcs-1:0] Info = {
    {2'd3, 1'b1, 16'h554d, 16'h0000},
    {2'd3, 1'b1, 16'hffff, 16'h0000},
    {2'd0, 1'b1, 16'hffff, 16'hffff},
    {2'd3, 1'b0, 16'h0000, 16'hffff},
    {2'd2, 1'b0, 16'hffff, 16'hffff},
    {2'd2, 1'b1, 16'hffff, 16'hffff},
    {2'd1, 1'b0, 16'h0001, 16'h0001},
    {2'd0, 1'b0, 16'h800d, 16'h0000},
    {2'd0, 1'b0, 16'h0000, 16'h0000},
    {2'd0, 1'b1, 16'h0000, 16'h0000}
  };

  function automatic logic [15:0] reversed(logic [15:0] value);
    for (int unsigned b = 0; b < 16; b++) reversed[b] = value[15-b];
  endfunction

  // A bit of 0 behind what is there.
  function automatic logic [15:0] shifted(logic [15:0] rest, logic [15:0] poly);
    return (rest << 1) ^ (rest[15] ? poly : 16'd0);
  endfunction

  // [b]: the bits of the message of which bit b of the CRC is the parity; bit n has n bits behind
  // it.
  typedef logic [15:0][Bits-1:0] matrix_t;
  function automatic matrix_t matrix(logic [15:0] poly);
    logic [15:0] rest;
    rest = poly;
    for (int unsigned n = 0; n < Bits; n++) begin
      for (int unsigned b = 0; b < 16; b++) matrix[b][n] = rest[b];
      rest = shifted(rest, poly);
    end
  endfunction

  // What start value and final XOR make of a message of zeros. The start value of a reflected one
  // is mirrored, as the sum is.
  typedef logic [Crcs-1:0][15:0] constants_t;
  function automatic constants_t constants();
    logic [15:0] rest;
    for (int unsigned c = 0; c < Crcs; c++) begin
      rest = Info[c].reflected ? reversed(Info[c].start) : Info[c].start;
      for (int unsigned n = 0; n < Bits; n++) rest = shifted(rest, Poly[Info[c].poly]);
      constants[c] = (Info[c].reflected ? reversed(rest) : rest) ^ Info[c].final_xor;
    end
  endfunction
  localparam constants_t Constants = constants();

  // ---- the message: first bit most significant, or each byte's last bit first
  logic [3:0]             number, number_q;
  logic [Bits-1:0]        message, straight;
  logic                   reflected;
  logic [Polys-1:0][15:0] parity_q;
  assign number   = number_i < 4'(Crcs) ? number_i : 4'(Crcs - 1);
  assign straight = {words_i[0], words_i[1], words_i[2], words_i[3], words_i[4]};
  always_comb begin
    reflected = Info[number].reflected;
    message   = '0;
    if (`SLUICE_WHEN(en_i))
      for (int unsigned b = 0; b < Bits / 8; b++)
        message[8*b +: 8] = reflected ? {<<{straight[8*b +: 8]}} : straight[8*b +: 8];
  end

  for (genvar p = 0; p < Polys; p++) begin : gen_poly
    localparam matrix_t Matrix = matrix(Poly[p]);
    logic [15:0] sums_q;
    always_ff @(posedge clk_i) if (en_i)
      for (int unsigned b = 0; b < 16; b++) sums_q[b] <= ^(message & Matrix[b]);
    assign parity_q[p] = sums_q;
  end

  always_ff @(posedge clk_i) if (en_i) number_q <= number;

  // ---- the one that was asked for
  logic [15:0] crc, mirrored;
  assign crc = parity_q[Info[number_q].poly];
  for (genvar b = 0; b < 16; b++) begin : gen_mirrored
    assign mirrored[b] = crc[15-b];
  end
  assign crc_o = (Info[number_q].reflected ? mirrored : crc) ^ Constants[number_q];
endmodule : sluice_capsule_hash
