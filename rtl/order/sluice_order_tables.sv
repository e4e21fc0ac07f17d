// SPDX-License-Identifier: Apache-2.0

/// Chain node of the order point: owns the shares of the modules, and sees the writes of the access
/// and segment tables that the back stages own, and hands them to the lanes' copies. Control accesses that moves
/// of indices could disturb are decided here, for everybody (sluice_commit): a refused one ends here.
/// Latency 1 cycle for what passes by, 3 more for what is decided; a snooped write is out 2 cycles after its last word.
module sluice_order_tables
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  settings_t             settings_i,
  input  chain_t                chain_i,
  output logic                  chain_ready_o,
  output chain_t                chain_o,
  input  logic                  chain_ready_i,
  input  logic                  chain_busy_i,   // messages are on the chain
  // moves: see sluice_commit
  output logic [StateStages-1:0] hold_stage_o,
  output logic [NumModules-1:0] hold_rows_o,
  output row_t                  away_row_o,
  input  logic [StateStages-1:0] away_i,
  // two cycles a write, as sluice_table wants it, to all lanes
  output logic [StateStages-1:0] access_write_o,
  output logic [StateStages-1:0] segment_write_o,
  output row_t                  write_row_o,
  output access_t               write_access_o,
  output segment_t              write_segment_o,
  // by overlay row
  output share_t [NumModules-1:0] share_o,
  output logic   [NumModules-1:0] tick_o
);
  // Segments come in two forms; any sub-table number but the wide form's is Menshen's.
  function automatic logic is_access(logic [2:0] resource, logic [3:0] sub);
    return resource == TableAccessModule && sub == TableAccessSub;
  endfunction

  function automatic logic is_segment(logic [2:0] resource);
    return resource == TableSegmentModule;
  endfunction

  chain_header_t header;
  table_write_t  write;
  table_read_t   read;
  table_answer_t answer;
  logic [3:0]    word;
  logic          ours, access_write, segment_write, is_share, refuse, decided_ready;
  chain_t        decided;
  assign ours          = is_access(header.resource, header.sub) || is_segment(header.resource);
  assign is_share      = header.resource == TableShareModule && header.sub == TableShareSub;
  assign access_write  = write.valid && is_access(write.header.resource, write.header.sub);
  assign segment_write = write.valid && is_segment(write.header.resource);

  sluice_commit u_commit (
    .clk_i, .rst_ni, .chain_i, .chain_ready_o, .chain_o(decided), .chain_ready_i(decided_ready),
    .busy_i(chain_busy_i), .refuse_o(refuse), .hold_stage_o, .hold_rows_o, .away_row_o, .away_i
  );

  sluice_chain_node #(.Words(1), .Kept(entry_start(TableSegmentWidth))) u_node (
    .clk_i, .rst_ni, .chain_i(decided), .chain_ready_o(decided_ready), .chain_o, .chain_ready_i,
    .header_o     (header),
    .claim_i      (refuse || (is_share && (header.op == ChainWrite || header.op == ChainRead))),
    .snoop_i      (ours && 32'(header.stage) < StateStages),
    .words_i      (4'd1),
    // A copy that does not exist has no entries, as everywhere.
    .entries_i    (refuse || (header.op == ChainRead && header.copy >= 8'(NumPipes)) ? 17'd0 : 17'(NumModules)),
    .write_o      (write),
    .write_ready_i('{ready: 1'b1, refused: 1'b0}),
    .read_o       (read),
    .word_o       (word),
    .answer_i     (answer_word(answer, word))
  );

  table_write_t share_write;
  always_comb begin
    share_write       = write;
    share_write.valid = write.valid && write.header.resource == TableShareModule;
  end
  sluice_share_table u_shares (
    .clk_i, .rst_ni, .settings_i,
    .write_i (share_write),
    .read_i  (read),
    .answer_o(answer),
    .share_o, .tick_o
  );

  access_t    access;
  segment_t   wide;
  segment16_t narrow;
  assign access = write.data[EntryBits-1 -: AccessWidth];
  assign wide   = write.data[EntryBits-1 -: SegmentWidth];
  assign narrow = write.data[EntryBits-1 -: Segment16Width];

  logic is_wide, first_q;                        // the first cycle of a write
  assign is_wide = write.header.sub == TableSegmentSub;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      access_write_o  <= '0;
      segment_write_o <= '0;
      first_q         <= 1'b0;
    end else begin
      for (int unsigned s = 0; s < StateStages; s++) begin
        access_write_o[s]  <= (access_write && write.header.stage == stage_t'(s)) || (access_write_o[s] && first_q);
        segment_write_o[s] <= (segment_write && write.header.stage == stage_t'(s)) || (segment_write_o[s] && first_q);
      end
      first_q <= access_write || segment_write;
    end
  end

  always_ff @(posedge clk_i) if (write.valid) begin
    write_row_o     <= write.header.index[RowBits-1:0];
    write_access_o  <= access;
    write_segment_o <= is_wide ? wide
                     : '{range: 16'(narrow.range) * 16'(Granule),
                       base:  16'(narrow.base) * 16'(Granule)};
  end

  logic unused_bits;
  assign unused_bits = ^{header, write};
endmodule : sluice_order_tables
