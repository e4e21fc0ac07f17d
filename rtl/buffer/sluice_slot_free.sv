// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Frees packets: their body chain goes back to the cell list, then their slot to the free slots.
///
/// Three sources may each name a packet in every cycle; one a cycle is freed. Each source has a
/// queue with a place for every slot, so none ever has to wait and nothing is lost: a slot is in
/// one queue at most, once. (Smaller queues would do only on average: order point and deparser can
/// each free a packet a cycle for as long as there are packets.) The first source that has a slot
/// is served; that others wait cannot last, since in the long run no more packets are freed than
/// arrive, and a packet with a body leaves cycles without an arrival behind it.
/// Chains of packets that were dropped while they came in go first, at most one in three cycles.
/// Latency 5 cycles, 1 packet a cycle: queue, look up, hold what is known of the slot, give back.
module sluice_slot_free
  import sluice_pkg::*;
  import sluice_buffer_pkg::*;
#(
  localparam int unsigned NumSources = 3
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [NumSources-1:0] valid_i,
  input  hdr_t [NumSources-1:0] slot_i,
  // what is known of a slot, one cycle later; holds
  output logic                  info_read_o,
  output hdr_t                  info_slot_o,
  input  body_t                 info_body_i,
  // cells of a packet that was dropped on its way in: taken at once
  input  logic                  abort_i,
  input  body_t                 abort_body_i,
  // cell list
  output logic                  chain_valid_o,
  input  logic                  chain_ready_i,
  output body_t                 chain_o,
  // free slots
  output logic                  slot_valid_o,
  output hdr_t                  slot_o,
  output share_row_t            slot_row_o     // row that it counts for
);
  logic [NumSources-1:0] queued, pick, pop;
  hdr_t [NumSources-1:0] head;
  logic                  look, move, looked_q, held_q;
  hdr_t                  looked_slot_q;

  for (genvar n = 0; n < NumSources; n++) begin : gen_source
    sluice_slot_queue u_queue (
      .clk_i, .rst_ni, .push_i(valid_i[n]), .slot_i(slot_i[n]),
      .valid_o(queued[n]), .slot_o(head[n]), .pop_i(pop[n])
    );
  end

  // ---- choose, and look the slot up
  assign pick        = queued & (~queued + 1'b1);
  assign look        = !looked_q || move;
  assign pop         = look ? pick : '0;
  assign info_read_o = look && queued != '0;
  always_comb begin
    info_slot_o = '0;
    for (int unsigned n = 0; n < NumSources; n++) if (pick[n]) info_slot_o = head[n];
  end

  // ---- hold what is known: the memory is late, and whether a chain is taken, too
  logic  has_body_q;
  body_t body_q;
  assign move = looked_q && (!held_q || slot_valid_o);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      looked_q <= 1'b0;
      held_q   <= 1'b0;
    end else begin
      looked_q <= look ? queued != '0 : looked_q;
      held_q   <= move || (held_q && !slot_valid_o);
    end
  end
  always_ff @(posedge clk_i) begin
    if (look) looked_slot_q <= info_slot_o;
    if (move) begin
      slot_o     <= looked_slot_q;
      has_body_q <= info_body_i.cells != '0;
      body_q     <= info_body_i;
    end
  end

  // ---- give back
  assign chain_valid_o = abort_i || (held_q && has_body_q);
  assign chain_o       = abort_i ? abort_body_i : body_q;
  assign slot_row_o    = body_q.row;
  assign slot_valid_o  = held_q && (!has_body_q || (!abort_i && chain_ready_i));

  `SLUICE_ASSERT(AbortIsTaken_A, !abort_i || chain_ready_i)
endmodule : sluice_slot_free
