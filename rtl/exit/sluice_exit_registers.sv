// SPDX-License-Identifier: Apache-2.0

/// Counters and marks of the exit: register block EXIT. What a packet counts as is known with its
/// fate. Answers as sluice_register_block does.
module sluice_exit_registers
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
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

  sluice_register_block #(
    .Instances(NumPipes), .Stride(BlockExitStride),
    .NumCounts(5),
    .CountAt({RegExitSomeForbidden, RegExitForbidden, RegExitNoDest, RegExitDiscarded,
              RegExitPackets}),
    .LevelAt(RegExitHighQueue)
  ) u_block (
    .clk_i, .rst_ni, .clear_i, .base_i(BlockExitBase),
    .event_i({some_forbidden, forbidden, no_dest, discarded, valid_i}), .level_i(waiting_i),
    .word_i('0), .csr_req_i, .csr_rsp_o
  );

  logic unused_fate;
  assign unused_fate = ^fate_i;
endmodule : sluice_exit_registers
