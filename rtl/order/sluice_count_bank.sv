// SPDX-License-Identifier: Apache-2.0

/// One bank of the access counts of a back stage: entries of a home and a count. Each serves many
/// homes: the one of them that is accessed most will have it.
///
/// An access of the entry's home adds one to the count (up to all ones). An access of another home
/// that shares the entry subtracts one; at 0 the entry becomes the other home's. With the home the
/// entry keeps the module that accessed it last.
/// Counting takes 2 cycles, one access a cycle. A scan reads all entries in order, one a cycle, and
/// may clear or halve them as it passes; then it waits one cycle for an access that is counted at
/// the same time, and does not wait for a second: that is lost.
/// Invariant: what is read is what was last written: both readers are forwarded to.
module sluice_count_bank
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_order_pkg::*;
#(
  parameter int unsigned Depth    = 256,     // a power of two
  localparam int unsigned IdxBits = $clog2(Depth)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // an access
  input  logic               count_i,
  input  logic [IdxBits-1:0] entry_i,
  input  place_t             home_i,
  input  row_t               row_i,          // of the module that accesses it
  // a scan
  input  logic               start_i,
  input  logic               clear_i,        // both hold while busy
  input  logic               halve_i,
  output logic               busy_o,
  output logic               scan_valid_o,   // an entry, as it was before halving
  output count_entry_t       scan_o
);
  // ---- cycle 0: both read
  logic               scan_stall, scan_read, scan_read_q, scan_going_q, count_q;
  logic [IdxBits-1:0] next_q, scan_idx, scan_idx_q, idx_q;
  place_t             home_q;
  row_t               row_q;
  count_entry_t             count_word, scan_word;
  logic               write;
  logic [IdxBits-1:0] write_idx;
  count_entry_t             write_word;

  assign scan_idx  = scan_stall ? scan_idx_q : next_q;
  assign scan_read = scan_stall || scan_going_q;

  sluice_ram #(.Depth(Depth), .Width($bits(count_entry_t))) u_count (
    .clk_i, .we_i(write), .waddr_i(write_idx), .wdata_i(write_word),
    .re_i(count_i), .raddr_i(entry_i), .rdata_o(count_word)
  );
  sluice_ram #(.Depth(Depth), .Width($bits(count_entry_t))) u_scan (
    .clk_i, .we_i(write), .waddr_i(write_idx), .wdata_i(write_word),
    .re_i(scan_read), .raddr_i(scan_idx), .rdata_o(scan_word)
  );

  // A word that is written while it is read.
  logic   count_around_q, scan_around_q;
  count_entry_t around_q, count_old, scan_old;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q      <= 1'b0;
      scan_read_q  <= 1'b0;
      scan_going_q <= 1'b0;
      next_q       <= '0;
    end else begin
      count_q     <= count_i;
      scan_read_q <= start_i ? 1'b0 : scan_read;
      if (start_i) begin
        scan_going_q <= 1'b1;
        next_q       <= '0;
      end else if (!scan_stall && scan_going_q) begin
        scan_going_q <= next_q != '1;
        next_q       <= next_q + 1'b1;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    idx_q          <= entry_i;
    home_q         <= home_i;
    row_q          <= row_i;
    scan_idx_q     <= scan_idx;
    count_around_q <= write && write_idx == entry_i;
    scan_around_q  <= write && write_idx == scan_idx;
    around_q       <= write_word;
  end
  assign count_old = count_around_q ? around_q : count_word;
  assign scan_old  = scan_around_q ? around_q : scan_word;

  // ---- cycle 1: an access writes, else the scan
  count_entry_t counted;
  always_comb begin
    counted = count_old;
    if (count_old.count == '0)
      counted = '{row: row_q, home: home_q, count: AccessCountBits'(1)};
    else if (count_old.home != home_q)  counted.count = count_old.count - 1'b1;
    else if (count_old.count != '1)     counted.count = count_old.count + 1'b1;
    if (count_old.home == home_q)       counted.row = row_q;
  end

  logic scan_write, count_write, stalled_q;
  assign scan_write  = scan_read_q && (clear_i || halve_i);
  assign scan_stall  = scan_write && count_q && !stalled_q;
  assign count_write = count_q && (!scan_write || scan_stall);
  assign write       = count_write || scan_write;
  assign write_idx   = count_write ? idx_q : scan_idx_q;
  always_comb begin
    write_word = counted;
    if (!count_write) begin
      write_word       = scan_old;
      write_word.count = scan_old.count >> 1;
    end
    if (clear_i)  write_word = '0;
  end

  assign busy_o = scan_going_q || scan_read_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stalled_q    <= 1'b0;
      scan_valid_o <= 1'b0;
    end else begin
      stalled_q    <= scan_stall;
      scan_valid_o <= scan_read_q && !scan_stall && !clear_i && !start_i;
    end
  end
  always_ff @(posedge clk_i) begin
    scan_o <= scan_old;
  end
endmodule : sluice_count_bank
