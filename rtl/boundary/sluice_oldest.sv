// SPDX-License-Identifier: Apache-2.0
`include "sluice_tag.svh"

/// The oldest of up to N tags: in each group of four every tag is compared with every other at once,
/// then the groups' oldest in the same way. Combinational.
/// Tags that are valid together span less than half the tag space, so their order is total.
module sluice_oldest
  import sluice_pkg::*;
#(
  parameter int unsigned N = 4               // tags, a power of two
) (
  input  logic         greatest_i,     // wrong on purpose: the youngest (fault injection)
  input  logic [N-1:0] valid_i,
  input  tag_t [N-1:0] tag_i,
  output logic         valid_o,        // any
  output logic [N-1:0] pick_o,         // which
  output tag_t         tag_o           // 0 if none
);
  if (N <= 4) begin : gen_group
    always_comb begin
      pick_o = valid_i;
      for (int unsigned n = 0; n < N; n++)
        for (int unsigned m = n + 1; m < N; m++) begin
          if (valid_i[n] && valid_i[m]) begin
            if (`SLUICE_OLDER(tag_i[n], tag_i[m]) != greatest_i) pick_o[m] = 1'b0;
            else                                                 pick_o[n] = 1'b0;
          end
        end
    end
  end else begin : gen_groups
    localparam int unsigned Groups = N / 4;
    logic [Groups-1:0]      valid, pick;
    logic [Groups-1:0][3:0] pick_in;
    tag_t [Groups-1:0]      tag;
    for (genvar g = 0; g < Groups; g++) begin : gen_group
      sluice_oldest #(.N(4)) u_group (
        .greatest_i, .valid_i(valid_i[4*g +: 4]), .tag_i(tag_i[4*g +: 4]),
        .valid_o(valid[g]), .pick_o(pick_in[g]), .tag_o(tag[g])
      );
      assign pick_o[4*g +: 4] = pick[g] ? pick_in[g] : '0;
    end

    logic unused_valid;
    tag_t unused_tag;
    sluice_oldest #(.N(Groups)) u_groups (
      .greatest_i, .valid_i(valid), .tag_i(tag),
      .valid_o(unused_valid), .pick_o(pick), .tag_o(unused_tag)
    );
  end

  always_comb begin
    tag_o = '0;
    for (int unsigned n = 0; n < N; n++) tag_o = tag_o | (pick_o[n] ? tag_i[n] : '0);
  end
  assign valid_o = valid_i != '0;
endmodule : sluice_oldest
