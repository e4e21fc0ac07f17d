// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// The packets of one queue (source lane, output lane) by class: a linked list each, all in one
/// memory, and the choice of the class whose copy goes next. A packet leaves its list with the copy
/// for the last of its ports.
/// Latency 1 cycle from push_i to valid_o; a packet in and a copy out a cycle, of any class.
///
/// The memory says for each place which packet is behind it in its list. A pop reads it, and finds
/// the new head at its output in the next cycle; a packet that comes to an empty list becomes its
/// head without the memory. Example: class 1 has places 4, 9, 2. heads[1] is 4, the memory says 9
/// at 4 and 2 at 9; a packet in place 7 comes: the memory says 7 at 2.
///
/// Choice: classes that are strict first, the lowest of them; else the class that has sent least
/// (sluice_byte_turn), where a beat of class c counts 1 + costs_i[c].
/// Invariant: copies of a class leave in the order of push_i.
module sluice_class_lists
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_exit_pkg::*;
#(
  localparam int unsigned PtrBits = $clog2(OutputDepth)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic [OutputQueues-1:0][3:0] costs_i,
  input  logic [OutputQueues-1:0]      strict_i,
  // a packet comes: to the list of its class, or around it (nothing of its class is there)
  input  logic                         push_i,
  input  handle_t                      handle_i,
  // the next copy; port: one bit
  output logic                         valid_o,
  output handle_t                      handle_o,
  output logic                         final_o,      // the last of its packet
  input  logic                         take_i,
  // a beat of a copy that was taken goes to the line
  input  logic [OutputQueues-1:0]      beat_i
);
  typedef logic [PortsPerLane-1:0] set_t;
  typedef logic [$clog2(OutputDepth+1)-1:0] count_t;

  // ---- heads: in a register, or at the output of the memory
  handle_t [OutputQueues-1:0]              heads;
  logic    [OutputQueues-1:0]              waits, chosen, pop;
  logic    [OutputQueues-1:0][PtrBits-1:0] tails;
  set_t    [OutputQueues-1:0]              lefts;
  logic    [OutputQueues-1:0]              links, reads;
  handle_t                                 behind;
  logic    [PtrBits-1:0]                   link_at;
  for (genvar c = 0; c < OutputQueues; c++) begin : gen_class
    handle_t            head_q;
    logic               from_memory_q, comes, becomes_head;
    logic [PtrBits-1:0] tail_q;
    set_t               served_q;
    count_t             count_q;
    assign comes        = push_i && handle_i.queue_class == queue_class_t'(c);
    assign waits[c]     = count_q != '0;
    assign heads[c]     = from_memory_q ? behind : head_q;
    assign lefts[c]     = heads[c].ports & ~served_q;
    assign becomes_head = comes && count_q == count_t'(pop[c]);
    assign links[c]     = comes && !becomes_head;
    assign reads[c]     = pop[c] && count_q != count_t'(1);
    assign tails[c]     = tail_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        count_q       <= '0;
        from_memory_q <= 1'b0;
        served_q      <= '0;
      end else begin
        count_q       <= count_q + count_t'(comes) - count_t'(pop[c]);
        from_memory_q <= reads[c];
        if (chosen[c]) served_q <= pop[c] ? '0 : served_q | handle_o.ports;
      end
    end
    always_ff @(posedge clk_i) begin
      if (comes)                              tail_q <= handle_i.place;
      if (becomes_head)                       head_q <= handle_i;
      else if (from_memory_q && !reads[c])    head_q <= behind;
    end
    `SLUICE_ASSERT(HeadHasPort_A, !waits[c] || lefts[c] != '0)
    `SLUICE_ASSERT(HeadIsOfItsClass_A, !waits[c] || heads[c].queue_class == queue_class_t'(c))
  end
  always_comb begin
    link_at = '0;
    for (int unsigned c = 0; c < OutputQueues; c++) link_at = link_at | (links[c] ? tails[c] : '0);
  end
  sluice_ram #(.Depth(OutputDepth), .Width($bits(handle_t))) u_behind (
    .clk_i, .we_i(links != '0), .waddr_i(link_at), .wdata_i(handle_i),
    .re_i(reads != '0), .raddr_i(handle_o.place), .rdata_o(behind)
  );

  // ---- choice
  logic [OutputQueues-1:0] strict, first, turn;
  assign strict = waits & strict_i;
  assign first  = strict & (~strict + 1'b1);
  sluice_byte_turn #(.Count(OutputQueues), .Longest(MaxBeats), .Weighted(1'b1)) u_turn (
    .clk_i, .rst_ni, .waits_i(waits & ~strict_i), .request_i(waits & ~strict_i),
    .take_i(take_i && strict == '0), .grant_o(turn), .beat_i(beat_i & ~strict_i), .costs_i
  );
  logic [OutputQueues-1:0] picked;
  set_t                    left;
  assign picked = strict != '0 ? first : turn;
  assign chosen = take_i ? picked : '0;
  assign pop    = final_o ? chosen : '0;
  always_comb begin
    handle_o = '0;
    left     = '0;
    for (int unsigned c = 0; c < OutputQueues; c++) begin
      handle_o = handle_o | (picked[c] ? heads[c] : '0);
      left     = left     | (picked[c] ? lefts[c] : '0);
    end
    handle_o.ports = left & (~left + 1'b1);
  end
  assign valid_o = waits != '0;
  assign final_o = left == handle_o.ports;

  `SLUICE_ASSERT(TakesWhatIsThere_A, !take_i || valid_o)
endmodule : sluice_class_lists
