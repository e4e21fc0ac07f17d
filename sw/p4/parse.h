// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "inner.h"

// What the files of the parser share. Each function is named after what it reads, starts at p->now
// and leaves p->now behind it. A wrong token ends the statement or declaration in which it stands:
// the parse goes on behind its `;` or `}`.
//
// Whether `a < b > (c)` is a call and `(a) - b` a cast depends on which names are types. So the
// parser keeps the names of each scope, with that one bit; all else about names is the checker's.

enum { P4_MOST_NESTED = 200, P4_MOST_DEPTH = 800, P4_NAME_BUCKETS = 1024 };

struct p4_binding {
  const char *name;
  bool is_type;
  struct p4_binding *below, *made_before;
};
struct p4_parser {
  struct p4_context *c;
  const struct p4_token *now;
  jmp_buf *recover;
  unsigned depth;
  struct p4_binding *buckets[P4_NAME_BUCKETS], *made;
  struct p4_program *program;
};

// ---- parse_base.c ------------------------------------------------------------------------------

static inline bool is(const struct p4_parser *p, const char *text) {
  return p4_token_is(p->now, text);
}
static inline bool is_next(const struct p4_parser *p, const char *text) {
  return p->now->kind != P4_TOKEN_END && p4_token_is(p->now + 1, text);
}
bool p4_accept(struct p4_parser *p, const char *text);
/// Reads it, or reports that it is missing and gives up what is being read.
void p4_expect(struct p4_parser *p, const char *text);
_Noreturn void p4_unexpected(struct p4_parser *p, const char *wanted);
_Noreturn void p4_syntax_error(struct p4_parser *p, struct p4_place place, const char *id,
                               const char *format, ...) __attribute__((format(printf, 4, 5)));
/// Runs a rule that gets `into`; false after an error in it, behind what it could not read.
bool p4_attempt(struct p4_parser *p, void (*rule)(struct p4_parser *p, void *into), void *into);
void p4_deeper(struct p4_parser *p);
bool p4_is_name(const struct p4_token *t);
/// A name, of any sort; `wanted` is what a message calls it.
const struct p4_token *p4_read_name(struct p4_parser *p, const char *wanted);
/// Reads `;`. One that is missing at the end of a line is told, and taken as if it were there.
void p4_semicolon(struct p4_parser *p);
/// From the first place to the end of the token before p->now, if on one line.
struct p4_place p4_place_up_to(const struct p4_parser *p, struct p4_place from);

void p4_bind(struct p4_parser *p, const char *name, bool is_type);
struct p4_binding *p4_scope(const struct p4_parser *p);
void p4_scope_back(struct p4_parser *p, struct p4_binding *mark);
bool p4_is_type_name(const struct p4_parser *p, const struct p4_token *t);

struct p4_annotation *p4_read_annotations(struct p4_parser *p);

// ---- parse_type.c ------------------------------------------------------------------------------

/// Whether a type begins here; a name that is unknown and stands before a name is taken as one.
bool p4_starts_type(const struct p4_parser *p);
/// The token behind a type that begins at t, or NULL if there is none.
const struct p4_token *p4_type_end(const struct p4_parser *p, const struct p4_token *t);
/// Behind `<` types `>`, or NULL.
const struct p4_token *p4_type_args_end(const struct p4_parser *p, const struct p4_token *t);
struct p4_written *p4_read_type(struct p4_parser *p);
/// Without the brackets of a stack behind it.
struct p4_written *p4_read_type_unstacked(struct p4_parser *p);
struct p4_written *p4_read_type_args(struct p4_parser *p);
struct p4_decl *p4_read_type_params(struct p4_parser *p, struct p4_decl *owner);

// ---- parse_expr.c ------------------------------------------------------------------------------

struct p4_expr *p4_read_expr(struct p4_parser *p);
struct p4_expr *p4_expr_new(struct p4_parser *p, enum p4_expr_kind kind, struct p4_place place);
/// (a, b = c): the brackets too.
struct p4_expr *p4_read_arguments(struct p4_parser *p);
/// What may stand before the `:` of a select case or a table's entry.
struct p4_expr *p4_read_keyset(struct p4_parser *p);
/// What stands right of `=`: an expression, or `...`.
struct p4_expr *p4_read_initial(struct p4_parser *p);
/// What an assignment begins with, or a call: with all that follows it, no binary operator.
struct p4_expr *p4_read_postfix(struct p4_parser *p);

// ---- parse_stmt.c ------------------------------------------------------------------------------

struct p4_stmt *p4_read_block(struct p4_parser *p);
struct p4_stmt *p4_read_statement(struct p4_parser *p);
struct p4_state *p4_read_state(struct p4_parser *p);

// ---- parse_table.c -----------------------------------------------------------------------------

struct p4_table *p4_read_table(struct p4_parser *p);

// ---- parse.c -----------------------------------------------------------------------------------

struct p4_decl *p4_decl_new(struct p4_parser *p, enum p4_decl_kind kind, const struct p4_token *at,
                            struct p4_annotation *notes, struct p4_decl *owner);
/// `const T x = e;`, `T x;`, `T(args) x;`: what may stand in a block.
struct p4_decl *p4_read_constant(struct p4_parser *p, struct p4_annotation *notes,
                                 struct p4_decl *owner);
struct p4_decl *p4_read_variable(struct p4_parser *p, struct p4_annotation *notes,
                                 struct p4_decl *owner);
