// SPDX-License-Identifier: Apache-2.0

/// Whether one of the accesses of this cycle is to state that is watched (sluice_flip_guard).
///
/// Example: stage 1 watches slots 10 to 12, and the cut was of the module in row 3. A packet of row
/// 3 with a sharded access to {stage 1, pipeline 0, slot 11} is a hit; one to slot 13 is none, nor
/// is one of row 4. A pinned access computes its slot at the stage, and an index that is away is in
/// a spare slot: both may be what is watched, so they are hits. A mark that writes is a hit by its
/// home, whoever sent it.
/// Combinational.
module sluice_flip_watch
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
  import sluice_probe_pkg::*;
(
  input  logic        [StateStages-1:0]               on_i,      // [s]: something is watched there
  input  logic        [StateStages-1:0][15:0]         first_i,   // slots
  input  logic        [StateStages-1:0][15:0]         last_i,
  input  logic        [NumModules-1:0]                rows_i,    // modules of the cut
  input  admitted_t   [NumPipes-1:0]                  admitted_i,
  input  mark_event_t                                 mark_i,
  output logic                                        hit_o
);
  function automatic logic in_range(logic [15:0] first, logic [15:0] last, slot_t slot);
    return 16'(slot) >= first && 16'(slot) <= last;
  endfunction

  logic [NumPipes-1:0][StateStages-1:0] hits;
  logic [StateStages-1:0]               marks;
  for (genvar s = 0; s < StateStages; s++) begin : gen_stage
    for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
      resolution_t access;
      assign access     = admitted_i[l].access[s];
      assign hits[l][s] = on_i[s] && admitted_i[l].valid && access.valid
          && rows_i[admitted_i[l].row]
          && (admitted_i[l].pinned[s] || 32'(access.slot) >= SlotsPerPipe
              || in_range(first_i[s], last_i[s], access.slot));
    end
    assign marks[s] = on_i[s] && mark_i.valid && mark_i.write && mark_i.stage == stage_t'(s)
        && in_range(first_i[s], last_i[s], mark_i.slot);
  end
  assign hit_o = hits != '0 || marks != '0;
endmodule : sluice_flip_watch
