// SPDX-License-Identifier: Apache-2.0

/// Proof: the array match gives no packet before all its lookups are there, and each lookup to its
/// own packet and words; however its keys are dealt to beats, and whenever banks answer.
///
/// The gatherer alone, with room for 4 beats and 4 packets. The solver watches one lookup: word
/// watch_q of the packet whose index has bit 0 set, which goes to bank bank_q. The banks do what
/// proof_array_bank shows: results of a bank come in the order of its keys. So the harness counts
/// the results of bank_q that are ahead of the watched one (ahead_q); only that one says "found",
/// and only when it is there.
/// Then the watched packet must say "found" in the words that are equal to the watched one, all
/// others must not.
/// Free: beats, up to the room that is told, with any words of their packet; how many results are
/// there, in bank_q up to those asked for; when a packet is taken.
/// BREAK: 1 a bank says one result too many, 2 the first two keys of a bank change places, 3 the
/// packet's last beat is told too early.
`include "sluice_assert.svh"
`ifndef BREAK
`define BREAK 0
`endif
module proof_array_gather
  import sluice_cfg_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_array_pkg::*;
(
  input  logic                                     clk_i,
  input  logic                                     rst_ni,
  input  logic                                     push_i,
  input  key_beat_t                                beat_i,
  input  logic                                     tag_i,     // the solver's choice: this packet
  input  logic [KeyBanks-1:0][DoneBits-1:0]        done_i,
  input  key_result_t [KeyBanks-1:0][KeyPorts-1:0] result_i,
  input  logic                                     pop_i
);
  localparam int unsigned Beats   = 4;
  localparam int unsigned Packets = 4;
  typedef logic [5:0] count_t;
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);

  // ---- the watched word and its bank: any, for ever
  word_id_t  watch_q;
  key_bank_t bank_q;
  always_ff @(posedge clk_i) begin
    watch_q <= watch_q;
    bank_q  <= bank_q;
  end

  // ---- the gatherer
  logic                           full, valid;
  matched_bits_t                  matched_bits;
  matched_t                       matched;
  key_count_t [KeyBanks-1:0]      pop;
  key_beat_t                      beat_dut;
  logic [KeyBanks-1:0][DoneBits-1:0] done_dut;
  assign matched = matched_t'(matched_bits);
  always_comb begin
    beat_dut = beat_i;
    done_dut = done_i;
    if (`BREAK == 1) done_dut[bank_q] = done_i[bank_q] + 1'b1;
    if (`BREAK == 3) beat_dut.last = beat_i.last || beat_i.goes[watch_q];
  end
  sluice_array_gather #(.Beats(Beats), .Packets(Packets)) u_gather (
    .clk_i, .rst_ni, .swap_i(`BREAK == 2),
    .push_i, .beat_i(beat_dut), .full_o(full),
    .done_i(done_dut), .result_i, .pop_o(pop),
    .valid_o(valid), .matched_o(matched_bits), .pop_i
  );

  // ---- packets: their beats follow each other, each word goes once, and before the last is over
  logic                  open_q;       // beats of the packet have come, its last has not
  asked_t                open_asked_q;
  logic [WordsOfRow-1:0] sent_q, needed;
  logic                  tagged_q;     // the watched packet has begun
  logic [3:0]            inside_q;     // packets
  logic [WordsOfRow-1:0] expect_q;     // words of the watched packet that say "found"
  function automatic logic [WordsOfRow-1:0] equal_words(asked_t asked, word_id_t word);
    for (int unsigned i = 0; i < WordsOfRow; i++)
      equal_words[i] = asked.is_key[i] && asked.first[i] == word;
  endfunction
  always_comb begin
    for (int unsigned i = 0; i < WordsOfRow; i++)
      needed[i] = beat_i.asked.is_key[i] && beat_i.asked.first[i] == word_id_t'(i);
    assume (!(push_i && full) && !(pop_i && !valid));
    if (push_i) begin
      assume (beat_i.asked.words == '0 && beat_i.asked.found == '0 && !beat_i.asked.stay);
      assume (beat_i.asked.index == {2'b0, tag_i} && !beat_i.asked.write);
      assume (!open_q || beat_i.asked == open_asked_q);
      assume (open_q || inside_q < 4'(Packets));
      assume (open_q || !tag_i || !tagged_q);
      assume ((beat_i.goes & (sent_q | ~needed)) == '0);
      assume (beat_i.last == ((needed & ~sent_q & ~beat_i.goes) == '0) || !tag_i);
      for (int unsigned i = 0; i < WordsOfRow; i++) begin
        assume (32'(beat_i.asked.first[i]) <= i);
        assume (!beat_i.asked.is_key[i]
                || beat_i.asked.first[beat_i.asked.first[i]] == beat_i.asked.first[i]);
        assume (!beat_i.asked.is_key[i] || beat_i.asked.is_key[beat_i.asked.first[i]]);
        assume (beat_i.rank[i] == rank_of(beat_i.goes, beat_i.bank, i));
      end
      // The watched packet has the watched lookup.
      assume (!tag_i || (needed[watch_q] && beat_i.bank[watch_q] == bank_q));
    end
  end
  function automatic key_rank_t rank_of(logic [WordsOfRow-1:0] goes,
                                        key_bank_t [WordsOfRow-1:0] bank, int unsigned word);
    rank_of = '0;
    for (int unsigned j = 0; j < word; j++)
      if (goes[j] && bank[j] == bank[word]) rank_of = rank_of + 1'b1;
  endfunction
  function automatic count_t keys_of(logic [WordsOfRow-1:0] goes,
                                     key_bank_t [WordsOfRow-1:0] bank, key_bank_t of);
    keys_of = '0;
    for (int unsigned i = 0; i < WordsOfRow; i++)
      if (goes[i] && bank[i] == of) keys_of = keys_of + 1'b1;
  endfunction
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q   <= 1'b0;
      sent_q   <= '0;
      tagged_q <= 1'b0;
      inside_q <= '0;
    end else begin
      inside_q <= inside_q + 4'(push_i && !open_q) - 4'(pop_i);
      if (push_i) begin
        open_q   <= !beat_i.last;
        sent_q   <= beat_i.last ? '0 : sent_q | beat_i.goes;
        tagged_q <= tagged_q || tag_i;
      end
    end
  end
  always_ff @(posedge clk_i) if (push_i) begin
    open_asked_q <= beat_i.asked;
    if (tag_i) expect_q <= equal_words(beat_i.asked, watch_q);
  end

  // ---- results of bank_q: asked for, and ahead of the watched one
  count_t asked_q, ahead_q;
  logic   waits_q, begins, leaves;
  assign begins = push_i && tag_i && beat_i.goes[watch_q];
  assign leaves = waits_q && ahead_q < count_t'(pop[bank_q]);
  always_comb begin
    assume (count_t'(done_i[bank_q]) <= asked_q);
    for (int unsigned b = 0; b < KeyBanks; b++)
      for (int unsigned r = 0; r < KeyPorts; r++)
        assume (result_i[b][r].found == (waits_q && key_bank_t'(b) == bank_q
                                         && ahead_q == count_t'(r) && DoneBits'(r) < done_i[b]));
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      asked_q <= '0;
      waits_q <= 1'b0;
    end else begin
      asked_q <= asked_q - count_t'(pop[bank_q])
          + (push_i ? keys_of(beat_i.goes, beat_i.bank, bank_q) : '0);
      waits_q <= begins || (waits_q && !leaves);
    end
  end
  always_ff @(posedge clk_i)
    ahead_q <= begins ? asked_q - count_t'(pop[bank_q]) + count_t'(beat_i.rank[watch_q])
                      : ahead_q - count_t'(pop[bank_q]);

  // ---- what is shown
  always_comb if (rst_ni) begin
    Whole_A  : assert (!valid || !matched.index[0] || matched.found == expect_q);
    Others_A : assert (!valid || matched.index[0] || matched.found == '0);
    There_A  : assert (count_t'(pop[bank_q]) <= asked_q);
    Once_A   : assert (!(valid && matched.index[0]) || (tagged_q && !waits_q));
  end

  // ---- what carries the proof from cycle to cycle: beats in their order, oldest first. 0: what
  // was gathered (its words so far), 1: the oldest, 2 and up: the queue.
  if (`BREAK == 0) begin : gen_steps
    localparam int unsigned Places = Beats + 2;
    localparam int unsigned Width  = $bits(key_beat_t);
    key_beat_t [Places-1:0] at;
    logic      [Places-1:0] is;
    matched_t  [Packets-1:0] out;
    logic      [Packets-1:0] is_out;
    for (genvar n = 0; n < Beats; n++) begin : gen_beat
      logic [1:0] place;
      assign place   = 2'(u_gather.u_beats.gen_few.u_words.head_q + 2'(n));
      assign at[n+2] = key_beat_t'(u_gather.u_beats.gen_few.u_words.mem_q[place]);
      assign is[n+2] = 32'(u_gather.u_beats.gen_few.u_words.count_q) > n;
    end
    for (genvar n = 0; n < Packets; n++) begin : gen_out
      logic [1:0] place;
      assign place     = 2'(u_gather.u_matched.gen_few.u_words.head_q + 2'(n));
      assign out[n]    = matched_t'(u_gather.u_matched.gen_few.u_words.mem_q[place]);
      assign is_out[n] = 32'(u_gather.u_matched.gen_few.u_words.count_q) > n;
    end
    assign at[1] = '{asked: u_gather.asked_q, bank: u_gather.bank_q, goes: u_gather.goes_q,
                     rank: u_gather.at_q, last: u_gather.last_q};
    assign is[1] = u_gather.oldest_q;
    assign at[0] = '{asked: u_gather.asked_2_q, bank: '0, rank: '0,
                     goes: u_gather.got_q | (u_gather.gathered_q ? u_gather.goes_2_q : '0),
                     last: u_gather.gathered_q && u_gather.whole_q};
    logic begun_q;                       // beats of the packet that is gathered have been gathered
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)                  begun_q <= 1'b0;
      else if (u_gather.gather)     begun_q <= 1'b1;
      else if (u_gather.gathered_q) begun_q <= !u_gather.whole_q;
    end
    assign is[0] = begun_q;
    // The keys of beats 1 and up to bank_q; of those before beat n.
    count_t [Places:0] ahead_of;
    assign ahead_of[0] = '0;
    assign ahead_of[1] = '0;
    for (genvar n = 1; n < Places; n++) begin : gen_before
      assign ahead_of[n+1] = ahead_of[n]
          + (is[n] ? keys_of(at[n].goes, at[n].bank, bank_q) : '0);
    end
    logic [3:0] tags, packets, watched;
    always_comb begin
      tags    = '0;
      packets = 4'(open_q);
      watched = '0;
      for (int unsigned n = 0; n < Places; n++) begin
        if (is[n] && at[n].last) packets = packets + 4'd1;
        if (is[n] && at[n].last && at[n].asked.index[0]) tags = tags + 4'd1;
        if (is[n] && at[n].asked.index[0] && at[n].goes[watch_q]) watched = watched + 4'd1;
      end
      for (int unsigned n = 0; n < Packets; n++) begin
        if (is_out[n]) packets = packets + 4'd1;
        if (is_out[n] && out[n].index[0]) begin
          tags    = tags + 4'd1;
          watched = watched + 4'd1;
        end
      end
    end
    always_comb if (rst_ni) begin
      assert (u_gather.u_beats.gen_few.u_words.count_q <= 3'(Beats));
      assert (u_gather.u_matched.gen_few.u_words.count_q <= 3'(Packets));
      assert (u_gather.u_beats.gen_few.u_words.tail_q
              == 2'(u_gather.u_beats.gen_few.u_words.head_q
                    + 2'(u_gather.u_beats.gen_few.u_words.count_q)));
      assert (u_gather.u_matched.gen_few.u_words.tail_q
              == 2'(u_gather.u_matched.gen_few.u_words.head_q
                    + 2'(u_gather.u_matched.gen_few.u_words.count_q)));
      assert (32'(inside_q) == 32'(packets) && inside_q <= 4'(Packets));
      assert (!u_gather.gathered_q || begun_q);
      assert (begun_q || u_gather.got_q == '0);
      assert (!begun_q || u_gather.gathered_q || !u_gather.whole_q);
      assert (!u_gather.gathered_q || (u_gather.got_q & u_gather.goes_2_q) == '0);
      assert (asked_q == ahead_of[Places]);
      assert (tags <= 4'd1 && watched <= 4'd1);
      assert (tagged_q || (tags == '0 && watched == '0));
      assert (!waits_q || tagged_q);
      assert (!(open_q && open_asked_q.index[0]) || (tagged_q && tags == '0));
      assert (!(open_q && open_asked_q.index[0]) || (sent_q[watch_q] == (watched != '0)));
      for (int unsigned n = 0; n < Packets; n++) if (is_out[n])
        assert (out[n].found == (out[n].index[0] ? expect_q : '0));
    end
    for (genvar n = 0; n < Places; n++) begin : gen_beat_steps
      always_comb if (rst_ni && is[n]) begin
        assert (at[n].asked.words == '0 && at[n].asked.found == '0 && !at[n].asked.stay);
        for (int unsigned i = 0; i < WordsOfRow; i++) begin
          assert (32'(at[n].asked.first[i]) <= i);
          if (n > 0) assert (at[n].rank[i] == rank_of(at[n].goes, at[n].bank, i));
        end
        if (at[n].asked.index[0]) begin
          assert (tagged_q && expect_q == equal_words(at[n].asked, watch_q));
          assert (at[n].asked.is_key[watch_q] && at[n].asked.first[watch_q] == watch_q);
          if (n > 0) assert (!at[n].goes[watch_q] || at[n].bank[watch_q] == bank_q);
          if (n > 0 && at[n].goes[watch_q])
            assert (waits_q && ahead_q == ahead_of[n] + count_t'(at[n].rank[watch_q]));
          if (n == 0) assert (!at[n].goes[watch_q] || !waits_q);
          if (at[n].last) assert (watched == 4'd1);
        end
      end
    end
    // Two beats are of one packet if none from the first to that before the second is the last of
    // its packet; the newest one and what comes next, likewise. No word goes twice.
    for (genvar n = 0; n < Places; n++) begin : gen_first
      for (genvar m = n + 1; m <= Places; m++) begin : gen_second
        logic same;
        always_comb begin
          same = is[n];
          for (int unsigned x = n; x < m; x++) if (is[x] && at[x].last) same = 1'b0;
        end
        if (m < Places) begin : gen_beats
          always_comb if (rst_ni && is[n] && is[m]) begin
            assert (!same || at[m].asked == at[n].asked);
            assert (!same || (at[n].goes & at[m].goes) == '0);
            assert (same || !(at[n].asked.index[0] && at[m].asked.index[0]));
          end
        end else begin : gen_comes
          always_comb if (rst_ni && is[n]) begin
            assert (!same || (open_q && open_asked_q == at[n].asked));
            assert (!same || (at[n].goes & ~sent_q) == '0);
          end
        end
      end
      logic newest;
      always_comb begin
        newest = is[n];
        for (int unsigned x = n + 1; x < Places; x++) if (is[x]) newest = 1'b0;
        if (rst_ni && newest) assert (open_q == !at[n].last);
      end
    end
    logic [Places-1:1] asked_watched;    // the beat with the watched lookup, not yet gathered
    for (genvar n = 1; n < Places; n++) begin : gen_asked
      assign asked_watched[n] = is[n] && at[n].asked.index[0] && at[n].goes[watch_q];
    end
    always_comb if (rst_ni) begin
      assert ((!open_q || is != '0) && (open_q || sent_q == '0));
      assert (waits_q == (asked_watched != '0));
      if (is[0])
        for (int unsigned i = 0; i < WordsOfRow; i++) begin
          if (u_gather.got_q[i])
            assert (u_gather.earlier_q[i].found
                    == (at[0].asked.index[0] && watch_q == word_id_t'(i)));
          if (u_gather.gathered_q && u_gather.goes_2_q[i])
            assert (u_gather.results_q[i].found
                    == (at[0].asked.index[0] && watch_q == word_id_t'(i)));
        end
      if (is[1])
        assert (count_t'(u_gather.num_q[bank_q]) == keys_of(at[1].goes, at[1].bank, bank_q));
    end
  end

  always_ff @(posedge clk_i) if (rst_ni) begin
    Late_C : cover (leaves && ahead_q != '0 && u_gather.got_q != '0);
    Out_C  : cover (pop_i && matched.index[0] && matched.found == '1);
  end
endmodule : proof_array_gather
