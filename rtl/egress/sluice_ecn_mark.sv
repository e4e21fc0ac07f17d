// SPDX-License-Identifier: Apache-2.0

/// What is left of sluice_checksum in a chip that updates no checksums for its modules
/// (Checksums = 0): a packet that is marked gets CE in its ECN field, if it is IPv4 and says ECT (RFC
/// 3168), and its header checksum follows (RFC 1624, eqn. 3).
/// Latency 1 cycle (the output is combinational from its registers), one packet per cycle; what says
/// whether it is IPv4 comes one cycle before the packet, as for sluice_checksum.
/// Sums are made on words as they lie in the header, first byte low (RFC 1071).
module sluice_ecn_mark
  import sluice_pkg::*;
(
  input  logic                  clk_i,
  // one cycle before the packet: header before the deparser
  input  logic                  ahead_valid_i,
  input  logic [HeaderBits-1:0] ahead_old_i,
  // the packet, after the deparser
  input  logic                  valid_i,
  input  logic                  mark_i,
  input  logic [HeaderBits-1:0] header_i,
  output logic [HeaderBits-1:0] header_o
);
  localparam int unsigned EcnAt = 8*19;        // the low end of byte 19
  localparam int unsigned SumAt = 8*28;        // bytes 28, 29

  // ---- cycle 0: is it IPv4
  logic is_ip_q;
  always_ff @(posedge clk_i)
    if (ahead_valid_i)
      is_ip_q <= ahead_old_i[8*16 +: 16] == 16'h0008 && ahead_old_i[8*18+4 +: 4] == 4'd4
              && ahead_old_i[8*18 +: 4] >= 4'd5;

  logic unused_ahead;
  assign unused_ahead = ^ahead_old_i;

  // ---- cycle 1: CE is more than ECT by 1 or 2, in the high half of its word
  logic [1:0]  ecn;
  logic [15:0] sum;
  assign ecn = header_i[EcnAt +: 2];
  sluice_ones_add u_sum (
    .a_i(~header_i[SumAt +: 16]), .b_i({6'd0, 2'd3 - ecn, 8'd0}), .sum_o(sum)
  );
  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      header_o <= header_i;
      if (mark_i && is_ip_q && (ecn == 2'd1 || ecn == 2'd2)) begin
        header_o[EcnAt +: 2]  <= 2'd3;
        header_o[SumAt +: 16] <= ~sum;
      end
    end
  end
endmodule : sluice_ecn_mark
