// SPDX-License-Identifier: Apache-2.0

/// Proof: a move in the cuckoo engine never hides an entry. Once a write of the watched entry is
/// done, every lookup of its key hits it, with its action, at a place where it stands; whatever is
/// written meanwhile, and wherever it is moved to.
///
/// The engine with four ways of four buckets. An entry and the bucket of its key in each way are
/// chosen by the solver (the hash is the block test's matter: all that counts here is that a key
/// has the same four buckets at every lookup). Free: lookups, one a cycle at most, of any key; writes
/// of any entry, one after the other, for two cycles each, as a table node hands them. Assumed, as
/// the driver does (sw/driver/tables/cuckoo.h): the last place where the entry stands is not written with
/// something else; nobody else writes an entry with its key and module.
/// BREAK: 1 the entry is taken from its old place before it stands at the new one, 2 a write stands
/// for one cycle, 3 in way 0 it is written to the bucket beside that of the hash.
`include "sluice_assert.svh"
`ifndef BREAK
`define BREAK 0
`endif
module proof_cuckoo
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_table_pkg::*;
  import sluice_stage_pkg::*;
(
  input logic            clk_i,
  input logic            rst_ni,
  input lookup_t         lookup_i,
  input logic            start_i,      // a write begins
  input logic [3:0]      index_i,
  input cuckoo_t         value_i,
  input cuckoo_t         watched_i,    // the solver's choices, held by an assumption
  input logic [3:0][1:0] bucket_i      // of its key, in each way
);
  localparam logic [EntryBits-1:0]   AllKept = table_kept(TableCuckoo);
  localparam logic [CuckooWidth-1:0] Kept    = AllKept[EntryBits-1 -: CuckooWidth];
  localparam int unsigned            NumKept = $countones(Kept);
  typedef logic [NumKept-1:0] word_t;

  // As sluice_config_table puts an entry in its memory.
  function automatic word_t word_of(cuckoo_t entry);
    int unsigned at;
    at      = 0;
    word_of = '0;
    for (int unsigned b = 0; b < CuckooWidth; b++)
      if (Kept[b]) begin
        word_of[at] = entry[b];
        at++;
      end
  endfunction

  logic            started_q = 1'b0;
  cuckoo_t         watched_q;
  logic [3:0][1:0] bucket_q;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    watched_q <= watched_i;
    bucket_q  <= bucket_i;
  end
  always_comb begin
    assume (rst_ni == started_q);
    assume (!started_q || (watched_i == watched_q && bucket_i == bucket_q));
    assume (watched_i.valid && watched_i.not_bank == '0 && (watched_i & ~Kept) == '0);
  end

  // ---- the sweep after reset
  logic        ready_q;
  logic [2:0]  init_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ready_q <= 1'b0;
      init_q  <= '0;
    end else if (!ready_q) begin
      ready_q <= init_q == 3'd3;
      init_q  <= init_q + 3'd1;
    end
  end

  // ---- writes
  logic         second_q, first, writes;
  logic [3:0]   index_q, index;
  cuckoo_t      value_q, value;
  logic [3:0]   stands_q;              // the ways in which the entry is known to stand
  logic [3:0]   here;                  // the write is at its place in this way
  table_write_t write;
  table_read_t  read;
  assign first  = ready_q && start_i && !second_q;
  assign writes = first || second_q;
  assign index  = second_q ? index_q : index_i;
  assign value  = second_q ? value_q : value_i & Kept;
  for (genvar w = 0; w < 4; w++) begin : gen_here
    assign here[w] = writes && index == {2'(w), bucket_i[w] ^ 2'(`BREAK == 3 && w == 0)};
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      second_q <= 1'b0;
      stands_q <= '0;
    end else begin
      second_q <= first;
      for (int unsigned w = 0; w < 4; w++)
        if (here[w]) begin
          if (value != watched_i) stands_q[w] <= 1'b0;
          else if (second_q)      stands_q[w] <= 1'b1;
        end
    end
  end
  always_ff @(posedge clk_i)
    if (first) begin
      index_q <= index_i;
      value_q <= value_i & Kept;
    end
  always_comb begin
    write       = '0;
    write.valid = first || (second_q && `BREAK != 2);
    write.which = TableCuckoo;
    write.header.op    = ChainWrite;
    write.header.index = 16'(index);
    write.data[EntryBits-1 -: CuckooWidth] = value;
    read = '0;
  end

  // What may be written: the entry itself, or nothing that its key hits.
  function automatic logic harmless(cuckoo_t entry);
    return entry == watched_i || !entry.valid || entry.vid != watched_i.vid
        || entry.key != watched_i.key || entry.wide != watched_i.wide;
  endfunction
  always_comb begin
    assume (!first || harmless(value));
    if (`BREAK != 1)
      assume (!first || value == watched_i || (stands_q & here) == '0
              || (stands_q & ~here) != '0);
  end

  // ---- the engine
  hit_t         hit;
  logic [3:0]   entry;
  data_t        data;
  word_answer_t answer;
  sluice_match_cuckoo dut (
    .clk_i, .rst_ni, .init_i(!ready_q), .init_index_i(16'(init_q)), .copy_i('0),
    .lookup_i, .hit_o(hit), .entry_o(entry), .data_o(data),
    .write_i(write), .read_i(read), .answer_o(answer)
  );

  // ---- lookups of its key. [c]: c cycles after the lookup
  logic       looks;
  logic       once_q;                  // a write of the entry was done
  logic [2:1] looks_q, found_q;        // found: that is so, and the key is looked up
  assign looks = lookup_i.valid && lookup_i.vid == watched_i.vid
      && lookup_i.key == watched_i.key && lookup_i.wide == watched_i.wide;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {once_q, looks_q, found_q} <= '0;
    else begin
      once_q  <= once_q || stands_q != '0;
      looks_q <= {looks_q[1], looks};
      found_q <= {found_q[1], looks && once_q};
    end
  end
  always_comb begin
    assume (!lookup_i.valid || ready_q);
    // The buckets of its key are always the same.
    for (int unsigned w = 0; w < 4; w++)
      assume (!looks || dut.gen_engine.mixed[16*w +: 2] == bucket_i[w]);
  end

  always_comb if (rst_ni) begin
    Found_A : assert (!found_q[2] || (hit.valid && hit.row == action_row_t'(watched_i.action)));
    Number_A : assert (!found_q[2] || entry[1:0] == bucket_i[entry[3:2]]);
  end

  // ---- what carries the proof from cycle to cycle
  function automatic cuckoo_t entry_of(word_t word);
    int unsigned at;
    at       = 0;
    entry_of = '0;
    for (int unsigned b = 0; b < CuckooWidth; b++)
      if (Kept[b]) begin
        entry_of[b] = word[at];
        at++;
      end
  endfunction
  if (`BREAK == 0) begin : gen_steps
    logic [3:0] read_it, read_harmless;    // of the lookup a cycle ago, by ways
    for (genvar w = 0; w < 4; w++) begin : gen_way
      word_t   word, written, held;
      cuckoo_t read_entry;
      logic    late, mine;
      assign word       = dut.gen_engine.gen_way[w].u_way.gen_memory.u_memory.mem_q[bucket_i[w]];
      assign written    = dut.gen_engine.gen_way[w].u_way.gen_memory.u_memory.mem_q[index_q[1:0]];
      assign held       = dut.gen_engine.gen_way[w].u_way.gen_memory.u_memory.rdata_o;
      assign late       = dut.gen_engine.gen_way[w].u_way.gen_memory.u_memory.late_q;
      assign mine       = second_q && index_q[3:2] == 2'(w);
      assign read_entry = dut.gen_engine.entry[w];
      assign read_it[w]       = read_entry == watched_i;
      assign read_harmless[w] = harmless(read_entry);
      always_comb if (rst_ni) begin
        Word_A : assert (!stands_q[w] || word == word_of(watched_i));
        Harmless_A : assert (!(ready_q || init_q > 3'(bucket_i[w])) || harmless(entry_of(word)));
        // A write is done in its first cycle, or, if the word was read then, in its second one.
        Second_A : assert (dut.gen_engine.gen_way[w].u_way.gen_memory.u_memory.second_q == mine);
        Late_A : assert (!late || (mine && held == written));
        Done_A : assert (!mine || late || written == word_of(value_q));
        Gone_A : assert (!(mine && here[w]) || value_q == watched_i || !stands_q[w]);
      end
    end
    always_comb if (rst_ni) begin
      // Of an engine into which nothing was written yet nobody asks anything.
      KeysTravel_A : assert (!found_q[1] || (dut.gen_engine.valid_q
          && dut.gen_engine.gen_number.bucket_q == bucket_i
          && dut.gen_engine.compared_q.vid == watched_i.vid
          && dut.gen_engine.compared_q.key == watched_i.key
          && dut.gen_engine.compared_q.wide == watched_i.wide));
      Used_A : assert (dut.gen_engine.used_q || (stands_q == '0 && !once_q && !second_q));
      Order_A : assert ((found_q & ~looks_q) == '0 && (found_q == '0 || once_q));
      Sweep_A : assert (ready_q ? init_q == 3'd4 : init_q <= 3'd3 && stands_q == '0
                        && looks_q == '0 && !second_q && !once_q);
      Stays_A : assert (!once_q || stands_q != '0);
      Value_A : assert (!second_q || ((value_q & ~Kept) == '0 && harmless(value_q)));
      Read_A : assert (!found_q[1] || (read_it != '0 && read_harmless == '1));
    end
  end
  always_comb if (rst_ni) begin
    Covered_C : cover (found_q[2] && hit.valid && stands_q == 4'b0100);
  end

  logic unused_bits;
  assign unused_bits = ^{hit, entry, data, answer, read};
endmodule : proof_cuckoo
