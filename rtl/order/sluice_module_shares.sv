// SPDX-License-Identifier: Apache-2.0

/// Which modules are above their share of the order queues of one back stage.
///
/// A leaky counter for each module and pipeline (sluice_module_share): plus one for each access
/// admitted, minus one a tick of the module. From BURST on the module is above its share in that
/// queue. The counter goes on to twice BURST: if it stopped at BURST, each tick would let a module
/// through that offers too much, for as long as it takes to notice.
/// While no other module comes (sluice_rivals) nobody is above its share: the flags are 0, and the
/// counters go on.
/// Latency: an admission shows in `above_o` 4 cycles later. Up to k admissions a cycle. Flags are
/// of the packet that is the head of the lane in this cycle: both rows that this can be are looked
/// up in the cycle before.
/// Invariant: a module without a limit counts nothing and is never above its share.
module sluice_module_shares
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
(
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  share_t  [NumModules-1:0]            share_i,     // row
  input  logic    [NumModules-1:0]            tick_i,      // row
  input  logic                                rivals_i,    // packets of several modules come
  // heads of the lanes
  input  logic    [NumPipes-1:0]              admit_i,     // lane: admitted, with an access here
  input  pipe_t   [NumPipes-1:0]              pipe_i,      // lane: pipeline of that access
  input  row_t    [NumPipes-1:0]              row_i,       // lane: row of the head
  input  logic    [NumPipes-1:0]              pop_i,
  // row of the next cycle's head without a pop
  input  row_t    [NumPipes-1:0]              stay_row_i,
  input  row_t    [NumPipes-1:0]              next_row_i,  // and with one
  output logic [NumPipes-1:0][NumPipes-1:0]   above_o      // lane, pipeline: its head's module
);
  // ---- what was admitted
  logic  [NumPipes-1:0] admit_q;
  pipe_t [NumPipes-1:0] pipe_q;
  row_t  [NumPipes-1:0] row_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) admit_q <= '0;
    else         admit_q <= admit_i;
  end
  always_ff @(posedge clk_i) begin
    pipe_q <= pipe_i;
    row_q  <= row_i;
  end

  logic [NumModules-1:0][NumPipes-1:0] of_row;     // lanes that count for a row
  logic [NumPipes-1:0][NumPipes-1:0]   to_pipe;    // lanes that count for a pipeline
  always_comb begin
    of_row  = '0;
    to_pipe = '0;
    for (int unsigned l = 0; l < NumPipes; l++) begin
      of_row[row_q[l]][l]   = admit_q[l];
      to_pipe[pipe_q[l]][l] = 1'b1;
    end
  end

  // ---- counters
  logic [NumPipes-1:0] above [NumModules];
  for (genvar r = 0; r < NumModules; r++) begin : gen_row
    sluice_module_share u_share (
      .clk_i, .rst_ni,
      .share_i  (share_i[r]),
      .tick_i   (tick_i[r]),
      .lane_i   (of_row[r]),
      .to_pipe_i(to_pipe),
      .above_o  (above[r])
    );
  end

  // ---- flags of the heads
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) above_o <= '0;
    else
      for (int unsigned l = 0; l < NumPipes; l++)
        above_o[l] <= (pop_i[l] ? above[next_row_i[l]] : above[stay_row_i[l]])
                    & {NumPipes{rivals_i}};
  end
endmodule : sluice_module_shares
