// SPDX-License-Identifier: Apache-2.0
// What declarations alone do not say: which types the methods of packets take, what is deprecated,
// what structured annotations hold, which names the control plane cannot tell apart.
#include <string.h>

#include "check.h"

// ---- packet_in and packet_out ------------------------------------------------------------------

static void check_extract(struct p4_checker *k, const struct p4_expr *e) {
  const struct p4_type *type = e->call->type_args[0];
  const struct p4_expr *at = e->call->args[0];
  if (type->kind == P4_TYPE_VARIABLE) return;
  if (type->kind != P4_TYPE_HEADER) {
    p4_error(k->c, at->place, "type", "what is extracted is a header, and not %s%s",
             p4_show(k, type), type->kind == P4_TYPE_STACK ? "; name its element: .next" : "");
    return;
  }
  const unsigned varbits = type->varbits;
  if (e->call->num_args == 1 && varbits)
    p4_error(k->c, e->place, "varbit",
             "%s has a varbit; how many bits it gets is a second argument of extract",
             p4_show(k, type));
  if (e->call->num_args == 2 && varbits != 1)
    p4_error(k->c, e->place, "varbit", "extract with two arguments takes a header with one varbit");
}

static void check_lookahead(struct p4_checker *k, const struct p4_expr *e) {
  uint64_t bits;
  const struct p4_type *type = e->call->type_args[0];
  if (type->kind == P4_TYPE_VARIABLE) return;
  if (!p4_type_bits(type, true, &bits) || type->varbits)
    p4_error(k->c, e->place, "type", "lookahead is of a type with a fixed width, and not of %s",
             p4_show(k, type));
}

static void check_emit(struct p4_checker *k, const struct p4_expr *e) {
  const struct p4_type *type = e->call->args[0]->type;
  if (type->emits || p4_is_poison(type)) return;
  p4_error(k->c, e->call->args[0]->place, "type",
           "what is emitted is a header, a stack, a union or a struct of such, and not %s",
           p4_show(k, type));
}

void p4_check_packet(struct p4_checker *k, const struct p4_expr *e) {
  const struct p4_decl *d = e->call->callee, *owner = d->owner;
  if (!d->built_in || !owner || p4_is_poison(e->type)) return;
  const bool in = strcmp(owner->name, "packet_in") == 0;
  const bool out = strcmp(owner->name, "packet_out") == 0;
  const enum p4_decl_kind block = k->container ? k->container->kind : P4_DECL_FUNCTION;
  if (in && block == P4_DECL_CONTROL)
    p4_error(k->c, e->place, "not-here", "a packet is read in parsers: '%s' is called in a control",
             d->name);
  if (out && block == P4_DECL_PARSER)
    p4_error(k->c, e->place, "not-here",
             "a packet is written in controls: '%s' is called in a parser", d->name);
  if (in && strcmp(d->name, "extract") == 0) check_extract(k, e);
  if (in && strcmp(d->name, "lookahead") == 0) check_lookahead(k, e);
  if (out && strcmp(d->name, "emit") == 0) check_emit(k, e);
}

// ---- annotations -------------------------------------------------------------------------------

void p4_warn_deprecated(struct p4_checker *k, struct p4_place place, const struct p4_decl *d) {
  const struct p4_annotation *note = p4_annotation(d->annotations, "deprecated");
  if (!note) return;
  const char *text = p4_annotation_text(note);
  p4_warning(k->c, place, "deprecated", "'%s' is deprecated%s%s", d->name, text ? ": " : "",
             text ? text : "");
}

// @x[..] holds constants; a name in it stands once.
static void check_structured(struct p4_checker *k, struct p4_annotation *a) {
  for (struct p4_expr **e = &a->exprs; *e; e = &(*e)->next) {
    if (!(*e)->label != (a->kind == P4_ANNOTATION_LIST))
      p4_error(k->c, (*e)->place, "annotation",
               "an annotation in square brackets holds values, or names with values, and not both");
    for (const struct p4_expr *b = a->exprs; b != *e; b = b->next)
      if ((*e)->label && b->label == (*e)->label)
        p4_error(k->c, (*e)->place, "twice", "'%s' stands twice in this annotation", b->label);
    p4_check_expr(k, e);
    if (!(*e)->value && !p4_is_poison((*e)->type))
      p4_error(k->c, (*e)->place, "not-constant", "a value of an annotation is a constant");
  }
}

static bool is_structured(const struct p4_annotation *a) {
  return a->kind == P4_ANNOTATION_LIST || a->kind == P4_ANNOTATION_PAIRS;
}

void p4_check_annotations(struct p4_checker *k, struct p4_annotation *list) {
  for (struct p4_annotation *a = list; a; a = a->next) {
    if (is_structured(a)) check_structured(k, a);
    for (const struct p4_annotation *b = list; b != a; b = b->next)
      if (a->name == b->name && (is_structured(a) || is_structured(b)))
        p4_error(k->c, a->place, "twice",
                 "annotation '@%s' stands twice; one with square brackets stands once", a->name);
  }
}

// ---- names -------------------------------------------------------------------------------------

static bool has_name(const struct p4_decl *d) {
  return (d->kind == P4_DECL_TABLE || d->kind == P4_DECL_ACTION || d->kind == P4_DECL_INSTANCE ||
          d->kind == P4_DECL_VALUE_SET) &&
         !d->hidden;
}

void p4_check_control_names(struct p4_checker *k, const struct p4_decl *block) {
  for (const struct p4_decl *d = block->members; d; d = d->next) {
    if (!has_name(d)) continue;
    for (const struct p4_decl *e = block->members; e != d; e = e->next)
      if (e->kind == d->kind && has_name(e) && e->name != d->name &&
          strcmp(e->control_name, d->control_name) == 0)
        p4_error(k->c, d->place, "same-name",
                 "'%s' and '%s' have one name for the control plane: %s", d->name, e->name,
                 d->control_name);
  }
}
