// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Drop counters of one source, in a memory with one word for each row and each reason that the
/// source has.
/// One event a cycle, which counts `amount_i`, in the memory 4 cycles later; a read gives its count
/// 2 cycles after row and reason, and 0 for a reason that the source does not have. A count reads
/// zero until it is marked as written; clearing takes the marks away, all in one cycle.
/// Invariant: the count that an event adds to is the newest of its place: the memory's, or one of
/// the two that were not in it yet when it was read.
module sluice_drop_source
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
#(
  parameter drop_e       First      = DropNone,   // the first reason that the source has
  parameter int unsigned NumReasons = 8,          // and how many from there on; 0: none drops
  parameter int unsigned AmountBits = 1           // an event counts up to 2^AmountBits - 1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  clear_i,
  input  drop_t                 drop_i,
  input  logic [AmountBits-1:0] amount_i,
  input  row_t                  row_i,
  input  logic [ReasonBits-1:0] reason_i,
  output logic [31:0]           count_o
);
  localparam int unsigned KindBits = index_bits(NumReasons);
  localparam int unsigned Places   = NumModules << KindBits;
  typedef logic [$clog2(Places)-1:0] place_t;
  typedef logic [AmountBits-1:0]     amount_t;

  // ---- the place of a row and a reason
  function automatic place_t place_of(row_t row, logic [ReasonBits-1:0] reason);
    logic [KindBits-1:0] kind;
    kind = KindBits'(reason - ReasonBits'(First));
    return place_t'({row, kind});
  endfunction
  function automatic logic is_mine(logic [ReasonBits-1:0] reason);
    return reason >= ReasonBits'(First) && 32'(reason) < 32'(First) + NumReasons;
  endfunction

  if (NumReasons == 0) begin : gen_none
    assign count_o = '0;
  end else begin : gen_counts
    logic [Places-1:0] marked_q;        // the place has a count in the memory

    // ---- event: register, read, choose what is newest, add and write
    logic        event_q, found_q, add_q, last_q;
    place_t      place_q, place_q2, place_q3, last_place_q;
    amount_t     amount_q, amount_q2, amount_q3;
    logic [31:0] word, newest, count_q, sum, last_count_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {event_q, found_q, add_q, last_q} <= '0;
      else         {event_q, found_q, add_q, last_q} <= {drop_i.valid && drop_i.known, event_q,
          found_q, add_q};
    end

    always_ff @(posedge clk_i) begin
      if (drop_i.valid) {place_q, amount_q} <= {place_of(drop_i.row, drop_i.reason), amount_i};
      if (event_q)      {place_q2, amount_q2} <= {place_q, amount_q};
      if (found_q)      {place_q3, amount_q3, count_q} <= {place_q2, amount_q2, newest};
      if (add_q)        {last_place_q, last_count_q} <= {place_q3, sum};
    end

    // What is counted in the cycle of a clear counts from 0. The clear has far to come, so it
    // chooses at the end.
    logic [31:0] counted;
    logic        same, last_same;
    sluice_count_add u_counted (
      .count_i(count_q), .more_i(16'(amount_q3)), .sum_o(counted)
    );
    assign sum       = clear_i ? 32'(amount_q3) : counted;
    assign same      = add_q && place_q3 == place_q2;
    assign last_same = last_q && last_place_q == place_q2;
    always_comb begin
      newest = clear_i ? '0 : last_same ? last_count_q : marked_q[place_q2] ? word : '0;
      if (same) newest = sum;
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) marked_q <= '0;
      else begin
        if (clear_i) marked_q <= '0;
        if (add_q)   marked_q[place_q3] <= 1'b1;
      end
    end

    sluice_ram #(.Depth(Places), .Width(32)) u_count (
      .clk_i,
      .we_i(add_q),   .waddr_i(place_q3), .wdata_i(sum),
      .re_i(event_q), .raddr_i(place_q),  .rdata_o(word)
    );

    // ---- read: a copy of the memory with a read port of its own. What is written in the cycle of
    // the read is the last count in the cycle after.
    place_t      seen_place;
    logic [31:0] seen;
    logic        seen_mine_q, seen_marked_q, seen_last_q;
    assign seen_place = place_of(row_i, reason_i);
    sluice_ram #(.Depth(Places), .Width(32)) u_copy (
      .clk_i,
      .we_i(add_q), .waddr_i(place_q3), .wdata_i(sum),
      .re_i(1'b1),  .raddr_i(seen_place), .rdata_o(seen)
    );
    always_ff @(posedge clk_i) begin
      seen_mine_q   <= is_mine(reason_i);
      seen_marked_q <= marked_q[seen_place];
      seen_last_q   <= add_q && place_q3 == seen_place;
      count_o       <= !seen_mine_q ? '0 : seen_last_q ? last_count_q : seen_marked_q ? seen : '0;
    end

    `SLUICE_ASSERT(HasReason_A, !(drop_i.valid && drop_i.known) || is_mine(drop_i.reason))
  end
endmodule : sluice_drop_source
