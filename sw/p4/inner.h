// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdint.h>

#include "front.h"

// What the files of the front end share, up to the syntax tree; each banner is a file. The checker
// has a header of its own, check.h.

struct p4_context {
  struct arena *arena;
  struct p4_messages *messages;
  const struct p4_options *options;
  struct p4_names *names;
};

/// Reports at a place; gives up behind too many errors.
void p4_report(struct p4_context *c, enum p4_severity severity, struct p4_place place,
               const char *id, const char *format, ...) __attribute__((format(printf, 5, 6)));
#define p4_error(C, AT, ID, ...) p4_report(C, P4_ERROR, AT, ID, __VA_ARGS__)
#define p4_warning(C, AT, ID, ...) p4_report(C, P4_WARNING, AT, ID, __VA_ARGS__)
#define p4_note(C, AT, ...) p4_report(C, P4_NOTE, AT, "", __VA_ARGS__)

// ---- names.c: each text exists once, so equal names have equal pointers ------------------------

const char *p4_name(struct p4_context *c, const char *text, size_t len);

// ---- lex.c: text to tokens ---------------------------------------------------------------------

struct p4_lexer {
  struct p4_context *c;
  uint16_t file;
  const char *begin, *at, *end;
  const char *line_begin;
  unsigned line;
  bool fresh;  // nothing but blanks stood on this line so far
  bool quiet;  // in a part that #if leaves out: no messages
};
void p4_lexer_open(struct p4_lexer *lexer, struct p4_context *c, uint16_t file);
/// The next token; P4_TOKEN_END at the end of the file.
struct p4_token p4_lex(struct p4_lexer *lexer);

// ---- preprocess.c, macro.c, condition.c: a file and what it includes, to tokens ----------------

struct p4_tokens {
  struct p4_token *list;
  size_t num, room;
};
void p4_tokens_add(struct p4_context *c, struct p4_tokens *to, const struct p4_token *token);
/// All tokens of a program, with one of kind P4_TOKEN_END behind them.
struct p4_tokens p4_preprocess(struct p4_context *c, uint16_t file);

struct p4_macro {
  const char *name;
  bool function, variadic, busy;
  unsigned num_params;
  const char **params;
  struct p4_tokens body;
  struct p4_macro *next;
};
/// A place to take tokens from: the files, and what macros have made of them.
struct p4_frame {
  struct p4_tokens tokens;
  size_t at;
  struct p4_macro *macro;  // whose body it is: it is not expanded within itself
  struct p4_frame *below;
};
struct p4_stream {
  struct p4_context *c;
  struct p4_macro **macros;  // P4_MACRO_BUCKETS of them, shared by all streams
  struct p4_frame *frames;
  struct p4_lexer *lexer;  // below the frames; NULL: nothing is
  struct p4_token peeked;
  bool has_peeked;
  unsigned depth;  // of arguments within arguments
  size_t *work;    // tokens that macros have made, of all streams
};
enum { P4_MACRO_BUCKETS = 256 };
struct p4_macro *p4_macro_find(const struct p4_stream *s, const char *name);
/// Reads what stands behind #define, which are the tokens of a line.
void p4_macro_define(struct p4_stream *s, const struct p4_tokens *line);
void p4_macro_undefine(struct p4_stream *s, const char *name);
/// The next token as it stands, or (p4_stream_next) with macros expanded.
struct p4_token p4_stream_raw(struct p4_stream *s);
struct p4_token p4_stream_peek(struct p4_stream *s);
struct p4_token p4_stream_next(struct p4_stream *s);
/// All tokens of a list with macros expanded.
struct p4_tokens p4_expand(struct p4_stream *s, const struct p4_tokens *list);
/// The value of what stands behind #if.
bool p4_condition(struct p4_stream *s, const struct p4_tokens *line, struct p4_place place);

static inline bool p4_token_is(const struct p4_token *t, const char *text) {
  if (t->kind != P4_TOKEN_MARK && t->kind != P4_TOKEN_NAME) return false;
  const char *a = t->text, *b = text;
  while (*a && *a == *b) {
    a++;
    b++;
  }
  return *a == *b;
}

// ---- parse*.c: tokens to a syntax tree ---------------------------------------------------------

/// Parses into program->decls. Errors are in the messages; the tree holds what could be read.
void p4_parse(struct p4_context *c, const struct p4_tokens *tokens, struct p4_program *program);
