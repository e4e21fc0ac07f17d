// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Packet buffer of a lane: header store (first HeaderBytes of a packet), body store (the others, in
/// linked cells of a beat), free slots and cells, and the readers of the output lanes.
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
#(
  localparam int unsigned CellBits = $clog2(BodyCells)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // store a packet, beat by beat
  output logic                slot_valid_o,
  output hdr_t                slot_o,
  input  logic                slot_take_i,
  input  logic                head_we_i,
  input  logic                tail_we_i,
  input  step_t               step_i,
  input  logic                cell_want_i,
  input  logic                cell_first_i,
  output logic                cell_valid_o,
  output logic [CellBits-1:0] cell_o,
  input  logic [BeatBits-1:0] beat_i,
  // one cycle after its last beat
  input  logic                stored_i,
  input  logic                abort_i,
  input  hdr_t                stored_slot_i,
  input  logic [CellBits-1:0] chain_head_i,
  input  logic [CellBits-1:0] chain_tail_i,
  input  beats_t              chain_cells_i,
  // deparser
  input  logic                hdr_read_i,
  input  hdr_t                hdr_slot_i,
  input  step_t               hdr_step_i,
  output logic [StepBits-1:0] hdr_data_o,
  input  logic                copies_valid_i,
  input  hdr_t                copies_slot_i,
  input  logic [6:0]          copies_count_i,
  // order point
  input  logic                discard_valid_i,
  input  hdr_t                discard_slot_i,
  // body readers, one an output lane
  input  logic [NumPipes-1:0] body_req_valid_i,
  input  hdr_t [NumPipes-1:0] body_req_slot_i,
  output logic [NumPipes-1:0] body_req_ready_o,
  output logic [NumPipes-1:0] body_valid_o,
  output logic [NumPipes-1:0] body_last_o,
  output logic [NumPipes-1:0][BeatBits-1:0] body_data_o,
  input  logic [NumPipes-1:0] body_ready_i,
  // in use, a cycle behind
  output logic [HdrBits:0]    slots_used_o,
  output logic [CellBits:0]   cells_used_o
);
  // ---- header store
  if (HeaderSteps > 1) begin : gen_steps
    sluice_ram #(.Depth(HeaderSlots * HeaderSteps), .Width(StepBits)) u_header (
      .clk_i, .we_i(head_we_i || tail_we_i), .waddr_i({slot_o, step_i}), .wdata_i(beat_i),
      .re_i(hdr_read_i), .raddr_i({hdr_slot_i, hdr_step_i}), .rdata_o(hdr_data_o)
    );
  end else begin : gen_whole
    logic unused_step;
    assign unused_step = ^{step_i, hdr_step_i};
    for (genvar h = 0; h < HeaderBeats; h++) begin : gen_half
      sluice_ram #(.Depth(HeaderSlots), .Width(BeatBits)) u_header (
        .clk_i, .we_i(h == 0 ? head_we_i : head_we_i || tail_we_i), .waddr_i(slot_o),
        .wdata_i(h == 0 || tail_we_i ? beat_i : '0),
        .re_i(hdr_read_i), .raddr_i(hdr_slot_i), .rdata_o(hdr_data_o[BeatBits*h +: BeatBits])
      );
    end
  end

  // ---- free slots: those never used first, then those that came back. The head must stay while a
  // packet comes in: it changes only when it is taken.
  logic [HdrBits:0] fresh_q, slots_used_q;
  logic             fresh, freed, freed_q, back_valid;
  hdr_t             freed_slot, freed_slot_q, back_slot;
  assign fresh        = !fresh_q[HdrBits];
  assign slot_valid_o = fresh || back_valid;
  assign slot_o       = fresh ? fresh_q[HdrBits-1:0] : back_slot;
  assign slots_used_o = slots_used_q;

  sluice_slot_queue u_free_slots (
    .clk_i, .rst_ni, .push_i(freed_q), .slot_i(freed_slot_q),
    .valid_o(back_valid), .slot_o(back_slot), .pop_i(slot_take_i && !fresh)
  );

  // ---- cells
  logic                chain_valid, chain_ready, cell_taken, chain_taken;
  logic [CellBits-1:0] chain_head, chain_tail, walk_cell, walk_next;
  beats_t              chain_cells;
  logic [CellBits:0]   cells_used_q;
  logic                slot_taken_q, cell_taken_q, chain_taken_q;
  beats_t              chain_cells_q;
  logic [NumPipes-1:0] walk_grant;
  logic                unused_chain_cells;
  assign unused_chain_cells = ^chain_cells_q;
  assign cell_taken   = cell_want_i && cell_valid_o;
  assign chain_taken  = chain_valid && chain_ready;
  assign cells_used_o = cells_used_q;

  sluice_cell_list u_cells (
    .clk_i, .rst_ni,
    .want_i(cell_want_i), .first_i(cell_first_i), .valid_o(cell_valid_o), .cell_o,
    .chain_valid_i(chain_valid), .chain_ready_o(chain_ready),
    .chain_head_i(chain_head), .chain_tail_i(chain_tail),
    .walk_i(walk_grant != '0), .walk_cell_i(walk_cell), .walk_next_o(walk_next)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fresh_q      <= '0;
      slots_used_q <= '0;
      cells_used_q <= '0;
      {slot_taken_q, freed_q, cell_taken_q, chain_taken_q} <= '0;
    end else begin
      if (slot_take_i && fresh) fresh_q <= fresh_q + 1'b1;
      {slot_taken_q, freed_q, cell_taken_q, chain_taken_q}
        <= {slot_take_i, freed, cell_taken, chain_taken};
      slots_used_q <= slots_used_q + (HdrBits + 1)'(slot_taken_q) - (HdrBits + 1)'(freed_q);
      cells_used_q <= cells_used_q + (CellBits + 1)'(cell_taken_q)
                      - (chain_taken_q ? (CellBits + 1)'(chain_cells_q) : '0);
    end
  end
  always_ff @(posedge clk_i) begin
    freed_slot_q <= freed_slot;
    if (chain_taken) chain_cells_q <= chain_cells;
  end

  // ---- body store
  logic [BeatBits-1:0] body_data;
  sluice_ram #(.Depth(BodyCells), .Width(BeatBits)) u_body (
    .clk_i, .we_i(cell_taken), .waddr_i(cell_o), .wdata_i(beat_i),
    .re_i(walk_grant != '0), .raddr_i(walk_cell), .rdata_o(body_data)
  );

  // ---- what is known of a slot: one copy for those who free, one for the readers
  localparam int unsigned InfoBits = 2 * CellBits + BeatsBits;
  logic                stored_body, free_info_read;
  hdr_t                free_info_slot, read_info_slot;
  logic [CellBits-1:0] free_head, free_tail, read_head, unused_read_tail;
  beats_t              free_cells, read_cells;
  logic [NumPipes-1:0] info_grant;
  assign stored_body = stored_i && chain_cells_i != '0;

  sluice_ram #(.Depth(HeaderSlots), .Width(InfoBits)) u_info_free (
    .clk_i, .we_i(stored_i), .waddr_i(stored_slot_i),
    .wdata_i({chain_head_i, chain_tail_i, chain_cells_i}),
    .re_i(free_info_read), .raddr_i(free_info_slot), .rdata_o({free_head, free_tail, free_cells})
  );
  sluice_ram #(.Depth(HeaderSlots), .Width(InfoBits)) u_info_read (
    .clk_i, .we_i(stored_i), .waddr_i(stored_slot_i),
    .wdata_i({chain_head_i, chain_tail_i, chain_cells_i}),
    .re_i(info_grant != '0), .raddr_i(read_info_slot),
    .rdata_o({read_head, unused_read_tail, read_cells})
  );

  // ---- body readers
  logic [NumPipes-1:0]               info_want, cell_want, walk_last;
  hdr_t [NumPipes-1:0]               info_slot, walk_slot;
  logic [NumPipes-1:0][CellBits-1:0] walk_cells;
  for (genvar p = 0; p < NumPipes; p++) begin : gen_reader
    sluice_body_reader u_reader (
      .clk_i, .rst_ni,
      .req_valid_i(body_req_valid_i[p]), .req_ready_o(body_req_ready_o[p]),
      .req_slot_i(body_req_slot_i[p]),
      .info_want_o(info_want[p]), .info_slot_o(info_slot[p]), .info_grant_i(info_grant[p]),
      .info_head_i(read_head), .info_cells_i(read_cells),
      .cell_want_o(cell_want[p]), .cell_o(walk_cells[p]), .cell_last_o(walk_last[p]),
      .cell_slot_o(walk_slot[p]), .cell_grant_i(walk_grant[p]), .next_i(walk_next),
      .data_i(body_data),
      .body_valid_o(body_valid_o[p]), .body_last_o(body_last_o[p]), .body_data_o(body_data_o[p]),
      .body_ready_i(body_ready_i[p])
    );
  end

  logic copies_full;
  sluice_body_pick u_info_pick (
    .clk_i, .rst_ni, .want_i(info_want), .stay_i('0), .grant_o(info_grant)
  );
  sluice_body_pick u_cell_pick (
    .clk_i, .rst_ni, .want_i(copies_full ? '0 : cell_want), .stay_i(~walk_last),
    .grant_o(walk_grant)
  );

  hdr_t finished_slot;
  always_comb begin
    read_info_slot = '0;
    walk_cell      = '0;
    finished_slot  = '0;
    for (int unsigned p = 0; p < NumPipes; p++) begin
      if (info_grant[p]) read_info_slot = info_slot[p];
      if (walk_grant[p]) walk_cell      = walk_cells[p];
      if (walk_grant[p]) finished_slot  = walk_slot[p];
    end
  end

  // ---- copies, and freeing
  logic last_copy;
  hdr_t last_slot;
  sluice_body_copies u_copies (
    .clk_i, .rst_ni,
    .stored_i(stored_body), .stored_slot_i,
    .set_i(copies_valid_i && copies_count_i != '0), .set_slot_i(copies_slot_i),
    .set_count_i(copies_count_i),
    .read_i((walk_grant & walk_last) != '0), .read_slot_i(finished_slot), .full_o(copies_full),
    .last_o(last_copy), .last_slot_o(last_slot)
  );

  sluice_slot_free u_free (
    .clk_i, .rst_ni,
    .valid_i({discard_valid_i, copies_valid_i && copies_count_i == '0, last_copy}),
    .slot_i ({discard_slot_i, copies_slot_i, last_slot}),
    .info_read_o(free_info_read), .info_slot_o(free_info_slot),
    .info_head_i(free_head), .info_tail_i(free_tail), .info_cells_i(free_cells),
    .abort_i, .abort_head_i(chain_head_i), .abort_tail_i(chain_tail_i),
    .abort_cells_i(chain_cells_i),
    .chain_valid_o(chain_valid), .chain_ready_i(chain_ready),
    .chain_head_o(chain_head), .chain_tail_o(chain_tail), .chain_cells_o(chain_cells),
    .slot_valid_o(freed), .slot_o(freed_slot)
  );

  `SLUICE_ASSERT(FreedSlotWasUsed_A, !freed_q || slots_used_q != '0)
  `SLUICE_ASSERT(ChainWasUsed_A, !chain_taken_q || cells_used_q >= (CellBits + 1)'(chain_cells_q))
endmodule : sluice_packet_buffer
