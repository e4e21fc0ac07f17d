// SPDX-License-Identifier: Apache-2.0

/// Tables of a state unit: SEGMENT and ACCESS, a row a module, and STATE_INSTR, a row a match row.
/// Packets read SEGMENT and ACCESS in c1, STATE_INSTR in c2; what they read stands a cycle later, and
/// until the next read. Control writes are taken at once, and read back after 1 cycle. Control accesses
/// to state look up (lookup_i) the segment and access of the row in their header: on `_readback_o` a
/// cycle later. SEGMENT16 is Menshen's form of the same table, in granules (docs/tables.md).
/// Of state instructions what the state unit has no use for is not kept (StatePairs = 0, docs/machine.md).
/// Every write takes effect: whether a segment may change was decided at the order point (sluice_commit).
module sluice_state_tables
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_layout_pkg::*;
#(
  localparam int unsigned MatchBits = index_bits(MatchEntries)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  pipe_t                pipe_i,
  input  settings_t            settings_i,
  // packets
  input  logic                 c1_valid_i,
  input  row_t                 c1_row_i,
  output segment_t             segment_o,
  output access_t              access_o,
  input  logic                 c2_hit_i,
  input  logic [MatchBits-1:0] c2_match_row_i,
  output state_instr_t         instr_o,
  // control
  input  table_write_t         write_i,
  input  table_read_t          read_i,
  output logic                 answer_valid_o,
  output logic [EntryBits-1:0] answer_data_o,
  input  logic                 lookup_i,
  output segment_t             segment_readback_o,
  output access_t              access_readback_o
);
  // ---- which table a message is for
  typedef enum logic [2:0] {SelNone, SelSegment16, SelSegment, SelInstr, SelAccess} select_e;

  chain_header_t header;
  logic          write, read;
  select_e       sel, answer_q;
  row_t          row;
  assign header = write_i.valid ? write_i.header : read_i.header;
  assign write  = write_i.valid && header.op == ChainWrite;
  assign read   = read_i.valid && header.copy == 8'(pipe_i);
  assign row    = lookup_i ? header.row[RowBits-1:0] : header.index[RowBits-1:0];
  always_comb begin
    sel = SelNone;
    if (write || read) begin
      if (header.resource == TableSegmentModule)
        sel = header.sub == TableSegmentSub ? SelSegment : SelSegment16;
      if (header.resource == TableStateInstrModule) begin
        if (header.sub == TableStateInstrSub) sel = SelInstr;
        if (header.sub == TableAccessSub)     sel = SelAccess;
      end
    end
  end

  logic is_segment;
  assign is_segment = sel == SelSegment || sel == SelSegment16;

  // ---- tables
  segment16_t   segment16, segment16_readback;
  segment_t     segment_wdata;
  state_instr_t instr_wdata, instr_readback;
  assign segment16     = write_i.data[EntryBits-1 -: Segment16Width];
  assign segment_wdata = sel == SelSegment ? write_i.data[EntryBits-1 -: SegmentWidth]
                       : '{range: 16'(32'(segment16.range) * Granule),
                           base: 16'(32'(segment16.base) * Granule)};
  assign segment16_readback = '{range: 8'(32'(segment_readback_o.range) / Granule),
                                base: 8'(32'(segment_readback_o.base) / Granule)};

  predicate_t [2:0] constant;          // predicates 4 to 2, if all that they can do is to hold or not
  always_comb begin
    instr_wdata = write_i.data[EntryBits-1 -: StateInstrWidth];
    constant    = {instr_wdata.pred_4, instr_wdata.pred_3, instr_wdata.pred_2};
    for (int unsigned p = 0; p < 3; p++)
      constant[p] = '{rel: constant[p].rel == RelTrue ? RelTrue : RelFalse, default: '0};
    if (StatePairs == 0) begin
      {instr_wdata.pred_4, instr_wdata.pred_3, instr_wdata.pred_2}     = constant;
      {instr_wdata.a2, instr_wdata.b2, instr_wdata.c2, instr_wdata.d2} = '0;
    end
  end

  sluice_table #(.Depth(NumModules), .Width(SegmentWidth)) u_segment (
    .clk_i, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .re_i(c1_valid_i), .raddr_i(c1_row_i), .rdata_o(segment_o),
    .ctl_valid_i(is_segment || lookup_i), .ctl_write_i(write && !lookup_i),
    .ctl_addr_i(row), .ctl_wdata_i(segment_wdata), .ctl_rdata_o(segment_readback_o)
  );

  sluice_table #(.Depth(NumModules), .Width(AccessWidth)) u_access (
    .clk_i, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .re_i(c1_valid_i), .raddr_i(c1_row_i), .rdata_o(access_o),
    .ctl_valid_i(sel == SelAccess || lookup_i), .ctl_write_i(write && !lookup_i), .ctl_addr_i(row),
    .ctl_wdata_i(write_i.data[EntryBits-1 -: AccessWidth]), .ctl_rdata_o(access_readback_o)
  );

  sluice_table #(.Depth(MatchEntries), .Width(StateInstrWidth)) u_instr (
    .clk_i, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .re_i(c2_hit_i), .raddr_i(c2_match_row_i), .rdata_o(instr_o),
    .ctl_valid_i(sel == SelInstr), .ctl_write_i(write), .ctl_addr_i(header.index[MatchBits-1:0]),
    .ctl_wdata_i(instr_wdata), .ctl_rdata_o(instr_readback)
  );

  // ---- read back
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) answer_q <= SelNone;
    else         answer_q <= read ? sel : SelNone;
  end
  assign answer_valid_o = answer_q != SelNone;
  always_comb begin
    answer_data_o = '0;
    case (answer_q)
      SelSegment16: answer_data_o[EntryBits-1 -: Segment16Width]  = segment16_readback;
      SelSegment:   answer_data_o[EntryBits-1 -: SegmentWidth]    = segment_readback_o;
      SelInstr:     answer_data_o[EntryBits-1 -: StateInstrWidth] = instr_readback;
      SelAccess:    answer_data_o[EntryBits-1 -: AccessWidth]     = access_readback_o;
      default: ;
    endcase
  end

  logic unused_fields;
  assign unused_fields = &{1'b0, settings_i, write_i, header};
endmodule : sluice_state_tables
