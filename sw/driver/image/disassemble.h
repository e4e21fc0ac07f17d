// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>

#include "say.h"

/// Entries of tables as a person reads them. What an operation does is said in the words of
/// layouts.def; the dissector for Wireshark (sw/wireshark) has its own code for the same texts, and
/// the two are compared.

/// An ACTION entry, 79 bytes: "4B[0] = 4B[1] + 5; port = 2B[0]". Slots that change nothing are left
/// out; all of them: "nothing". FUNC with DATA set names data words: "4B[0] = 4B[1] + d2". (A chip
/// without data words does 4B[1] + 2: an entry does not say which chip it is for.)
void sluice_say_action(struct say *text, const uint8_t *entry);

/// A PARSER (`from` "to") or DEPARSER ("from") entry, 20 bytes: "bytes 18..19 to 2B[0], metadata
/// 0..3 to 4B[1]".
void sluice_say_parse(struct say *text, const uint8_t *entry, const char *preposition);

/// A KEY_EXTRACT entry: "6B[0], 6B[1], 4B[0], 4B[1], 2B[0], 2B[1], 2B[3] > 5, unsigned, 8 bits".
void sluice_say_key(struct say *text, const uint8_t *entry);

/// A STATE_INSTR entry: "if (S1 < 700) {S1' = S1 + 4B[0]} else {S1' = 0, S2' = 1}".
void sluice_say_state(struct say *text, const uint8_t *entry);

/// An ACCESS entry: "sharded by 4B[1], if 2B[0] is not 0".
void sluice_say_access(struct say *text, const uint8_t *entry);

/// A HASH_INSTR entry: "CRC16 (4B[0], 4B[1]) modulo 8000".
void sluice_say_hash(struct say *text, const uint8_t *entry);
void sluice_say_multiply(struct say *text, const uint8_t *entry);
/// A KEY_COMPARE entry: "4B[1] > 1500, unsigned", or "nothing".
void sluice_say_compare(struct say *text, const uint8_t *entry);
/// ARRAY_INSTR: "row = predicate 3 ? words : row + words, words = row".
void sluice_say_row(struct say *text, const uint8_t *entry);
/// An entry of ARRAY_KEYS: "words 0..3 are keys; one without an entry becomes 0; 2B[1] = which are
/// found".
void sluice_say_keys(struct say *text, const uint8_t *entry);
