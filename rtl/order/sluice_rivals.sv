// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Whether packets of more than one module come to the order point. A module that comes alone takes
/// nothing from anybody, so its shares do not bound it then.
///
/// Time is cut into epochs of `Epoch` cycles. Rows that brought a packet in this epoch or in the
/// one before count: a module is remembered for at least one epoch, and for at most two. An epoch
/// has a cycle for each place of a lane: a packet that comes behind a full lane of one that is
/// above its share is at the head before it is forgotten.
/// Example, Epoch 64: module 6 brings a packet in cycle 10 of epoch 7, and then nothing; module 5
/// brings one each cycle. Module 5 has a rival until epoch 8 ends.
/// Latency 3 cycles from `came_i` to `rivals_o`. Up to k packets a cycle.
/// Reset: nobody has come.
module sluice_rivals
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [NumPipes-1:0] came_i,      // lane: a packet that is to be admitted
  input  row_t [NumPipes-1:0] row_i,       // lane: its module
  output logic                rivals_o
);
  localparam int unsigned Epoch     = LaneDepth < 64 ? 64 : LaneDepth;
  localparam int unsigned EpochBits = $clog2(Epoch);

  logic [NumPipes-1:0]   came_q;
  row_t [NumPipes-1:0]   row_q;
  logic [NumModules-1:0] came, now_q, before_q, seen;
  logic [EpochBits-1:0]  cycle_q;
  logic                  ends;

  always_comb begin
    came = '0;
    for (int unsigned l = 0; l < NumPipes; l++) if (came_q[l]) came[row_q[l]] = 1'b1;
  end
  assign ends = cycle_q == '1;
  assign seen = now_q | before_q;

  always_ff @(posedge clk_i) row_q <= row_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      came_q   <= '0;
      cycle_q  <= '0;
      now_q    <= '0;
      before_q <= '0;
      rivals_o <= 1'b0;
    end else begin
      came_q   <= came_i;
      cycle_q  <= cycle_q + 1'b1;
      now_q    <= ends ? came : now_q | came;
      before_q <= ends ? now_q : before_q;
      rivals_o <= (seen & (seen - 1'b1)) != '0;    // two bits or more
    end
  end

  // Who has come is seen in the cycle after.
  logic [NumModules-1:0] came_then_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) came_then_q <= '0;
    else         came_then_q <= came;
  end
  `SLUICE_ASSERT(WhoCameIsSeen_A, (came_then_q & ~seen) == '0)
endmodule : sluice_rivals
