// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Action source: table ACTION, one word of 25 slots a match row, one cycle after the hit. Slots whose container this configuration does not
/// have are not kept and read 0; slot 0 is always there, and slot 16, which speaks to the state unit.
/// The word stands until the next hit. Control ports are those of sluice_table.
module sluice_action_table
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_layout_pkg::InstrWidth;
  import sluice_stage_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  init_i,
  input  logic [15:0]           init_index_i,
  input  hit_t                  hit_i,
  output action_t               action_o,
  input  logic                  ctl_valid_i,
  input  logic                  ctl_write_i,
  input  match_row_t            ctl_addr_i,
  input  action_t               ctl_wdata_i,
  output action_t               ctl_rdata_o
);
  `SLUICE_TAKES(ActionCycles, 1)

  // Where a slot stands in what is kept: slot 0, those of 2-byte containers, those of 4-byte ones and
  // slot 16, those of 6-byte ones.
  localparam int unsigned First4B = 1 + Num2B;
  localparam int unsigned Slot16  = First4B + (Num4B < 8 ? Num4B : 7);
  localparam int unsigned First6B = Slot16 + 1;
  localparam int unsigned Kept    = First6B + Num6B;

  logic [Kept-1:0][InstrWidth-1:0]     wdata, rdata, ctl_rdata;
  action_t                             all_wdata, all_rdata, all_ctl_rdata;
  assign all_wdata   = ctl_wdata_i;
  assign action_o    = all_rdata;
  assign ctl_rdata_o = all_ctl_rdata;

  for (genvar s = 0; s < NumSlots; s++) begin : gen_slot
    localparam bit Exists = action_slot_exists(s);
    localparam int unsigned Place = s <= 8 ? s : s < 16 ? First4B + s - 9 : s == 16 ? Slot16 : First6B + s - 17;
    if (Exists) begin : gen_kept
      assign wdata[Place]     = all_wdata[s];
      assign all_rdata[s]     = rdata[Place];
      assign all_ctl_rdata[s] = ctl_rdata[Place];
    end else begin : gen_none
      logic unused_slot;
      assign unused_slot      = ^all_wdata[s];
      assign all_rdata[s]     = '0;
      assign all_ctl_rdata[s] = '0;
    end
  end

  sluice_table #(.Depth(MatchEntries), .Width(Kept * InstrWidth)) u_table (
    .clk_i, .init_i, .init_index_i,
    .re_i(hit_i.valid), .raddr_i(hit_i.row), .rdata_o(rdata),
    .ctl_valid_i, .ctl_write_i, .ctl_addr_i, .ctl_wdata_i(wdata), .ctl_rdata_o(ctl_rdata)
  );
endmodule : sluice_action_table
