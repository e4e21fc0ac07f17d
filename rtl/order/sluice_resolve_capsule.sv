// SPDX-License-Identifier: Apache-2.0
`include "sluice_tag.svh"

/// Resolves the memory instruction of a capsule at one back stage: whether there is an access, and
/// where its home is (docs/machine.md, Capsules, Resolution). One instance a lane and stage with
/// state, beside sluice_resolve_access, whose answer does not count if `takes_o`.
/// Latency 3 cycles, one packet a cycle, never waits.
/// Invariant: a home names a pipeline that exists, and a slot that does or PinnedSlot.
/// Not there in a chip without capsules: takes_o is never up.
module sluice_resolve_capsule
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
  // cycle 0: its place in tables of ids; cycle 1: what it is
  input  logic            valid_i,
  input  id_row_t         row_i,
  input  logic            memory_i,        // it has a memory instruction here
  input  logic            known_i,         // its id is the module's
  input  logic            address_known_i, // MAR will be DATA_0 ...
  input  logic [19:0]     address_i,       // ... which is this
  // cycle 3
  output logic            takes_o,
  output logic            valid_o,
  output logic            pinned_o,
  output place_t          home_o,          // of a pinned access: its pipeline, PinnedSlot
  output logic            out_of_bounds_o,
  // writes of this stage's REGION
  input  logic            region_write_i,
  input  copy_write_t     write_i
);
  if (Active == 0) begin : gen_none
    assign takes_o         = 1'b0;
    assign valid_o         = 1'b0;
    assign pinned_o        = 1'b0;
    assign home_o          = '0;
    assign out_of_bounds_o = 1'b0;
  end else begin : gen_resolve
    // ---- cycle 0
    region_t region;
    sluice_table #(.Depth(table_rows(TableRegion)), .Width(RegionWidth)) u_region (
      .clk_i, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
      .re_i(valid_i), .raddr_i(row_i), .rdata_o(region),
      .ctl_valid_i(region_write_i), .ctl_write_i(1'b1), .ctl_addr_i(write_i.id),
      .ctl_wdata_i(write_i.region), .ctl_rdata_o()
    );

    // ---- cycle 1: the word of the region
    logic        memory_q, wanted_q, there_q, pinned_q, inside_q, known_q;
    logic [3:0]  pipe_q;
    logic [15:0] base_q;
    logic [19:0] word, word_q;
    assign word = address_i - region.low;
    always_ff @(posedge clk_i) begin
      memory_q <= memory_i;
      wanted_q <= memory_i && known_i;
      there_q  <= region.valid;
      pinned_q <= !region.sharded;
      known_q  <= address_known_i;
      inside_q <= address_i >= region.low && address_i <= region.high;
      pipe_q   <= region.pipe;
      base_q   <= region.base;
      word_q   <= word;
    end

    // ---- cycle 2: its home
    logic [20:0] slot;
    logic        in_bounds;
    assign slot   = 21'(base_q) + (21'(word_q) >> `SLUICE_SET_LOG(settings_i.set_mask));
    assign in_bounds = there_q && inside_q && slot < 21'(SlotsPerPipe);

    pipe_t pipe;
    assign pipe = `SLUICE_HOME_PIPE(pipe_q[PipeBits-1:0], word_q[PipeBits-1:0],
                            pinned_q ? '1 : settings_i.set_mask);

    always_ff @(posedge clk_i) begin
      takes_o         <= memory_q;
      valid_o         <= wanted_q && (pinned_q ? there_q : known_q && in_bounds);
      pinned_o        <= pinned_q;
      home_o          <= '{pipe: pipe, slot: pinned_q ? slot_t'(PinnedSlot) : slot[SlotBits-1:0]};
      out_of_bounds_o <= wanted_q && !pinned_q && known_q && !in_bounds;
    end

    logic unused_bits;
    assign unused_bits = ^pipe_q;
  end
endmodule : sluice_resolve_capsule
