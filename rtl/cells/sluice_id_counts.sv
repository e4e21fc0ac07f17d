// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// A count of 32 bits for each id of capsules.
/// Asked for an id in one cycle, it says in the next what its count is, with the event of that
/// cycle: one question a cycle, one event a question. Control reads on a port of its own, a cycle
/// after its question, and sees events of cycles before.
/// Example: id 7 is asked for in cycles 0 and 1, with events in both (count_i in cycles 1 and 2),
/// and nothing before: value_o is 1 in cycle 1 and 2 in cycle 2.
/// Reset: the sweep behind it (init_i) makes every count 0. Until it has ended re_i is low.
/// Invariant: no memory is asked for the word that it is given in the same cycle.
module sluice_id_counts
  import sluice_cfg_pkg::*;
  import sluice_phv_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        init_i,
  input  logic [15:0] init_index_i,
  // a question; in the next cycle its event, and the count
  input  logic        re_i,
  input  id_t         id_i,
  input  logic        count_i,
  output logic [31:0] value_o,
  // control: a question, and in the next cycle the count
  input  logic        control_re_i,
  input  id_t         control_id_i,
  output logic [31:0] control_value_o
);
  localparam int unsigned Ids = 1 << IdBits;

  logic        write, same, same_q, control_same, control_same_q;
  id_t         id_q, waddr;
  logic [31:0] word, control_word, last_q, wdata;
  assign write        = init_i ? 32'(init_index_i) < Ids : count_i;
  assign waddr        = init_i ? init_index_i[IdBits-1:0] : id_q;
  assign wdata        = init_i ? '0 : value_o;
  assign same         = write && waddr == id_i;
  assign control_same = write && waddr == control_id_i;

  sluice_ram #(.Depth(Ids), .Width(32)) u_counts (
    .clk_i, .we_i(write), .waddr_i(waddr), .wdata_i(wdata),
    .re_i(re_i && !same), .raddr_i(id_i), .rdata_o(word)
  );
  sluice_ram #(.Depth(Ids), .Width(32)) u_control (
    .clk_i, .we_i(write), .waddr_i(waddr), .wdata_i(wdata),
    .re_i(control_re_i && !control_same), .raddr_i(control_id_i), .rdata_o(control_word)
  );

  // What was written in the cycle of the question is not read, but kept.
  always_ff @(posedge clk_i) begin
    if (re_i) begin
      id_q   <= id_i;
      same_q <= same;
    end
    if (control_re_i) control_same_q <= control_same;
    last_q <= wdata;
  end
  logic [31:0] counted;
  assign counted         = same_q ? last_q : word;
  sluice_count_add #(.MoreBits(1)) u_value (
    .count_i(counted), .more_i(count_i), .sum_o(value_o)
  );
  assign control_value_o = control_same_q ? last_q : control_word;

`ifdef SLUICE_SIM
  logic asked_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) asked_q <= 1'b0;
    else         asked_q <= re_i;
  end
`endif
  `SLUICE_ASSERT(EventNeedsQuestion_A, !count_i || asked_q)
  `SLUICE_SWEPT(init_i, init_index_i, Ids)
endmodule : sluice_id_counts
