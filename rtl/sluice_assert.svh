// SPDX-License-Identifier: Apache-2.0
// One spelling of assertions and covers for simulation and proof; nothing is left in synthesis.
// Expr is a boolean over this cycle and $past(), checked at every rising clk_i outside reset.
`ifndef SLUICE_ASSERT_SVH
`define SLUICE_ASSERT_SVH
`ifdef FORMAL
`define SLUICE_ASSERT(Name, Expr) \
  always_ff @(posedge clk_i) if (rst_ni) Name : assert (Expr);
`define SLUICE_ASSUME(Name, Expr) \
  always_ff @(posedge clk_i) if (rst_ni) Name : assume (Expr);
`define SLUICE_COVER(Name, Expr) \
  always_ff @(posedge clk_i) if (rst_ni) Name : cover (Expr);
`elsif SYNTHESIS
`define SLUICE_ASSERT(Name, Expr)
`define SLUICE_ASSUME(Name, Expr)
`define SLUICE_COVER(Name, Expr)
`else
// The pragma answers a complaint of Verilator about `disable iff` beside an asynchronous reset.
`define SLUICE_ASSERT(Name, Expr) \
  /* verilator lint_off SYNCASYNCNET */ \
  Name : assert property (@(posedge clk_i) disable iff (!rst_ni) (Expr)) \
    else $error("%m: assertion failed"); \
  /* verilator lint_on SYNCASYNCNET */
`define SLUICE_ASSUME(Name, Expr) `SLUICE_ASSERT(Name, Expr)
`define SLUICE_COVER(Name, Expr)
`endif
`endif
