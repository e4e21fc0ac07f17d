// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stddef.h>

#include "../ir/ir.h"
#include "compiler.h"

struct compiler;

// The whole compiler at a glance; each banner is a file, in the order in which a program passes
// them. Everything of one compilation lives in one arena and is freed as a whole: no pass frees
// anything, but the search for an instruction gives back what it made on a way that led nowhere.

// ---- lex.c: text to tokens ----------------------------------------------------------------------

// ---- parse.c, check.c: tokens to a checked syntax tree ------------------------------------------

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
struct builtin {
  const char *name;
  unsigned min_args, max_args, algorithm;
  uint32_t modulus;
};
extern const struct builtin builtins[];
extern const unsigned num_builtins;

void lex(struct ir_context *c, const char *text, size_t len);
/// A word with which a text in P4 begins, and the refusal of such a text.
bool word_of_p4(const struct token *t);
_Noreturn void refuse_p4(struct ir_context *c, const struct token *at);
/// The text of a system-level module, behind the lines of the program.
void lex_system(struct ir_context *c, const char *text, size_t len);
void parse(struct ir_context *c);
void check(struct ir_context *c);
/// Warns of what is probably not meant: values that nothing gives, programs that change nothing.
/// (warn.c)
void warn(struct ir_context *c);
// ---- egress.c: the egress function, a program beside the program --------------------------------

struct function;
/// The parser has found it.
void egress_function(struct ir_context *c, const struct function *f);
/// Finds out what is its own: the arrays that it uses, the tables that it applies.
void egress_split(struct ir_context *c);
/// What a chip is to it: egress stages in place of back stages, the memory of one output lane.
void egress_chip(const struct sluice_config *chip, struct sluice_config *seen);
/// Refuses a chip without egress stages.
void egress_there(struct ir_context *c);
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
void system_names(struct ir_context *c);
/// The program is what stands in `before`, its own text, what stands in `after`.
void system_join(struct ir_context *c);
/// An egress function of the system-level module.
void system_egress(struct ir_context *c, const struct function *f);
/// Fields of the two texts that are the same bytes, and those that one shows the other, are one
/// field.
void system_fields(struct ir_context *c);

// ---- reaction.c: reactions, whose bodies are C and stay text ------------------------------------

/// Watches the tokens go by. True for the `{` behind the head of a reaction: what comes is C.
struct reaction_watch {
  unsigned braces;
  bool inside, head;  // a declaration; the head of a reaction
};
bool reaction_watch(struct reaction_watch *w, const struct token *t);
/// The `}` that ends a body. `open` is its `{`, `text` is what is behind it.
const char *reaction_body_end(struct ir_context *c, const struct token *open, const char *text,
                              const char *end);
/// reaction := "reaction" name "(" [argument ("," argument)*] ")" body
/// argument := "last" "(" name "." name ["," place] ")" | "counters" "(" name ")"
///           | name ["." name] [slice]
/// slice := "[" number ".." number "]"
/// place := "parser" | "order" | "exit"
/// `now` is "reaction". Returns the token behind it, also after errors, which are told.
const struct token *reaction_parse(struct ir_context *c, const struct token *now);
/// Adds the scalars of `last(p.field)` to the program, and what assigns them. (reaction_last.c)
void check_last(struct ir_context *c);
/// Argument `n` is counters(table). (reaction_counters.c)
void check_counters(struct ir_context *c, struct reaction *r, unsigned n);
/// Words that C does not take as a name, and Domino may.
bool reaction_word_of_c(const char *name);
/// Names, arrays and slices, of a program that is otherwise good.
void check_reactions(struct ir_context *c);
/// Into the image, behind arrays and malleables.
void emit_reactions(struct ir_context *c, struct sluice_image *image);

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
struct flats {
  struct flat *first, *last;
  unsigned num_temps;
};
void branch(struct ir_context *c, struct flats *made);

// ---- graph.c, ssa.c, lower.c: values; ir.h: the same as text ------------------------------------

struct codelets;
struct plan;
/// Enters what codelets refer to as roots of the graph. For one graph_rebuild(). (ready.c)
void codelets_root(struct graph *g, struct codelets *codelets);
/// `on_way` is that of struct plan.
void ssa(struct ir_context *c, const struct flats *flats, bool on_way);
/// Checks that each array is used at one address, and finds out which packets need the access.
void addresses(struct ir_context *c);
/// Warns of indices that can leave their array, and of ports that are not there. (warn_values.c)
void warn_values(struct ir_context *c);
void lower(struct ir_context *c, const struct plan *plan);
/// Arrays larger than a stage become two, in two stages; `pinned`: a stage holds as many as it
/// has slots. (split.c)
void split(struct ir_context *c, bool pinned);
/// Drops what is not needed of values for two bytes of the packet. (narrow.c)
void narrow(struct ir_context *c);
/// Chains of one operator become trees that are ready earliest. (balance.c)
void balance(struct ir_context *c, struct codelets *codelets);
/// Choices among packet values become the trees that are ready earliest. (decide.c)
void decide(struct ir_context *c, struct codelets *codelets);
/// When the results of each codelet are there at the earliest, for balance(). (balance.c)
void codelets_ready(struct ir_context *c, struct codelets *codelets);

// ---- limits.c: what no chip could hold, and how messages say what a chip lacks ------------------

/// Refuses programs that are too deep or too large by far, so that what comes behind may walk
/// values by recursion and compare them pairwise.
void check_size(struct ir_context *c);
/// "; see --chip" if a shape has as much of the parameter of struct sluice_config at `offset`, or
/// that none has. (advice.c then names one that takes the whole program.)
const char *see_chip(struct ir_context *c, size_t offset, unsigned needed);
#define SEE_CHIP(C, PARAM, NEEDED) see_chip(C, offsetof(struct sluice_config, PARAM), NEEDED)
/// The places in the text of a chain of operations, first to last, as a note.
void chain_note(struct ir_context *c, const struct token *const *at, unsigned num);

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
struct codelets {
  struct codelet list[MAX_STATES];
  unsigned num;
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
bool in_circle(struct ir_context *c, const struct plan *plan, const struct graph *g,
               const struct node *n);
/// Notes which states depend on the value and it on them, if any do; false if none does. `g` is its
/// graph.
bool note_circle(struct ir_context *c, const struct plan *plan, const struct graph *g,
                 const struct node *n);
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
void map_replace(struct ir_context *c, struct codelets *codelets);
void verify(struct ir_context *c, const struct codelets *codelets);

struct task;

// ---- word_table.c: words of the packet's array are looked up ------------------------------------

/// Refuses it on a chip that has nothing for it.
void word_table_fits(struct ir_context *c);
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
/// From this work of the arena on searches have short shares, and no other way to compile is tried:
/// half a second.
enum { ENOUGH_WORK = 8000000 };
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
  union {
    struct ir_context ir;  // what front ends, passes over values and the IR share
    struct {
      IR_CONTEXT
    };
  };
  const struct sluice_compile_options *options;
  struct flats flats;
  struct plan *plan;
  uint32_t part_stages;           // where parts of tables are, as tasks count stages: a bit each
  struct table_results *results;  // of table_fold()
  struct wides *wides;            // of wide_find(); NULL: none
  struct codelets codelets;
  // Sets of ports that the program names. Behind port_sets() graph->ports is the number of one,
  // from 1 on, or 0 for the port.
  uint64_t set[MAX_SETS];
  unsigned num_sets;
  // By table: data words of its actions that are the output port as they are, a bit each.
  uint64_t port_words[MAX_TABLES];
  long dot_from;  // where its graph begins in the file
  struct code *code;
};

/// Levels until a value is there, state units counted: ir_context.ready. (ready.c)
unsigned value_ready(const struct ir_context *ir, const struct node *n);
/// For tests: brings the program into the form that passes expect (`fold`, `address`), runs the one
/// pass on it, and prints what became of it. Passes behind `balance` need what those before them
/// found, so from `codelet` on all up to the named one run. SLUICE_ERR_FULL: `diags` say why. The
/// text must have no operation that `lower` replaces, if a pass behind it is asked for.
enum sluice_status ir_pass(const struct sluice_program *program, const struct sluice_config *config,
                           const char *pass, FILE *out, struct sluice_diags *diags);

// ---- dump.c: the program after a pass that makes something else than values, for people ---------

void dump_tokens(const struct compiler *c, FILE *out);
void dump_tree(const struct compiler *c, FILE *out);
void dump_flat(const struct compiler *c, FILE *out);
void dump_codelets(const struct compiler *c, FILE *out);
void dump_mapping(const struct compiler *c, FILE *out);
void dump_tasks(const struct compiler *c, FILE *out);

/// The operations, stage by stage, as a graph for Graphviz. (dot.c)
void dot(const struct compiler *c, FILE *out);
