// SPDX-License-Identifier: Apache-2.0

/// Last step of a parser: each container takes the window of the last action that names it, 2, 4 or
/// 6 bytes from its start.
/// Latency 1 cycle, 1 packet a cycle; the containers hold until the next one. One that no action
/// names reads 0.
module sluice_parser_containers
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_phv_pkg::*;
(
  input  logic                          clk_i,
  input  logic                          stale_i,       // fault: containers keep their old values
  input  logic                          valid_i,
  input  logic [ParseActions-1:0][47:0] window_i,      // first byte most significant
  input  logic [ParseActions-1:0][1:0]  kind_i,        // TypeConst: no action
  input  logic [ParseActions-1:0][2:0]  idx_i,
  output containers_t                   containers_o
);
  // Eight of each type, as an action can name them; those that the chip does not have lead nowhere.
  logic [7:0][15:0] b2_d, b2_q;
  logic [7:0][31:0] b4_d, b4_q;
  logic [7:0][MaxContainerBits-1:0] b6_d, b6_q;
  always_comb begin
    b2_d = stale_i ? b2_q : '0;
    b4_d = stale_i ? b4_q : '0;
    b6_d = stale_i ? b6_q : '0;
    if (valid_i)
      for (int unsigned a = 0; a < ParseActions; a++)
        case (kind_i[a])
          TypeB2:  b2_d[idx_i[a]] = window_i[a][47:32];
          TypeB4:  b4_d[idx_i[a]] = window_i[a][47:16];
          TypeB6:  b6_d[idx_i[a]] = MaxContainerBits'(window_i[a]);
          default: ;
        endcase
  end
  always_ff @(posedge clk_i) if (valid_i) begin
    b2_q <= b2_d;
    b4_q <= b4_d;
    b6_q <= b6_d;
  end

  assign containers_o.b2 = b2_q[Num2B-1:0];
  assign containers_o.b4 = b4_q[Num4B-1:0];
  assign containers_o.b6 = Num6B > 0 ? b6_q[Array6B-1:0] : '0;
endmodule : sluice_parser_containers
