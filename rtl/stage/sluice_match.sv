// SPDX-License-Identifier: Apache-2.0

/// Exact match of a masked key against all entries at once. Combinational lookup, one a cycle; the
/// lowest row that is equal wins. Control reads answer after 1 cycle.
/// An entry counts only while its valid bit is set: writing sets it, erasing and reset clear it. An
/// entry out of use reads back as 0.
module sluice_match
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_table_pkg::*;
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
  input  pipe_t                copy_i,
  input  table_write_t         write_i,
  input  table_read_t          read_i,
  output word_answer_t         answer_o
);
  localparam logic [EntryBits-1:0] Kept = table_kept(TableMatch);

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

  // ---- control
  logic                 mine, write, erase, asked;
  logic [MatchBits-1:0] write_index, read_index;
  match_t               readback_q;
  assign mine        = write_i.valid && write_i.which == TableMatch;
  assign write       = mine && write_i.header.op == ChainWrite;
  assign erase       = mine && write_i.header.op == ChainErase;
  assign write_index = write_i.header.index[MatchBits-1:0];
  assign read_index  = read_i.header.index[MatchBits-1:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)    used_q <= '0;
    else if (write) used_q[write_index] <= 1'b1;
    else if (erase) used_q[write_index] <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (write) entry_q[write_index] <= write_i.data[EntryBits-1 -: MatchWidth] & Kept[EntryBits-1 -: MatchWidth];
    if (asked) readback_q <= used_q[read_index] ? entry_q[read_index] : '0;
  end

  sluice_table_answer #(.Which(TableMatch)) u_answer (
    .clk_i, .rst_ni, .copy_i, .read_i, .asked_o(asked), .entry_i(readback_q), .answer_o
  );

  logic unused_bits;
  assign unused_bits = ^{write_i, read_i};
endmodule : sluice_match
