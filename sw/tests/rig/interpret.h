// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/compiler.h"

/// Runs a program's text, statement by statement, one packet after the other: what the chip must
/// equal. It walks the syntax tree and shares nothing with the passes behind the parser.
///
/// An access outside an array reads 0; what the packet writes there it reads back itself, and
/// nobody after it. Arithmetic is docs/machine.md's: x / 0 and x % 0 are 0.
struct sluice_interpreter;

/// Returns an interpreter with all state at its initial values, or NULL when out of memory.
/// `program` must outlive it, and be in Domino: a text in the IR has no statements.
struct sluice_interpreter *sluice_interpreter_new(const struct sluice_program *program);
void sluice_interpreter_free(struct sluice_interpreter *interpreter);

/// Runs one packet. `fields` holds the value of every packet field, in the order of the program,
/// before and after. (On the chip temporaries, port_out and discard start at 0.)
void sluice_interpreter_run(struct sluice_interpreter *interpreter, int32_t *fields);

/// The same with the upper two bytes of fields of 6 bytes, in the same order, before and after.
/// (Without them they are 0 before.)
void sluice_interpreter_run_whole(struct sluice_interpreter *interpreter, int32_t *fields,
                                  uint16_t *upper);

/// The same with arrays: `rows` holds the words of fields that are arrays, in the same order.
enum { SLUICE_ROW_WORDS = 16 };
void sluice_interpreter_run_rows(struct sluice_interpreter *interpreter, int32_t *fields,
                                 uint16_t *upper, int32_t (*rows)[SLUICE_ROW_WORDS]);

/// An entry of a table: it matches where (key XOR key[i]) AND care[i] is 0 for each key. The one
/// with the lowest priority wins, of two the one that was added first.
struct sluice_interpreter_entry {
  unsigned action;  // place in the table's list
  uint32_t priority;
  uint64_t key[SLUICE_MAX_KEYS], care[SLUICE_MAX_KEYS], arg[SLUICE_MAX_ARGS];
};
/// Adds an entry to those that the text gives, for the packets from then on. False: out of memory.
bool sluice_interpreter_add(struct sluice_interpreter *interpreter, size_t table,
                            const struct sluice_interpreter_entry *entry);

/// What a word becomes that is looked up, besides what the text says, for the packets from then on;
/// or that it has no entry any more. False: out of memory.
struct sluice_interpreter_pair {
  uint32_t key, data;
};
bool sluice_interpreter_pair(struct sluice_interpreter *interpreter, uint32_t key, uint32_t data);
void sluice_interpreter_no_pair(struct sluice_interpreter *interpreter, uint32_t key);

/// Which words of the packet's array lie within the packet (bit i: word i), from then on; all
/// before the first call. Others are 0 and are not looked up.
void sluice_interpreter_there(struct sluice_interpreter *interpreter, uint32_t words);

/// Row `index` of state `state`, whose entries are rows.
const int32_t *sluice_interpreter_row(const struct sluice_interpreter *interpreter, size_t state,
                                      unsigned index);
/// Entry `index` of state `state`, in the order of the program.
int32_t sluice_interpreter_state(const struct sluice_interpreter *interpreter, size_t state,
                                 unsigned index);
