// SPDX-License-Identifier: Apache-2.0

/// State accesses of the resolved packets of one lane, first in, first out. A move that is decided
/// reaches them here: what was resolved to the old place of the index takes the new one.
/// Latency 1 cycle, one packet a cycle. A patch of cycle t shows from cycle t + 1 on; a packet that
/// comes in cycle t was looked up in the new table, and one that leaves in cycle t keeps the old
/// place.
/// Invariant: pinned accesses never change.
module sluice_head_accesses
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
#(
  parameter int unsigned Depth = 5     // packets
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         push_i,
  input  resolution_t [BackStages-1:0] access_i,
  input  logic        [BackStages-1:0] pinned_i,
  input  logic                         pop_i,
  output resolution_t [BackStages-1:0] access_o,
  output logic        [BackStages-1:0] pinned_o,
  input  patch_t                       patch_i
);
  localparam int unsigned        PtrBits = $clog2(Depth);
  localparam logic [PtrBits-1:0] LastPtr = PtrBits'(Depth - 1);

  logic        [PtrBits-1:0]               head_q, tail_q;
  resolution_t [Depth-1:0][BackStages-1:0] access_q;
  logic        [Depth-1:0][BackStages-1:0] pinned_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q <= '0;
      tail_q <= '0;
    end else begin
      if (push_i) tail_q <= tail_q == LastPtr ? '0 : tail_q + 1'b1;
      if (pop_i)  head_q <= head_q == LastPtr ? '0 : head_q + 1'b1;
    end
  end

  for (genvar p = 0; p < Depth; p++) begin : gen_packet
    logic push;
    assign push = push_i && tail_q == PtrBits'(p);
    for (genvar s = 0; s < BackStages; s++) begin : gen_stage
      logic patch;
      assign patch = patch_i.stage[s] && !pinned_q[p][s]
                  && access_q[p][s].pipe == patch_i.from.pipe
                  && access_q[p][s].slot == patch_i.from.slot;

      always_ff @(posedge clk_i) begin
        if (push) begin
          access_q[p][s] <= access_i[s];
          pinned_q[p][s] <= pinned_i[s];
        end else if (patch) begin
          access_q[p][s].pipe <= patch_i.to.pipe;
          access_q[p][s].slot <= patch_i.to.slot;
        end
      end
    end
  end

  assign access_o = access_q[head_q];
  assign pinned_o = pinned_q[head_q];
endmodule : sluice_head_accesses
