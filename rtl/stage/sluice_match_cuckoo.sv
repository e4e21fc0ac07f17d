// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// Cuckoo match engine: four ways, each a memory of CuckooEntries / 4 buckets with one entry each.
/// A key is in one bucket of each way, which four hashes of it name; the entry that has the key
/// wins, the lowest way if several have (docs/machine.md, Match engines). One lookup a cycle;
/// cycles from the lookup on:
///   0  hash, mixed: buckets; the four memories are read
///   1  their entries are compared, and the lowest that is equal is chosen
///   2  hit_o and entry_o, from registers
///   3  data_o, from registers
/// The key comes from registers, so that its hash and the memory's address take one cycle. What is
/// read takes a cycle of its own: a large memory and a comparison of the whole key.
/// All four memories are read in one cycle, and a write changes one entry of one of them between
/// two packets (sluice_table). So whoever moves an entry, writes it at its new place and then takes
/// it from the old one, never hides it: in each cycle it stands at one of the places at least.
/// Control: sluice_config_table; entry way * CuckooEntries / 4 + bucket. Reset: no lookup is under
/// way; entries are 0 after the sweep. Not there in a chip without cuckoo entries: nothing matches.
module sluice_match_cuckoo
  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_stage_pkg::*;
#(
  localparam int unsigned NumberBits = index_bits(CuckooEntries)
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         init_i,
  input  logic [15:0]  init_index_i,
  input  pipe_t        copy_i,         // number of this copy
  // lookup
  input  lookup_t      lookup_i,
  output hit_t         hit_o,          // all zero without a hit
  // ... and the number of the entry, in a chip with counters of entries
  output logic [NumberBits-1:0] entry_o,
  output data_t        data_o,         // a cycle later
  // control: see sluice_config_table
  input  table_write_t write_i,
  input  table_read_t  read_i,
  output word_answer_t answer_o
);
  // ---- CRC-64/ECMA-182 of {VID, key}: taps[b] are the bits that bit b is the parity of.
  localparam int unsigned HashedBits = 8 + KeyWidth;
  typedef logic [63:0][HashedBits-1:0] taps_t;
  function automatic taps_t crc_taps();
    logic [63:0] power;
    power = CrcPolynomial;
    for (int unsigned i = 0; i < HashedBits; i++) begin
      for (int unsigned b = 0; b < 64; b++) crc_taps[b][i] = power[b];
      power = crc_times_x(power);
    end
  endfunction

  if (CuckooEntries == 0) begin : gen_none
    assign {hit_o, entry_o, data_o, answer_o} = '0;
  end else begin : gen_engine
    `SLUICE_TAKES(MatchCycles, 3)
    localparam int unsigned Ways       = 4;
    localparam int unsigned Buckets    = CuckooEntries / Ways;
    localparam int unsigned BucketBits = index_bits(Buckets);
    localparam taps_t       Taps       = crc_taps();

    // ---- whether an entry was ever written: until then nothing is looked up, and nothing moves
    logic begun, used_q;
    assign begun = write_i.valid && write_i.which == TableCuckoo;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)     used_q <= 1'b0;
      else if (init_i) used_q <= 1'b0;
      else if (begun)  used_q <= 1'b1;
    end

    // ---- 0: the hash, and the buckets. The step that is not linear keeps keys that are alike
    // apart.
    logic        looks, valid_q;
    lookup_t     compared_q;             // in cycle 1, but for `valid`
    logic [63:0] hash, mixed;
    assign looks = lookup_i.valid && (used_q || begun);
    always_comb begin
      hash = '0;
      if (`SLUICE_WHEN(looks)) for (int unsigned b = 0; b < 64; b++)
        hash[b] = ^({lookup_i.vid, lookup_i.key} & Taps[b]);
    end
    assign mixed = hash ^ (~{hash[42:0], hash[63:43]} & {hash[21:0], hash[63:22]});

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= 1'b0;
      else         valid_q <= looks;
    end
    always_ff @(posedge clk_i) if (looks) compared_q <= lookup_i;

    // ---- 1: their entries
    cuckoo_t                 entry [Ways];
    logic         [Ways-1:0] equal;
    word_answer_t [Ways-1:0] answer;
    for (genvar w = 0; w < Ways; w++) begin : gen_way
      sluice_config_table #(.Which(TableCuckoo), .Parts(Ways), .Part(w)) u_way (
        .clk_i, .rst_ni, .init_i, .init_index_i, .copy_i,
        .re_i(looks), .row_i(mixed[16*w +: BucketBits]), .entry_o(entry[w]),
        .write_i, .read_i, .answer_o(answer[w])
      );
      always_comb begin
        equal[w] = 1'b0;
        if (valid_q && entry[w].valid)
          equal[w] = !entry[w].not_bank[compared_q.bank] && entry[w].vid == compared_q.vid
                  && entry[w].wide == compared_q.wide && entry[w].key == compared_q.key;
      end
    end

    hit_t  hit_d;
    data_t data_d, data_q;
    always_comb begin
      hit_d  = '0;
      data_d = '0;
      if (equal != '0) for (int w = int'(Ways) - 1; w >= 0; w--)
        if (equal[w]) begin
          hit_d  = '{valid: 1'b1, row: action_row_t'(entry[w].action)};
          data_d = entry[w].data;
        end
    end

    // ---- its number: a bucket in each way, the way
    if (EntryCounters != 0) begin : gen_number
      logic [Ways-1:0]                 equal_q;
      logic [Ways-1:0][BucketBits-1:0] bucket_q, bucket_2_q;
      always_ff @(posedge clk_i) begin
        if (looks)
          for (int unsigned w = 0; w < Ways; w++) bucket_q[w] <= mixed[16*w +: BucketBits];
        if (valid_q) begin
          equal_q    <= equal;
          bucket_2_q <= bucket_q;
        end
      end
      always_comb begin
        entry_o = '0;
        for (int w = int'(Ways) - 1; w >= 0; w--)
          if (equal_q[w]) entry_o = NumberBits'(w * int'(Buckets)) + NumberBits'(bucket_2_q[w]);
      end
    end else begin : gen_no_number
      assign entry_o = '0;
    end

    // ---- 2, 3: hit and data words
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) hit_o <= '0;
      else         hit_o <= hit_d;
    end
    always_ff @(posedge clk_i) begin
      if (valid_q) data_q <= data_d;
      if (hit_o.valid) data_o <= data_q;
    end

    always_comb begin
      answer_o = '0;
      for (int unsigned w = 0; w < Ways; w++) answer_o |= answer[w];
    end

    `SLUICE_ASSERT(IndexInRange_A, !(write_i.valid && write_i.which == TableCuckoo)
        || 32'(write_i.header.index) < CuckooEntries)
  end
endmodule : sluice_match_cuckoo
