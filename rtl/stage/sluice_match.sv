// SPDX-License-Identifier: Apache-2.0

/// Match engine: exact match of a masked key against all entries at once; the lowest row that is
/// equal wins. One lookup a cycle, answered in the same cycle. Control reads answer after 1 cycle.
/// An entry counts only while its valid bit is set: writing sets it, erasing and reset clear it. An
/// entry out of use reads back as 0.
module sluice_match
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_stage_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // lookup
  input  lookup_t              lookup_i,
  output hit_t                 hit_o,
  // control
  input  logic                 write_i,
  input  logic                 erase_i,
  input  logic                 read_i,
  input  match_row_t           index_i,
  input  match_t               wdata_i,
  output match_t               rdata_o
);
  match_t                  entry_q [MatchEntries];
  logic [MatchEntries-1:0] used_q;
  match_t                  word;

  // PCP and DEI of a packet are ignored: its side of the comparison is 0.
  assign word = '{pcp_dei: '0, vid: lookup_i.vid, key: lookup_i.key};

  always_comb begin
    hit_o = '0;
    if (lookup_i.valid) begin
      for (int i = MatchEntries - 1; i >= 0; i--) begin
        if (used_q[i]) begin
          if (entry_q[i] == word) begin
            hit_o = '{valid: 1'b1, row: match_row_t'(i)};
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
