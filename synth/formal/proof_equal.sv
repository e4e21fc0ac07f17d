// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Proof: what synth/fpga/equal.v makes of a wide equality is one, whatever the operands are.
///
/// Free: the operands, of the least width, of an odd one, of one whose second operand is shorter, and of the largest. Shown: each is
/// true exactly if no bit differs (said bit by bit, so that it is not mapped itself).
/// BREAK: 1 the last bit is not looked at, 2 a shorter operand is taken for one with ones in front.
`ifndef BREAK
`define BREAK 0
`endif
module proof_equal (
  input logic         clk_i,
  input logic         rst_ni,
  input logic [63:0]  a64, b64,
  input logic [204:0] a205, b205,
  input logic [200:0] b201,
  input logic [511:0] a512, b512
);
  logic same64, same205, same201, same512;
  assign same64  = a64 == b64;
  assign same205 = (`BREAK == 1 ? {b205[204], a205[203:0]} : a205) == b205;
  assign same201 = a205 == (`BREAK == 2 ? {4'hf, b201} : 205'(b201));
  assign same512 = a512 == b512;

  `SLUICE_ASSERT(Least_A, same64 == &(a64 ~^ b64))
  `SLUICE_ASSERT(Odd_A, same205 == &(a205 ~^ b205))
  `SLUICE_ASSERT(Shorter_A, same201 == &(a205 ~^ {4'h0, b201}))
  `SLUICE_ASSERT(Largest_A, same512 == &(a512 ~^ b512))
  `SLUICE_COVER(Same_C, same64 && same205 && same201 && same512)
endmodule : proof_equal
