// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// The tail of the daisy chain: tells the control port's receiver what became of each message, and
/// sends what was read as packets on the control port.
///
/// An answer is the request's first block with OP = ANSWER (or REFUSED), lengths and IPv4 checksum
/// mended, then the entries, each in a block of its own (two for action words). Throughput 1 word
/// per cycle in, 1 block in two cycles out, or in as many as it has beats and one more; what the
/// first block needs is worked out in 4 cycles, an addition in each.
module sluice_ctl_tx
  import sluice_cfg_pkg::BeatBytes;
  import sluice_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  // tail of the chain
  input  chain_t              chain_i,
  output logic                chain_ready_o,
  output logic                back_o,          // a message has come back
  output logic                back_refused_o,
  output logic                idle_o,
  // the request that is being served
  input  logic [CtlBits-1:0]  head_i,
  input  logic                is_read_i,
  input  logic [3:0]          words_i,
  // control port
  output ctl_beat_t           tx_o,
  input  logic                tx_ready_i
);
  typedef enum logic [2:0] {StIdle, StSum, StHead, StWords, StBlock, StSkip} state_e;

  state_e              state_d, state_q;
  logic [1023:0]       entry_d, entry_q;       // big-endian, two blocks
  logic [4:0]          word_d, word_q;
  logic                second_d, second_q;
  logic                final_d, final_q;       // the entry in hand is the answer's last

  // ---- output register: a block, which leaves beat by beat; the next one when it has left
  localparam int unsigned Beats = CtlBytes / BeatBytes;
  logic                         out_valid, out_ready, out_last, valid_q, last_q;
  logic [CtlBits-1:0]           out_data, out_data_q;
  logic [index_bits(Beats)-1:0] beat_q;
  assign out_ready = !valid_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      beat_q  <= '0;
    end else begin
      valid_q <= valid_q ? !tx_ready_i || 32'(beat_q) != Beats - 1 : out_valid;
      if (out_ready)                    beat_q <= '0;
      else if (tx_ready_i && Beats > 1) beat_q <= beat_q + 1'b1;
    end
  end
  always_ff @(posedge clk_i)
    if (out_ready) begin
      out_data_q <= out_data;
      last_q     <= out_last;
    end else if (tx_ready_i && Beats > 1) begin
      out_data_q <= out_data_q >> (Beats > 1 ? BeatBits : 0);
    end
  assign tx_o = '{valid: valid_q, last: last_q && 32'(beat_q) == Beats - 1, keep: '1,
                  data: out_data_q[BeatBits-1:0]};

  chain_header_t header;
  logic          is_answer, is_refused_read, wide;
  assign header          = chain_header_t'(chain_i.data);
  assign is_answer       = header.op == ChainAnswer;
  assign is_refused_read = is_read_i && !is_answer;
  assign wide            = words_i > 4'd8;

  // ---- first block of the answer: lengths, and the checksum in steps
  logic        answer_q;                       // an answer, else a refused read
  logic [7:0]  entries_q;
  logic [1:0]  step_q;
  logic [15:0] ip_len_q, old_len;
  logic [17:0] sum_q;
  assign old_len = {head_i[8*20 +: 8], head_i[8*21 +: 8]};
  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      answer_q  <= is_answer;
      entries_q <= is_answer ? header.count : 8'd0;
      step_q    <= '0;
    end else if (state_q == StSum) begin
      step_q <= step_q + 2'd1;
      if (step_q == 2'd0) begin
        // 64-byte head less 18, and the entries
        ip_len_q <= 16'd46 + (16'(entries_q) << (wide ? 7 : 6));
        sum_q    <= 18'({~head_i[8*28 +: 8], ~head_i[8*29 +: 8]}) + 18'(16'(~old_len));
      end else if (step_q == 2'd1) begin
        sum_q <= sum_q + 18'(ip_len_q);
      end else begin
        // folding once may carry once more
        sum_q <= 18'(sum_q[15:0]) + 18'(sum_q[17:16]);
      end
    end
  end

  logic [CtlBits-1:0] head;
  always_comb begin
    head = head_i;
    {head[8*20 +: 8], head[8*21 +: 8]} = ip_len_q;
    {head[8*28 +: 8], head[8*29 +: 8]} = ~sum_q[15:0];
    {head[8*42 +: 8], head[8*43 +: 8]} = ip_len_q - 16'd20;
    {head[8*44 +: 8], head[8*45 +: 8]} = 16'd0;
    head[8*53 +: 8] = answer_q ? 8'(ChainAnswer) : 8'(ChainRefused);
  end

  function automatic logic [CtlBits-1:0] to_wire(logic [CtlBits-1:0] value);
    logic [CtlBits-1:0] b;
    for (int unsigned n = 0; n < CtlBytes; n++) b[8*n +: 8] = value[CtlBits-1-8*n -: 8];
    return b;
  endfunction

  always_comb begin
    state_d        = state_q;
    entry_d        = entry_q;
    word_d         = word_q;
    second_d       = second_q;
    final_d        = final_q;
    chain_ready_o  = 1'b0;
    back_o         = 1'b0;
    back_refused_o = 1'b0;
    out_valid      = 1'b0;
    out_last       = 1'b0;
    out_data       = head;

    case (state_q)
      // A done write comes back as one word with OP = WRITE; what nobody owned comes back as it was
      // sent.
      StIdle: begin
        chain_ready_o = 1'b1;
        word_d        = '0;
        second_d      = 1'b0;
        if (chain_i.valid) begin
          if (is_answer || is_refused_read) begin
            final_d = chain_i.last;
            state_d = StSum;
          end else begin
            back_o         = 1'b1;
            back_refused_o = header.op != ChainWrite || !chain_i.last;
            if (!chain_i.last) state_d = StSkip;
          end
        end
      end

      StSum: if (step_q == 2'd3) state_d = StHead;

      StHead: begin
        out_valid = 1'b1;
        out_last  = !answer_q;
        if (out_ready) begin
          if (answer_q) state_d = StWords;
          else begin
            back_o         = 1'b1;
            back_refused_o = 1'b1;
            state_d        = final_q ? StIdle : StSkip;
          end
        end
      end

      StWords: begin
        chain_ready_o = 1'b1;
        if (chain_i.valid) begin
          if (word_q == '0) entry_d = '0;
          for (int unsigned w = 0; w < 10; w++)
            if (word_q == 5'(w)) entry_d[1023-64*w -: 64] = chain_i.data;
          word_d = word_q + 5'd1;
          if (word_q == 5'(words_i) - 5'd1) begin
            final_d = chain_i.last;
            word_d  = '0;
            state_d = StBlock;
          end
        end
      end

      StBlock: begin
        out_valid = 1'b1;
        out_data  = to_wire(second_q ? entry_q[511:0] : entry_q[1023:512]);
        out_last  = final_q && (second_q || !wide);
        if (out_ready) begin
          second_d = wide && !second_q;
          if (!second_d) state_d = final_q ? StIdle : StWords;
          back_o = out_last;
        end
      end

      StSkip: begin
        chain_ready_o = 1'b1;
        if (chain_i.valid && chain_i.last) state_d = StIdle;
      end

      default: state_d = StIdle;
    endcase
  end

  assign idle_o = state_q == StIdle && !valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StIdle;
    else         state_q <= state_d;
  end

  always_ff @(posedge clk_i) begin
    entry_q  <= entry_d;
    word_q   <= word_d;
    second_q <= second_d;
    final_q  <= final_d;
  end
endmodule : sluice_ctl_tx
