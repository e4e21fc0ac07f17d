// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Decides which of its ports take a packet: all but those whose output lane has no room left for
/// the source lane, and those with settings.output_limit copies waiting. Combinational; up to one
/// packet a source lane and cycle.
/// Invariant: with a limit set, never more than that many copies wait for a port, though all source
/// lanes may send to it in one cycle: they rank in an order that turns by one a cycle, and the room
/// left is for the first of them.
module sluice_output_admit
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
(
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic [10:0]                       limit_i,      // 0: none
  input  logic [NumPipes-1:0][NumPorts-1:0] ports_i,      // what each source lane's packet asks for
  input  logic [NumPipes-1:0][NumPipes-1:0] full_i,       // [output lane][source lane]
  input  logic [NumPorts-1:0]               sent_i,       // a copy has left through the port
  output logic [NumPipes-1:0][NumPorts-1:0] accepted_o,   // [source lane]
  output logic [NumPorts-1:0][15:0]         waiting_o     // copies accepted and not yet sent
);
  // ---- room in the memories
  logic [NumPipes-1:0][NumPorts-1:0] want;
  for (genvar s = 0; s < NumPipes; s++) begin : gen_want
    for (genvar o = 0; o < NumPipes; o++) begin : gen_lane
      assign want[s][o*PortsPerLane +: PortsPerLane] =
        full_i[o][s] ? '0 : ports_i[s][o*PortsPerLane +: PortsPerLane];
    end
  end

  // ---- limit
  pipe_t                             turn_q;   // the lane that ranks first
  logic [NumPipes-1:0][NumPipes-1:0] ahead;    // [s][r]: lane r ranks before lane s
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) turn_q <= '0;
    else         turn_q <= turn_q == pipe_t'(NumPipes - 1) ? '0 : turn_q + 1'b1;
  end
  always_comb begin
    for (int unsigned s = 0; s < NumPipes; s++)
      for (int unsigned r = 0; r < NumPipes; r++)
        ahead[s][r] = (pipe_t'(r) >= turn_q) == (pipe_t'(s) >= turn_q) ? r < s
                                                                       : pipe_t'(r) >= turn_q;
  end

  always_comb begin
    logic [15:0] room, rank;
    room = '0;
    rank = '0;
    accepted_o = want;
    if (limit_i != '0 && want != '0) begin
      for (int unsigned p = 0; p < NumPorts; p++) begin
        room = waiting_o[p] < 16'(limit_i) ? 16'(limit_i) - waiting_o[p] : '0;
        for (int unsigned s = 0; s < NumPipes; s++) begin
          rank = '0;
          for (int unsigned r = 0; r < NumPipes; r++) rank = rank + 16'(want[r][p] && ahead[s][r]);
          accepted_o[s][p] = want[s][p] && rank < room;
        end
      end
    end
  end

  // ---- copies waiting
  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    logic [NumPipes-1:0] comes;
    logic [15:0]         number;
    for (genvar s = 0; s < NumPipes; s++) begin : gen_source
      assign comes[s] = accepted_o[s][p];
    end
    assign number = 16'($countones(comes));
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                          waiting_o[p] <= '0;
      else if (comes != '0 || sent_i[p])    waiting_o[p] <= waiting_o[p] + number - 16'(sent_i[p]);
    end
    `SLUICE_ASSERT(SentWasWaiting_A, !sent_i[p] || waiting_o[p] != '0)
    `SLUICE_ASSERT(WithinLimit_A,
      limit_i == '0 || comes == '0 || waiting_o[p] + number <= 16'(limit_i))
  end
endmodule : sluice_output_admit
