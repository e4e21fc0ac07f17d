// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Merges sorted lanes: in each cycle the least of the oldest keys of all merged lanes gets its
/// place, if no merged lane is without a key for a short time only.
///
/// Example with lanes 0 and 1, idle_i 100, and both had keys a short time ago: lane 0 brings keys
/// 10, 40, 41 in cycles 1, 2, 3, and lane 1 brings 12, 13, 50 in cycles 5, 6, 7. Places: 10 of lane
/// 0 in cycle 6, when lane 1 has a key to compare with; 12 and 13 of lane 1 in cycles 7 and 8; 40
/// and 41 of lane 0 in 9 and 10. Now lane 0 has none, and 50 waits for it until cycle 110 at most.
/// A head that sees Bound others get their places goes next, whatever its key: so no lane can hold
/// another for ever.
/// Latency 1 cycle from push to place when nothing waits; one place a cycle, sustained.
/// Timing: what the heads will be in the next cycle is compared in this one, each with each; so a
/// choice is one AND of registers for each lane, and the path of a cycle is the choice, the next
/// head and a comparison.
/// Invariant: what gets a place in one cycle is not above any key that is there, or is due; of keys
/// that are equal that of the lowest lane goes first.
module sluice_merge_pick #(
  parameter int unsigned Count   = 4,    // lanes, at least 2
  parameter int unsigned Depth   = 64,   // keys of a lane behind its oldest, a power of two
  parameter int unsigned KeyBits = 32,
  parameter int unsigned Bound   = 65535 // others that a head lets pass; 0: any number
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic [Count-1:0]              merged_i,
  input  logic [15:0]                   idle_i,   // of sluice_merge_queue
  input  logic [Count-1:0]              push_i,   // only of merged lanes
  input  logic [Count-1:0][KeyBits-1:0] key_i,
  input  logic [Count-1:0]              void_i,   // goes with the key: see pick_void_o
  // whose oldest key gets its place in this cycle: one lane, or none
  output logic [Count-1:0]              pick_o,
  output logic [KeyBits-1:0]            pick_key_o,
  output logic                          pick_void_o
);
  logic [Count-1:0]              valid, quiet, next_valid, next_void, voids;
  logic [Count-1:0][KeyBits-1:0] key, next_key;
  for (genvar l = 0; l < Count; l++) begin : gen_lane
    sluice_merge_queue #(.Depth(Depth), .Width(KeyBits + 1)) u_queue (
      .clk_i, .rst_ni, .idle_i,
      .push_i      (push_i[l]),
      .data_i      ({void_i[l], key_i[l]}),
      .valid_o     (valid[l]),
      .data_o      ({voids[l], key[l]}),
      .quiet_o     (quiet[l]),
      .next_valid_o(next_valid[l]),
      .next_data_o ({next_void[l], next_key[l]}),
      .pop_i       (pick_o[l])
    );
  end

  // ---- [i][j]: the key of lane i does not wait for that of lane j. Each pair is compared once.
  logic [Count-1:0][Count-1:0] ahead_d, ahead_q;
  for (genvar i = 0; i < Count; i++) begin : gen_first
    assign ahead_d[i][i] = 1'b1;
    for (genvar j = i + 1; j < Count; j++) begin : gen_second
      logic first;                     // lane i's key goes before lane j's, if both are there
      assign first         = next_key[i] <= next_key[j];
      assign ahead_d[i][j] = first  || !next_valid[j];
      assign ahead_d[j][i] = !first || !next_valid[i];
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) ahead_q <= '1;
    else         ahead_q <= ahead_d;
  end

  // ---- heads that have waited long enough; of several the lowest lane goes first
  logic [Count-1:0] first_due_q;
  logic             any_due_q;
  if (Bound != 0) begin : gen_bound
    localparam int unsigned PassedBits = $clog2(Bound + 1);
    logic [Count-1:0] due;             // in the next cycle
    for (genvar l = 0; l < Count; l++) begin : gen_passed
      logic [PassedBits-1:0] passed_q;
      logic                  passes;
      assign passes = valid[l] && !pick_o[l] && pick_o != '0;
      assign due[l] = !pick_o[l] && (passed_q == PassedBits'(Bound)
                                     || (passes && passed_q == PassedBits'(Bound - 1)));
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni)                                             passed_q <= '0;
        else if (pick_o[l])                                      passed_q <= '0;
        else if (passes && passed_q != PassedBits'(Bound)) passed_q <= passed_q + 1'b1;
      end
      `SLUICE_ASSERT(DueIsThere_A, passed_q == '0 || valid[l])
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        first_due_q <= '0;
        any_due_q   <= 1'b0;
      end else begin
        first_due_q <= due & (~due + 1'b1);
        any_due_q   <= due != '0;
      end
    end
  end else begin : gen_no_bound
    assign first_due_q = '0;
    assign any_due_q   = 1'b0;
  end

  logic all_there;                     // every merged lane has a key, or is quiet
  assign all_there = (merged_i & ~valid & ~quiet) == '0;
  for (genvar l = 0; l < Count; l++) begin : gen_pick
    assign pick_o[l] = valid[l] && all_there && (any_due_q ? first_due_q[l] : ahead_q[l] == '1);
  end

  always_comb begin
    pick_key_o  = '0;
    pick_void_o = 1'b0;
    for (int unsigned l = 0; l < Count; l++)
      if (pick_o[l]) begin
        pick_key_o  = pick_key_o | key[l];
        pick_void_o = pick_void_o | voids[l];
      end
  end

  logic unused_void;
  assign unused_void = ^next_void;

  `SLUICE_ASSERT(OnePlace_A, $onehot0(pick_o))
  `SLUICE_ASSERT(NeverStuck_A, valid == '0 || !all_there || pick_o != '0)
endmodule : sluice_merge_pick
