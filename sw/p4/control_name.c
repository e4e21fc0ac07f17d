// SPDX-License-Identifier: Apache-2.0
// Names as the control plane has them, and the annotations that change them.
#include <stdlib.h>
#include <string.h>

#include "check.h"

// ---- annotations -------------------------------------------------------------------------------

const struct p4_annotation *p4_annotation(const struct p4_annotation *list, const char *name) {
  while (list && strcmp(list->name, name) != 0) list = list->next;
  return list;
}

const char *p4_annotation_text(const struct p4_annotation *a) {
  if (!a) return NULL;
  if (a->kind == P4_ANNOTATION_TOKENS && a->num_tokens == 1 && a->tokens[0].kind == P4_TOKEN_STRING)
    return a->tokens[0].text;
  if (a->kind == P4_ANNOTATION_LIST && a->exprs && !a->exprs->next &&
      a->exprs->kind == P4_EXPR_STRING)
    return a->exprs->name;
  return NULL;
}

static bool read_number(const struct p4_token *t, uint64_t *number) {
  if (t->kind != P4_TOKEN_NUMBER) return false;
  const char *text = t->text, *mark = text;
  while (*mark >= '0' && *mark <= '9') mark++;
  if (*mark == 'w' || *mark == 's') text = mark + 1;
  char *end;
  *number = strtoull(text, &end, text[0] == '0' && (text[1] | 32) == 'x' ? 16 : 10);
  return !*end;
}

int p4_annotation_numbers(const struct p4_annotation *a, uint64_t *numbers, unsigned most) {
  unsigned num = 0;
  if (!a || a->kind != P4_ANNOTATION_TOKENS) return -1;
  for (unsigned i = 0; i < a->num_tokens; i++) {
    if (i % 2 == 1 ? !p4_token_is(&a->tokens[i], ",") : num >= most) return -1;
    if (i % 2 == 0 && !read_number(&a->tokens[i], &numbers[num++])) return -1;
  }
  return (int)num;
}

// ---- declarations ------------------------------------------------------------------------------

void p4_name_decl(struct p4_checker *k, struct p4_decl *d) {
  const struct p4_annotation *note = p4_annotation(d->annotations, "name");
  const char *text = p4_annotation_text(note);
  if (note && !text)
    p4_error(k->c, note->place, "annotation", "@name takes one text: @name(\"x\")");
  d->hidden = p4_annotation(d->annotations, "hidden") != NULL;
  d->local_name = text && *text ? text : d->name;
  const struct p4_decl *owner = d->owner;
  if (d->local_name[0] == '.') {
    d->control_name = ++d->local_name;
    return;
  }
  const bool block = owner && (owner->kind == P4_DECL_CONTROL || owner->kind == P4_DECL_PARSER);
  d->control_name = block && owner->local_name
                        ? arena_format(k->arena, "%s.%s", owner->local_name, d->local_name)
                        : d->local_name;
}

// ---- expressions -------------------------------------------------------------------------------

static const char *member_name(struct arena *a, const struct p4_expr *e) {
  const struct p4_annotation *note =
      e->decl && e->member == P4_MEMBER_FIELD ? p4_annotation(e->decl->annotations, "name") : NULL;
  const char *text = p4_annotation_text(note);
  if (text && *text == '.') return text + 1;
  const char *base = p4_expr_control_name(a, e->a);
  return base ? arena_format(a, "%s.%s", base, text ? text : e->name) : NULL;
}

// A number in the base in which it is written, without its width, `_` and zeros in front.
static const char *number_name(struct arena *a, const struct p4_expr *e) {
  const char *mark = e->name;
  while (*mark >= '0' && *mark <= '9') mark++;
  const char *text = *mark == 'w' || *mark == 's' ? mark + 1 : e->name;
  if (!e->value || e->value->kind != P4_VALUE_NUMBER) return text;
  const char base = text[0] == '0' ? (char)(text[1] | 32) : 0;
  const unsigned radix = base == 'x' ? 16 : base == 'b' ? 2 : base == 'o' ? 8 : 10;
  const char *digits = p4_wide_text(a, e->value->number, radix);
  return radix == 10 || radix == 16 ? digits : arena_format(a, "0%c%s", base, digits);
}

static const char *slice_name(struct arena *a, const struct p4_expr *e) {
  const char *base = p4_expr_control_name(a, e->a);
  return base ? arena_format(a, "%s[%u:%u]", base, e->high, e->low) : NULL;
}

static const char *index_name(struct arena *a, const struct p4_expr *e) {
  const char *base = p4_expr_control_name(a, e->a);
  const bool number = e->b->value && e->b->value->kind == P4_VALUE_NUMBER;
  const char *index = number ? p4_wide_text(a, e->b->value->number, 10)
                             : p4_expr_control_name(a, e->b);
  return base && index ? arena_format(a, "%s[%s]", base, index) : NULL;
}

static const char *mask_name(struct arena *a, const struct p4_expr *e) {
  if (e->op != P4_OP_AND) return NULL;
  const char *left = p4_expr_control_name(a, e->a), *right = p4_expr_control_name(a, e->b);
  return left && right ? arena_format(a, "%s & %s", left, right) : NULL;
}

const char *p4_expr_control_name(struct arena *a, const struct p4_expr *e) {
  switch (e->kind) {
    case P4_EXPR_NAME: return e->name;
    case P4_EXPR_NUMBER: return number_name(a, e);
    case P4_EXPR_MEMBER: return member_name(a, e);
    case P4_EXPR_INDEX: return index_name(a, e);
    case P4_EXPR_SLICE: return slice_name(a, e);
    case P4_EXPR_BINARY: return mask_name(a, e);
    case P4_EXPR_CAST: return e->implicit ? p4_expr_control_name(a, e->a) : NULL;
    case P4_EXPR_CALL: {
      if (!e->call || e->call->kind != P4_CALL_BUILT_IN || e->call->built_in != P4_IS_VALID)
        return NULL;
      const char *base = p4_expr_control_name(a, e->call->object);
      return base ? arena_format(a, "%s.$valid$", base) : NULL;
    }
    default: return NULL;
  }
}
