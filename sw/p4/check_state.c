// SPDX-License-Identifier: Apache-2.0
// Parser states: statements, where they go on, which are reached.
#include <string.h>

#include "check.h"

static struct p4_state accept_state = {.accept = true}, reject_state = {.reject = true};
const struct p4_decl p4_state_accept = {
    .kind = P4_DECL_STATE, .name = "accept", .state = &accept_state, .local_name = "accept"};
const struct p4_decl p4_state_reject = {
    .kind = P4_DECL_STATE, .name = "reject", .state = &reject_state, .local_name = "reject"};

// NULL after a message.
static const struct p4_decl *target(struct p4_checker *k, const struct p4_decl *parser,
                                    const char *name, struct p4_place place) {
  if (strcmp(name, "accept") == 0) return &p4_state_accept;
  if (strcmp(name, "reject") == 0) return &p4_state_reject;
  for (struct p4_decl *s = parser->states; s; s = s->next)
    if (s->name == name) return s;
  const char *similar = p4_similar_member(parser->states, name);
  if (similar)
    p4_error(k->c, place, "unknown-state", "parser '%s' has no state '%s'; is '%s' meant?",
             parser->name, name, similar);
  else p4_error(k->c, place, "unknown-state", "parser '%s' has no state '%s'", parser->name, name);
  return NULL;
}

static bool selectable(const struct p4_type *type) {
  type = p4_type_base(type);
  switch (type->kind) {
    case P4_TYPE_POISON:
    case P4_TYPE_BITS:
    case P4_TYPE_INT:
    case P4_TYPE_BOOL:
    case P4_TYPE_ENUM:
    case P4_TYPE_ERROR:
    case P4_TYPE_TUPLE:
    case P4_TYPE_STRUCT: return true;
    default: return false;
  }
}

static const struct p4_type **select_types(struct p4_checker *k, struct p4_state *s) {
  const struct p4_type **types = NEW_ARRAY(k->arena, const struct p4_type *, s->num_select + 1);
  unsigned i = 0;
  for (struct p4_expr **e = &s->select; *e; e = &(*e)->next) {
    p4_check_expr(k, e);
    types[i] = (*e)->type;
    if (!selectable(types[i])) {
      p4_error(k->c, (*e)->place, "type",
               "'select' is over numbers, bool, enums and errors, not %s", p4_show(k, types[i]));
      types[i] = k->poison;
    }
    i++;
  }
  return types;
}

static bool fits_all(const struct p4_select_case *c, unsigned num) {
  for (unsigned i = 0; c->sets && i < num; i++)
    if (c->sets[i].kind != P4_KEYSET_ANY) return false;
  return c->sets;
}

static void check_select(struct p4_checker *k, struct p4_decl *parser, struct p4_state *s) {
  const struct p4_type **types = select_types(k, s);
  const struct p4_select_case *last = NULL;
  for (struct p4_select_case *c = s->cases; c; c = c->next) {
    c->sets = p4_check_keyset(k, &c->keyset, types, s->num_select, &c->whole);
    c->target = target(k, parser, c->target_name, c->target_place);
    if (last) {
      p4_warning(k->c, c->place, "unreachable", "no packet comes to this case");
      p4_note(k->c, last->place, "this one fits all");
      continue;
    }
    if (fits_all(c, s->num_select)) last = c;
  }
  if (!s->cases)
    p4_error(k->c, s->place, "no-cases", "'select' has no cases, so every packet is rejected");
}

static void check_state(struct p4_checker *k, struct p4_decl *parser, struct p4_decl *d) {
  struct p4_state *s = d->state;
  p4_scope_open(k);
  p4_check_body(k, s->body);
  if (s->select) {
    check_select(k, parser, s);
  } else if (s->to_name) {
    s->to = target(k, parser, s->to_name, s->place);
  } else {
    s->to = &p4_state_reject;
    p4_warning(k->c, d->place, "no-transition",
               "state '%s' has no transition, so it rejects the packet", d->name);
  }
  p4_scope_close(k);
}

// ---- which states are reached ------------------------------------------------------------------

// `used` is the mark; true if more states were marked.
static bool spread(struct p4_decl *parser) {
  bool more = false;
  for (struct p4_decl *d = parser->states; d; d = d->next) {
    if (!d->used) continue;
    struct p4_decl *to = (struct p4_decl *)d->state->to;
    if (to && to->owner && !to->used) more = to->used = true;
    for (struct p4_select_case *c = d->state->cases; c; c = c->next) {
      to = (struct p4_decl *)c->target;
      if (to && to->owner && !to->used) more = to->used = true;
    }
  }
  return more;
}

static void warn_unreached(struct p4_checker *k, struct p4_decl *parser, struct p4_decl *start) {
  start->used = true;
  while (spread(parser)) {}
  for (const struct p4_decl *d = parser->states; d; d = d->next)
    if (!d->used)
      p4_warning(k->c, d->place, "unreachable", "no packet comes to state '%s'", d->name);
}

void p4_check_states(struct p4_checker *k, struct p4_decl *parser) {
  unsigned number = 0;
  struct p4_decl *start = NULL;
  for (struct p4_decl *d = parser->states; d; d = d->next) {
    p4_name_decl(k, d);
    d->type = k->state;
    if (strcmp(d->name, "start") == 0) start = d;
    if (strcmp(d->name, "accept") == 0 || strcmp(d->name, "reject") == 0)
      p4_error(k->c, d->place, "reserved", "every parser has the state '%s'; it is not declared",
               d->name);
    d->number = number++;
  }
  p4_refuse_doubles(k, parser->states, "state");
  for (struct p4_decl *d = parser->states; d; d = d->next) check_state(k, parser, d);
  if (start) warn_unreached(k, parser, start);
  else p4_error(k->c, parser->place, "no-start", "parser '%s' has no state 'start'", parser->name);
}
