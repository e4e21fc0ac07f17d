// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Turns reconfiguration packets from the control port into messages on the daisy chain.
///
/// One packet at a time: the next one starts when all messages of this one have come back from the
/// tail of the chain, so that packets take effect whole and in order. An entry is one message, sent
/// as a header and its words. A packet counts as good if it had something to do and none of its
/// messages was refused; everything else on this port counts as bad. READ and ERASE go out once the
/// frame has ended, so a frame that is too long does neither; of a WRITE, entries that lie in the
/// legal length take effect.
/// Throughput: an entry of w words takes w + 2 cycles, one of two blocks 3 more, and of narrow
/// beats one more each. Menshen, section 7 of the formats (docs/tables.md, RECONFIG).
module sluice_ctl_rx
  import sluice_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                ready_i,         // the chip is ready: before that the port waits
  // control port
  input  ctl_beat_t           rx_i,
  output logic                rx_ready_o,
  // head of the chain
  output chain_t              chain_o,
  input  logic                chain_ready_i,
  output logic                chain_busy_o,    // messages are on the chain
  // a packet is being served: from its first block to its end
  output logic                busy_o,
  // tail: a message came back
  input  logic                back_i,
  input  logic                back_refused_i,
  input  logic                tx_idle_i,       // no answer is under way
  // the packet that is being served
  output logic [CtlBits-1:0]  head_o,          // its first block
  output logic                is_read_o,
  output logic [3:0]          words_o,         // 64-bit words of an entry of its table
  // counters, the cycle after
  output logic                good_o,
  output logic                bad_o
);
  typedef enum logic [2:0] {StHead, StDecode, StEntry, StHeader, StWords, StSkip, StWait} state_e;

  state_e              state_d, state_q;
  logic [CtlBits-1:0]  head_d, head_q;
  logic [EntryBits-1:0] entry_d, entry_q;
  logic                second_d, second_q;     // the second block of an action word is next
  logic                ended_d, ended_q;       // the packet's last block has been taken
  logic                refused_d, refused_q;
  // one bit more: entries behind index 65535 are nobody's
  logic [16:0]         index_d, index_q;
  logic [7:0]          blocks_d, blocks_q;     // of the packet, taken so far; stops at one too many
  logic [3:0]          word_d, word_q;
  // messages not back yet; messages sent (saturating)
  logic [7:0]          open_d, open_q, sent_d, sent_q;

  function automatic logic [7:0] byte_of(logic [CtlBits-1:0] block, int unsigned n);
    return block[8*n +: 8];
  endfunction

  function automatic reconfig_t request_of(logic [CtlBits-1:0] block);
    logic [ReconfigWidth-1:0] r;
    for (int unsigned n = 0; n < ReconfigWidth / 8; n++)
      r[ReconfigWidth-1-8*n -: 8] = byte_of(block, 46 + n);
    return reconfig_t'(r);
  endfunction

  // ---- the block that waits
  logic                waits, take, block_last, is_reconfig;
  logic [CtlBits-1:0]  block_data;
  logic [6:0]          bytes_here;
  sluice_ctl_block u_block (
    .clk_i, .rst_ni, .ready_i, .rx_i, .rx_ready_o,
    .valid_o(waits), .data_o(block_data), .last_o(block_last), .is_reconfig_o(is_reconfig),
    .bytes_o(bytes_here), .take_i(take)
  );

  // ---- the packet being served, and what its table asks for (known from StEntry on)
  reconfig_t  request;
  logic       wide, no_table, is_short;
  logic [3:0] words;
  logic [6:0] needed_first, needed_second;
  assign request     = request_of(head_q);
  assign is_read_o   = request.op == 8'(ChainRead);
  assign head_o      = head_q;
  assign words_o     = words;

  // An entry counts only if all its bytes are there; the second block of an action word holds bytes
  // 64..78.
  sluice_ctl_entry u_entry (
    .clk_i, .resource_i(request.resource), .sub_i(request.sub),
    .none_o(no_table), .wide_o(wide), .words_o(words),
    .first_bytes_o(needed_first), .second_bytes_o(needed_second)
  );
  assign is_short = bytes_here < (second_q ? needed_second : needed_first);

  function automatic logic [CtlBits-1:0] big_endian(logic [CtlBits-1:0] block);
    logic [CtlBits-1:0] b;
    for (int unsigned n = 0; n < CtlBytes; n++) b[CtlBits-1-8*n -: 8] = byte_of(block, n);
    return b;
  endfunction

  logic [CtlBits-1:0] block;
  assign block = big_endian(block_data);

  chain_header_t header;
  logic       is_write, is_known_op, is_bad_read;
  logic [3:0] op;
  assign is_write    = request.op == 8'(ChainWrite);
  assign is_known_op = request.op <= 8'(ChainErase);
  // Every read is answered: one of no table, or of too many entries, goes round as refused.
  assign is_bad_read = is_read_o && (no_table || request.count > 8'd128);
  assign op          = is_bad_read ? ChainRefused : request.op[3:0];
  assign header = '{op: op, stage: request.stage, resource: request.resource,
                    sub: request.sub, index: index_q[15:0], row: request.row, copy: request.copy,
                    count: request.count == 8'd0 ? 8'd1 : request.count, reserved: '0};

  localparam logic [7:0] MaxBlocks = 8'(MaxBytes / CtlBytes);
  // the block that waits lies behind the longest legal packet
  logic too_long;
  assign too_long = blocks_q >= MaxBlocks;

  // On its own, so that nothing here depends on the chain's ready.
  logic last_word;
  assign last_word = word_q == words - 4'd1;
  chain_t chain;
  logic   chain_ready;
  assign chain = state_q == StWords
               ? '{valid: 1'b1, first: 1'b0, last: last_word, data: entry_q[EntryBits-1 -: 64]}
               : '{valid: state_q == StHeader, first: 1'b1, last: !is_write, data: header};
  sluice_slice #(.Width($bits(chain_t) - 1)) u_slice (
    .clk_i, .rst_ni,
    .in_valid_i (chain.valid),   .in_ready_o (chain_ready),
    .in_data_i  ({chain.first, chain.last, chain.data}),
    .out_valid_o(chain_o.valid), .out_ready_i(chain_ready_i),
    .out_data_o ({chain_o.first, chain_o.last, chain_o.data})
  );

  assign chain_busy_o = open_q != '0;
  assign busy_o       = state_q != StHead;

  logic good, bad;
  always_comb begin
    state_d    = state_q;
    head_d     = head_q;
    entry_d    = entry_q;
    second_d   = second_q;
    ended_d    = ended_q;
    refused_d  = refused_q || (back_i && back_refused_i);
    index_d    = index_q;
    blocks_d   = blocks_q;
    word_d     = word_q;
    sent_d     = sent_q;
    open_d     = open_q - 8'(back_i);
    take       = 1'b0;
    good       = 1'b0;
    bad        = 1'b0;

    case (state_q)
      StHead: begin
        take = waits;
        if (take) begin
          head_d    = block_data;
          second_d  = 1'b0;
          ended_d   = block_last;
          refused_d = !is_reconfig;
          sent_d    = '0;
          index_d   = {1'b0, byte_of(block_data, 55), byte_of(block_data, 48)};
          blocks_d  = 8'd1;
          if (is_reconfig)     state_d = StDecode;
          else if (block_last) state_d = StWait;
          else                 state_d = StSkip;
        end
      end

      StDecode: state_d = StEntry;

      StEntry: begin
        if (!is_known_op || (no_table && !is_read_o)) begin
          refused_d = 1'b1;
          state_d   = ended_q ? StWait : StSkip;
        end else if (!is_write) begin
          state_d = ended_q ? StHeader : StSkip;
        end else if (ended_q) begin
          state_d = StWait;
        end else begin
          take = waits && open_q < 8'd200;
          if (take) begin
            ended_d  = block_last;
            blocks_d = blocks_q + 8'd1;
            if (second_q) entry_d[EntryBits-CtlBits-1:0] = block[CtlBits-1 -: EntryBits-CtlBits];
            else          entry_d = {block, {(EntryBits-CtlBits){1'b0}}};
            if (is_short && !too_long)                  state_d = block_last ? StWait : StSkip;
            else if (wide && !second_q && !too_long)  second_d = 1'b1;
            else if (!index_q[16] && !too_long)         state_d = StHeader;
            else begin
              refused_d = 1'b1;
              state_d   = block_last ? StWait : StSkip;
            end
          end
        end
      end

      StHeader: begin
        word_d  = '0;
        if (chain_ready) begin
          open_d  = open_d + 8'd1;
          sent_d  = sent_q == '1 ? sent_q : sent_q + 8'd1;
          state_d = is_write ? StWords : StWait;
        end
      end

      StWords: begin
        if (chain_ready) begin
          word_d  = word_q + 4'd1;
          entry_d = {entry_q[EntryBits-65:0], 64'b0};
          if (last_word) begin
            index_d  = index_q + 17'd1;
            second_d = 1'b0;
            state_d  = StEntry;
          end
        end
      end

      StSkip: begin
        take = waits;
        if (take) begin
          ended_d   = block_last;
          blocks_d  = too_long ? blocks_q : blocks_q + 8'd1;
          refused_d = refused_d || too_long;
          if (block_last) state_d = is_write || refused_d ? StWait : StHeader;
        end
      end

      StWait: begin
        if (open_q == '0 && tx_idle_i) begin
          good    = !refused_q && sent_q != '0;
          bad     = !good;
          state_d = StHead;
        end
      end

      default: state_d = StHead;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q   <= StHead;
      open_q    <= '0;
      sent_q    <= '0;
      refused_q <= 1'b0;
      good_o    <= 1'b0;
      bad_o     <= 1'b0;
    end else begin
      good_o    <= good;
      bad_o     <= bad;
      state_q   <= state_d;
      open_q    <= open_d;
      sent_q    <= sent_d;
      refused_q <= refused_d;
    end
  end

  always_ff @(posedge clk_i) begin
    head_q   <= head_d;
    entry_q  <= entry_d;
    second_q <= second_d;
    ended_q  <= ended_d;
    index_q  <= index_d;
    blocks_q <= blocks_d;
    word_q   <= word_d;
  end

  `SLUICE_ASSERT(BackWasSent_A, !back_i || open_q != '0)
endmodule : sluice_ctl_rx
