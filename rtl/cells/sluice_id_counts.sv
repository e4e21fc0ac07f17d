// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// A count of 32 bits for each id of capsules.
/// Asked for an id in one cycle, it says in the next what its count is, with the event of that
/// cycle: one question a cycle, one event a question. Control reads on a port of its own, a cycle
/// after its question, and sees events of cycles before.
/// Example: id 7 is asked for in cycles 0 and 1, with events in both (count_i in cycles 1 and 2),
/// and nothing before: value_o is 1 in cycle 1 and 2 in cycle 2.
/// A count is written a cycle after its event, so that no memory stands behind the sum. Who asks
/// for it before, or just then, gets it from the registers last_q and last_q2.
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

  logic        write, write_q;
  id_t         id_q, waddr, waddr_q;
  logic [31:0] wdata, last_q, last_q2;           // last: what is written now; before that
  assign write = init_i ? 32'(init_index_i) < Ids : count_i;
  assign waddr = init_i ? init_index_i[IdBits-1:0] : id_q;
  assign wdata = init_i ? '0 : value_o;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) write_q <= 1'b0;
    else         write_q <= write;
  end
  always_ff @(posedge clk_i) begin
    waddr_q <= waddr;
    {last_q, last_q2} <= {wdata, last_q};
  end

  // Of both questions: is the word one that will be written (new), or one that is written now?
  logic        new_d, new_q, now_d, now_q, control_new_d, control_new_q, control_now_d,
               control_now_q;
  logic [31:0] word, control_word;
  assign new_d         = write && waddr == id_i;
  assign now_d         = write_q && waddr_q == id_i;
  assign control_new_d = write && waddr == control_id_i;
  assign control_now_d = write_q && waddr_q == control_id_i;
  sluice_ram #(.Depth(Ids), .Width(32)) u_counts (
    .clk_i, .we_i(write_q), .waddr_i(waddr_q), .wdata_i(last_q),
    .re_i(re_i && !now_d), .raddr_i(id_i), .rdata_o(word)
  );
  sluice_ram #(.Depth(Ids), .Width(32)) u_control (
    .clk_i, .we_i(write_q), .waddr_i(waddr_q), .wdata_i(last_q),
    .re_i(control_re_i && !control_now_d), .raddr_i(control_id_i), .rdata_o(control_word)
  );
  always_ff @(posedge clk_i) begin
    if (re_i)         {id_q, new_q, now_q} <= {id_i, new_d, now_d};
    if (control_re_i) {control_new_q, control_now_q} <= {control_new_d, control_now_d};
  end

  logic [31:0] counted;
  assign counted         = new_q ? last_q : now_q ? last_q2 : word;
  assign control_value_o = control_new_q ? last_q : control_now_q ? last_q2 : control_word;
  sluice_count_add #(.MoreBits(1)) u_value (
    .count_i(counted), .more_i(count_i), .sum_o(value_o)
  );

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
