// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Array match of one lane (docs/machine.md, Array match): looks up all keys of a packet's array at
/// once, and gives what became of the words in the order of the packets. Stands beside the front
/// stages; sluice_order_lane starts a packet when both are there.
///
/// The table stands in KeyBanks = 2 ArrayWords banks of one lookup a cycle (sluice_array_bank). A
/// packet a cycle as long as the banks keep up: several keys of a packet may want the same bank, so
/// each bank has a queue, and packets wait for their last key. With the item in cycle 0:
///   -1  ARRAY_KEYS is read                                               (sluice_array_keys)
///    0  which words are keys, and their banks; of equal ones the first
///    1  first of those that wait: into a register
///    2  words whose key a bank keeps are done
///    3  which of the others go next, up to KeyPorts to each bank: a *beat*. If a bank has more of
///       them, the packet stays for another beat
///    4  the beat goes to the banks, if all of them have room
///    5 to 8  in the banks
///    9  results of a beat are gathered, when all are there               (sluice_array_gather)
///   10  those of all its beats, and equal words
///   11  matched_o
/// Example: words 0, 1, 2 are 17, 5, 17. Word 2 is like word 0. Bank 3 keeps key 17, so word 0 is
/// done in cycle 2. Word 1 goes to bank 9 in cycle 4. In cycle 10 word 2 gets what word 0 has.
/// Invariant: one result for each item, in the order of the items. A bank gives results in the
/// order of its keys, so those of the oldest beat are the first ones of each bank.
/// Reset: nothing waits.
/// In a chip without an array match it is not there.
module sluice_array_match
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_array_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  lane_settings_t       settings_i,
  input  pipe_t                lane_i,
  // a packet, a cycle before its item
  input  logic                 ahead_i,
  input  overlay_t             row_i,
  // the item
  input  item_t                item_i,
  // what became of the words of the oldest item
  output logic                 valid_o,
  output matched_bits_t        matched_o,    // a matched_t
  input  logic                 pop_i,
  // control: ARRAY_KEYS, ARRAY_MATCH
  input  table_write_t         write_i,
  input  table_read_t          read_i,
  output word_answer_t         answer_o
);
  if (ArrayEntries == 0) begin : gen_none
    assign valid_o   = 1'b0;
    assign matched_o = '0;
    assign answer_o  = '0;
  end else begin : gen_match
    // ---- 0: keys and their banks
    typedef struct packed {
      asked_t                     asked;
      key_bank_t [WordsOfRow-1:0] bank;
      // [i][j], j < i: words i and j have the same bank
      logic [WordsOfRow-1:0][WordsOfRow-1:0] same;
      logic [7:0]                 vid;
      logic                       of_bank;     // configuration bank
    } waiting_t;
    waiting_t     come;
    asked_t       asked;
    key_bank_t [WordsOfRow-1:0] bank;
    word_answer_t keys_answer;
    sluice_array_keys u_keys (
      .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
      .lane_i, .ahead_i, .row_i, .item_i,
      .asked_o(asked), .bank_o(bank), .write_i, .read_i, .answer_o(keys_answer)
    );
    always_comb begin
      come = '0;
      if (`SLUICE_WHEN(item_i.valid)) begin
        come = '{asked: asked, bank: bank, same: '0,
                 vid: {item_i.phv.meta.vid_high, row_t'(item_i.phv.meta.overlay)},
                 of_bank: Banks == 2 && item_i.phv.meta.overlay[$bits(overlay_t)-1]};
        for (int unsigned i = 1; i < WordsOfRow; i++)
          for (int unsigned j = 0; j < i; j++) come.same[i][j] = bank[i] == bank[j];
      end
    end

    // ---- 1: packets wait. The lane has LaneDepth packets, so there is room. The oldest goes into
    // head_q, since a memory so wide and deep is read late in the cycle.
    waiting_t oldest, head_q;
    logic     oldest_valid, oldest_pop, head_valid_q, take, come_full;
    sluice_ram_fifo #(.Depth(LaneDepth), .Width($bits(waiting_t))) u_waiting (
      .clk_i, .rst_ni, .push_i(item_i.valid), .data_i(come), .full_o(come_full),
      .valid_o(oldest_valid), .data_o(oldest), .pop_i(oldest_pop), .count_o()
    );
    assign oldest_pop = oldest_valid && (!head_valid_q || take);
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) head_valid_q <= 1'b0;
      else         head_valid_q <= oldest_pop || (head_valid_q && !take);
    end
    always_ff @(posedge clk_i) if (oldest_pop) head_q <= oldest;

    // Words that are like what their bank keeps are done; of equal words only the first one asks.
    logic        [KeyBanks-1:0]   kept, served;
    array_key_t  [KeyBanks-1:0]   kept_key;
    key_result_t [KeyBanks-1:0]   kept_result;
    logic        [WordsOfRow-1:0] need, done_here;
    waiting_t                     next;
    always_comb begin
      next      = '0;
      need      = '0;
      done_here = '0;
      if (`SLUICE_WHEN(head_valid_q)) begin
        next = head_q;
        for (int unsigned i = 0; i < WordsOfRow; i++) begin
          need[i]      = head_q.asked.is_key[i] && head_q.asked.first[i] == word_id_t'(i);
          done_here[i] = need[i] && kept[head_q.bank[i]] && kept_key[head_q.bank[i]]
              == {head_q.vid, head_q.of_bank, head_q.asked.words[i]};
          if (done_here[i]) begin
            next.asked.found[i] = kept_result[head_q.bank[i]].found;
            if (kept_result[head_q.bank[i]].found)
              next.asked.words[i] = kept_result[head_q.bank[i]].data;
            else if (!head_q.asked.stay)           next.asked.words[i] = '0;
          end
        end
      end
    end

    // ---- 3: which words go in the next beat
    logic                        valid_q, moves, last, take_beat;
    waiting_t                    packet_q;
    logic       [WordsOfRow-1:0] need_q, done_here_q, goes;
    key_rank_t  [WordsOfRow-1:0] rank;
    key_count_t [KeyBanks-1:0]   push;             // keys of the beat for each bank
    for (genvar i = 0; i < WordsOfRow; i++) begin : gen_goes
      key_count_t ahead;
      always_comb begin
        ahead = '0;
        if (`SLUICE_WHEN(valid_q)) begin
          for (int unsigned j = 0; j < WordsOfRow; j++)
            if (need_q[j] && packet_q.same[i][j] && ahead != key_count_t'(KeyPorts))
              ahead = ahead + 1'b1;
        end
      end
      assign goes[i] = need_q[i] && ahead != key_count_t'(KeyPorts);
      assign rank[i] = key_rank_t'(ahead);
    end
    // The banks hear a cycle later of words that have taken what they keep.
    always_comb begin
      served = '0;
      for (int unsigned i = 0; i < WordsOfRow; i++)
        if (done_here_q[i]) served[packet_q.bank[i]] = 1'b1;
    end
    assign last  = (need_q & ~goes) == '0;
    assign moves = valid_q && take_beat;
    assign take  = head_valid_q && (!valid_q || (moves && last));
    for (genvar b = 0; b < KeyBanks; b++) begin : gen_count
      always_comb begin
        push[b] = '0;
        if (`SLUICE_WHEN(valid_q)) begin
          for (int unsigned i = 0; i < WordsOfRow; i++)
            if (goes[i] && packet_q.bank[i] == key_bank_t'(b))
              push[b] = key_count_t'(rank[i]) + 1'b1;
        end
      end
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        valid_q     <= 1'b0;
        done_here_q <= '0;
      end else begin
        valid_q     <= take || (valid_q && !(moves && last));
        done_here_q <= take ? done_here : '0;
      end
    end
    always_ff @(posedge clk_i) begin
      if (take) begin
        packet_q <= next;
        need_q   <= need & ~done_here;
      end else if (moves) need_q <= need_q & ~goes;
    end

    // ---- 4: the beat goes when all its banks have room for their keys
    logic                        beat_valid_q, go, full;
    key_beat_t                   beat_q;
    array_key_t                  like_q;           // VID and bank of its keys
    key_count_t [KeyBanks-1:0]   push_q;
    logic       [KeyBanks-1:0]   room;
    logic       [KeyBanks-1:0][KeyFreeBits-1:0] free;
    array_key_t [KeyBanks-1:0][KeyPorts-1:0]    key;
    assign take_beat = !beat_valid_q || go;
    assign go        = beat_valid_q && !full && room == '1;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) beat_valid_q <= 1'b0;
      else         beat_valid_q <= moves || (beat_valid_q && !go);
    end
    always_ff @(posedge clk_i) if (moves) begin
      beat_q <= '{asked: packet_q.asked, bank: packet_q.bank, goes: goes, rank: rank, last: last};
      push_q <= push;
      like_q <= '{vid: packet_q.vid, bank: packet_q.of_bank, word: '0};
    end
    for (genvar b = 0; b < KeyBanks; b++) begin : gen_push
      assign room[b] = free[b] >= KeyFreeBits'(push_q[b]);
      always_comb begin
        key[b] = {KeyPorts{like_q}};
        if (`SLUICE_WHEN(beat_valid_q)) begin
          for (int unsigned i = 0; i < WordsOfRow; i++)
            if (beat_q.goes[i] && beat_q.bank[i] == key_bank_t'(b))
              key[b][beat_q.rank[i]].word = beat_q.asked.words[i];
        end
      end
    end

    // ---- 5 to 9: banks
    logic         [KeyBanks-1:0][DoneBits-1:0] done;
    key_result_t  [KeyBanks-1:0][KeyPorts-1:0] result;
    key_count_t   [KeyBanks-1:0]               pop;
    word_answer_t [KeyBanks-1:0]               bank_answer;
    for (genvar b = 0; b < KeyBanks; b++) begin : gen_bank
      sluice_array_bank u_bank (
        .clk_i, .rst_ni, .init_i(settings_i.init), .init_index_i(settings_i.init_index),
        .copy_i(lane_i), .bank_i(key_bank_t'(b)), .stale_i(settings_i.fault[FaultKeptStale]),
        .push_i(go ? push_q[b] : '0), .key_i(key[b]), .free_o(free[b]),
        .done_o(done[b]), .result_o(result[b]), .pop_i(pop[b]),
        .kept_o(kept[b]), .kept_key_o(kept_key[b]), .kept_result_o(kept_result[b]),
        .served_i(served[b]),
        .write_i, .read_i, .answer_o(bank_answer[b])
      );
    end
    always_comb begin
      answer_o = keys_answer;
      for (int unsigned b = 0; b < KeyBanks; b++) answer_o |= bank_answer[b];
    end

    // ---- 5 to 11
    sluice_array_gather u_gather (
      .clk_i, .rst_ni, .swap_i(settings_i.fault[FaultKeysSwap]),
      .push_i(go), .beat_i(beat_q), .full_o(full),
      .done_i(done), .result_i(result), .pop_o(pop),
      .valid_o, .matched_o, .pop_i
    );

    `SLUICE_ASSERT(BeatGoesOn_A, !go || beat_q.goes != '0 || beat_q.last)
    `SLUICE_ASSERT(RoomInTheLane_A, !(item_i.valid && come_full))
  end
endmodule : sluice_array_match
