// SPDX-License-Identifier: Apache-2.0
`include "sluice_tag.svh"

/// The oldest of up to N tags: a tree of compares. Combinational.
/// Tags that are valid together span less than half the tag space, so their order is total.
module sluice_least
  import sluice_pkg::*;
#(
  parameter int unsigned N = 4,        // tags, a power of two
  localparam int unsigned IndexBits = index_bits(N)
) (
  input  logic                 greatest_i,   // wrong on purpose: the youngest (fault injection)
  input  logic [N-1:0]         valid_i,
  input  tag_t [N-1:0]         tag_i,
  output logic                 valid_o,      // any
  output logic [IndexBits-1:0] index_o
);
  // Node 1 is the root, nodes 2n and 2n + 1 are below node n, leaves are N..2N-1.
  logic [2*N-1:0]       valid;
  tag_t                 tag   [2*N];
  logic [IndexBits-1:0] index [2*N];

  always_comb begin
    valid[0] = 1'b0;
    tag[0]   = '0;
    index[0] = '0;
    for (int unsigned n = 0; n < N; n++) begin
      valid[N+n] = valid_i[n];
      tag[N+n]   = tag_i[n];
      index[N+n] = IndexBits'(n);
    end
    for (int unsigned n = N - 1; n > 0; n--) begin
      valid[n] = valid[2*n] || valid[2*n+1];
      if (!valid[2*n] || (valid[2*n+1] && `SLUICE_OLDER(tag[2*n+1], tag[2*n]) != greatest_i)) begin
        tag[n]   = tag[2*n+1];
        index[n] = index[2*n+1];
      end else begin
        tag[n]   = tag[2*n];
        index[n] = index[2*n];
      end
    end
  end

  assign valid_o = valid[1];
  assign index_o = index[1];

  logic unused_root;
  assign unused_root = ^{valid[0], tag[0], index[0], tag[1]};
endmodule : sluice_least
