// SPDX-License-Identifier: Apache-2.0

/// Which words of a packet's array are looked up, and where (docs/machine.md, Array match): table
/// ARRAY_KEYS, the banks of the keys, and words that are equal.
/// The table is read in the cycle before the item; everything else is combinational in the item's.
/// Example, eight words, all keys: 17, 5, 17, 5, 0, 0, 0, 0. Then first_o is 0, 1, 0, 1, 4, 4, 4,
/// 4: three keys are looked up.
/// Reset: no packet; tables after the sweep.
module sluice_array_keys
  import sluice_cfg_pkg::*;
  import sluice_layout_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;
  import sluice_ctrl_pkg::*;
  import sluice_array_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 init_i,
  input  logic [15:0]          init_index_i,
  input  pipe_t                lane_i,
  // a packet, a cycle before its item
  input  logic                 ahead_i,
  input  overlay_t             row_i,
  // the item, and what is asked
  input  item_t                item_i,
  output asked_t               asked_o,
  output key_bank_t [WordsOfRow-1:0] bank_o,
  // control: ARRAY_KEYS
  input  table_write_t         write_i,
  input  table_read_t          read_i,
  output word_answer_t         answer_o
);
  localparam int unsigned KeyBankBits = $bits(key_bank_t);

  array_keys_t    entry;
  carried_array_t array;
  logic [7:0]     vid;
  sluice_config_table #(.Which(TableArrayKeys)) u_table (
    .clk_i, .rst_ni, .init_i, .init_index_i,
    .copy_i(lane_i), .re_i(ahead_i), .row_i, .entry_o(entry), .write_i, .read_i, .answer_o
  );
  assign array = carried_array_t'(item_i.phv.array);
  assign vid   = {item_i.phv.meta.vid_high, row_t'(item_i.phv.meta.overlay)};

  always_comb begin
    asked_o = '{words: array.words, stay: entry.stay, write: entry.valid && entry.found_valid,
                index: entry.found, default: '0};
    for (int unsigned i = 0; i < WordsOfRow; i++) begin
      asked_o.is_key[i] = item_i.reason == DropNone && entry.valid && entry.words[i]
                       && 32'(array.count) > i;
      asked_o.first[i]  = word_id_t'(i);
      for (int j = int'(i) - 1; j >= 0; j--)
        if (asked_o.is_key[j] && array.words[j] == array.words[i])
          asked_o.first[i] = word_id_t'(j);
    end
  end

  // The bank is the upper bits of the mixed hash, for which few bits of the hash are needed: mixed
  // bit b is hash b ^ (~hash (b + 43) & hash (b + 22)), numbers modulo 64.
  for (genvar i = 0; i < WordsOfRow; i++) begin : gen_word
    logic [KeyHashBits-1:0] hashed;
    assign hashed = {vid, array.words[i]};
    for (genvar k = 0; k < KeyBankBits; k++) begin : gen_bit
      localparam int unsigned Bit = 64 - KeyBankBits + k;
      assign bank_o[i][k] = (^(hashed & KeyTaps[Bit]))
          ^ (!(^(hashed & KeyTaps[(Bit+43)%64])) && (^(hashed & KeyTaps[(Bit+22)%64])));
    end
  end
endmodule : sluice_array_keys
