// SPDX-License-Identifier: Apache-2.0

/// Chain node of the order point: owns the shares of the modules, and sees the writes of the access
/// and segment tables that the back stages own, and hands them to the lanes' copies. Control
/// accesses that moves of indices could disturb are decided here, for everybody (sluice_commit): a
/// refused one ends here.
/// Latency 1 cycle for what passes by (2 in a chip with cuts), 3 more for what is decided; a
/// snooped write is out 2 cycles after its last word.
module sluice_order_tables
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_order_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_table_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  init_i,
  input  logic [15:0]           init_index_i,
  input  chain_t                chain_i,
  output logic                  chain_ready_o,
  output chain_t                chain_o,
  input  logic                  chain_ready_i,
  input  logic                  chain_busy_i,   // messages are on the chain
  // moves: see sluice_commit
  output logic [StateStages-1:0][NumModules-1:0] hold_rows_o,
  output row_t                  away_row_o,
  input  logic [StateStages-1:0] away_i,
  // cuts: see sluice_cut_guard
  input  logic [NumModules-1:0] cut_rows_i,
  input  logic                  cut_ready_i,
  output copy_valid_t           write_valid_o,
  output copy_write_t           write_o,
  // by overlay row
  output share_t [NumModules-1:0] share_o,
  output logic   [NumModules-1:0] tick_o
);
  table_write_t write;
  table_read_t  read;
  word_answer_t answer;
  logic         access_write, segment_write, region_write, refuse, decided_ready, passed_ready;
  logic         cut_refuse, away_refuse;
  chain_t       passed, decided;
  assign access_write  = write.valid && write.which == TableAccess;
  assign segment_write = write.valid && write.which == TableSegment;
  assign region_write  = Active != 0 && write.valid && write.which == TableRegion;

  sluice_cut_guard u_cut_guard (
    .clk_i, .rst_ni, .chain_i, .chain_ready_o, .chain_o(passed), .chain_ready_i(passed_ready),
    .rows_i(cut_rows_i), .ready_i(cut_ready_i),
    .refuse_o(cut_refuse)
  );

  sluice_commit u_commit (
    .clk_i, .rst_ni, .chain_i(passed), .chain_ready_o(passed_ready),
    .chain_o(decided), .chain_ready_i(decided_ready), .busy_i(chain_busy_i),
    .refuse_o(away_refuse), .hold_rows_o, .away_row_o, .away_i
  );
  assign refuse = cut_refuse || away_refuse;

  // Seen on their way to the stages: what the lanes have copies of.
  localparam table_set_t Copied = table_set_t'(1) << TableAccess | table_set_t'(1) << TableSegment
                                | table_set_t'(1) << TableSegment16
                                | table_set_t'(Active) << TableRegion;
  sluice_table_node #(.Owned(tables_of(ScopeOrder)), .Seen(Copied)) u_node (
    .clk_i, .rst_ni, .stage_i('0), .chain_i(decided), .chain_ready_o(decided_ready), .chain_o,
    .chain_ready_i,
    .refuse_i(refuse),
    .write_o(write), .write_ready_i('{ready: 1'b1, refused: 1'b0}), .read_o(read), .answer_i(answer)
  );

  sluice_share_table u_shares (
    .clk_i, .rst_ni, .init_i, .init_index_i, .write_i(write), .read_i(read), .answer_o(answer),
    .share_o, .tick_o
  );

  logic                   first_q;               // the first cycle of a write
  logic [StateStages-1:0] here;                  // the stage of the message
  copy_valid_t            now;
  assign here = StateStages'(1) << write.header.stage;
  assign now  = '{access: access_write ? here : '0, segment: segment_write ? here : '0,
      region: region_write ? here : '0};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_valid_o <= '0;
      first_q       <= 1'b0;
    end else begin
      write_valid_o <= now | (first_q ? write_valid_o : '0);
      first_q       <= access_write || segment_write || region_write;
    end
  end

  always_ff @(posedge clk_i) if (write.valid)
    write_o <= '{row: write.header.index[$bits(overlay_t)-1:0],
        access: write.data[EntryBits-1 -: AccessWidth],
        segment: write.data[EntryBits-1 -: SegmentWidth],
        id: Active != 0 ? write.header.index[$bits(id_row_t)-1:0] : '0,
        region: Active != 0 ? write.data[EntryBits-1 -: RegionWidth] : '0};
endmodule : sluice_order_tables
