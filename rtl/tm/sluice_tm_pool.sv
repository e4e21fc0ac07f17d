// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Pool of headers of one lane, in a chip with HeaderPool: one copy of each header that waits,
/// however many output lanes will send it. Output queues fetch from here what is next
/// (sluice_header_ahead). A header that goes straight into all its queues is never here.
/// Latency 1 cycle from taken_o to header_o; a header in and one out a cycle.
///
/// Of the output lanes that ask, that which has fewest headers ahead is served, of equal ones each
/// in turn; all that ask for the same entry are served together. An entry is free when the last of
/// its output lanes has read it. Example, k = 4: a packet for output lanes 0 and 2 gets entry 5,
/// with the bits 0101. Lane 2 asks first, and 0001 is left; when lane 0 has read it, too, entry 5
/// goes into the queue of free entries. Entries that were never used are taken first.
/// Invariants: an entry is promised before the packet comes, and never more than there are; an
/// entry is free, or an output lane will read it.
/// Timing: an entry counts as free two cycles after its last read was taken.
module sluice_tm_pool
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_exit_pkg::*;
(
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // some output lane will need the pool for the packet that comes in the next cycle
  input  logic                   promised_i,
  output logic                   full_o,        // no entry is free beside those promised
  // the packet: which output lanes will read its header, and where it is
  input  logic                   push_i,
  input  logic [NumPipes-1:0]    lanes_i,
  input  logic [StepBits-1:0]    header_i,
  output pool_entry_t            entry_o,
  // output lanes: who is served; the header comes a cycle later
  input  fetch_t [NumPipes-1:0]  fetch_i,
  output logic [NumPipes-1:0]    taken_o,
  output logic [StepBits-1:0]    header_o
);
  localparam int unsigned CountBits = $clog2(HeaderPool + 1);

  // ---- who is served
  logic [NumPipes-1:0] asks, least, turn;
  logic [PoolAhead-1:0][NumPipes-1:0] of_level;   // those with so many headers ahead
  pool_entry_t         entry;
  for (genvar o = 0; o < NumPipes; o++) begin : gen_asks
    logic [NumPipes-1:0] same;                    // that ask for the same entry
    assign asks[o]    = fetch_i[o].valid;
    assign taken_o[o] = asks[o] && (turn & same) != '0;
    for (genvar p = 0; p < NumPipes; p++) begin : gen_same
      assign same[p] = fetch_i[o].entry == fetch_i[p].entry;
    end
    for (genvar a = 0; a < PoolAhead; a++) begin : gen_level
      assign of_level[a][o] = asks[o] && fetch_i[o].ahead == $clog2(PoolAhead)'(a);
    end
  end
  always_comb begin
    least = '0;
    for (int unsigned a = PoolAhead; a > 0; a--) if (of_level[a-1] != '0) least = of_level[a-1];
    entry = '0;
    for (int unsigned o = 0; o < NumPipes; o++) entry = entry | (turn[o] ? fetch_i[o].entry : '0);
  end
  sluice_round_robin #(.Count(NumPipes)) u_turn (
    .clk_i, .rst_ni, .request_i(least), .take_i(asks != '0), .grant_o(turn)
  );

  sluice_ram #(.Depth(HeaderPool), .Width(StepBits)) u_headers (
    .clk_i, .we_i(push_i), .waddr_i(entry_o), .wdata_i(header_i),
    .re_i(asks != '0), .raddr_i(entry), .rdata_o(header_o)
  );

  // ---- which output lanes must still read an entry; who has read it is taken off a cycle later
  logic [HeaderPool-1:0][NumPipes-1:0] left;
  logic [NumPipes-1:0]                 read_lanes_q, rest;
  pool_entry_t                         read_entry_q;
  logic                                gone;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) read_lanes_q <= '0;
    else         read_lanes_q <= taken_o;
  end
  always_ff @(posedge clk_i) read_entry_q <= entry;
  assign rest = left[read_entry_q] & ~read_lanes_q;
  assign gone = read_lanes_q != '0 && rest == '0;
  for (genvar e = 0; e < HeaderPool; e++) begin : gen_entry
    logic [NumPipes-1:0] left_q;
    always_ff @(posedge clk_i) begin
      if (push_i && entry_o == pool_entry_t'(e))   left_q <= lanes_i;
      else if (read_entry_q == pool_entry_t'(e))   left_q <= rest;
    end
    assign left[e] = left_q;
  end

  // ---- free entries: those that were never used, then those that are free again
  logic [CountBits-1:0] fresh_q, used_q, fewer, more;
  logic                 all_used, last_entry;
  pool_entry_t          again;
  assign all_used = fresh_q == CountBits'(HeaderPool);
  assign entry_o  = all_used ? again : fresh_q[PoolBits-1:0];
  sluice_ram_fifo #(.Depth(HeaderPool), .Width(PoolBits)) u_free (
    .clk_i, .rst_ni, .push_i(gone), .data_i(read_entry_q), .full_o(),
    .valid_o(), .data_o(again), .pop_i(push_i && all_used), .count_o()
  );

  // Entries in use or promised; all that may become of them is there before it is known.
  assign fewer      = used_q - 1'b1;
  assign more       = used_q + 1'b1;
  assign last_entry = used_q == CountBits'(HeaderPool - 1);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fresh_q <= '0;
      used_q  <= '0;
      full_o  <= 1'b0;
    end else begin
      if (push_i && !all_used) fresh_q <= fresh_q + 1'b1;
      if (promised_i != gone) begin
        used_q <= gone ? fewer : more;
        full_o <= !gone && last_entry;
      end
    end
  end

  logic promised_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) promised_q <= 1'b0;
    else         promised_q <= promised_i;
  end
  `SLUICE_ASSERT(ComesAsPromised_A, push_i == promised_q)
  `SLUICE_ASSERT(EntriesSuffice_A, !promised_i || !full_o)
  `SLUICE_ASSERT(SomeoneReads_A, !push_i || lanes_i != '0)
  `SLUICE_ASSERT(ReadBehindWrite_A, !(push_i && asks != '0 && entry == entry_o))
`ifdef SLUICE_SIM
  // Entry by entry: in use from its push until it is free.
  logic [HeaderPool-1:0] in_use_q;
  logic [NumPipes-1:0]   may_read;              // what is asked for is there, and not yet read
  for (genvar e = 0; e < HeaderPool; e++) begin : gen_use
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                                      in_use_q[e] <= 1'b0;
      else if (push_i && entry_o == pool_entry_t'(e))   in_use_q[e] <= 1'b1;
      else if (gone && read_entry_q == pool_entry_t'(e)) in_use_q[e] <= 1'b0;
    end
  end
  for (genvar o = 0; o < NumPipes; o++) begin : gen_may
    assign may_read[o] = in_use_q[fetch_i[o].entry] && left[fetch_i[o].entry][o]
        && !(read_lanes_q[o] && read_entry_q == fetch_i[o].entry);
  end
  `SLUICE_ASSERT(EntryIsFree_A, !push_i || !in_use_q[entry_o])
  `SLUICE_ASSERT(RequestHasBit_A, (asks & ~may_read) == '0)
  `SLUICE_ASSERT(FreeOrRead_A, $countones(in_use_q) + 32'(promised_q) == 32'(used_q))
`endif
endmodule : sluice_tm_pool
