// SPDX-License-Identifier: Apache-2.0

/// Stand-in for a table beside a chain node. Slow ones let a write wait and answer reads 1 to 3
/// cycles later or, if told to stall, as late as they like, always in order. An entry whose first
/// byte is 0xee is refused by those that can refuse.
module ctrl_table
  import sluice_ctrl_pkg::*;
#(
  parameter int unsigned Depth  = 32,            // rows
  parameter int unsigned Width  = 160,           // bits of an entry
  parameter bit          Slow   = 1'b0,
  parameter bit          Choosy = 1'b0           // refuses some writes
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic          stall_i,                 // nothing is ready in this cycle
  input  logic          erase_i,                 // the write is an erase
  input  table_write_t write_i,
  output table_ready_t ready_o,
  input  table_read_t  read_i,
  output word_answer_t answer_o
);
  localparam int unsigned IndexBits = $clog2(Depth);
  logic [Width-1:0] mem_q [Depth];               // read by the checker as well
  initial for (int unsigned r = 0; r < Depth; r++) mem_q[r] = '0;

  logic [1:0]           waited_q;
  logic                 refused, legal;
  logic [IndexBits-1:0] row;
  assign row     = write_i.header.index[IndexBits-1:0];
  assign legal   = 32'(write_i.header.index) < Depth;
  assign refused = Choosy && !erase_i && write_i.data[EntryBits-1 -: 8] == 8'hee;
  assign ready_o = '{ready: !Slow || (waited_q == '1 && !stall_i), refused: refused};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                                waited_q <= '0;
    else if (!write_i.valid || ready_o.ready)   waited_q <= '0;
    else if (waited_q != '1)                    waited_q <= waited_q + 2'd1;
  end
  always_ff @(posedge clk_i)
    if (write_i.valid && ready_o.ready && !refused && legal)
      mem_q[row] <= erase_i ? '0 : write_i.data[EntryBits-1 -: Width];

  // ---- reads: asked for, and answered in turn
  logic                 asked_valid, give, unused_full;
  logic [2:0]           unused_count;
  logic [IndexBits-1:0] asked_row;
  logic [3:0]           asked_word;
  sluice_fifo #(.Depth(4), .Width(IndexBits + 4)) u_asked (
    .clk_i, .rst_ni,
    .push_i (read_i.valid), .data_i({read_i.header.index[IndexBits-1:0], read_i.word}), .full_o(unused_full),
    .valid_o(asked_valid), .data_o({asked_row, asked_word}), .pop_i(give), .count_o(unused_count)
  );
  assign give = asked_valid && !(Slow && stall_i);
  localparam int unsigned NumWords = (Width + 63) / 64;
  logic [NumWords-1:0][63:0] words;
  assign words = {mem_q[asked_row], {(64*NumWords-Width){1'b0}}};
  always_comb begin
    answer_o = '0;
    if (give) begin
      answer_o.valid = 1'b1;
      answer_o.data  = words[NumWords-1-32'(asked_word)];
    end
  end

  logic unused_bits;
  assign unused_bits = ^{write_i, read_i};
endmodule : ctrl_table
