// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// The keys of one merged lane that have no place in the order yet: the oldest in a register, those
/// behind it in a memory. And since when there has been none.
///
/// Example with idle_i 3: a key is pushed in cycle 10, and the lane had none. In cycle 11 valid_o
/// is up. It is popped in that cycle; 12, 13 and 14 are three cycles without a key, so quiet_o is
/// up from cycle 14 on, until the next key is there.
/// Latency 1 cycle from push to head, one key a cycle in and out, sustained.
/// Timing: pop_i may come late. next_valid_o and next_data_o are what valid_o and data_o will be in
/// the next cycle. So the user compares the heads of all lanes a cycle early, and has the result in
/// registers when they are the heads.
/// Reset: the lane counts as one that has never had a key.
/// Invariant: while the memory has a key the head is valid, and older than all of them.
module sluice_merge_queue #(
  parameter int unsigned Depth = 64,   // keys behind the head, a power of two
  parameter int unsigned Width = 33    // bits of a key, and of what goes with it
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [15:0]      idle_i,     // cycles without a key until the lane is quiet; 0: as 1
  input  logic             push_i,
  input  logic [Width-1:0] data_i,
  output logic             valid_o,
  output logic [Width-1:0] data_o,
  output logic             quiet_o,    // there is no key, and was none for idle_i cycles
  output logic             next_valid_o,
  output logic [Width-1:0] next_data_o,
  input  logic             pop_i       // only while valid_o
);
  // ---- keys
  logic             head_valid_q, free, behind_valid, around;
  logic [Width-1:0] head_q, behind;
  assign free   = !head_valid_q || pop_i;
  assign around = free && !behind_valid;

  sluice_prefetch_fifo #(.Depth(Depth), .Width(Width)) u_behind (
    .clk_i, .rst_ni,
    .push_i (push_i && !around), .data_i,
    .valid_o(behind_valid),      .data_o(behind), .pop_i(free && behind_valid)
  );

  assign next_valid_o = !free || behind_valid || push_i;
  assign next_data_o  = !free ? head_q : behind_valid ? behind : data_i;
  assign valid_o      = head_valid_q;
  assign data_o       = head_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) head_valid_q <= 1'b0;
    else         head_valid_q <= next_valid_o;
  end
  always_ff @(posedge clk_i) head_q <= next_data_o;

  // ---- cycles without a key, before this one. It stops counting at its largest value, which is
  // enough for any idle_i.
  logic [15:0] empty_q;
  logic        enough_q;       // with this cycle they would be idle_i
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      empty_q  <= '1;
      enough_q <= 1'b1;
    end else begin
      empty_q  <= head_valid_q ? '0 : empty_q == '1 ? empty_q : empty_q + 16'd1;
      enough_q <= 17'(idle_i) <= (head_valid_q ? 17'd1 : 17'(empty_q) + 17'd2);
    end
  end
  assign quiet_o = !head_valid_q && enough_q;

  `SLUICE_ASSERT(PopNeedsKey_A, !pop_i || head_valid_q)
  `SLUICE_ASSERT(HeadBeforeMemory_A, !behind_valid || head_valid_q)
endmodule : sluice_merge_queue
