// SPDX-License-Identifier: Apache-2.0

/// Whose turn it is to move: between modules that have indices worth a move, none waits for ever.
///
/// A module whose index moves has had its turn. Whoever has not is asked first, and once somebody
/// moves who has had one already, a new round of turns begins. Example: modules 3 and 5 both have
/// something to move in every round, 5 always the busier index. Moves go 5, 3, 5 (a new round of
/// turns), 3, 5, ...
/// A module waits for at most two moves of each other module of its set. Sets of pipelines have
/// rounds of their own: `set_i` is any pipeline of the set.
/// Latency: a turn shows in the next cycle.
module sluice_move_turns
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
(
  input  logic             clk_i,
  input  logic             rst_ni,
  input  pipe_t            set_i,
  input  row_t [1:0]       row_i,
  output logic [1:0]       first_o,      // that module has not had its turn
  input  logic             moved_i,      // an index of this module moves
  input  row_t             moved_row_i
);
  // A module has had its turn if its mark is that of the round of turns of its set.
  logic [NumModules-1:0] mark_q;
  logic [NumPipes-1:0]   round_q;
  logic                  round, again;
  assign round = round_q[set_i];
  assign again = mark_q[moved_row_i] == round;
  for (genvar b = 0; b < 2; b++) begin : gen_bank
    assign first_o[b] = mark_q[row_i[b]] != round;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mark_q  <= '0;
      round_q <= '1;
    end else if (moved_i) begin
      mark_q[moved_row_i] <= again ? !round : round;
      if (again) round_q[set_i] <= !round;
    end
  end
endmodule : sluice_move_turns
