// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_COMPILER_INTERNAL_H
#define SLUICE_COMPILER_INTERNAL_H

#include <setjmp.h>
#include <stddef.h>

#include "compiler.h"

// The whole compiler at a glance; each banner is a file, in the order in which a program passes
// them. Everything of one compilation lives in one arena and is freed as a whole: no pass frees
// anything, but the search for an instruction gives back what it made on a way that led nowhere.

// ---- arena.c: memory, and the way out -----------------------------------------------------------

struct arena {
  struct arena_block *blocks, *spare;
  size_t held, most;  // bytes of blocks; the most so far
  // What a compilation has cost: pieces of memory given out, and steps of searches. It is the same
  // on every computer, as time is not: 15 to 30 million in a second.
  uint64_t work;
  jmp_buf escape;  // where arena_give_up() lands: 1 out of memory, 2 the diagnostics say why
};
/// From here on searches have short shares, and no other way to compile is tried: half a second.
enum { ENOUGH_WORK = 8000000 };
void *arena_alloc(struct arena *a, size_t size);  // zeroed; never NULL
char *arena_text(struct arena *a, const char *text, size_t len);
_Noreturn void arena_give_up(struct arena *a, int why);
void arena_release(struct arena *a);
/// What was allocated behind a mark is given back, by a search that goes back: nothing else may
/// hold it.
struct arena_mark {
  struct arena_block *block;
  size_t used;
};
struct arena_mark arena_mark(const struct arena *a);
void arena_back(struct arena *a, struct arena_mark mark);
#define NEW(ARENA, TYPE) ((TYPE *)arena_alloc(ARENA, sizeof(TYPE)))
#define NEW_ARRAY(ARENA, TYPE, N) ((TYPE *)arena_alloc(ARENA, (N) * sizeof(TYPE)))

/// The compiler itself is wrong: says where and aborts.
#define SLUICE_BUG(TEXT) sluice_bug(__FILE__, __LINE__, TEXT)
_Noreturn void sluice_bug(const char *file, int line, const char *text);

// ---- lex.c: text to tokens ----------------------------------------------------------------------

// TEXT: body of a reaction; C: what only the C of a reaction has, as 0.5
enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_MARK, TOKEN_TEXT, TOKEN_C };
struct token {
  enum token_kind kind;
  const char *text;
  unsigned len;
  int32_t value;                // of a number
  uint64_t wide;                // the same, if it may have up to 48 bits
  unsigned line, column, span;  // where the user wrote it; of a macro: where it is used
};
/// A token in a message: TOKEN in the format, TOKEN_ARGS for it. A long one is cut.
enum { TOKEN_SHOWN = 40 };
#define TOKEN "%.*s%s"
#define TOKEN_ARGS(T)                                                \
  (int)((T)->len > TOKEN_SHOWN ? TOKEN_SHOWN : (T)->len), (T)->text, \
      (T)->len > TOKEN_SHOWN ? "..." : ""

// ---- diag.c: messages about the text ------------------------------------------------------------

struct compiler;
void diag_at(struct compiler *c, enum sluice_severity severity, const struct token *at,
             const char *id, const char *format, ...) __attribute__((format(printf, 5, 6)));
#define diag_error(C, AT, ID, ...) diag_at(C, SLUICE_SEVERITY_ERROR, AT, ID, __VA_ARGS__)
#define diag_warning(C, AT, ID, ...) diag_at(C, SLUICE_SEVERITY_WARNING, AT, ID, __VA_ARGS__)
#define diag_note(C, AT, ...) diag_at(C, SLUICE_SEVERITY_NOTE, AT, "", __VA_ARGS__)
/// Gives up the compilation if this call of the compiler found an error.
void give_up_on_errors(struct compiler *c);
/// Reports an error and gives up.
#define diag_fatal(C, AT, ID, ...)      \
  do {                                  \
    diag_error(C, AT, ID, __VA_ARGS__); \
    arena_give_up((C)->arena, 2);       \
  } while (0)

// ---- parse.c, check.c: tokens to a checked syntax tree ------------------------------------------

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

enum expr_kind {
  EXPR_NUMBER,
  EXPR_FIELD,
  EXPR_STATE,
  EXPR_PARAM,  // the value of a malleable
  EXPR_ARG,    // a parameter of the action that it stands in
  EXPR_HIT,    // table.hit, table.action; 0 where it was not applied
  EXPR_ACTION,
  EXPR_RAN,    // the action that a lookup gives, applied or not; made by branch.c
  EXPR_FOUND,  // of STMT_LOOKUP: which words have an entry
  EXPR_TEMP,
  EXPR_OP,
  EXPR_COND,
  EXPR_CALL
};
struct expr {
  enum expr_kind kind;
  const struct token *at;
  enum op op;      // EXPR_OP
  int32_t value;   // EXPR_NUMBER
  uint16_t above;  // the bits above its low 32
  unsigned id;     // field, state, malleable, temporary, parameter, table; builtin of a call
  const struct token *base, *name;  // names as written: base.name, name[..], name(..)
  struct expr *arg[3];              // operands; the index of an array
  unsigned num_args;
  struct expr *up;  // the operation of which it is the first operand
};
/// The innermost first operand of nested operations. `a + b + c + ...` nests as deep as it is long,
/// so walks go down this way by a loop, and up again by `up`; other operands nest as deep as the
/// text does.
static inline struct expr *expr_first(const struct expr *e) {
  while (e->kind == EXPR_OP) e = e->arg[0];
  return (struct expr *)e;
}
enum stmt_kind { STMT_ASSIGN, STMT_IF, STMT_BLOCK, STMT_APPLY, STMT_LOOKUP };
struct stmt {
  enum stmt_kind kind;
  const struct token *at;
  struct expr *target, *value;  // assignment (`op=` already spelled out); value: condition of an if
  struct stmt *then, *otherwise, *body, *next;
  const struct token *name;  // of an apply, of a lookup
  unsigned table;
  struct word_lookup *lookup;
};
/// `p.found = lookup(price, p.v[0..3]) or stay;`: also without a target, a part, `or stay`.
struct word_lookup {
  const struct token *packet, *field;
  struct expr *first, *last;  // NULL: all words
  bool stay;
};
struct field {
  struct sluice_program_field info;
  const struct token *at, *tie_at, *tie_group, *tie_name;  // @ group.name
  struct expr *tie_offset, *tie_width;                     // @ bytes(offset, width)
  bool warned;
  bool shown;                      // of the system-level module, which lets modules read it
  unsigned alias;                  // number + 1 of the field that this one is another name of
  bool whole;                      // all 48 bits of it are read or written (width.c)
  bool low_told;                   // that only its low bits are read somewhere
  struct expr *words, *tie_array;  // name[words] @ array(offset)
  struct field *next;
};
struct state {
  struct sluice_program_state info;
  const struct token *at, *stage_at, *egress_at;  // `@ stage(number)`, `@ egress`
  struct expr *size, *words, *init, *stage;       // [size][words] @ stage(number)
  unsigned parts;                                 // PARTS that use it
  int place;                                      // back stage that must hold it, or ANYWHERE
  struct state *next;
};
/// `lookup price[1024] = { 17: 100 };`: a word that is a key becomes its data (word_table.c).
struct word_pair {
  const struct token *at;
  uint32_t key, data;
  struct word_pair *next;
};
struct word_table {
  const struct token *at, *used_at;  // used_at: the statement; NULL: there is none
  const char *name;
  struct expr *size_expr;
  unsigned size, num_pairs;
  struct word_pair *pairs, *last;
  // Of the statement: the array of the packet, which of its words are keys, and whether one
  // without an entry stays as it is.
  unsigned field;
  uint32_t words;
  bool stay;
};
/// `malleable int m = 700 in 0..4095;` or `malleable field key = p.src among { p.src, p.dst };`.
/// A malleable field is also a field of the program, behind those of struct Packet.
struct malleable {
  const char *name;
  const struct token *at, *packet;  // packet: what a choice calls the packet
  bool is_field, ranged;
  int32_t init, low, high;  // of a field: numbers of choices
  struct expr *init_expr, *low_expr, *high_expr;
  const struct token *first, *choice_at[SLUICE_MAX_CHOICES];
  unsigned num, choice[SLUICE_MAX_CHOICES];  // fields
  unsigned field;                            // the malleable field itself
  struct malleable *next;
};
/// Where in the way of a packet `last(p.field)` is: as it came, before the first statement with
/// state, as it leaves.
enum last_place { LAST_PARSER, LAST_ORDER, LAST_EXIT };
/// `reaction guard(bytes[0..63], total, last(p.src), PORT.PACKETS[0..3]) unchanged(total) { C }`:
/// arguments are arrays of the program, slices of them, scalars, fields of the last packet,
/// registers of the chip, counters of tables.
struct reaction_argument {
  const struct token *at, *first_at;  // first_at: of a slice
  // a register: its name behind that of its block, which is `at`
  const struct token *of;
  bool counters;  // counters(table): `at` is the table
  bool unchanged;
  // last(packet.field): `at` is the name of the scalar that holds it, as last_src
  const struct token *packet, *field;
  enum last_place place;
  int32_t first, last;  // checked: entries that are read
  unsigned state, table;
};
struct reaction {
  const char *name;
  const struct token *at, *body;
  struct reaction_argument arg[SLUICE_MAX_REACTION_ARGS];
  const struct token *unchanged[SLUICE_MAX_REACTION_ARGS];
  unsigned num_args, num_unchanged;
  struct reaction *next;
};
enum { ANYWHERE = -1, MAX_FLOW_FIELDS = 3, MAX_MALLEABLES = 32, MAX_TABLES = 24 };
/// `option flow_order(size, field...)`: packets of a flow pass the last back stage in order.
struct flow_order {
  const struct token *at, *name[MAX_FLOW_FIELDS];
  struct expr *size;  // NULL: no such option
  unsigned entries, num_fields, field[MAX_FLOW_FIELDS];
};
/// A program with an egress function is two: `egress` has what is that function's own, and fields
/// of its own with the homes that they have there; its `outer` is the program.
enum { PART_INGRESS = 1, PART_EGRESS = 2 };
struct sluice_program {
  struct arena arena;
  char *file;
  const struct token *tokens;
  size_t num_tokens, num_fields, num_states;
  struct token *system;  // of the text of a system-level module (system.c); NULL: none
  size_t num_system;
  char system_name[SLUICE_NAME_LEN];  // sluice_system_name
  // Its parts: before and behind the program, behind the egress function
  const struct function *before, *after, *leaves;
  struct field *field_list, **field, *bind_list;
  struct state *state_list, **state;
  size_t num_malleables;
  struct malleable *malleable_list, **malleable;
  size_t num_tables;
  struct table *table_list, **table;  // table.h
  struct word_table *word_table;      // NULL: there is none
  struct function *functions;
  size_t num_reactions;
  struct reaction *reaction_list;
  const char *defines;  // the macros, as C has them: reactions know them too
  const struct token *struct_at, *param, *name_at;
  char *name;
  struct stmt *body;
  unsigned own_lines;  // lines behind them are those of the bindings
  const struct token *checksum_at;
  bool checksum, need_ip, need_udp;
  bool only_ip_sum;  // of checksums that of the IPv4 header alone
  struct flow_order flow_order;
  struct sluice_program *egress, *outer;  // NULL: there is none
  struct ir *ir;  // it is a text in the IR, without tokens and a body; NULL: it is Domino
};
enum {
  MAX_STATES = 32,
  MAX_FIELDS = 256,
  MAX_OUTPUTS = 2 * MAX_FIELDS,
  HEADER_LEN = 128,
  MAX_ENTRIES = 65535,
  MAX_BACK_STAGES = 16
};

struct builtin {
  const char *name;
  unsigned min_args, max_args, algorithm;
  uint32_t modulus;
};
extern const struct builtin builtins[];
extern const unsigned num_builtins;

void lex(struct compiler *c, const char *text, size_t len);
/// A word with which a text in P4 begins, and the refusal of such a text.
bool word_of_p4(const struct token *t);
_Noreturn void refuse_p4(struct compiler *c, const struct token *at);
/// The text of a system-level module, behind the lines of the program.
void lex_system(struct compiler *c, const char *text, size_t len);
void parse(struct compiler *c);
void check(struct compiler *c);
/// Warns of what is probably not meant: values that nothing gives, programs that change nothing.
/// (warn.c)
void warn(struct compiler *c);
/// Sets the home of a field of a program from `@ group.name`; returns false if there is no such
/// name. A name of the other function's is SLUICE_HOME_ELSEWHERE.
bool home_find(const struct sluice_program *p, struct sluice_program_field *field,
               const char *group, const char *name);
/// The name in `meta.NAME` of a home that is not bytes of the packet.
const char *home_meta(const struct sluice_program *p, enum sluice_home_kind home, unsigned offset,
                      unsigned width);
/// "bytes 38..39", "metadata arrival", "" for a temporary.
void home_text(const struct sluice_program *p, const struct sluice_program_field *field, char *text,
               size_t len);

// ---- egress.c: the egress function, a program beside the program --------------------------------

struct function;
/// The parser has found it.
void egress_function(struct compiler *c, const struct function *f);
/// Finds out what is its own: the arrays that it uses, the tables that it applies.
void egress_split(struct compiler *c);
/// What a chip is to it: egress stages in place of back stages, the memory of one output lane.
void egress_chip(const struct sluice_config *chip, struct sluice_config *seen);
/// Refuses a chip without egress stages.
void egress_there(struct compiler *c);
/// Puts its image, made for the chip that it sees, into that of the program; false: no memory.
bool egress_join(struct sluice_image *image, const struct sluice_image *part,
                 const struct sluice_config *chip);
/// "back" or "egress": the stages behind the front stages, as messages call them.
static inline const char *stages_called(const struct sluice_program *p) {
  return p->outer ? "egress" : "back";
}

// ---- system.c: a system-level module around the program -----------------------------------------

/// Whether a token is of the text of the system-level module.
static inline bool of_system(const struct sluice_program *p, const struct token *t) {
  return p->system && t->line > p->own_lines;
}
/// Names that the text declares become `system.NAME`: no program can write them.
void system_names(struct compiler *c);
/// The program is what stands in `before`, its own text, what stands in `after`.
void system_join(struct compiler *c);
/// An egress function of the system-level module.
void system_egress(struct compiler *c, const struct function *f);
/// Fields of the two texts that are the same bytes, and those that one shows the other, are one
/// field.
void system_fields(struct compiler *c);

// ---- reaction.c: reactions, whose bodies are C and stay text ------------------------------------

/// Watches the tokens go by. True for the `{` behind the head of a reaction: what comes is C.
struct reaction_watch {
  unsigned braces;
  bool inside, head;  // a declaration; the head of a reaction
};
bool reaction_watch(struct reaction_watch *w, const struct token *t);
/// The `}` that ends a body. `open` is its `{`, `text` is what is behind it.
const char *reaction_body_end(struct compiler *c, const struct token *open, const char *text,
                              const char *end);
/// reaction := "reaction" name "(" [argument ("," argument)*] ")" body
/// argument := "last" "(" name "." name ["," place] ")" | "counters" "(" name ")"
///           | name ["." name] [slice]
/// slice := "[" number ".." number "]"
/// place := "parser" | "order" | "exit"
/// `now` is "reaction". Returns the token behind it, also after errors, which are told.
const struct token *reaction_parse(struct compiler *c, const struct token *now);
/// Adds the scalars of `last(p.field)` to the program, and what assigns them. (reaction_last.c)
void check_last(struct compiler *c);
/// Argument `n` is counters(table). (reaction_counters.c)
void check_counters(struct compiler *c, struct reaction *r, unsigned n);
/// Words that C does not take as a name, and Domino may.
bool reaction_word_of_c(const char *name);
/// Names, arrays and slices, of a program that is otherwise good.
void check_reactions(struct compiler *c);
/// Into the image, behind arrays and malleables.
void emit_reactions(struct compiler *c, struct sluice_image *image);

// ---- branch.c: if-conversion --------------------------------------------------------------------

/// A statement without branches. `path` is the temporary that says whether its packet really comes
/// here (-1: every packet does).
struct flat {
  struct expr *target, *value;
  int path;
  const struct table *table;  // applied here (no target), or of the action that this is from
  unsigned action;            // its place in the list; of an apply the number of the table
  // Of a temporary that is a path: the one around it, the condition (-1: of a lookup), and whether
  // it holds here.
  int around, cond;
  bool is_path, holds;
  struct flat *next;
};
void branch(struct compiler *c);

// ---- graph.c, ssa.c, lower.c: values; ir.h: the same as text ------------------------------------

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
struct node *node_const(struct compiler *c, int32_t value);
struct node *node_make(struct compiler *c, enum op op, struct node *x, struct node *y,
                       struct node *z);
struct node *node_leaf(struct compiler *c, enum op op, unsigned index, uint32_t which,
                       struct node **args, unsigned num_args);
bool node_is(const struct node *n, int32_t value);
bool node_is_bool(const struct node *n);
/// What n is where the condition holds, or does not; n itself, if that makes no difference.
/// (assume.c)
struct node *assume(struct compiler *c, struct node *n, struct node *cond, bool holds);
typedef struct node *rewrite_fn(struct compiler *c, struct node *old, struct node **args);
/// Copies the live nodes of the graph into a new one that folds. `rewrite` makes the new node of an
/// old one (NULL: just a copy, simplified by node_make).
void graph_rebuild(struct compiler *c, rewrite_fn *rewrite);
/// Which nodes of the graph the outputs and states need.
bool *graph_live(struct compiler *c);
/// Enters what codelets refer to as roots of the graph. For one graph_rebuild().
void graph_codelets(struct compiler *c);
/// How many places refer to each node: operands, outputs, indices, guards and new values of states.
unsigned *graph_uses(struct compiler *c);
/// Simplification of one operation on nodes of the graph; NULL: nothing to simplify. (fold.c)
struct node *fold(struct compiler *c, enum op op, struct node *x, struct node *y, struct node *z);
/// The opposite of a truth value, if it costs nothing, else NULL. (fold.c)
struct node *node_opposite(struct compiler *c, struct node *n);
void ssa(struct compiler *c);
/// Checks that each array is used at one address, and finds out which packets need the access.
void addresses(struct compiler *c);
/// Warns of indices that can leave their array, and of ports that are not there. (warn_values.c)
void warn_values(struct compiler *c);
void lower(struct compiler *c);
/// Arrays larger than a stage become two, in two stages. (split.c)
void split(struct compiler *c);
/// Drops what is not needed of values for two bytes of the packet. (narrow.c)
void narrow(struct compiler *c);
/// Chains of one operator become trees that are ready earliest. (balance.c)
void balance(struct compiler *c);
/// Choices among packet values become the trees that are ready earliest. (decide.c)
void decide(struct compiler *c);
/// When the results of each codelet are there at the earliest, for balance(). (balance.c)
void codelets_ready(struct compiler *c);

// ---- limits.c: what no chip could hold, and how messages say what a chip lacks ------------------

/// Refuses programs that are too deep or too large by far, so that what comes behind may walk
/// values by recursion and compare them pairwise.
void check_size(struct compiler *c);
/// "; see --chip" if a shape has as much of the parameter of struct sluice_config at `offset`, or
/// that none has. (advice.c then names one that takes the whole program.)
const char *see_chip(struct compiler *c, size_t offset, unsigned needed);
#define SEE_CHIP(C, PARAM, NEEDED) see_chip(C, offsetof(struct sluice_config, PARAM), NEEDED)
/// The places in the text of a chain of operations, first to last, as a note.
void chain_note(struct compiler *c, const struct token *const *at, unsigned num);

// ---- param.c: malleables ------------------------------------------------------------------------

/// A number that a malleable decides: value + add, or add - value; and the part of it that is in a
/// field of an entry.
struct relocated {
  unsigned param;  // number + 1 of the malleable; 0: it is a constant
  enum sluice_relocation_kind kind;
  bool negated;
  int32_t add;
};
/// Whether a value is such a number.
bool node_linear(const struct node *n, struct relocated *r);
void relocated_negate(struct relocated *r);
/// Whether it is between two numbers for all values in the range that the text gives, or, if it
/// gives none, for the initial value.
bool relocated_within(const struct compiler *c, const struct relocated *r, int64_t low,
                      int64_t high);
/// The most that a malleable can be, as an unsigned number.
uint32_t malleable_most(const struct compiler *c, unsigned param);
/// Packet operands that are malleables become constants of the state instruction.
void map_malleables(struct compiler *c);
/// Says that bits msb..lsb of an entry of a table hold r. Nothing, if r is a constant.
void relocate(const struct compiler *c, struct sluice_image *image, const struct relocated *r,
              enum sluice_table table, unsigned stage, unsigned index, unsigned msb, unsigned lsb);
/// Names, ranges and initial values, behind the last relocation.
void emit_malleables(const struct compiler *c, struct sluice_image *image);

// ---- codelet.c: which states belong together ----------------------------------------------------

/// What happens to a row: an entry of ARRAY_INSTR.
struct row_operation {
  unsigned select, on_true, on_false, result;  // enumerations ARRAY_SELECT, _OP, _RESULT
};
enum { MAX_ROW_OPERATIONS = 8 };
/// One or two states that one stage must hold because each new value depends on the other's old
/// one. None: the flow order's array, which is accessed and never changes.
struct codelet {
  unsigned state[2], num_states;
  struct node *index;      // NULL: scalar
  struct node *guard;      // NULL: every packet needs the access
  const struct token *at;  // the first access
  bool scalar, pinned;
  unsigned size;
  int place;  // back stage that the text asks for, or ANYWHERE
  struct mapping *map;
  const char *atom;  // the least of sluice_atoms that does its update, if that was asked for
  unsigned ready;    // levels until its results are there
  // Rows beside it (row.c). A packet does row operation number `which`; NULL: there is one.
  unsigned row;  // state whose entries are rows, + 1; 0: none
  struct node *which;
  struct row_operation instr[MAX_ROW_OPERATIONS];
  unsigned num_instr;
  // bit i: codelet i is in an earlier stage, since the packet's array passes it first
  uint32_t before;
};
void codelets(struct compiler *c);
/// Puts it into the back stage that the text asks for, if it does. No two may be in one.
void codelet_place(struct compiler *c, struct codelet *k, const struct state *state);
void check_places(struct compiler *c);
/// The parts of a guard that do not depend on state; NULL: the packet must be taken to need it.
struct node *guard_known(struct compiler *c, struct node *guard);
/// The codelet of two, if one stage may hold both; false: it may not.
bool codelet_pair(struct compiler *c, const struct codelet *a, const struct codelet *b,
                  struct codelet *made);
/// Whether some state depends on the value and it on that state: then it must be done in the cycle
/// of an update. `g` is its graph.
bool in_circle(struct compiler *c, const struct graph *g, const struct node *n);
/// Notes which states depend on the value and it on them, if any do; false if none does. `g` is its
/// graph.
bool note_circle(struct compiler *c, const struct graph *g, const struct node *n);
/// What messages call it.
const char *codelet_name(const struct compiler *c, const struct codelet *k);

// ---- map.c (mapper.h has the files under it), verify.c: codelets to state instructions ----------

struct predicate {
  unsigned state, packet, rel, y;
};
struct update {
  unsigned keep, sub, a, b;
};
/// A state instruction, before its operands have containers.
struct mapping {
  struct node *operand[2];  // NULL: not used
  struct predicate pred[4];
  struct update arm[4][2];  // A, B, C, D; first and second word
  int32_t konst[4];
  struct relocated relocated[4];  // of a constant that is a malleable
  unsigned num_konst;
  struct node *pred_node[4];  // the condition that predicate i computes, or NULL
};
void map_codelets(struct compiler *c);
/// Replaces what codelets compute by results of the state unit.
void map_replace(struct compiler *c);
/// The new words, and the predicates, that a mapped instruction computes.
void mapping_run(const struct mapping *m, const int32_t packet[2], const int32_t old[2],
                 int32_t now[2], bool pred[4]);
void verify(struct compiler *c);

struct task;

// ---- word_table.c: words of the packet's array are looked up ------------------------------------

/// Tells entries of one key.
void word_table_twins(struct compiler *c, const struct word_table *t);
/// Refuses it on a chip that has nothing for it.
void word_table_fits(struct compiler *c);
/// Which words are keys, the table and its entries. `found` NULL: nobody wants to know.
void emit_word_table(struct compiler *c, struct sluice_image *image, const struct task *found);

// ---- row.c: operations on rows -----------------------------------------------------------------

/// Finds the operation on each row array, and puts it beside the words that its conditions need, or
/// alone. Behind it no value is a row.
void rows_map(struct compiler *c);
/// Sets of ports become numbers, by which the last stages choose. (ports.c)
void port_sets(struct compiler *c);
/// Whether the back stage, as tasks count stages, has rows.
bool row_stage(const struct compiler *c, int stage);

// ---- select.c, schedule.c, allocate.c, emit.c: values to operations, and to the image -----------

enum task_kind {
  // What no stage computes: from the parser, and written behind the last front stage.
  TASK_INPUT,
  TASK_FOUND,
  TASK_ALU,
  TASK_HASH,
  TASK_MULTIPLY,
  TASK_STATE,
  TASK_TABLE,
  TASK_COMPARE,
  TASK_RESULT,
  TASK_PORT,
  TASK_DISCARD
};
struct operand {
  struct task *task;  // NULL: the constant
  unsigned value;     // 0..7; or the data word, 0..3
  bool data;
};
/// One operation in one stage. INPUT, FOUND, ALU and RESULT leave a value in a container.
struct task {
  enum task_kind kind;
  unsigned id;
  unsigned op, func;  // OP; and FUNC, FUNCI, or EXT of a result, of layouts.def
  int32_t imm;
  struct relocated relocated;  // the immediate is a malleable
  struct operand
      *arg;  // of TASK_STATE: P1, P2, index of a pinned access; of TASK_TABLE: keys,
             // then what its results need; of TASK_COMPARE: what it compares, and likewise
  unsigned num_args;
  // TASK_RESULT: TASK_STATE, TASK_HASH, TASK_MULTIPLY, TASK_TABLE or TASK_COMPARE of the same stage
  struct task *unit;
  struct task **row;        // TASK_RESULT of a table or a compare: the operation in each action row
  unsigned table;           // TASK_TABLE
  unsigned level;           // TASK_COMPARE: levels until what its results need is there
  struct node *node;        // the value, if it is one of the graph
  struct codelet *codelet;  // TASK_STATE
  unsigned source;          // TASK_INPUT
  bool urgent;              // the order point needs it as an index, or what it is made of
  bool small;               // fits 16 bits
  // The value is used as a whole number (index, predicate): it must not sit in a wider container,
  // whose upper bits would count.
  bool plain;
  bool live;
  unsigned width;            // 2, 4, 6: the deparser wants it in such a container; 0: anything
  int stage;                 // 0 parser, 1..F front, F+1.. back stages
  int latest;                // for its readers' sake
  int last;                  // last stage that reads it; LAST_DEPARSER: the deparser
  unsigned type, container;  // TYPE of layouts.def, and index
};
enum { LAST_DEPARSER = 1000 };
static inline bool task_is_value(const struct task *t) {
  return t->kind == TASK_INPUT || t->kind == TASK_FOUND || t->kind == TASK_ALU ||
         t->kind == TASK_RESULT;
}
struct code {  // all tasks; operands stand before their readers
  struct task **list;
  unsigned num, room;
  struct task **of_node;             // by node
  struct task *output[MAX_OUTPUTS];  // by output; NULL: the bytes stay as they are
  struct task *state[MAX_STATES];    // by codelet
  struct operand index[MAX_STATES], guard[MAX_STATES], which[MAX_STATES];
  bool invert[MAX_STATES];  // the guard is that the container is 0
  struct task *port, *discard;
  struct task *table[MAX_TABLES];                  // TASK_TABLE; NULL: it is not applied
  unsigned char key_shift[MAX_TABLES][NODE_ARGS];  // bits of the container below the key
  struct operand set_key;                          // which set of ports, or 0
  int row_table;                                   // of the row that is made, or -1
  bool row_words;                                  // it has data words as operands
  int front, stages;                               // front stages of the chip; highest stage used
};
void select_tasks(struct compiler *c);
/// guard ? old : 0, which is the state unit's result as it is.
bool select_reads_or_zero(const struct compiler *c, const struct node *n);
/// Gives each operation a stage; a hash that comes too late, or NULL. (fill.c)
const struct task *fill(struct compiler *c);
/// The first stage in which all operands are there.
int task_ready(const struct compiler *c, const struct task *t);
/// Chooses a stage for each task. Pins what the order point cannot know.
void schedule(struct compiler *c);
/// Moves what can wait to later stages, where values then live shorter. `bold`: also where that is
/// not certain.
void schedule_late(struct compiler *c, bool bold);
void lifetimes(struct compiler *c);
bool allocate(struct compiler *c, bool report);
void emit(struct compiler *c, struct sluice_image *image);

// ---- wide.c: choices by wide compares -----------------------------------------------------------

enum { WIDE_ROWS = 2 };  // action rows of a stage that compares: row 1 where the comparison holds
/// Which choices take one stage, if the plan wants that.
void wide_find(struct compiler *c);
bool wide_takes(const struct compiler *c, const struct node *n);
struct task *wide_task(struct compiler *c, struct node *n);
/// Discard flag and port, if they are such choices; else NULL.
struct task *wide_discard(struct compiler *c, struct node *dropped);
struct task *wide_port(struct compiler *c, struct node *port);

// ---- plan.c: which of several ways to compile ---------------------------------------------------

enum { MAX_JOINS = MAX_STATES / 2 };
/// What one compilation is to do beyond what it must.
struct plan {
  bool sums;           // products with constants as sums where they can be: units are few
  bool exact;          // look for the fewest stages, also if the first answer fits
  bool wide;           // choices in one stage, by wide compares
  bool on_way;         // an entry that is read is what it is on the way of the statement (ssa.c)
  unsigned num_joins;  // pairs of states that are to share a stage
  unsigned char join[MAX_JOINS][2];
  unsigned char table_stage[MAX_TABLES];  // the stage of a table, as tasks count them; 0: the first
                                          // that can be
  unsigned too_many;  // what came of it: stages that the chip has not, 0 if all fit
  uint64_t work;      // what it cost: arena.work
};
/// Compiles, if need be in several ways, and keeps the best: `chosen`, if not NULL.
enum sluice_status plan_compile(const struct compiler *setup, struct sluice_image *image,
                                struct plan *chosen);
/// One compilation. (compile.c)
enum sluice_status compile_once(const struct compiler *setup, struct plan *plan,
                                const struct sluice_compile_options *options,
                                struct sluice_diags *diags, struct sluice_image *image);

// ---- compile.c: the passes in order -------------------------------------------------------------

enum { MAX_SETS = SLUICE_MAX_PORT_SETS };
struct compiler {
  struct arena *arena;
  struct sluice_diags *diags;
  size_t first_diag, num_errors;  // those of this call
  struct sluice_program *program;
  const struct sluice_config *config;
  const struct sluice_compile_options *options;
  struct flat *flat, *last;
  unsigned num_temps;
  struct plan *plan;
  struct graph *graph, *old_graph;
  unsigned *uses;                // of old_graph
  bool *inner;                   // nodes of old_graph that are inside a chain of balance()
  unsigned decided;              // nodes that decide() has looked at, of MOST_OF_ALL
  struct splitting *splitting;   // of split()
  const struct token *at;        // where new nodes come from in the text
  struct function *function;     // the action that is checked; NULL: the program
  unsigned ifs;                  // around the statement that is checked
  const struct token *words_at;  // where the packet's array was used first; NULL: not yet
  uint32_t part_stages;          // where parts of tables are, as tasks count stages: a bit each
  struct table_spreading *spreading;  // of table_spread()
  struct table_results *results;      // of table_fold()
  struct wides *wides;                // of wide_find(); NULL: none
  struct codelet codelet[MAX_STATES];
  unsigned num_codelets;
  unsigned num_products;  // that lower() leaves to multipliers
  // Sets of ports that the program names. Behind port_sets() graph->ports is the number of one,
  // from 1 on, or 0 for the port.
  uint64_t set[MAX_SETS];
  unsigned num_sets;
  // By table: data words of its actions that are the output port as they are, a bit each.
  uint64_t port_words[MAX_TABLES];
  long dot_from;  // where its graph begins in the file
  struct code *code;
};

// ---- dump.c: the program after a pass that makes something else than values, for people ---------

void dump_tokens(const struct compiler *c, FILE *out);
void dump_tree(const struct compiler *c, FILE *out);
void dump_flat(const struct compiler *c, FILE *out);
void dump_codelets(const struct compiler *c, FILE *out);
void dump_mapping(const struct compiler *c, FILE *out);
void dump_tasks(const struct compiler *c, FILE *out);

/// The operations, stage by stage, as a graph for Graphviz. (dot.c)
void dot(const struct compiler *c, FILE *out);

#endif
