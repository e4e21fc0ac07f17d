// SPDX-License-Identifier: Apache-2.0

/// A serial line to the chip: registers (AXI4-Lite), control port and data ports (AXI4-Stream) behind one UART.
/// Requests come in (sluice_serial_requests), answers and what the chip sends go out (sluice_serial_answers); frames,
/// kinds and codes are those of docs/fpga.md. The line is slower than any port: when a host sends faster than it takes
/// packets back, the chip's output queues fill and drop (OUTPUT_FULL).
module sluice_serial_bridge
  import sluice_pkg::BeatBits;
  import sluice_cfg_pkg::NumPipes;
  import sluice_cfg_pkg::BeatBytes;
#(
  parameter int unsigned Divisor      = 16,      // clock cycles of a bit of the line
  parameter int unsigned PayloadBytes = 1024,    // longest payload, a power of two, at least two beats
  parameter int unsigned Patience     = 65536    // cycles, a power of two
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  // line
  input  logic                               line_i,
  output logic                               line_o,
  // chip
  output logic                               chip_rst_no,
  output logic [NumPipes-1:0]                rx_valid_o,
  output logic [BeatBits-1:0]                rx_data_o,     // of all lanes, and of the control port
  output logic [BeatBytes-1:0]               rx_keep_o,
  output logic                               rx_last_o,
  output logic [7:0]                         rx_port_o,
  input  logic [NumPipes-1:0]                tx_valid_i,
  input  logic [NumPipes-1:0][BeatBits-1:0]  tx_data_i,
  input  logic [NumPipes-1:0][BeatBytes-1:0] tx_keep_i,
  input  logic [NumPipes-1:0]                tx_last_i,
  input  logic [NumPipes-1:0][7:0]           tx_port_i,
  input  logic [NumPipes-1:0][31:0]          tx_ticket_i,
  output logic [NumPipes-1:0]                tx_ready_o,
  output logic                               ctl_rx_valid_o,
  input  logic                               ctl_rx_ready_i,
  input  logic                               ctl_tx_valid_i,
  input  logic [BeatBits-1:0]                ctl_tx_data_i,
  input  logic [BeatBytes-1:0]               ctl_tx_keep_i,
  input  logic                               ctl_tx_last_i,
  output logic                               ctl_tx_ready_o,
  output logic                               awvalid_o,
  output logic [19:0]                        addr_o,        // of reads and writes
  input  logic                               awready_i,
  output logic                               wvalid_o,
  output logic [31:0]                        wdata_o,
  input  logic                               wready_i,
  input  logic                               bvalid_i,
  input  logic [1:0]                         bresp_i,
  output logic                               arvalid_o,
  input  logic                               arready_i,
  input  logic                               rvalid_i,
  input  logic [1:0]                         rresp_i,
  input  logic [31:0]                        rdata_i
);
  if (PayloadBytes < 2 * BeatBytes || (PayloadBytes & (PayloadBytes - 1)) != 0)
    $fatal(1, "sluice_serial_bridge: PayloadBytes is %0d; it must be a power of two, at least two beats of %0d", PayloadBytes, BeatBytes);

  localparam int unsigned LenBits  = $clog2(PayloadBytes) + 1;
  localparam int unsigned AddrBits = $clog2(PayloadBytes / BeatBytes);     // beat of a payload

  // ---- line
  logic       in_valid, line_error, out_valid, out_ready;
  logic [7:0] in_data, out_data;
  sluice_uart_rx #(.Divisor(Divisor)) u_uart_rx (
    .clk_i, .rst_ni, .line_i, .valid_o(in_valid), .data_o(in_data), .error_o(line_error)
  );
  sluice_uart_tx #(.Divisor(Divisor)) u_uart_tx (
    .clk_i, .rst_ni, .valid_i(out_valid), .data_i(out_data), .ready_o(out_ready), .line_o
  );

  // ---- requests
  logic                done, free;
  logic [1:0]          error;
  logic [7:0]          kind, seq, arg;
  logic [LenBits-1:0]  len;
  logic [AddrBits-1:0] beat_idx;
  logic [BeatBits-1:0] beat;
  sluice_serial_in #(.PayloadBytes(PayloadBytes)) u_in (
    .clk_i, .rst_ni,
    .valid_i(in_valid), .data_i(in_data), .line_error_i(line_error),
    .done_o(done), .error_o(error), .kind_o(kind), .seq_o(seq), .arg_o(arg), .len_o(len), .free_i(free),
    .beat_i(beat_idx), .beat_o(beat)
  );

  logic        answer, answer_extra, answer_taken;
  logic [23:0] answer_head;
  logic [31:0] answer_data;
  sluice_serial_requests #(.PayloadBytes(PayloadBytes), .Patience(Patience)) u_requests (
    .clk_i, .rst_ni,
    .done_i(done), .error_i(error), .kind_i(kind), .seq_i(seq), .arg_i(arg), .len_i(len), .free_o(free),
    .beat_o(beat_idx), .beat_i(beat),
    .answer_o(answer), .answer_head_o(answer_head), .answer_extra_o(answer_extra), .answer_data_o(answer_data),
    .answer_taken_i(answer_taken),
    .chip_rst_no,
    .rx_valid_o, .rx_data_o, .rx_keep_o, .rx_last_o, .rx_port_o,
    .ctl_valid_o(ctl_rx_valid_o), .ctl_ready_i(ctl_rx_ready_i),
    .awvalid_o, .wvalid_o, .arvalid_o, .addr_o, .wdata_o, .awready_i, .wready_i, .arready_i,
    .bvalid_i, .rvalid_i, .bresp_i, .rresp_i, .rdata_i
  );

  // ---- answers, and packets of the chip
  sluice_serial_answers u_answers (
    .clk_i, .rst_ni,
    .answer_i(answer), .answer_head_i(answer_head), .answer_extra_i(answer_extra), .answer_data_i(answer_data),
    .answer_taken_o(answer_taken),
    .chip_rst_ni(chip_rst_no),
    .tx_valid_i, .tx_data_i, .tx_keep_i, .tx_last_i, .tx_port_i, .tx_ticket_i, .tx_ready_o,
    .ctl_valid_i(ctl_tx_valid_i), .ctl_data_i(ctl_tx_data_i), .ctl_keep_i(ctl_tx_keep_i), .ctl_last_i(ctl_tx_last_i),
    .ctl_ready_o(ctl_tx_ready_o),
    .byte_valid_o(out_valid), .byte_o(out_data), .byte_ready_i(out_ready)
  );
endmodule : sluice_serial_bridge
