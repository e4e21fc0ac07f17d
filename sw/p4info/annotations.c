// SPDX-License-Identifier: Apache-2.0
// Annotations as they are written, and the fields that some of them fill.
#include <string.h>

#include "inner.h"

static bool listed(const char *list, const char *name) {
  for (; list && *list; list += strlen(list) + 1)
    if (strcmp(list, name) == 0) return true;
  return false;
}

// ---- written again -----------------------------------------------------------------------------

static const char *quoted(struct p4i *p, const char *text) {
  char *to = arena_alloc(p->arena, 2 * strlen(text) + 3), *at = to;
  *at++ = '"';
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') *at++ = '\\';
    *at++ = *text;
  }
  *at++ = '"';
  return to;
}

// `@x(a , "b")`: tokens with a blank between them.
static const char *plain(struct p4i *p, const struct p4_annotation *a) {
  const char *text = arena_format(p->arena, "@%s", a->name);
  for (unsigned i = 0; i < a->num_tokens; i++) {
    const struct p4_token *t = &a->tokens[i];
    text = arena_format(p->arena, "%s%s%s", text, i ? " " : "(",
                        t->kind == P4_TOKEN_STRING ? quoted(p, t->text) : t->text);
  }
  return a->num_tokens ? arena_format(p->arena, "%s)", text) : text;
}

static void literal(struct p4i *p, struct proto *to, const struct p4_annotation *a,
                    const struct p4_expr *e) {
  const struct p4_value *v = e->value;
  if (v && v->kind == P4_VALUE_BOOL) {
    proto_number(to, PROTO(Expression, bool_value), v->truth);
  } else if (v && v->kind == P4_VALUE_STRING) {
    proto_text(to, PROTO(Expression, string_value), v->text);
  } else if (v && v->kind == P4_VALUE_NUMBER && p4_wide_fits(v->number, 64, true)) {
    proto_number(to, PROTO(Expression, int64_value), p4_wide_low(v->number));
  } else {
    p4i_error(
        p, a->place, "annotation",
        "P4Info takes texts, bool and numbers of 64 bits in @%s[..]; a larger number can be a "
        "text",
        a->name);
  }
}

static void structured(struct p4i *p, struct proto *to, const struct p4_annotation *a) {
  proto_text(to, PROTO(StructuredAnnotation, name), a->name);
  for (const struct p4_expr *e = a->exprs; e; e = e->next) {
    if (a->kind == P4_ANNOTATION_PAIRS) {
      struct proto *pairs = proto_add(to, PROTO(StructuredAnnotation, kv_pair_list));
      struct proto *pair = proto_add(pairs, PROTO(KeyValuePairList, kv_pairs));
      proto_text(pair, PROTO(KeyValuePair, key), e->label);
      literal(p, proto_add(pair, PROTO(KeyValuePair, value)), a, e);
    } else {
      struct proto *list = proto_add(to, PROTO(StructuredAnnotation, expression_list));
      literal(p, proto_add(list, PROTO(ExpressionList, expressions)), a, e);
    }
  }
}

static void document(struct p4i *p, struct proto *m, const struct p4i_notes *notes,
                     const struct p4_annotation *list) {
  static const enum proto_field_id fields[] = {PROTO(Documentation, brief),
                                               PROTO(Documentation, description)};
  static const char *const names[] = {"brief", "description"};
  for (unsigned i = 0; i < 2; i++) {
    const struct p4_annotation *a = p4_annotation(list, names[i]);
    if (!a) continue;
    const char *text = p4_annotation_text(a);
    if (text) proto_text(proto_add(m, notes->doc), fields[i], text);
    else p4i_error(p, a->place, "annotation", "@%s takes one text", names[i]);
  }
}

void p4i_annotate(struct p4i *p, struct proto *m, const struct p4i_notes *notes,
                  const struct p4_annotation *list, const char *without) {
  for (const struct p4_annotation *a = list; a; a = a->next) {
    if (listed("name\0id\0brief\0description\0", a->name) || listed(without, a->name)) continue;
    if (a->kind == P4_ANNOTATION_LIST || a->kind == P4_ANNOTATION_PAIRS)
      structured(p, proto_add(m, notes->structured), a);
    else proto_text(m, notes->plain, plain(p, a));
  }
  if (notes->has_doc) document(p, m, notes, list);
}

void p4i_preamble(struct p4i *p, struct proto *m, const struct p4i_object *o, const char *without) {
  static const struct p4i_notes notes = P4I_NOTES(Preamble);
  proto_number(m, PROTO(Preamble, id), o->id);
  proto_text(m, PROTO(Preamble, name), o->name);
  proto_text(m, PROTO(Preamble, alias), o->alias);
  p4i_annotate(p, m, &notes, o->annotations, without);
}

// ---- name=value --------------------------------------------------------------------------------

void p4i_pairs(struct p4i *p, const struct p4_annotation *a,
               void (*pair)(struct p4i *p, const struct p4_annotation *a, const char *name,
                            const struct p4_token *value)) {
  if (a->kind == P4_ANNOTATION_PAIRS) {
    for (const struct p4_expr *e = a->exprs; e; e = e->next) {
      const struct p4_token token = {
          .kind = e->kind == P4_EXPR_STRING ? P4_TOKEN_STRING : P4_TOKEN_NUMBER,
          .text = e->name ? e->name : ""};
      pair(p, a, e->label, &token);
    }
    return;
  }
  const struct p4_token *t = a->tokens;
  for (unsigned i = 0; i + 2 < a->num_tokens; i += 4) {
    if (t[i].kind != P4_TOKEN_NAME || strcmp(t[i + 1].text, "=") != 0) break;
    pair(p, a, t[i].text, &t[i + 2]);
    if (i + 3 == a->num_tokens || strcmp(t[i + 3].text, ",") != 0) return;
  }
  p4i_error(p, a->place, "annotation", "@%s takes a list of name=value", a->name);
}
