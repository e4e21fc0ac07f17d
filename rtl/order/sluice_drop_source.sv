// SPDX-License-Identifier: Apache-2.0

/// Drop counters of one source: 16 reasons a row, in a memory with one word a row.
/// One event a cycle, in the memory 3 cycles later; a read gives its count 2 cycles after row and
/// reason. A row reads zero until it is marked as written; clearing takes the marks away, all in
/// one cycle.
/// Invariant: the word that an event adds to is the newest of its row: the memory's, or the one
/// written in the cycle of the read.
module sluice_drop_source
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  drop_t       drop_i,
  input  row_t        row_i,
  input  logic [3:0]  reason_i,
  output logic [31:0] count_o
);
  typedef logic [15:0][31:0] counts_t;

  logic [NumModules-1:0] marked_q;    // row has counts in the memory

  // ---- event: register, read, add and write
  logic       event_q, add_q, last_q;
  row_t       row_q, row_q2, last_row_q;
  logic [3:0] reason_q, reason_q2;
  counts_t    word, base, sum, last_word_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {event_q, add_q, last_q} <= '0;
    else         {event_q, add_q, last_q} <= {drop_i.valid && drop_i.known, event_q, add_q};
  end

  always_ff @(posedge clk_i) begin
    if (drop_i.valid) {row_q, reason_q} <= {drop_i.row, drop_i.reason};
    if (event_q)      {row_q2, reason_q2} <= {row_q, reason_q};
    if (add_q)        {last_row_q, last_word_q} <= {row_q2, sum};
  end

  always_comb begin
    base = '0;
    if (marked_q[row_q2] && !clear_i) base = last_q && last_row_q == row_q2 ? last_word_q : word;
    sum = base;
    sum[reason_q2] = base[reason_q2] + 32'd1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) marked_q <= '0;
    else begin
      if (clear_i) marked_q <= '0;
      if (add_q)   marked_q[row_q2] <= 1'b1;
    end
  end

  sluice_ram #(.Depth(NumModules), .Width($bits(counts_t))) u_count (
    .clk_i,
    .we_i(add_q),   .waddr_i(row_q2), .wdata_i(sum),
    .re_i(event_q), .raddr_i(row_q),  .rdata_o(word)
  );

  // ---- read: a copy of the memory with a read port of its own
  counts_t seen;
  logic    seen_marked_q;
  sluice_ram #(.Depth(NumModules), .Width($bits(counts_t))) u_copy (
    .clk_i,
    .we_i(add_q), .waddr_i(row_q2), .wdata_i(sum),
    .re_i(1'b1),  .raddr_i(row_i),  .rdata_o(seen)
  );
  always_ff @(posedge clk_i) begin
    seen_marked_q <= marked_q[row_i];
    count_o       <= seen_marked_q ? seen[reason_i] : '0;
  end
endmodule : sluice_drop_source
