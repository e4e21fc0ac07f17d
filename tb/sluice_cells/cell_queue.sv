// SPDX-License-Identifier: Apache-2.0

/// Checks a FIFO of some depth, in registers or (Memory) in a memory, there (Head) with its head in
/// registers, or (Slice) a slice, which is a FIFO of two words that takes a push while it is not full. Word n that goes in is a function of n,
/// so the model is two numbers.
module cell_queue #(
  parameter int unsigned Depth = 4,
  parameter int unsigned Width = 32,
  parameter bit          Memory = 1'b0,
  parameter bit          Head = 1'b0,
  parameter bit          Slice = 1'b0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [31:0] seed_i,
  input  int          break_i,
  output int          passed_o,                  // words
  output int          filled_o                   // cycles in which it was full
);
  localparam int unsigned CountBits = $clog2(Depth + 1);

  logic [47:0]      bits;
  logic [1:0]       flip;
  logic             push, pop, full, valid, spoil;
  logic [Width-1:0] data_in, data_out, data_now, data_want;
  int unsigned      in_q, out_q;
  cell_random u_random (.clk_i, .rst_ni, .seed_i, .bits_o(bits), .flip_o(flip));
  // Once in about 1,024 cycles.
  assign spoil     = (bits & 48'h8421_0842_1084) == '0;
  assign data_now  = Width'({in_q * 32'd2654435761, in_q});
  assign data_want = Width'({out_q * 32'd2654435761, out_q});
  assign data_in   = break_i == 2 && spoil ? ~data_now : data_now;

  logic push_dut, pop_dut;
  if (Slice) begin : gen_slice
    logic ready;
    assign push     = flip[0];
    assign pop      = flip[1];
    assign push_dut = push && !(break_i == 3 && spoil);
    assign pop_dut  = pop || (break_i == 4 && spoil);
    assign full     = !ready;
    sluice_slice #(.Width(Width)) u_dut (
      .clk_i, .rst_ni, .in_valid_i(push_dut), .in_ready_o(ready), .in_data_i(data_in),
      .out_valid_o(valid), .out_ready_i(pop_dut), .out_data_o(data_out)
    );
  end else begin : gen_fifo
    logic [CountBits-1:0] count;
    assign push     = flip[0] && !full;
    assign pop      = flip[1] && valid;
    assign push_dut = push && !(break_i == 1 && spoil);
    assign pop_dut  = pop;
    if (Head) begin : gen_head
      logic             behind_valid;
      logic [Width-1:0] behind, data_next;
      assign data_next = Width'({(out_q + 1) * 32'd2654435761, out_q + 1});
      sluice_head_fifo #(.Depth(Depth - 1), .Width(Width)) u_dut (
        .clk_i, .rst_ni, .push_i(push_dut), .data_i(data_in), .full_o(full),
        .valid_o(valid), .data_o(data_out), .pop_i(pop_dut),
        .behind_valid_o(behind_valid), .behind_o(behind)
      );
      // The word behind the head: there are two.
      always_ff @(posedge clk_i)
        if (rst_ni && (behind_valid != (in_q - out_q > 1 && !(break_i == 9 && spoil))
            || (behind_valid && behind != data_next))) begin
          $display("FAIL FIFO of %0d: word behind the head", Depth);
          $fatal(1);
        end
      assign count = CountBits'(in_q - out_q);
    end else if (Memory) begin : gen_memory
      sluice_ram_fifo #(.Depth(Depth), .Width(Width)) u_dut (
        .clk_i, .rst_ni, .push_i(push_dut), .data_i(data_in), .full_o(full),
        .valid_o(valid), .data_o(data_out), .pop_i(pop_dut), .count_o(count)
      );
    end else begin : gen_registers
      sluice_fifo #(.Depth(Depth), .Width(Width)) u_dut (
        .clk_i, .rst_ni, .push_i(push_dut), .data_i(data_in), .full_o(full),
        .valid_o(valid), .data_o(data_out), .pop_i(pop_dut), .count_o(count)
      );
    end
    bit clocked_q = 1'b0;                        // at the first edge registers are not reset yet
    always_ff @(posedge clk_i) clocked_q <= 1'b1;
    always_ff @(posedge clk_i) if (clocked_q && 32'(count) != in_q - out_q) begin
      $display("FAIL FIFO of %0d: it says %0d words, %0d are inside", Depth, count, in_q - out_q);
      $fatal(1);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_q     <= '0;
      out_q    <= '0;
      passed_o <= '0;
      filled_o <= '0;
    end else begin
      if (full != (in_q - out_q == Depth) || valid != (in_q != out_q)
          || (valid && data_out != data_want)) begin
        $display("FAIL depth %0d slice %b: %0d in, %0d out: full %b, valid %b, data %h, not %h", Depth,
                 Slice, in_q, out_q, full, valid, data_out, data_want);
        $fatal(1);
      end
      if (push && !full) in_q  <= in_q + 1;
      if (pop && valid)  out_q <= out_q + 1;
      passed_o <= passed_o + 32'(pop && valid);
      filled_o <= filled_o + 32'(full);
    end
  end
endmodule : cell_queue
