// SPDX-License-Identifier: Apache-2.0

/// Test of the shares of a packet buffer against counts by module: random slots and cells are taken and given back, for a while of
/// few modules and for a while of all; what a module may take is what the counts of two cycles before say, exactly. A module alone
/// gets half of what there is; a second one then finds half of the rest.
/// Plusargs: +seed=N, +cycles=N, +break=N (see the file breaks).
module tb_sluice_buffer_shares
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_buffer_pkg::*;
;
  localparam int M = int'(NumModules), Slots = int'(HeaderSlots), Cells = int'(BodyCells);
  `include "bench.svh"

  typedef struct packed {
    logic       slot, cell_taken, freed, chain;
    share_row_t taken, slot_row, chain_row;
    beats_t     cells;
  } event_t;
  event_t e, dut_e;
  logic [NumModules-1:0] slots_full, cells_full;
  always_comb begin
    dut_e = e;
    case (mutant)
      1: if (e.slot) dut_e.taken = '0;
      2: if (e.slot_row == share_row_t'(3)) dut_e.freed = 1'b0;
      3: if (e.chain) dut_e.chain_row = e.taken;
      4: if (e.chain) dut_e.cells = e.cells + 1'b1;
      5: if (e.taken == share_row_t'(1)) dut_e.cell_taken = 1'b0;
      default: ;
    endcase
  end
  sluice_buffer_shares dut (
    .clk_i(clk), .rst_ni(rst_n),
    .slot_taken_i(dut_e.slot), .cell_taken_i(dut_e.cell_taken), .taken_row_i(dut_e.taken),
    .slot_freed_i(dut_e.freed), .slot_row_i(dut_e.slot_row),
    .chain_freed_i(dut_e.chain), .chain_cells_i(dut_e.cells), .chain_row_i(dut_e.chain_row),
    .slots_full_o(slots_full), .cells_full_o(cells_full)
  );

  // ---- counts, with the events of the cycle before last: what the DUT knows now
  int slots [M], cells [M], all_slots = 0, all_cells = 0;
  logic [NumModules-1:0] slots_now, cells_now;

  task automatic cycle();
    tick();
    if (slots_full != slots_now || cells_full != cells_now)
      fail($sformatf("full %x and %x, should be %x and %x", slots_full, cells_full, slots_now, cells_now));
    if (e.slot) begin slots[int'(e.taken)]++; all_slots++; end
    if (e.freed) begin slots[int'(e.slot_row)]--; all_slots--; end
    if (e.cell_taken) begin cells[int'(e.taken)]++; all_cells++; end
    if (e.chain) begin cells[int'(e.chain_row)] -= int'(e.cells); all_cells -= int'(e.cells); end
    for (int r = 0; r < M; r++) begin
      slots_now[r] = slots[r] >= Slots - all_slots;
      cells_now[r] = cells[r] >= Cells - all_cells;
    end
    e = '0;
  endtask

  initial begin
    int high = 0;
    read_arguments(60000);
    e = '0;
    {slots_now, cells_now} = '0;
    for (int r = 0; r < M; r++) {slots[r], cells[r]} = '0;
    release_reset(3);
    for (int n = 0; n < int'(cycles); n++) begin
      automatic int modules = (n / 3000) % 3 == 0 ? 1 : (n / 3000) % 3 == 1 ? 3 : M;
      automatic int row = (n / 3000) % M, busy = (n / 1500) % 2 == 0 ? 6 : 2;
      e.taken     = share_row_t'(row + rnd(modules));
      e.slot_row  = share_row_t'(rnd(M));
      e.chain_row = share_row_t'(rnd(M));
      e.slot = rnd(8) < busy && !slots_full[e.taken] && all_slots < Slots;
      e.cell_taken = rnd(8) < busy && !cells_full[e.taken] && all_cells < Cells;
      e.freed = rnd(8) < (busy == 6 ? 1 : 7) && slots[int'(e.slot_row)] > 0;
      if (rnd(8) < (busy == 6 ? 1 : 6) && cells[int'(e.chain_row)] > 0) begin
        e.chain = 1'b1;
        e.cells = beats_t'(1 + rnd(cells[int'(e.chain_row)] < 40 ? cells[int'(e.chain_row)] : 40));
      end
      cycle();
      if (slots[row] > high) high = slots[row];
    end
    if (high < Slots / 2 - 2) fail($sformatf("a module never had more than %0d slots", high));
    // All is given back; then one module takes what it gets, and another one half of what is left.
    while (all_slots != 0 || all_cells != 0) begin
      for (int r = 0; r < M; r++) begin
        if (slots[r] > 0) begin e.freed = 1'b1; e.slot_row = share_row_t'(r); end
        if (cells[r] > 0) begin
          e.chain = 1'b1;
          e.chain_row = share_row_t'(r);
          e.cells = beats_t'(cells[r] < 100 ? cells[r] : 100);
        end
      end
      cycle();
    end
    for (int r = 5; r < 7; r++) begin
      for (int n = 0; n < 3 * Cells; n++) begin
        e.taken = share_row_t'(r);
        e.slot = !slots_full[r];
        e.cell_taken = !cells_full[r];
        cycle();
      end
      // two cycles late: up to two more
      if (slots[r] < Slots >> (r - 4) || slots[r] > (Slots >> (r - 4)) + 2) fail($sformatf("module %0d holds %0d slots", r, slots[r]));
      if (cells[r] > (Cells >> (r - 4)) + 2) fail($sformatf("module %0d holds %0d cells", r, cells[r]));
      if (r == 5) begin
        // Exactly half, so that the next share is a round number.
        for (int n = slots[5]; n > Slots / 2; n--) begin e.freed = 1'b1; e.slot_row = share_row_t'(5); cycle(); end
        repeat (3) cycle();
      end
    end
    pass($sformatf("%0d cycles", now));
  end
endmodule : tb_sluice_buffer_shares
