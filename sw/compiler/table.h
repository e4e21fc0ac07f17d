// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits.h>

#include "internal.h"

/// Tables of a program (docs/programs.md), from the text to the image.
///
///     table route {                          applied once; what a lookup gives are values
///       key: p.dst: lpm;                     OP_TABLE with the keys as operands:
///       actions: forward, drop;                route.hit              TABLE_HIT
///       size: 1000;                            route.action           TABLE_ACTION, from 1
///     }                                        data word 2 of forward TABLE_WORD + 4 * 0 + 2
///
/// Each action has an action row, the default action one more (there hit is 0). The values that
/// depend on a lookup by one operation a row, `table_fold()` finds; they are written by the stage
/// of the table itself.

/// A function of the text: an action if a table names it, else the program.
struct function {
  const struct token *at, *packet;  // its name; what it calls the packet
  struct stmt *body;
  struct table_arg arg[SLUICE_MAX_ARGS];
  unsigned num_args;
  bool is_action;
  bool egress;                   // `egress void name(..)`: the program of copies
  unsigned parts;                // PARTS whose tables name it (egress.c)
  const struct token *words_at;  // where an action uses the packet's array first
  struct function *next;
};
/// The built-in action without parameters and without effect.
#define TABLE_NOTHING "nothing"

// ---- table_parse.c, table_check.c, table_value.c ------------------------------------------------

struct parser;
void parse_table(struct parser *p);
/// The program is the function that no table names.
void parse_program(struct parser *p);
/// Binds the names of tables, before the program's statements are checked.
struct checker;
void check_tables(struct checker *c);
/// What only the whole program tells.
void check_applied(struct checker *c);
/// The table of this name; NULL: there is none.
struct table *table_find(const struct sluice_program *p, const struct token *name,
                         unsigned *number);
/// The number of an action in its list; num_actions: it is none of them.
unsigned table_action_named(const struct table *t, const struct token *at);
/// Whether the kinds of its keys let the cuckoo engine look for them.
bool table_is_exact(const struct table *t);

// ---- table.c: tables and the chip ---------------------------------------------------------------

/// Notes which data words become the output port as they are, for the limits of arguments.
void table_port_words(struct compiler *c);
/// Whether it may be in that stage, as tasks count them.
bool table_can_be(const struct compiler *c, unsigned table, int stage);
/// The first stage, as tasks count them, from `stage` on that could hold the table; 0: none.
int table_stage_from(const struct compiler *c, unsigned table, int stage);
/// Refuses tables that no stage of the chip could hold.
void tables_fit(struct compiler *c);
/// The engine that holds it in a stage, as the chip numbers stages.
enum sluice_engine_kind table_engine(const struct compiler *c, unsigned table, unsigned stage);
/// Back stages are 0..S-1, front stages S and up. (emit.c)
unsigned stage_number(const struct compiler *c, int stage);

// ---- table_parts.c: tables that are too large for one engine ------------------------------------

/// Makes parts of them, where that helps; the rest tables_fit() refuses.
void table_parts(struct compiler *c);
/// Looks all parts up instead of table `number`, of which it has become part 0. (table_spread.c)
void table_spread(struct ir_context *c, unsigned number);
/// Whether an engine of some stage holds all of it.
bool table_fits_one(const struct compiler *c, const struct table *t);
/// Entries of a cuckoo engine that are counted on, whatever the keys are.
unsigned table_cuckoo_room(const struct sluice_config *chip);

// ---- table_fold.c: what the action rows do ------------------------------------------------------

/// A value that the stage of the table writes: in row i what row[i] is, by one operation.
struct table_result {
  unsigned table;
  struct node *row[MAX_ROWS];
  bool operation[MAX_ROWS];  // false: row[i] is a constant, a data word, or there before the stage
  bool there[MAX_ROWS];      // it is there before the stage, operation or not
};
struct table_results {
  struct table_result **of_node;
  unsigned num;                     // nodes that were looked at
  struct node *lookup[MAX_TABLES];  // a result of the table, for its keys; NULL: none is wanted
  unsigned stage[MAX_TABLES];       // where it will stand, as tasks count stages
};
/// Rows of a table: its actions but one that is only the default, of a part each variant of them,
/// and then the default.
unsigned table_rows(const struct table *t);
/// Actions that entries can have.
unsigned table_entry_actions(const struct table *t);
void table_fold(struct compiler *c);
/// The result that the node is; NULL: none.
struct table_result *table_result_of(const struct compiler *c, const struct node *n);
void table_dump(const struct compiler *c, FILE *out);

// ---- table_select.c, table_slot.c: lookups and their results as tasks ---------------------------

struct task *task_new(struct compiler *c, enum task_kind kind, struct node *node);  // select.c
struct task *task_of(struct compiler *c, struct node *n);
struct task *task_result(struct compiler *c, struct node *n, struct task *unit, unsigned which);
/// The value in another container.
struct task *task_copy(struct compiler *c, struct task *t);
/// The operation of an action row.
struct task *task_row(struct compiler *c, unsigned table, struct node *n, bool operation);
#define NO_TABLE UINT_MAX
/// A container that is 0 exactly when the truth value is; `invert`: where it is not. (select.c)
struct node *zero_test(struct node *n, bool *invert);

/// The value in whose container a key of so many bits stands, `shift` bits from the lowest.
struct node *table_key_holder(const struct compiler *c, struct node *n, unsigned width,
                              unsigned *shift);
/// Levels until the containers of its keys are there.
unsigned table_keys_ready(const struct compiler *c, const struct node *n);
/// The lookup, with its keys as operands.
struct task *table_unit(struct compiler *c, unsigned table);
/// The result with the node's value.
struct task *table_task(struct compiler *c, struct node *n, struct table_result *r);
/// The port and the discard flag, where slot 0 of the table's action rows can set them; else NULL.
/// `discard` is told first; which of them can be told together depends on both.
struct task *table_discard(struct compiler *c, struct node *port, struct node *discard);
struct task *table_port(struct compiler *c, struct node *port);
/// Behind all others: lookups get what their results need as operands, and operands stand before
/// their readers.
void table_finish(struct compiler *c);
/// Action rows in which the results of a unit differ.
unsigned unit_rows(const struct compiler *c, const struct task *unit);

// ---- table_emit.c -------------------------------------------------------------------------------

/// Key extractor, mask and default action of the table of a stage, and the table itself; of all
/// parts, if it is the first one.
void table_emit(struct compiler *c, struct sluice_image *image, unsigned table);
