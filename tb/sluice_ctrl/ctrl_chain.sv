// SPDX-License-Identifier: Apache-2.0

/// A daisy chain of two nodes. The first owns PARSER, and watches the writes of MATCH on their way; the second
/// owns MATCH (which can be erased), ACTION (which is slow, and refuses some writes), STATE_ROW (whose entries
/// fill a block) and TERNARY (which are a word longer), all of stage 1. Connections can be broken on purpose.
module ctrl_chain
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
#(
  parameter int unsigned ParserRows = 32,
  parameter int unsigned MatchRows  = 200,
  parameter int unsigned ActionDepth = 20,
  parameter int unsigned LongRows    = 24            // of STATE_ROW, and of TERNARY
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic [2:0] stall_i,                    // the two tables of the second node; the link between
  input  int         break_i,                    // see the file `breaks`
  input  logic       spoil_i,                    // in a few cycles
  input  logic       refuse_i,                   // with a header at chain_i
  input  chain_t     chain_i,
  output logic       chain_ready_o,
  output chain_t     chain_o,
  input  logic       chain_ready_i
);
  // ---- first node
  chain_t        link, link_seen;
  logic          link_ready, link_ready_seen;
  chain_header_t header_a;
  table_write_t  write_a, write_parser;
  table_read_t   read_a;
  word_answer_t  answer_a;
  table_ready_t  ready_a;
  logic          is_parser, is_match_a;
  assign is_parser  = header_a.resource == TableParserModule;
  assign is_match_a = header_a.resource == TableMatchModule && header_a.sub == TableMatchSub
                   && header_a.stage == 5'd1;
  sluice_chain_node u_node_a (
    .clk_i, .rst_ni, .chain_i, .chain_ready_o, .chain_o(link), .chain_ready_i(link_ready_seen),
    .header_o(header_a), .which_i(table_of(header_a.resource, header_a.sub)),
    .claim_i (refuse_i || (is_parser && (header_a.op == ChainWrite || header_a.op == ChainRead))),
    .snoop_i (is_match_a && !(break_i == 7 && spoil_i)),
    .words_i (is_parser ? 4'd3 : 4'd4),
    .entries_i(refuse_i ? '0 : is_parser ? 17'(ParserRows) - 17'(break_i == 6) : 17'(MatchRows)),
    .write_o (write_a), .write_ready_i(ready_a), .read_o(read_a),
    .answer_i(answer_a)
  );

  logic writes_parser;
  assign writes_parser = write_a.which == TableParser;
  always_comb begin
    write_parser       = write_a;
    write_parser.valid = write_a.valid && writes_parser;
    if (break_i == 8 && spoil_i) write_parser.header.index = write_a.header.index ^ 16'd1;
  end
  ctrl_table #(.Depth(ParserRows), .Width(TableParserWidth)) u_parser (
    .clk_i, .rst_ni, .stall_i(1'b0), .erase_i(1'b0),
    .write_i(write_parser), .ready_o(ready_a), .read_i(read_a), .answer_o(answer_a)
  );

  // The copy of MATCH is written without a say. (Before the reset anything may be asked.)
  logic [TableMatchWidth-1:0] copy_q [MatchRows];
  for (genvar r = 0; r < MatchRows; r++) begin : gen_copy
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                                                                    copy_q[r] <= '0;
      else if (write_a.valid && !writes_parser && write_a.header.index[7:0] == 8'(r)) copy_q[r] <= write_a.data[EntryBits-1 -: TableMatchWidth];
    end
  end

  // ---- the link between them stalls
  assign link_ready_seen = link_ready && !stall_i[2];
  always_comb begin
    link_seen       = link;
    link_seen.valid = link.valid && !stall_i[2];
    if (break_i == 1 && spoil_i && !link.first) link_seen.data[17] = !link.data[17];
  end

  // ---- second node
  chain_header_t header_b;
  table_write_t  write_b, write_match, write_action;
  table_read_t   read_b, read_match, read_action;
  word_answer_t  answer_match, answer_action, answer_b;
  table_ready_t  ready_match, ready_action, ready_b;
  table_e        which_b;
  logic          mine_b;
  logic [3:0]    words_b;
  logic [16:0]   rows_b;
  assign which_b = table_of(header_b.resource, header_b.sub);
  assign mine_b  = which_b inside {TableMatch, TableAction, TableStateRow, TableTernary} && header_b.stage == 5'd1;
  always_comb begin
    case (which_b)
      TableMatch:    {words_b, rows_b} = {4'd4, 17'(MatchRows)};
      TableStateRow: {words_b, rows_b} = {4'd8, 17'(LongRows)};
      TableTernary:  {words_b, rows_b} = {4'd9, 17'(LongRows)};
      default:       {words_b, rows_b} = {4'd10, 17'(ActionDepth)};
    endcase
  end
  sluice_chain_node u_node_b (
    .clk_i, .rst_ni, .chain_i(link_seen), .chain_ready_o(link_ready), .chain_o, .chain_ready_i,
    .header_o(header_b), .which_i(which_b),
    .claim_i (mine_b && (header_b.op == ChainWrite || header_b.op == ChainRead
                         || (header_b.op == ChainErase && which_b == TableMatch))),
    .snoop_i (1'b0),
    .words_i (words_b), .entries_i(rows_b),
    .write_o (write_b), .write_ready_i(ready_b), .read_o(read_b),
    .answer_i(answer_b)
  );

  table_write_t write_row, write_ternary;
  table_read_t  read_row, read_ternary;
  word_answer_t answer_row, answer_ternary;
  table_ready_t ready_row, ready_ternary;
  always_comb begin
    write_row           = write_b;
    write_ternary       = write_b;
    read_row            = read_b;
    read_ternary        = read_b;
    write_row.valid     = write_b.valid && write_b.which == TableStateRow;
    write_ternary.valid = write_b.valid && write_b.which == TableTernary;
    read_row.valid      = read_b.valid && read_b.which == TableStateRow;
    read_ternary.valid  = read_b.valid && read_b.which == TableTernary;
    write_match        = write_b;
    write_action       = write_b;
    read_match         = read_b;
    read_action        = read_b;
    write_match.valid  = write_b.valid && write_b.which == TableMatch;
    write_action.valid = write_b.valid && write_b.which == TableAction;
    read_match.valid   = read_b.valid && read_b.which == TableMatch;
    read_action.valid  = read_b.valid && read_b.which == TableAction;
    case (write_b.which)
      TableMatch:    ready_b = ready_match;
      TableStateRow: ready_b = ready_row;
      TableTernary:  ready_b = ready_ternary;
      default:       ready_b = ready_action;
    endcase
    if (break_i == 2) ready_b.refused = 1'b0;
    answer_b           = answer_match | answer_action | answer_row | answer_ternary;
    if (break_i == 3 && spoil_i && answer_b.valid) answer_b.data[38] = !answer_b.data[38];
  end
  ctrl_table #(.Depth(MatchRows), .Width(TableMatchWidth)) u_match (
    .clk_i, .rst_ni, .stall_i(stall_i[0]), .erase_i(write_b.header.op == ChainErase && break_i != 9),
    .write_i(write_match), .ready_o(ready_match), .read_i(read_match), .answer_o(answer_match)
  );
  ctrl_table #(.Depth(ActionDepth), .Width(TableActionWidth), .Slow(1'b1), .Choosy(1'b1)) u_action (
    .clk_i, .rst_ni, .stall_i(stall_i[1]), .erase_i(1'b0),
    .write_i(write_action), .ready_o(ready_action), .read_i(read_action), .answer_o(answer_action)
  );
  ctrl_table #(.Depth(LongRows), .Width(TableStateRowWidth)) u_row (
    .clk_i, .rst_ni, .stall_i(1'b0), .erase_i(1'b0),
    .write_i(write_row), .ready_o(ready_row), .read_i(read_row), .answer_o(answer_row)
  );
  ctrl_table #(.Depth(LongRows), .Width(TableTernaryWidth)) u_ternary (
    .clk_i, .rst_ni, .stall_i(1'b0), .erase_i(1'b0),
    .write_i(write_ternary), .ready_o(ready_ternary), .read_i(read_ternary), .answer_o(answer_ternary)
  );

  logic unused_bits;
  assign unused_bits = ^{header_a, header_b};
endmodule : ctrl_chain
