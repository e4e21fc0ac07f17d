// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Which modules may have more entries of a back stage's relocation table, which have too many, and
/// which have any.
///
/// One module after the other is counted, a cycle each, and the one that has just got an entry
/// next.
/// Example, quota 16: a module with 15 entries gets one more. In the next cycle `full_o` says that
/// it may get none, whether or not it may; three cycles after the entry it has been counted again,
/// and has 16: it is full. One that has 12 or more is *near*: its idle entries go home. If the
/// quota is made 10, it is *over*: entries go home although they are busy.
/// Latency: full_o and some_o at most NumModules + 3 cycles behind an entry that became free, and
/// never behind one that was taken; near_o and over_o NumModules + 3 cycles. An entry that is taken
/// meanwhile makes it up to NumModules more, for the round goes on behind its module.
/// Invariant: a module that is not full has less than its quota.
module sluice_move_quotas
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
(
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic        [7:0]             quota_i,     // entries of a module; 0: as many as there are
  input  relocation_t [Relocations-1:0] table_i,
  input  logic                          taken_i,     // a module gets an entry in this cycle
  input  row_t                          row_i,       // that module
  output logic        [NumModules-1:0]  full_o,
  output logic        [NumModules-1:0]  near_o,      // 3/4 of the quota or more
  output logic        [NumModules-1:0]  over_o,
  output logic        [NumModules-1:0]  some_o       // has entries
);
  localparam int unsigned NumBits = $clog2(Relocations + 1);

  // ---- cycle 0: the entries of a module, how many in each half of the table; cycle 1: their
  // number; cycle 2: the marks
  localparam int unsigned Half = Relocations / 2;
  row_t                   look_q, row_q;
  logic                   valid_q;
  logic [Relocations-1:0] mine;
  logic [NumBits-1:0]     low_q, high_q, num;
  always_comb begin
    for (int unsigned e = 0; e < Relocations; e++)
      mine[e] = table_i[e].valid && table_i[e].row == look_q;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      look_q  <= '0;
      valid_q <= 1'b0;
    end else begin
      // What was counted before the entry was taken says nothing any more.
      valid_q <= !taken_i;
      look_q  <= taken_i ? row_i : look_q + 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    row_q  <= look_q;
    low_q  <= NumBits'($countones(mine[Half-1:0]));
    high_q <= NumBits'($countones(mine[Relocations-1:Half]));
  end
  assign num = low_q + high_q;

  logic       limit;
  logic [7:0] most_q;                    // that are not near
  assign limit = quota_i != '0;
  always_ff @(posedge clk_i) most_q <= quota_i - (quota_i >> 2);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      full_o <= '0;
      near_o <= '0;
      over_o <= '0;
      some_o <= '0;
    end else begin
      if (valid_q) begin
        full_o[row_q] <= limit && 8'(num) >= quota_i;
        near_o[row_q] <= limit && 8'(num) >= most_q;
        over_o[row_q] <= limit && 8'(num) > quota_i;
        some_o[row_q] <= num != '0;
      end
      if (taken_i) begin
        full_o[row_i] <= limit;
        some_o[row_i] <= 1'b1;
      end
    end
  end
endmodule : sluice_move_quotas
