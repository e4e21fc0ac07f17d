// SPDX-License-Identifier: Apache-2.0
// One spelling of assertions and covers for simulation and proof.
// SLUICE_SIM asks for what simulation alone has: assertions, models that assertions compare with,
// memories that give a wrong word where silicon might. Our own simulations and proofs define it.
// Without it nothing of this is built, whatever else a tool defines or does not define.
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
`elsif SLUICE_SIM
// Spelled out, because Verilator keeps sampled values and messages of `assert` under the instance's full
// name, and alike instances would no longer share their code (tb/sluice/shared_modules).
// The pragma answers a complaint about reading the asynchronous reset as data.
`define SLUICE_ASSERT(Name, Expr) \
  /* verilator lint_off SYNCASYNCNET */ \
  always_ff @(posedge clk_i) if (rst_ni && !(Expr)) begin : Name \
    $display(`"[%0t] assertion Name failed: %s:%0d`", $time, `__FILE__, `__LINE__); \
    $stop; \
  end \
  /* verilator lint_on SYNCASYNCNET */
`define SLUICE_ASSUME(Name, Expr) `SLUICE_ASSERT(Name, Expr)
`define SLUICE_COVER(Name, Expr)
`else
`define SLUICE_ASSERT(Name, Expr)
`define SLUICE_ASSUME(Name, Expr)
`define SLUICE_COVER(Name, Expr)
`endif

// A condition under which somebody looks at a value. Simulation need not work it out otherwise, and
// takes what stands there for idle times; hardware works it out always, which takes no gate more.
// SLUICE_ALWAYS: a simulation in which it does as hardware (`make toggles`).
`ifdef SLUICE_ALWAYS
`define SLUICE_WHEN(Condition) 1'b1
`elsif SLUICE_SIM
`define SLUICE_WHEN(Condition) (Condition)
`else
`define SLUICE_WHEN(Condition) 1'b1
`endif

// In a memory that the sweep after reset fills: that it went through all Depth words. Once a module.
// One cycle is no sweep: registers that drive Init may stand at anything before the first edge.
// The three are variables of this block alone, assigned at once, so that a simulator keeps no
// second copy of them; and behind the sweep there is one question left a cycle.
`ifdef FORMAL
`define SLUICE_SWEPT(Init, Index, Depth)
`elsif SLUICE_SIM
`define SLUICE_SWEPT(Init, Index, Depth) \
  /* verilator lint_off BLKSEQ */ \
  bit sweeps_q = 1'b0, lasts_q = 1'b0, swept_q = 1'b0; \
  always_ff @(posedge clk_i) if ((Init) || sweeps_q) begin : SweptToTheEnd_A \
    if (lasts_q && !(Init) && !swept_q) begin \
      $display(`"[%0t] assertion SweptToTheEnd_A failed: %s:%0d`", $time, `__FILE__, `__LINE__); \
      $stop; \
    end \
    lasts_q  = (Init) && sweeps_q; \
    swept_q  = (Init) && (32'(Index) == (Depth) - 1 || (swept_q && (Index) != '0)); \
    sweeps_q = (Init); \
  end \
  /* verilator lint_on BLKSEQ */
`else
`define SLUICE_SWEPT(Init, Index, Depth)
`endif

// In a module that takes so many cycles as it is written: a package that says otherwise stops elaboration.
`define SLUICE_TAKES(Name, Cycles) \
  if (Name != (Cycles)) $fatal(1, `"Name is %0d; this module takes %0d`", Name, Cycles);
`endif
