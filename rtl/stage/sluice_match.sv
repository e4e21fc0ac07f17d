// SPDX-License-Identifier: Apache-2.0

/// Exact match of a masked key against all entries at once. Combinational lookup, one a cycle; the
/// lowest row that is equal wins. Control reads answer after 1 cycle.
/// An entry counts only while its valid bit is set: writing sets it, erasing and reset clear it. An
/// entry out of use reads back as 0.
module sluice_match
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_layout_pkg::*;
#(
  localparam int unsigned MatchBits = index_bits(MatchEntries)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // lookup
  input  logic                 valid_i,
  input  logic [7:0]           vid_i,
  input  logic [KeyWidth-1:0]  key_i,
  output logic                 hit_o,
  output logic [MatchBits-1:0] row_o,
  // control
  input  logic                 write_i,
  input  logic                 erase_i,
  input  logic                 read_i,
  input  logic [MatchBits-1:0] index_i,
  input  match_t               wdata_i,
  output match_t               rdata_o
);
  match_t                  entry_q [MatchEntries];
  logic [MatchEntries-1:0] used_q;
  match_t                  word;

  // PCP and DEI of a packet are ignored: its side of the comparison is 0.
  assign word = '{pcp_dei: '0, vid: vid_i, key: key_i};

  always_comb begin
    hit_o = 1'b0;
    row_o = '0;
    if (valid_i) begin
      for (int i = MatchEntries - 1; i >= 0; i--) begin
        if (used_q[i]) begin
          if (entry_q[i] == word) begin
            hit_o = 1'b1;
            row_o = MatchBits'(i);
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)      used_q <= '0;
    else if (write_i) used_q[index_i] <= 1'b1;
    else if (erase_i) used_q[index_i] <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (write_i) entry_q[index_i] <= wdata_i;
    if (read_i)  rdata_o <= used_q[index_i] ? entry_q[index_i] : '0;
  end
endmodule : sluice_match
