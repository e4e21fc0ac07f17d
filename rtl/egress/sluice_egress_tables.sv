// SPDX-License-Identifier: Apache-2.0

/// The tables of one lane's egress: DEPARSER, DEPARSE_OPT and MODULE_PORTS by overlay row, PORT_MASK by
/// destination. Datapath reads and control answers: latency 1 cycle. Every lane holds a copy and
/// takes every write; the copy that a read names answers it. After reset PORT_MASK row r is port r,
/// which the reset sweep writes through the control port, and MODULE_PORTS is all ones; bits of ports that the chip
/// does not have are not kept.
module sluice_egress_tables
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_layout_pkg::*;
(
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  pipe_t                         lane_i,
  input  settings_t                     settings_i,
  // datapath
  input  logic                          re_i,
  input  row_t                          row_i,
  input  logic [7:0]                    dest_i,
  output logic [TableDeparserWidth-1:0] entry_o,
  output deparse_opt_t                  opt_o,
  output logic [NumPorts-1:0]           ports_o,
  output logic [NumPorts-1:0]           module_ports_o,
  // chain node
  input  table_write_t                  write_i,
  input  table_read_t                   read_i,
  output table_answer_t                 answer_o
);
  localparam int unsigned MaskRows = 256;

  typedef enum logic [1:0] {SelDeparser, SelOpt, SelMask, SelModule} sel_e;

  logic          write, read;
  chain_header_t header;
  sel_e          sel;
  assign write  = write_i.valid;
  assign header = write ? write_i.header : read_i.header;
  assign read   = read_i.valid && header.copy == 8'(lane_i);
  assign sel    = header.resource == TableDeparserModule ? SelDeparser
                : header.sub == TableDeparseOptSub ? SelOpt
                : header.sub == TableModulePortsSub ? SelModule : SelMask;

  logic        unused_settings;
  logic        unused_header;
  assign unused_settings = ^settings_i;
  assign unused_header   = ^{header, write_i.data};

  // ---- DEPARSER: actions that do not exist are not kept, and read 0
  localparam int unsigned EntryWidth = ParseActions * ParseActionWidth;
  logic [EntryWidth-1:0] entry, entry_read;
  always_comb begin
    entry_o = '0;
    entry_o[TableDeparserWidth-1 -: EntryWidth] = entry;
  end
  sluice_table #(.Depth(NumModules), .Width(EntryWidth)) u_deparser (
    .clk_i, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .re_i, .raddr_i(row_i), .rdata_o(entry),
    .ctl_valid_i((write || read) && sel == SelDeparser), .ctl_write_i(write),
    .ctl_addr_i(header.index[RowBits-1:0]),
    .ctl_wdata_i(write_i.data[EntryBits-1 -: EntryWidth]),
    .ctl_rdata_o(entry_read)
  );

  // ---- DEPARSE_OPT: a chip without checksums keeps nothing, and reads 0
  logic [TableDeparseOptWidth-1:0] opt_read;
  if (Checksums != 0) begin : gen_opt
    sluice_table #(.Depth(NumModules), .Width(TableDeparseOptWidth)) u_opt (
      .clk_i, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
      .re_i, .raddr_i(row_i), .rdata_o(opt_o),
      .ctl_valid_i((write || read) && sel == SelOpt), .ctl_write_i(write),
      .ctl_addr_i(header.index[RowBits-1:0]),
      .ctl_wdata_i(write_i.data[EntryBits-1 -: TableDeparseOptWidth]),
      .ctl_rdata_o(opt_read)
    );
  end else begin : gen_no_opt
    assign opt_o    = '0;
    assign opt_read = '0;
  end

  // ---- PORT_MASK: entries are 64 bits, port p is bit p
  logic [NumPorts-1:0] mask_read;
  sluice_table #(.Depth(MaskRows), .Width(NumPorts), .InitOneHot(1'b1)) u_mask (
    .clk_i, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .re_i, .raddr_i(dest_i), .rdata_o(ports_o),
    .ctl_valid_i((write || read) && sel == SelMask), .ctl_write_i(write),
    .ctl_addr_i(header.index[7:0]),
    .ctl_wdata_i(write_i.data[EntryBits-TablePortMaskWidth +: NumPorts]),
    .ctl_rdata_o(mask_read)
  );

  // ---- MODULE_PORTS
  logic [NumPorts-1:0] module_read;
  sluice_table #(.Depth(NumModules), .Width(NumPorts), .InitValue('1)) u_module_ports (
    .clk_i, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
    .re_i, .raddr_i(row_i), .rdata_o(module_ports_o),
    .ctl_valid_i((write || read) && sel == SelModule), .ctl_write_i(write),
    .ctl_addr_i(header.index[RowBits-1:0]),
    .ctl_wdata_i(write_i.data[EntryBits-TableModulePortsWidth +: NumPorts]),
    .ctl_rdata_o(module_read)
  );

  // ---- answer
  logic answer_q;
  sel_e sel_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) answer_q <= 1'b0;
    else         answer_q <= read;
  end
  always_ff @(posedge clk_i) if (read) sel_q <= sel;

  always_comb begin
    answer_o       = '0;
    answer_o.valid = answer_q;
    if (answer_q) begin
      case (sel_q)
        SelDeparser: answer_o.data[EntryBits-1 -: EntryWidth]            = entry_read;
        SelOpt:      answer_o.data[EntryBits-1 -: TableDeparseOptWidth]  = opt_read;
        SelModule:   answer_o.data[EntryBits-TableModulePortsWidth +: NumPorts] = module_read;
        default:     answer_o.data[EntryBits-TablePortMaskWidth +: NumPorts] = mask_read;
      endcase
    end
  end
endmodule : sluice_egress_tables
