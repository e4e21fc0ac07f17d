// SPDX-License-Identifier: Apache-2.0

/// The body readers of a packet buffer, one an output lane, and one for recirculation: they share
/// one look-up of a slot and one read of the body store a cycle, each in turn.
/// Latency 5 cycles from a request to its first beat when nothing is before it; one beat a cycle
/// for all readers together, a whole body at a time unless its reader has no room.
/// Invariant: what is read in a cycle is for the one reader that was granted in the cycle before.
module sluice_body_readers
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_buffer_pkg::*;
(
  input  logic                      clk_i,
  input  logic                      rst_ni,
  // output lanes, and behind them recirculation
  input  body_req_t [NumReaders-1:0] req_i,
  output body_rsp_t [NumReaders-1:0] rsp_o,
  // look a slot up: answer one cycle later
  output logic                      info_read_o,
  output hdr_t                      info_slot_o,
  input  cell_t                     info_head_i,
  input  beats_t                    info_cells_i,
  // read a cell: its data and the next cell of its chain come one cycle later
  input  logic                      stop_i,        // not in this cycle
  output logic                      cell_read_o,
  output cell_t                     cell_o,
  input  cell_t                     next_i,
  input  logic [BeatBits-1:0]       data_i,
  // the last cell of a copy is read in this cycle
  output logic                      copy_read_o,
  output hdr_t                      copy_slot_o
);
  logic   [NumReaders-1:0] info_want, info_grant, cell_want, cell_last, cell_grant;
  hdr_t   [NumReaders-1:0] info_slots, cell_slots;
  cell_t  [NumReaders-1:0] cells;

  for (genvar p = 0; p < NumReaders; p++) begin : gen_reader
    sluice_body_reader u_reader (
      .clk_i, .rst_ni, .req_i(req_i[p]), .rsp_o(rsp_o[p]),
      .info_want_o(info_want[p]), .info_slot_o(info_slots[p]), .info_grant_i(info_grant[p]),
      .info_head_i, .info_cells_i,
      .cell_want_o(cell_want[p]), .cell_o(cells[p]), .cell_last_o(cell_last[p]),
      .cell_slot_o(cell_slots[p]), .cell_grant_i(cell_grant[p]), .next_i, .data_i
    );
  end

  sluice_body_pick u_info_pick (
    .clk_i, .rst_ni, .want_i(info_want), .stay_i('0), .grant_o(info_grant)
  );
  sluice_body_pick u_cell_pick (
    .clk_i, .rst_ni, .want_i(stop_i ? '0 : cell_want), .stay_i(~cell_last), .grant_o(cell_grant)
  );

  assign info_read_o = info_grant != '0;
  assign cell_read_o = cell_grant != '0;
  assign copy_read_o = (cell_grant & cell_last) != '0;
  always_comb begin
    info_slot_o = '0;
    cell_o      = '0;
    copy_slot_o = '0;
    for (int unsigned p = 0; p < NumReaders; p++) begin
      if (info_grant[p]) info_slot_o = info_slots[p];
      if (cell_grant[p]) cell_o      = cells[p];
      if (cell_grant[p]) copy_slot_o = cell_slots[p];
    end
  end
endmodule : sluice_body_readers
