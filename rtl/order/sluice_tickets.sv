// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// The next ticket, and the tags that follow it. How many packets were admitted comes late, so it
/// only chooses among all tags that may be the next ones, which are worked out before.
/// Latency: what was admitted in the cycle before counts from the next cycle on; up to k a cycle.
/// Invariant: next_tag_o[n] = next_ticket_o + n, modulo the tags.
module sluice_tickets
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  // lanes that had a packet admitted in the cycle before
  input  logic [NumPipes-1:0] admitted_i,
  output logic [31:0]         next_ticket_o,    // ticket of the first of them
  output tag_t [NumPipes-1:0] next_tag_o,       // [n]: tag of the one after n of them
  // next_tag_o[0] in the next cycle: of the one after all of them
  output tag_t                after_tag_o
);
  logic [31-TagBits:0]   upper_q;
  tag_t [NumPipes-1:0]   tag_d, tag_q;
  logic                  lap;
  logic [NumPipes-1:0]   more_admitted;         // [n]: more than n
  logic [NumPipes:0]     exactly;
  tag_t [2*NumPipes-1:0] later;                 // [n]: n tags after the next
  sluice_ones_unary #(.Width(NumPipes)) u_admitted (.bits_i(admitted_i), .more_o(more_admitted));
  assign exactly = {more_admitted, 1'b1} & ~{1'b0, more_admitted};

  always_comb begin
    for (int unsigned n = 0; n < NumPipes; n++) begin
      later[n]            = tag_q[n];
      later[n + NumPipes] = tag_q[n] + tag_t'(NumPipes);
    end
    tag_d = '0;
    lap   = 1'b0;
    for (int unsigned c = 0; c <= NumPipes; c++) begin
      lap |= exactly[c] && tag_q[0][TagBits-1] && !later[c][TagBits-1];
      for (int unsigned n = 0; n < NumPipes; n++)
        if (exactly[c]) tag_d[n] |= later[n+c];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      upper_q <= '0;
      for (int unsigned n = 0; n < NumPipes; n++) tag_q[n] <= tag_t'(n);
    end else begin
      tag_q <= tag_d;
      if (lap) upper_q <= upper_q + 1'b1;
    end
  end
  assign next_ticket_o = {upper_q, tag_q[0]};
  assign next_tag_o    = tag_q;
  assign after_tag_o   = tag_d[0];

  for (genvar n = 0; n < NumPipes; n++) begin : gen_check
    `SLUICE_ASSERT(TagsFollow_A, tag_q[n] == tag_q[0] + tag_t'(n))
  end
endmodule : sluice_tickets
