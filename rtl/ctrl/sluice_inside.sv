// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// How many packets are inside the chip, and of which modules and banks there are some
/// (sluice_bank_counts).
/// inside_o counts packets between the end of their arrival and their fate: dropped at the order
/// point, or told to the packet buffer by the traffic manager. Events count one cycle later.
module sluice_inside
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
(
  input  logic                             clk_i,
  input  logic                             rst_ni,
  input  logic [NumPipes-1:0]              arrive_i,
  input  logic [NumPipes-1:0]              discard_i,   // at the order point
  input  gone_t                            gone_i,
  output logic [InsideBits-1:0]            inside_o,
  // see sluice_bank_counts
  input  bank_event_t [NumPipes-1:0]       enter_i,
  input  bank_event_t [NumPipes-1:0]       lost_i,
  input  bank_event_t [NumPipes-1:0]       turned_i,
  input  logic                             early_i,     // test fault
  output logic [(1<<$bits(overlay_t))-1:0] inside_bank_o
);
  logic [InsideBits-1:0] change_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      change_q <= '0;
      inside_o <= '0;
    end else begin
      change_q <= InsideBits'($countones(arrive_i))
          - InsideBits'($countones({discard_i, gone_i.fated}));
      inside_o <= inside_o + change_q;
    end
  end

  sluice_bank_counts u_bank_counts (
    .clk_i, .rst_ni, .enter_i, .lost_i, .turned_i, .leave_i(gone_i.leave),
    .copies_i(gone_i.copies), .past_i(gone_i.past), .early_i, .inside_o(inside_bank_o)
  );
  `SLUICE_ASSERT(EmptyChipHasNobody_A, EgressStages != 0 || inside_o != '0 || inside_bank_o == '0)
endmodule : sluice_inside
