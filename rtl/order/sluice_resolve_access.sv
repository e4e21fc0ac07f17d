// SPDX-License-Identifier: Apache-2.0
`include "sluice_tag.svh"

/// Resolves the state access of a packet at one back stage: whether there is one, and where its
/// home is (docs/machine.md, State accesses). One instance a lane and back stage; MP5's address
/// resolution. Where an index lives that is away from home, sluice_relocations knows.
/// Latency 3 cycles: entries of the row, containers, bounds; one packet a cycle, never waits.
/// Invariant: a home names a pipeline that exists, and a slot that does or PinnedSlot.
module sluice_resolve_access
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_table_pkg::*;
(
  input  logic            clk_i,
  input  order_settings_t settings_i,
  // cycle 0: a packet of this row; cycle 1: its containers
  input  logic            valid_i,
  input  overlay_t        row_i,
  input  containers_t     cont_i,
  // cycle 3
  output logic            valid_o,
  output logic            pinned_o,
  output place_t          home_o,          // of a pinned access: its pipeline, PinnedSlot
  output logic            out_of_bounds_o,
  // writes of this stage's tables
  input  logic            access_write_i,
  input  logic            segment_write_i,
  input  copy_write_t     write_i
);
  // ---- cycle 0: tables
  access_t  access;
  segment_t segment;
  sluice_table #(.Depth(table_rows(TableAccess)), .Width(AccessWidth)) u_access (
    .clk_i, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .re_i(valid_i), .raddr_i(row_i), .rdata_o(access),
    .ctl_valid_i(access_write_i), .ctl_write_i(1'b1), .ctl_addr_i(write_i.row),
    .ctl_wdata_i(write_i.access), .ctl_rdata_o()
  );
  sluice_table #(.Depth(table_rows(TableSegment)), .Width(SegmentWidth)) u_segment (
    .clk_i, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .re_i(valid_i), .raddr_i(row_i), .rdata_o(segment),
    .ctl_valid_i(segment_write_i), .ctl_write_i(1'b1), .ctl_addr_i(write_i.row),
    .ctl_wdata_i(write_i.segment), .ctl_rdata_o()
  );

  // ---- cycle 1: predicate and index
  logic [1:0]  decider_kind;
  logic        wanted;
  logic [47:0] decider, index;
  assign decider_kind = access.predicate[OperandWidth-1 -: 2];
  sluice_operand_wide u_decider (
    .en_i(access.enable), .cont_i, .operand_i(access.predicate), .value_o(decider)
  );
  sluice_operand_wide u_index (
    .en_i(access.enable), .cont_i, .operand_i(access.index), .value_o(index)
  );
  assign wanted    = access.enable && (decider_kind == TypeConst
                                       || (decider != '0) != access.invert);

  logic        wanted_q, pinned_q, far_q;
  logic [3:0]  pipe_q;
  logic [15:0] index_q;
  segment_t    segment_q;
  always_ff @(posedge clk_i) begin
    wanted_q  <= wanted;
    pinned_q  <= access.pinned;
    pipe_q    <= access.pipe;
    index_q   <= index[15:0];
    far_q     <= index[47:16] != '0;     // no range reaches this far
    segment_q <= segment;
  end

  // ---- cycle 2: bounds
  logic        unchecked, inside_range;
  logic [16:0] slot;
  assign unchecked = settings_i.fault[FaultNoBounds];
  assign slot      = 17'(segment_q.base)
                   + (17'(index_q) >> `SLUICE_SET_LOG(settings_i.set_mask));
  assign inside_range = !far_q && index_q < segment_q.range && slot < 17'(SlotsPerPipe);

  pipe_t pipe;                           // of a sharded one: that of the index, in the set
  assign pipe = `SLUICE_HOME_PIPE(pipe_q[PipeBits-1:0], index_q[PipeBits-1:0],
                          pinned_q ? '1 : settings_i.set_mask);

  always_ff @(posedge clk_i) begin
    valid_o         <= wanted_q && (pinned_q || inside_range || unchecked);
    pinned_o        <= pinned_q;
    home_o          <= '{pipe: pipe, slot: pinned_q ? slot_t'(PinnedSlot) : slot[SlotBits-1:0]};
    out_of_bounds_o <= wanted_q && !pinned_q && !inside_range && !unchecked;
  end

  logic unused_bits;
  assign unused_bits = ^pipe_q;
endmodule : sluice_resolve_access
