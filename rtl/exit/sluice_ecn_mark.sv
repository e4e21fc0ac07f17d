// SPDX-License-Identifier: Apache-2.0

/// What is left of sluice_checksum in a chip that updates no checksums for its modules
/// (Checksums = 0): a packet that is marked gets CE in its ECN field, if it is IPv4 or IPv6 and
/// says ECT (RFC 3168), and the IPv4 header checksum follows (RFC 1624, eqn. 3).
/// Latency 1 cycle, one step of a header per cycle, the first with valid_i; what says what it is
/// comes one cycle before the same step. All that counts lies in bytes 16 to 31, and so in one
/// step.
/// Sums are made on words as they lie in the header, first byte low (RFC 1071).
module sluice_ecn_mark
  import sluice_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  // one cycle before each step: header before the deparser
  input  logic [StepBits-1:0] ahead_old_i,
  // after the deparser
  input  logic                valid_i,         // the first step
  input  logic                mark_i,          // holds for all steps of the packet
  input  logic [StepBits-1:0] header_i,
  output logic [StepBits-1:0] header_o
);
  localparam int unsigned IpStep = 16 / StepBytes;
  localparam int unsigned IpAt   = 8 * (16 % StepBytes);
  localparam int unsigned EcnAt  = IpAt + 8*3;         // the low end of byte 19
  localparam int unsigned Ecn6At = EcnAt + 4;          // of IPv6
  localparam int unsigned SumAt  = IpAt + 8*12;        // bytes 28, 29

  // ---- cycle 0: is it IPv4 or IPv6, if it is the step that tells
  logic is_ip_q, is_ip6_q;
  always_ff @(posedge clk_i) begin
    is_ip_q  <= ahead_old_i[IpAt +: 16] == 16'h0008 && ahead_old_i[IpAt+8*2+4 +: 4] == 4'd4
            && ahead_old_i[IpAt+8*2 +: 4] >= 4'd5;
    is_ip6_q <= ahead_old_i[IpAt +: 16] == 16'hdd86 && ahead_old_i[IpAt+8*2+4 +: 4] == 4'd6;
  end

  logic unused_ahead;
  assign unused_ahead = ^ahead_old_i;

  // ---- steps
  step_t step_q, step;
  logic  active;
  assign step   = valid_i ? '0 : step_q;
  assign active = valid_i || (HeaderSteps > 1 && step_q != '0);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                        step_q <= '0;
    else if (HeaderSteps > 1 && active) step_q <= step + 1'b1;
  end

  // ---- cycle 1: CE is more than ECT by 1 or 2, in the high half of its word
  logic [1:0]  ecn, ecn6;
  logic [15:0] sum;
  assign ecn  = header_i[EcnAt +: 2];
  assign ecn6 = header_i[Ecn6At +: 2];
  sluice_ones_add u_sum (
    .a_i(~header_i[SumAt +: 16]), .b_i({6'd0, 2'd3 - ecn, 8'd0}), .sum_o(sum)
  );
  always_ff @(posedge clk_i) begin
    if (active) begin
      header_o <= header_i;
      if (mark_i && is_ip_q && step == step_t'(IpStep) && (ecn == 2'd1 || ecn == 2'd2)) begin
        header_o[EcnAt +: 2]  <= 2'd3;
        header_o[SumAt +: 16] <= ~sum;
      end
      if (mark_i && is_ip6_q && step == step_t'(IpStep) && (ecn6 == 2'd1 || ecn6 == 2'd2))
        header_o[Ecn6At +: 2] <= 2'd3;
    end
  end
endmodule : sluice_ecn_mark
