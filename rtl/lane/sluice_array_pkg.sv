// SPDX-License-Identifier: Apache-2.0

/// What passes between the parts of the array match (sluice_array_match).
// A package offers more constants than any one block reads.
/* verilator lint_off UNUSEDPARAM */
package sluice_array_pkg;

  import sluice_cfg_pkg::*;
  import sluice_pkg::*;
  import sluice_phv_pkg::*;

  localparam int unsigned KeyBanks = 2 * WordsOfRow;  // memories that look keys up, of four ways
  localparam int unsigned KeyPorts = 4;               // keys of a packet that one takes in a cycle
  typedef logic [index_bits(KeyBanks)-1:0]   key_bank_t;
  typedef logic [index_bits(WordsOfRow)-1:0] word_id_t;
  typedef struct packed {
    logic [7:0]  vid;                                 // VID[7:0] of the packet's module
    logic        bank;                                // configuration bank of the packet
    logic [31:0] word;
  } array_key_t;
  typedef struct packed {
    logic        found;                               // there is an entry
    logic [31:0] data;
  } key_result_t;

  localparam int unsigned KeyDepth    = 8;            // keys that wait for a bank
  localparam int unsigned ResultDepth = 16;           // results of a bank that wait, or will come
  localparam int unsigned KeyRankBits = $clog2(KeyPorts);
  localparam int unsigned KeyPortBits = $clog2(KeyPorts + 1);
  localparam int unsigned KeyFreeBits = $clog2(KeyDepth + 1);
  localparam int unsigned DoneBits    = $clog2(ResultDepth + 1);
  typedef logic [KeyPortBits-1:0] key_count_t;        // keys, or results, of one bank and cycle
  typedef logic [KeyRankBits-1:0] key_rank_t;         // which of them

  // A packet whose words are looked up: what is known of it from the start.
  typedef struct packed {
    words_t                    words;                 // of words that are done: what they became
    logic [WordsOfRow-1:0]     is_key;
    logic [WordsOfRow-1:0]     found;                 // done, and there is an entry
    word_id_t [WordsOfRow-1:0] first;                 // itself, or an equal word before it, whose
                                                      // result it takes
    logic                      stay;                  // keys without an entry stay
    logic                      write;
    logic [2:0]                index;
  } asked_t;

  // Keys of one packet that go to the banks in one cycle, at most KeyPorts to each. The rank of a
  // word is the number of words before it that go to the same bank with it.
  typedef struct packed {
    asked_t                     asked;
    key_bank_t [WordsOfRow-1:0] bank;
    logic [WordsOfRow-1:0]      goes;
    key_rank_t [WordsOfRow-1:0] rank;
    logic                       last;                 // of its packet
  } key_beat_t;
  localparam int unsigned BeatDepth = 32;             // beats whose results are not all there

  // The hash of {VID, key}: bit b is the parity of the bits in KeyTaps[b] (docs/machine.md).
  localparam int unsigned KeyHashBits = 40;
  typedef logic [63:0][KeyHashBits-1:0] key_taps_t;
  function automatic key_taps_t key_taps();
    logic [63:0] power;
    power = CrcPolynomial;
    for (int unsigned i = 0; i < KeyHashBits; i++) begin
      for (int unsigned b = 0; b < 64; b++) key_taps[b][i] = power[b];
      power = crc_times_x(power);
    end
  endfunction
  localparam key_taps_t KeyTaps = key_taps();

endpackage : sluice_array_pkg
/* verilator lint_on UNUSEDPARAM */
