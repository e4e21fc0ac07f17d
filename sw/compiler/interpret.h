// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_COMPILER_INTERPRET_H
#define SLUICE_COMPILER_INTERPRET_H

#include "compiler.h"

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

/// Gives a malleable a value, for the packets from then on; before, it has its initial one. A malleable field is an
/// entry of `fields` too, which run() sets at its start from the choice, and writes back to it.
void sluice_interpreter_set(struct sluice_interpreter *interpreter, size_t param, int32_t value);

/// Entry `index` of state `state`, in the order of the program.
int32_t sluice_interpreter_state(const struct sluice_interpreter *interpreter, size_t state,
                                 unsigned index);

#endif
