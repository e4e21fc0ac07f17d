// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// The node of the daisy chain of a room that has tables: says which messages are for them, checks
/// indices, and hands writes and reads to the tables beside it (sluice_config_table), each of which
/// knows itself by `which`. What there is to know of a table stands in sw/layouts.def (table_info)
/// and sluice_table_pkg.
///
/// A message is claimed if its table is owned, it names this column (tables of stages), and the
/// table takes the operation: only MATCH is erased, FILL is not read, TAKE is not written. A
/// claimed message is refused if its index is out of range, or if nobody could answer: of a read,
/// if there is no copy COPY (STATE exists once, and has no copies, but at the egress); of STATE and
/// FILL, if there is no entry ROW; of a write of a table of ids, if ROW is no entry of the index's
/// bank. STATE has as many entries as the segment of its row: a node that owns it keeps a copy of
/// the ranges.
/// SEGMENT16 is another form of SEGMENT: to the tables, both are SEGMENT.
/// Example: WRITE of KEY_MASK (module 1, sub 15), stage 2, index 7. The node of column 2 shows
/// write_o = {KEY_MASK, index 7, data} for two cycles and replies WRITE; with index 32 it replies
/// REFUSED.
/// Latency and throughput: sluice_chain_node. Reset: no message is under way, all ranges are 0.
module sluice_table_node
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_table_pkg::*;
#(
  parameter table_set_t Owned = '1,              // tables beside the node
  // each copy has a STATE of its own, which a read names
  parameter bit         Copies = 1'b0,
  // tables of state columns whose writes it sees on their way
  parameter table_set_t Seen  = '0
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  // of the column; tables that are of no stage: anything
  input  stage_t       stage_i,
  input  chain_t       chain_i,
  output logic         chain_ready_o,
  output chain_t       chain_o,
  input  logic         chain_ready_i,
  // with a header at chain_i: refuse it, whatever it is
  input  logic         refuse_i,
  // tables
  // held until taken, two cycles at least; seen writes: one cycle
  output table_write_t write_o,
  input  table_ready_t write_ready_i,
  output table_read_t  read_o,
  input  word_answer_t answer_i                  // in the order of the reads
);
  localparam bit Segments = Owned[TableSegment] || Seen[TableSegment];

  // ---- which table, and what is said of it
  chain_header_t header;
  table_e        which;
  table_info_t   info;
  logic          owned, here, takes, answered, claim, seen;
  logic [16:0]   state_rows, entries;
  assign which = table_e'(TableMap[{header.resource, header.sub}]);
  assign info  = TableInfos[which];
  assign owned = Owned[which];
  assign seen  = Seen[which];

  // Of a table of ids: the entry of a module that ROW names is of the bank of the index.
  logic of_bank;
  assign of_bank = 32'(header.row) < (1 << $bits(overlay_t))
      && (Banks == 1
          || (32'(header.row) >= NumModules) == (header.index >> IdBits != '0));

  always_comb begin
    case (info.rows)
      RowsOverlay: entries = 17'(1 << $bits(overlay_t));
      RowsModules: entries = 17'(NumModules);
      RowsMatches: entries = 17'(MatchEntries);
      RowsActions: entries = 17'(ActionRows);
      RowsTernary: entries = 17'(TernaryEntries);
      RowsCuckoo:  entries = 17'(CuckooEntries);
      RowsKeys:    entries = 17'(ArrayEntries);
      RowsMasks:   entries = 17'd256;
      RowsIds:     entries = 17'(Banks * ActiveIds);
      RowsOne:     entries = 17'd1;
      default:     entries = state_rows;
    endcase
    here = !(info.scope inside {ScopeStage, ScopeState, ScopeFront}) || header.stage == stage_i;
    case (header.op)
      ChainWrite: takes = info.write;
      ChainRead:  takes = info.read;
      ChainErase: takes = info.erase;
      default:    takes = 1'b0;                  // answers and refusals on their way out
    endcase
    if (info.rows inside {RowsSegment, RowsOne}) begin
      answered = 32'(header.row) < (1 << $bits(overlay_t));
      if (Copies && header.op == ChainRead && 32'(header.copy) >= NumPipes) answered = 1'b0;
    end
    else if (info.rows == RowsIds && header.op == ChainWrite) answered = of_bank;
    else answered = header.op != ChainRead || 32'(header.copy) < NumPipes;
    claim = refuse_i || (owned && here && takes);
    if (refuse_i || !answered) entries = '0;
  end

  // ---- the protocol
  table_write_t write;
  table_read_t  read;
  word_answer_t answer;
  sluice_chain_node #(.Words(tables_words(Owned | Seen)), .Kept(tables_kept(Owned | Seen))) u_node (
    .clk_i, .rst_ni, .chain_i, .chain_ready_o, .chain_o, .chain_ready_i,
    .header_o(header), .which_i(which == TableSegment16 ? TableSegment : which), .claim_i(claim),
    .snoop_i(seen && 32'(header.stage) < StateStages),
    .words_i(4'((info.width + 10'd63) >> 6)), .entries_i(entries),
    .write_o(write), .write_ready_i, .read_o(read), .answer_i(answer)
  );

  // ---- both forms of a segment as one
  if (Segments) begin : gen_segments
    // Menshen's form counts in granules. To the tables both are SEGMENT, made so before the
    // registers of the node; the header still says which of the two it was.
    segment16_t narrow, narrow_answer;
    segment_t   segment;
    logic       write_narrow, read_narrow;
    assign write_narrow
        = table_e'(TableMap[{write.header.resource, write.header.sub}]) == TableSegment16;
    assign read_narrow
        = table_e'(TableMap[{read.header.resource, read.header.sub}]) == TableSegment16;
    assign narrow        = write.data[EntryBits-1 -: Segment16Width];
    assign segment       = answer_i.data[63 -: SegmentWidth];
    assign narrow_answer = '{range: 8'(segment.range / 16'(Granule)),
        base: 8'(segment.base / 16'(Granule))};
    always_comb begin
      write_o = write;
      read_o  = read;
      answer  = answer_i;
      if (write_narrow) begin
        write_o.data[EntryBits-1 -: SegmentWidth] = {16'(narrow.range) * 16'(Granule),
            16'(narrow.base) * 16'(Granule)};
      end
      if (read_narrow) begin
        answer.data[63 -: SegmentWidth] = {narrow_answer, {(SegmentWidth-Segment16Width){1'b0}}};
      end
    end
  end else begin : gen_plain
    assign write_o = write;
    assign read_o  = read;
    assign answer  = answer_i;
  end

  // ---- copy of the ranges of all segments
  if (Owned[TableState]) begin : gen_ranges
    localparam int unsigned Entries = 1 << $bits(overlay_t);
    logic [15:0] range_q [Entries];
    segment_t    segment;
    assign segment     = write_o.data[EntryBits-1 -: SegmentWidth];
    assign state_rows  = {1'b0, range_q[header.row[$bits(overlay_t)-1:0]]};

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        for (int unsigned r = 0; r < Entries; r++) range_q[r] <= '0;
      end else if (write_o.valid && write_o.which == TableSegment) begin
        range_q[write_o.header.index[$bits(overlay_t)-1:0]] <= segment.range;
      end
    end
  end else begin : gen_no_ranges
    assign state_rows = '0;
  end
endmodule : sluice_table_node
