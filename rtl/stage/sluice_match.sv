// SPDX-License-Identifier: Apache-2.0

/// Match engine for exact rows: a masked key against all entries at once; the lowest row that is
/// equal wins, and its number is that of the action. One lookup a cycle, in LookupCycle, answered
/// in HitCycle: MatchCycles of 1 to 3, which say where the registers stand between the lookup and
/// the hit:
///   1  none
///   2  of the rows that are equal
///   3  ... and of the lookup
/// All entries are compared in one cycle, so a lookup sees a control write wholly or not at all.
/// Only what says that there is a lookup is reset. Control reads answer after 1 cycle.
/// An entry is not there for packets of a bank whose bit its NOT_BANK has.
/// An entry counts only while its valid bit is set: writing sets it, erasing and reset clear it. An
/// entry out of use reads back as 0.
module sluice_match
  import sluice_cfg_pkg::*;

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
  if (MatchCycles < 1 || MatchCycles > 3)
    $fatal(1, "sluice_match: MatchCycles is %0d; it takes 1 to 3", MatchCycles);
  typedef logic [MatchEntries-1:0] rows_t;

  match_t                  entry_q [MatchEntries];
  logic [MatchEntries-1:0] used_q;
  match_t                  word;

  // ---- lookup
  lookup_t lookup;
  if (MatchCycles >= 3) begin : gen_lookup
    logic       valid_q, bank_q, wide_q;
    logic [7:0] vid_q;
    key_t       key_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= 1'b0;
      else         valid_q <= lookup_i.valid;
    end
    always_ff @(posedge clk_i)
      if (lookup_i.valid) begin
        bank_q <= lookup_i.bank;
        vid_q  <= lookup_i.vid;
        wide_q <= lookup_i.wide;
        key_q  <= lookup_i.key;
      end
    assign lookup = '{valid: valid_q, bank: bank_q, vid: vid_q, wide: wide_q, key: key_q};
  end else begin : gen_no_lookup
    assign lookup = lookup_i;
  end

  // ---- rows that are equal. PCP and DEI of a packet are ignored: its side of the comparison is 0,
  // and so is that of NOT_BANK, of which the bit of its bank is looked at.
  rows_t  equal_d, equal;
  match_t looked;
  assign word   = '{reserved: '0, wide: lookup.wide, not_bank: '0, vid: lookup.vid,
                    key: lookup.key};
  assign looked = '{reserved: '1, wide: '1, not_bank: {lookup.bank, !lookup.bank}, vid: '1,
                    key: '1};
  always_comb begin
    equal_d = '0;
    if (lookup.valid)
      for (int unsigned i = 0; i < MatchEntries; i++)
        if (used_q[i]) equal_d[i] = (entry_q[i] & looked) == word;
  end
  if (MatchCycles >= 2) begin : gen_equal
    rows_t equal_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) equal_q <= '0;
      else         equal_q <= equal_d;
    end
    assign equal = equal_q;
  end else begin : gen_no_equal
    assign equal = equal_d;
  end

  // ---- the lowest of them
  always_comb begin
    hit_o = '0;
    for (int i = int'(MatchEntries) - 1; i >= 0; i--)
      if (equal[i]) hit_o = '{valid: 1'b1, row: action_row_t'(i)};
  end

  // ---- control
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
