// SPDX-License-Identifier: Apache-2.0

/// Writes the containers back into the header: the actions of a deparser entry, in order, a later
/// one over an earlier one. Nothing is written behind the packet's end or behind the header. Over
/// all of them go the words of an array, which sluice_array_exit has placed.
/// Latency 2 cycles, one step of a header per cycle: the first comes with valid_i, the others in
/// the cycles behind it (in narrow chips; else the header is one step, and a packet goes every
/// cycle).
///
/// First cycle: each action picks its container and shifts it to its place within words of eight
/// bytes (at most 13 bytes, two words). Second cycle: each word of the header takes what the
/// actions have for it, in order. Example: action {offset 14, 4-byte container 0x11223344} of a
/// 64-byte packet gives bytes 14, 15 = 11 22 at the end of word 1 and 16, 17 = 33 44 at the start
/// of word 2.
module sluice_deparser
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_layout_pkg::*;
(
  input  logic                           clk_i,
  input  logic                           rst_ni,
  // entry, containers, bytes of the packet that are in the header; and the first step
  input  logic                           valid_i,
  input  logic [TableDeparserWidth-1:0]  entry_i,
  input  containers_t                    cont_i,
  input  logic [7:0]                     bytes_i,
  input  logic [StepBits-1:0]            header_i,   // as it arrived
  // a cycle later, in a chip with arrays: bit h: bytes 2h and 2h + 1 are those of over_header_i
  input  logic [HeaderBytes/2-1:0]       over_i,
  input  logic [HeaderBits-1:0]          over_header_i,
  output logic                           valid_o,    // the first step
  // as it arrived, one cycle before the same step of header_o
  output logic [StepBits-1:0]            ahead_o,
  output logic [StepBits-1:0]            old_o,      // as it arrived
  output logic [StepBits-1:0]            header_o    // with the containers
);
  localparam int unsigned NumActions = ParseActions;
  localparam int unsigned NumWords   = StepBytes / 8;            // of a step
  localparam int unsigned SpanBytes  = 13;                       // 6 bytes at any place of a word

  // ---- cycle 1: values at their places within two words
  // Containers that this chip does not have read 0.
  logic [7:0][15:0] b2;
  logic [7:0][31:0] b4;
  logic [7:0][MaxContainerBits-1:0] b6;
  assign b2 = 128'(cont_i.b2);
  assign b4 = 256'(cont_i.b4);
  assign b6 = (8*MaxContainerBits)'(cont_i.b6);

  // ---- steps: the one that comes, and the one in cycle 2
  logic  active, active_q;
  step_t step_q, step_q2;
  assign active = valid_i || (HeaderSteps > 1 && step_q != '0);

  logic                                   valid_q;
  logic [StepBits-1:0]                    header_q;
  logic [NumActions-1:0]                  used_q;
  logic [NumActions-1:0][3:0]             word_q;
  logic [NumActions-1:0][SpanBytes-1:0]   mask_q;                // bytes to write
  // bytes at their places of either word
  logic [NumActions-1:0][63:0]            data_q;

  for (genvar a = 0; a < NumActions; a++) begin : gen_action
    parse_action_t action;
    logic          used;
    logic [47:0]   value, swapped;
    logic [5:0]    mask;

    assign action = entry_i[TableDeparserWidth-1-ParseActionWidth*a -: ParseActionWidth];
    assign used = action.valid && !action.metadata && action.kind != TypeConst;

    // 0 where mask is 0; what is behind the first word never meets what is in it
    logic [8*SpanBytes-1:0] placed;
    assign placed = (8*SpanBytes)'(swapped) << {action.offset[2:0], 3'd0};

    always_comb begin
      case (action.kind)
        TypeB2:  value = {b2[action.idx], 32'd0};
        TypeB4:  value = {b4[action.idx], 16'd0};
        TypeB6:  value = 48'(b6[action.idx]);
        default: value = '0;
      endcase
      for (int unsigned b = 0; b < 6; b++) begin
        mask[b] = 8'(b) < {5'd0, action.kind, 1'b0} && 8'(action.offset) + 8'(b) < bytes_i;
        swapped[8*b +: 8] = mask[b] ? value[47-8*b -: 8] : 8'd0;
      end
    end

    always_ff @(posedge clk_i) begin
      if (valid_i) begin
        used_q[a] <= used;
        if (used) begin
          word_q[a] <= action.offset[6:3];
          mask_q[a] <= SpanBytes'(mask) << action.offset[2:0];
          data_q[a] <= placed[63:0] | 64'(placed[8*SpanBytes-1:64]);
        end
      end
    end
  end

  // ---- cycle 2: into the header. An action's bytes lie at the same places of a word whether they
  // are in its first word or in its second, so each byte of the header takes one step for each
  // action.
  assign ahead_o = header_q;
  logic [StepBits-1:0] merged;
  always_comb begin
    logic [63:0] first, second, mask;
    logic [4:0]  base;                                           // the step's first word
    base   = HeaderSteps > 1 ? 5'(step_q2) * 5'(NumWords) : '0;
    merged = header_q;
    first  = '0;
    second = '0;
    mask   = '0;
    if (active_q) begin
      for (int unsigned a = 0; a < NumActions; a++) begin
        if (used_q[a]) begin
          for (int unsigned b = 0; b < 8; b++) begin
            first[8*b +: 8]  = {8{mask_q[a][b]}};
            second[8*b +: 8] = {8{b + 8 < SpanBytes && mask_q[a][(b+8)%SpanBytes]}};
          end
          for (int unsigned w = 0; w < NumWords; w++) begin
            mask = (5'(word_q[a]) == base + 5'(w) ? first : '0)
                | (5'(word_q[a]) + 5'd1 == base + 5'(w) ? second : '0);
            merged[64*w +: 64] = (merged[64*w +: 64] & ~mask) | (data_q[a] & mask);
          end
        end
      end
    end
  end

  // ---- ... and the array. Its chips have headers of one step.
  logic [StepBits-1:0] written;
  if (ArrayWords != 0) begin : gen_over
    for (genvar h = 0; h < StepBytes / 2; h++) begin : gen_half
      assign written[16*h +: 16] = over_i[h] ? over_header_i[16*h +: 16] : merged[16*h +: 16];
    end
  end else begin : gen_plain
    assign written     = merged;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q  <= 1'b0;
      valid_o  <= 1'b0;
      active_q <= 1'b0;
      step_q   <= '0;
    end else begin
      valid_q  <= valid_i;
      valid_o  <= valid_q;
      active_q <= active;
      if (HeaderSteps > 1 && active) step_q <= step_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (active) begin
      header_q <= header_i;
      step_q2  <= step_q;
    end
    if (active_q) begin
      old_o    <= header_q;
      header_o <= written;
    end
  end
endmodule : sluice_deparser
