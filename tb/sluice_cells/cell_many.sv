// SPDX-License-Identifier: Apache-2.0

/// Checks a sluice_many_fifo of some depth and numbers of words: in each cycle a random number of
/// words enters, which has room, and a random number leaves, which is there. Word n that goes in is
/// a function of n, so the model is two numbers.
module cell_many #(
  parameter int unsigned Depth = 8,
  parameter int unsigned In    = 4,
  parameter int unsigned Out   = 1
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [31:0] seed_i,
  input  int          break_i,
  output int          passed_o,                  // words
  output int          filled_o,                  // cycles in which it was full
  output int          most_o                     // cycles with In words in and Out words out
);
  localparam int unsigned Width = 32;

  logic [27:0]                bits;
  logic [19:0]                unused_bits;
  logic [1:0]                 flip;
  logic [31:0]                waiting, push, pop, in_q, out_q;
  logic [$clog2(Depth+1)-1:0] count;
  logic [In-1:0][Width-1:0]   data_in;
  logic [Out-1:0][Width-1:0]  data_out;
  logic                       spoil;
  bit                         clocked_q = 1'b0;  // at the first edge registers are not reset yet
  cell_random u_random (
    .clk_i, .rst_ni, .seed_i, .bits_o({unused_bits, bits}), .flip_o(flip)
  );
  assign waiting= in_q - out_q;
  assign spoil  = break_i == 15 && push > 1 && bits[9:0] == '0;

  function automatic logic [Width-1:0] word(input int unsigned n);
    return n * 32'd2654435761;
  endfunction

  // Of what may move: nothing, a random number, or all.
  function automatic int unsigned some(input int unsigned most, input logic go,
                                       input logic [8:0] r);
    return !go ? 0 : r[8] ? most : 32'(r[7:0]) % (most + 1);
  endfunction
  assign push = some(Depth - waiting < In ? Depth - waiting : In, flip[0], bits[18:10]);
  assign pop  = some(waiting < Out ? waiting : Out, flip[1], bits[27:19]);
  for (genvar i = 0; i < In; i++) begin : gen_in
    assign data_in[i] = word(in_q + i + 32'(spoil && i == 0));
  end
  sluice_many_fifo #(.Depth(Depth), .Width(Width), .In(In), .Out(Out)) u_dut (
    .clk_i, .rst_ni, .push_i($clog2(In + 1)'(push)), .data_i(data_in), .count_o(count),
    .data_o(data_out), .pop_i($clog2(Out + 1)'(pop))
  );

  always_ff @(posedge clk_i) clocked_q <= 1'b1;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_q     <= '0;
      out_q    <= '0;
      passed_o <= '0;
      filled_o <= '0;
      most_o   <= '0;
    end else begin
      if (clocked_q && 32'(count) != waiting) begin
        $display("FAIL many FIFO of %0d: it says %0d words, %0d are inside", Depth, count, waiting);
        $fatal(1);
      end
      for (int unsigned o = 0; o < Out; o++)
        if (o < waiting && data_out[o] != word(out_q + o)) begin
          $display("FAIL many FIFO of %0d: word %0d is %h, not %h", Depth, o, data_out[o],
                   word(out_q + o));
          $fatal(1);
        end
      in_q     <= in_q + push;
      out_q    <= out_q + pop;
      passed_o <= passed_o + pop;
      filled_o <= filled_o + 32'(waiting == Depth);
      most_o   <= most_o + 32'(push == In && pop == Out);
    end
  end
endmodule : cell_many
