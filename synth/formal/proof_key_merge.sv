// SPDX-License-Identifier: Apache-2.0

/// Proof: merged lanes lose and double nothing, and if they are sorted and never idle, what gets
/// its place is sorted.
///
/// Two lanes with keys of three bits. The solver chooses a lane and a key that is pushed there to
/// watch. Assumed: a lane has room for what is pushed, brings its keys in rising order, and is not
/// quiet while the other has a key. Shown: the watched key gets its place once, after those that
/// came before it in its lane and before all others of it; and no key gets its place after one that
/// is larger (but for the bound, which tb/sluice_key_merge shows). Helpers say what stands where in the queues.
/// BREAK: 1 a lane brings a smaller key, 2 nobody waits for a quiet lane, 3 a key gets lost,
/// 4 a place is not given.
`ifndef BREAK
`define BREAK 0
`endif
module proof_key_merge #(
  localparam int unsigned Count   = 2,
  localparam int unsigned Depth   = 2,       // in the memory of a lane
  localparam int unsigned Words   = Depth + 2,
`ifdef OTHER
  localparam int unsigned KeyBits = 6
`else
  localparam int unsigned KeyBits = 3
`endif
) (
  input logic                          clk_i,
  input logic                          rst_ni,
  input logic [15:0]                   idle_i,
  input logic [Count-1:0]              push_i,
  input logic [Count-1:0][KeyBits-1:0] key_i,
  input logic [Count-1:0]              void_i,
  input logic                          watch_i,     // what is pushed in watched_i now is watched
  input logic                          watched_i,   // the solver's choice, held by an assumption
  input logic                          slip_i       // when a broken twin goes wrong
);
  typedef logic [KeyBits-1:0] key_t;
  typedef logic [2:0]         count_t;

  logic [Count-1:0] push, pick, pick_dut;
  key_t             pick_key;
  logic             pick_void;
  assign push = push_i & ~(`BREAK == 3 && slip_i ? Count'(1) : '0);
  assign pick = pick_dut & ~(`BREAK == 4 && slip_i ? Count'(1) : '0);
  sluice_merge_pick #(.Count(Count), .Depth(Depth), .KeyBits(KeyBits), .Bound(0)) u_dut (
    .clk_i, .rst_ni, .merged_i('1), .idle_i, .push_i(push), .key_i, .void_i,
    .pick_o(pick_dut), .pick_key_o(pick_key), .pick_void_o(pick_void)
  );

  // ---- what is in the queues, read out of them: the oldest at place 0
  logic   [Count-1:0][Words-1:0]              valid;
  logic   [Count-1:0][Words-1:0][KeyBits-1:0] key;
  logic   [Count-1:0]                         quiet, empty, full;
  count_t [Count-1:0]                         held;
  for (genvar l = 0; l < Count; l++) begin : gen_lane
    logic [1:0]       in_memory;
    logic             read_ptr;
    logic [KeyBits:0] word [Depth];
    assign in_memory = u_dut.gen_lane[l].u_queue.u_behind.count_q;
    assign read_ptr  = u_dut.gen_lane[l].u_queue.u_behind.read_ptr_q;
    for (genvar w = 0; w < Depth; w++) begin : gen_word
      assign word[w]       = u_dut.gen_lane[l].u_queue.u_behind.u_ram.mem_q[w];
      assign valid[l][2+w] = 2'(w) < in_memory;
      assign key[l][2+w]   = KeyBits'(word[read_ptr ^ (w == 1)]);
    end
    assign valid[l][0] = u_dut.gen_lane[l].u_queue.head_valid_q;
    assign key[l][0]   = KeyBits'(u_dut.gen_lane[l].u_queue.head_q);
    assign valid[l][1] = u_dut.gen_lane[l].u_queue.behind_valid;
    assign key[l][1]   = KeyBits'(u_dut.gen_lane[l].u_queue.behind);
    assign quiet[l]    = u_dut.gen_lane[l].u_queue.quiet_o;
    assign empty[l]    = !valid[l][0];
    assign held[l]   = count_t'(valid[l][0]) + count_t'(valid[l][1]) + count_t'(in_memory);
    assign full[l]     = held[l] == count_t'(Words);
    always_comb
      if (rst_ni) begin
        assert (in_memory <= 2'(Depth));
        assert (u_dut.gen_lane[l].u_queue.u_behind.write_ptr_q == (read_ptr ^ in_memory[0]));
      end
  end

  // ---- what the lanes bring
  logic   [Count-1:0]              pushed_q;      // something, ever
  logic   [Count-1:0][KeyBits-1:0] newest_q;
  logic                            any_q;         // a key has its place
  key_t                            last_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pushed_q <= '0;
      any_q    <= 1'b0;
    end else begin
      pushed_q <= pushed_q | push_i;
      any_q    <= any_q || pick != '0;
    end
  end
  always_ff @(posedge clk_i) begin
    for (int unsigned l = 0; l < Count; l++) if (push_i[l]) newest_q[l] <= key_i[l];
    if (pick != '0) last_q <= pick_key;
  end
  logic watched_q;
  always_ff @(posedge clk_i) watched_q <= watched_i;
  always_comb begin
    assume (watched_i == watched_q);
    if (rst_ni)
      for (int unsigned l = 0; l < Count; l++) begin
        assume (!push_i[l] || !full[l]);
        assume (!push_i[l] || !pushed_q[l] || key_i[l] >= newest_q[l] || `BREAK == 1);
        assume (!quiet[l] || empty == '1 || `BREAK == 2);
      end
  end

  // ---- the watched key: behind how many others of its lane
  logic   waits_q, starts, goes, gone_q;
  count_t ahead_q;
  key_t   mine_q;
  assign starts = watch_i && push_i[watched_i] && !waits_q && !gone_q;
  assign goes   = waits_q && ahead_q == '0 && pick[watched_i];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waits_q <= 1'b0;
      gone_q  <= 1'b0;
      ahead_q <= '0;
    end else begin
      waits_q <= starts || (waits_q && !goes);
      gone_q  <= gone_q || goes;
      if (starts)       ahead_q <= held[watched_i] - count_t'(pick[watched_i]);
      else if (waits_q) ahead_q <= ahead_q - count_t'(pick[watched_i] && !goes);
    end
  end
  always_ff @(posedge clk_i) if (starts) mine_q <= key_i[watched_i];

  always_comb
    if (rst_ni) begin
      Kept_A   : assert (!waits_q || (ahead_q < held[watched_i] && valid[watched_i][2'(ahead_q)]
                                      && key[watched_i][2'(ahead_q)] == mine_q));
      Goes_A   : assert (!goes || pick_key == mine_q);
      Given_A  : assert (!waits_q || ahead_q != '0 || pick_dut[watched_i] == pick[watched_i]);
      Sorted_A : assert (pick == '0 || !any_q || last_q <= pick_key);
      // helpers: queues are sorted, up to what came last, and all that is there is not before what
      // has its place
      for (int unsigned l = 0; l < Count; l++) begin
        assert (empty[l] || pushed_q[l]);
        assert (!any_q || (pushed_q[l] && newest_q[l] >= last_q) || `BREAK == 1 || `BREAK == 2);
        for (int unsigned w = 0; w < Words; w++) begin
          assert (!valid[l][w] || key[l][w] <= newest_q[l] || `BREAK == 1);
          assert (!valid[l][w] || !any_q || last_q <= key[l][w] || `BREAK == 1 || `BREAK == 2);
          assert (!valid[l][w] || w == 0 || (valid[l][w-1] && (key[l][w-1] <= key[l][w]
                                                               || `BREAK == 1)));
        end
        for (int unsigned m = 0; m < Count; m++)
          assert (u_dut.ahead_q[l][m] == (l == m || empty[m] || (l < m ? key[l][0] <= key[m][0]
                                                                      : key[l][0] < key[m][0])
                                          || empty[l]) || empty[l]);
      end
    end

  // ---- reset comes once, at the start
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);

  // ---- reached: a lane was full, and the watched key goes behind a key of the other lane
  logic full_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) full_q <= 1'b0;
    else         full_q <= full_q || full != '0;
  end
  always_ff @(posedge clk_i)
    if (rst_ni) Merged_C : cover (full_q && goes && any_q && last_q < mine_q && mine_q != '0);

  logic unused_void;
  assign unused_void = pick_void;
endmodule : proof_key_merge
