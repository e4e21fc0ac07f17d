// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Counts the copies of each stored body that were read, and says when the last one was.
///
/// Two memories, so that the deparser's count and a read copy never meet at a write port: the
/// copies to be sent (written by the deparser) and the copies sent (0 when the packet is stored,
/// plus one for each). At most one packet in three cycles is stored with a body, so a read copy
/// waits one cycle at most, and the queue never stops the readers for long. Latency 3 cycles.
module sluice_body_copies
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_buffer_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       stored_i,                 // a packet with a body was stored
  input  hdr_t       stored_slot_i,
  input  logic       set_i,                    // this body is to be read so often
  input  hdr_t       set_slot_i,
  input  copies_t    set_count_i,
  input  logic       read_i,                   // one copy was read
  input  hdr_t       read_slot_i,
  output logic       full_o,                   // no read_i in this cycle, please
  output logic       last_o,                   // ... and it was the last
  output hdr_t       last_slot_o
);
  logic       head_valid, go, stored_q, go_q, bypass_q, write;
  hdr_t       head_slot, stored_slot_q, slot_q, write_slot;
  copies_t    total, sent, sent_before, sent_new, sent_q;

  sluice_fifo #(.Depth(4), .Width(HdrBits)) u_reads (
    .clk_i, .rst_ni, .push_i(read_i), .data_i(read_slot_i), .full_o,
    .valid_o(head_valid), .data_o(head_slot), .pop_i(go), .count_o()
  );

  // A read copy writes one cycle after `go`, and so does a packet that is stored now.
  assign go          = head_valid && !stored_i;
  assign sent_before = bypass_q ? sent_q : sent;
  assign sent_new    = sent_before + copies_t'(1);
  assign write       = go_q || stored_q;
  assign write_slot  = go_q ? slot_q : stored_slot_q;
  assign last_o      = go_q && sent_new == total;
  assign last_slot_o = slot_q;

  sluice_ram #(.Depth(HeaderSlots), .Width($bits(copies_t))) u_total (
    .clk_i, .we_i(set_i), .waddr_i(set_slot_i), .wdata_i(set_count_i),
    .re_i(go), .raddr_i(head_slot), .rdata_o(total)
  );
  sluice_ram #(.Depth(HeaderSlots), .Width($bits(copies_t))) u_sent (
    .clk_i, .we_i(write), .waddr_i(write_slot), .wdata_i(go_q ? sent_new : '0),
    .re_i(go), .raddr_i(head_slot), .rdata_o(sent)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stored_q <= 1'b0;
      go_q     <= 1'b0;
    end else begin
      stored_q <= stored_i;
      go_q     <= go;
    end
  end
  always_ff @(posedge clk_i) begin
    if (stored_i) stored_slot_q <= stored_slot_i;
    if (go) begin
      slot_q   <= head_slot;
      // The write of this cycle is not in what the memory gives (sluice_ram): sent_q has it.
      bypass_q <= go_q && slot_q == head_slot;
      sent_q   <= sent_new;
    end
  end

  `SLUICE_ASSERT(NotReadTooOften_A, !go_q || sent_new <= total)
endmodule : sluice_body_copies
