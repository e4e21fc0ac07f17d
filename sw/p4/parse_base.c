// SPDX-License-Identifier: Apache-2.0
// What all rules of the parser use: tokens, messages, the way back after an error, scopes of names,
// annotations.
#include <stdarg.h>
#include <string.h>

#include "parse.h"

bool p4_accept(struct p4_parser *p, const char *text) {
  if (!is(p, text)) return false;
  p->now++;
  return true;
}

void p4_syntax_error(struct p4_parser *p, struct p4_place place, const char *id, const char *format,
                     ...) {
  char text[300];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  p4_error(p->c, place, id, "%s", text);
  longjmp(*p->recover, 1);
}

void p4_unexpected(struct p4_parser *p, const char *wanted) {
  const struct p4_token *t = p->now;
  if (t->kind == P4_TOKEN_BAD) longjmp(*p->recover, 1);  // that was told
  if (t->kind == P4_TOKEN_END)
    p4_syntax_error(p, t->place, "syntax", "the text ends where %s should be", wanted);
  const char *quote = t->kind == P4_TOKEN_STRING ? "\"" : "'";
  p4_syntax_error(p, t->place, "syntax", "%s%.*s%s%s where %s should be", quote,
                  (int)(t->len > 40 ? 40 : t->len), t->text, t->len > 40 ? "..." : "", quote,
                  wanted);
}

void p4_expect(struct p4_parser *p, const char *text) {
  char wanted[20];
  snprintf(wanted, sizeof wanted, "'%s'", text);
  if (!p4_accept(p, text)) p4_unexpected(p, wanted);
}

// A `;` that is missing at the end of a line is told at the end of that line.
void p4_semicolon(struct p4_parser *p) {
  if (p4_accept(p, ";")) return;
  const struct p4_token *before = p->now - 1;
  if (p->now->place.line == before->place.line && !is(p, "}")) p4_unexpected(p, "';'");
  struct p4_place place = before->place;
  place.column = (uint16_t)(place.column + place.span);
  place.span = 1;
  p4_error(p->c, place, "syntax", "';' is missing");
  if (p->now->kind != P4_TOKEN_END) p4_note(p->c, p->now->place, "before this");
}

// To behind the `;` or `}` that ends what p->now is in, or before the `}` around it.
static void skip(struct p4_parser *p) {
  int braces = 0, brackets = 0;
  for (; p->now->kind != P4_TOKEN_END; p->now++) {
    if (is(p, "{")) braces++;
    if (is(p, "(")) brackets++;
    if (is(p, ")")) brackets--;
    if (is(p, "}") && --braces < 0) return;
    if (braces || (!is(p, ";") && !is(p, "}"))) continue;
    if (brackets > 0 && is(p, ";")) continue;
    p->now++;
    if (is(p, "else") || is(p, ";")) continue;
    return;
  }
}

bool p4_attempt(struct p4_parser *p, void (*rule)(struct p4_parser *p, void *into), void *into) {
  jmp_buf here, *const outer = p->recover;
  const struct p4_token *const start = p->now;
  const unsigned depth = p->depth;
  struct p4_binding *const names = p4_scope(p);
  if (setjmp(here) == 0) {
    p->recover = &here;
    rule(p, into);
    p->recover = outer;
    return true;
  }
  p->recover = outer;
  p->depth = depth;
  p4_scope_back(p, names);
  skip(p);
  if (p->now == start && p->now->kind != P4_TOKEN_END) p->now++;
  return false;
}

void p4_deeper(struct p4_parser *p) {
  if (++p->depth <= P4_MOST_NESTED) return;
  p4_error(p->c, p->now->place, "too-deep", "more than %d levels of nesting", P4_MOST_NESTED);
  arena_give_up(p->c->arena, ARENA_TOLD);
}

static bool is_reserved(const struct p4_token *t) {
  static const char *const reserved[] = {
      "abstract", "action",     "bit",       "bool",         "break",  "const",      "continue",
      "control",  "default",    "else",      "enum",         "error",  "exit",       "extern",
      "false",    "for",        "header",    "header_union", "if",     "in",         "inout",
      "int",      "match_kind", "out",       "package",      "parser", "return",     "select",
      "string",   "struct",     "switch",    "table",        "this",   "transition", "true",
      "tuple",    "typedef",    "value_set", "varbit",       "void",   "_"};
  for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++)
    if (strcmp(t->text, reserved[i]) == 0) return true;
  return false;
}

bool p4_is_name(const struct p4_token *t) { return t->kind == P4_TOKEN_NAME && !is_reserved(t); }

const struct p4_token *p4_read_name(struct p4_parser *p, const char *wanted) {
  if (p->now->kind == P4_TOKEN_NAME && is_reserved(p->now) && !is(p, "_"))
    p4_syntax_error(p, p->now->place, "reserved", "'%s' is a word of the language, and no name",
                    p->now->text);
  if (!p4_is_name(p->now)) p4_unexpected(p, wanted);
  return p->now++;
}

struct p4_place p4_place_up_to(const struct p4_parser *p, struct p4_place from) {
  const struct p4_place *last = &p->now[-1].place;
  if (last->file == from.file && last->line == from.line && last->column >= from.column)
    from.span = (uint32_t)(last->column - from.column) + last->span;
  return from;
}

// ---- scopes ------------------------------------------------------------------------------------

static size_t bucket(const char *name) { return (uintptr_t)name / 16 % P4_NAME_BUCKETS; }

void p4_bind(struct p4_parser *p, const char *name, bool is_type) {
  struct p4_binding *b = NEW(p->c->arena, struct p4_binding);
  *b = (struct p4_binding){name, is_type, p->buckets[bucket(name)], p->made};
  p->buckets[bucket(name)] = p->made = b;
}

struct p4_binding *p4_scope(const struct p4_parser *p) {
  return p->made;
}

void p4_scope_back(struct p4_parser *p, struct p4_binding *mark) {
  for (; p->made != mark; p->made = p->made->made_before)
    p->buckets[bucket(p->made->name)] = p->made->below;
}

bool p4_is_type_name(const struct p4_parser *p, const struct p4_token *t) {
  if (t->kind != P4_TOKEN_NAME) return false;
  const struct p4_binding *b = p->buckets[bucket(t->text)];
  while (b && b->name != t->text) b = b->below;
  return b && b->is_type;
}

// ---- annotations -------------------------------------------------------------------------------

static const char *tokens_text(struct p4_parser *p, const struct p4_token *from, unsigned num) {
  size_t len = 1;
  for (unsigned i = 0; i < num; i++) len += from[i].len + 3;
  char *text = arena_alloc(p->c->arena, len), *at = text;
  for (unsigned i = 0; i < num; i++) {
    const bool string = from[i].kind == P4_TOKEN_STRING;
    if (i && from[i].spaced) *at++ = ' ';
    if (string) *at++ = '"';
    memcpy(at, from[i].text, from[i].len);
    at += from[i].len;
    if (string) *at++ = '"';
  }
  return text;
}

static void annotation_tokens(struct p4_parser *p, struct p4_annotation *a) {
  unsigned depth = 0;
  a->kind = P4_ANNOTATION_TOKENS;
  a->tokens = ++p->now;
  for (; depth || !is(p, ")"); p->now++) {
    if (p->now->kind == P4_TOKEN_END) p4_unexpected(p, "')' of an annotation");
    if (is(p, "(")) depth++;
    if (is(p, ")")) depth--;
    a->num_tokens++;
  }
  p->now++;
  a->text = tokens_text(p, a->tokens, a->num_tokens);
}

static void annotation_list(struct p4_parser *p, struct p4_annotation *a) {
  a->kind = P4_ANNOTATION_LIST;
  p->now++;
  struct p4_expr **end = &a->exprs;
  while (!is(p, "]")) {
    const char *label = NULL;
    if (p->now->kind == P4_TOKEN_NAME && is_next(p, "=")) {
      a->kind = P4_ANNOTATION_PAIRS;
      label = p->now->text;
      p->now += 2;
    }
    *end = p4_read_expr(p);
    (*end)->label = label;
    end = &(*end)->next;
    if (!p4_accept(p, ",")) break;
  }
  p4_expect(p, "]");
}

// `@pragma x a b c`: to the end of the line.
static void annotation_pragma(struct p4_parser *p, struct p4_annotation *a) {
  if (p->now->kind == P4_TOKEN_NAME && !p->now->line_start) a->name = p->now++->text;
  a->tokens = p->now;
  a->kind = P4_ANNOTATION_TOKENS;
  while (p->now->kind != P4_TOKEN_END && !p->now->line_start) {
    p->now++;
    a->num_tokens++;
  }
  a->text = tokens_text(p, a->tokens, a->num_tokens);
}

struct p4_annotation *p4_read_annotations(struct p4_parser *p) {
  struct p4_annotation *first = NULL, **end = &first;
  while (p4_accept(p, "@")) {
    struct p4_annotation *a = NEW(p->c->arena, struct p4_annotation);
    if (p->now->kind != P4_TOKEN_NAME) p4_unexpected(p, "the name of an annotation");
    a->name = p->now->text;
    a->place = p->now++->place;
    a->text = "";
    if (strcmp(a->name, "pragma") == 0) annotation_pragma(p, a);
    else if (is(p, "(")) annotation_tokens(p, a);
    else if (is(p, "[")) annotation_list(p, a);
    *end = a;
    end = &a->next;
  }
  return first;
}
