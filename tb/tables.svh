// SPDX-License-Identifier: Apache-2.0
// A table of the block, written and read as its node on the daisy chain does it; included in the
// modules of block tests, behind bench.svh and the import of sluice_ctrl_pkg.
//
//   write, read             what the node hands to the tables: `write_i`, `read_i` of the block
//   answer                  `answer_o`
//   write_entry(...)        writes an entry, and takes two cycles, as a node's writes do at least
//   put_write, end_write    the same in two parts: what must be waited for comes between them
//   read_word(...)          asks for a word of 64 bits; it is in `answer` when the task returns,
//                           unless the table needs longer
//
//   sluice_multiplier u_dut (..., .write_i(write), .read_i(read), .answer_o(answer));
//   ...
//     write_entry(TableMultiply, row, {entry, (EntryBits-MultiplyWidth)'(0)});   // left-justified
//     read_word(TableMultiply, row);
//     if (!answer.valid || answer.data != ...) fail("reads back wrong");

/* verilator lint_save */
/* verilator lint_off UNUSEDSIGNAL */
/* verilator lint_off UNDRIVEN */
table_write_t write = '0;
table_read_t  read  = '0;
word_answer_t answer;

// index_row: the module, of STATE and FILL.
function automatic void put_write(table_e which, int index, logic [EntryBits-1:0] data,
                                  int index_row = 0);
  write = '{valid: 1'b1, which: which, data: data,
            header: '{op: ChainWrite, index: 16'(index), row: 8'(index_row), default: '0}};
endfunction

task automatic end_write();
  repeat (2) @(negedge clk);
  write = '0;
endtask

task automatic write_entry(table_e which, int index, logic [EntryBits-1:0] data);
  put_write(which, index, data);
  end_write();
endtask

function automatic void put_read(table_e which, int index, int word = 0, int index_row = 0);
  read = '{valid: 1'b1, which: which, word: 4'(word),
           header: '{op: ChainRead, index: 16'(index), row: 8'(index_row), default: '0}};
endfunction

task automatic read_word(table_e which, int index, int word = 0, int index_row = 0);
  put_read(which, index, word, index_row);
  @(negedge clk);
  read = '0;
endtask
/* verilator lint_restore */
