// SPDX-License-Identifier: Apache-2.0

/// Proof: between modules that have indices worth a move nobody waits for ever (sluice_move_turns).
///
/// The solver chooses a module that always has something to move. Assumed of the candidates: while it
/// is to be asked first, nobody moves who is not. Shown: it waits for at most two moves of each other
/// module.
/// BREAK: 1 a module that moves twice begins no new round of turns, 2 candidates are not asked in turn.
`ifndef BREAK
`define BREAK 0
`endif
module proof_move_turns
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
(
  input logic clk_i,
  input logic rst_ni,
  input logic moved_i,
  input row_t moved_row_i,
  input row_t watched_i      // the solver's choice, held by an assumption
);
  logic [1:0] first;         // the watched one, and the one that moves
  logic       moved;
  assign moved = moved_i && !(`BREAK == 1 && moved_row_i != watched_i && !first[1]);
  sluice_move_turns u_dut (
    .clk_i, .rst_ni, .set_i('0),
    .row_i({moved_row_i, watched_i}), .first_o(first),
    .moved_i(moved), .moved_row_i
  );

  row_t                       watched_q;
  logic [NumModules-1:0][1:0] waits_q;     // moves of each other one since the watched one moved
  logic                       longest;     // it has waited for two of a module
  always_ff @(posedge clk_i) watched_q <= watched_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                                      waits_q <= '0;
    else if (moved_i && moved_row_i == watched_i)     waits_q <= '0;
    else if (moved_i && waits_q[moved_row_i] != 2'd3) waits_q[moved_row_i]
                                                         <= waits_q[moved_row_i] + 2'd1;
  end
  always_comb begin
    assume (watched_i == watched_q);
    if (`BREAK != 2)
      assume (!(moved_i && first[0] && moved_row_i != watched_i) || first[1]);
    longest = 1'b0;
    for (int unsigned m = 0; m < NumModules; m++) longest = longest || waits_q[m] == 2'd2;
    if (rst_ni) assert (waits_q[watched_i] == '0);
  end
  for (genvar m = 0; m < NumModules; m++) begin : gen_module
    always_comb
      if (rst_ni) begin
        Bounded_A : assert (waits_q[m] <= 2'd2);
        Asked_A   : assert (waits_q[m] != 2'd2 || first[0]);
        // helper: who has moved has had its turn, in the round of the watched one
        assert (waits_q[m] < (first[0] ? 2'd2 : 2'd1) || u_dut.mark_q[m] == u_dut.round);
      end
  end

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);
  always_ff @(posedge clk_i)
    if (rst_ni) Waited_C : cover (longest && moved_i && moved_row_i == watched_i);
endmodule : proof_move_turns
