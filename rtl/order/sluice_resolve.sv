// SPDX-License-Identifier: Apache-2.0
`include "sluice_tag.svh"

/// Resolves all state accesses of a packet of one lane, at all back stages at once, and decides
/// whether it takes a place in the order at all.
/// Latency 3 cycles, one packet a cycle, never waits. `table_write_i` may write between any two
/// packets.
/// Invariant: a home depends on nothing but the packet's PHV and the tables' entries of its
/// row.
module sluice_resolve
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
(
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  order_settings_t              settings_i,
  // cycle 0
  input  logic                         valid_i,
  input  drop_e                        reason_i,
  input  phv_t                         phv_i,
  // cycle 3
  output logic                         valid_o,
  output drop_e                        reason_o,          // DropNone: to be admitted
  output phv_t                         phv_o,
  output logic   [StateStages-1:0]      access_o,          // there is one
  output logic   [StateStages-1:0]      pinned_o,
  output place_t [StateStages-1:0]      home_o,
  output logic [StageBits-1:0]         out_of_bounds_o,   // accesses refused
  // writes of the tables
  input  copy_valid_t                  write_valid_i,
  input  copy_write_t                  write_i
);
  logic [3:1] valid_q;
  drop_e      reason_q, reason_q2, reason_q3;
  phv_t       phv_q, phv_q2, phv_q3;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else         valid_q <= {valid_q[2:1], valid_i};
  end

  always_ff @(posedge clk_i) begin
    if (valid_i)    phv_q  <= phv_i;
    if (valid_q[1]) phv_q2 <= phv_q;
    if (valid_q[2]) phv_q3 <= phv_q2;
    reason_q  <= reason_i == DropNone && phv_i.meta.discard ? DropDiscardFront : reason_i;
    reason_q2 <= reason_q;
    reason_q3 <= reason_q2;
  end

  assign valid_o  = valid_q[3];
  assign reason_o = reason_q3;
  assign phv_o    = phv_q3;

  // ---- capsules
  carried_t              came, capsule;          // in cycles 0 and 1
  logic [BackStages-1:0] memory, address_known;
  id_row_t               came_row;
  assign came     = carried_t'(phv_i.capsule);
  assign capsule  = carried_t'(phv_q.capsule);
  assign came_row = `SLUICE_ID_ROW(phv_i.meta.overlay, came.id);
  sluice_capsule_ahead u_ahead (
    .capsule_i(capsule), .memory_o(memory), .known_o(address_known)
  );

  logic [StateStages-1:0] refused;
  for (genvar s = 0; s < StateStages; s++) begin : gen_stage
    logic   access, pinned, out_of_bounds;       // of the program
    place_t home;
    sluice_resolve_access u_access (
      .clk_i, .settings_i,
      .valid_i,
      .row_i          (phv_i.meta.overlay),
      .cont_i         (phv_q.cont),
      .valid_o        (access),
      .pinned_o       (pinned),
      .home_o         (home),
      .out_of_bounds_o(out_of_bounds),
      .access_write_i (write_valid_i.access[s]),
      .segment_write_i(write_valid_i.segment[s]),
      .write_i
    );
    logic   takes, capsule_access, capsule_pinned, capsule_refused;
    place_t capsule_home;
    sluice_resolve_capsule u_capsule (
      .clk_i, .settings_i,
      .valid_i,
      .row_i          (came_row),
      .memory_i       (memory[s]),
      .known_i        (capsule.known),
      .address_known_i(address_known[s]),
      .address_i      (capsule.data[0][19:0]),
      .takes_o        (takes),
      .valid_o        (capsule_access),
      .pinned_o       (capsule_pinned),
      .home_o         (capsule_home),
      .out_of_bounds_o(capsule_refused),
      .region_write_i (write_valid_i.region[s]),
      .write_i
    );
    assign access_o[s] = takes ? capsule_access  : access;
    assign pinned_o[s] = takes ? capsule_pinned  : pinned;
    assign home_o[s]   = takes ? capsule_home    : home;
    assign refused[s]  = takes ? capsule_refused : out_of_bounds;
  end
  assign out_of_bounds_o = StageBits'($countones(refused));
endmodule : sluice_resolve
