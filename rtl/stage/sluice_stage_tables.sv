// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Says which messages of the daisy chain belong to a column of match-action stages, how many words
/// an entry has and how many entries there are. Answers in the same cycle; it stands beside the
/// column's sluice_chain_node.
/// All columns own KEY_EXTRACT, KEY_MASK, MATCH and ACTION; front columns HASH_INSTR as well, back columns
/// with state SEGMENT16, SEGMENT, STATE_INSTR, ACCESS, STATE and FILL. Only MATCH can be erased; FILL
/// cannot be read. STATE has as many entries as the segment of the row that the message names: so
/// the module keeps a copy of all ranges. A message that names a row or (to read, but not STATE,
/// which exists once) a copy that does not exist gets no entries, and so is refused by the node:
/// nobody would answer it. Whether indices of the module are away is not asked here, but at the order point
/// (sluice_commit): a message that comes takes effect.
module sluice_stage_tables
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_layout_pkg::*;
#(
  parameter bit State = 1'b1,          // back column with state
  parameter bit Hash  = 1'b0           // front column
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  stage_t        stage_i,
  input  chain_header_t header_i,
  input  table_write_t  write_i,       // claimed writes, as the tables see them
  output logic          claim_o,
  output logic [3:0]    words_o,       // 64-bit words of an entry
  output logic [16:0]   entries_o
);
  localparam logic [3:0] KeyExtractWords = 4'((TableKeyExtractWidth + 63) / 64);
  localparam logic [3:0] KeyMaskWords    = 4'((TableKeyMaskWidth + 63) / 64);
  localparam logic [3:0] MatchWords      = 4'((TableMatchWidth + 63) / 64);
  localparam logic [3:0] ActionWords     = 4'((TableActionWidth + 63) / 64);
  localparam logic [3:0] StateInstrWords = 4'((TableStateInstrWidth + 63) / 64);
  localparam logic [3:0] HashInstrWords  = 4'((TableHashInstrWidth + 63) / 64);

  logic        owned, once, row_exists, copy_exists;
  logic [16:0] entries, state_entries;

  assign row_exists  = 32'(header_i.row) < NumModules;
  assign copy_exists = 32'(header_i.copy) < NumPipes;

  always_comb begin
    owned   = 1'b1;
    words_o = 4'd1;
    entries = 17'(NumModules);
    once    = 1'b0;
    case (header_i.resource)
      TableKeyExtractModule:
        words_o = header_i.sub == TableKeyExtractSub ? KeyExtractWords : KeyMaskWords;
      TableMatchModule: begin
        words_o = header_i.sub == TableMatchSub ? MatchWords : ActionWords;
        entries = 17'(MatchEntries);
      end
      TableSegmentModule: owned = State;
      TableStateInstrModule: begin
        case (header_i.sub)
          TableStateInstrSub: begin
            owned   = State;
            words_o = StateInstrWords;
            entries = 17'(MatchEntries);
          end
          TableHashInstrSub: begin
            owned   = Hash;
            words_o = HashInstrWords;
          end
          TableAccessSub: owned = State;
          TableStateSub: begin
            owned   = State;
            once    = 1'b1;
            entries = row_exists ? state_entries : 17'd0;
          end
          TableFillSub: begin
            owned   = State && header_i.op == ChainWrite;
            entries = row_exists ? 17'd1 : 17'd0;
          end
          default: owned = 1'b0;
        endcase
      end
      default: owned = 1'b0;
    endcase
  end

  always_comb begin
    case (header_i.op)
      ChainWrite, ChainRead: claim_o = owned;
      ChainErase: claim_o = header_i.resource == TableMatchModule && header_i.sub == TableMatchSub;
      default:    claim_o = 1'b0;      // answers and refusals on their way out
    endcase
    if (header_i.stage != stage_i) claim_o = 1'b0;
    entries_o = entries;
    if (header_i.op == ChainRead && !once && !copy_exists) entries_o = '0;
  end

  if (State) begin : gen_ranges
    // ---- copy of the ranges of all segments
    logic [15:0]      range_q [NumModules];
    segment_t         wide;
    segment16_t       narrow;
    chain_header_t    written;
    logic             segment_write;
    logic             unused_data;

    assign written       = write_i.header;
    assign wide          = write_i.data[EntryBits-1 -: SegmentWidth];
    assign narrow        = write_i.data[EntryBits-1 -: Segment16Width];
    assign segment_write = write_i.valid && written.op == ChainWrite
                        && written.resource == TableSegmentModule;
    assign state_entries = {1'b0, range_q[header_i.row[RowBits-1:0]]};
    assign unused_data   = &{1'b0, write_i, wide.base, narrow.base, written};

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        for (int unsigned r = 0; r < NumModules; r++) range_q[r] <= '0;
      end else if (segment_write) begin
        range_q[written.index[RowBits-1:0]] <=
          written.sub == TableSegmentSub ? wide.range : 16'(32'(narrow.range) * Granule);
      end
    end
  end else begin : gen_no_ranges
    logic unused_ports;
    assign state_entries = '0;
    assign unused_ports  = &{1'b0, clk_i, rst_ni, write_i};
  end

  logic unused_header;
  assign unused_header = &{1'b0, header_i};
endmodule : sluice_stage_tables
