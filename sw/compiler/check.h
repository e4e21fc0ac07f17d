// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_COMPILER_CHECK_H
#define SLUICE_COMPILER_CHECK_H

#include "internal.h"

/// The checks of names from inside: what their files share (check.c, table_check.c).

char *check_text(struct arena *arena, const struct token *t);
bool check_same(const struct token *t, const char *text);
/// The value of an expression of numbers alone.
bool check_constant(struct compiler *c, const struct expr *e, int32_t *value);
bool check_find_field(const struct sluice_program *p, const struct token *name, unsigned *id);
void check_expr(struct compiler *c, struct expr *e);
void check_stmt(struct compiler *c, struct stmt *s);
/// Refuses a field that only the other function knows.
void check_elsewhere(struct compiler *c, const struct field *f, const struct token *at);

/// Words of an array of the packet, or of a row. (check_row.c)
unsigned check_words(struct compiler *c, const struct expr *words);
/// `@ array(offset)`.
void check_array_home(struct compiler *c, struct field *f);
/// A packet has one array.
void check_arrays(struct compiler *c);
/// max, min and add_sat become operations; false: it is another call.
bool check_row_call(struct compiler *c, struct expr *e);
/// The expression must be one value, not a row.
void check_single(struct compiler *c, const struct expr *e);
/// Of an assignment whose names are bound: a row to a row, a value to a value.
void check_assigned(struct compiler *c, const struct stmt *s);

/// The table in which words are looked up, and the statement that does it; false: it has no result
/// that could be assigned, or is wrong. (word_table.c)
void check_word_table(struct compiler *c);
bool check_lookup(struct compiler *c, struct stmt *s);
void check_looked_up(struct compiler *c);

/// `table.hit` and `table.action`; false: it is something else.
bool check_table_value(struct compiler *c, struct expr *e);
/// The operation on `table.action` must compare it with an action.
void check_compared(struct compiler *c, struct expr *e);
/// A parameter of the action that is checked; false: it is something else.
bool check_argument(struct compiler *c, struct expr *e);
/// `p.mac = mac` of a parameter of more than 32 bits; false: it is another assignment.
bool check_whole(struct compiler *c, struct stmt *s);
/// Which fields are read or written with all of their 48 bits. (width.c)
void check_widths(struct compiler *c);
void check_apply(struct compiler *c, struct stmt *s);

#endif
