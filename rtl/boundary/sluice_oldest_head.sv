// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"
`include "sluice_tag.svh"

/// Which of the heads of N FIFOs of tags is the oldest. Their order stands in registers, one for
/// each pair of heads, and is carried on as heads change: what is pushed is younger than all that
/// are inside, so only words pushed in the same cycle are compared with one another, and the word
/// behind the head that is popped with the other heads. What is pushed comes late; what is pushed
/// in the same cycle was admitted in the same cycle, so its tags differ by less than N.
/// Latency: `pick_o` is of the same cycle, and a register. Throughput: any pushes, and a pop of
/// what is picked, each cycle.
/// Invariant: of two heads that are valid the register of their pair says which is older, and what
/// is picked comes before all others. (Tags that are inside together span less than half the tag
/// space, so their order is total.)
module sluice_oldest_head
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
#(
  parameter int unsigned N = 4               // FIFOs
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         greatest_i,     // wrong on purpose: the youngest (fault injection)
  // the FIFOs: heads, the words behind them, what is pushed in this cycle
  input  logic [N-1:0] valid_i,
  input  tag_t [N-1:0] tag_i,
  input  logic [N-1:0] behind_valid_i,
  input  tag_t [N-1:0] behind_tag_i,
  input  logic [N-1:0] push_i,
  input  tag_t [N-1:0] push_tag_i,
  input  logic         pop_i,          // of the head that is picked
  output logic [N-1:0] pick_o,
  output tag_t         tag_o           // its tag, 0 if none
);
  logic [N-1:0][N-1:0] older_q, older_d;     // [m][n], m < n: head m is older than head n

  always_comb begin
    tag_o = '0;
    for (int unsigned n = 0; n < N; n++) tag_o |= pick_o[n] ? tag_i[n] : '0;
  end

  // ---- the next heads
  logic [N-1:0] pop, moved, fresh;     // the word behind comes to the head; what is pushed does
  tag_t         behind;                // behind the one that is popped
  assign pop   = pop_i ? pick_o : '0;
  assign moved = pop & behind_valid_i;
  assign fresh = (pop | ~valid_i) & ~behind_valid_i & push_i;
  always_comb begin
    behind = '0;
    for (int unsigned n = 0; n < N; n++) behind |= pick_o[n] ? behind_tag_i[n] : '0;
  end

  logic [N-1:0] first;                 // that one comes before head n
  for (genvar n = 0; n < N; n++) begin : gen_first
    assign first[n] = `SLUICE_OLDER(behind, tag_i[n]);
  end

  // ---- what is pushed: the last bits of tags that are near tell their order
  localparam int unsigned NearBits = $clog2(N) + 1;
  typedef logic [NearBits-1:0] near_t;
  logic [N-1:0][N-1:0] sooner;         // [m][n]: of what is pushed, m comes before n
  for (genvar m = 0; m < N; m++) begin : gen_push
    for (genvar n = 0; n < N; n++) begin : gen_pair
      near_t from;                     // m less n
      assign from         = near_t'(push_tag_i[m]) - near_t'(push_tag_i[n]);
      assign sooner[m][n] = from[NearBits-1];
      `SLUICE_ASSERT(PushedTogetherIsNear_A, !(push_i[m] && push_i[n])
        || sooner[m][n] == `SLUICE_OLDER(push_tag_i[m], push_tag_i[n]))
    end
  end

  always_comb begin
    older_d = older_q;
    for (int unsigned m = 0; m < N; m++)
      for (int unsigned n = m + 1; n < N; n++)
        if (fresh[m] && fresh[n]) older_d[m][n] = sooner[m][n];
        else if (fresh[m])        older_d[m][n] = 1'b0;
        else if (fresh[n])        older_d[m][n] = 1'b1;
        else if (moved[m])        older_d[m][n] = first[n];
        else if (moved[n])        older_d[m][n] = !first[m];
  end
  always_ff @(posedge clk_i) older_q <= older_d;

  // ---- the next pick
  logic [N-1:0] valid_d, pick_d;
  assign valid_d = (valid_i & ~pop) | behind_valid_i | push_i;
  always_comb begin
    pick_d = valid_d;
    for (int unsigned m = 0; m < N; m++)
      for (int unsigned n = m + 1; n < N; n++)
        if (valid_d[m] && valid_d[n]) begin
          if (older_d[m][n] != greatest_i) pick_d[n] = 1'b0;
          else                             pick_d[m] = 1'b0;
        end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) pick_o <= '0;
    else         pick_o <= pick_d;
  end

  `SLUICE_ASSERT(PopNeedsHead_A, !pop_i || valid_i != '0)
  `SLUICE_ASSERT(OneIsPicked_A, $onehot0(pick_o) && (pick_o != '0) == (valid_i != '0))
`ifdef SLUICE_SIM
  for (genvar m = 0; m < N; m++) begin : gen_check
    for (genvar n = m + 1; n < N; n++) begin : gen_pair
      `SLUICE_ASSERT(OrderIsKnown_A, !(valid_i[m] && valid_i[n])
                     || older_q[m][n] == `SLUICE_OLDER(tag_i[m], tag_i[n]))
    end
  end
`endif
endmodule : sluice_oldest_head
