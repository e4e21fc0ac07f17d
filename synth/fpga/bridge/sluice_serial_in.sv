// SPDX-License-Identifier: Apache-2.0

/// From bytes of the line to frames (docs/fpga.md): takes flags, escapes and the check off, keeps one frame.
///
/// kind, sequence number and argument are registers; the payload is stored in beats of the chip's ports, behind its end the
/// last one is 0. `done_o` comes with the flag that ends a frame, and `error_o` says what is wrong with it; empty frames (two
/// flags in a row) are nothing. A frame stays until `free_i`; what comes in meanwhile is lost and makes its frame bad.
module sluice_serial_in
  import sluice_pkg::BeatBits;
  import sluice_pkg::BeatIdxBits;
  import sluice_cfg_pkg::BeatBytes;
#(
  parameter int unsigned PayloadBytes = 1024,           // a power of two, at least two beats
  localparam int unsigned LenBits  = $clog2(PayloadBytes) + 1,
  localparam int unsigned AddrBits = LenBits - 1 - BeatIdxBits
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // line
  input  logic                valid_i,
  input  logic [7:0]          data_i,
  input  logic                line_error_i,
  // frame
  output logic                done_o,                    // until free_i
  output logic [1:0]          error_o,                   // 0 none, 1 check or too short, 2 too long, 3 line
  output logic [7:0]          kind_o,
  output logic [7:0]          seq_o,
  output logic [7:0]          arg_o,
  output logic [LenBits-1:0]  len_o,                     // bytes of payload
  input  logic                free_i,
  input  logic [AddrBits-1:0] beat_i,
  output logic [BeatBits-1:0] beat_o                     // one cycle later
);
  localparam logic [7:0]  Flag = 8'h7e, Escape = 8'h7d;
  localparam logic [15:0] Residue = 16'hf0b8;
  localparam logic [LenBits-1:0] MaxLen = LenBits'(PayloadBytes);

  logic                escaped_q, bad_line_q, too_long_q, done_q;
  logic [1:0]          error_q;
  logic [15:0]         crc_q, crc;
  logic [2:0]          head_q;                          // bytes seen, up to 5: head and what may be the check
  logic [1:0][7:0]     late_q;                          // the last two bytes may be the check
  logic [7:0]          byte_in;
  logic                take, flag, store, last_of_beat;
  logic [LenBits-1:0]  len_q;
  logic [BeatBits-1:0] collect_q, collect_d;
  logic [7:0]          kind_q, seq_q, arg_q;

  assign byte_in = escaped_q ? data_i ^ 8'h20 : data_i;
  assign flag    = valid_i && data_i == Flag;
  assign take    = valid_i && data_i != Flag && data_i != Escape && !done_q;
  assign store   = take && head_q == 3'd5 && !too_long_q;
  sluice_serial_crc u_crc (.crc_i(crc_q), .data_i(byte_in), .crc_o(crc));

  assign done_o  = done_q;
  assign error_o = error_q;
  assign kind_o  = kind_q;
  assign seq_o   = seq_q;
  assign arg_o   = arg_q;
  assign len_o   = len_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      escaped_q  <= 1'b0;
      bad_line_q <= 1'b0;
      too_long_q <= 1'b0;
      done_q     <= 1'b0;
      error_q    <= '0;
      crc_q      <= '1;
      head_q     <= '0;
      len_q      <= '0;
    end else if (done_q) begin
      // Nobody listens: what comes now is lost, so the frame it belongs to is bad.
      if (valid_i || line_error_i) bad_line_q <= !flag;
      if (free_i) begin
        done_q     <= 1'b0;
        escaped_q  <= 1'b0;
        too_long_q <= 1'b0;
        crc_q      <= '1;
        head_q     <= '0;
        len_q      <= '0;
      end
    end else begin
      if (valid_i) escaped_q <= data_i == Escape;
      if (line_error_i) bad_line_q <= 1'b1;
      if (take) begin
        crc_q  <= crc;
        head_q <= head_q == 3'd5 ? head_q : head_q + 3'd1;
        if (store) len_q <= len_q + 1'b1;
        if (head_q == 3'd5 && len_q == MaxLen) too_long_q <= 1'b1;
      end
      if (flag) begin
        escaped_q  <= 1'b0;
        bad_line_q <= 1'b0;
        done_q     <= head_q != '0 || bad_line_q;
        error_q    <= bad_line_q ? 2'd3 : too_long_q ? 2'd2 : head_q != 3'd5 || crc_q != Residue ? 2'd1 : 2'd0;
      end
    end
  end

  always_ff @(posedge clk_i) if (take) begin
    late_q <= {late_q[0], byte_in};
    if (head_q == 3'd0) kind_q <= byte_in;
    if (head_q == 3'd1) seq_q  <= byte_in;
    if (head_q == 3'd2) arg_q  <= byte_in;
  end

  // ---- payload. A byte is written, with its beat, when two more have come: so the check stays out.
  always_comb begin
    collect_d = len_q[BeatIdxBits-1:0] == '0 ? '0 : collect_q;
    for (int unsigned b = 0; b < BeatBytes; b++)
      if (len_q[BeatIdxBits-1:0] == BeatIdxBits'(b)) collect_d[8*b +: 8] = late_q[1];
  end
  always_ff @(posedge clk_i) if (store) collect_q <= collect_d;

  // The last beat is written again with every byte.
  assign last_of_beat = store && len_q != MaxLen;
  sluice_ram #(.Depth(PayloadBytes / BeatBytes), .Width(BeatBits)) u_payload (
    .clk_i, .we_i(last_of_beat), .waddr_i(len_q[BeatIdxBits +: AddrBits]), .wdata_i(collect_d),
    .re_i(1'b1), .raddr_i(beat_i), .rdata_o(beat_o)
  );
endmodule : sluice_serial_in
