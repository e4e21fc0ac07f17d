// SPDX-License-Identifier: Apache-2.0

/// Proof: sluice_fifo (with a depth that is no power of two) and sluice_slice give out every word
/// once, in order.
///
/// At a moment that the solver chooses one word is marked as it goes in; the harness counts the
/// words before it. Shown: the marked word is at the head exactly when none is before it, with its
/// data; a cell holds as many words as went in and did not come out; the slice holds its beat while
/// the other side is not ready.
/// BREAK: 1 pushes into a full FIFO, 2 a push of the FIFO gets lost, 3 the slice sees data change,
/// 4 a beat of the slice gets lost.
`ifndef BREAK
`define BREAK 0
`endif
module proof_cells
#(
`ifdef OTHER
  localparam int unsigned Depth = 4,
  localparam int unsigned Width = 8
`else
  localparam int unsigned Depth = 3,
  localparam int unsigned Width = 4
`endif
) (
  input logic             clk_i,
  input logic             rst_ni,
  // FIFO
  input logic             push_i,
  input logic [Width-1:0] data_i,
  input logic             pop_i,
  input logic             mark_i,
  // slice
  input logic             in_valid_i,
  input logic [Width-1:0] in_data_i,
  input logic             out_ready_i,
  input logic             in_mark_i,
  input logic             slip_i        // when a broken twin goes wrong
);
  typedef logic [Width-1:0]             word_t;
  typedef logic [$clog2(Depth+1)-1:0]   count_t;

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);

  // ---- FIFO
  logic   full, valid;
  word_t  head;
  count_t count;
  sluice_fifo #(.Depth(Depth), .Width(Width)) u_fifo (
    .clk_i, .rst_ni, .push_i(push_i && !(`BREAK == 2 && slip_i)), .data_i,
    .full_o(full), .valid_o(valid), .data_o(head), .pop_i, .count_o(count)
  );
  always_comb
    if (rst_ni) begin
      assume (!push_i || !full || `BREAK == 1);
      assume (!pop_i || valid);
    end

  logic   marked_q;         // the marked word is inside
  count_t before_q, held_q; // words before it; words inside
  word_t  word_q;
  logic   mark;
  assign mark = push_i && mark_i && !marked_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      marked_q <= 1'b0;
      before_q <= '0;
      held_q   <= '0;
    end else begin
      marked_q <= mark || (marked_q && !(pop_i && before_q == '0));
      before_q <= mark ? held_q - count_t'(pop_i) : before_q - count_t'(pop_i);
      held_q   <= held_q + count_t'(push_i) - count_t'(pop_i);
    end
  end
  always_ff @(posedge clk_i) if (mark) word_q <= data_i;

  localparam int unsigned PtrBits = $clog2(Depth);
  typedef logic [PtrBits:0] sum_t;
  sum_t place, first, last;       // of the marked word; ends of the FIFO
  assign first = sum_t'(u_fifo.head_q);
  assign last  = sum_t'(u_fifo.tail_q);
  assign place = first + sum_t'(before_q) < sum_t'(Depth) ? first + sum_t'(before_q)
                                                          : first + sum_t'(before_q)
                                                              - sum_t'(Depth);
  always_comb
    if (rst_ni) begin
      FifoCount_A : assert (count == held_q && count <= count_t'(Depth));
      FifoHead_A  : assert (!(marked_q && before_q == '0) || (valid && head == word_q));
      assert (first < sum_t'(Depth) && last < sum_t'(Depth));
      assert (last == (first + sum_t'(count) < sum_t'(Depth) ? first + sum_t'(count)
                                                             : first + sum_t'(count)
                                                                 - sum_t'(Depth)));
      assert (!marked_q || (before_q < count && u_fifo.mem_q[place[PtrBits-1:0]] == word_q));
    end

  // ---- slice
  logic  in_ready, out_valid;
  word_t out_data;
  sluice_slice #(.Width(Width)) u_slice (
    .clk_i, .rst_ni,
    .in_valid_i(in_valid_i && !(`BREAK == 4 && slip_i)), .in_ready_o(in_ready),
    .in_data_i(`BREAK == 3 && slip_i ? ~in_data_i : in_data_i),
    .out_valid_o(out_valid), .out_ready_i, .out_data_o(out_data)
  );
  logic       in_marked_q, in_mark, enters, leaves;
  logic [1:0] in_before_q, in_held_q;
  word_t      beat_q;
  assign enters  = in_valid_i && in_ready;
  assign leaves  = out_valid && out_ready_i;
  assign in_mark = enters && in_mark_i && !in_marked_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_marked_q <= 1'b0;
      in_before_q <= '0;
      in_held_q   <= '0;
    end else begin
      in_marked_q <= in_mark || (in_marked_q && !(leaves && in_before_q == '0));
      in_before_q <= in_mark ? in_held_q - 2'(leaves) : in_before_q - 2'(leaves);
      in_held_q   <= in_held_q + 2'(enters) - 2'(leaves);
    end
  end
  always_ff @(posedge clk_i) if (in_mark) beat_q <= in_data_i;
  always_comb
    if (rst_ni) begin
      SliceCount_A : assert (in_held_q == 2'(u_slice.head_valid_q) + 2'(u_slice.skid_valid_q));
      SliceHead_A  : assert (!(in_marked_q && in_before_q == '0) || (out_valid
          && out_data == beat_q));
      assert (!in_marked_q || in_before_q < in_held_q);
      assert (u_slice.head_valid_q || !u_slice.skid_valid_q);
      assert (!(in_marked_q && in_before_q == 2'd1) || u_slice.skid_q == beat_q);
    end

  // ---- reached: both were full, and both marked words leave
  logic full_q, skid_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {full_q, skid_q} <= '0;
    else         {full_q, skid_q} <= {full_q, skid_q} | {full && marked_q, in_held_q == 2'd2
        && in_marked_q};
  end
  always_ff @(posedge clk_i)
    if (rst_ni) Both_C : cover (full_q && skid_q && pop_i && marked_q && before_q == '0
                                && leaves && in_marked_q && in_before_q == '0);
endmodule : proof_cells
