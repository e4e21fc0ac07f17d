// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// One node of the daisy chain: takes the messages for the tables beside it, passes all others on.
///
/// The block looks at `header_o` (valid with a message's first word) and says in the same cycle
/// whether the message is for it (`claim_i`), whether it only wants to see its writes (`snoop_i`),
/// which table it is, how many words an entry has, and how many entries the table has (for STATE:
/// the segment of the row). That is kept, and decides in the next cycle. The block is
/// sluice_table_node. A claimed WRITE or ERASE ends here; a claimed READ is turned into an ANSWER.
/// An index outside the table, and a write that the block refuses, turns the message into REFUSED.
/// Bits that none of the tables keeps are dropped on the way in, and so read 0.
/// Each write message carries one entry. Latency 2 cycles for what passes by, 1 word per cycle, and
/// one cycle more for each message.
/// Invariant: messages leave in the order in which they came.
module sluice_chain_node
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
#(
  // 64-bit words of the longest entry of its tables, 1..10
  parameter int unsigned Words         = EntryBits / 64,
  // bits of an entry that one of its tables keeps
  parameter logic [EntryBits-1:0] Kept = '1
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  // chain
  input  chain_t        chain_i,
  output logic          chain_ready_o,
  output chain_t        chain_o,
  input  logic          chain_ready_i,
  // decision about the message whose header is shown
  output chain_header_t header_o,
  input  table_e        which_i,
  input  logic          claim_i,
  input  logic          snoop_i,
  input  logic [3:0]    words_i,      // 64-bit words of an entry, 1..Words
  input  logic [16:0]   entries_i,    // entries of the table
  // tables
  // held until taken, two cycles at least; snooped writes, one cycle, need no answer
  output table_write_t  write_o,
  input  table_ready_t  write_ready_i,
  // one cycle a request, of an entry's word; at most ChainAhead without an answer
  output table_read_t   read_o,
  input  word_answer_t  answer_i
);
  localparam int unsigned AllWords = EntryBits / 64;
  // of an entry, or answers that wait
  localparam int unsigned NumWords = Words < ChainAhead ? ChainAhead : Words;
  localparam logic [1:0]  RingMask = 2'(ChainAhead - 1);

  typedef enum logic [2:0] {
    StIdle,      // waits for a header, asks the block
    StDecide,    // does what the block said
    StPass,      // passes the rest of a message on, and collects it if it is snooped
    StCollect,   // collects the entry of a claimed write
    StWrite,     // hands it to the tables
    StDrop,      // swallows the rest of a message that was refused
    StRead,      // requests entries
    StReply      // sends a one-word reply
  } state_e;

  state_e        state_d, state_q;
  chain_header_t header_d, header_q;
  table_e        which_d, which_q;
  logic [3:0]    words_d, words_q, filled_d, filled_q;
  // what the block said
  logic          claim_d, claim_q, snoop_d, snoop_q, in_range_d, in_range_q;
  logic          snooped_d, snooped_q, snoop_write_d, snoop_write_q;
  logic [7:0]    requested_d, requested_q, answered_d, answered_q;
  logic [3:0]    sent_d, sent_q;         // words sent of the entry

  // ---- the words that are here: of an entry to be written, or, in a ring, of answers that wait
  // for their turn on the chain
  logic [NumWords-1:0][63:0] word_q;
  logic [NumWords-1:0]       word_we;
  logic [3:0]                asked_d, asked_q;   // words asked for of an entry
  logic [2:0]                ahead_d, ahead_q;   // words asked for and not sent
  logic [1:0]                first_d, first_q;   // of the ring
  logic [1:0]                ring_end;
  assign ring_end = (first_q + filled_q[1:0]) & RingMask;
  for (genvar w = 0; w < NumWords; w++) begin : gen_word
    // Answers have nothing but what is kept.
    localparam logic [63:0] Own = Kept[EntryBits-1-64*w -: 64];
    always_ff @(posedge clk_i)
      if (word_we[w])
        word_q[w] <= w < ChainAhead && state_q == StRead ? answer_i.data : chain_i.data & Own;
    assign write_o.data[EntryBits-1-64*w -: 64] = word_q[w];
  end
  if (NumWords < AllWords) begin : gen_short
    assign write_o.data[EntryBits-64*NumWords-1:0] = '0;
  end

  // ---- the chain, registered
  chain_t out;
  logic   out_ready;
  logic [$bits(chain_t)-2:0] out_data;
  sluice_slice #(.Width($bits(chain_t) - 1)) u_slice (
    .clk_i, .rst_ni,
    .in_valid_i (out.valid), .in_ready_o(out_ready), .in_data_i ({out.first, out.last, out.data}),
    .out_valid_o(chain_o.valid), .out_ready_i(chain_ready_i), .out_data_o(out_data)
  );
  assign {chain_o.first, chain_o.last, chain_o.data} = out_data;

  assign header_o = chain_header_t'(chain_i.data);

  logic [16:0] last_index;
  logic        in_range;
  assign last_index = 17'(header_o.index)
      + (header_o.op == ChainRead ? 17'(header_o.count) - 17'd1 : 17'd0);
  assign in_range   = last_index < entries_i;

  // ---- to the tables; requests run ahead
  logic request;
  assign request = state_q == StRead && requested_q != header_q.count && ahead_q < 3'(ChainAhead);
  assign write_o.valid  = snoop_write_q || state_q == StWrite;
  assign write_o.which  = which_q;
  assign write_o.header = header_q;
  always_comb begin
    read_o = '{valid: request, which: which_q, header: header_q, word: asked_q};
    read_o.header.index = header_q.index + 16'(requested_q);
  end

  always_comb begin
    state_d       = state_q;
    header_d      = header_q;
    which_d       = which_q;
    words_d       = words_q;
    filled_d      = filled_q;
    claim_d       = claim_q;
    snoop_d       = snoop_q;
    in_range_d    = in_range_q;
    snooped_d     = snooped_q;
    snoop_write_d = 1'b0;
    word_we       = '0;
    requested_d   = requested_q;
    answered_d    = answered_q;
    sent_d        = sent_q;
    asked_d       = asked_q;
    ahead_d       = ahead_q;
    first_d       = first_q;
    chain_ready_o = 1'b0;
    out           = '{valid: 1'b0, first: 1'b0, last: 1'b0, data: chain_i.data};

    case (state_q)
      StIdle: begin
        if (chain_i.valid) begin
          header_d    = header_o;
          which_d     = which_i;
          words_d     = words_i;
          claim_d     = claim_i;
          snoop_d     = snoop_i;
          in_range_d  = in_range;
          filled_d    = '0;
          requested_d = '0;
          answered_d  = '0;
          sent_d      = '0;
          asked_d     = '0;
          ahead_d     = '0;
          first_d     = '0;
          snooped_d   = 1'b0;
          state_d     = StDecide;
        end
      end

      // The header is still at the input, for nobody has taken it.
      StDecide: begin
        if (!chain_i.valid) begin
          state_d       = StDecide;
        end else if (claim_q && !in_range_q) begin
          chain_ready_o = 1'b1;
          header_d.op   = ChainRefused;
          state_d       = chain_i.last ? StReply : StDrop;
        end else if (claim_q && header_q.op == ChainWrite) begin
          chain_ready_o = 1'b1;
          state_d       = StCollect;
        end else if (claim_q && header_q.op == ChainErase) begin
          chain_ready_o = 1'b1;
          state_d       = StWrite;
        end else if (claim_q && header_q.op == ChainRead) begin
          out           = '{valid: 1'b1, first: 1'b1, last: 1'b0,
              data: {ChainAnswer, chain_i.data[59:0]}};
          chain_ready_o = out_ready;
          if (out_ready) state_d = StRead;
        end else begin
          snooped_d     = snoop_q && header_q.op == ChainWrite && in_range_q;
          out           = chain_i;
          chain_ready_o = out_ready;
          if (out_ready) state_d = chain_i.last ? StIdle : StPass;
        end
      end

      StPass, StCollect, StDrop: begin
        out           = chain_i;
        out.valid     = chain_i.valid && state_q == StPass;
        chain_ready_o = state_q == StPass ? out_ready : 1'b1;
        if (chain_i.valid && chain_ready_o) begin
          for (int unsigned w = 0; w < NumWords; w++) word_we[w] = filled_q == 4'(w);
          filled_d = filled_q + 4'd1;
          if (chain_i.last) begin
            snoop_write_d = state_q == StPass && snooped_q;
            state_d = state_q == StPass ? StIdle : state_q == StCollect ? StWrite : StReply;
          end
        end
      end

      // Two cycles at least: a table needs the second if a packet reads the same word in the first
      // (sluice_table).
      StWrite: begin
        sent_d = 4'd1;
        if (sent_q != '0 && write_ready_i.ready) begin
          header_d.op = write_ready_i.refused ? ChainRefused : ChainWrite;
          state_d     = StReply;
        end
      end

      StRead: begin
        if (request) begin
          ahead_d = ahead_q + 3'd1;
          asked_d = asked_q + 4'd1;
          if (asked_q == words_q - 4'd1) begin
            asked_d     = '0;
            requested_d = requested_q + 8'd1;
          end
        end
        out.valid = filled_q != '0;
        out.last  = answered_q == header_q.count - 8'd1 && sent_q == words_q - 4'd1;
        for (int unsigned w = 0; w < ChainAhead; w++)
          if (first_q == 2'(w)) out.data = word_q[w];
        if (out.valid && out_ready) begin
          filled_d = filled_q - 4'd1;
          ahead_d  = ahead_d - 3'd1;
          first_d  = (first_q + 2'd1) & RingMask;
          sent_d   = sent_q + 4'd1;
          if (sent_q == words_q - 4'd1) begin
            sent_d     = '0;
            answered_d = answered_q + 8'd1;
            if (out.last) state_d = StIdle;
          end
        end
        if (answer_i.valid) begin
          filled_d = filled_d + 4'd1;
          for (int unsigned w = 0; w < ChainAhead; w++) word_we[w] = ring_end == 2'(w);
        end
      end

      // What became of a claimed message goes on, in one word, so that the head of the chain can
      // count it.
      StReply: begin
        out = '{valid: 1'b1, first: 1'b1, last: 1'b1, data: header_q};
        if (out_ready) state_d = StIdle;
      end

      default: state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q       <= StIdle;
      snoop_write_q <= 1'b0;
      snooped_q     <= 1'b0;
    end else begin
      state_q       <= state_d;
      snoop_write_q <= snoop_write_d;
      snooped_q     <= snooped_d;
    end
  end

  always_ff @(posedge clk_i) begin
    header_q    <= header_d;
    which_q     <= which_d;
    claim_q     <= claim_d;
    snoop_q     <= snoop_d;
    in_range_q  <= in_range_d;
    words_q     <= words_d;
    filled_q    <= filled_d;
    requested_q <= requested_d;
    answered_q  <= answered_d;
    sent_q      <= sent_d;
    asked_q     <= asked_d;
    ahead_q     <= ahead_d;
    first_q     <= first_d;
  end

  `SLUICE_ASSERT(FirstWordStartsMessage_A, !(chain_i.valid && state_q == StIdle) || chain_i.first)
  // One that is refused whatever it is (entries_i 0) is nobody's entry here: its words are dropped.
  `SLUICE_ASSERT(EntryFits_A,
    !(state_q == StIdle && chain_i.valid && (claim_i || snoop_i)) || entries_i == '0
        || 32'(words_i) <= Words)
  `SLUICE_ASSERT(HeaderStays_A, state_q != StDecide || !chain_i.valid || header_o == header_q)
  `SLUICE_ASSERT(AnswerWasAsked_A, !answer_i.valid || state_q == StRead)
  `SLUICE_ASSERT(AnswerHasRoom_A, !answer_i.valid || filled_q < 4'(ChainAhead))
endmodule : sluice_chain_node
