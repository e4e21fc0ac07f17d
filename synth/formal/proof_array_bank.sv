// SPDX-License-Identifier: Apache-2.0

/// Proof: a bank of the array match loses no lookup, doubles none, and gives results in the order of
/// the keys; however many keys of a packet want it at once, and whenever their results are taken.
///
/// One bank with its two queues. The solver watches one key of those that come in some cycle, and
/// the harness counts how many are ahead of it (ahead_q). Free: how many keys come, up to the room
/// that the bank tells, and what they are; how many of the results that there are leave; what is
/// served by the kept key. A lookup gives any function of its key: here the key's own word and bank
/// bit, so that each result tells whose it is. What stands in the memory, and the key that is kept,
/// are the block test's matter (tb/sluice_array_match).
/// BREAK: 1 keys come without room, 2 one of four keys that come at once is lost, 3 a result that is
/// taken stays.
`include "sluice_assert.svh"
`ifndef BREAK
`define BREAK 0
`endif
module proof_array_bank
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_array_pkg::*;
(
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  key_count_t                 push_i,
  input  array_key_t [KeyPorts-1:0]  key_i,
  input  key_count_t                 pop_i,
  input  logic                       served_i,
  input  logic                       watch_i,       // the solver's choice: this one of those that come
  input  key_rank_t                  which_i
);
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  always_comb assume (rst_ni == started_q);

  // ---- the bank
  logic [KeyFreeBits-1:0]     free;
  logic [DoneBits-1:0]        done;
  key_result_t [KeyPorts-1:0] result;
  logic                       unused_kept;
  array_key_t                 unused_key;
  key_result_t                unused_result;
  word_answer_t               unused_answer;
  key_count_t                 push_dut, pop_dut;
  assign push_dut = push_i - key_count_t'(`BREAK == 2 && push_i == key_count_t'(KeyPorts));
  assign pop_dut  = pop_i - key_count_t'(`BREAK == 3 && pop_i == key_count_t'(2));
  sluice_array_bank u_bank (
    .clk_i, .rst_ni, .init_i(1'b0), .init_index_i('0), .copy_i('0), .bank_i('0), .stale_i(1'b0),
    .push_i(push_dut), .key_i, .free_o(free), .done_o(done), .result_o(result), .pop_i(pop_dut),
    .kept_o(unused_kept), .kept_key_o(unused_key), .kept_result_o(unused_result), .served_i,
    .write_i('0), .read_i('0), .answer_o(unused_answer)
  );
  function automatic key_result_t result_of(array_key_t key);
    return '{found: key.bank, data: key.word};
  endfunction
  always_comb begin
    assume (u_bank.result_d == result_of(u_bank.key_q[3]));
    assume (32'(push_i) <= KeyPorts && (`BREAK == 1 || 32'(push_i) <= 32'(free)));
    assume (32'(pop_i) <= KeyPorts && 32'(pop_i) <= 32'(done));
    assume (!served_i || u_bank.was_kept_q);
  end

  // ---- keys whose results have not left, those ahead of the watched one; how long none was there
  localparam int unsigned Most = KeyDepth + ResultDepth;
  logic [5:0] num_q, ahead_q;
  logic       inside_q, begins, leaves;
  logic [2:0] wait_q;
  array_key_t watched_q;
  assign begins = watch_i && !inside_q && 32'(push_i) > 32'(which_i);
  assign leaves = inside_q && ahead_q < 6'(pop_i);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      num_q    <= '0;
      inside_q <= 1'b0;
      wait_q   <= '0;
    end else begin
      num_q    <= num_q + 6'(push_i) - 6'(pop_i);
      inside_q <= begins || (inside_q && !leaves);
      wait_q   <= num_q != '0 && done == '0 ? wait_q + 3'd1 : '0;
    end
  end
  always_ff @(posedge clk_i) begin
    ahead_q <= begins ? num_q - 6'(pop_i) + 6'(which_i) : ahead_q - 6'(pop_i);
    if (begins) watched_q <= key_i[which_i];
  end
  // Which of the results is that of the watched key.
  logic there;
  assign there = inside_q && ahead_q < 6'(done) && 32'(ahead_q) < KeyPorts;
  always_comb if (rst_ni) begin
    Mine_A  : assert (!there || result[key_rank_t'(ahead_q)] == result_of(watched_q));
    Count_A : assert (32'(num_q) == 32'(u_bank.waiting) + 32'(u_bank.under_way_q));
    Soon_A  : assert (wait_q <= 3'd4);
  end

  // ---- what carries the proof from cycle to cycle
  if (`BREAK == 0) begin : gen_steps
    logic [1:0] under;                   // lookups in the memory
    logic [5:0] past, at;                // results there; place of the watched one behind them
    assign under = 2'(u_bank.valid_q[2]) + 2'(u_bank.valid_q[3]) + 2'(u_bank.valid_q[4]);
    assign past  = ahead_q - 6'(done);
    assign at    = past - 6'(under);
    always_comb if (rst_ni) begin
      assert (32'(u_bank.waiting) <= KeyDepth && 32'(u_bank.under_way_q) <= ResultDepth);
      assert (32'(u_bank.under_way_q) == 32'(done) + 32'(under));
      assert (u_bank.u_keys.tail_q == 3'(u_bank.u_keys.head_q + 3'(u_bank.waiting)));
      assert (u_bank.u_results.tail_q == 4'(u_bank.u_results.head_q + 4'(done)));
      assert (!u_bank.valid_q[4] || u_bank.result_q == result_of(u_bank.key_q[4]));
      assert (!inside_q || ahead_q < num_q);
      if (inside_q) begin
        if (ahead_q < 6'(done)) begin
          assert (u_bank.u_results.mem_q[4'(u_bank.u_results.head_q + 4'(ahead_q))]
                  == result_of(watched_q));
        end else if (past < 6'(under)) begin
          if (u_bank.valid_q[4] && past == '0) begin
            assert (u_bank.key_q[4] == watched_q);
          end else if (u_bank.valid_q[3] && past == 6'(u_bank.valid_q[4])) begin
            assert (u_bank.key_q[3] == watched_q);
          end else begin
            assert (u_bank.key_q[2] == watched_q);
          end
        end else begin
          assert (u_bank.u_keys.mem_q[3'(u_bank.u_keys.head_q + 3'(at))] == watched_q);
        end
      end
      if (num_q != '0 && done == '0)
        assert (wait_q == '0 || (wait_q == 3'd1 && u_bank.valid_q != '0)
                || (wait_q == 3'd2 && u_bank.valid_q[4:3] != '0)
                || (wait_q == 3'd3 && u_bank.valid_q[4]));
    end
  end

  always_ff @(posedge clk_i) if (rst_ni) begin
    Four_C : cover (leaves && ahead_q == 6'd3 && pop_i == key_count_t'(KeyPorts));
    Full_C : cover (32'(free) == 1 && inside_q && ahead_q == '0);
  end
endmodule : proof_array_bank
