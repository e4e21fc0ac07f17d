// SPDX-License-Identifier: Apache-2.0

/// From frames to bytes of the line (docs/fpga.md): adds flags, escapes and the check.
///
/// A frame is kind, sequence number, argument and 0 or 4 bytes more (`extra`), and, if `body_i`, the beats of a
/// stream up to its last. A frame starts in the cycle in which `ready_o` is high. The body is taken beat by beat as the line
/// has room, so its sender must be able to wait. A body whose sender was reset ends at once, without a check.
module sluice_serial_out
  import sluice_pkg::BeatBits;
  import sluice_cfg_pkg::BeatBytes;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // frame
  input  logic                 valid_i,
  input  logic [23:0]          head_i,      // kind, sequence number, argument
  input  logic                 extra_i,
  input  logic [31:0]          extra_data_i,
  input  logic                 body_i,
  output logic                 ready_o,
  // body of the frame that was started last
  input  logic                 beat_valid_i,
  input  logic [BeatBits-1:0]  beat_data_i,
  input  logic [BeatBytes-1:0] beat_keep_i, // ones from bit 0 on
  input  logic                 beat_last_i,
  output logic                 beat_ready_o,
  input  logic                 abort_i,     // the sender of the body is in reset
  // line
  output logic                 valid_o,
  output logic [7:0]           data_o,
  input  logic                 ready_i
);
  localparam logic [7:0] Flag = 8'h7e, Escape = 8'h7d;
  typedef enum logic [2:0] {StIdle, StHead, StWait, StBody, StCheck, StEnd} state_e;

  state_e       state_q;
  logic [55:0]          head_q;             // next byte in front
  logic [2:0]           left_q;             // bytes of the head, or of the check
  logic                 body_q, last_q, escaped_q, abort_q;
  logic [BeatBits-1:0]  data_q;             // next byte at the bottom
  logic [BeatBytes-1:0] keep_q;
  logic [15:0]          crc_q, crc, check;
  logic [7:0]           plain;
  logic                 content, escape, step;

  assign check   = ~crc_q;
  assign content = state_q == StHead || state_q == StBody || state_q == StCheck;
  always_comb begin
    unique case (state_q)
      StHead:  plain = head_q[55:48];
      StBody:  plain = data_q[7:0];
      StCheck: plain = left_q == 3'd2 ? check[7:0] : check[15:8];
      default: plain = Flag;
    endcase
  end
  assign escape  = content && !escaped_q && (plain == Flag || plain == Escape);
  assign valid_o = content || state_q == StEnd || (state_q == StIdle && valid_i);
  assign data_o  = escape ? Escape : escaped_q ? plain ^ 8'h20 : plain;
  assign step    = valid_o && ready_i && !escape;            // `plain` is on its way
  assign ready_o = state_q == StIdle && step;
  assign beat_ready_o = state_q == StWait && !abort_q;
  sluice_serial_crc u_crc (.crc_i(crc_q), .data_i(plain), .crc_o(crc));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q   <= StIdle;
      escaped_q <= 1'b0;
      body_q    <= 1'b0;
      last_q    <= 1'b0;
      abort_q   <= 1'b0;
      left_q    <= '0;
    end else begin
      abort_q <= (abort_q || abort_i) && state_q != StIdle;
      if (valid_o && ready_i) escaped_q <= escape;
      unique case (state_q)
        StIdle: if (step) begin
          state_q <= StHead;
          body_q  <= body_i;
          left_q  <= extra_i ? 3'd7 : 3'd3;
        end
        StHead: if (step) begin
          left_q <= left_q - 3'd1;
          if (left_q == 3'd1) begin
            state_q <= body_q ? StWait : StCheck;
            left_q  <= 3'd2;
          end
        end
        StWait: if (abort_q) begin
          state_q <= StEnd;
        end else if (beat_valid_i) begin
          state_q <= StBody;
          last_q  <= beat_last_i;
        end
        StBody: if (step && !keep_q[1]) state_q <= last_q ? StCheck : StWait;
        StCheck: if (step) begin
          left_q <= left_q - 3'd1;
          if (left_q == 3'd1) state_q <= StEnd;
        end
        default: if (step) state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      head_q <= {head_i, extra_data_i};
      crc_q  <= '1;
    end else if (step && (state_q == StHead || state_q == StBody)) begin
      head_q <= {head_q[47:0], 8'd0};
      crc_q  <= crc;
    end
    if (state_q == StWait) begin
      data_q <= beat_data_i;
      keep_q <= beat_keep_i;
    end else if (step) begin
      data_q <= {8'd0, data_q[BeatBits-1:8]};
      keep_q <= {1'b0, keep_q[BeatBytes-1:1]};
    end
  end

  logic unused_keep;
  assign unused_keep = keep_q[0];
endmodule : sluice_serial_out
