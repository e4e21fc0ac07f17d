// SPDX-License-Identifier: Apache-2.0

/// Checks sluice_id_counts against plain counts: questions of any id, events of those that were
/// asked for, and control that often asks for the same one. No memory may be asked for the word
/// that it is given. From cycle 20,000 on nearly every cycle has an event of id 0, so that its
/// count goes from the lower half of its word into the upper one.
module cell_ids
  import sluice_phv_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [31:0] seed_i,
  input  int          break_i,
  output int          again_o,                   // events of the id that is asked for just then
  output int          of_id_0_o                     // events of id 0
);
  localparam int unsigned Ids = 1 << IdBits;

  logic [47:0] bits;
  logic [1:0]  flip;
  logic        init, re, count, control_re, spoil, asked_q, control_asked_q;
  id_t         id, id_q, control_id, control_id_q;
  logic [31:0] value, control;
  logic [15:0] now_q;
  int          ran_q;
  logic        busy;
  cell_random u_random (.clk_i, .rst_ni, .seed_i, .bits_o(bits), .flip_o(flip));
  assign spoil      = bits[47:40] == '0;
  assign init       = now_q < 16'(Ids + 3);
  assign busy       = ran_q > 20_000;
  assign re         = (flip[0] || busy) && !init;
  assign id         = busy && bits[36:32] != '0 ? '0 : bits[39] ? id_q : id_t'(bits);
  assign count      = (flip[1] || busy) && asked_q;
  assign control_re = bits[38] && !init;
  assign control_id = bits[37] ? id_q : id_t'(bits[31:16]);

  sluice_id_counts u_dut (
    .clk_i, .rst_ni, .init_i(init), .init_index_i(now_q),
    .re_i(re), .id_i(id), .count_i(count && !(break_i == 18 && spoil)), .value_o(value),
    .control_re_i(control_re), .control_id_i(control_id ^ id_t'(break_i == 19 && spoil)),
    .control_value_o(control)
  );

  int unsigned count_q [Ids];
  always_ff @(posedge clk_i) begin
    if (re) id_q <= id;
    if (control_re) control_id_q <= control_id;
    if (init) for (int unsigned n = 0; n < Ids; n++) count_q[n] <= 0;
    else if (count) count_q[id_q] <= count_q[id_q] + 1;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      now_q           <= '0;
      ran_q           <= 0;
      asked_q         <= 1'b0;
      control_asked_q <= 1'b0;
      again_o         <= 0;
    end else begin
      if (init) now_q <= now_q + 16'd1;
      ran_q           <= ran_q + 1;
      asked_q         <= re;
      control_asked_q <= control_re;
      again_o         <= again_o + 32'(count && re && id == id_q);
      if (asked_q && value != count_q[id_q] + 32'(count)) begin
        $display("FAIL id %0d: %0d events, not %0d", id_q, value, count_q[id_q] + 32'(count));
        $fatal(1);
      end
      if (control_asked_q && control != count_q[control_id_q]) begin
        $display("FAIL id %0d: control reads %0d events, not %0d", control_id_q, control,
                 count_q[control_id_q]);
        $fatal(1);
      end
    end
  end
  assign of_id_0_o = int'(count_q[0]);
  logic [1:0] meets;                             // a memory is asked for the word that it is given
  assign meets[0] = u_dut.u_counts.re_i && u_dut.u_counts.we_i
      && u_dut.u_counts.raddr_i == u_dut.u_counts.waddr_i;
  assign meets[1] = u_dut.u_control.re_i && u_dut.u_control.we_i
      && u_dut.u_control.raddr_i == u_dut.u_control.waddr_i;
  always_ff @(posedge clk_i) if (rst_ni && meets != '0) begin
    $display("FAIL counts of ids: a memory is asked for the word that it is given");
    $fatal(1);
  end

  logic unused_bits;
  assign unused_bits = ^bits;
endmodule : cell_ids
