// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Counters of the entries of one match engine in one pipeline (docs/machine.md, Match engines,
/// Counters): packets and bytes, in the table whose number is Which.
/// One hit a cycle, also of one entry in every cycle. Control reads and writes at any time; they
/// wait for no packet, and no packet waits for them. Not there in a chip without such counters, or
/// without the engine.
///
/// An entry has two counts, in two memories, and its count is their sum. The memories take turns,
/// a cycle each: a hit is counted in the memory whose turn it is. That one is read in this cycle,
/// and written in the next one, which is not its turn. So it has the count of the last hit when
/// its next turn comes, and in each cycle one memory can be read for control, and one be written:
///   memory 0:  hit read,   hit write,  hit read,   hit write ...
///   memory 1:  hit write,  hit read,   hit write,  hit read ...
///   control:   writes 0,   writes 1,   writes 0,   writes 1 ...
///              reads 1,    reads 0,    reads 1,    reads 0 ...
/// Example: hits of entry 3 with 64 bytes come in the cycles 10, 11 and 12, and memory 0 has its
/// turn in cycle 11. Memory 0 counts those of 10 and 12, {2, 128}, memory 1 that of 11, {1, 64}.
/// A read that begins in cycle 14 or later gives {3, 192}.
///
/// A control write takes two cycles. It gives memory 0 the value and memory 1 zero, each in its
/// turn; hits that are read from the first of these cycles on count on top of it. A read looks at
/// both memories in two cycles, and sees all hits that were read in the first of them, and none
/// that was read later. When control and a hit are at one word in one cycle, the reader gets what
/// is written, and the memory is not read (sluice_ram).
/// Reads that come while one is under way wait; the answer comes 4 cycles after a read that did not
/// wait, then one in two cycles at best. Reset: nothing is under way; all counts are 0 after the
/// sweep.
module sluice_entry_counts
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_table_pkg::*;
#(
  parameter int unsigned  Which      = 32'(TableMatchCount),    // a table_e
  localparam table_e      Table      = table_e'(Which),
  localparam int unsigned Entries    = table_rows(Table),
  localparam int unsigned NumberBits = index_bits(Entries)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 init_i,
  input  logic [15:0]          init_index_i,
  input  pipe_t                copy_i,         // number of this copy
  input  logic                 lose_i,         // test fault: of two hits in a row one is lost
  // packets
  input  logic                 hit_i,          // an entry gives a packet its action
  input  logic [NumberBits-1:0] entry_i,
  input  len_t                 len_i,
  // control
  input  table_write_t         write_i,
  input  table_read_t          read_i,
  output word_answer_t         answer_o
);
  if (EntryCounters == 0 || Entries == 0) begin : gen_none
    assign answer_o = '0;
  end else begin : gen_counts
    typedef logic [NumberBits-1:0] entry_t;
    typedef logic [2:0]            count_t;       // of reads, at most ChainAhead
    typedef struct packed {
      entry_t entry;
      len_t   len;
    } hit_t;

    logic turn_q;                        // number of the memory whose turn it is
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) turn_q <= 1'b0;
      else         turn_q <= !turn_q;
    end

    // ---- hits: read, add and write
    logic read_valid_q, add_valid_q, counts;
    hit_t read_q, add_q;
    assign counts = read_valid_q && !(lose_i && add_valid_q && add_q.entry == read_q.entry);
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {read_valid_q, add_valid_q} <= '0;
      else         {read_valid_q, add_valid_q} <= {hit_i, counts};
    end
    always_ff @(posedge clk_i) begin
      if (hit_i)        read_q <= '{entry: entry_i, len: len_i};
      if (read_valid_q) add_q  <= read_q;
    end

    // ---- control writes: the first two cycles of one
    logic         write, wrote_q, done_q;
    entry_t       write_entry;
    entry_count_t write_value;
    assign write       = write_i.valid && write_i.which == Table && write_i.header.op == ChainWrite;
    assign write_entry = entry_t'(write_i.header.index);
    assign write_value = write_i.data[EntryBits-1 -: EntryCountWidth];
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {wrote_q, done_q} <= '0;
      else         {wrote_q, done_q} <= {write, write && wrote_q};
    end

    // ---- control reads: they come with indices one behind the other
    logic   asked, second_q, reads, ends;
    count_t waiting_q;                   // reads, with the one under way
    entry_t index_q;                     // of the one under way
    assign asked = read_i.valid && read_i.which == Table && read_i.header.copy == 8'(copy_i);
    assign reads = waiting_q != '0;
    assign ends  = reads && second_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        waiting_q <= '0;
        second_q  <= 1'b0;
      end else begin
        waiting_q <= waiting_q + count_t'(asked) - count_t'(ends);
        second_q  <= reads && !second_q;
      end
    end
    always_ff @(posedge clk_i) begin
      if (asked && !reads) index_q <= entry_t'(read_i.header.index);
      else if (ends)       index_q <= index_q + 1'b1;
    end

    // ---- the memories
    entry_count_t [1:0] value;           // of the word that was read in the cycle before
    for (genvar m = 0; m < 2; m++) begin : gen_memory
      logic         turn, init, re, we, same, same_q;
      entry_t       raddr, waddr;
      entry_count_t sum, wdata, rdata, held_q;
      assign turn  = turn_q == 1'(m);
      assign init  = init_i && 32'(init_index_i) < Entries;
      assign re    = turn ? counts : reads;
      assign we    = init_i ? init : turn ? write && !done_q : add_valid_q;
      always_comb begin
        {sum, raddr, waddr, wdata, same} = '0;
        if (`SLUICE_WHEN(re)) raddr = turn ? read_q.entry : index_q;
        if (`SLUICE_WHEN(we)) begin
          sum   = '{packets: value[m].packets + 28'd1, bytes: value[m].bytes + 36'(add_q.len)};
          waddr = init_i ? entry_t'(init_index_i) : turn ? write_entry : add_q.entry;
          wdata = init_i ? '0 : !turn ? sum : m == 0 ? write_value : '0;
          same  = re && raddr == waddr;
        end
        if (!we) same = 1'b0;
      end
      always_ff @(posedge clk_i) begin
        if (re)   same_q <= same;
        if (same) held_q <= wdata;
      end
      sluice_ram #(.Depth(Entries), .Width(EntryCountWidth)) u_ram (
        .clk_i, .we_i(we), .waddr_i(waddr), .wdata_i(wdata),
        .re_i(re && !same), .raddr_i(raddr), .rdata_o(rdata)
      );
      assign value[m] = same_q ? held_q : rdata;
    end

    // ---- answers: what was read of the memory whose turn it is now, and of the other one after it
    logic         came_q, last_q, answer_q;
    entry_count_t half, total_q, total;
    always_comb begin
      {half, total} = '0;
      if (`SLUICE_WHEN(came_q)) begin
        half  = value[turn_q];
        total = last_q ? '{packets: total_q.packets + half.packets,
                           bytes:   total_q.bytes + half.bytes} : half;
      end
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {came_q, last_q, answer_q} <= '0;
      else         {came_q, last_q, answer_q} <= {reads, ends, last_q};
    end
    always_ff @(posedge clk_i) if (came_q) total_q <= total;
    assign answer_o = '{valid: answer_q, data: answer_q ? total_q : '0};

    `SLUICE_ASSERT(OneBehindTheOther_A,
      !(asked && reads) || entry_t'(read_i.header.index) == index_q + entry_t'(waiting_q))
    `SLUICE_ASSERT(FewWait_A, waiting_q <= count_t'(ChainAhead))
    `SLUICE_ASSERT(EntryExists_A, !hit_i || 32'(entry_i) < Entries)
    // The second memory is written in the second cycle.
    `SLUICE_ASSERT(WriteLastsTwoCycles_A, write || !wrote_q || done_q)
    `SLUICE_SWEPT(init_i, init_index_i, Entries)
  end
endmodule : sluice_entry_counts
