// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Queue of header slots, in a memory with one place for every slot there is.
/// Latency 2 cycles, 1 slot a cycle sustained; the head stays until it is popped.
/// Invariant: a slot is in at most one queue, once; so a push always finds room.
module sluice_slot_queue
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  logic push_i,
  input  hdr_t slot_i,
  output logic valid_o,
  output hdr_t slot_o,
  input  logic pop_i
);
  hdr_t             head_q, tail_q;
  logic [HdrBits:0] count_q;    // slots in the memory that were not yet read
  logic             valid_q;    // the memory's output is the head
  logic             read;

  assign read    = count_q != '0 && (!valid_q || pop_i);
  assign valid_o = valid_q;

  sluice_ram #(.Depth(HeaderSlots), .Width(HdrBits)) u_slots (
    .clk_i, .we_i(push_i), .waddr_i(tail_q), .wdata_i(slot_i),
    .re_i(read), .raddr_i(head_q), .rdata_o(slot_o)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q  <= '0;
      tail_q  <= '0;
      count_q <= '0;
      valid_q <= 1'b0;
    end else begin
      if (read)   head_q <= head_q + 1'b1;
      if (push_i) tail_q <= tail_q + 1'b1;
      count_q <= count_q + (HdrBits + 1)'(push_i) - (HdrBits + 1)'(read);
      valid_q <= read || (valid_q && !pop_i);
    end
  end

  `SLUICE_ASSERT(PushFindsRoom_A, !push_i || count_q != (HdrBits + 1)'(HeaderSlots))
  `SLUICE_ASSERT(PopNeedsSlot_A, !pop_i || valid_q)
endmodule : sluice_slot_queue
