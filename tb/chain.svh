// SPDX-License-Identifier: Apache-2.0
// The daisy chain as a block sees it: messages go in, and what comes out is kept; included in the
// modules of block tests, behind bench.svh and the import of sluice_ctrl_pkg.
//
//   chain_in, chain_in_ready      into the block
//   chain_out, chain_out_ready    out of it; ready unless the bench says otherwise
//   chain_taken                   the word in chain_in was taken at the last edge of the clock
//   chain_came                    the words that came out
//   send_word, send_message       at the falling edge of the clock; they return when all is taken
//   exchange(header, words)       sends a message and waits for what comes out: `reply`,
//                                 `reply_words`; `no_words` where none go in
//
//   sluice_table_node u_dut (..., .chain_i(chain_in), .chain_ready_o(chain_in_ready),
//                            .chain_o(chain_out), .chain_ready_i(chain_out_ready));
//   ...
//     exchange('{op: ChainRead, resource: TableSegmentModule, sub: TableSegmentSub, index: 16'd5,
//                count: 8'd1, default: '0}, no_words);
//     if (reply.op != ChainAnswer || reply_words[0] != expected) fail("an answer");
chain_t        chain_in = '0, chain_out;
logic          chain_in_ready, chain_out_ready = 1'b1;
chain_t        chain_came [$];
/* verilator lint_save */
/* verilator lint_off UNUSEDSIGNAL */
bit            chain_taken = 1'b0;
chain_header_t reply;
logic [63:0]   reply_words [$], no_words [$];
/* verilator lint_restore */

always @(posedge clk) begin
  chain_taken <= rst_n && chain_in.valid && chain_in_ready;
  if (rst_n && chain_out.valid && chain_out_ready) chain_came.push_back(chain_out);
end

task automatic send_word(logic [63:0] data, bit first, bit last);
  chain_in = '{valid: 1'b1, first: first, last: last, data: data};
  do @(negedge clk); while (!chain_taken);
  chain_in = '0;
endtask

task automatic send_message(chain_header_t message_header, logic [63:0] message_words [$]);
  for (int w = 0; w <= message_words.size(); w++)
    send_word(w == 0 ? message_header : message_words[w-1], w == 0, w == message_words.size());
endtask

task automatic exchange(chain_header_t message_header, logic [63:0] message_words [$]);
  chain_came.delete();
  send_message(message_header, message_words);
  for (int n = 0; chain_came.size() == 0 || !chain_came[chain_came.size()-1].last; n++) begin
    @(negedge clk);
    if (n > 5000) fail("a message does not come back");
  end
  reply = chain_header_t'(chain_came[0].data);
  reply_words.delete();
  for (int w = 1; w < chain_came.size(); w++) reply_words.push_back(chain_came[w].data);
endtask
