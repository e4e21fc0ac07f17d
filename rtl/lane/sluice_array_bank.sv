// SPDX-License-Identifier: Apache-2.0
`include "sluice_assert.svh"

/// One bank of the array match of a lane (docs/machine.md, Array match): its part of ARRAY_MATCH, a
/// queue of keys before it and a queue of results behind it. Takes up to KeyPorts keys a cycle,
/// looks one up a cycle, and gives results in the order of the keys, up to KeyPorts a cycle. Of a
/// key that comes when the bank is idle:
///   0  it comes
///   1  first of its queue; hash, registered
///   2  mixed hash: rows; the four ways are read
///   3  their entries are compared, the lowest that is equal is chosen, and registered
///   4  it enters the queue of results
///   5  its result is the first of result_o
/// The bank never stalls a lookup: it begins one only if there is room for its result.
///
/// It also keeps the key that comes most often, with its result, so that words with this key need
/// no lookup (sluice_array_match). Which one that is says a vote: a lookup of the kept key, or a
/// word that was served with it in the cycle before, counts up, to 15, one a cycle; else a lookup
/// of another key counts down, and at 0 that key is kept. Example, keys a b a c a: a is kept with
/// 1, b: 0, a: 1, c: 0, a: 1. A key that is more than half of all is the one that is left.
/// Invariant: what is kept is what the memory says. So a write of ARRAY_MATCH empties it, and
/// nothing that may have been read before the write has taken effect is kept any more.
/// Reset: queues are empty, nothing is kept.
module sluice_array_bank
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_array_pkg::*;
(
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       init_i,
  input  logic [15:0]                init_index_i,
  input  pipe_t                      copy_i,       // lane
  input  key_bank_t                  bank_i,       // number of this bank
  input  logic                       stale_i,      // test fault: KEPT_STALE
  // keys
  input  key_count_t                 push_i,       // how many, from 0 on
  input  array_key_t [KeyPorts-1:0]  key_i,
  output logic [KeyFreeBits-1:0]     free_o,       // that it can take in this cycle
  // results
  output logic [DoneBits-1:0]        done_o,       // how many there are
  output key_result_t [KeyPorts-1:0] result_o,     // the oldest ones
  input  key_count_t                 pop_i,
  // what is kept
  output logic                       kept_o,
  output array_key_t                 kept_key_o,
  output key_result_t                kept_result_o,
  input  logic                       served_i,     // a word took it in the cycle before
  // control: ARRAY_MATCH
  input  table_write_t               write_i,
  input  table_read_t                read_i,
  output word_answer_t               answer_o
);
  localparam int unsigned Ways    = 4;
  localparam int unsigned Rows    = ArrayEntries != 0 ? ArrayEntries / Ways / KeyBanks : 2;
  localparam int unsigned LogRows = $clog2(Rows);
  localparam int unsigned AddrBits = index_bits(Rows);

  // ---- 1: the oldest key
  logic [KeyFreeBits-1:0] waiting;
  logic [DoneBits-1:0] under_way_q;              // results that wait, or will come
  logic                start;
  array_key_t          head;
  sluice_many_fifo #(
    .Depth(KeyDepth), .Width($bits(array_key_t)), .In(KeyPorts), .Out(1)
  ) u_keys (
    .clk_i, .rst_ni, .push_i, .data_i(key_i), .count_o(waiting), .data_o(head), .pop_i(start)
  );
  assign free_o = KeyFreeBits'(KeyDepth) - waiting;
  assign start  = waiting != '0 && under_way_q != DoneBits'(ResultDepth);

  // [c]: in cycle c
  logic [4:2]  valid_q;
  array_key_t  key_q [2:4];
  logic [63:0] hash_q, mixed;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q     <= '0;
      under_way_q <= '0;
    end else begin
      valid_q     <= {valid_q[3:2], start};
      under_way_q <= under_way_q + DoneBits'(start) - DoneBits'(pop_i);
    end
  end
  always_ff @(posedge clk_i) begin
    if (start) begin
      key_q[2] <= head;
      for (int unsigned b = 0; b < 64; b++) hash_q[b] <= ^({head.vid, head.word} & KeyTaps[b]);
    end
    if (valid_q[2]) key_q[3] <= key_q[2];
    if (valid_q[3]) key_q[4] <= key_q[3];
  end

  // ---- 2: rows; 3: entries. A table of this bank alone: its entries are numbered as if the others
  // were not there. Example, 4 rows, 16 banks: entry 133 = 2 x 64 + 1 x 4 + 1 is way 2, bank 1,
  // row 1: here 2 x 4 + 1 = 9.
  assign mixed = hash_q ^ (~{hash_q[42:0], hash_q[63:43]} & {hash_q[21:0], hash_q[63:22]});

  // The number of an entry is {way, bank, row}; in a bank's memories it is {way, row}.
  localparam int unsigned LogAll = LogRows + $clog2(KeyBanks);
  table_write_t write;
  table_read_t  read;
  logic [15:0]  write_index, read_index;
  assign write_index = write_i.header.index;
  assign read_index  = read_i.header.index;
  always_comb begin
    write              = write_i;
    write.valid        = write_i.valid && key_bank_t'(write_index >> LogRows) == bank_i;
    write.header.index = (write_index >> LogAll) << LogRows | (write_index & 16'(Rows - 1));
    read               = read_i;
    read.valid         = read_i.valid && key_bank_t'(read_index >> LogRows) == bank_i;
    read.header.index  = (read_index >> LogAll) << LogRows | (read_index & 16'(Rows - 1));
  end

  array_match_t            entry [Ways];
  word_answer_t [Ways-1:0] answer;
  logic         [Ways-1:0] equal;
  for (genvar w = 0; w < Ways; w++) begin : gen_way
    sluice_config_table #(.Which(TableArrayMatch), .Parts(Ways * KeyBanks), .Part(w)) u_way (
      .clk_i, .rst_ni, .init_i, .init_index_i, .copy_i,
      .re_i(valid_q[2]), .row_i(mixed[16*w +: AddrBits]), .entry_o(entry[w]),
      .write_i(write), .read_i(read), .answer_o(answer[w])
    );
    assign equal[w] = entry[w].valid && !entry[w].not_bank[key_q[3].bank]
                   && entry[w].vid == key_q[3].vid && entry[w].key == key_q[3].word;
  end
  key_result_t result_d, result_q;
  always_comb begin
    result_d = '0;
    answer_o = '0;
    for (int w = int'(Ways) - 1; w >= 0; w--) begin
      if (equal[w]) result_d = '{found: 1'b1, data: entry[w].data};
      answer_o |= answer[w];
    end
  end
  always_ff @(posedge clk_i) if (valid_q[3]) result_q <= result_d;

  // ---- 4: results
  sluice_many_fifo #(
    .Depth(ResultDepth), .Width($bits(key_result_t)), .In(1), .Out(KeyPorts)
  ) u_results (
    .clk_i, .rst_ni, .push_i(valid_q[4]), .data_i(result_q), .count_o(done_o), .data_o(result_o),
    .pop_i
  );

  // ---- 4: the vote. A write lasts two cycles and takes effect in one of them; what is in cycle 4
  // has been read two cycles ago, so two more count as well.
  localparam logic [3:0] MostVotes = '1;
  logic        kept_q, changes, is_kept, served;
  logic [1:0]  changed_q;
  logic [3:0]  votes_q, votes_d;
  array_key_t  kept_key_q;
  key_result_t kept_result_q;
  assign changes = (write_i.valid && write_i.which == TableArrayMatch) && !stale_i;
  assign is_kept = kept_q && key_q[4] == kept_key_q;
  assign served  = kept_q && served_i;           // a write may have come in between
  always_comb begin
    votes_d = votes_q;
    if ((valid_q[4] && is_kept) || served) begin
      if (votes_q != MostVotes)                votes_d = votes_q + 4'd1;
    end else if (valid_q[4] && votes_q != '0) votes_d = votes_q - 4'd1;
  end
  logic take;
  assign take = valid_q[4] && !is_kept && !served && votes_q == '0 && !changes
             && changed_q == '0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      kept_q    <= 1'b0;
      votes_q   <= '0;
      changed_q <= '0;
    end else begin
      kept_q    <= !changes && (kept_q || take);
      votes_q   <= changes ? '0 : take ? 4'd1 : votes_d;
      changed_q <= {changed_q[0], changes};
    end
  end
  always_ff @(posedge clk_i) if (take) begin
    kept_key_q    <= key_q[4];
    kept_result_q <= result_q;
  end
  assign kept_o        = kept_q;
  assign kept_key_o    = kept_key_q;
  assign kept_result_o = kept_result_q;

  logic unused_bits;
  assign unused_bits = ^mixed;

  `SLUICE_ASSERT(RoomForResults_A, 32'(done_o) + 32'(valid_q[2]) + 32'(valid_q[3])
      + 32'(valid_q[4]) == 32'(under_way_q))
`ifdef SLUICE_SIM
  logic was_kept_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) was_kept_q <= 1'b0;
    else         was_kept_q <= kept_q;
  end
  `SLUICE_ASSERT(ServedWasKept_A, !served_i || was_kept_q)
`endif
endmodule : sluice_array_bank
