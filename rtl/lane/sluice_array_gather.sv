// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Gathers the results of the array match (sluice_array_match) in the order of the packets: waits
/// for those of the oldest beat, which are the first ones of each bank, and gives what became of
/// all words of a packet when its last beat is there.
/// A beat a cycle. With a beat whose results are there as the first of the queue in cycle 0:
///   0  how many results it has in each bank
///   1  all are there: they are taken from the banks
///   2  together with those of earlier beats; equal words; those without an entry
///   3  matched_o
/// Example: words 0 to 4 go to bank 3. The first beat has words 0 to 3, with the ranks 0 to 3; it
/// is gathered when bank 3 has four results. The second has word 4, with rank 0.
/// Reset: nothing is gathered.
module sluice_array_gather
  import sluice_cfg_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_array_pkg::*;
#(
  parameter int unsigned Beats   = BeatDepth,   // that wait for results, beside the oldest
  parameter int unsigned Packets = LaneDepth    // that the order point has not asked for
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  logic                              swap_i,     // test fault: KEYS_SWAP
  // beats, as they go to the banks
  input  logic                              push_i,
  input  key_beat_t                         beat_i,
  output logic                              full_o,
  // banks
  input  logic [KeyBanks-1:0][DoneBits-1:0] done_i,     // results that there are
  input  key_result_t [KeyBanks-1:0][KeyPorts-1:0] result_i,   // the oldest ones
  output key_count_t [KeyBanks-1:0]         pop_o,
  // what became of the words of the oldest packet
  output logic                              valid_o,
  output matched_bits_t                     matched_o,  // a matched_t
  input  logic                              pop_i
);
  // ---- 0: the first beat of the queue; where its results are
  key_beat_t first;
  logic  first_valid, pop;
  sluice_ram_fifo #(.Depth(Beats), .Width($bits(key_beat_t))) u_beats (
    .clk_i, .rst_ni, .push_i, .data_i(beat_i), .full_o, .valid_o(first_valid), .data_o(first),
    .pop_i(pop), .count_o()
  );
  key_count_t [KeyBanks-1:0]   num;                // of this beat in each bank
  key_rank_t  [WordsOfRow-1:0] at;                 // which result of its bank a word takes
  for (genvar b = 0; b < KeyBanks; b++) begin : gen_num
    always_comb begin
      num[b] = '0;
      for (int unsigned i = 0; i < WordsOfRow; i++)
        if (first.goes[i] && first.bank[i] == key_bank_t'(b))
          num[b] = key_count_t'(first.rank[i]) + 1'b1;
    end
  end
  for (genvar i = 0; i < WordsOfRow; i++) begin : gen_at
    // Test fault: the first two keys of a packet in a bank get each other's results.
    assign at[i] = first.rank[i] ^ key_rank_t'(swap_i && first.rank[i] < key_rank_t'(2)
        && num[first.bank[i]] > key_count_t'(1));
  end

  // ---- 1: the oldest beat waits for its results
  logic  oldest_q, gather;
  asked_t                       asked_q;
  key_bank_t   [WordsOfRow-1:0] bank_q;
  logic        [WordsOfRow-1:0] goes_q;
  logic                         last_q;
  key_count_t  [KeyBanks-1:0]   num_q;
  key_rank_t   [WordsOfRow-1:0] at_q;
  logic        [KeyBanks-1:0]   there;
  key_result_t [WordsOfRow-1:0] results;
  assign gather = oldest_q && there == '1;
  assign pop    = first_valid && (!oldest_q || gather);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) oldest_q <= 1'b0;
    else         oldest_q <= pop || (oldest_q && !gather);
  end
  always_ff @(posedge clk_i) if (pop) begin
    asked_q <= first.asked;
    bank_q  <= first.bank;
    goes_q  <= first.goes;
    last_q  <= first.last;
    num_q   <= num;
    at_q    <= at;
  end
  for (genvar b = 0; b < KeyBanks; b++) begin : gen_bank
    assign there[b] = done_i[b] >= DoneBits'(num_q[b]);
    assign pop_o[b] = gather ? num_q[b] : '0;
  end
  for (genvar i = 0; i < WordsOfRow; i++) begin : gen_word
    assign results[i] = result_i[bank_q[i]][at_q[i]];
  end

  // ---- 2: what earlier beats of the packet have brought stands in earlier_q
  logic                         gathered_q, whole_q;
  asked_t                       asked_2_q;
  logic        [WordsOfRow-1:0] goes_2_q, got_q;   // got: by an earlier beat
  key_result_t [WordsOfRow-1:0] results_q, earlier_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      gathered_q <= 1'b0;
      got_q      <= '0;
    end else begin
      gathered_q <= gather;
      if (gathered_q) got_q <= whole_q ? '0 : got_q | goes_2_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (gather) begin
      asked_2_q <= asked_q;
      goes_2_q  <= goes_q;
      whole_q   <= last_q;
      results_q <= results;
    end
    if (gathered_q)
      for (int unsigned i = 0; i < WordsOfRow; i++) if (goes_2_q[i]) earlier_q[i] <= results_q[i];
  end

  words_t                words;                    // before equal words take theirs
  logic [WordsOfRow-1:0] found;
  matched_t              matched;
  always_comb begin
    for (int unsigned i = 0; i < WordsOfRow; i++) begin
      key_result_t one;
      one      = goes_2_q[i] ? results_q[i] : earlier_q[i];
      words[i] = asked_2_q.words[i];
      found[i] = asked_2_q.found[i];
      if (goes_2_q[i] || got_q[i]) begin
        found[i] = one.found;
        words[i] = one.found ? one.data : asked_2_q.stay ? asked_2_q.words[i] : '0;
      end
    end
    matched = '{words: asked_2_q.words, found: '0, write: asked_2_q.write, index: asked_2_q.index};
    for (int unsigned i = 0; i < WordsOfRow; i++)
      if (asked_2_q.is_key[i]) begin
        matched.words[i] = words[asked_2_q.first[i]];
        matched.found[i] = found[asked_2_q.first[i]];
      end
  end

  // ---- 3: packets that the order point has not asked for. The lane has no more packets than
  // that, so it is never full.
  sluice_ram_fifo #(.Depth(Packets), .Width(MatchedBits)) u_matched (
    .clk_i, .rst_ni, .push_i(gathered_q && whole_q), .data_i(matched_bits_t'(matched)),
    .full_o(), .valid_o, .data_o(matched_o), .pop_i, .count_o()
  );
endmodule : sluice_array_gather
