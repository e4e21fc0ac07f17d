// SPDX-License-Identifier: Apache-2.0
// Types as they are written.
#include <string.h>

#include "parse.h"

// ---- where a type ends: without messages, to decide between two readings -----------------------

static const struct p4_token *balanced_end(const struct p4_token *t, const char *open,
                                           const char *close) {
  unsigned depth = 0;
  for (; t->kind != P4_TOKEN_END && !p4_token_is(t, ";") && !p4_token_is(t, "{"); t++) {
    if (p4_token_is(t, open)) depth++;
    if (p4_token_is(t, close) && --depth == 0) return t + 1;
  }
  return NULL;
}

static bool is_one_of(const struct p4_token *t, const char *const *list) {
  for (; *list; list++)
    if (p4_token_is(t, *list)) return true;
  return false;
}

static const char *const sized[] = {"bit", "int", "varbit", NULL};
static const char *const plain[] = {"bool", "string", "error", "match_kind", "void", "_", NULL};
static const char *const generic[] = {"tuple", "list", "value_set", NULL};

static const struct p4_token *nested_type_end(const struct p4_parser *p, const struct p4_token *t,
                                              unsigned depth);

static const struct p4_token *nested_args_end(const struct p4_parser *p, const struct p4_token *t,
                                              unsigned depth) {
  if (!p4_token_is(t, "<")) return NULL;
  do t = nested_type_end(p, t + 1, depth);
  while (t && p4_token_is(t, ","));
  return t && p4_token_is(t, ">") ? t + 1 : NULL;
}

static const struct p4_token *nested_type_end(const struct p4_parser *p, const struct p4_token *t,
                                              unsigned depth) {
  if (depth > P4_MOST_NESTED) return NULL;
  const bool generic_word = is_one_of(t, generic) && p4_token_is(t + 1, "<");
  if (is_one_of(t, sized)) {
    t++;
    if (!p4_token_is(t, "<")) return t;
    t = p4_token_is(t + 1, "(") ? balanced_end(t + 1, "(", ")") : t + 2;
    return t && p4_token_is(t, ">") ? t + 1 : NULL;
  }
  if (is_one_of(t, plain)) return t + 1;
  if (p4_token_is(t, ".")) t++;
  if (!generic_word && !p4_is_type_name(p, t)) return NULL;
  t++;
  if (p4_token_is(t, "<")) t = nested_args_end(p, t, depth + 1);
  while (t && p4_token_is(t, "[")) t = balanced_end(t, "[", "]");
  return t;
}

const struct p4_token *p4_type_end(const struct p4_parser *p, const struct p4_token *t) {
  return nested_type_end(p, t, 0);
}

const struct p4_token *p4_type_args_end(const struct p4_parser *p, const struct p4_token *t) {
  return nested_args_end(p, t, 0);
}

bool p4_starts_type(const struct p4_parser *p) {
  const struct p4_token *t = p->now;
  if (is_one_of(t, sized) || (is_one_of(t, plain) && !is(p, "_"))) return true;
  if (is_one_of(t, generic) && is_next(p, "<")) return true;
  if (is(p, ".")) t++;
  if (p4_is_type_name(p, t)) return true;
  return p4_is_name(t) && p4_is_name(t + 1);  // a type that the checker will not know
}

// ---- reading -----------------------------------------------------------------------------------

static struct p4_written *written_new(struct p4_parser *p, enum p4_written_kind kind) {
  struct p4_written *w = NEW(p->c->arena, struct p4_written);
  w->kind = kind;
  w->place = p->now->place;
  return w;
}

struct p4_written *p4_read_type_args(struct p4_parser *p) {
  struct p4_written *first = NULL, **end = &first;
  p4_expect(p, "<");
  do {
    *end = p4_read_type(p);
    end = &(*end)->next;
  } while (p4_accept(p, ","));
  p4_expect(p, ">");
  return first;
}

static struct p4_written *sized_type(struct p4_parser *p) {
  struct p4_written *w = written_new(p, P4_WRITTEN_BITS);
  w->base = is(p, "varbit") ? P4_TYPE_VARBIT : P4_TYPE_BITS;
  w->is_signed = is(p, "int");
  p->now++;
  if (!is(p, "<")) {
    if (w->base == P4_TYPE_VARBIT) p4_expect(p, "<");
    if (w->is_signed) {
      w->kind = P4_WRITTEN_BASE;
      w->base = P4_TYPE_INT;
    }
    return w;  // `bit` is bit<1>
  }
  p->now++;
  if (p4_accept(p, "(")) {
    w->size = p4_read_expr(p);
    p4_expect(p, ")");
  } else if (p->now->kind == P4_TOKEN_NUMBER) {
    w->size = p4_read_postfix(p);
  } else if (p4_is_name(p->now)) {
    p4_syntax_error(p, p->now->place, "syntax",
                    "a width that is no number stands in brackets: <(%s)>", p->now->text);
  } else {
    p4_unexpected(p, "a width");
  }
  p4_expect(p, ">");
  return w;
}

static struct p4_written *generic_type(struct p4_parser *p) {
  struct p4_written *w = written_new(p, is(p, "tuple")  ? P4_WRITTEN_TUPLE
                                        : is(p, "list") ? P4_WRITTEN_LIST
                                                        : P4_WRITTEN_SET);
  p->now++;
  if (w->kind == P4_WRITTEN_TUPLE && is_next(p, ">")) {  // tuple<>
    p->now += 2;
    return w;
  }
  w->args = p4_read_type_args(p);
  if (w->kind != P4_WRITTEN_TUPLE && w->args->next)
    p4_syntax_error(p, w->place, "syntax", "this takes one type between < and >");
  return w;
}

static struct p4_written *plain_type(struct p4_parser *p) {
  static const enum p4_type_kind kinds[] = {P4_TYPE_BOOL, P4_TYPE_STRING, P4_TYPE_ERROR,
                                            P4_TYPE_MATCH_KIND, P4_TYPE_VOID};
  struct p4_written *w = written_new(p, P4_WRITTEN_BASE);
  for (size_t i = 0; plain[i]; i++) {
    if (!is(p, plain[i])) continue;
    if (is(p, "_")) w->kind = P4_WRITTEN_ANY;
    else w->base = kinds[i];
  }
  p->now++;
  return w;
}

struct p4_written *p4_read_type_unstacked(struct p4_parser *p) {
  if (is_one_of(p->now, sized)) return sized_type(p);
  if (is_one_of(p->now, plain)) return plain_type(p);
  if (is_one_of(p->now, generic) && is_next(p, "<")) return generic_type(p);
  struct p4_written *w = written_new(p, P4_WRITTEN_NAME);
  w->absolute = p4_accept(p, ".");
  w->place = p->now->place;
  w->name = p4_read_name(p, "a type")->text;
  if (is(p, "<")) w->args = p4_read_type_args(p);
  return w;
}

struct p4_written *p4_read_type(struct p4_parser *p) {
  p4_deeper(p);
  struct p4_written *w = p4_read_type_unstacked(p);
  while (is(p, "[")) {
    struct p4_written *stack = written_new(p, P4_WRITTEN_STACK);
    stack->place = w->place;
    p->now++;
    stack->element = w;
    stack->size = p4_read_expr(p);
    p4_expect(p, "]");
    w = stack;
  }
  p->depth--;
  return w;
}

struct p4_decl *p4_read_type_params(struct p4_parser *p, struct p4_decl *owner) {
  struct p4_decl *first = NULL, **end = &first;
  if (!p4_accept(p, "<")) return NULL;
  do {
    struct p4_annotation *notes = p4_read_annotations(p);
    const struct p4_token *at = p4_read_name(p, "the name of a type parameter");
    *end = p4_decl_new(p, P4_DECL_TYPE_PARAM, at, notes, owner);
    p4_bind(p, at->text, true);
    end = &(*end)->next;
  } while (p4_accept(p, ","));
  p4_expect(p, ">");
  return first;
}
