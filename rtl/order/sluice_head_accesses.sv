// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// What the decision looks at of the resolved packets of one lane, first in, first out: whether one
/// is void, its state accesses, and where it may go without one at back stage 0. A move that is
/// decided reaches them here: what was resolved to the old place of the index takes the new one.
/// Latency 1 cycle, one packet a cycle. A patch of cycle t shows from cycle t + 1 on; a packet that
/// comes in cycle t was looked up in the new table, and one that leaves in cycle t keeps the old
/// place.
/// Timing: the oldest packet stands in registers, its pipelines decoded, for the decision starts
/// from there; and `pop_i`, which ends it, only chooses between words that are there already.
/// Invariant: pinned accesses never change; packets wait only behind the oldest.
module sluice_head_accesses
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
#(
  parameter int unsigned Depth = 5     // packets: the oldest, and a power of two behind it
) (
  input  logic                                       clk_i,
  input  logic                                       rst_ni,
  input  logic                                       push_i,
  input  logic                                       void_i,
  input  resolution_t [StateStages-1:0]               access_i,
  input  logic        [StateStages-1:0]               pinned_i,
  // its pipeline, or one of the set of that
  input  pipe_t                                      open_i,
  // the oldest
  output logic                                       valid_o,
  output logic                                       void_o,
  output resolution_t [StateStages-1:0]               access_o,
  output logic        [StateStages-1:0][NumPipes-1:0] need_o,    // [s][d]: an access at s in d
  output logic        [StateStages-1:0]               pinned_o,
  output pipe_t                                      open_o,
  // [d]: no access at 0, and open_o is d
  output logic        [NumPipes-1:0]                 free_o,
  input  logic                                       pop_i,
  input  patch_t                                     patch_i
);
  localparam int unsigned Behind    = Depth - 1;
  localparam int unsigned PtrBits   = index_bits(Behind);
  localparam int unsigned CountBits = $clog2(Behind + 1);

  typedef logic [PtrBits-1:0] ptr_t;
  typedef struct packed {
    logic                         void_one;
    pipe_t                        open;
    logic        [StateStages-1:0] pinned;
    resolution_t [StateStages-1:0] access;
  } word_t;

  // ---- behind the oldest; `patched`: as it is from the next cycle on
  ptr_t                 read_q, write_q;
  logic [CountBits-1:0] count_q;
  logic                 valid_q, behind, pass, store, fetch;
  word_t [Behind-1:0]   word_q;
  word_t [Behind:0]     word, patched;             // and the oldest
  word_t                head_q, next, come;
  logic [StateStages-1:0][NumPipes-1:0] need_q, need_stay, need_next;
  logic [NumPipes-1:0]                 free_q, free_next;

  assign word = {head_q, word_q};
  always_comb begin
    patched = word;
    for (int unsigned p = 0; p <= Behind; p++)
      for (int unsigned s = 0; s < StateStages; s++)
        if (patch_i.stage[s] && !word[p].pinned[s]
            && word[p].access[s].pipe == patch_i.from.pipe
            && word[p].access[s].slot == patch_i.from.slot) begin
          patched[p].access[s].pipe = patch_i.to.pipe;
          patched[p].access[s].slot = patch_i.to.slot;
        end
  end

  assign behind = count_q != '0;
  assign pass   = !behind && (pop_i || !valid_q);  // what comes goes to the head
  assign store  = push_i && !pass;
  assign fetch  = pop_i && behind;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      read_q  <= '0;
      write_q <= '0;
      count_q <= '0;
    end else begin
      valid_q <= behind || push_i || (valid_q && !pop_i);
      if (fetch) read_q  <= Behind > 1 ? read_q + 1'b1 : '0;
      if (store) write_q <= Behind > 1 ? write_q + 1'b1 : '0;
      if (fetch != store) count_q <= store ? count_q + 1'b1 : count_q - 1'b1;
    end
  end

  assign come = '{void_one: void_i, open: open_i, pinned: pinned_i, access: access_i};
  // What passes by is written, too: its place is the next one's.
  for (genvar p = 0; p < Behind; p++) begin : gen_word
    always_ff @(posedge clk_i) begin
      if (push_i && write_q == ptr_t'(p))
        word_q[p] <= come;
      else
        word_q[p] <= patched[p];
    end
  end

  // ---- the oldest, and its pipelines one by one
  assign next = behind ? patched[read_q] : come;
  for (genvar s = 0; s < StateStages; s++) begin : gen_stage
    for (genvar d = 0; d < NumPipes; d++) begin : gen_pipe
      assign need_next[s][d] = next.access[s].valid && next.access[s].pipe == pipe_t'(d);
      assign need_stay[s][d] = patched[Behind].access[s].valid
                            && patched[Behind].access[s].pipe == pipe_t'(d);
    end
  end
  for (genvar d = 0; d < NumPipes; d++) begin : gen_open
    assign free_next[d] = !next.access[0].valid && next.open == pipe_t'(d);
  end
  always_ff @(posedge clk_i) begin
    if (pop_i || !valid_q) free_q <= free_next;
    head_q <= pop_i || !valid_q ? next : patched[Behind];
    need_q <= pop_i || !valid_q ? need_next : need_stay;
  end

  assign valid_o  = valid_q;
  assign void_o   = head_q.void_one;
  assign access_o = head_q.access;
  assign need_o   = need_q;
  assign pinned_o = head_q.pinned;
  assign open_o   = head_q.open;
  assign free_o   = free_q;

  `SLUICE_ASSERT(WaitsOnlyBehind_A, valid_q || !behind)
  `SLUICE_ASSERT(PushNeedsRoom_A, !store || count_q != CountBits'(Behind))
  `SLUICE_ASSERT(PopNeedsPacket_A, !pop_i || valid_q)
endmodule : sluice_head_accesses
