// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../base/arena.h"
#include "diag.h"
#include "program.h"

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

struct ir_context;
struct graph;
struct node;

/// What everything that makes or changes a graph needs, and no more. A compiler has it as its first
/// member; a pass that is given this alone can know nothing else of the compilation.
#define IR_CONTEXT                                                               \
  struct arena *arena;                                                           \
  struct sluice_diags *diags;                                                    \
  size_t first_diag, num_errors; /* those of this call */                        \
  struct sluice_program *program;                                                \
  const struct sluice_config *config; /* NULL: no chip is known yet */           \
  struct graph *graph;                                                           \
  const struct token *at; /* where new values come from in the text */           \
  /* Levels until a value is there, for whoever places it; NULL: nobody asks. */ \
  unsigned (*ready)(const struct ir_context *c, const struct node *n);
struct ir_context {
  IR_CONTEXT
};

// ---- diag.c: messages about the text ------------------------------------------------------------

void diag_at(struct ir_context *c, enum sluice_severity severity, const struct token *at,
             const char *id, const char *format, ...) __attribute__((format(printf, 5, 6)));
#define diag_error(C, AT, ID, ...) diag_at(C, SLUICE_SEVERITY_ERROR, AT, ID, __VA_ARGS__)
#define diag_warning(C, AT, ID, ...) diag_at(C, SLUICE_SEVERITY_WARNING, AT, ID, __VA_ARGS__)
#define diag_note(C, AT, ...) diag_at(C, SLUICE_SEVERITY_NOTE, AT, "", __VA_ARGS__)
/// Gives up the compilation if this call of the compiler found an error.
void give_up_on_errors(struct ir_context *c);
/// Reports an error and gives up.
#define diag_fatal(C, AT, ID, ...)         \
  do {                                     \
    diag_error(C, AT, ID, __VA_ARGS__);    \
    arena_give_up((C)->arena, ARENA_TOLD); \
  } while (0)

// ---- op.c: operators, and their values ----------------------------------------------------------

// clang-format off
enum op {
  OP_CONST, OP_INPUT, OP_PARAM, OP_OLD, OP_EXT, OP_HASH, OP_TABLE,  // leaves and units
  OP_WORDS,  // the packet's array as it comes to the back stages
  OP_FOUND,  // which of its words were found in the word table, a bit each
  OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_MOD, OP_AND, OP_OR, OP_XOR,  // a op b
  OP_SHL, OP_SRA, OP_SRL, OP_EQ, OP_NE, OP_LT, OP_LE, OP_LAND, OP_LOR,
  OP_NOT, OP_SELECT,                                              // ~a; a != 0 ? b : c
  OP_MAX, OP_MIN, OP_ADDS,                                        // of rows; the sum that saturates
  OP_GT, OP_GE, OP_LNOT, OP_NEG, OP_PLUS,                         // in the syntax tree only
};
// clang-format on
/// The value of an operator on two numbers, everywhere in the compiler.
int32_t op_eval(enum op op, int32_t a, int32_t b);
const char *op_text(enum op op);
/// The hash of `num` words: algorithm is HASH of layouts.def; modulus 0: not reduced.
int32_t hash_eval(unsigned algorithm, const int32_t *words, unsigned num, uint32_t modulus);
/// The value of a node that computes, of those of its operands: value[] goes by number.
int32_t node_eval(const struct node *n, const int32_t *value);

// ---- graph.c, fold.c, assume.c: the graph, and the calls that build it --------------------------

/// Operands of a value, at most: of OP_TABLE its keys.
enum { NODE_ARGS = SLUICE_MAX_KEYS };
/// A value. Each is made once and never changes: the graph is in SSA form by construction.
struct node {
  enum op op;
  unsigned id;  // place in the graph; operands have smaller ones
  struct node *arg[NODE_ARGS];
  unsigned num_args;
  int32_t value;     // OP_CONST
  unsigned index;    // OP_INPUT: source; OP_PARAM: malleable; OP_OLD: state; OP_EXT: codelet;
                     // OP_HASH: algorithm; OP_TABLE: table
  uint32_t modulus;  // OP_HASH; OP_EXT: which result (enumeration EXT); OP_TABLE: which (table.h)
  uint32_t umax;     // its value, as an unsigned number, is never above
  unsigned level;    // operations on the longest way from a header field to it
  unsigned ready;    // levels until it is there, state units counted
  uint32_t states;   // bit s: it depends on the old value of state s
  const struct token *at;
  struct node *chain;  // hash chain
  struct node *now;    // what became of it in the next graph
};
/// Bytes that the parser brings into a container.
struct source {
  bool metadata;
  unsigned offset, width;
  unsigned param;  // number + 1 of the malleable that chooses them; these are its first choice
};
/// Bytes that the deparser writes, and the value for them.
struct output {
  unsigned offset, width;
  unsigned param;  // as of a source
  struct node *value;
};
/// All that happens to one state in one packet.
struct access {
  bool used, written;
  struct node *index;  // NULL for a scalar
  struct node *old, *new_value;
  struct node *guard;                 // the packet needs the access only if not 0; NULL: always
  const struct token *at, *first_at;  // its update, if there is one; its first mention
  const struct token *index_at;
};
enum { GRAPH_BUCKETS = 4096, OLD_READY = 64, MAX_NODES = 20000 };
struct graph {
  struct node **list;
  unsigned num, room;
  bool fold;  // make equal nodes once, and simplify
  struct node *bucket[GRAPH_BUCKETS];
  struct source *source;
  unsigned num_sources;
  struct output *output;
  unsigned num_outputs;
  struct node *port, *discard;  // NULL: not assigned
  struct node *flow;            // entry of the flow order's array, or NULL
  struct node *words;           // the array of the packet as it leaves; NULL: as it came
  struct node *ports;           // set of ports
  const struct token *port_at, *discard_at, *words_at, *ports_at;
  struct access access[MAX_STATES];
  struct node **root[6 * MAX_STATES];  // other places that refer to nodes
  unsigned num_roots;
  struct mention *mentions;  // until addresses() has looked at them
};
/// A place in the text where a state stands.
struct mention {
  unsigned state;
  struct node *index, *path;  // path NULL: every packet comes here
  const struct token *at;
  struct mention *next;
};
struct node *node_const(struct ir_context *c, int32_t value);
struct node *node_make(struct ir_context *c, enum op op, struct node *x, struct node *y,
                       struct node *z);
struct node *node_leaf(struct ir_context *c, enum op op, unsigned index, uint32_t which,
                       struct node **args, unsigned num_args);
bool node_is(const struct node *n, int32_t value);
bool node_is_bool(const struct node *n);
/// What n is where the condition holds, or does not; n itself, if that makes no difference.
/// (assume.c)
struct node *assume(struct ir_context *c, struct node *n, struct node *cond, bool holds);
typedef struct node *rewrite_fn(struct ir_context *c, struct node *old, struct node **args,
                                void *user);
/// Copies the live nodes of the graph into a new one that folds. `rewrite` makes the new node of an
/// old one (NULL: just a copy, simplified by node_make); `user` is for it.
void graph_rebuild(struct ir_context *c, rewrite_fn *rewrite, void *user);
/// Which nodes of the graph the outputs and states need.
bool *graph_live(struct ir_context *c);
/// How many places refer to each node: operands, outputs, indices, guards and new values of states.
unsigned *graph_uses(struct ir_context *c);
/// Simplification of one operation on nodes of the graph; NULL: nothing to simplify. (fold.c)
struct node *fold(struct ir_context *c, enum op op, struct node *x, struct node *y, struct node *z);
/// The opposite of a truth value, if it costs nothing, else NULL. (fold.c)
struct node *node_opposite(struct ir_context *c, struct node *n);

// ---- read.c, table.c, check.c, build.c, print.c: the graph as text ------------------------------

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
void ir_read(struct ir_context *c, const char *text, size_t len);
/// Checks what only the whole text tells, and finds out which fields it changes. The first fault
/// gives up.
void ir_check(struct ir_context *c);
/// Tells entries of one key.
void word_table_twins(struct ir_context *c, const struct word_table *t);
/// Makes c->graph of the lines that were read, as ssa() does of a syntax tree.
void ir_graph(struct ir_context *c);
/// Whether c->graph is one: each node stands at its number and its operands before it; an operator
/// has as many as it takes; && and || are of truth values; sources, states, tables and malleables
/// are there; what outputs, states and other roots refer to is in it. Else `why` says which node or
/// line is wrong. Asked behind every pass (sw/compiler/compile.c), so a pass that breaks the graph
/// is named and not the one that trips over it. (validate.c)
bool ir_validate(const struct ir_context *c, char *why, size_t len);
/// Names of hash algorithms, by HASH of layouts.def; NULL at the end.
extern const char *const ir_hash_names[];
/// The lines that declare tables, and one value of a lookup. (table.c)
void ir_print_tables(const struct sluice_program *p, FILE *out);
void ir_print_lookup(const struct sluice_program *p, const struct node *n, FILE *out);
/// The lines of the lookup of words.
void ir_print_word_table(const struct sluice_program *p, FILE *out);
/// One value as a line.
void ir_print_value(const struct ir_context *c, const struct node *n, FILE *out);
/// Prints program and graph; behind any pass up to `balance` it is a text that ir_read() takes.
void ir_print(const struct ir_context *c, FILE *out);
