// SPDX-License-Identifier: Apache-2.0

/// One copy of a configuration table beside a sluice_table_node: what packets read at a row, and
/// control writes and reads back. Which table it is says the parameter; width, rows and the bits
/// that are kept follow (sluice_table_pkg). Of an overlay table the row is an overlay_t, as the
/// packet carries it.
///
/// Packets: one read a cycle; the entry stands a cycle later, and until the next read. Control: a
/// write, which lasts two cycles, takes effect in one of them, between two packets (sluice_table:
/// the collision rule);
/// a read is answered a cycle later. All rows are 0 after the sweep (settings.init), or what
/// InitOnes and InitOneHot say. Reset: no read is under way.
/// Parts: a table may stand in several memories, each with its share of the rows. Example: of
/// CUCKOO with 256 entries and Parts 4, Part 2 has the entries 128 to 191 as rows 0 to 63.
/// Only bits that are kept have memory. Example: ACTION of a chip without 6-byte containers: slots
/// 17 to 24 take no memory and read 0; a table that keeps nothing is no memory at all, and still
/// answers.
module sluice_config_table
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_table_pkg::*;
#(
  parameter table_e Which      = TableKeyExtract,
  parameter bit     InitOnes   = 1'b0,           // the sweep sets every bit
  parameter bit     InitOneHot = 1'b0,           // the sweep gives row r bit r
  parameter int unsigned Parts = 1,              // a power of two that divides the rows
  parameter int unsigned Part  = 0,              // which of them this is
  localparam int unsigned Width    = table_width(Which),
  localparam int unsigned Rows     = table_rows(Which) / Parts,
  localparam int unsigned AddrBits = index_bits(Rows)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               init_i,
  input  logic [15:0]        init_index_i,
  input  pipe_t              copy_i,             // number of this copy
  // packets
  input  logic               re_i,
  input  logic [AddrBits-1:0] row_i,
  output logic [Width-1:0]   entry_o,
  // control
  input  table_write_t       write_i,
  input  table_read_t        read_i,
  output word_answer_t       answer_o
);
  localparam logic [EntryBits-1:0] AllKept = table_kept(Which);
  localparam logic [Width-1:0]     Kept    = AllKept[EntryBits-1 -: Width];
  localparam int unsigned          NumKept = $countones(Kept);

  // The length of the run of kept bits that begins at this bit; 0 if none begins there.
  function automatic int unsigned run_length(int unsigned place);
    run_length = 0;
    if (place == 0 || !Kept[place-1])
      for (int unsigned at = place; at < Width && Kept[at]; at++) run_length++;
  endfunction

  // The bits kept below a bit: its place in the memory.
  function automatic int unsigned place_of(int unsigned place);
    place_of = 0;
    for (int unsigned at = 0; at < place; at++) if (Kept[at]) place_of++;
  endfunction

  if (Parts != 1 && Parts != table_parts(Which))
    $fatal(1, "sluice_config_table: %0d parts, table_parts says %0d", Parts, table_parts(Which));

  logic             write, asked;
  logic [Width-1:0] wdata, readback;
  table_read_t      read;
  assign write = write_i.valid && write_i.which == Which && write_i.header.op == ChainWrite
              && (Parts == 1 || 32'(write_i.header.index) / Rows == Part);
  always_comb begin
    read = read_i;
    if (Parts != 1 && 32'(read_i.header.index) / Rows != Part) read.valid = 1'b0;
  end
  assign wdata = write_i.data[EntryBits-1 -: Width];

  sluice_table_answer #(.Which(Which)) u_answer (
    .clk_i, .rst_ni, .copy_i, .read_i(read), .asked_o(asked), .entry_i(readback), .answer_o
  );

  if (NumKept != 0) begin : gen_memory
    logic [AddrBits-1:0] ctl_row;
    logic [NumKept-1:0] kept_wdata, kept_entry, kept_readback;
    assign ctl_row = write ? write_i.header.index[AddrBits-1:0] : read_i.header.index[AddrBits-1:0];

    sluice_table #(
      .Depth(Rows), .Width(NumKept), .InitValue({NumKept{InitOnes}}), .InitOneHot(InitOneHot)
    ) u_memory (
      .clk_i, .init_i, .init_index_i,
      .re_i, .raddr_i(row_i), .rdata_o(kept_entry),
      .ctl_valid_i(write || asked), .ctl_write_i(write), .ctl_addr_i(ctl_row),
      .ctl_wdata_i(kept_wdata), .ctl_rdata_o(kept_readback)
    );

    for (genvar b = 0; b < Width; b++) begin : gen_bit
      localparam int unsigned Run = run_length(b);
      if (Run != 0) begin : gen_run
        localparam int unsigned Place = place_of(b);
        assign kept_wdata[Place +: Run] = wdata[b +: Run];
        assign entry_o[b +: Run]        = kept_entry[Place +: Run];
        assign readback[b +: Run]       = kept_readback[Place +: Run];
      end else if (!Kept[b]) begin : gen_none
        assign entry_o[b]  = 1'b0;
        assign readback[b] = 1'b0;
      end
    end
  end else begin : gen_nothing
    assign entry_o       = '0;
    assign readback      = '0;
  end

  logic unused_bits;
  assign unused_bits = ^wdata;
endmodule : sluice_config_table
