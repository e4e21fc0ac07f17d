// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "internal.h"

/// The checks of names from inside: what their files share (check.c, table_check.c).
struct checker {
  struct ir_context *ir;
  struct function *function;     // the action that is checked; NULL: the program
  unsigned ifs;                  // around the statement that is checked
  const struct token *words_at;  // where the packet's array was used first; NULL: not yet
};

char *check_text(struct arena *arena, const struct token *t);
bool check_same(const struct token *t, const char *text);
/// The value of an expression of numbers alone.
bool check_constant(struct checker *c, const struct expr *e, int32_t *value);
bool check_find_field(const struct sluice_program *p, const struct token *name, unsigned *id);
void check_expr(struct checker *c, struct expr *e);
void check_stmt(struct checker *c, struct stmt *s);
/// Refuses a field that only the other function knows.
void check_elsewhere(struct checker *c, const struct field *f, const struct token *at);

/// Words of an array of the packet, or of a row. (check_row.c)
unsigned check_words(struct checker *c, const struct expr *words);
/// `@ array(offset)`.
void check_array_home(struct checker *c, struct field *f);
/// A packet has one array.
void check_arrays(struct checker *c);
/// max, min and add_sat become operations; false: it is another call.
bool check_row_call(struct checker *c, struct expr *e);
/// The expression must be one value, not a row.
void check_single(struct checker *c, const struct expr *e);
/// Of an assignment whose names are bound: a row to a row, a value to a value.
void check_assigned(struct checker *c, const struct stmt *s);

/// The table in which words are looked up, and the statement that does it; false: it has no result
/// that could be assigned, or is wrong. (word_table.c)
void check_word_table(struct checker *c);
bool check_lookup(struct checker *c, struct stmt *s);
void check_looked_up(struct checker *c);

/// `table.hit` and `table.action`; false: it is something else.
bool check_table_value(struct checker *c, struct expr *e);
/// The operation on `table.action` must compare it with an action.
void check_compared(struct checker *c, struct expr *e);
/// A parameter of the action that is checked; false: it is something else.
bool check_argument(struct checker *c, struct expr *e);
/// `p.mac = mac` of a parameter of more than 32 bits; false: it is another assignment.
bool check_whole(struct checker *c, struct stmt *s);
/// Which fields are read or written with all of their 48 bits. (width.c)
void check_widths(struct checker *c);
void check_apply(struct checker *c, struct stmt *s);
