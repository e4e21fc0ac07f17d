// SPDX-License-Identifier: Apache-2.0

/// Counters and marks of the exit: register block EXIT. What a packet counts as is known with its
/// fate. Answers as sluice_register_block does.
module sluice_exit_registers
  import sluice_cfg_pkg::*;
  import sluice_exit_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
(
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      clear_i,
  input  logic [NumPipes-1:0]       valid_i,       // a packet leaves the exit
  input  fate_t [NumPipes-1:0]      fate_i,
  input  logic [NumPipes-1:0][15:0] waiting_i,     // in the exit queue
  input  csr_req_t                  csr_req_i,
  output csr_rsp_t                  csr_rsp_o
);
  logic [NumPipes-1:0] discarded, no_dest, forbidden, some_forbidden;
  for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
    assign discarded[l]      = valid_i[l] && fate_i[l].reason == DropDiscardBack;
    assign no_dest[l]        = valid_i[l] && fate_i[l].reason == DropNoDest;
    assign forbidden[l]      = valid_i[l] && fate_i[l].reason == DropForbidden;
    assign some_forbidden[l] = valid_i[l] && fate_i[l].some_forbidden;
  end

  // With classes: packets that were marked for a deep output queue, by class.
  localparam int unsigned Marked = OutputClasses;
  logic [(Marked == 0 ? 1 : Marked)-1:0][NumPipes-1:0] marked;
  for (genvar c = 0; c < OutputQueues; c++) begin : gen_class
    for (genvar l = 0; l < NumPipes; l++) begin : gen_lane
      assign marked[c][l] = valid_i[l] && fate_i[l].deep
          && fate_i[l].queue_class == queue_class_t'(c);
    end
  end
  // Their offsets, last one first; one more than there are, so that the loop has something to do.
  function automatic logic [OutputQueues+4:0][11:0] places();
    places[4:0] = {RegExitSomeForbidden, RegExitForbidden, RegExitNoDest, RegExitDiscarded,
                   RegExitPackets};
    for (int unsigned c = 0; c < OutputQueues; c++) places[5+c] = RegExitMarked + 12'(4 * c);
  endfunction

  sluice_register_block #(
    .Instances(NumPipes), .Stride(BlockExitStride),
    .NumCounts(Marked + 5), .CountAt((12*(Marked+5))'(places())),
    .LevelAt(RegExitHighQueue)
  ) u_block (
    .clk_i, .rst_ni, .clear_i, .base_i(BlockExitBase),
    .event_i(((Marked + 5) * NumPipes)'({marked, some_forbidden, forbidden, no_dest, discarded,
                                         valid_i})),
    .level_i(waiting_i),
    .word_i('0), .csr_req_i, .csr_rsp_o
  );
endmodule : sluice_exit_registers
