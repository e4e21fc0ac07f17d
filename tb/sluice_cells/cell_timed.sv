// SPDX-License-Identifier: Apache-2.0

/// Checks sluice_table_timed of some depth and Wait against a plain array: a write of cycle c is
/// seen by reads of cycle c + Wait and later, and by none before. Half of the reads while a write
/// is under way are of its word. Where a word is both read and written the memory is not asked for
/// it. The sweep after reset goes on for a few cycles behind the last word, with indices that the
/// memory does not have: they write nothing.
module cell_timed #(
  parameter int unsigned Depth = 16,
  parameter int unsigned Width = 32,
  parameter int unsigned Wait  = 1
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [31:0] seed_i,
  input  int          break_i,
  output int          meets_o                    // reads of a word in the cycle of its write
);
  localparam int unsigned AddrBits = Depth > 1 ? $clog2(Depth) : 1;
  localparam logic [15:0] Sweep    = 16'(Depth + 5);
  typedef logic [AddrBits-1:0] addr_t;
  typedef logic [Width-1:0]    word_t;

  logic [47:0] bits;
  logic [1:0]  flip;
  logic        init, re, write, read, spoil, effect;
  logic [15:0] now_q;
  addr_t       raddr, addr, to_q;
  word_t       wdata, data, control, data_q;
  int unsigned since_q;                          // cycles since the last write
  cell_random u_random (.clk_i, .rst_ni, .seed_i, .bits_o(bits), .flip_o(flip));
  assign spoil  = bits[47:40] == '0;
  assign init   = now_q < Sweep;
  assign write  = flip[0] && !init && since_q >= Wait + 2;
  assign read   = bits[39] && !init && !write && since_q > Wait;
  assign effect = since_q == Wait && !init;
  assign re     = flip[1] && !init;
  assign raddr  = bits[38] && since_q <= Wait ? to_q : addr_t'(32'(bits[15:0]) % Depth);
  assign addr   = addr_t'(32'(bits[31:16]) % Depth);
  assign wdata  = Width'({bits, bits} >> 3);

  sluice_table_timed #(.Depth(Depth), .Width(Width), .Wait(Wait)) u_dut (
    .clk_i, .rst_ni, .init_i(init), .init_index_i(now_q),
    .re_i(re), .raddr_i(raddr), .rdata_o(data),
    .write_i(break_i == 16 && spoil ? 1'b0 : write), .read_i(read), .addr_i(addr), .wdata_i(wdata),
    .ctl_rdata_o(control)
  );

  word_t word_q [Depth];
  word_t want_q, control_want_q, held_q;
  logic  asked_q, control_asked_q, met_q;
  word_t now_read;
  assign now_read = effect && raddr == to_q ? data_q : word_q[raddr];
  always_ff @(posedge clk_i) begin
    if (write) begin
      to_q   <= addr;
      data_q <= wdata;
    end
    if (effect) word_q[to_q] <= data_q;
    if (init) for (int unsigned r = 0; r < Depth; r++) word_q[r] <= '0;
    // A cycle early for the test.
    want_q         <= break_i == 17 && since_q + 1 == Wait && raddr == to_q ? data_q : now_read;
    control_want_q <= word_q[addr];
    held_q         <= u_dut.read_q;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      now_q           <= '0;
      since_q         <= 1000;
      asked_q         <= 1'b0;
      control_asked_q <= 1'b0;
      met_q           <= 1'b0;
      meets_o         <= 0;
    end else begin
      if (init) now_q <= now_q + 16'd1;
      since_q         <= write ? 1 : since_q < 1000 ? since_q + 1 : since_q;
      asked_q         <= re;
      control_asked_q <= read;
      met_q           <= re && effect && raddr == to_q;
      meets_o         <= meets_o + 32'(met_q);
      if ((asked_q && data != want_q) || (control_asked_q && control != control_want_q)) begin
        $display("FAIL table of %0d, wait %0d: %h, not %h; control %h, not %h", Depth, Wait, data,
                 want_q, control, control_want_q);
        $fatal(1);
      end
      if (met_q && u_dut.read_q != held_q) begin
        $display("FAIL table of %0d, wait %0d: a word is read while it is written", Depth, Wait);
        $fatal(1);
      end
    end
  end

  logic unused_bits;
  assign unused_bits = ^bits;
endmodule : cell_timed
