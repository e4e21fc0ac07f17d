// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir.h"
#include "ir.h"

/// The reader of the IR from inside: what its files share (token.c, read.c, table.c).
struct reader {
  struct ir_context *c;
  struct sluice_program *p;
  struct ir *ir;
  const char *at, *end, *line_start;
  unsigned line;
  struct token now;  // TOKEN_END: the end of the line
  unsigned room_values, room_sources, room_accesses, room_outputs;
};

void ir_next(struct reader *r);
bool ir_at(const struct reader *r, const char *text);
bool ir_accept(struct reader *r, const char *text);
_Noreturn void ir_unexpected(struct reader *r, const char *wanted);
void ir_expect(struct reader *r, const char *text);
struct token ir_name(struct reader *r, const char *wanted);
struct token ir_number_within(struct reader *r, const char *what, uint32_t least, uint32_t most);
int32_t ir_constant(struct reader *r);
char *ir_declared_name(struct reader *r, const struct token *t);
const struct token *ir_keep(struct reader *r, const struct token *t);
/// A value that a line before this one makes.
unsigned ir_operand(struct reader *r);

/// `lookup TABLE(vI, ..).hit`, `.action` or `.ACTION.WORD`, behind the word.
void ir_read_lookup(struct reader *r, struct ir_value *v);
/// A line that declares a part of a table; false: it is another one.
bool ir_read_table(struct reader *r);
/// The same of the lookup of words.
bool ir_read_word_table(struct reader *r);
