// SPDX-License-Identifier: Apache-2.0

/// Counters and high-water marks of a lane (registers LANE). Answers as sluice_register_block does.
module sluice_lane_registers
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_buffer_pkg::*;
(
  input  logic              clk_i,
  input  logic              rst_ni,
  input  pipe_t             lane_i,
  input  logic              clear_i,
  input  logic              done_i,           // a packet ended on the bus
  input  logic              arrived_i,        // and it is stored
  input  len_t              len_i,
  input  drop_t             drop_i,
  input  buffer_used_t      used_i,
  input  logic [12:0]       waiting_i,
  input  csr_req_t          csr_req_i,
  output csr_rsp_t          csr_rsp_o
);
  // A lane drops for the reasons from NOT_READY to PROTOCOL, and for RATE in a chip with rates.
  // Counts: what ended on the bus (no reason has number 0), the reasons, what was stored, RATE.
  localparam int unsigned LastReason = 32'(DropProtocol);
  localparam int unsigned NumCounts  = LastReason + 2 + RateLimits;

  function automatic logic [NumCounts-1:0][11:0] count_at();
    count_at    = '0;
    count_at[0] = RegLanePackets;
    for (int unsigned r = 1; r <= LastReason; r++) count_at[r] = RegLaneDrop + 12'(4 * r);
    count_at[LastReason+1] = RegLaneAccepted;
    if (RateLimits != 0) count_at[NumCounts-1] = RegLaneDrop + 12'({DropRate, 2'b00});
  endfunction

  logic [NumCounts-1:0] events;
  always_comb begin
    events               = '0;
    events[0]            = done_i;
    events[LastReason+1] = arrived_i;
    for (int unsigned r = 1; r <= LastReason; r++)
      events[r] = drop_i.valid && drop_i.reason == drop_e'(r);
    if (RateLimits != 0) events[NumCounts-1] = drop_i.valid && drop_i.reason == DropRate;
  end

  logic [31:0] bytes_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)        bytes_q <= '0;
    else if (clear_i)   bytes_q <= '0;
    else if (arrived_i) bytes_q <= bytes_q + 32'(len_i);
  end

  localparam int unsigned StoreBits = $bits(slots_t) > $bits(cells_t) ? $bits(slots_t)
                                                                      : $bits(cells_t);
  localparam int unsigned LevelBits = $bits(waiting_i) > StoreBits ? $bits(waiting_i) : StoreBits;
  sluice_register_block #(
    .Stride(BlockLaneStride),
    .NumCounts(NumCounts), .CountAt(count_at()),
    .NumLevels(3), .LevelBits(LevelBits),
    .LevelAt({RegLaneHighQueue, RegLaneHighCells, RegLaneHighSlots}),
    .WordAt(RegLaneBytes)
  ) u_block (
    .clk_i, .rst_ni, .clear_i, .base_i(BlockLaneBase + 20'(lane_i) * BlockLaneStride),
    .event_i(events),
    .level_i({LevelBits'(waiting_i), LevelBits'(used_i.cells), LevelBits'(used_i.slots)}),
    .word_i(bytes_q), .csr_req_i, .csr_rsp_o
  );
endmodule : sluice_lane_registers
