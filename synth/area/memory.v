// SPDX-License-Identifier: Apache-2.0
// What of the memories is a macro: read with a clock only, at least SLUICE_MACRO_WORDS words and
// SLUICE_MACRO_BITS bits. Everything else becomes flip-flops. A map for Yosys' techmap.
(* techmap_celltype = "$mem_v2" *)
module sluice_memory_rule (
  RD_CLK, RD_EN, RD_ARST, RD_SRST, RD_ADDR, RD_DATA, WR_CLK, WR_EN, WR_ADDR, WR_DATA
);
  parameter MEMID = "";
  parameter signed SIZE = 4;
  parameter signed OFFSET = 0;
  parameter signed ABITS = 2;
  parameter signed WIDTH = 8;
  parameter INIT = 1'bx;
  parameter signed RD_PORTS = 1;
  parameter RD_CLK_ENABLE = 1'b1;
  parameter RD_CLK_POLARITY = 1'b1;
  parameter RD_TRANSPARENCY_MASK = 1'b0;
  parameter RD_COLLISION_X_MASK = 1'b0;
  parameter RD_WIDE_CONTINUATION = 1'b0;
  parameter RD_CE_OVER_SRST = 1'b0;
  parameter RD_ARST_VALUE = 1'b0;
  parameter RD_SRST_VALUE = 1'b0;
  parameter RD_INIT_VALUE = 1'b0;
  parameter signed WR_PORTS = 1;
  parameter WR_CLK_ENABLE = 1'b1;
  parameter WR_CLK_POLARITY = 1'b1;
  parameter WR_PRIORITY_MASK = 1'b0;
  parameter WR_WIDE_CONTINUATION = 1'b0;

  input  [RD_PORTS-1:0]       RD_CLK, RD_EN, RD_ARST, RD_SRST;
  input  [RD_PORTS*ABITS-1:0] RD_ADDR;
  output [RD_PORTS*WIDTH-1:0] RD_DATA;
  input  [WR_PORTS-1:0]       WR_CLK;
  input  [WR_PORTS*WIDTH-1:0] WR_EN;
  input  [WR_PORTS*ABITS-1:0] WR_ADDR;
  input  [WR_PORTS*WIDTH-1:0] WR_DATA;

  wire _TECHMAP_FAIL_ = SIZE < `SLUICE_MACRO_WORDS || SIZE * WIDTH < `SLUICE_MACRO_BITS || RD_PORTS == 0
                        || WR_PORTS == 0 || RD_CLK_ENABLE != {RD_PORTS{1'b1}} || RD_TRANSPARENCY_MASK != 0;

  // A write port writes whole words, so one of its enables says it all.
  wire [WR_PORTS-1:0] write;
  genvar p;
  generate
    for (p = 0; p < WR_PORTS; p = p + 1) begin : gen_port
      assign write[p] = WR_EN[p*WIDTH];
    end
  endgenerate

  sluice_macro #(
    .Name(MEMID), .Words(SIZE), .Bits(WIDTH), .Reads(RD_PORTS), .Writes(WR_PORTS), .AddrBits(ABITS)
  ) u_macro (
    .clk(RD_CLK[0]), .re(RD_EN), .ra(RD_ADDR), .rd(RD_DATA), .we(write), .wa(WR_ADDR), .wd(WR_DATA)
  );
endmodule
