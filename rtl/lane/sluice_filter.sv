// SPDX-License-Identifier: Apache-2.0

/// Packet filter and MODULE table: which module a packet belongs to, and whether it may enter.
///
/// Latency 1 cycle, 1 packet a cycle. Packets that were dropped on the bus pass through as well, so
/// that their drop is attributed to a module, and so that a lane has at most one drop a cycle.
/// After reset no row is valid, so packets of a VLAN without a program go nowhere.
/// The table is in registers: its reset value needs no sweep, and the row is found in the cycle in
/// which the header is complete. With two banks it decides which of them a packet takes: the one
/// that `bank_i` names for its row in that cycle, whose MODULE entry it then looks at. Paper:
/// Menshen, packet filter (with the whole VID compared). A recirculated packet must name the row of
/// the pass before, so no module sends packets to another one: else it is dropped (UNKNOWN_MODULE).
module sluice_filter
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_ctrl_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic [NumModules-1:0] bitmap_i,
  // by row: the bank that packets take; 0 on a chip with one bank
  input  logic [NumModules-1:0] bank_i,
  // packet
  input  logic                  valid_i,
  input  drop_e                 reason_i,      // of the bus
  input  logic [8*42-1:0]       bytes_i,       // its first 42 bytes
  input  logic                  again_i,       // it is recirculated: its module had this row
  input  row_t                  again_row_i,
  // in the same cycle: where its entries stand in the overlay tables
  output overlay_t              overlay_o,
  // one cycle later
  output logic                  valid_o,
  output drop_e                 reason_o,
  output logic                  known_o,       // the packet's VLAN tag names the module of its row
  output logic [7:RowBits]      vid_high_o,
  output overlay_t              overlay_q_o,
  output logic [7:0]            dest_o,
  output pipe_t                 set_o,         // a pipeline of the set of the module
  // its packets may be capsules; 0 without Active
  output logic                  active_o,
  // control
  input  pipe_t                 copy_i,        // lane
  input  table_write_t          write_i,
  input  table_read_t           read_i,
  output word_answer_t          answer_o
);
  localparam logic [15:0] TypeVlan   = 16'h8100;
  localparam logic [15:0] TypeIpv4   = 16'h0800;
  localparam logic [7:0]  ProtoUdp   = 8'h11;
  localparam logic [15:0] PortReconf = 16'hf1f2;

  localparam int unsigned Entries = 1 << $bits(overlay_t);
  module_t  table_q [Entries];
  logic     write, asked;
  overlay_t write_row;
  assign write     = write_i.valid && write_i.which == TableModule;
  assign write_row = write_i.header.index[$bits(overlay_t)-1:0];

  for (genvar r = 0; r < Entries; r++) begin : gen_row
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                            table_q[r] <= '0;
      else if (write && write_row == overlay_t'(r))
        table_q[r] <= write_i.data[EntryBits-1 -: ModuleWidth];
    end
  end

  module_t readback_q;
  always_ff @(posedge clk_i) if (asked) readback_q <=
      table_q[read_i.header.index[$bits(overlay_t)-1:0]];
  sluice_table_answer #(.Which(TableModule)) u_answer (
    .clk_i, .rst_ni, .copy_i, .read_i, .asked_o(asked), .entry_i(readback_q), .answer_o
  );

  logic        vlan, ipv4, udp, known;
  row_t        row;
  logic [11:0] vid;
  logic [15:0] dst_port;
  module_t     entry;
  drop_e       reason;

  assign vlan  = {bytes_i[8*12 +: 8], bytes_i[8*13 +: 8]} == TypeVlan;
  assign vid   = {bytes_i[8*14 +: 4], bytes_i[8*15 +: 8]};
  assign ipv4  = {bytes_i[8*16 +: 8], bytes_i[8*17 +: 8]} == TypeIpv4;
  assign udp   = bytes_i[8*27 +: 8] == ProtoUdp;
  assign dst_port = {bytes_i[8*40 +: 8], bytes_i[8*41 +: 8]};
  assign row       = vid[RowBits-1:0];
  // The entries of both banks are looked up beside the bank itself.
  if (Banks == 2) begin : gen_banks
    logic    bank;
    module_t entries [2];
    assign bank       = bank_i[row];
    assign entries[0] = table_q[overlay_t'(row)];
    assign entries[1] = table_q[overlay_t'({1'b1, row})];
    assign overlay_o  = overlay_t'({bank, row});
    assign entry      = bank ? entries[1] : entries[0];
  end else begin : gen_one
    assign overlay_o   = overlay_t'(row);
    assign entry       = table_q[row];
  end
  assign known = vlan && entry.valid && entry.vid == vid && (!again_i || row == again_row_i);

  always_comb begin
    reason = DropNone;
    if (reason_i != DropNone)                                   reason = reason_i;
    else if (!vlan)                                             reason = DropNoVlan;
    else if (!known)                                            reason = DropUnknownModule;
    else if (ipv4 && udp && dst_port == PortReconf)             reason = DropReconfig;
    else if (bitmap_i[row])                                   reason = DropBitmap;
    else if ((entry.need_ip || entry.need_udp) && !ipv4)        reason = DropProtocol;
    else if (entry.need_udp && !udp)                            reason = DropProtocol;
  end

  logic valid_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 1'b0;
    else         valid_q <= valid_i;
  end
  always_ff @(posedge clk_i) if (valid_i) begin
    reason_o <= reason;
    known_o  <= known;
    vid_high_o  <= vid[7:RowBits];
    overlay_q_o <= overlay_o;
    dest_o   <= entry.dest;
    set_o    <= entry.pipe[PipeBits-1:0];
  end
  assign valid_o = valid_q;

  if (Active != 0) begin : gen_active
    logic active_q;
    always_ff @(posedge clk_i) if (valid_i) active_q <= entry.active;
    assign active_o = active_q;
  end else begin : gen_passive
    assign active_o = 1'b0;
  end

  logic unused_bytes;
  assign unused_bytes = ^bytes_i;
endmodule : sluice_filter
