// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Parser and PARSER table of a narrow chip, whose packets come in beats shorter than their
/// headers: what sluice_parser does, with one choice among the bytes of a beat for each action
/// instead of one among those of a header.
///
/// Latency HeaderSteps + 2 cycles, 1 packet in HeaderSteps cycles:
///   cycle 0           table read with the overlay row
///   cycle 1           `metadata_i` comes
///   cycles 1 to 4     step s of the header in cycle 1 + s: each action takes of it what lies in
///                     its window
///   cycle 5           each container takes the window of the last action that names it
///   cycle 6           containers
/// A window of 6 bytes lies in at most two steps. Byte j of a window at offset o is byte (o + j)
/// modulo StepBytes of step (o + j) / StepBytes: so both steps are rotated alike. Example: offset
/// 14, steps of 16 bytes: bytes 14 and 15 of step 0 and bytes 0 to 3 of step 1, each rotated by 14.
/// The metadata word goes the same way, in steps 1 and 2.
/// Invariant: headers are kept twice, so the next packet's first steps do not meet those that are
/// being read; a packet has at least HeaderSteps beats, so its own never come before the one before
/// it is done.
module sluice_parser_steps
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  init_i,
  input  logic [15:0]           init_index_i,
  input  logic                  stale_i,       // fault: containers keep their old values
  // header of the packet that comes in, step by step
  input  logic                  we_i,
  input  step_t                 step_i,
  input  logic [StepBits-1:0]   beat_i,        // byte n is bits 8n+7:8n
  // the packet whose last beat came a cycle before
  input  logic                  valid_i,
  input  overlay_t              row_i,
  input  logic [MetadataWidth-1:0] metadata_i, // one cycle later; byte 0 is the most significant
  output containers_t           containers_o,
  // control
  input  pipe_t                 copy_i,        // lane
  input  table_write_t          write_i,
  input  table_read_t           read_i,
  output word_answer_t          answer_o
);
  localparam int unsigned NumActions  = ParseActions;
  localparam int unsigned EntryWidth  = NumActions * ParseActionWidth;
  localparam int unsigned WindowBytes = 6;
  localparam int unsigned PlaceBits   = $clog2(StepBytes);

  // ---- cycle 0: table
  logic [TableParserWidth-1:0] entry;          // from cycle 1 to the next packet's
  logic [EntryWidth-1:0]       actions;
  sluice_config_table #(.Which(TableParser)) u_table (
    .clk_i, .rst_ni, .init_i, .init_index_i, .copy_i,
    .re_i(valid_i), .row_i, .entry_o(entry),
    .write_i, .read_i, .answer_o
  );
  assign actions = entry[TableParserWidth-1 -: EntryWidth];
  if (EntryWidth < TableParserWidth) begin : gen_fewer
    logic unused_actions;
    assign unused_actions = ^entry[TableParserWidth-EntryWidth-1:0];
  end

  // ---- headers: that of the packet that comes in, and that of the one before
  logic                half_q, reads, busy_q, taking_q, taken_q;
  step_t               read_q, read, taking_step_q;
  logic [StepBits-1:0] header;                 // step taking_step_q of the packet
  assign reads = valid_i || busy_q;
  assign read  = valid_i ? '0 : read_q;

  sluice_ram #(.Depth(2 * HeaderSteps), .Width(StepBits)) u_headers (
    .clk_i, .we_i, .waddr_i({half_q ^ valid_i, step_i}), .wdata_i(beat_i),
    .re_i(reads), .raddr_i({half_q ^ !valid_i, read}), .rdata_o(header)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      half_q   <= 1'b0;
      busy_q   <= 1'b0;
      taking_q <= 1'b0;
      taken_q  <= 1'b0;
    end else begin
      half_q   <= half_q ^ valid_i;
      busy_q   <= reads && read != step_t'(HeaderSteps - 1);
      taking_q <= reads;
      taken_q  <= taking_q && taking_step_q == step_t'(HeaderSteps - 1);
    end
  end
  always_ff @(posedge clk_i) begin
    if (reads) begin
      read_q        <= read + 1'b1;
      taking_step_q <= read;
    end
  end

  // ---- the metadata word comes in cycle 1, with step 0; its halves are taken with steps 1 and 2
  logic [MetadataWidth-1:0] metadata_q;
  logic [StepBits-1:0]      metadata;
  always_ff @(posedge clk_i) if (taking_q && taking_step_q == '0) metadata_q <= {<<8{metadata_i}};
  assign metadata = taking_step_q == step_t'(1) ? metadata_q[StepBits-1:0]
      : metadata_q[MetadataWidth-1 -: StepBits];

  // The bytes at `place` and behind it, round the end of the step: rotated by powers of two, the
  // largest first, so that bytes that are of no use any more fall away.
  function automatic logic [8*WindowBytes-1:0] first_bytes(logic [StepBits-1:0] bytes,
      logic [PlaceBits-1:0] place);
    for (int p = PlaceBits - 1; p >= 0; p--)
      if (place[p]) bytes = bytes >> (8 << p) | bytes << (StepBits - (8 << p));
    return bytes[8*WindowBytes-1:0];
  endfunction

  // ---- cycles 1 to HeaderSteps: windows, first byte most significant
  for (genvar a = 0; a < NumActions; a++) begin : gen_window
    parse_action_t                 action;
    logic [WindowBytes-1:0][7:0]   window_q, window;    // byte 0 is the first
    logic [1:0]                    kind_q;
    logic [2:0]                    idx_q;
    logic [WindowBytes-1:0]        here, nowhere;

    assign action          = actions[EntryWidth-1 - ParseActionWidth*a -: ParseActionWidth];

    assign window = first_bytes(action.metadata ? metadata : header, action.offset[PlaceBits-1:0]);

    // Which bytes this step has. Behind byte 31 of the metadata word, and behind the header, there
    // is nothing.
    always_comb
      for (int unsigned j = 0; j < WindowBytes; j++) begin
        logic [7:0] at;
        at = 8'(action.offset) + 8'(j);
        if (action.metadata) begin
          nowhere[j] = at >= 8'(MetadataWidth / 8);
          here[j]    = 32'(taking_step_q) == 32'(at) / StepBytes + 1;
        end else begin
          nowhere[j] = at >= 8'(HeaderBytes);
          here[j]    = 32'(taking_step_q) == 32'(at) / StepBytes;
        end
      end

    always_ff @(posedge clk_i) if (taking_q) begin
      for (int unsigned j = 0; j < WindowBytes; j++)
        if (nowhere[j])   window_q[j] <= '0;
        else if (here[j]) window_q[j] <= window[j];
      // The entry is the next packet's when the containers are made.
      kind_q <= action.valid ? action.kind : TypeConst;
      idx_q  <= action.idx;
    end
  end

  // ---- containers
  logic [NumActions-1:0][47:0] window;
  logic [NumActions-1:0][1:0]  kind;
  logic [NumActions-1:0][2:0]  idx;
  for (genvar a = 0; a < NumActions; a++) begin : gen_flat
    assign window[a] = {<<8{gen_window[a].window_q}};
    assign kind[a]   = gen_window[a].kind_q;
    assign idx[a]    = gen_window[a].idx_q;
  end

  sluice_parser_containers u_containers (
    .clk_i, .stale_i, .valid_i(taken_q), .window_i(window), .kind_i(kind), .idx_i(idx),
    .containers_o
  );

  `SLUICE_ASSERT(OneAtATime_A, !valid_i || !busy_q)
endmodule : sluice_parser_steps
