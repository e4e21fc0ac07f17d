// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Packet buffer of a lane: header store (first HeaderBytes of a packet), body store (the others,
/// in linked cells of a beat), free slots and cells, and the readers of the output lanes. The lane
/// writes a packet, the exit reads its header, the traffic manager its body; it is freed when the
/// last copy of its body was read, or at once when the order point or the traffic manager says so.
///
/// Writes 1 beat a cycle. The header store has one read port, the deparser's alone: the parser
/// gets its header from sluice_rx, which collects them in registers: up to 1,024 flipflops
/// instead of a second copy of the memory, no two reads ever meet, and the parser need not
/// wait for a read. A narrow chip stores and reads headers beat by beat.
/// The first beat also clears the second half of its slot: what lies behind a short packet reads 0.
/// Body reads 1 beat a cycle for all output lanes together.
/// Invariant: a slot is free, stored, or in one queue of sluice_slot_free, never in two of these
/// places; its cells go with it.
module sluice_packet_buffer
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_buffer_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  // lane
  input  buffer_write_t       write_i,
  output buffer_room_t        room_o,
  output buffer_used_t        used_o,
  // order point: this packet is dropped
  input  discard_t            discard_i,
  // exit
  input  header_req_t         header_req_i,
  output logic [StepBits-1:0] header_o,        // one cycle later
  // traffic manager
  input  buffer_req_t         req_i,
  output buffer_rsp_t         rsp_o
);
  // ---- free slots: those never used first, then those that came back. The head must stay while a
  // packet comes in: it changes only when it is taken.
  slots_t fresh_q, slots_used_q;
  logic   fresh, slot_valid, freed, freed_q, back_valid;
  hdr_t   slot, freed_slot, freed_slot_q, back_slot;
  assign fresh      = !fresh_q[HdrBits];
  assign slot_valid = fresh || back_valid;
  assign slot       = fresh ? fresh_q[HdrBits-1:0] : back_slot;

  sluice_slot_queue u_free_slots (
    .clk_i, .rst_ni, .push_i(freed_q), .slot_i(freed_slot_q),
    .valid_o(back_valid), .slot_o(back_slot), .pop_i(write_i.slot_take && !fresh)
  );

  // ---- header store
  if (HeaderSteps > 1) begin : gen_steps
    sluice_ram #(.Depth(HeaderSlots * HeaderSteps), .Width(StepBits)) u_header (
      .clk_i, .we_i(write_i.head_we || write_i.tail_we),
      .waddr_i({slot, write_i.step}), .wdata_i(write_i.beat), .re_i(header_req_i.valid),
      .raddr_i({header_req_i.slot, header_req_i.step}), .rdata_o(header_o)
    );
  end else begin : gen_whole
    for (genvar h = 0; h < HeaderBeats; h++) begin : gen_half
      sluice_ram #(.Depth(HeaderSlots), .Width(BeatBits)) u_header (
        .clk_i, .we_i(write_i.head_we || (h != 0 && write_i.tail_we)), .waddr_i(slot),
        .wdata_i(h == 0 || write_i.tail_we ? write_i.beat : '0), .re_i(header_req_i.valid),
        .raddr_i(header_req_i.slot), .rdata_o(header_o[BeatBits*h +: BeatBits])
      );
    end
  end

  // ---- cells, and body store
  logic                chain_valid, chain_ready, cell_valid, cell_taken, chain_taken, cell_read;
  cell_t               next_cell, walk_cell, walk_next;
  body_t               chain;
  cells_t              cells_used_q;
  logic                slot_taken_q, cell_taken_q, chain_taken_q;
  beats_t              chain_cells_q;
  logic [BeatBits-1:0] walk_beat;
  assign cell_taken  = write_i.cell_want && cell_valid;
  assign chain_taken = chain_valid && chain_ready;

  sluice_cell_list u_cells (
    .clk_i, .rst_ni,
    .want_i(write_i.cell_want), .first_i(write_i.cell_first),
    .valid_o(cell_valid), .cell_o(next_cell),
    .chain_valid_i(chain_valid), .chain_ready_o(chain_ready),
    .chain_head_i(chain.head), .chain_tail_i(chain.tail),
    .walk_i(cell_read), .walk_cell_i(walk_cell), .walk_next_o(walk_next)
  );
  sluice_ram #(.Depth(BodyCells), .Width(BeatBits)) u_body (
    .clk_i, .we_i(cell_taken), .waddr_i(next_cell), .wdata_i(write_i.beat),
    .re_i(cell_read), .raddr_i(walk_cell), .rdata_o(walk_beat)
  );

  // ---- slots and cells in use; shares of the modules
  logic [ShareRows-1:0] slots_full, cells_full;
  share_row_t           freed_row;
  assign room_o = '{
    slot_valid: slot_valid, slot: slot, cell_valid: cell_valid, next_cell: next_cell,
    slots_full: slots_full, cells_full: cells_full
  };
  assign used_o = '{slots: slots_used_q, cells: cells_used_q};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fresh_q      <= '0;
      slots_used_q <= '0;
      cells_used_q <= '0;
      {slot_taken_q, freed_q, cell_taken_q, chain_taken_q} <= '0;
    end else begin
      if (write_i.slot_take && fresh) fresh_q <= fresh_q + 1'b1;
      {slot_taken_q, freed_q, cell_taken_q, chain_taken_q}
        <= {write_i.slot_take, freed, cell_taken, chain_taken};
      slots_used_q <= slots_used_q + slots_t'(slot_taken_q) - slots_t'(freed_q);
      cells_used_q <= cells_used_q + cells_t'(cell_taken_q)
                      - (chain_taken_q ? cells_t'(chain_cells_q) : '0);
    end
  end
  always_ff @(posedge clk_i) begin
    freed_slot_q <= freed_slot;
    if (chain_taken) chain_cells_q <= chain.cells;
  end

  sluice_buffer_shares u_shares (
    .clk_i, .rst_ni,
    .slot_taken_i(write_i.slot_take), .cell_taken_i(cell_taken), .taken_row_i(write_i.row),
    .slot_freed_i(freed), .slot_row_i(freed_row),
    .chain_freed_i(chain_taken), .chain_cells_i(chain.cells), .chain_row_i(chain.row),
    .slots_full_o(slots_full), .cells_full_o(cells_full)
  );

  // ---- what is known of a slot: one copy for those who free, one for the readers
  logic  stored_body, free_info_read, read_info_read;
  hdr_t  free_info_slot, read_info_slot;
  body_t free_body, read_body;
  assign stored_body      = write_i.stored && write_i.body.cells != '0;

  logic [BodyInfoBits-1:0] free_info, read_info;
  assign free_body = body_t'(free_info);
  assign read_body = body_t'(read_info);
  sluice_ram #(.Depth(HeaderSlots), .Width(BodyInfoBits)) u_info_free (
    .clk_i, .we_i(write_i.stored), .waddr_i(write_i.slot), .wdata_i(BodyInfoBits'(write_i.body)),
    .re_i(free_info_read), .raddr_i(free_info_slot), .rdata_o(free_info)
  );
  sluice_ram #(.Depth(HeaderSlots), .Width(BodyInfoBits)) u_info_read (
    .clk_i, .we_i(write_i.stored), .waddr_i(write_i.slot), .wdata_i(BodyInfoBits'(write_i.body)),
    .re_i(read_info_read), .raddr_i(read_info_slot), .rdata_o(read_info)
  );

  // ---- body readers
  logic copies_full, copy_read;
  hdr_t copy_slot;
  sluice_body_readers u_readers (
    .clk_i, .rst_ni, .req_i(req_i.body), .rsp_o(rsp_o.body),
    .info_read_o(read_info_read), .info_slot_o(read_info_slot),
    .info_head_i(read_body.head), .info_cells_i(read_body.cells),
    .stop_i(copies_full), .cell_read_o(cell_read), .cell_o(walk_cell),
    .next_i(walk_next), .data_i(walk_beat),
    .copy_read_o(copy_read), .copy_slot_o(copy_slot)
  );

  // ---- copies, and freeing
  logic last_copy, no_copies;
  hdr_t last_slot;
  assign no_copies = req_i.copies.none;
  sluice_body_copies u_copies (
    .clk_i, .rst_ni,
    .stored_i(stored_body), .stored_slot_i(write_i.slot),
    .set_i(req_i.copies.valid && !no_copies), .set_slot_i(req_i.copies.slot),
    .set_count_i(req_i.copies.count),
    .read_i(copy_read), .read_slot_i(copy_slot), .full_o(copies_full),
    .last_o(last_copy), .last_slot_o(last_slot)
  );

  sluice_slot_free u_free (
    .clk_i, .rst_ni,
    .valid_i({discard_i.valid, req_i.copies.valid && no_copies, last_copy}),
    .slot_i ({discard_i.slot, req_i.copies.slot, last_slot}),
    .info_read_o(free_info_read), .info_slot_o(free_info_slot), .info_body_i(free_body),
    .abort_i(write_i.lost), .abort_body_i(write_i.body),
    .chain_valid_o(chain_valid), .chain_ready_i(chain_ready), .chain_o(chain),
    .slot_valid_o(freed), .slot_o(freed_slot), .slot_row_o(freed_row)
  );

  `SLUICE_ASSERT(NoneIsCountZero_A, !req_i.copies.valid
      || req_i.copies.none == (req_i.copies.count == '0))
  `SLUICE_ASSERT(FreedSlotWasUsed_A, !freed_q || slots_used_q != '0)
  `SLUICE_ASSERT(ChainWasUsed_A, !chain_taken_q || cells_used_q >= cells_t'(chain_cells_q))
endmodule : sluice_packet_buffer
