// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_COMPILER_IR_H
#define SLUICE_COMPILER_IR_H

#include "internal.h"

/// Sluice IR: the graph of values (struct graph) as text, printed and read back. docs/compiler.md
/// is its manual. What stands between a front end and the passes is this: Domino's front end makes
/// the graph in ssa.c, a text in the IR makes the same one in ir_graph(), and nothing behind them
/// knows which it was.
///
///     sluice-ir 1                      v0 = bytes(38, 2)      access hits[v2] if v3
///     program count(p)                 v1 = 64                new hits = v6
///     field sport @ bytes(38, 2)       v2 = v0 % v1           output bytes(46, 2) = v6
///     state hits[64] = 0               ...
///
/// A text is read once: ir_read() checks it whole and keeps its lines in the program's arena. Each
/// compilation makes its own graph of them, since passes change a graph in place.

enum { IR_VERSION = 1, IR_NONE = -1, IR_MAX_VALUES = 20000, IR_MAX_ACCESSES = 100000 };

/// `vN = ...`: operands are places in the list, smaller than its own.
struct ir_value {
  enum op op;
  unsigned arg[NODE_ARGS], num_args, index;  // index: as in struct node
  int32_t value;
  uint32_t modulus;
  struct token at;
};
/// `access STATE[vI] if vG`.
struct ir_access {
  unsigned state;
  int index, guard;  // values, or IR_NONE
  struct token at;
};
struct ir_output {
  unsigned offset, width, param;
  int value;
};
/// What a program holds besides its fields, states and options if it was written in the IR.
struct ir {
  struct ir_value *value;
  struct source *source;  // each once, by first use
  struct ir_access *access;
  struct ir_output *output;
  unsigned num_values, num_sources, num_accesses, num_outputs;
  int old[MAX_STATES], new_value[MAX_STATES];
  int port, discard, flow, words, ports;
  struct token port_at, discard_at, words_at, ports_at;
};

/// Whether the text is in the IR: behind blanks and comments it begins with `sluice-ir`. No Domino
/// program does.
bool ir_is(const char *text, size_t len);
/// Reads a text into c->program. The first fault is told with its place, and gives up. The text
/// must stay.
void ir_read(struct compiler *c, const char *text, size_t len);
/// Checks what only the whole text tells, and finds out which fields it changes. The first fault
/// gives up.
void ir_check(struct compiler *c);
/// Makes c->graph of the lines that were read, as ssa() does of a syntax tree.
void ir_graph(struct compiler *c);
/// Names of hash algorithms, by HASH of layouts.def; NULL at the end.
extern const char *const ir_hash_names[];
/// The lines that declare tables, and one value of a lookup. (ir_table.c)
void ir_print_tables(const struct sluice_program *p, FILE *out);
void ir_print_lookup(const struct sluice_program *p, const struct node *n, FILE *out);
/// The lines of the lookup of words.
void ir_print_word_table(const struct sluice_program *p, FILE *out);
/// One value as a line.
void ir_print_value(const struct compiler *c, const struct node *n, FILE *out);
/// Prints program and graph; behind any pass up to `balance` it is a text that ir_read() takes.
void ir_print(const struct compiler *c, FILE *out);

/// For tests: brings the program into the form that passes expect (`fold`, `address`), runs the one
/// pass on it, and prints what became of it. Passes behind `balance` need what those before them
/// found, so from `codelet` on all up to the named one run. SLUICE_ERR_FULL: `diags` say why. The
/// text must have no operation that `lower` replaces, if a pass behind it is asked for.
enum sluice_status ir_pass(const struct sluice_program *program, const struct sluice_config *config,
                           const char *pass, FILE *out, struct sluice_diags *diags);

#endif
